"""Which groups a hand is played in, found in a hurry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from guandan_bots.playout.figures import (
    BITS,
    BOMB,
    FLUSH,
    HEIGHTS,
    JOKERS,
    PLACES,
    PLATE,
    ROW,
    STRAIGHT,
    TIERS,
    TUBE,
    Part,
    Prices,
)
from guandan_bots.playout.hands import Hand

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["arrange"]

_SIXES: Final = 0x666666666666666
_FOURS: Final = 0x444444444444444
_SEVENS: Final = 0x777777777777777
_THREES: Final = 0x333333333333333
_FIVES: Final = 0x555555555555555
_WITH_LOW_ACE: Final = 0xFFFFFFFFFFFFFF
_ORDINARY: Final = 0x1111111111111
_FLUSH_WINDOWS: Final = 0xFFFFFFFFFF
_STRAIGHT_WINDOWS: Final = 0x1111111111
_TUBE_WINDOWS: Final = 0x111111111111
_PLATE_WINDOWS: Final = 0x1111111111111
_UNDER: Final = 85
"""What a pair saves that goes under a triple: most are worth a loser, or nearly."""


def arrange(
    low: i64, high: i64, level: i64, prices: Prices, parts: list[Part] | None = None
) -> Hand:
    """The groups of a hand, which `parts` gets as well.

    Greedily: natural straight flushes; wilds in straight flushes, where that gains more than with
    other cards of a rank; the runs that gain most; what is left, rank by rank and with its wilds.
    """
    hand = Hand()
    wild: i64 = BITS[4 * level + 1]
    wilds: i64 = 0
    if low & wild:
        wilds = 1
        low ^= wild
        if high & wild:
            wilds = 2
            high ^= wild
    spent: i64 = 0
    while True:
        faces: i64 = (low << 4 | low >> 48 & 15) & _WITH_LOW_ACE
        found: i64 = faces & faces >> 4 & faces >> 8 & faces >> 12 & faces >> 16 & _FLUSH_WINDOWS
        if not found:
            if not wilds:
                break
            found = _flush_with_wild(faces, _counts(low, high), prices)
            if not found:
                break
            spent = 1
            wilds -= 1
        while found & (found - 1):  # the highest one
            found &= found - 1
        taken: i64 = found | found << 4 | found << 8 | found << 12 | found << 16
        taken = (taken >> 4 | (taken & 15) << 48) & low
        twice: i64 = high & taken
        high ^= twice
        low ^= taken ^ twice
        place: i64 = PLACES[found % 61]
        hand.add_bomb(FLUSH + (place >> 2) + 3, prices)
        if parts is not None:
            suit: i64 = place & 3
            parts.append((BOMB, FLUSH + (place >> 2) + 3, taken >> suit, spent, suit))
    packed: i64 = _take_runs(hand, _counts(low, high), prices, parts)
    joins: i64 = 0
    while wilds:
        wilds -= 1
        place = _best_join(packed, joins, level, prices)
        joins += BITS[4 * place]
    _take_ranks(hand, packed, joins, level, prices, parts)
    return hand


def _counts(low: i64, high: i64) -> i64:
    """Packed counts, as `packed.counts`."""
    low -= low >> 1 & _FIVES
    high -= high >> 1 & _FIVES
    return (low & _THREES) + (low >> 2 & _THREES) + (high & _THREES) + (high >> 2 & _THREES)


def _flush_with_wild(faces: i64, packed: i64, prices: Prices) -> i64:
    """The window (one bit) of the straight flush that a wild should complete; 0 if none."""
    b: i64 = faces >> 4
    c: i64 = faces >> 8
    d: i64 = faces >> 12
    e: i64 = faces >> 16
    odd: i64 = faces ^ b
    carry: i64 = faces & b | c & odd
    odd ^= c
    carry &= odd & d | e & (odd ^ d)
    found: i64 = carry & _FLUSH_WINDOWS
    if not found:
        return 0
    ranks = prices.ranks
    best: i64 = 0
    most: i64 = 0
    rank: i64
    for rank in range(13):
        n: i64 = packed >> 4 * rank & 15
        if n:
            most = max(most, ranks[ROW * rank + n] - ranks[ROW * rank + n + 1])
    while found:
        bit: i64 = found & -found
        found ^= bit
        gain: i64 = -prices.flush
        window: i64 = PLACES[bit % 61] >> 2
        i: i64
        for i in range(5):
            if faces & bit << 4 * i:
                rank = window + i - 1
                if rank < 0:
                    rank = 12
                n = packed >> 4 * rank & 15
                gain += ranks[ROW * rank + n] - ranks[ROW * rank + n - 1]
        if gain > most:
            most = gain
            best = bit
    return best


def _window_gain(packed: i64, window: i64, span: i64, each: i64, ranks: tuple[int, ...]) -> i64:
    """What the ranks of a run get cheaper by without it."""
    gain: i64 = 0
    i: i64
    for i in range(span):
        rank: i64 = window + i - 1
        if rank < 0:
            rank = 12
        at: i64 = ROW * rank + (packed >> 4 * rank & 15)
        gain += ranks[at] - ranks[at - each]
    return gain


def _take_runs(hand: Hand, packed: i64, prices: Prices, parts: list[Part] | None) -> i64:
    """Takes the runs out that make the hand cheapest, one after another; what is left."""
    ranks = prices.ranks
    while True:
        ones: i64 = (packed + _SEVENS) >> 3 & _ORDINARY
        ones = ones << 4 | ones >> 48
        twos: i64 = (packed + _SIXES) >> 3 & _ORDINARY
        twos = twos << 4 | twos >> 48
        threes: i64 = (packed + _FIVES) >> 3 & _ORDINARY
        threes = threes << 4 | threes >> 48
        most: i64 = 0
        kind: i64 = 0
        window: i64 = 0
        before: i64 = _saved(packed)
        found: i64 = ones & ones >> 4 & ones >> 8 & ones >> 12 & ones >> 16 & _STRAIGHT_WINDOWS
        while found:
            bit: i64 = found & -found
            found ^= bit
            at: i64 = PLACES[bit % 61] >> 2
            gain: i64 = _window_gain(packed, at, 5, 1, ranks) - prices.costs[16 * STRAIGHT + at + 3]
            gain += _saved(packed - _ranks_of(at, 5)) - before
            if gain > most and not hand.straight >> (at + 19) & 1:
                most = gain
                kind = STRAIGHT
                window = at
        found = twos & twos >> 4 & twos >> 8 & _TUBE_WINDOWS
        while found:
            bit = found & -found
            found ^= bit
            at = PLACES[bit % 61] >> 2
            gain = _window_gain(packed, at, 3, 2, ranks) - prices.costs[16 * TUBE + at + 1]
            gain += _saved(packed - 2 * _ranks_of(at, 3)) - before
            if gain > most and not hand.tube >> (at + 17) & 1:
                most = gain
                kind = TUBE
                window = at
        found = threes & threes >> 4 & _PLATE_WINDOWS
        while found:
            bit = found & -found
            found ^= bit
            at = PLACES[bit % 61] >> 2
            gain = _window_gain(packed, at, 2, 3, ranks) - prices.costs[16 * PLATE + at]
            gain += _saved(packed - 3 * _ranks_of(at, 2)) - before
            if gain > most and not hand.plate >> (at + 16) & 1:
                most = gain
                kind = PLATE
                window = at
        if not kind:
            return packed
        if kind == STRAIGHT:
            bit = BITS[window + 3]
            taken: i64 = _ranks_of(window, 5)
        elif kind == TUBE:
            bit = BITS[window + 1]
            taken = 2 * _ranks_of(window, 3)
        else:
            bit = BITS[window]
            taken = 3 * _ranks_of(window, 2)
        hand.add_run(kind, bit, prices)
        packed -= taken
        if parts is not None:
            parts.append((kind, bit, taken, 0, -1))


def _saved(packed: i64) -> i64:
    """What pairs save that can go under triples."""
    twos: i64 = (packed + _SIXES) >> 3 & _ORDINARY
    threes: i64 = (packed + _FIVES) >> 3 & _ORDINARY
    fours: i64 = (packed + _FOURS) >> 3 & _ORDINARY
    twos ^= threes
    threes ^= fours
    # Times a one in each nibble, the thirteenth is the sum of all.
    pairs: i64 = twos * _ORDINARY >> 48 & 15
    triples: i64 = threes * _ORDINARY >> 48 & 15
    return _UNDER * min(pairs, triples)


def _ranks_of(window: i64, span: i64) -> i64:
    """A one in the nibble of each rank of a window."""
    found: i64 = 0
    i: i64
    for i in range(span):
        rank: i64 = window + i - 1
        if rank < 0:
            rank = 12
        found |= BITS[4 * rank]
    return found


def _best_join(packed: i64, joins: i64, level: i64, prices: Prices) -> i64:
    """The rank that gains most from a wild; among the level's own cards it is one of them."""
    ranks = prices.ranks
    total: i64 = packed + joins
    at: i64 = ROW * level + (total >> 4 * level & 15)
    most: i64 = ranks[at] - ranks[at + 1]
    best: i64 = level
    rank: i64
    for rank in range(13):
        n: i64 = total >> 4 * rank & 15
        if n:
            at = ROW * rank + n
            gain: i64 = ranks[at] - ranks[at + 1]
            if gain > most:
                most = gain
                best = rank
    return best


