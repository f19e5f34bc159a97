"""Which patterns a hand allows: the lead, and what beats a given top.

The pinned order, cheapest first: singles, pairs, triples, full houses, straights, tubes, plates;
then bombs by class. Within a type fewer wilds first, then lower keys, and jokers last of all. What
beats a top is generated directly, not filtered from the leads (six times faster).

This is the inmost of the engine and of every bot: the steps by wilds are written out, because loops
over them took twice as long.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from guandan_engine.cards import HALF, LOW, Rank
from guandan_engine.combos import Combo, Reading
from guandan_engine.options import Rules
from guandan_engine.order import LEVELS, height
from guandan_engine.packed import (
    HIGH,
    JOKERS,
    ONES,
    ORDINARY,
    counts,
    five_in_a_row,
    fold_suits,
    with_low_ace,
)
from guandan_engine.patterns import (
    ALIKE,
    FULL_HOUSE,
    JOKER_BOMB,
    JOKER_PAIRS,
    JOKER_SINGLES,
    NATURALS_MAX,
    NONE_ALIKE,
    PLATES,
    STRAIGHT_FLUSHES,
    STRAIGHTS,
    TUBES,
    WILD_PAIR,
    WILD_SINGLE,
    Alike,
    Group,
    Pattern,
    Row,
)

__all__ = ["Holding", "follow", "lead", "others"]

_STRAIGHT_WINDOWS: Final = 15 * int("1" * 10, 16)
_TUBE_WINDOWS: Final = 8 * int("1" * 12, 16)
_PLATE_WINDOWS: Final = 8 * int("1" * 13, 16)
_FOUR_JOKERS: Final = sum(1 << 4 * rank | 1 << (4 * rank + HALF) for rank in (13, 14))
_WILDS: Final = tuple((1 << (4 * level + 1)) * (1 + (1 << HALF)) for level in LEVELS)
_LEVEL_BITS: Final = tuple(8 << 4 * level for level in LEVELS)
_HIGHER: Final = tuple(
    tuple(
        sum(8 << 4 * rank for rank in Rank if height(rank, level) > height(key, level))
        for key in Rank
    )
    for level in LEVELS
)
"""By level and key, bit 3 of the ranks above it."""

_GROUPS_MORE: Final = 3
_NO_GROUPS: Final = (NONE_ALIKE,) * _GROUPS_MORE
_LEAST: Final = tuple((8 - k) * ONES for k in range(NATURALS_MAX + 1))
"""Added to packed counts, bit 3 is set where a nibble is that much or more (`packed.at_least`)."""


class Holding:
    """A hand at a level, taken apart once for all questions."""

    __slots__ = (
        "bits",
        "counts",
        "faces",
        "flushes",
        "joker_pair",
        "level",
        "level_bit",
        "naturals",
        "one",
        "tables",
        "three",
        "two",
        "wild_run_plain",
        "wilds",
    )

    bits: int
    """The whole hand (see `Cards.bits`)."""
    naturals: int
    """The same without wilds."""
    wilds: int
    counts: int
    """Packed counts of the naturals."""
    one: int
    """Bit 3 of each rank with a natural; `two` and `three`: with as many or more."""
    faces: int
    """The naturals' faces A 2 3 … K A (see `packed.with_low_ace`), a suit a bit."""
    flushes: tuple[int, int, int]
    """`packed.five_in_a_row` of `faces`: by wilds spent, the windows of each suit."""
    tables: tuple[Alike, ...]
    """`patterns.ALIKE` of the level."""

    def __init__(self, bits: int, level: Rank, rules: Rules) -> None:
        wilds = bits & _WILDS[level]
        self.bits = bits
        self.level = level
        self.level_bit = _LEVEL_BITS[level]
        self.tables = ALIKE[level]
        self.joker_pair = rules.full_house_joker_pair
        self.wild_run_plain = rules.wild_run_plain
        self.wilds = wilds.bit_count()
        self.naturals = naturals = bits ^ wilds
        self.counts = packed = counts(naturals)
        self.one = (packed + _LEAST[1]) & HIGH
        self.two = (packed + _LEAST[2]) & HIGH
        self.three = (packed + _LEAST[3]) & HIGH
        self.faces = faces = with_low_ace(naturals & LOW)
        self.flushes = five_in_a_row(faces)


# Cards of one rank. `higher` holds the ranks (bit 3), or the windows, that a key may have.


def _singles(hand: Holding, higher: int, found: list[Pattern]) -> None:
    mask = hand.one & higher
    found += hand.tables[1][mask & ORDINARY][0]
    if hand.wilds and hand.level_bit & higher:
        found.append(WILD_SINGLE[hand.level])
    if mask & JOKERS:
        found += JOKER_SINGLES[mask & JOKERS]


