"""The order of singles at a level."""

from __future__ import annotations

from hypothesis import given

from guandan_engine.cards import Card, Cards, Rank, rank_of, wild_of
from guandan_engine.notation import card_text, cards_text, level_of, parse_cards, rank_text
from guandan_engine.order import LEVELS, ascending, height, lowest_single
from tests.engine.brute import level_order
from tests.engine.strategies import levels, multisets


@given(levels)
def test_ranks_stand_as_at_a_table(level: Rank) -> None:
    ranks = sorted(Rank, key=lambda rank: height(rank, level))
    assert list(map(rank_text, ranks)) == level_order(rank_text(level))
    assert len({height(rank, level) for rank in Rank}) == len(Rank)


@given(multisets(), levels)
def test_ascending(drawn: list[Card], level: Rank) -> None:
    cards = ascending(Cards.of(drawn), level)
    assert sorted(cards) == sorted(drawn)
    heights = [height(rank_of(card), level) for card in cards]
    assert heights == sorted(heights)


@given(multisets(least=1), levels)
def test_the_lowest_single_spares_the_wild(drawn: list[Card], level: Rank) -> None:
    found = lowest_single(Cards.of(drawn), level)
    naturals = [card for card in drawn if card != wild_of(level)]
    order = level_order(rank_text(level))
    least = min(order.index(rank_text(rank_of(card))) for card in naturals or drawn)
    assert found in (naturals or drawn)
    assert rank_text(rank_of(found)) == order[least]


def test_by_example() -> None:
    five = level_of("5")
    assert cards_text(ascending(parse_cards("Y X S5 H5 SA D2 C6 S2"), five)) == (
        "S2 D2 C6 SA S5 H5 X Y"
    )
    assert card_text(lowest_single(parse_cards("H5 S5 X"), five)) == "S5"
    assert card_text(lowest_single(parse_cards("H5 X"), five)) == "X"
    assert card_text(lowest_single(parse_cards("H5 H5"), five)) == "H5"


def test_levels_are_the_ordinary_ranks() -> None:
    assert "".join(map(rank_text, LEVELS)) == "23456789TJQKA"
