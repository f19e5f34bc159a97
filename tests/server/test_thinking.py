"""Bots think beside the loop: what a table sees of it. In virtual time, without processes."""

from __future__ import annotations

import asyncio
from itertools import pairwise

from structlog.testing import capture_logs

from guandan_protocol import messages as m
from guandan_protocol.messages import SeatKind
from guandan_server.brains import Fallback
from guandan_server.items import Ask, Conn, Enter
from guandan_server.pool import BUDGET_S, HINTS, PATIENCE_LONG_S, PATIENCE_SHORT_S
from tests.server.thinkers import Salon, Workers, at_a_table, virtually

SPEEDY = 300
PACE_S_MAX = 1.25
"""At the usual pace of a second."""
LONGER_S = 1.3
ID = 2**32


# What is seen of it


def seen_of(takes_s: float) -> list[tuple[float, int]]:
    moves: list[tuple[float, int]] = []

    async def scenario(table: Salon) -> None:
        await table.open()
        await table.played(40)
        assert table.decided("expert", searched=True) > 15
        moves.extend(table.moves())

    at_a_table(scenario, Workers(takes_s, slow=("expert",)))
    return moves


def test_how_long_a_bot_thinks_is_not_seen_while_it_is_within_its_pace() -> None:
    at_once, long = seen_of(0.0), seen_of(BUDGET_S)
    assert len(at_once) > 30
    assert at_once == long


def test_who_thinks_longer_than_its_pace_plays_as_soon_as_it_knows() -> None:
    at_once, long = seen_of(0.0), seen_of(LONGER_S)
    assert [turn for _, turn in at_once][:30] == [turn for _, turn in long][:30]
    waits = [round(after[0] - before[0], 2) for before, after in pairwise(long)]
    assert waits.count(LONGER_S) > 15
    assert {wait for wait in waits if wait > PACE_S_MAX} == {LONGER_S}


def test_nobody_waits_long_for_a_bot_whose_worker_is_stuck() -> None:
    async def scenario(table: Salon) -> None:
        await table.open()
        await table.played(30)
        moves = table.moves()
        waits = [after[0] - before[0] for before, after in pairwise(moves)]
        assert max(waits) < PATIENCE_LONG_S + PATIENCE_SHORT_S + 0.1
        assert table.counted("expert", Fallback.LATE) > 0
        assert table.counted("club", Fallback.LATE) > 0
        assert table.decided("basic") > 0

    at_a_table(scenario, Workers(100_000.0))


def test_a_level_that_raises_is_replaced_by_the_next_lighter_one_and_said_once() -> None:
    async def scenario(table: Salon) -> None:
        with capture_logs() as logs:
            await table.open()
            await table.played(30)
        failures = [line for line in logs if line["event"] == "bot failed"]
        assert [(line["level"], line["trace"]) for line in failures] == [
            ("expert", "Traceback of the worker")
        ]
        assert table.counted("expert", Fallback.RAISED) > 10
        # And for the one whose autopilot plays.
        assert table.decided("club") > table.counted("expert", Fallback.RAISED)
        assert table.decided("expert") == table.decided("expert", searched=True) == 0

    at_a_table(scenario, Workers(raises="expert"))


def test_a_question_that_cannot_be_sent_is_one_for_the_next_lighter_level() -> None:
    async def scenario(table: Salon) -> None:
        assert table.workers is not None
        table.workers.fault = TypeError("cannot be pickled")
        await table.open()
        await table.played(20)
        assert table.counted("expert", Fallback.RAISED) > 10
        assert table.counted("expert", Fallback.RAISED) < table.counted("club", Fallback.RAISED)
        assert table.decided("basic") > 15

    at_a_table(scenario, Workers())


def test_levels_that_decide_at_once_are_asked_when_their_time_has_come() -> None:
    async def scenario(table: Salon) -> None:
        await table.open("basic")
        await table.played(20)
        assert table.workers is not None
        assert set(table.workers.asked) == {"club"}  # the autopilot
        assert table.decided("basic") > 10

    at_a_table(scenario, Workers())


def test_a_light_level_that_raises_costs_its_seat_the_clocks_move_and_is_said_once() -> None:
    async def scenario(table: Salon) -> None:
        table.brains.fails = True
        with capture_logs() as logs:
            await table.open("basic")
            await table.played(20)
        assert len([line for line in logs if line["event"] == "bot failed"]) == 1
        assert table.decided("basic") == 0

    at_a_table(scenario, None)


# A room that moves on


