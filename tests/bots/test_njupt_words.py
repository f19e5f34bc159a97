"""Cards, ranks and actions in the words of the dialect."""

from __future__ import annotations

from typing import Any

import pytest

from guandan_bots.dialect.words import (
    BACK,
    DialectError,
    action_of,
    card_of_word,
    card_word,
    cards_of_words,
    gift_action,
    gift_of,
    hand_words,
    is_pass,
    level_of_word,
    level_word,
    offer_of,
    pos_of,
    seat_of,
)
from guandan_engine.cards import CARDS, Rank
from guandan_engine.combos import READINGS
from guandan_engine.moves import Offer
from guandan_engine.notation import level_of, parse_card, parse_cards, parse_reading
from guandan_engine.order import LEVELS
from guandan_engine.seats import SEATS


def test_every_card_has_a_word_of_two_letters_and_back() -> None:
    words = [card_word(card) for card in CARDS]
    assert [card_of_word(word) for word in words] == list(CARDS)
    assert {len(word) for word in words} == {2}
    assert words[-2:] == ["SB", "HR"]
    assert words[:5] == ["S2", "H2", "C2", "D2", "S3"]


@pytest.mark.parametrize("word", ["", "2S", "S1", "X", "Y", "S10", "B", 5, None, ["S2"]])
def test_no_other_word_is_a_card(word: object) -> None:
    with pytest.raises(DialectError):
        card_of_word(word)


def test_a_list_of_cards_is_a_list_of_at_most_two_of_each() -> None:
    assert cards_of_words(["HR", "S5", "HR"]) == parse_cards("Y Y S5")
    for wrong in (["S5", "S5", "S5"], "S5", None, {"S5": 1}, ["S5", None]):
        with pytest.raises(DialectError):
            cards_of_words(wrong)


def test_levels_and_seats_go_both_ways() -> None:
    assert [level_of_word(level_word(level)) for level in LEVELS] == list(LEVELS)
    assert level_of_word("10") is Rank.TEN
    assert [seat_of(pos_of(seat)) for seat in SEATS] == list(SEATS)
    for wrong in ("1", "B", 2, None):
        with pytest.raises(DialectError):
            level_of_word(wrong)
    for seat in (-1, 4, "0", True, None):
        with pytest.raises(DialectError):
            seat_of(seat)


def test_a_hand_goes_from_low_to_high_with_the_level_before_the_jokers() -> None:
    hand = parse_cards("Y X X D5 H5 S5 SA DK S2")
    assert hand_words(hand, Rank.FIVE) == ["S2", "DK", "SA", "S5", "H5", "D5", "SB", "SB", "HR"]


@pytest.mark.parametrize(
    ("level", "cards", "reading", "action"),
    [
        ("2", "X", "single-X", ["Single", "B", ["SB"]]),
        ("2", "Y Y", "pair-Y", ["Pair", "R", ["HR", "HR"]]),
        ("3", "S9 H3", "pair-9", ["Pair", "9", ["S9", "H3"]]),
        ("2", "HT ST CT", "triple-T", ["Trips", "T", ["ST", "HT", "CT"]]),
        ("2", "SK CK SQ DQ H2", "full_house-Q", ["ThreeWithTwo", "Q", "SQ DQ H2 SK CK".split()]),
        ("2", "SK CK SQ DQ H2", "full_house-K", ["ThreeWithTwo", "K", "SK CK H2 SQ DQ".split()]),
        ("2", "S9 C9 D9 H2 H2", "full_house-9", ["ThreeWithTwo", "9", "S9 C9 D9 H2 H2".split()]),
        ("7", "SA S2 D3 H4 C5", "straight-5", ["Straight", "A", "SA S2 D3 H4 C5".split()]),
        ("7", "ST DJ CQ SK HA", "straight-A", ["Straight", "T", "ST DJ CQ SK HA".split()]),
        ("6", "S2 S3 S4 S5 H6", "straight_flush-5", ["StraightFlush", "A", "H6 S2 S3 S4 S5".split()]),  # noqa: E501 one row of a table
        ("7", "SA CA S2 C2 H7 H7", "tube-3", ["ThreePair", "A", "SA CA S2 C2 H7 H7".split()]),
        ("7", "SA CA S2 C2 H7 H7", "plate-2", ["TwoTrips", "A", "SA CA H7 S2 C2 H7".split()]),
        ("2", "S9 C9 D9 D9 H2", "bomb-5-9", ["Bomb", "9", "S9 C9 D9 D9 H2".split()]),
        ("2", "X X Y Y", "joker_bomb", ["Bomb", "JOKER", ["SB", "SB", "HR", "HR"]]),
    ],
)  # fmt: skip
def test_an_action_names_type_and_rank_and_has_its_cards_in_the_order_of_the_play(
    level: str, cards: str, reading: str, action: list[Any]
) -> None:
    offer = Offer(parse_cards(cards), parse_reading(reading))
    assert action_of(offer, level_of(level)) == action
    assert offer_of(action) == offer


def test_type_rank_and_size_tell_readings_apart_and_every_rank_is_text() -> None:
    kinds = {}
    for one in READINGS:
        kind, rank, _ = action_of(Offer(parse_cards(""), one), Rank.TWO)
        assert isinstance(rank, str), "some bots look the rank up and fail for anything else"
        kinds[kind, rank, one.size] = one
    assert len(kinds) == len(READINGS)


def test_actions_are_made_anew_because_bots_change_what_they_are_given() -> None:
    offer = Offer(parse_cards("S9 H9"), parse_reading("pair-9"))
    spoilt = action_of(offer, Rank.TWO)
    spoilt[2].clear()
    spoilt.append("mine")
    assert action_of(offer, Rank.TWO) == ["Pair", "9", ["S9", "H9"]]


@pytest.mark.parametrize("rank", ["JOKER", "R", 16, None])
def test_the_four_jokers_are_known_by_their_cards_whatever_the_rank(rank: object) -> None:
    for kind in ("Bomb", "FourKings"):
        action = [kind, rank, ["HR", "SB", "HR", "SB"]]
        assert offer_of(action).reading == parse_reading("joker_bomb")


@pytest.mark.parametrize(
    "action",
    [
        ["PASS", "PASS", "PASS"],
        [None, None, None],
        None,
        ["Pair", "9"],
        ["Pair", "9", ["S9"]],
        ["Pair", "T9", ["S9", "H9"]],
        ["Duo", "9", ["S9", "H9"]],
        ["Pair", "9", ["S9", "Q"]],
        {"type": "Pair"},
    ],
)
def test_what_is_no_play_is_refused(action: object) -> None:
    with pytest.raises(DialectError):
        offer_of(action)


def test_a_pass_is_a_pass_and_a_gift_is_one_card() -> None:
    assert is_pass(["PASS", "PASS", "PASS"])
    assert not any(map(is_pass, [None, [], [None, None, None], ["Single", "2", ["S2"]], "PASS"]))
    assert gift_action(BACK, parse_card("S3")) == ["back", "back", ["S3"]]
    assert gift_of(["tribute", "tribute", ["HR"]]) == parse_card("Y")
    for wrong in (None, ["back", "back", []], ["back", "back", ["S3", "S4"]]):
        with pytest.raises(DialectError):
            gift_of(wrong)


def test_an_error_says_what_was_expected_and_what_came() -> None:
    assert str(DialectError("a seat, 0 to 3", 7)) == "expected a seat, 0 to 3, got 7"
