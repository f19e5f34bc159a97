"""What a seat knows and what it can play, as plain ints; the tables that all this counts with.

A hand is two ints of 60 bits, `low` with the first copy of each face and `high` with the second
(the halves of `Cards.bits`). Packed counts have a nibble for each rank, as in the engine's
`packed`. A kind of play is its place in `Combo`; a run is a straight, tube or plate, by number.
"""

from __future__ import annotations

from math import comb
from typing import Final, TypeAlias

from guandan_engine.combos import Combo, tier_of

__all__ = [
    "BOMB",
    "FLUSH",
    "HEARTS",
    "HOUSE",
    "JOKER_BOMB",
    "NIBBLE",
    "NOTHING",
    "ODDS",
    "PAIR",
    "PLATE",
    "RUN_EACH",
    "RUN_KEY",
    "RUN_KIND",
    "RUN_RANKS",
    "SINGLE",
    "STRAIGHT",
    "SUITED",
    "TIERS",
    "TRIPLE",
    "TUBE",
    "Play",
    "Table",
    "Word",
    "counts",
    "height",
    "nibble_sum",
    "population",
    "with_low_ace",
    "without_low_ace",
]

Word: TypeAlias = int
"""An int that fits a machine word."""

SINGLE: Final = 0
PAIR: Final = 1
TRIPLE: Final = 2
HOUSE: Final = 3
STRAIGHT: Final = 4
TUBE: Final = 5
PLATE: Final = 6
BOMB: Final = 7
FLUSH: Final = 8
JOKER_BOMB: Final = 9
NOTHING: Final = -1
"""The kind of a pass, and of a table that is empty."""
assert list(Combo) == [
    Combo.SINGLE,
    Combo.PAIR,
    Combo.TRIPLE,
    Combo.FULL_HOUSE,
    Combo.STRAIGHT,
    Combo.TUBE,
    Combo.PLATE,
    Combo.BOMB,
    Combo.STRAIGHT_FLUSH,
    Combo.JOKER_BOMB,
]

_FIVES: Final = 0x555555555555555
_THREES: Final = 0x333333333333333

NIBBLE: Final = [1 << 4 * rank for rank in range(15)]
"""One card of each rank, packed. Shifting a literal is what a compiler of ints gets wrong."""
SUITED: Final = [0x11111 << suit for suit in range(4)]
"""By suit, its faces in five ranks that follow each other."""
_NO_JOKERS: Final = 0xFFFFFFFFFFFFF
_FOURTEEN: Final = 0xFFFFFFFFFFFFFF
HEARTS: Final = [2 << 4 * rank for rank in range(13)]
"""By level, the bit of its wild in a half."""
TIERS: Final = [tier_of(Combo.BOMB, size) if size > 3 else 0 for size in range(11)]
"""Class of a bomb, by size."""
_FLUSH_TIER: Final = tier_of(Combo.STRAIGHT_FLUSH, 5)
_JOKERS_TIER: Final = tier_of(Combo.JOKER_BOMB, 4)

_ENDS: Final = [12, *range(13)]
"""Ranks as runs meet them: the ace at both ends."""
_SHAPES: Final = [(STRAIGHT, 5, 1)] * 10 + [(TUBE, 3, 2)] * 12 + [(PLATE, 2, 3)] * 13
_STARTS: Final = [*range(10), *range(12), *range(13)]
RUN_KIND: Final = [kind for kind, _, _ in _SHAPES]
"""Runs 0-9 are the straights, 10-21 the tubes, 22-34 the plates, from the lowest."""
RUN_EACH: Final = [each for _, _, each in _SHAPES]
"""How many of each rank."""
RUN_RANKS: Final = [
    _ENDS[start : start + span] for start, (_, span, _) in zip(_STARTS, _SHAPES, strict=True)
]
RUN_KEY: Final = [ranks[-1] for ranks in RUN_RANKS]

PLACES: Final = 32
"""A hand's share of the unseen cards is rounded to so many parts: one table serves all."""
_COPIES_MAX: Final = 8
_NEEDED_MAX: Final = 5


def _odds() -> list[float]:
    return [
        sum([comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k, n + 1)])
        for p in [place / PLACES for place in range(PLACES + 1)]
        for k in range(_NEEDED_MAX + 1)
        for n in range(_COPIES_MAX + 1)
    ]


