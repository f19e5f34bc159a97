"""The same ranks in other suits."""

from __future__ import annotations

import pytest

from guandan_cli.tui.selection import Selection
from guandan_cli.tui.suits import choices
from guandan_engine.cards import Rank
from guandan_engine.notation import cards_text, parse_card, parse_cards
from guandan_engine.options import rules

SEVEN = Rank.SEVEN
HAND = parse_cards("S3 H3 S4 H4 C4 S5 H5 H5 S6 H6 S8 H8 H7 X Y")


def found(now: str, hand: str | None = None) -> list[str]:
    cards = HAND if hand is None else parse_cards(hand)
    return [cards_text(one) for one in choices(parse_cards(now), cards, SEVEN, rules())]


def test_five_in_a_row_become_straight_flushes() -> None:
    assert found("S3 H4 S5 H6 H7") == [
        "S3 H4 S5 H6 H7",
        "S3 S4 S5 S6 H7",
        "H3 H4 H5 H6 H7",
    ]  # fmt: skip


def test_a_suit_that_is_not_whole_is_left_out() -> None:
    assert found("C4 S5", "S4 C4 S5 H5") == ["C4 S5", "S4 S5"]


def test_of_one_rank_every_choice_comes() -> None:
    assert found("S4 H4") == ["S4 H4", "S4 C4", "H4 C4"]
    assert found("H5 H5") == ["H5 H5", "S5 H5"]
    assert found("S3 H7") == ["S3 H7", "H3 H7"]


@pytest.mark.parametrize("now", ["X", "H7", "S3 X"])
def test_jokers_and_wilds_have_no_suits(now: str) -> None:
    assert found(now) == [now]


def test_with_nothing_taken_it_is_the_straight_flushes_of_the_hand() -> None:
    first, *flushes = found("")
    assert first == ""
    assert flushes[0] == "S3 S4 S5 S6 H7"
    assert len(flushes) == len(set(flushes))
    assert all("H7" in one for one in flushes), "there is none without the wild"
    assert found("", "S3 S4 S5 S6 S7 H7 D2")[1] == "S3 S4 S5 S6 S7", "those without come first"
    assert found("", "S3 H4 C5") == [""]


def test_a_selection_goes_around_and_comes_back() -> None:
    selection = Selection(parse_cards("S4 H4"))
    seen = []
    for _ in range(3):
        turned = selection.in_other_suits(HAND, SEVEN, rules())
        assert turned is not None
        selection = turned
        seen.append(cards_text(selection.cards(HAND, SEVEN)))
    assert seen == ["S4 C4", "H4 C4", "S4 H4"]


def test_whatever_else_is_pressed_begins_anew() -> None:
    turned = Selection(parse_cards("S4 H4")).in_other_suits(HAND, SEVEN, rules())
    assert turned is not None
    for changed in (
        turned.press(Rank.THREE, HAND, SEVEN),
        turned.press_wild(HAND, SEVEN),
        turned.press(Rank.BIG_JOKER, HAND, SEVEN),
        turned.toggle(parse_card("S6"), 0, HAND, SEVEN),
    ):
        assert changed.turns == ()


def test_where_there_is_no_other_choice_it_says_so() -> None:
    assert Selection(parse_cards("C4 S5 X")).in_other_suits(HAND, SEVEN, rules()) is None
