"""Which action of a list is meant."""

from __future__ import annotations

from typing import Any

import pytest

from guandan_bots.dialect.matching import Fit, Match, match_of
from guandan_bots.policy import PASS, Give
from guandan_engine.moves import Offer
from guandan_engine.notation import parse_card, parse_cards, parse_reading

A_PASS = ["PASS", "PASS", "PASS"]
SINGLE = ["Single", "3", ["S3"]]
PAIR_9 = ["Pair", "9", ["S9", "C9"]]


def play(cards: str, reading: str) -> Offer:
    return Offer(parse_cards(cards), parse_reading(reading))


@pytest.mark.parametrize(
    ("actions", "index", "fit"),
    [
        ([A_PASS, ["Pair", "9", ["H9", "S9"]]], 1, Fit.EXACT),  # in whatever order
        ([A_PASS, PAIR_9, ["Pair", "9", ["S9", "H9"]]], 2, Fit.EXACT),
        ([A_PASS, ["Pair", "9", ["C9", "D9"]], PAIR_9], 2, Fit.SUITS),  # one card of the two
        ([A_PASS, SINGLE, ["Pair", "K", ["SK", "CK"]], ["Pair", "8", ["S8", "C8"]]], 3, Fit.NEAR),
        ([A_PASS, SINGLE], 0, Fit.NONE),
        ([SINGLE, A_PASS], 1, Fit.NONE),
        ([SINGLE], 0, Fit.NONE),
        ([], 0, Fit.NONE),
        ([None, 5, ["Pair"], PAIR_9], 3, Fit.SUITS),
    ],
)
def test_the_nearest_to_a_pair_of_nines(actions: list[Any], index: int, fit: Fit) -> None:
    assert match_of(play("S9 H9", "pair-9"), actions) == Match(index, fit)


def test_the_same_cards_in_another_reading_are_better_than_other_cards_of_the_type() -> None:
    wanted = play("SK CK SQ DQ H2", "full_house-K")
    as_queens = ["ThreeWithTwo", "Q", ["SQ", "DQ", "H2", "SK", "CK"]]
    others = ["ThreeWithTwo", "A", ["SA", "DA", "CA", "SK", "CK"]]
    assert match_of(wanted, [others, as_queens]) == Match(1, Fit.READING)
    exact = ["ThreeWithTwo", "K", ["SK", "CK", "H2", "SQ", "DQ"]]
    assert match_of(wanted, [others, as_queens, exact]) == Match(2, Fit.EXACT)


def test_a_bomb_of_another_size_is_another_play() -> None:
    wanted = play("S9 H9 C9 D9", "bomb-4-9")
    five = ["Bomb", "9", ["S9", "H9", "C9", "D9", "D9"]]
    assert match_of(wanted, [A_PASS, five]) == Match(0, Fit.NONE)


def test_the_jokers_are_found_under_any_name() -> None:
    jokers = ["FourKings", None, ["SB", "SB", "HR", "HR"]]
    assert match_of(play("X X Y Y", "joker_bomb"), [A_PASS, jokers]) == Match(1, Fit.EXACT)


def test_a_pass_is_found_wherever_it_stands() -> None:
    assert match_of(PASS, [SINGLE, A_PASS]) == Match(1, Fit.EXACT)
    assert match_of(PASS, [SINGLE]) == Match(0, Fit.NONE)


def test_a_gift_is_its_card_or_one_of_its_rank() -> None:
    gifts = [["back", "back", [word]] for word in ("S3", "D8", "H8")]
    assert match_of(Give(parse_card("D8")), gifts) == Match(1, Fit.EXACT)
    assert match_of(Give(parse_card("C8")), gifts) == Match(1, Fit.NEAR)
    assert match_of(Give(parse_card("C9")), [None, *gifts]) == Match(0, Fit.NONE)
