"""Which of several equal faces go: those that hurt the hand least.

Ranks decide what a play is, suits only what is left behind. Taking suits blindly breaks straight
flushes, wild ones above all, so a face that lies in a possible flush window is taken last.
"""

from __future__ import annotations

from typing import Final

from guandan_engine.cards import HALF, LOW, Rank, Suit
from guandan_engine.combos import Combo
from guandan_engine.listing import Holding
from guandan_engine.packed import ONES
from guandan_engine.patterns import Move

__all__ = ["Chooser"]

_WINDOWS: Final = 15 * int("1" * 10, 16)

_taken: Final[dict[int, int]] = {}
"""By faces held, second copies, faces of a flush and cards needed: what goes (both halves)."""


def _take(key: int) -> int:
    held, double, flush, need = key & 15, key >> 4 & 15, key >> 8 & 15, key >> 12
    # A copy costs nothing if its face is in no flush, or if another copy of the face stays.
    copies = [
        (bool(flush >> suit & 1) and copy == last, suit)
        for suit in range(4)
        if held >> suit & 1
        for last in [double >> suit & 1]
        for copy in range(last + 1)
    ]
    first = second = 0
    for _, suit in sorted(copies)[:need]:
        bit = 1 << suit
        second |= first & bit
        first |= bit
    taken = _taken[key] = first | second << HALF
    return taken


class Chooser:
    """Chooses faces for the moves of one hand."""

    __slots__ = ("_flush", "_hand", "_wild")

    def __init__(self, hand: Holding) -> None:
        self._hand = hand
        windows = hand.flushes[hand.wilds] & _WINDOWS
        faces = windows | windows << 4 | windows << 8 | windows << 12 | windows << 16
        self._flush = (faces >> 4 | (faces & 15) << 4 * Rank.ACE) & hand.naturals
        self._wild = 1 << (4 * hand.level + Suit.HEART)

    def choose(self, move: Move) -> int:
        """The cards of `move` as the bits of a `Cards`."""
        if move.suit is not None:
            chosen = move.needs << move.suit
        else:
            chosen = self._spare(move.needs)
            if move.reading.combo is Combo.STRAIGHT:
                chosen = self._mixed(chosen)
        if move.wilds:
            chosen |= self._wild
            if move.wilds == 2:
                chosen |= self._wild << HALF
        return chosen

    def _spare(self, needs: int) -> int:
        chosen = 0
        naturals, flush = self._hand.naturals, self._flush
        double = naturals >> HALF
        while needs:
            shift = ((needs & -needs).bit_length() - 1) & ~3
            need = needs >> shift & 15
            key = (
                (naturals >> shift & 15)
                | (double >> shift & 15) << 4
                | (flush >> shift & 15) << 8
                | need << 12
            )
            taken = _taken.get(key)
            chosen |= (_take(key) if taken is None else taken) << shift
            needs ^= need << shift
        return chosen

    def _mixed(self, chosen: int) -> int:
        """Straight cards not all of one suit if the hand can help it, so that they are no flush."""
        if all(chosen & ~(ONES << suit) for suit in Suit):
            return chosen
        naturals = self._hand.naturals & LOW
        rest = chosen
        while rest:
            bit = rest & -rest
            rest ^= bit
            nibble = (bit.bit_length() - 1) & ~3
            other = naturals & (15 << nibble) & ~bit
            if other:
                return chosen ^ bit | (other & -other)
        return chosen
