"""Which patterns a hand allows: the lead, and what beats a given top.

The pinned order, cheapest first: singles, pairs, triples, full houses, straights, tubes, plates;
then bombs by class. Within a type fewer wilds first, then lower keys, and jokers last of all. What
beats a top is generated directly, not filtered from the leads (six times faster).
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
    at_least,
    counts,
    five_in_a_row,
    fold_suits,
    with_low_ace,
)
from guandan_engine.patterns import (
    BOMBS,
    FULL_HOUSES,
    JOKER_BOMB,
    PAIRS,
    PLATES,
    SINGLES,
    STRAIGHT_FLUSHES,
    STRAIGHTS,
    TRIPLES,
    TUBES,
    Pattern,
    Row,
)

__all__ = ["Holding", "follow", "lead", "others"]

_STRAIGHT_WINDOWS: Final = 15 * int("1" * 10, 16)
_TUBE_WINDOWS: Final = 8 * int("1" * 12, 16)
_PLATE_WINDOWS: Final = 8 * int("1" * 13, 16)
_FOUR_JOKERS: Final = sum(1 << 4 * rank | 1 << (4 * rank + HALF) for rank in (13, 14))
_WILDS: Final = tuple((1 << (4 * level + 1)) * (1 + (1 << HALF)) for level in LEVELS)
_BOMB_TIERS: Final = ((1, 4), (2, 5), (3, 5), (4, 6), (5, 7), (6, 8), (7, 9), (8, 10))
"""Classes of bomb and their sizes; the third is the straight flush."""
_FLUSH_TIER: Final = 3
_LEVEL_BITS: Final = tuple(8 << 4 * level for level in LEVELS)
_PLAIN: Final = tuple(ORDINARY ^ bit for bit in _LEVEL_BITS)
_HIGHER: Final = tuple(
    tuple(
        sum(8 << 4 * rank for rank in Rank if height(rank, level) > height(key, level))
        for key in Rank
    )
    for level in LEVELS
)


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
        "plain",
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
    plain: int
    """Bit 3 of the ordinary ranks but the level's own, whose bit is `level_bit`."""

    def __init__(self, bits: int, level: Rank, rules: Rules) -> None:
        wilds = bits & _WILDS[level]
        self.bits = bits
        self.level = level
        self.level_bit = _LEVEL_BITS[level]
        self.plain = _PLAIN[level]
        self.joker_pair = rules.full_house_joker_pair
        self.wild_run_plain = rules.wild_run_plain
        self.wilds = wilds.bit_count()
        self.naturals = naturals = bits ^ wilds
        self.counts = packed = counts(naturals)
        self.one = (packed + 7 * ONES) & HIGH
        self.two = (packed + 6 * ONES) & HIGH
        self.three = (packed + 5 * ONES) & HIGH
        self.faces = faces = with_low_ace(naturals & LOW)
        self.flushes = five_in_a_row(faces)


def others(pairs: int, triples: int) -> int:
    """The ranks of `triples` that leave another rank in `pairs` to go with them."""
    if not pairs:
        return 0
    return triples if pairs & (pairs - 1) else triples & ~pairs


def _singles(hand: Holding, higher: int, found: list[Pattern]) -> None:
    mask = hand.one & higher
    row = SINGLES[0]
    found += row[mask & hand.plain]
    if mask & hand.level_bit:
        found += row[hand.level_bit]
    if hand.wilds and hand.level_bit & higher:
        found += SINGLES[1][hand.level_bit]
    if mask & JOKERS:
        found += row[mask & JOKERS]


def _same_rank(
    rows: Sequence[Row[Pattern]],
    masks: Sequence[int],
    hand: Holding,
    higher: int,
    found: list[Pattern],
) -> None:
    """By wilds spent, what ordinary ranks give; the level's own rank stands above the ace."""
    plain, level_bit = hand.plain, hand.level_bit
    for row, mask in zip(rows, masks):  # noqa: B905  a keyword costs 8 % here; masks may be fewer
        mask &= higher
        if mask:
            found += row[mask & plain]
            if mask & level_bit:
                found += row[level_bit]


def _pairs(hand: Holding, higher: int, found: list[Pattern]) -> None:
    _same_rank(PAIRS, (hand.two, hand.one)[: hand.wilds + 1], hand, higher, found)
    if hand.wilds == 2 and hand.level_bit & higher:
        found += PAIRS[2][hand.level_bit]
    jokers = hand.two & higher & JOKERS
    if jokers:
        found += PAIRS[0][jokers]


def _triples(hand: Holding, higher: int, found: list[Pattern]) -> None:
    masks = (hand.three, hand.two, hand.one)[: hand.wilds + 1]
    _same_rank(TRIPLES, masks, hand, higher, found)


def _full_houses(hand: Holding, higher: int, found: list[Pattern]) -> None:
    one = hand.one & ORDINARY
    two = hand.two & ORDINARY
    three = hand.three
    pairs = hand.two if hand.joker_pair else two
    masks = [others(pairs, three)]
    if hand.wilds:
        masks.append(others(one, three) | others(pairs, two))
        if hand.wilds == 2:
            masks.append(three | others(one, two) | others(pairs, one))
    _same_rank(FULL_HOUSES, masks, hand, higher, found)


