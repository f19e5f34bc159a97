"""Anything that is allowed, and all of it."""

from __future__ import annotations

from collections import Counter
from random import Random

from guandan_bots.random_policy import RandomPolicy
from guandan_engine.views import SeatView
from tests.bots.table import RULES, said, seat


def drawn(view: SeatView, times: int = 300) -> Counter[str]:
    chance = Random(1)
    return Counter(said(RandomPolicy().choose(view, RULES, chance)) for _ in range(times))


def test_it_leads_whatever_the_hand_allows() -> None:
    seen = drawn(seat("S5 H5 C5 S9"))
    assert set(seen) == {"single-5", "pair-5", "triple-5", "single-9"}


def test_no_pattern_is_dearer_to_it_than_another() -> None:
    seen = drawn(seat("S5 H5 C5 S9"))
    assert min(seen.values()) > 300 / 4 / 2


def test_it_passes_as_often_as_it_plays_a_pattern() -> None:
    seen = drawn(seat("S5 H5 S9 D9", over="pair-4"))
    assert set(seen) == {"pair-5", "pair-9", "pass"}
    assert min(seen.values()) > 300 / 3 / 2


def test_it_passes_when_nothing_beats() -> None:
    assert set(drawn(seat("S5 H5 S9", over="pair-K"), times=5)) == {"pass"}


def test_it_gives_any_card_that_it_may() -> None:
    assert set(drawn(seat("SA CA D4", paying="SA CA"))) == {"SA", "CA"}
    assert set(drawn(seat("SA C3 D4", returning="C3 D4"))) == {"C3", "D4"}
