"""All chance within a hand, from its 32-byte seed: versioned, so old hands can always be checked.

    commitment  = SHA-256(seed)                      published before the deal
    key         = SHA-256("guandan/1 key" ‖ seed ‖ for each seat: one byte of length ‖ its nonce)
    stream L    = SHA-256(key ‖ L ‖ 0x00 ‖ counter as 8 bytes, big endian), counter = 0, 1, …
                  read as 32-bit big-endian words
    below n     = the next word under the largest multiple of n, modulo n; others are thrown away
    deal        = the pack (each face of `CARDS` twice in a row), shuffled from the top down by
                  swapping card i with card `below(i + 1)`, i = 107 … 1, from the stream "deal";
                  seat 1 takes the first 27 cards, seat 2 the next, and so on

Each purpose has its own labelled stream, so that a draw more in one never moves another.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Iterator, Sequence
from typing import Final

from guandan_engine.cards import CARDS, Card, Cards, Rank, rank_of, wild_of
from guandan_engine.seats import SEATS, Seat

__all__ = [
    "NONCE_BYTES_MAX",
    "SEED_BYTES",
    "SHUFFLE_VERSION",
    "Stream",
    "commitment",
    "deal",
    "draw_opener",
    "hand_key",
    "matches",
    "random_opener",
    "shuffled",
]

SHUFFLE_VERSION: Final = 1
SEED_BYTES: Final = 32
NONCE_BYTES_MAX: Final = 32
"""A nonce only has to be unguessable by whoever drew the seed; 16 bytes are plenty."""

HAND_CARDS: Final = 27
_WORDS: Final = 1 << 32
_WORDS_IN: Final = struct.Struct(">8I").unpack
_PACK: Final = tuple(card for card in CARDS for _ in range(2))


def commitment(seed: bytes) -> bytes:
    """What is published before the deal: it fixes the seed and tells nothing of it."""
    return hashlib.sha256(seed).digest()


def matches(published: bytes, seed: bytes) -> bool:
    """Was this the seed that was committed to?"""
    return hmac.compare_digest(published, commitment(seed))


def hand_key(seed: bytes, nonces: Sequence[bytes] = ()) -> bytes:
    """The key of a hand's streams; ValueError for a seed or nonce of the wrong length."""
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes, got {len(seed)}")
    if any(len(nonce) > NONCE_BYTES_MAX for nonce in nonces):
        raise ValueError(f"a nonce has at most {NONCE_BYTES_MAX} bytes")
    mixed = hashlib.sha256(b"guandan/1 key" + seed)
    for nonce in nonces:
        mixed.update(bytes([len(nonce)]) + nonce)
    return mixed.digest()


class Stream:
    """A labelled source of fair draws."""

    def __init__(self, key: bytes, label: str) -> None:
        self._words = self._read(key + label.encode() + b"\0")

    @staticmethod
    def _read(prefix: bytes) -> Iterator[int]:
        counter = 0
        while True:
            yield from _WORDS_IN(hashlib.sha256(prefix + counter.to_bytes(8, "big")).digest())
            counter += 1

    def below(self, n: int) -> int:
        """A fair draw from 0..n-1; words that would favour low numbers are thrown away."""
        limit = _WORDS - _WORDS % n
        for word in self._words:
            if word < limit:
                return word % n
        raise AssertionError("a stream does not end")


def shuffled(key: bytes) -> list[Card]:
    """The 108 cards of a hand in dealing order."""
    pack = list(_PACK)
    stream = Stream(key, "deal")
    for i in range(len(pack) - 1, 0, -1):
        j = stream.below(i + 1)
        pack[i], pack[j] = pack[j], pack[i]
    return pack


def deal(key: bytes) -> tuple[Cards, Cards, Cards, Cards]:
    """What seats 1, 2, 3 and 4 are dealt."""
    pack = shuffled(key)
    one, two, three, four = (
        Cards.of(pack[i : i + HAND_CARDS]) for i in range(0, len(pack), HAND_CARDS)
    )
    return one, two, three, four


def draw_opener(key: bytes, level: Rank) -> tuple[tuple[Card, Seat], ...]:
    """Cards turned up until one is neither joker nor wild; the last one's holder opens."""
    pack = shuffled(key)
    stream = Stream(key, "drawn_card")
    drawn = []
    places = list(range(len(pack)))
    while True:
        place = places.pop(stream.below(len(places)))
        card = pack[place]
        drawn.append((card, SEATS[place // HAND_CARDS]))
        if rank_of(card) <= Rank.ACE and card != wild_of(level):
            return tuple(drawn)


def random_opener(key: bytes) -> Seat:
    """A fair draw among the four seats."""
    return SEATS[Stream(key, "first_lead").below(4)]
