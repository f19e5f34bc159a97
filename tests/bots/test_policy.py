"""The levels there are, and what holds for every one of them."""

from __future__ import annotations

from random import Random

import pytest
from attrs import evolve

from guandan_bots.policy import POLICIES, UnknownLevel, policy
from guandan_engine.views import PhaseName
from tests.bots.games import TABLES, allowed, decisions
from tests.bots.levels import quick
from tests.bots.table import RULES, seat


def test_the_weakest_level_comes_first() -> None:
    assert tuple(POLICIES) == ("random", "basic", "club", "expert")


@pytest.mark.parametrize("name", POLICIES)
def test_a_level_is_had_by_its_name(name: str) -> None:
    assert policy(name).name == name


def test_an_unknown_level_is_told_what_there_is() -> None:
    with pytest.raises(
        UnknownLevel, match="no bot level 'godlike'; there are random, basic, club, expert"
    ) as no:
        policy("godlike")
    assert no.value.name == "godlike"


@pytest.mark.parametrize("table", TABLES)
def test_every_choice_is_legal(table: str) -> None:
    rules = TABLES[table]
    chance = Random(table)
    seen = set()
    for view in decisions(rules, table, hands=3):
        seen.add(view.public.phase)
        for name in POLICIES:
            choice = quick(name).choose(view, rules, chance)
            assert allowed(view, rules, choice), (name, view, choice)
    assert {PhaseName.LEADING, PhaseName.FOLLOWING} <= seen
    if rules.tribute_pick == "payer":
        assert {PhaseName.PAYING, PhaseName.RETURNING} <= seen


@pytest.mark.parametrize("name", POLICIES)
def test_chance_is_the_only_chance(name: str) -> None:
    one, other = quick(name), quick(name)
    for view in decisions(RULES, "same", hands=2):
        for seed in range(2):
            first = one.choose(view, RULES, Random(seed))
            assert other.choose(view, RULES, Random(seed)) == first


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("phase", PhaseName)
def test_who_is_not_asked_has_nothing_to_choose(name: str, phase: PhaseName) -> None:
    view = seat("S5 H5 S9")
    public = evolve(view.public, phase=phase, asked=())
    with pytest.raises(ValueError, match="nothing is asked of seat 1"):
        quick(name).choose(evolve(view, public=public), RULES, Random(1))