def _take_ranks(
    hand: Hand, packed: i64, joins: i64, level: i64, prices: Prices, parts: list[Part] | None
) -> None:
    """What is left, rank by rank."""
    total: i64 = packed + joins
    if total >> 52 == 34:  # two of either joker
        hand.add_bomb(JOKERS, prices)
        if parts is not None:
            parts.append((BOMB, JOKERS, packed >> 52 << 52, 0, -1))
        total ^= total >> 52 << 52
    rank: i64 = 0
    rest: i64 = total
    while rest:
        n: i64 = rest & 15
        rest >>= 4
        if n:
            height: i64 = HEIGHTS[15 * level + rank]
            bit: i64 = BITS[height]
            added: i64 = joins >> 4 * rank & 15
            if added and rank != level:
                hand.fixed |= bit
            if n < 4:
                hand.add_alike(n, bit, prices)
                if parts is not None:
                    parts.append((n, bit, (n - added) << 4 * rank, added, -1))
            else:
                if n == 8 and not added:
                    n = 4
                    hand.add_bomb(16 + height, prices)
                    if parts is not None:
                        parts.append((BOMB, 16 + height, n << 4 * rank, 0, -1))
                code: i64 = (TIERS[n] << 4) + height
                hand.add_bomb(code, prices)
                if parts is not None:
                    parts.append((BOMB, code, (n - added) << 4 * rank, added, -1))
        rank += 1