def _pairs(hand: Holding, higher: int, found: list[Pattern]) -> None:
    tables, mask = hand.tables, hand.two & higher
    found += tables[2][mask & ORDINARY][0]
    if hand.wilds:
        found += tables[1][hand.one & higher & ORDINARY][1]
        if hand.wilds == 2 and hand.level_bit & higher:
            found.append(WILD_PAIR[hand.level])
    if mask & JOKERS:
        found += JOKER_PAIRS[mask & JOKERS]


def _triples(hand: Holding, higher: int, found: list[Pattern]) -> None:
    tables = hand.tables
    found += tables[3][hand.three & higher][0]
    if hand.wilds:
        found += tables[2][hand.two & higher & ORDINARY][1]
        if hand.wilds == 2:
            found += tables[1][hand.one & higher & ORDINARY][2]


def _full_houses(hand: Holding, higher: int, found: list[Pattern]) -> None:
    tables, three = hand.tables, hand.three
    one, two = hand.one & ORDINARY, hand.two & ORDINARY
    pairs = hand.two if hand.joker_pair else two
    if not pairs & (pairs - 1):
        # With two pairs any triple finds one to go with it. Here it has to be looked for.
        one, two, three = (
            three | others(one, two) | others(pairs, one),
            others(one, three) | others(pairs, two),
            others(pairs, three),
        )
    found += tables[3][three & higher][FULL_HOUSE]
    if hand.wilds:
        found += tables[2][two & higher][FULL_HOUSE]
        if hand.wilds == 2:
            found += tables[1][one & higher][FULL_HOUSE]


def others(pairs: int, triples: int) -> int:
    """The ranks of `triples` that leave another rank in `pairs` to go with them."""
    if not pairs:
        return 0
    return triples if pairs & (pairs - 1) else triples & ~pairs


# Runs.


class _Windows(dict[int, tuple[int, int, int]]):
    """By ranks held (bit 3), the windows of a straight that lack no, at most one, or two ranks."""

    __slots__ = ()

    def __missing__(self, ranks: int) -> tuple[int, int, int]:
        windows = self[ranks] = five_in_a_row(with_low_ace(ranks >> 3))
        return windows


_windows_of: Final = _Windows()


def _straights(hand: Holding, higher: int, found: list[Pattern]) -> None:
    higher &= _STRAIGHT_WINDOWS
    natural, by_one, by_two = _windows_of[hand.one & ORDINARY]
    # A window whose cards are all of one suit gives a flush there, so look only where one is.
    if hand.flushes[0] & _STRAIGHT_WINDOWS or not hand.wild_run_plain:
        mixed = _mixed_windows(hand.faces)
        natural &= mixed
        if not hand.wild_run_plain:
            by_one &= mixed
            by_two &= mixed
    found += STRAIGHTS[0][natural & higher]
    if hand.wilds:
        found += STRAIGHTS[1][by_one & higher]
        if hand.wilds == 2:
            found += STRAIGHTS[2][by_two & higher]


def _mixed_windows(faces: int) -> int:
    """Bit 0 of each window in which cards of two suits or more lie.

    Where that is so, some choice of any three or more of its ranks is not all of one suit.
    """
    seen = faces | faces >> 4 | faces >> 8 | faces >> 12 | faces >> 16
    two = (seen & seen >> 1 & 7 * ONES) | (seen & seen >> 2 & 3 * ONES) | (seen & seen >> 3 & ONES)
    return fold_suits(two)


def _straight_flushes(hand: Holding, higher: int, found: list[Pattern]) -> None:
    higher &= _STRAIGHT_WINDOWS
    natural, by_one, by_two = hand.flushes
    if natural & higher:
        found += STRAIGHT_FLUSHES[0][fold_suits(natural & higher)]
    if hand.wilds:
        if by_one & higher:
            found += STRAIGHT_FLUSHES[1][fold_suits(by_one & higher)]
        if hand.wilds == 2 and by_two & higher:
            found += STRAIGHT_FLUSHES[2][fold_suits(by_two & higher)]


def _tubes(hand: Holding, higher: int, found: list[Pattern]) -> None:
    pairs = with_low_ace((hand.one + hand.two) >> 3)
    held = pairs + (pairs >> 4) + (pairs >> 8)
    _of_six(TUBES, held, hand.wilds, higher & _TUBE_WINDOWS, found)


def _plates(hand: Holding, higher: int, found: list[Pattern]) -> None:
    triples = with_low_ace((hand.one + hand.two + hand.three) >> 3)
    held = triples + (triples >> 4)
    _of_six(PLATES, held, hand.wilds, higher & _PLATE_WINDOWS, found)


def _of_six(
    rows: tuple[Row[Pattern], ...], held: int, wilds: int, higher: int, found: list[Pattern]
) -> None:
    """Runs of six cards; `held`: how many of them each window has, as nibbles."""
    found += rows[0][(held + _LEAST[6]) & higher]
    if wilds:
        found += rows[1][(held + _LEAST[5]) & higher]
        if wilds == 2:
            found += rows[2][(held + _LEAST[4]) & higher]


