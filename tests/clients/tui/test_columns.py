"""The three ways to sort a hand: each shows every card once."""

from hypothesis import given

from guandan_cli.tui.columns import Sort, columns
from guandan_engine.cards import Cards, Rank
from guandan_engine.notation import cards_text, parse_cards
from tests.engine.strategies import multisets

HAND = parse_cards("Y X H7 S7 C7 SA HA DA S9 S8 H8 S6 D6 D6 S5 S4 S3 C3")


def shown(hand: Cards, sort: Sort, level: Rank = Rank.SEVEN) -> list[tuple[str, str]]:
    return [(one.heading, cards_text(one.cards)) for one in columns(hand, level, sort)]


def test_by_rank_the_highest_stands_first_and_the_wild_apart() -> None:
    assert shown(HAND, Sort.RANK) == [
        ("Y", "Y"), ("X", "X"), ("W", "H7"), ("7*", "S7 C7"), ("A", "SA HA DA"), ("9", "S9"),
        ("8", "S8 H8"), ("6", "S6 D6 D6"), ("5", "S5"), ("4", "S4"), ("3", "S3 C3"),
    ]  # fmt: skip


def test_by_suit_each_row_is_one_suit() -> None:
    found = columns(HAND, Rank.SEVEN, Sort.SUIT)
    spades = [one.cells[0] for one in found if one.rank in (Rank.SIX, Rank.FIVE, Rank.FOUR)]
    assert cards_text([card for card in spades if card is not None]) == "S6 S5 S4"
    six = next(one for one in found if one.rank is Rank.SIX)
    assert [None if c is None else cards_text([c]) for c in six.cells] == [
        "S6", None, None, "D6", "D6",
    ]  # fmt: skip
    assert [six.copy(3), six.copy(4)] == [0, 1]


def test_combos_stand_first_straight_flushes_before_small_bombs() -> None:
    hand = parse_cards("S9 S8 S7 S6 S5 D9 C9 H9 C5 C5 D5 H5")
    assert shown(hand, Sort.COMBO, Rank.TWO) == [
        ("SF", "S9 S8 S7 S6 S5"), ("5", "H5 C5 C5 D5"), ("9", "H9 C9 D9"),
    ]  # fmt: skip


def test_a_bomb_of_six_is_not_broken_for_a_straight_flush() -> None:
    hand = parse_cards("S9 S8 S7 S6 S5 S9 D9 C9 H9 D9")
    assert shown(hand, Sort.COMBO, Rank.TWO)[0] == ("9", "S9 S9 H9 C9 D9 D9")


def test_four_jokers_are_one_group() -> None:
    assert shown(parse_cards("X X Y Y S3"), Sort.COMBO) == [("YX", "Y Y X X"), ("3", "S3")]


def test_sorting_goes_round() -> None:
    assert [Sort.RANK.next, Sort.SUIT.next, Sort.COMBO.next] == [Sort.SUIT, Sort.COMBO, Sort.RANK]


@given(multisets(most=28).map(Cards.of))
def test_no_card_is_lost_or_doubled(hand: Cards) -> None:
    for sort in Sort:
        for level in (Rank.TWO, Rank.ACE):
            found = [card for one in columns(hand, level, sort) for card in one.cards]
            assert Cards.of(found) == hand
