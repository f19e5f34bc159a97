"""Interned patterns and moves, and the tables that list them by bit mask.

A *pattern* is a reading and how many wilds it spends: what a list of options shows first. A *move*
is a pattern with the natural ranks that fill it (and, in a straight flush, the suit): a play up to
the choice among suits that make no difference. Neither depends on the level or on anybody's hand,
so each exists once, and listing a hand is looking up ready-made tuples:

    table[mask]  ->  the patterns, or moves, whose bit is set in `mask`, lowest first

Tables fill themselves, and a table that serves one room warms all the others. Those by rank forget
all they know when they reach `ROWS_MAX`; by window there are few rows. All together they stay
under some 50 MB. Tuples of interned values were 25 times faster than careful loops that build them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final, Generic, TypeVar

from guandan_engine.cards import Rank, Suit
from guandan_engine.combos import BOMB_SIZES, READINGS, Combo, Reading, reading
from guandan_engine.order import LEVELS, height

__all__ = [
    "ALIKE",
    "FULL_HOUSE",
    "FULL_HOUSE_SPLITS",
    "JOKER_BOMB",
    "JOKER_PAIRS",
    "JOKER_SINGLES",
    "NATURALS_MAX",
    "NONE_ALIKE",
    "PLATES",
    "STRAIGHTS",
    "STRAIGHT_FLUSHES",
    "TUBES",
    "WILD_PAIR",
    "WILD_SINGLE",
    "Alike",
    "Group",
    "Move",
    "Pattern",
    "Row",
    "full_house_moves",
    "move_of",
    "pattern_of",
    "plate_moves",
    "same_rank_move",
    "straight_flush_moves",
    "straight_moves",
    "tube_moves",
]

T = TypeVar("T")

WILDS_MAX: Final = 2
NATURALS_MAX: Final = 8
_ORDINARY: Final = tuple(Rank)[:13]


class Pattern:
    """A reading and the wilds it spends."""

    __slots__ = ("reading", "wilds")

    reading: Reading
    wilds: int

    def __init__(self, one: Reading, wilds: int) -> None:
        self.reading = one
        self.wilds = wilds

    def __repr__(self) -> str:
        return f"<{self.reading!r} with {self.wilds} wild>"


class Move:
    """A pattern with its naturals: the same move whichever equal faces fill it."""

    __slots__ = ("needs", "pattern", "reading", "suit", "wilds")

    pattern: Pattern
    reading: Reading
    wilds: int
    needs: int
    """Packed counts of the natural cards (see `packed`)."""
    suit: Suit | None
    """Of a straight flush; None where suits make no difference."""

    def __init__(self, pattern: Pattern, needs: int, suit: Suit | None) -> None:
        self.pattern = pattern
        self.reading = pattern.reading
        self.wilds = pattern.wilds
        self.needs = needs
        self.suit = suit

    def __repr__(self) -> str:
        suit = "" if self.suit is None else f" in {self.suit.name}"
        return f"<{self.pattern!r}{suit} needs {self.needs:x}>"


_PATTERNS: Final[dict[tuple[Reading, int], Pattern]] = {}
_MOVES: Final[dict[tuple[Pattern, int, Suit | None], Move]] = {}


def pattern_of(one: Reading, wilds: int) -> Pattern:
    """The one pattern of a reading and a number of wilds."""
    return _PATTERNS.setdefault((one, wilds), Pattern(one, wilds))


def move_of(pattern: Pattern, needs: int, suit: Suit | None = None) -> Move:
    """The one move of a pattern and its naturals."""
    return _MOVES.setdefault((pattern, needs, suit), Move(pattern, needs, suit))


class Row(dict[int, tuple[T, ...]], Generic[T]):
    """Items by a mask that has one bit per nibble; item i stands for nibble i."""

    __slots__ = ("_bit", "_items")

    def __init__(self, items: Sequence[T], *, bit: int) -> None:
        super().__init__()
        self._items = items
        self._bit = bit

    def __missing__(self, mask: int) -> tuple[T, ...]:
        row = self[mask] = tuple(
            [item for i, item in enumerate(self._items) if mask >> (4 * i + self._bit) & 1]
        )
        return row


# Patterns of cards alike, by the ranks that have so many naturals.

Group = tuple[tuple[Pattern, ...], ...]
"""What ranks with k naturals give: [0] k of a rank, [1] k + 1 with a wild, [2] k + 2 with two,
[FULL_HOUSE] full houses that they are the triple of, 3 - k wilds making it up."""

FULL_HOUSE: Final = 3
NONE_ALIKE: Final[Group] = ((), (), (), ())

_OF_A_RANK: Final = {
    1: Combo.SINGLE,
    2: Combo.PAIR,
    3: Combo.TRIPLE,
    **dict.fromkeys(BOMB_SIZES, Combo.BOMB),
}
"""By size, what cards of one rank are."""

ROWS_MAX: Final = 1024
"""Rows of a table by rank: of more than a hundred such tables, each with half a kilobyte a row."""


class Alike(dict[int, Group]):
    """Groups by a mask of ranks (bit 3 of a nibble), for a level and a number of naturals.

    The level is in it for the order alone: its own rank comes after the ace.
    """

    __slots__ = ("_rows",)

    def __init__(self, level: Rank, naturals: int) -> None:
        super().__init__()
        order = sorted(_ORDINARY, key=lambda rank: height(rank, level))
        sizes = [naturals + wilds for wilds in range(WILDS_MAX + 1)]
        shapes = [_OF_A_RANK.get(size) if naturals else None for size in sizes]
        shapes.append(Combo.FULL_HOUSE if 0 < naturals <= 3 else None)
        spent = [*range(WILDS_MAX + 1), 3 - naturals]
        sizes.append(5)
        self._rows = [
            [
                (8 << 4 * rank, pattern_of(reading(combo, rank, size), wilds))
                for rank in order
                if combo
            ]
            for combo, size, wilds in zip(shapes, sizes, spent, strict=True)
        ]

    def __missing__(self, mask: int) -> Group:
        if len(self) >= ROWS_MAX:
            self.clear()
        group = self[mask] = tuple(
            [tuple([one for bit, one in row if bit & mask]) for row in self._rows]
        )
        return group


ALIKE: Final = tuple(
    tuple(Alike(level, naturals) for naturals in range(NATURALS_MAX + 1)) for level in LEVELS
)
"""By level, and then by naturals."""

WILD_SINGLE: Final = tuple(pattern_of(reading(Combo.SINGLE, level), 1) for level in LEVELS)
WILD_PAIR: Final = tuple(pattern_of(reading(Combo.PAIR, level), 2) for level in LEVELS)
"""Wilds alone are cards of the level, and by level these tuples are."""

JOKER_SINGLES: Final = Row([pattern_of(reading(Combo.SINGLE, rank), 0) for rank in Rank], bit=3)
JOKER_PAIRS: Final = Row([pattern_of(reading(Combo.PAIR, rank), 0) for rank in Rank], bit=3)
JOKER_BOMB: Final = pattern_of(reading(Combo.JOKER_BOMB), 0)


# Patterns of runs by window: the bit that `packed.at_least` (3) or `packed.five_in_a_row` (0) sets.


def _runs(combo: Combo, *, bit: int) -> tuple[Row[Pattern], ...]:
    known = [one for one in READINGS if one.combo is combo]
    return tuple(
        Row([pattern_of(one, wilds) for one in known], bit=bit) for wilds in range(WILDS_MAX + 1)
    )


STRAIGHTS: Final = _runs(Combo.STRAIGHT, bit=0)
STRAIGHT_FLUSHES: Final = _runs(Combo.STRAIGHT_FLUSH, bit=0)
TUBES: Final = _runs(Combo.TUBE, bit=3)
PLATES: Final = _runs(Combo.PLATE, bit=3)
"""By wilds spent."""


# Moves of one pattern, by what the hand holds of the ranks it may use.

_JOKERS_PACKED: Final = 2 << 4 * Rank.SMALL_JOKER | 2 << 4 * Rank.BIG_JOKER
_LOW_CHUNK: Final = (1 << 4 * 7) - 1


def same_rank_move(pattern: Pattern) -> Move:
    """The only move of a pattern whose naturals are all of its key's rank (or four jokers)."""
    one = pattern.reading
    if one.key is None:
        return move_of(pattern, _JOKERS_PACKED)
    return move_of(pattern, (one.size - pattern.wilds) << 4 * one.key)


