"""Whose time it is: of who is away, of who is far away, and never of who says so."""

from __future__ import annotations

import re
import typing
from typing import get_args, get_type_hints

import pytest

from guandan_engine.phases import HandOver
from guandan_engine.seats import Seat
from guandan_engine.views import asked
from guandan_protocol import messages as m
from guandan_protocol.messages import Control, Settings
from guandan_server.deadlines import LATENCY_MS, BotMoves, ClockRunsOut
from tests.server.driver import Driver
from tests.server.test_room import play_own_turn

CLOCK_S = 20


def of_two(**how: object) -> tuple[Driver, dict[int, typing.Any]]:
    """Ann and Bob, with two bots, in the first turn that is a person's."""
    settings = Settings(clock_s=CLOCK_S, grace_s=60)
    table = Driver.create(settings=settings, **how)  # type: ignore[arg-type]  # passed on
    people = {1: table.host, 2: table.join("Bob")}
    table.act(table.host, m.Start(1))
    return table, people


def of_a_person(table: Driver) -> bool:
    return any(seat in (1, 2) for seat in asked(table.state.match))


@pytest.mark.parametrize(
    ("late_ms", "counts"), [(-1, True), (0, True), (LATENCY_MS - 1, True), (LATENCY_MS, False)]
)
def test_a_play_that_was_on_its_way_counts(late_ms: int, *, counts: bool) -> None:
    table, people = of_two(seed=4)
    table.play_on(until=lambda: of_a_person(table))
    (seat,) = asked(table.state.match)
    turn, begun = table.state.match.turn, table.now
    assert table.last(people[seat]).view.clock_ms == CLOCK_S * 1000
    table.wait(CLOCK_S * 1000 + late_ms)
    answer = play_own_turn(table, people[seat], 2) if counts else None
    assert table.now == begun + CLOCK_S * 1000 + late_ms
    assert table.state.match.turn > turn
    assert isinstance(answer, m.Done) is counts
    assert table.state.seat(Seat(seat)).timeouts == (0 if counts else 1)


def test_who_is_away_when_a_hand_begins_is_played_for_and_holds_nobody_up() -> None:
    table, people = of_two(seed=3)
    table.act(people[2], m.Autopilot(1, on=True, pace_ms=300))
    table.leave_off(people[1])
    table.play_on(until=lambda: table.state.seat(Seat(1)).control is Control.STAND_IN)
    table.play_on(until=lambda: table.state.match.deal.number == 2)
    # Not one clock of the absent runs in the new hand: its bot is asked instead.
    seen, before = set(), table.state.seat(Seat(1)).timeouts
    while not isinstance(table.state.match.phase, HandOver):
        timers = table.room._deadlines  # noqa: SLF001  its present
        seen |= {type(timer) for timer in timers if getattr(timer, "seat", None) == 1}
        table.tick()
    assert BotMoves in seen
    assert ClockRunsOut not in seen
    assert table.state.seat(Seat(1)).timeouts == before


def test_who_goes_between_two_hands_costs_the_next_one_two_clocks_at_most() -> None:
    table, people = of_two(seed=3)
    for seat in (1, 2):
        table.act(people[seat], m.Autopilot(2, on=True, pace_ms=300))
    table.play_on(until=lambda: isinstance(table.state.match.phase, HandOver))
    for seat in (1, 2):
        table.act(people[seat], m.Autopilot(3, on=False))
    table.leave_off(people[1])
    table.play_on(until=lambda: table.state.seat(Seat(1)).control is Control.STAND_IN)
    assert table.state.seat(Seat(1)).timeouts <= 2


TIMES = re.compile(r"(^|_)(at|time|when|clock|ms|s|now|date|sent|due|deadline|elapsed)(_|$)")


def test_no_client_can_say_what_time_it_is() -> None:
    """Its clock may be wrong, or lie: there is no field for it, and it is never asked."""
    told = set()
    kinds = get_args(m.ClientMessage)
    flat = {kind for one in kinds for kind in (get_args(one) or (one,))}
    assert len(flat) > 20
    for kind in flat:
        told |= {f"{kind.__name__}.{name}" for name in get_type_hints(kind) if TIMES.search(name)}
    # A pace that somebody likes is no time of day, nor one that has passed.
    assert told <= {"SetPace.pace_ms", "Autopilot.pace_ms"}