# Bombs.


def _bombs(
    hand: Holding, groups: Sequence[Group], size_min: int, found: list[Pattern], *, flushes: bool
) -> None:
    """All bombs of `size_min` or more, all straight flushes if so asked, and the four jokers."""
    wilds = hand.wilds
    for size in range(size_min, len(groups) - _GROUPS_MORE + wilds):
        if size == 6 and flushes:
            _straight_flushes(hand, -1, found)
            flushes = False
        found += groups[size][0]
        if wilds:
            found += groups[size - 1][1]
            if wilds == 2:
                found += groups[size - 2][2]
    if flushes:
        _straight_flushes(hand, -1, found)
    if hand.bits & _FOUR_JOKERS == _FOUR_JOKERS:
        found.append(JOKER_BOMB)


def _bombs_of(hand: Holding, size: int, higher: int, found: list[Pattern]) -> None:
    """Bombs of one size whose key lies in `higher`."""
    for wilds in range(hand.wilds + 1):
        naturals = size - wilds
        if naturals <= NATURALS_MAX:
            mask = (hand.counts + _LEAST[naturals]) & ORDINARY & higher
            found += hand.tables[naturals][mask][wilds]


def _groups(hand: Holding, least: int) -> Sequence[Group]:
    """What ranks with so many naturals give, by their number from `least` (4 or less) on.

    Some more follow that are empty, for those who count on wilds.
    """
    packed, tables = hand.counts, hand.tables
    groups = [NONE_ALIKE] * least
    for naturals in range(least, NATURALS_MAX + 1):
        mask = (packed + _LEAST[naturals]) & ORDINARY
        if not mask:
            break
        groups.append(tables[naturals][mask])
    groups += _NO_GROUPS
    return groups


def lead(hand: Holding) -> tuple[Pattern, ...]:
    """All patterns that a hand can open a trick with, in the pinned order."""
    groups = _groups(hand, 1)
    ones, twos, threes = groups[1], groups[2], groups[3]
    wilds, jokers, pairs = hand.wilds, hand.one & JOKERS, hand.two & ORDINARY
    found: list[Pattern] = []
    # As `_singles` to `_full_houses` have it, but each table is looked into once.
    found += ones[0]
    if wilds:
        found.append(WILD_SINGLE[hand.level])
    if jokers:
        found += JOKER_SINGLES[jokers]
    found += twos[0]
    if wilds:
        found += ones[1]
        if wilds == 2:
            found.append(WILD_PAIR[hand.level])
    if jokers & hand.two:
        found += JOKER_PAIRS[jokers & hand.two]
    found += threes[0]
    if wilds:
        found += twos[1]
        if wilds == 2:
            found += ones[2]
    if pairs & (pairs - 1):
        found += threes[FULL_HOUSE]
        if wilds:
            found += twos[FULL_HOUSE]
            if wilds == 2:
                found += ones[FULL_HOUSE]
    else:
        _full_houses(hand, -1, found)
    _straights(hand, -1, found)
    _tubes(hand, -1, found)
    _plates(hand, -1, found)
    _bombs(hand, groups, 4, found, flushes=True)
    return tuple(found)


def follow(hand: Holding, top: Reading) -> tuple[Pattern, ...]:
    """All patterns of a hand that beat `top`, in the pinned order."""
    key = top.key
    if key is None:
        return ()
    found: list[Pattern] = []
    if top.combo is Combo.STRAIGHT_FLUSH:
        _straight_flushes(hand, -1 << 4 * (key - 2), found)
        _bombs(hand, _groups(hand, 4), 6, found, flushes=False)
        return tuple(found)
    if top.combo is Combo.BOMB:
        _bombs_of(hand, top.size, _HIGHER[hand.level][key], found)
        _bombs(hand, _groups(hand, 4 - hand.wilds), top.size + 1, found, flushes=top.size < 6)
        return tuple(found)
    # Window i has its top card at rank i + 3 (straights), i + 1 (tubes), i (plates).
    match top.combo:
        case Combo.SINGLE:
            _singles(hand, _HIGHER[hand.level][key], found)
        case Combo.PAIR:
            _pairs(hand, _HIGHER[hand.level][key], found)
        case Combo.TRIPLE:
            _triples(hand, _HIGHER[hand.level][key], found)
        case Combo.FULL_HOUSE:
            _full_houses(hand, _HIGHER[hand.level][key], found)
        case Combo.STRAIGHT:
            _straights(hand, -1 << 4 * (key - 2), found)
        case Combo.TUBE:
            _tubes(hand, -1 << 4 * key, found)
        case _:
            _plates(hand, -1 << 4 * (key + 1), found)
    _bombs(hand, _groups(hand, 4 - hand.wilds), 4, found, flushes=True)
    return tuple(found)