FULL_HOUSE_SPLITS: Final = (
    ((3, 2),),
    ((3, 1), (2, 2)),
    ((3, 0), (2, 1), (1, 2)),
)
"""By wilds spent: how many naturals the triple and the pair may have."""


class _PairRows:
    """Moves of a full house with a given triple, by the mask of ranks that can pair it.

    Split into two halves of the ranks: one table by rank would need 2^15 rows for each triple.
    """

    __slots__ = ("_high", "_low")

    def __init__(self, pattern: Pattern, triple: int, pair: int) -> None:
        key = pattern.reading.key
        moves = [
            move_of(pattern, triple << 4 * (key or 0) | pair << 4 * rank) if rank != key else None
            for rank in Rank
        ]
        self._low = Row(moves[:7], bit=3)
        self._high = Row([None] * 7 + moves[7:], bit=3)

    def __getitem__(self, mask: int) -> tuple[Move, ...]:
        # `mask` never holds the key's own bit, so no None comes back.
        return self._low[mask & _LOW_CHUNK] + self._high[mask & ~_LOW_CHUNK]  # type: ignore[return-value]  # see above


class _Lazy(dict[tuple[Pattern, int, int], _PairRows]):
    def __missing__(self, key: tuple[Pattern, int, int]) -> _PairRows:
        rows = self[key] = _PairRows(*key)
        return rows


