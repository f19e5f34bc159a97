"""Chance from a seed: golden vectors, fairness in the large, commitments."""

from __future__ import annotations

import hashlib
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guandan_engine.cards import CARDS, FULL_PACK, NO_CARDS, Rank, wild_of
from guandan_engine.notation import card_text, cards_text, level_of
from guandan_engine.seats import SEATS
from guandan_engine.shuffle import (
    NONCE_BYTES_MAX,
    Stream,
    commitment,
    deal,
    draw_opener,
    hand_key,
    matches,
    random_opener,
    shuffled,
)
from tests.engine.strategies import levels, nonces, seeds

GOLDEN = [
    # seed, nonces, SHA-256 of the 108 cards as text, first hand, random opener, turned-up cards.
    # rules: level 2. source: version 1 of the shuffle; `definition` below, written from its text,
    # agrees. These may never change: deals that people have verified would come out otherwise.
    (
        bytes(32),
        (),
        "9a5d2d57ad347204c01cab8e786f95343c1b2cd0b6daad4e08db3a801c48b6f9",
        "C2 D2 C3 D3 D4 S5 S5 C5 S6 C6 D6 S7 H7 H7 D7 ST HT CT DT DJ HQ DQ DK SA CA CA DA",
        2,
        "C9@2",
    ),
    (
        bytes(range(32)),
        (b"", b"", b"", b""),
        "0a8a79b5d9bf361a06d21f7f3b9e1f3748781d80a697bb3aefd46cbd5c162bc5",
        "S2 H2 C2 D2 S3 D4 D4 S5 H5 D5 H6 C8 D8 ST CT DT HJ CJ SQ SK HK DK SA HA HA DA X",
        2,
        "CA@3",
    ),
    (
        b"\xff" * 32,
        (b"one", b"", b"three", bytes(32)),
        "32cfc283ac333a8bcf5954481cd7e262ffb4b2316e97e678f76990a5e36ad4fc",
        "H2 H2 C2 S4 H4 S5 C5 C5 H6 C7 S8 C8 D8 H9 C9 DT HJ CJ CJ SQ HQ DQ HK DK SA HA Y",
        1,
        "H6@4",
    ),
    (
        b"\x01" * 31 + b"\x00",
        (b"", b"", b"", b""),
        "bba683acd0bcbee4e769361c4efe22d0a66b082f83a22b509a1d2aadd9c63e38",
        "S2 H2 D2 H3 D4 C5 H6 H7 H7 C7 D7 H8 H9 H9 D9 DT SJ CJ HQ CQ SK HK CK DK HA X Y",
        3,
        "Y@3 DA@2",
    ),
]


def definition(seed: bytes, given: tuple[bytes, ...]) -> list[str]:
    """The order of the pack, written again from the definition on top of the module."""
    key = hashlib.sha256(
        b"guandan/1 key" + seed + b"".join(bytes([len(n)]) + n for n in given)
    ).digest()
    blocks = b"".join(
        hashlib.sha256(key + b"deal\x00" + n.to_bytes(8, "big")).digest() for n in range(20)
    )
    words = [int.from_bytes(blocks[i : i + 4], "big") for i in range(0, len(blocks), 4)]
    pack = [suit + rank for rank in "23456789TJQKA" for suit in "SHCD"] + ["X", "Y"]
    pack = [card for card in pack for _ in range(2)]
    for i in reversed(range(1, 108)):
        word = words.pop(0)
        while word >= 2**32 - 2**32 % (i + 1):
            word = words.pop(0)
        j = word % (i + 1)
        pack[i], pack[j] = pack[j], pack[i]
    return pack


@pytest.mark.parametrize(("seed", "given", "digest", "first", "opener", "drawn"), GOLDEN)
def test_golden(
    seed: bytes, given: tuple[bytes, ...], digest: str, first: str, opener: int, drawn: str
) -> None:
    key = hand_key(seed, given)
    order = cards_text(shuffled(key))
    assert hashlib.sha256(order.encode()).hexdigest() == digest
    assert cards_text(deal(key)[0]) == first
    assert random_opener(key) == opener
    turned = draw_opener(key, level_of("2"))
    assert " ".join(f"{card_text(card)}@{seat}" for card, seat in turned) == drawn


@given(seeds, nonces)
def test_the_definition_can_be_followed(seed: bytes, given: tuple[bytes, ...]) -> None:
    assert cards_text(shuffled(hand_key(seed, given))).split() == definition(seed, given)


