"""Arithmetic on all ranks at once against loops over them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from guandan_engine.cards import LOW, Card, Cards, Rank, rank_of
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
from tests.engine.strategies import multisets

RANKS = list(Rank)


def nibbles(packed: int, n: int = 15) -> list[int]:
    return [packed >> 4 * i & 15 for i in range(n)]


def packed_of(values: list[int]) -> int:
    return sum(value << 4 * i for i, value in enumerate(values))


packs = st.lists(st.integers(0, 8), min_size=15, max_size=15).map(packed_of)
suit_sets = st.lists(st.integers(0, 15), min_size=14, max_size=14).map(packed_of)


@given(multisets())
def test_counts(drawn: list[Card]) -> None:
    packed = counts(Cards.of(drawn).bits)
    assert nibbles(packed) == [sum(rank_of(card) == rank for card in drawn) for rank in RANKS]
    assert packed >> 60 == 0


@given(packs, st.integers(1, 8))
def test_at_least(packed: int, k: int) -> None:
    assert nibbles(at_least(packed, k)) == [8 * (n >= k) for n in nibbles(packed)]


@given(packs)
def test_the_ace_stands_at_both_ends(packed: int) -> None:
    ranks = nibbles(packed)
    assert nibbles(with_low_ace(packed), 15) == [ranks[Rank.ACE], *ranks[:13], 0]


@given(suit_sets)
def test_folded_suits(packed: int) -> None:
    assert nibbles(fold_suits(packed)) == [int(n > 0) for n in nibbles(packed)]


@given(suit_sets)
def test_five_in_a_row(packed: int) -> None:
    found = five_in_a_row(packed)
    rows = nibbles(packed, 18)
    for window in range(10):
        for suit in range(4):
            held = sum(rows[window + i] >> suit & 1 for i in range(5))
            said = [mask >> (4 * window + suit) & 1 for mask in found]
            assert said == [held >= 5, held >= 4, held >= 3]


@given(multisets())
def test_the_low_half_is_the_faces(drawn: list[Card]) -> None:
    cards = Cards.of(drawn)
    assert fold_suits(cards.bits & LOW) << 3 == at_least(counts(cards.bits), 1)


def test_masks() -> None:
    assert nibbles(ONES) == [1] * 15
    assert nibbles(HIGH) == [8] * 15
    assert nibbles(ORDINARY) == [8] * 13 + [0, 0]
    assert nibbles(JOKERS) == [0] * 13 + [8, 8]
