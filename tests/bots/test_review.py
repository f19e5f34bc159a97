"""A finished match gone through again: fair to what a seat knew, and honest about chance."""

from __future__ import annotations

from contextlib import closing
from functools import cache
from random import Random

import pytest
from attrs import evolve

from guandan_bots import review as module
from guandan_bots.expert import ExpertStyle
from guandan_bots.policy import PASS, Choice
from guandan_bots.review import (
    COSTS,
    Decision,
    Plan,
    Reviewed,
    balance,
    decisions,
    review,
    reviewed,
    worst_first,
)
from guandan_engine import commands
from guandan_engine.events import Played
from guandan_engine.machine import step
from guandan_engine.moves import Offer, legal_plays
from guandan_engine.options import rules
from guandan_engine.record import Record, replay
from guandan_engine.seats import SEATS, Seat
from guandan_engine.views import seat_view
from tests.bots.recorded import RULES, recorded
from tests.engine.twins import twin
from tests.engine.walks import Step, walk

PLAN = Plan(playouts=16)
STRONG = ("club", "club", "club", "club")
MIXED = ("random", "club", "random", "club")


@cache
def gone_through(levels: tuple[str, ...], seed: str) -> tuple[list[Decision], list[Reviewed]]:
    found = list(decisions(recorded(levels, seed)))
    return found, list(reviewed(found, RULES, PLAN, workers=1))


# What is a decision.


def steps(record: Record) -> list[Step]:
    found = []
    matches = list(replay(record))
    for (before, _), (after, events), command in zip(
        matches, matches[1:], record.commands[1:], strict=False
    ):
        found.append(Step(before, command, after, events))
    return found


def options(one: Step, seat: Seat) -> int:
    """How many things a seat could do."""
    view = seat_view(one.before, seat)
    top = view.public.top
    plays = legal_plays(view.private.hand, view.public.level, RULES, top)
    return len(plays) + (top is not None)


def test_decisions_are_the_plays_and_passes_with_a_choice() -> None:
    record = recorded(STRONG, "one")
    expected = []
    forced = 0
    for one in steps(record):
        command = one.command
        if isinstance(command, commands.Play | commands.Pass):
            if options(one, command.seat) < 2:
                forced += 1
                continue
            played = [event for event in one.events if isinstance(event, Played)]
            choice = Offer(played[0].cards, played[0].reading) if played else PASS
            expected.append(Decision(seat_view(one.before, command.seat), choice))
    assert list(decisions(record)) == expected
    assert forced > 0
    assert [one for one in expected if one.seat == 3] == list(decisions(record, [Seat(3)]))


def test_what_a_clock_did_is_nobodys_decision() -> None:
    record = recorded(STRONG, "one")
    passed = next(
        place for place, one in enumerate(record.commands) if isinstance(one, commands.Pass)
    )
    seat = record.commands[passed].seat  # type: ignore[union-attr]  # a pass has one
    clocked = commands.TimeOut(seat, turn=passed)
    late = evolve(
        record, commands=(*record.commands[:passed], clocked, *record.commands[passed + 1 :])
    )
    expected = [one for one in decisions(record) if one.turn != passed]
    assert list(decisions(late)) == expected


def test_a_record_without_readings_has_the_decisions_of_one_with_them() -> None:
    record = recorded(STRONG, "one")
    bare = tuple(
        [evolve(c, reading=None) if isinstance(c, commands.Play) else c for c in record.commands]
    )
    assert len(list(decisions(evolve(record, commands=bare)))) == len(list(decisions(record)))


# What is said of one.


def test_the_same_view_gets_the_same_verdict_whatever_the_others_hold() -> None:
    chance = Random("twins")
    tried = different = 0
    for one in walk(rules("site"), 7, hands_max=1):
        command = one.command
        if not isinstance(command, commands.Play | commands.Pass) or chance.random() < 0.7:
            continue
        other = twin(one, command.seat, chance)
        if other is None:
            continue
        assert step(other.before, other.command)  # it can happen there as well
        choice: Choice = PASS
        if isinstance(command, commands.Play):
            reading = next(event.reading for event in one.events if isinstance(event, Played))
            choice = Offer(command.cards, reading)
        views = [seat_view(match, command.seat) for match in (one.before, other.before)]
        found = [review(Decision(view, choice), RULES, PLAN) for view in views]
        assert found[0] == found[1]
        tried += 1
        different += other.before.hands != one.before.hands
    assert tried >= different > 10


