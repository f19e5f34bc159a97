"""A policy that fails costs a move, and neither the match nor the others at the table."""

from __future__ import annotations

from random import Random

import pytest

from guandan_bots.arena import play_hand
from guandan_bots.contest import RULES
from guandan_bots.policy import PASS, Choice, Give, policy
from guandan_bots.steady import Steady
from guandan_engine.notation import parse_card
from guandan_engine.options import Rules
from guandan_engine.views import SeatView
from tests.bots.games import TABLES, allowed, decisions


class Broken:
    """Raises, or answers nonsense."""

    name = "broken"

    def __init__(self, answer: Choice | None) -> None:
        self._answer = answer

    def choose(self, view: SeatView, rules: Rules, rng: Random) -> Choice:
        del view, rules, rng
        if self._answer is None:
            raise RuntimeError("out of ideas")
        return self._answer


@pytest.mark.parametrize("answer", [None, PASS, Give(parse_card("SA"))], ids=str)
def test_for_a_bot_that_fails_the_clock_plays_and_it_is_counted(answer: Choice | None) -> None:
    steady = Steady(Broken(answer))
    for view in decisions(TABLES["free"], "broken", hands=2):
        assert allowed(view, TABLES["free"], steady.choose(view, TABLES["free"], Random(1)))
    assert steady.fallbacks > 0
    assert steady.fallbacks <= len(steady.times_us)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (None, "broken failed: RuntimeError: out of ideas"),
        (Give(parse_card("SA")), "broken chose what the rules do not allow"),
    ],
    ids=str,
)
def test_each_fault_is_told_once(answer: Choice | None, says: str) -> None:
    told: list[str] = []
    steady = Steady(Broken(answer), told.append)
    play_hand((steady, policy("random")) * 2, RULES, "told")
    assert steady.fallbacks > 10
    assert told == [says]


def test_a_bot_that_can_answer_is_not_meddled_with() -> None:
    steady = Steady(policy("basic"))
    outcome = play_hand((steady, policy("random")) * 2, RULES, "steady")
    assert outcome == play_hand((policy("basic"), policy("random")) * 2, RULES, "steady")
    assert (steady.name, steady.fallbacks) == ("basic", 0)