@given(seeds, nonces)
def test_every_card_is_dealt_once(seed: bytes, given: tuple[bytes, ...]) -> None:
    key = hand_key(seed, given)
    hands = deal(key)
    assert [len(hand) for hand in hands] == [27] * 4
    assert sum(hands, start=NO_CARDS) == FULL_PACK
    pack = shuffled(key)
    assert [sorted(pack[i : i + 27]) for i in range(0, 108, 27)] == [list(hand) for hand in hands]


@given(seeds, nonces, levels)
def test_the_turned_up_card_is_neither_joker_nor_wild(
    seed: bytes, given: tuple[bytes, ...], level: Rank
) -> None:
    key = hand_key(seed, given)
    hands = deal(key)
    drawn = draw_opener(key, level)
    assert all(card in hands[seat - 1] for card, seat in drawn)
    *before, (last, _) = drawn
    redrawn = (*CARDS[-2:], wild_of(level))
    assert last not in redrawn
    assert all(card in redrawn for card, _ in before)
    assert max(Counter(card for card, _ in drawn).values()) <= 2  # none is turned up again


@given(seeds, st.integers(0, 255))
def test_one_bit_of_the_seed_changes_the_deal_and_its_commitment(seed: bytes, bit: int) -> None:
    flipped = (int.from_bytes(seed, "big") ^ 1 << bit).to_bytes(32, "big")
    assert matches(commitment(seed), seed)
    assert not matches(commitment(seed), flipped)
    assert shuffled(hand_key(seed)) != shuffled(hand_key(flipped))


@given(seeds, nonces, st.integers(0, 3))
def test_each_nonce_counts(seed: bytes, given: tuple[bytes, ...], seat: int) -> None:
    other = [*given]
    other[seat] = given[seat][:-1] if given[seat] else b"x"
    assert hand_key(seed, given) != hand_key(seed, other)


def test_nonces_do_not_run_into_each_other() -> None:
    seed = bytes(32)
    keys = {hand_key(seed, n) for n in [(b"ab", b""), (b"a", b"b"), (b"", b"ab"), (b"ab",), ()]}
    assert len(keys) == 5


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_seed_has_its_length(size: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        hand_key(bytes(size))


def test_a_nonce_has_its_limit() -> None:
    hand_key(bytes(32), [bytes(NONCE_BYTES_MAX)])
    with pytest.raises(ValueError, match="nonce"):
        hand_key(bytes(32), [bytes(NONCE_BYTES_MAX + 1)])


def test_streams_are_apart() -> None:
    key = hand_key(bytes(32))
    first = [Stream(key, label).below(1 << 31) for label in ("deal", "drawn_card", "first_lead")]
    assert len(set(first)) == 3


def test_words_that_would_favour_low_numbers_are_thrown_away() -> None:
    """With n just over half of the words, every other word goes."""
    n = (1 << 31) + 1
    stream = Stream(hand_key(bytes(32)), "x")
    drawn = [stream.below(n) for _ in range(200)]
    assert max(drawn) < n
    words = Stream(hand_key(bytes(32)), "x")
    raw = [words.below(1 << 32) for _ in range(500)]
    assert drawn == [word for word in raw if word < n][:200]


# Fairness, from fixed seeds: 3,000 deals, 27 * 3000 draws of a card to each seat.


def test_cards_fall_evenly() -> None:
    rng = random.Random(5)
    seats_of: Counter[tuple[int, int]] = Counter()
    openers: Counter[int] = Counter()
    deals = 3000
    for _ in range(deals):
        key = hand_key(rng.randbytes(32))
        for seat, hand in zip(SEATS, deal(key), strict=True):
            seats_of.update((seat, card) for card in hand)
        openers[random_opener(key)] += 1
    # A pair of copies falls to a seat deals/2 times; the deviation is about sqrt(deals * 0.37).
    expected = deals / 2
    assert len(seats_of) == 4 * len(CARDS)
    assert all(abs(n - expected) < 5 * (deals * 0.37) ** 0.5 for n in seats_of.values())
    square = sum((n - expected) ** 2 / (deals * 0.37) for n in seats_of.values())
    assert 110 < square < 240  # 162 degrees of freedom
    assert all(abs(n - deals / 4) < 5 * (deals * 3 / 16) ** 0.5 for n in openers.values())


def test_places_fall_evenly() -> None:
    """Where the first card of the pack comes to lie: a biased shuffle is bent there first."""
    rng = random.Random(6)
    deals = 3240
    places: Counter[int] = Counter()
    for _ in range(deals):
        pack = shuffled(hand_key(rng.randbytes(32)))
        places.update(place // 12 for place, card in enumerate(pack) if card == CARDS[0])
    # Two copies, nine twelfths of the pack.
    expected = 2 * deals / 9
    square = sum((places[i] - expected) ** 2 / expected for i in range(9))
    assert square < 26  # eight degrees of freedom; one in a thousand is above