ODDS: Final = _odds()
"""[(place * 6 + k) * 9 + n]: of n cards, each in a hand with chance place/32, how likely k or more
are in it."""


def counts(bits: Word) -> Word:
    """Packed counts of a half."""
    pairs: Word = bits - ((bits >> 1) & _FIVES)
    return (pairs & _THREES) + ((pairs >> 2) & _THREES)


def with_low_ace(half: Word) -> Word:
    """The faces of a half as runs meet them, from the ace below the two on; jokers are left out."""
    half &= _NO_JOKERS
    return ((half << 4) | (half >> 48)) & _FOURTEEN


def without_low_ace(faces: Word) -> Word:
    """And back: the ace, wherever it was, in its place."""
    return (faces >> 4) | ((faces & 15) << 48)


def population(bits: Word) -> Word:
    """How many bits are set."""
    return bits.bit_count()


def nibble_sum(packed: Word) -> Word:
    """The sum of all nibbles, of which there may be 16, if it is no more than 127."""
    packed = (packed & 0x0F0F0F0F0F0F0F0F) + ((packed >> 4) & 0x0F0F0F0F0F0F0F0F)
    packed = packed + (packed >> 8)
    packed = packed + (packed >> 16)
    packed = packed + (packed >> 32)
    return packed & 127


def height(rank: Word, level: Word) -> Word:
    """Where a rank stands in the single order: `guandan_engine.order.height` on ints."""
    if rank == level:
        return 13
    return rank + 1 if rank > 12 else rank


class Table:
    """What a seat knows when it has to lead or to follow."""

    __slots__ = (
        "after",
        "after_answers",
        "before",
        "by",
        "high",
        "key",
        "kind",
        "level",
        "low",
        "other_high",
        "other_low",
        "partner",
        "partner_answers",
        "size",
        "tier",
        "unseen",
    )

    def __init__(self) -> None:
        self.level: Word = 0
        self.low: Word = 0
        self.high: Word = 0
        """The seat's own hand."""
        self.unseen: Word = 0
        """Packed counts of what the others may hold; wilds are level cards in it."""
        self.other_low: Word = 0
        self.other_high: Word = 0
        """The hand of the only other player who is left; 0 while there are more."""
        self.after: Word = 0
        self.partner: Word = 0
        self.before: Word = 0
        """Cards left to the opponent who plays next, to the partner, to the other opponent."""
        self.kind: Word = NOTHING
        self.key: Word = 0
        self.size: Word = 0
        self.tier: Word = 0
        """The play to beat."""
        self.by: Word = 0
        """Whose it is: 1 the opponent after us, 2 the partner, 3 the opponent before us."""
        self.after_answers: bool = False
        self.partner_answers: bool = False
        """Can they still answer it, if we pass?"""


class Play:
    """A play, as it is weighed; `kind` NOTHING is a pass."""

    __slots__ = (
        "damage",
        "high",
        "key",
        "kind",
        "low",
        "needs",
        "runs_out",
        "score",
        "size",
        "suit",
        "tier",
        "traits",
        "wilds",
    )

    def __init__(
        self, kind: Word, key: Word, size: Word, wilds: Word, needs: Word, suit: Word = -1
    ) -> None:
        self.kind: Word = kind
        self.key: Word = key
        self.size: Word = size
        self.wilds: Word = wilds
        self.needs: Word = needs
        """Packed counts of its naturals; of a straight flush, its naturals as spades."""
        self.suit: Word = suit
        """Of a straight flush; -1 where suits make no difference."""
        self.low: Word = 0
        self.high: Word = 0
        """Its faces, once they are chosen."""
        self.tier: Word = 0
        if kind == BOMB:
            self.tier = TIERS[size]
        elif kind == FLUSH:
            self.tier = _FLUSH_TIER
        elif kind == JOKER_BOMB:
            self.tier = _JOKERS_TIER
        self.traits: list[float] = []
        """What there is to say of it (`traits`); nothing where there was nothing to weigh."""
        self.score: float = 0.0
        """What speaks for it, in levels a hand; only differences say something."""
        self.damage: float = 0.0
        """By how much the hand gets dearer by it; negative if it gets rid of a loser."""
        self.runs_out: bool = False
        """Can the rest be played out, if it takes the lead?"""
