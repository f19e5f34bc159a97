"""The own hand as columns: by rank, by rank with a row per suit, or by what it holds together."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from itertools import pairwise
from typing import Final

from attrs import frozen

from guandan_cli.words import rank_name
from guandan_engine.cards import Card, Cards, Rank, Suit, card_of, rank_of, suit_of, wild_of
from guandan_engine.order import LEVELS, height

__all__ = ["Column", "Sort", "columns"]

BOMB_SIZE: Final = 4
BIG_BOMB_SIZE: Final = 6
"""From this size on a bomb beats a straight flush, so it is not broken for one."""
_ACE_LOW_FIRST: Final = (Rank.ACE, *LEVELS)


class Sort(StrEnum):
    """How the hand is laid out; each shows every card, under the keys that take it."""

    RANK = "rank"
    SUIT = "suit"
    """By rank, and each suit in rows of its own: runs of one suit stand side by side."""
    COMBO = "combo"
    """Bombs and straight flushes first."""

    @property
    def next(self) -> Sort:
        order = list(Sort)
        return order[(order.index(self) + 1) % len(order)]


@frozen
class Column:
    """Cards under one heading, from the top; None where a row is left empty."""

    heading: str
    cells: tuple[Card | None, ...]
    rank: Rank | None = None
    """Whose key takes its cards; None for the wild, and for a run."""

    @property
    def cards(self) -> tuple[Card, ...]:
        return tuple([card for card in self.cells if card is not None])

    def copy(self, row: int) -> int:
        """Which of equal cards stands in a row: 0 or 1."""
        return self.cells[:row].count(self.cells[row])


def columns(hand: Cards, level: Rank, sort: Sort) -> list[Column]:
    """The hand from the highest card to the lowest, wilds apart."""
    match sort:
        case Sort.RANK:
            return list(_by_rank(hand, level))
        case Sort.SUIT:
            return _with_suits(list(_by_rank(hand, level)), level)
        case Sort.COMBO:
            return list(_combos(hand, level))


def _heading(rank: Rank, level: Rank) -> str:
    return rank_name(rank) + ("*" if rank is level else "")


def _by_rank(hand: Cards, level: Rank) -> Iterator[Column]:
    wild = wild_of(level)
    for rank in sorted(Rank, key=lambda rank: -height(rank, level)):
        if rank is level and hand.count(wild):
            yield Column("W", (wild,) * hand.count(wild))
        found = sorted(
            [card for card in hand if rank_of(card) is rank and card != wild], key=suit_of
        )
        if found:
            yield Column(_heading(rank, level), tuple(found), rank)


def _with_suits(ranked: list[Column], level: Rank) -> list[Column]:
    """Each suit gets as many rows as its fullest rank needs; jokers and wilds stand on top."""
    wild = wild_of(level)
    free = [one for one in ranked if one.cells[0] == wild or one.rank in _JOKERS]
    suited = [one for one in ranked if one not in free]
    rows: list[tuple[Suit, int]] = []
    for suit in Suit:
        counts = [sum(suit_of(card) is suit for card in one.cards) for one in suited]
        rows += [(suit, copy) for copy in range(max(counts, default=0))]

    def placed(one: Column) -> Column:
        cells = [
            next(iter([c for c in one.cards if suit_of(c) is suit][copy:]), None)
            for suit, copy in rows
        ]
        while cells and cells[-1] is None:
            cells.pop()
        return Column(one.heading, tuple(cells), one.rank)

    return [one if one in free else placed(one) for one in ranked]


_JOKERS: Final = frozenset({Rank.SMALL_JOKER, Rank.BIG_JOKER})


# What the hand holds together. Greedy, and always the same for the same hand.


def _combos(hand: Cards, level: Rank) -> Iterator[Column]:
    wild = wild_of(level)
    wilds = hand.count(wild)
    rest = hand - Cards.of([wild] * wilds)
    jokers = [card for card in rest if rank_of(card) in _JOKERS]
    if len(jokers) == BOMB_SIZE:
        rest -= Cards.of(jokers)
        yield Column("YX", tuple(sorted(jokers, reverse=True)))
    if wilds:
        yield Column("W", (wild,) * wilds)
    big = _bombs(rest, level, least=BIG_BOMB_SIZE)
    for bomb in big:
        rest -= Cards.of(bomb.cards)
        yield bomb
    for flush in _straight_flushes(rest):
        rest -= Cards.of(flush.cards)
        yield flush
    for bomb in _bombs(rest, level, least=BOMB_SIZE):
        rest -= Cards.of(bomb.cards)
        yield bomb
    yield from _by_rank(rest, level)


def _bombs(cards: Cards, level: Rank, *, least: int) -> list[Column]:
    """The largest first, and of equal ones the highest."""
    found = [
        one
        for one in _by_rank(cards, level)
        if len(one.cells) >= least and one.rank is not None and one.rank not in _JOKERS
    ]
    return sorted(found, key=lambda one: -len(one.cells))


def _straight_flushes(cards: Cards) -> Iterator[Column]:
    """The highest first; none shares a card with another."""
    for top in reversed(range(4, len(_ACE_LOW_FIRST))):
        ranks = _ACE_LOW_FIRST[top - 4 : top + 1]
        assert all(high == low + 1 for low, high in pairwise(ranks[1:]))
        for suit in Suit:
            run = [card_of(rank, suit) for rank in reversed(ranks)]
            while Cards.of(run) <= cards:
                cards -= Cards.of(run)
                yield Column("SF", tuple(run))
