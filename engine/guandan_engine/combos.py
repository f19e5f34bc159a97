"""The shapes that cards form, and which shape beats which (rules 2 rows 10-31, 3.1, 3.2)."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from guandan_engine.cards import Rank
from guandan_engine.order import height

__all__ = ["BOMB_SIZES", "READINGS", "Combo", "Reading", "beats", "reading", "strength", "tier_of"]


class Combo(StrEnum):
    """The types of play; jokers alone make the last."""

    SINGLE = "single"
    PAIR = "pair"
    TRIPLE = "triple"
    FULL_HOUSE = "full_house"
    STRAIGHT = "straight"
    TUBE = "tube"
    PLATE = "plate"
    BOMB = "bomb"
    STRAIGHT_FLUSH = "straight_flush"
    JOKER_BOMB = "joker_bomb"


BOMB_SIZES: Final = range(4, 11)
_SIZES: Final = {
    Combo.SINGLE: 1,
    Combo.PAIR: 2,
    Combo.TRIPLE: 3,
    Combo.FULL_HOUSE: 5,
    Combo.STRAIGHT: 5,
    Combo.TUBE: 6,
    Combo.PLATE: 6,
    Combo.STRAIGHT_FLUSH: 5,
    Combo.JOKER_BOMB: 4,
}
_RUNS: Final = frozenset({Combo.STRAIGHT, Combo.STRAIGHT_FLUSH, Combo.TUBE, Combo.PLATE})


def tier_of(combo: Combo, size: int) -> int:
    """The class of a shape: 0 for all that is no bomb, then 4 < 5 < flush < 6 < … < jokers."""
    match combo:
        case Combo.BOMB:
            return size - 3 if size <= 5 else size - 2
        case Combo.STRAIGHT_FLUSH:
            return 3
        case Combo.JOKER_BOMB:
            return 9
        case _:
            return 0


class Reading:
    """What a set of cards is taken to be: type, key and size.

    Readings are interned: get them from `reading`, compare them with `is` or `==`.
    """

    __slots__ = ("combo", "is_run", "key", "size", "tier")

    combo: Combo
    key: Rank | None
    """The rank that is compared: of the triple in a full house, of the top card in a run
    (5 for A2345, 3 for AA2233, 2 for AAA222); None for the four jokers."""
    size: int
    tier: int
    """See `tier_of`."""
    is_run: bool
    """Are keys compared in natural order rather than in the level's order?"""

    def __init__(self, combo: Combo, key: Rank | None, size: int) -> None:
        self.combo = combo
        self.key = key
        self.size = size
        self.tier = tier_of(combo, size)
        self.is_run = combo in _RUNS

    def __reduce__(self) -> tuple[object, ...]:
        return reading, (self.combo, self.key, self.size)

    def __repr__(self) -> str:
        key = "" if self.key is None else f" {self.key.name}"
        return f"<{self.combo}-{self.size}{key}>"


def _keys(combo: Combo) -> tuple[Rank | None, ...]:
    ranks = tuple(Rank)
    match combo:
        case Combo.JOKER_BOMB:
            return (None,)
        case Combo.SINGLE | Combo.PAIR:
            return ranks
        case Combo.STRAIGHT | Combo.STRAIGHT_FLUSH:
            return ranks[Rank.FIVE : Rank.SMALL_JOKER]
        case Combo.TUBE:
            return ranks[Rank.THREE : Rank.SMALL_JOKER]
        case _:
            return ranks[: Rank.SMALL_JOKER]


_READINGS: Final = {
    (combo, key, size): Reading(combo, key, size)
    for combo in Combo
    for size in (BOMB_SIZES if combo is Combo.BOMB else (_SIZES[combo],))
    for key in _keys(combo)
}


READINGS: Final = tuple(_READINGS.values())
"""Every reading there is."""


def reading(combo: Combo, key: Rank | None = None, size: int | None = None) -> Reading:
    """The one `Reading` of that type, key and size (a bomb needs its size); KeyError if none is."""
    return _READINGS[combo, key, _SIZES[combo] if size is None else size]


def strength(one: Reading, level: Rank) -> int:
    """A number that orders readings strongest first (rules 3.2), comparable within a level.

    The last bit lists a plate before a tube of the same key: a convention, neither beats the other.
    """
    if one.key is None:
        key = 0
    else:
        key = int(one.key) if one.is_run else height(one.key, level)
    return one.tier << 8 | key << 1 | (one.combo is Combo.PLATE)


def beats(one: Reading, top: Reading, level: Rank) -> bool:
    """May `one` be played on `top`? A higher class, or the same shape with a higher key."""
    if one.tier != top.tier:
        return one.tier > top.tier
    if one.combo is not top.combo or one.key is None or top.key is None:
        return False
    if one.is_run:
        return one.key > top.key
    return height(one.key, level) > height(top.key, level)
