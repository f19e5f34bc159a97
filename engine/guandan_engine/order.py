"""The order of single ranks at a level: 2 < … < A < level < X < Y (rules 2, row 6)."""

from __future__ import annotations

from typing import Final

from guandan_engine.cards import Card, Cards, Rank, rank_of, suit_of, wild_of

__all__ = ["LEVELS", "ascending", "height", "lowest_single"]

LEVELS: Final = tuple(Rank)[:13]
"""The ranks that can be a level, 2..A."""

_HEIGHTS: Final = tuple(
    tuple(13 if rank == level else rank + (rank > Rank.ACE) for rank in Rank) for level in LEVELS
)


def height(rank: Rank, level: Rank) -> int:
    """Where `rank` stands in the single order of `level`: 0..15, higher is stronger."""
    return _HEIGHTS[level][rank]


def ascending(cards: Cards, level: Rank) -> list[Card]:
    """Cards from lowest to highest; equal ranks in suit order, and wilds last of their rank."""
    wild = wild_of(level)
    heights = _HEIGHTS[level]
    return sorted(cards, key=lambda c: (heights[rank_of(c)], c == wild, suit_of(c)))


def lowest_single(cards: Cards, level: Rank) -> Card:
    """The card that a clock leads for its player: the lowest, a wild last of all (rules 5)."""
    wild = wild_of(level)
    order = ascending(cards, level)
    return next((card for card in order if card != wild), order[0])