def _windows(
    rows: Sequence[Row[Pattern]], masks: Sequence[int], higher: int, found: list[Pattern]
) -> None:
    """By wilds spent, the runs of some windows."""
    for row, mask in zip(rows, masks):  # noqa: B905  as in `_same_rank`
        mask &= higher
        if mask:
            found += row[mask]


def _straights(hand: Holding, higher: int, found: list[Pattern]) -> None:
    masks = list(five_in_a_row(fold_suits(hand.faces))[: hand.wilds + 1])
    higher &= _STRAIGHT_WINDOWS
    # A window whose cards are all of one suit gives a flush there, so look only where one is.
    if hand.flushes[0] & _STRAIGHT_WINDOWS or not hand.wild_run_plain:
        mixed = _mixed_windows(hand.faces)
        for wilds in range(1 if hand.wild_run_plain else len(masks)):
            masks[wilds] &= mixed
    _windows(STRAIGHTS, masks, higher, found)


def _mixed_windows(faces: int) -> int:
    """Bit 0 of each window in which cards of two suits or more lie.

    Where that is so, some choice of any three or more of its ranks is not all of one suit.
    """
    seen = faces | faces >> 4 | faces >> 8 | faces >> 12 | faces >> 16
    two = (seen & seen >> 1 & 7 * ONES) | (seen & seen >> 2 & 3 * ONES) | (seen & seen >> 3 & ONES)
    return fold_suits(two)


def _straight_flushes(hand: Holding, higher: int, found: list[Pattern]) -> None:
    masks = [fold_suits(mask) for mask in hand.flushes[: hand.wilds + 1]]
    _windows(STRAIGHT_FLUSHES, masks, higher & _STRAIGHT_WINDOWS, found)


def _tubes(hand: Holding, higher: int, found: list[Pattern]) -> None:
    pairs = with_low_ace((hand.one + hand.two) >> 3)
    held = pairs + (pairs >> 4) + (pairs >> 8)
    masks = [at_least(held, 6 - wilds) for wilds in range(hand.wilds + 1)]
    _windows(TUBES, masks, higher & _TUBE_WINDOWS, found)


def _plates(hand: Holding, higher: int, found: list[Pattern]) -> None:
    triples = with_low_ace((hand.one + hand.two + hand.three) >> 3)
    held = triples + (triples >> 4)
    masks = [at_least(held, 6 - wilds) for wilds in range(hand.wilds + 1)]
    _windows(PLATES, masks, higher & _PLATE_WINDOWS, found)


def _bombs(hand: Holding, tier: int, higher: int, found: list[Pattern]) -> None:
    """Bombs of class `tier` whose key lies in `higher`, and all of the classes above.

    `higher` holds ranks, or windows if `tier` is the straight flush's; -1 for any.
    """
    packed, wilds = hand.counts, hand.wilds
    # From how many naturals a bomb of four can have, down: masks[i] is "at least 4 - wilds + i".
    masks = []
    for naturals in range(4 - wilds, 9):
        mask = at_least(packed, naturals) & ORDINARY
        if not mask:
            break
        masks.append(mask)
    for own, size in _BOMB_TIERS:
        if own == _FLUSH_TIER:
            if own >= tier:
                _straight_flushes(hand, higher if own == tier else -1, found)
        elif size - 4 >= len(masks):
            if size > 5:
                break
        elif own >= tier:
            # `masks[size - 4]` is what all the wilds help with; without them more naturals are due.
            able = masks[size - 4 : size - 3 + wilds][::-1]
            spent = wilds - len(able) + 1
            _same_rank(BOMBS[size][spent:], able, hand, higher if own == tier else -1, found)
    if hand.bits & _FOUR_JOKERS == _FOUR_JOKERS and tier < JOKER_BOMB.reading.tier:
        found.append(JOKER_BOMB)


def lead(hand: Holding) -> tuple[Pattern, ...]:
    """All patterns that a hand can open a trick with, in the pinned order."""
    found: list[Pattern] = []
    _singles(hand, -1, found)
    _pairs(hand, -1, found)
    _triples(hand, -1, found)
    _full_houses(hand, -1, found)
    _straights(hand, -1, found)
    _tubes(hand, -1, found)
    _plates(hand, -1, found)
    _bombs(hand, 1, -1, found)
    return tuple(found)


def follow(hand: Holding, top: Reading) -> tuple[Pattern, ...]:
    """All patterns of a hand that beat `top`, in the pinned order."""
    key = top.key
    if key is None:
        return ()
    found: list[Pattern] = []
    if top.tier:
        higher = -1 << 4 * (key - 2) if top.is_run else _HIGHER[hand.level][key]
        _bombs(hand, top.tier, higher, found)
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
    _bombs(hand, 1, -1, found)
    return tuple(found)
