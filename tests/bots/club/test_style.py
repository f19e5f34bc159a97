"""The figures: each has its reason, and none is there for nothing."""

from __future__ import annotations

import inspect
import re
from functools import cache

import pytest
from attrs import evolve, fields_dict

from guandan_bots.club.seeing import table_of
from guandan_bots.club.style import ClubStyle
from guandan_bots.club.weighing import DECISIVE, weigh
from guandan_engine.options import Rules
from guandan_engine.views import PhaseName, SeatView
from tests.bots.games import decisions
from tests.bots.table import seat

NAMES = tuple(fields_dict(ClubStyle))
STYLE = ClubStyle()

LONELY = [
    seat("S5 H5 C5 D5 S9 D9 HJ C4 S3 CQ", left={2: 9, 3: 0, 4: 8}, over=over)
    for over in ("", "pair-A")
]
"""With a bomb, and without a partner, who is out."""


def test_every_figure_has_its_reason() -> None:
    source = inspect.getsource(ClubStyle)
    for name in NAMES:
        assert re.search(rf'    {name}: (float|int) = -?[\d.]+\n    """.', source), name


@cache
def situations() -> list[SeatView]:
    return [
        view
        for seed in "abcdefgh"
        for view in decisions(Rules(), seed, hands=1)
        if view.public.phase in (PhaseName.LEADING, PhaseName.FOLLOWING)
    ] + LONELY


def scores(view: SeatView, style: ClubStyle) -> list[tuple[int, int, float]]:
    found = weigh(table_of(view, style), style).options
    return [(play.kind, play.key, round(play.score, 6)) for play in found]


@cache
def usual(place: int) -> list[tuple[int, int, float]]:
    return scores(situations()[place], STYLE)


@pytest.mark.parametrize("name", NAMES)
def test_every_figure_tells_in_some_situation(name: str) -> None:
    figure = getattr(STYLE, name)
    other = evolve(STYLE, **{name: 0 if isinstance(figure, int) else 2 * figure + 0.5})
    places = range(len(situations()))
    assert any(scores(situations()[place], other) != usual(place) for place in places)


def test_nothing_outweighs_going_out() -> None:
    weighed = [score for place in range(len(situations())) for *_, score in usual(place)]
    assert all(abs(score) < DECISIVE / 5 or score >= DECISIVE for score in weighed)
