"""The figures: each has its reason, and none is there for nothing."""

from __future__ import annotations

import inspect
import re
from random import Random

import pytest
from attrs import evolve, fields_dict

from guandan_bots.basic import BasicPolicy
from guandan_bots.judgement import DECISIVE
from guandan_bots.style import Style
from guandan_engine.options import Rules
from guandan_engine.views import SeatView
from tests.bots.games import decisions

RULES = Rules(tribute_pick="payer")
NAMES = tuple(fields_dict(Style))


def test_every_figure_has_its_reason() -> None:
    source = inspect.getsource(Style)
    for name in NAMES:
        assert re.search(rf'    {name}: (float|int) = [\d.]+\n    """.', source), name


@pytest.fixture(scope="module")
def situations() -> list[SeatView]:
    return [view for seed in "abcd" for view in decisions(RULES, seed, hands=2)]


@pytest.mark.parametrize("name", NAMES)
def test_every_figure_decides_something(name: str, situations: list[SeatView]) -> None:
    usual, figure = BasicPolicy(), getattr(Style(), name)
    others = [BasicPolicy(evolve(Style(), **{name: other})) for other in (0, 4 * figure)]
    assert any(
        usual.choose(view, RULES, Random(1)) != other.choose(view, RULES, Random(1))
        for other in others
        for view in situations
    )


def test_what_is_decisive_outweighs_all_figures() -> None:
    figures = [getattr(Style(), name) for name in NAMES if name != "save_until"]
    assert sum(figures) * 3 < DECISIVE
