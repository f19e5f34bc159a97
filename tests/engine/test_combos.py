"""Shapes, and which of them beats which, against the slow referee."""

from __future__ import annotations

import copy
import pickle
from itertools import pairwise

import pytest
from hypothesis import given

from guandan_engine.cards import Rank
from guandan_engine.combos import READINGS, Combo, Reading, beats, reading, strength, tier_of
from guandan_engine.notation import level_of, parse_reading, rank_text, reading_text
from tests.engine import brute
from tests.engine.strategies import levels, readings


def to_brute(one: Reading) -> brute.Reading:
    return one.combo.value, None if one.key is None else rank_text(one.key), one.size


@pytest.mark.parametrize("level", "27TA")
def test_beats_as_the_slow_referee_says(level: str) -> None:
    told = [(one, to_brute(one)) for one in READINGS]
    for one, one_told in told:
        for top, top_told in told:
            expected = brute.brute_beats(one_told, top_told, level)
            assert beats(one, top, level_of(level)) == expected, (one, top)


@given(levels, readings, readings)
def test_strength_never_contradicts(level: Rank, one: Reading, top: Reading) -> None:
    if beats(one, top, level):
        assert strength(one, level) > strength(top, level)


@given(readings)
def test_readings_are_interned(one: Reading) -> None:
    assert reading(one.combo, one.key, one.size) is one
    assert pickle.loads(pickle.dumps(one)) is one  # noqa: S301 our own bytes, of a line ago
    assert copy.deepcopy(one) is one


def test_there_are_as_many_as_the_shapes_have() -> None:
    count = {combo: sum(one.combo is combo for one in READINGS) for combo in Combo}
    assert count == {
        Combo.SINGLE: 15,
        Combo.PAIR: 15,
        Combo.TRIPLE: 13,
        Combo.FULL_HOUSE: 13,
        Combo.STRAIGHT: 10,
        Combo.TUBE: 12,
        Combo.PLATE: 13,
        Combo.BOMB: 7 * 13,
        Combo.STRAIGHT_FLUSH: 10,
        Combo.JOKER_BOMB: 1,
    }


@pytest.mark.parametrize(
    ("combo", "key", "size"),
    [
        (Combo.SINGLE, None, 1),
        (Combo.SINGLE, Rank.TWO, 2),
        (Combo.TRIPLE, Rank.SMALL_JOKER, 3),
        (Combo.STRAIGHT, Rank.FOUR, 5),
        (Combo.TUBE, Rank.TWO, 6),
        (Combo.BOMB, Rank.TWO, 3),
        (Combo.BOMB, Rank.TWO, 11),
        (Combo.BOMB, Rank.BIG_JOKER, 4),
        (Combo.JOKER_BOMB, Rank.BIG_JOKER, 4),
    ],
)
def test_what_is_no_shape_has_no_reading(combo: Combo, key: Rank | None, size: int) -> None:
    with pytest.raises(KeyError):
        reading(combo, key, size)


def test_the_classes_of_bombs() -> None:
    weakest_first = [
        "single-Y",
        "bomb-4-3",
        "bomb-4-A",
        "bomb-5-3",
        "straight_flush-5",
        "straight_flush-A",
        "bomb-6-3",
        "bomb-7-3",
        "bomb-8-3",
        "bomb-9-3",
        "bomb-10-3",
        "joker_bomb",
    ]
    for weaker, stronger in pairwise(map(parse_reading, weakest_first)):
        assert beats(stronger, weaker, Rank.TWO)
        assert not beats(weaker, stronger, Rank.TWO)
    assert tier_of(Combo.BOMB, 5) < tier_of(Combo.STRAIGHT_FLUSH, 5) < tier_of(Combo.BOMB, 6)


def test_the_repr_says_what_it_is() -> None:
    assert repr(parse_reading("bomb-6-K")) == "<bomb-6 KING>"
    assert repr(parse_reading("joker_bomb")) == "<joker_bomb-4>"
    assert reading_text(parse_reading("plate-2")) == "plate-2"