def test_a_plan_says_the_same_twice_and_another_seed_something_else() -> None:
    _, once = gone_through(MIXED, "two")
    few = [one.decision for one in once[:12]]
    assert [review(one, RULES, PLAN) for one in few] == once[:12]
    other = evolve(PLAN, seed="2")
    assert [review(one, RULES, other) for one in few] != once[:12]


def test_processes_say_what_one_says() -> None:
    found, alone = gone_through(MIXED, "two")
    with closing(reviewed(found[:10], RULES, PLAN, workers=2)) as together:
        assert sorted(together, key=lambda one: one.decision.turn) == alone[:10]


def test_whoever_plays_anything_gives_away_much_more_than_a_good_player() -> None:
    seats = (Seat(1), Seat(2))
    found = list(decisions(recorded(MIXED, "two", hands=2), seats))
    reviews = list(reviewed(found, RULES, Plan(playouts=60), workers=1))
    wild, good = [balance(found, reviews, seat) for seat in seats]
    errors = (wild.standard_error**2 + good.standard_error**2) ** 0.5
    assert wild.gain > max(good.gain, 0) + 2 * errors
    assert wild.agreed / wild.reviewed < 0.6 < good.agreed / good.reviewed


def test_what_expert_plays_itself_gives_nothing_away() -> None:
    found, _ = gone_through(MIXED, "two")
    for one in found[:8]:
        best = review(one, RULES, PLAN).best
        again = review(evolve(one, choice=best), RULES, PLAN)
        assert (again.best, again.gain, again.standard_error) == (best, 0, 0)
        assert again.agreed
        assert not again.sure


def test_reasons_speak_for_what_expert_plays_and_against_what_was_played() -> None:
    _, reviews = gone_through(MIXED, "two")
    differing = [one for one in reviews if one.best != one.decision.choice]
    assert any(one.reason for one in differing)
    assert all(one.reason not in COSTS for one in differing)
    assert all(one.cost is None or one.cost in COSTS for one in differing)


# How sure it is.


def said(gain: float, error: float, turn: int = 0, worlds: int = 50) -> Reviewed:
    found, _ = gone_through(MIXED, "two")
    one = [one for one in found if len(one.view.private.hand) <= ExpertStyle().late][turn]
    best = PASS if one.choice != PASS else next(d.choice for d in found if d.choice != PASS)
    return Reviewed(one, best, gain, error, worlds)


def test_two_errors_make_it_sure_either_way() -> None:
    assert (said(0.6, 0.2).sure, said(0.6, 0.2).outdone) == (True, False)
    assert (said(0.5, 0.2).sure, said(-0.5, 0.2).outdone) == (False, False), "within the margin"
    assert (said(-0.6, 0.2).sure, said(-0.6, 0.2).outdone) == (False, True)


def test_of_a_large_hand_nothing_is_sure() -> None:
    found, _ = gone_through(MIXED, "two")
    large = next(one for one in found if len(one.view.private.hand) > ExpertStyle().late)
    assert not Reviewed(large, PASS, gain=3.0, standard_error=0.1, worlds=50).sure


def test_the_surely_worst_comes_first() -> None:
    doubtful, small, large, better = (
        said(2, 1.5, 0),
        said(0.4, 0.1, 1),
        said(1, 0.1, 2),
        said(-1, 0.1, 3),
    )
    assert worst_first([better, small, doubtful, large]) == [large, small, doubtful, better]


def test_worlds_that_all_agree_are_no_proof() -> None:
    _, reviews = gone_through(MIXED, "two")
    differing = [one for one in reviews if one.best != one.decision.choice]
    assert min(one.standard_error * one.worlds for one in differing) >= 1


def test_a_balance_adds_up_what_was_looked_at() -> None:
    found, reviews = gone_through(MIXED, "two")
    own = [one for one in reviews if one.decision.seat == 1]
    half = balance(found, own[:5], Seat(1))
    assert (half.decisions, half.reviewed) == (len(own), 5)
    assert half.gain == pytest.approx(sum(one.gain for one in own[:5]))
    assert half.standard_error**2 == pytest.approx(sum(o.standard_error**2 for o in own[:5]))
    nothing = balance(found, [], Seat(2))
    assert (nothing.reviewed, nothing.gain, nothing.standard_error) == (0, 0, 0)
    assert sum(balance(found, reviews, seat).reviewed for seat in SEATS) == len(found)


# How long it takes.


def test_no_decision_is_begun_when_the_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    found, reviews = gone_through(MIXED, "two")
    clock = iter(range(100))
    monkeypatch.setattr(module, "monotonic", lambda: float(next(clock)))
    timed = evolve(PLAN, seconds=4.0)
    assert list(reviewed(found, RULES, timed, workers=1)) == reviews[:3]
