"""msgpack written by hand: the few forms that messages are made of, each the shortest there is.

A library walks over plain objects that somebody first has to build. What goes out is known by
its class, so names of fields, cards, readings, enums and small numbers are bytes from the start.
"""

from __future__ import annotations

import itertools
from functools import lru_cache
from typing import Final

from guandan_engine.cards import CARDS, HALF, LOW, Cards, Rank, Suit, card_of
from guandan_engine.combos import READINGS
from guandan_engine.notation import card_text, rank_text

__all__ = [
    "CARD_BYTES",
    "FALSE",
    "NIL",
    "READINGS_BY_WIRE",
    "READING_BYTES",
    "TRUE",
    "array_head",
    "map_head",
    "pack_bytes",
    "pack_cards",
    "pack_flag",
    "pack_int",
    "pack_text",
]

NIL: Final = b"\xc0"
FALSE: Final = b"\xc2"
TRUE: Final = b"\xc3"


def _sized(length: int, *, codes: tuple[int, ...], sizes: tuple[int, ...]) -> bytes:
    """A number in the first of `sizes` bytes that holds it, after that size's code."""
    for code, size in zip(codes, sizes, strict=True):
        if length < 1 << 8 * size:
            return bytes([code]) + length.to_bytes(size, "big")
    raise ValueError(f"{length} is too much for msgpack")


def _array_head(length: int) -> bytes:
    if length < 16:
        return bytes([0x90 | length])
    return _sized(length, codes=(0xDC, 0xDD), sizes=(2, 4))


def _text_head(length: int) -> bytes:
    if length < 32:
        return bytes([0xA0 | length])
    return _sized(length, codes=(0xD9, 0xDA, 0xDB), sizes=(1, 2, 4))


def _int(n: int) -> bytes:
    if n < 128:
        return bytes([n])
    return _sized(n, codes=(0xCC, 0xCD, 0xCE, 0xCF), sizes=(1, 2, 4, 8))


_ARRAYS: Final = [_array_head(length) for length in range(64)]
_TEXTS: Final = [_text_head(length) for length in range(64)]
_INTS: Final = [_int(n) for n in range(1024)]


def array_head(length: int) -> bytes:
    """What stands before the items of an array."""
    return _ARRAYS[length] if length < 64 else _array_head(length)


def map_head(length: int) -> bytes:
    """What stands before the keys and values of a map."""
    if length < 16:
        return bytes([0x80 | length])
    return _sized(length, codes=(0xDE, 0xDF), sizes=(2, 4))


def pack_text(text: str) -> bytes:
    """A text; ValueError for a lone surrogate."""
    data = text.encode()
    return (_TEXTS[len(data)] if len(data) < 64 else _text_head(len(data))) + data


def pack_bytes(data: bytes) -> bytes:
    return _sized(len(data), codes=(0xC4, 0xC5, 0xC6), sizes=(1, 2, 4)) + data


def pack_int(n: int) -> bytes:
    """A whole number from -1 up; the protocol has no others."""
    if 0 <= n < 1024:
        return _INTS[n]
    if 0 <= n < 65536:
        return b"\xcd" + n.to_bytes(2, "big")
    return _int(n) if n >= 0 else _below_zero(n)


def _below_zero(n: int) -> bytes:
    if n < -32:
        raise ValueError(f"{n} is below what the protocol has")
    return bytes([256 + n])


def pack_flag(flag: bool) -> bytes:  # noqa: FBT001 the value itself, not a switch
    return TRUE if flag else FALSE


# Cards and readings

CARD_BYTES: Final = {card: pack_text(card_text(card)) for card in CARDS}


READINGS_BY_WIRE: Final = {
    (one.combo.value, None if one.key is None else rank_text(one.key), one.size): one
    for one in READINGS
}
"""Every reading there is, by the three things that name it on the wire."""

READING_BYTES: Final = {
    one: array_head(3)
    + pack_text(combo)
    + (NIL if key is None else pack_text(key))
    + pack_int(size)
    for (combo, key, size), one in READINGS_BY_WIRE.items()
}


def _rank_bytes(rank: Rank) -> dict[int, bytes]:
    """By first copies in the low nibble and second copies in the high one: the cards' bytes."""
    suits = [suit for suit in Suit if rank <= Rank.ACE or not suit]
    found = {}
    for counts in itertools.product(range(3), repeat=len(suits)):
        nibbles = sum(
            [(1, 0x11)[n - 1] << suit for suit, n in zip(suits, counts, strict=True) if n]
        )
        held = zip(suits, counts, strict=True)
        found[nibbles] = b"".join([CARD_BYTES[card_of(rank, suit)] * n for suit, n in held])
    return found


_RANKS: Final = [_rank_bytes(rank) for rank in Rank]


# Between two updates of a room three hands of four, and what three seats have played, are the
# same: looked up they cost a tenth. Two million bytes at most, for some thousand rooms' worth.
@lru_cache(maxsize=8192)
def _pack_bits(bits: int) -> bytes:
    low, high = bits & LOW, bits >> HALF
    parts = [array_head(bits.bit_count())]
    for ranks in _RANKS:
        parts.append(ranks[low & 15 | (high & 15) << 4])
        low >>= 4
        high >>= 4
    return b"".join(parts)


def pack_cards(cards: Cards) -> bytes:
    """An array of texts by rank and then suit, so that a multiset has one form."""
    return _pack_bits(cards.bits)
