"""The level that searches: legal everywhere, the same for a seed, inspectable."""

from __future__ import annotations

from random import Random

import pytest
from attrs import evolve

from guandan_bots.arena import compare
from guandan_bots.club.policy import ClubPolicy
from guandan_bots.expert import ExpertPolicy, ExpertStyle, ranked
from guandan_bots.named import named_policy
from guandan_bots.policy import policy
from guandan_engine.options import Rules
from guandan_engine.views import PhaseName
from tests.bots.games import TABLES, allowed, decisions
from tests.bots.table import RULES, said, seat

FEW = ExpertStyle(playouts=40)
PLAY = (PhaseName.LEADING, PhaseName.FOLLOWING)


@pytest.mark.parametrize("table", TABLES)
def test_every_choice_is_legal(table: str) -> None:
    chance, expert = Random(table), ExpertPolicy(FEW)
    for number, view in enumerate(decisions(TABLES[table], table, hands=2)):
        if number % 4 == 0 or view.public.phase not in PLAY:
            choice = expert.choose(view, TABLES[table], chance)
            assert allowed(view, TABLES[table], choice)


def test_a_seed_is_a_choice() -> None:
    one, other = ExpertPolicy(FEW), ExpertPolicy(FEW)
    for number, view in enumerate(decisions(RULES, "seed", hands=1)):
        if number % 5 == 0:
            first = one.choose(view, RULES, Random(number))
            assert other.choose(view, RULES, Random(number)) == first


def test_the_best_stands_first_and_near_ones_follow() -> None:
    style = ExpertStyle(candidates=5)
    for number, view in enumerate(decisions(RULES, "ranked", hands=2)):
        if view.public.phase not in PLAY or number % 3:
            continue
        below = list(ranked(view, RULES, style).values())
        assert below == sorted(below)
        assert below[0] == 0
        assert len(below) <= 5


def test_without_a_judge_it_ranks_as_club_does() -> None:
    style = ExpertStyle(judged=1)
    for number, view in enumerate(decisions(RULES, "ranked", hands=1)):
        if view.public.phase in PLAY and number % 3 == 0:
            found = ranked(view, RULES, style)
            assert next(iter(found)) == ClubPolicy().choose(view, RULES, Random(1))


def test_the_judge_has_its_own_opinion_now_and_then() -> None:
    views = [view for view in decisions(RULES, "opinion", hands=3) if view.public.phase in PLAY]
    bold, never = ExpertStyle(), ExpertStyle(doubt=99.0)
    other = 0
    for view in views:
        club = ClubPolicy().choose(view, RULES, Random(1))
        other += next(iter(ranked(view, RULES, bold))) != club
        assert next(iter(ranked(view, RULES, never))) == club
    assert 0 < other < len(views) / 2


def test_nothing_is_searched_where_nothing_is_to_choose() -> None:
    view = seat("S9 D9 H3", over="pair-K")
    report = ExpertPolicy(FEW).consider(view, RULES, Random(1))
    assert [said(choice) for choice in report.choices] == ["pass"]
    assert (report.trial, report.overridden) == (None, False)


def test_a_decision_says_how_it_came_about() -> None:
    view = seat("S3 H3 C4 D5 S6 S7 DK CA", left={2: 5, 3: 6, 4: 7})
    report = ExpertPolicy(ExpertStyle(playouts=200)).consider(view, RULES, Random(1))
    assert report.trial is not None
    assert report.trial.choices == report.choices
    assert len(report.trial.errors) == len(report.choices) > 1
    assert report.overridden == (report.trial.choice is not report.choices[0])


def test_it_is_asked_before_it_chooses() -> None:
    view = seat("S3 D5")
    with pytest.raises(ValueError, match="nothing is asked"):
        ExpertPolicy(FEW).choose(
            evolve(view, public=evolve(view.public, asked=())), RULES, Random(1)
        )


def test_its_figures_can_be_changed_by_name() -> None:
    one = named_policy("expert:playouts=30,trust=0")
    assert isinstance(one, ExpertPolicy)
    assert one.style == ExpertStyle(playouts=30, trust=0.0)
    assert policy("expert").name == "expert"


def test_what_is_far_below_is_not_tried() -> None:
    view = seat("S3 H3 C4 D5 S6 S7 DK CA", left={2: 5, 3: 6, 4: 7})
    wide, narrow = (
        ExpertPolicy(ExpertStyle(playouts=40, below_max=below)).consider(view, RULES, Random(1))
        for below in (9.0, 0.1)
    )
    assert len(narrow.choices) < len(wide.choices)


def test_it_beats_chance() -> None:
    found = compare(ExpertPolicy(FEW), policy("random"), Rules(), deals=2, seed="expert")
    assert found.hands_won == 1
    assert found.net_levels > 2
