"""The ints agree with the engine's values."""

from __future__ import annotations

from random import Random

import pytest

from guandan_bots.club.table import (
    NIBBLE,
    ODDS,
    RUN_EACH,
    RUN_KEY,
    RUN_KIND,
    RUN_RANKS,
    counts,
    height,
    nibble_sum,
    population,
)
from guandan_engine import packed
from guandan_engine.cards import HALF, LOW, Rank
from guandan_engine.combos import READINGS, Combo
from guandan_engine.order import LEVELS
from guandan_engine.order import height as height_of
from tests.bots.club.hands import dealt

COMBOS = tuple(Combo)


@pytest.mark.parametrize("seed", range(20))
def test_counts(seed: int) -> None:
    chance = Random(seed)
    hand = dealt(chance, chance.randint(0, 27))
    found = counts(hand.bits & LOW) + counts(hand.bits >> HALF)
    assert found == packed.counts(hand.bits)
    assert nibble_sum(found) == len(hand) == population(hand.bits)


def test_heights() -> None:
    assert all(height(r, level) == height_of(r, level) for r in Rank for level in LEVELS)


def test_runs_are_all_there_are() -> None:
    runs = {
        (COMBOS[kind], key, each * len(ranks))
        for kind, key, each, ranks in zip(RUN_KIND, RUN_KEY, RUN_EACH, RUN_RANKS, strict=True)
    }
    assert runs == {
        (one.combo, one.key, one.size) for one in READINGS if one.is_run and not one.tier
    }
    assert RUN_RANKS[0] == [12, 0, 1, 2, 3]
    assert RUN_RANKS[9] == [8, 9, 10, 11, 12]


def test_odds() -> None:
    def odds(place: int, k: int, n: int) -> float:
        return ODDS[(place * 6 + k) * 9 + n]

    assert odds(16, 1, 1) == 0.5
    assert odds(16, 2, 2) == 0.25
    assert odds(8, 1, 2) == pytest.approx(1 - 0.75**2)
    assert odds(0, 0, 8) == odds(32, 5, 8) == 1.0


def test_nibbles() -> None:
    assert [one.bit_length() for one in NIBBLE] == [4 * rank + 1 for rank in range(15)]
