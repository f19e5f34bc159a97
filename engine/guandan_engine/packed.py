"""Nibble arithmetic: all ranks of a hand at once, in one int.

A packed int has one nibble per rank, 2 in the lowest, Y in the fifteenth. Counting, comparing and
finding runs then take a few operations on the whole hand instead of a loop over ranks:

    counts(bits)          nibble = how many cards of the rank, 0..8
    at_least(packed, k)   bit 3 of the nibble set where it is k or more

Runs are looked for in a packed int of 14 nibbles with the ace at both ends (`with_low_ace`), where
nibble 0 is the ace below the two. A window is named by its lowest nibble.
"""

from __future__ import annotations

from typing import Final

from guandan_engine.cards import HALF, LOW

__all__ = [
    "HIGH",
    "JOKERS",
    "ONES",
    "ORDINARY",
    "at_least",
    "counts",
    "five_in_a_row",
    "fold_suits",
    "with_low_ace",
]

ONES: Final = int("1" * 15, 16)
HIGH: Final = 8 * ONES
ORDINARY: Final = 8 * int("1" * 13, 16)
"""Bit 3 of the thirteen ordinary ranks."""
JOKERS: Final = HIGH ^ ORDINARY

_FIVES: Final = 5 * ONES
_THREES: Final = 3 * ONES
_ADD: Final = tuple((8 - k) * ONES for k in range(9))
_TOP_NIBBLE: Final = 48


def counts(bits: int) -> int:
    """Packed counts of a multiset in the two-half form of `Cards.bits`."""
    low, high = bits & LOW, bits >> HALF
    low -= (low >> 1) & _FIVES
    high -= (high >> 1) & _FIVES
    return (low & _THREES) + ((low >> 2) & _THREES) + (high & _THREES) + ((high >> 2) & _THREES)


def at_least(packed: int, k: int) -> int:
    """Bit 3 of every nibble that is `k` (1..8) or more; nibbles are at most 8."""
    return (packed + _ADD[k]) & HIGH


def with_low_ace(packed: int) -> int:
    """Fourteen nibbles A 2 3 … K A from thirteen; what is above the ace is dropped."""
    return (packed << 4 | packed >> _TOP_NIBBLE & 15) & 0xFF_FFFF_FFFF_FFFF


def fold_suits(packed: int) -> int:
    """Bit 0 of every nibble that is not zero."""
    return (packed | packed >> 1 | packed >> 2 | packed >> 3) & ONES


def five_in_a_row(packed: int) -> tuple[int, int, int]:
    """Windows of five nibbles, bit by bit: where all five are set, at least four, at least three.

    Works on each of the nibble's bits apart, so on four suits at once: two full adders, bit-sliced.
    Bits of windows that do not exist are left in; the reader masks them.
    """
    a, b, c, d, e = packed, packed >> 4, packed >> 8, packed >> 12, packed >> 16
    odd = a ^ b
    carry = a & b | c & odd
    odd ^= c
    last = odd ^ d
    carry_2 = odd & d | e & last
    last ^= e
    four = carry & carry_2
    return four & last, four, four | (carry ^ carry_2) & last
