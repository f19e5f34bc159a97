"""The figures that play-outs are made of: kinds, tables, prices, habits; see the package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = [
    "BITS",
    "BOMB",
    "BOMB_SIZES",
    "CHANCE",
    "FIRSTS",
    "FLUSH",
    "FULL_HOUSE",
    "HEIGHTS",
    "Habits",
    "JOKERS",
    "LAST_PLAY",
    "NOTHING",
    "NO_JOKERS",
    "PAIR",
    "PLACES",
    "PLATE",
    "Part",
    "Prices",
    "ROW",
    "SINGLE",
    "SIZES",
    "STRAIGHT",
    "SURE",
    "TIERS",
    "TRIPLE",
    "TUBE",
    "kind",
]

# Kinds of play.
NOTHING: Final = 0
SINGLE: Final = 1
PAIR: Final = 2
TRIPLE: Final = 3
FULL_HOUSE: Final = 4
STRAIGHT: Final = 5
TUBE: Final = 6
PLATE: Final = 7
BOMB: Final = 8

FLUSH: Final = 48
"""The code of a straight flush, less its key."""
JOKERS: Final = 144
"""The code of the four jokers."""

# Lengths are left open: mypyc makes a tuple of known length anew whenever one looks into it.
SIZES: Final[tuple[int, ...]] = (0, 1, 2, 3, 5, 5, 6, 6, 4)
SURE: Final = 88
"""From that chance on, of a hundred, a group counts as a winner."""
LAST_PLAY: Final[tuple[int, ...]] = (0, 100, 50, 35, 0, 35, 20)
"""By cards that somebody has left: in so many cases of a hundred they are one play."""
BOMB_SIZES: Final[tuple[int, ...]] = (0, 4, 5, 5, 6, 7, 8, 9, 10, 4)
"""By tier."""
TIERS: Final[tuple[int, ...]] = (0, 0, 0, 0, 1, 2, 4, 5, 6, 7, 8)
"""By size, of bombs of one rank."""

NO_JOKERS: Final = 0x3FFF
FIRSTS: Final = 0xFFFF
CHANCE: Final = 0x7FFFFFFF

PLACES: Final[tuple[int, ...]] = tuple(
    [{(1 << place) % 61: place for place in range(60)}.get(bit, 0) for bit in range(61)]
)
"""The place of a lone bit, by the bit modulo 61: the powers of two below 2^60 all differ there."""
BITS: Final[tuple[int, ...]] = tuple([1 << i for i in range(60)])
"""Looked up: mypyc 2.4 shifts a literal in 32 bits, even if a variable of 64 holds it."""
ROW: Final = 11
"""Of `Prices.ranks`: what a rank costs by number of cards, 0..10."""
HEIGHTS: Final[tuple[int, ...]] = tuple(
    [13 if rank == level else rank + (rank > 12) for level in range(13) for rank in range(15)]
)

Part = tuple[int, int, int, int, int]
"""A group, for those who want the cards: kind, bit (or a bomb's code), packed counts of its
naturals, wilds, and the suit of a straight flush, else -1."""


def kind() -> str:
    """Which one is at work, "compiled" or "plain"."""
    return "plain" if __file__.endswith(".py") else "compiled"


class Prices:
    """What groups are worth at the moment that the play-outs begin, in hundredths.

    A cost is about how often the lead is lost with a group, a stand the chance that none beats it.
    """

    __slots__ = ("cheap", "costs", "flush", "loses", "ranks", "stands")

    def __init__(
        self, ranks: tuple[int, ...], costs: tuple[int, ...], stands: tuple[int, ...], flush: i64
    ) -> None:
        self.ranks = ranks
        """Costs of 0..10 cards of a rank, rank after rank."""
        self.costs = costs
        """Of each kind by the place of its bit, sixteen a kind; of bombs by tier."""
        self.stands = stands
        """Likewise."""
        self.loses: tuple[int, ...] = tuple([1 if stand < SURE else 0 for stand in stands])
        """Is it likely that somebody beats it?"""
        self.flush: i64 = flush
        self.cheap: i64 = 0
        """Heights of pairs that had better go under a triple."""
        place: i64
        for place in range(14):
            if costs[16 * PAIR + place] > 0:
                self.cheap |= BITS[place]


class Habits:
    """How much one thing counts against another in a seat of a play-out; see `style.Style`."""

    def __init__(self) -> None:
        self.lead: i64 = 100
        self.hurry: i64 = 120
        self.finish: i64 = 100
        self.trust: i64 = 30
        self.save_until: i64 = 10
        self.save_strong: i64 = 60
        self.low_top: i64 = 12
        self.bomb_rest: i64 = 100
        self.small: i64 = 60
        self.weak: i64 = 50
        self.shed: i64 = 20
        self.danger: i64 = 100
        self.feed: i64 = 120
        self.noise: i64 = 16