def test_a_thought_for_a_person_who_took_the_seat_is_dropped() -> None:
    async def scenario(table: Salon) -> None:
        await table.open(pace_ms=SPEEDY)
        room = table.actor.room
        await table.until(lambda: room.state.seat(table.asked()).kind is SeatKind.BOT)
        seat, turn = table.asked(), room.state.match.turn
        await asyncio.sleep(0.4)  # its time has come, its thought has not
        assert room.state.match.turn == turn
        assert table.workers is not None
        assert table.workers.asked, "it is being thought about"
        table.actor.put(Enter(Conn(2), m.Join(m.VERSION, room.code, "Bob", seat)))
        await table.until(lambda: table.heard(Conn(2)))
        await asyncio.sleep(5)
        assert room.state.match.turn == turn
        assert room.state.seat(seat).name == "Bob"

    at_a_table(scenario, Workers(1.0))


def test_a_thought_of_a_seat_that_is_taken_before_its_time_is_not_waited_for() -> None:
    async def scenario(table: Salon) -> None:
        await table.open()
        room = table.actor.room
        await table.until(lambda: room.state.seat(table.asked()).kind is SeatKind.BOT)
        seat, turn = table.asked(), room.state.match.turn
        await asyncio.sleep(0.1)
        table.actor.put(Enter(Conn(2), m.Join(m.VERSION, room.code, "Bob", seat)))
        await table.until(lambda: table.heard(Conn(2)))
        await asyncio.sleep(5)
        assert room.state.match.turn == turn
        assert table.decided("expert", searched=True) == 0

    at_a_table(scenario, Workers(0.5))


def test_a_room_that_ends_waits_for_no_thought() -> None:
    async def scenario(table: Salon) -> None:
        await table.open()
        await asyncio.sleep(0.1)
        begun = asyncio.get_running_loop().time()
        await table.close()
        assert asyncio.get_running_loop().time() - begun < 0.1

    at_a_table(scenario, Workers(50.0))


def test_a_level_that_this_node_does_not_have_is_played_by_the_default_one() -> None:
    async def scenario() -> None:
        able = Salon(Workers())
        await able.open()
        await able.played(4)
        await able.close()
        plain = Salon(None, shelf=able.shelf)
        plain.actor = await plain.rooms.find(able.actor.room.code)
        hello = m.Watch(m.VERSION, able.actor.room.code)
        plain.actor.put(Enter(plain.conn, hello))
        await plain.until(plain.heard)
        welcome = plain.heard()[0]
        assert isinstance(welcome, m.Welcome)
        assert welcome.levels == ("basic",)
        plain.actor.put(Enter(Conn(2), m.Join(m.VERSION, able.actor.room.code, "Bob")))
        before = plain.actor.room.state.match.turn
        await plain.until(lambda: plain.actor.room.state.match.turn > before)
        assert plain.counted("expert", Fallback.ABSENT) > 0
        await plain.close()

    virtually(scenario())


# Hints


async def asks(table: Salon, number: int) -> m.Hints | m.Refused:
    table.actor.put(Ask(table.conn, m.AskHints(number)))
    await table.until(lambda: table.answer(number))
    answer = table.answer(number)
    assert answer is not None
    return answer


async def my_turn(table: Salon) -> None:
    await table.act(lambda n: m.Autopilot(n, on=False))
    await table.until(lambda: table.asked() == 1)


def test_hints_come_from_a_worker_once_one_is_there_and_once_a_turn() -> None:
    async def scenario(table: Salon) -> None:
        await table.open()
        await my_turn(table)
        assert table.workers is not None
        assert isinstance(await asks(table, ID), m.Hints)
        assert isinstance(await asks(table, ID + 1), m.Hints)
        assert table.workers.asked.count("hints") == 1

    at_a_table(scenario, Workers())


def test_hints_that_a_worker_cannot_give_are_refused_and_never_tried_in_the_loop() -> None:
    async def scenario(table: Salon) -> None:
        await table.open()
        await my_turn(table)
        answer = await asks(table, ID)
        assert isinstance(answer, m.Refused)
        assert answer.code == m.Code.INTERNAL
        assert table.counted(HINTS, Fallback.RAISED) == 1

    at_a_table(scenario, Workers(raises="hints"))


def test_hints_that_take_too_long_are_to_be_asked_for_again() -> None:
    async def scenario(table: Salon) -> None:
        await table.open()
        await my_turn(table)
        assert table.workers is not None
        table.workers.hints_take_s = 100.0
        answer = await asks(table, ID)
        assert isinstance(answer, m.Refused)
        assert answer.code == m.Code.BUSY
        assert answer.retry_ms
        assert table.counted(HINTS, Fallback.LATE) == 1

    at_a_table(scenario, Workers())


def test_hints_that_nobody_can_give_are_refused() -> None:
    async def scenario(table: Salon) -> None:
        await table.open()
        await my_turn(table)
        table.brains.fails = True
        answer = await asks(table, ID)
        assert isinstance(answer, m.Refused)
        assert answer.code == m.Code.INTERNAL

    at_a_table(scenario, Workers(raises="hints"))
