"""A hand as its groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from guandan_bots.playout.figures import (
    BOMB,
    BOMB_SIZES,
    PAIR,
    PLACES,
    SINGLE,
    SIZES,
    STRAIGHT,
    TUBE,
    Prices,
)

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["Hand"]


class Hand:
    """A hand as its groups."""

    __slots__ = (
        "bombs",
        "cards",
        "cost",
        "fixed",
        "groups",
        "losers",
        "pair",
        "plate",
        "single",
        "straight",
        "triple",
        "tube",
    )

    def __init__(self) -> None:
        self.cards: i64 = 0
        self.groups: i64 = 0
        self.cost: i64 = 0
        self.losers: i64 = 0
        self.single: i64 = 0
        self.pair: i64 = 0
        self.triple: i64 = 0
        self.straight: i64 = 0
        self.tube: i64 = 0
        self.plate: i64 = 0
        self.bombs: i64 = 0
        self.fixed: i64 = 0
        """Heights with a wild in their pair or triple, which cannot be split."""

    def become(self, other: Hand) -> None:
        self.cards = other.cards
        self.groups = other.groups
        self.cost = other.cost
        self.losers = other.losers
        self.single = other.single
        self.pair = other.pair
        self.triple = other.triple
        self.straight = other.straight
        self.tube = other.tube
        self.plate = other.plate
        self.bombs = other.bombs
        self.fixed = other.fixed

    def add_bomb(self, code: i64, prices: Prices) -> None:
        """One more byte, in its place."""
        above: i64 = self.bombs
        below: i64 = 0
        shift: i64 = 0
        while above and (above & 255) < code:
            below |= (above & 255) << shift
            above >>= 8
            shift += 8
        self.bombs = below | code << shift | above << (shift + 8)
        self.groups += 1
        self.cards += BOMB_SIZES[code >> 4]
        self.cost += prices.costs[16 * BOMB + (code >> 4)]

    def add_alike(self, n: i64, bit: i64, prices: Prices) -> None:
        """A single, a pair or a triple."""
        self._count(n, bit, n, prices)
        if n == SINGLE:
            self.single |= bit
        elif n == PAIR:
            self.pair |= bit
        else:
            self.triple |= bit

    def add_run(self, kind: i64, bit: i64, prices: Prices) -> None:
        """A straight, a tube or a plate; a second one of its kind and top stands higher up."""
        self._count(kind, bit, SIZES[kind], prices)
        if kind == STRAIGHT:
            self.straight |= bit << 16 if self.straight & bit else bit
        elif kind == TUBE:
            self.tube |= bit << 16 if self.tube & bit else bit
        else:
            self.plate |= bit << 16 if self.plate & bit else bit

    def _count(self, kind: i64, bit: i64, size: i64, prices: Prices) -> None:
        at: i64 = 16 * kind + PLACES[bit % 61]
        self.groups += 1
        self.cards += size
        self.cost += prices.costs[at]
        self.losers += prices.loses[at]