_FULL_HOUSE_MOVES: Final = _Lazy()


def full_house_moves(pattern: Pattern, triple: int, pair: int, pairs: int) -> tuple[Move, ...]:
    """Moves with `triple` naturals of the key and `pair` naturals of a rank in mask `pairs`."""
    if pair == 0:
        return (move_of(pattern, triple << 4 * (pattern.reading.key or 0)),)
    return _FULL_HOUSE_MOVES[pattern, triple, pair][pairs]


def _shifted(packed: int, window: int) -> int:
    """Packed counts of window nibbles (nibble 0 = its lowest rank) as packed counts of ranks."""
    packed <<= 4 * window
    return packed >> 4 | (packed & 15) << 4 * Rank.ACE


class _RunMoves(dict[tuple[Pattern, int], tuple[Move, ...]]):
    """Moves of a run, by its pattern and what the hand holds of the window (one nibble a rank)."""

    __slots__ = ("_each", "_span", "_suit")

    def __init__(self, span: int, each: int, suit: Suit | None = None) -> None:
        super().__init__()
        self._span = span
        self._each = each
        self._suit = suit

    def __missing__(self, key: tuple[Pattern, int]) -> tuple[Move, ...]:
        pattern, held = key
        top = pattern.reading.key
        assert top is not None
        window = top - self._span + 2
        most = [min(held >> 4 * i & 15, self._each) for i in range(self._span)]
        # All ways to leave `wilds` holes, filled from the lowest rank up.
        holes = combinations(
            [i for i in range(self._span) for _ in range(self._each)], pattern.wilds
        )
        moves: dict[Move, None] = {}
        for gaps in holes:
            needs = [self._each - gaps.count(i) for i in range(self._span)]
            if all(need <= have for need, have in zip(needs, most, strict=True)):
                packed = sum(need << 4 * i for i, need in enumerate(needs))
                moves[move_of(pattern, _shifted(packed, window), self._suit)] = None
        self[key] = tuple(moves)
        return self[key]


_STRAIGHT_MOVES: Final = _RunMoves(span=5, each=1)
_FLUSH_MOVES: Final = tuple(_RunMoves(span=5, each=1, suit=suit) for suit in Suit)
_TUBE_MOVES: Final = _RunMoves(span=3, each=2)
_PLATE_MOVES: Final = _RunMoves(span=2, each=3)


def straight_moves(pattern: Pattern, held: int) -> tuple[Move, ...]:
    """`held`: nibble i is 1 where the hand has the i-th rank of the window."""
    return _STRAIGHT_MOVES[pattern, held]


def straight_flush_moves(pattern: Pattern, held: int, suit: Suit) -> tuple[Move, ...]:
    """`held`: as in `straight_moves`, in one suit."""
    return _FLUSH_MOVES[suit][pattern, held]


def tube_moves(pattern: Pattern, held: int) -> tuple[Move, ...]:
    """`held`: nibble i is how many the hand has of the i-th rank, at most 2."""
    return _TUBE_MOVES[pattern, held]


def plate_moves(pattern: Pattern, held: int) -> tuple[Move, ...]:
    """`held`: nibble i is how many the hand has of the i-th rank, at most 3."""
    return _PLATE_MOVES[pattern, held]
