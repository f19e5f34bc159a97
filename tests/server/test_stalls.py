"""Time in which the store, or this process, stood still: it is taken off nobody's clock."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from guandan_engine.views import asked
from guandan_protocol import messages as m
from guandan_protocol.codec import encode
from guandan_protocol.messages import Control, Settings
from guandan_server.actor import STALL_MS, Actor
from guandan_server.deadlines import ClockRunsOut
from guandan_server.items import Act, Conn, Enter, Take
from guandan_server.store_memory import Fault
from tests.server.test_actor import House
from tests.server.waiting import until

CLOCK_S = 30


class Shift:
    """A clock that can be put forward: to everybody in the process it is as if it had slept."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        loop = asyncio.get_running_loop()
        real = loop.time
        self.by_s = 0.0
        monkeypatch.setattr(loop, "time", lambda: real() + self.by_s)


@pytest.fixture
async def shift(monkeypatch: pytest.MonkeyPatch) -> Shift:
    return Shift(monkeypatch)


@pytest.fixture
async def house(shift: Shift) -> AsyncIterator[House]:
    house = House()
    yield house
    await house.rooms.stop()


async def playing(house: House) -> tuple[Actor, dict[int, Conn]]:
    """A table of four people with a clock, in the first turn; a connection by seat."""
    settings = Settings(clock_s=CLOCK_S, grace_s=600)
    made = await house.rooms.create(m.Create(m.VERSION, "Ann", bytes(16), settings=settings))
    conns = {1: house.conn()}
    made.actor.put(Take(conns[1], made.seat, made.token))
    for seat, name in ((2, "Bob"), (3, "Cid"), (4, "Dee")):
        conns[seat] = house.conn()
        made.actor.put(Enter(conns[seat], m.Join(m.VERSION, made.actor.room.code, name)))
        await until(lambda: house.wires.heard.get(conns[seat]))  # noqa: B023  awaited at once
    assert isinstance(await house.act(made.actor, conns[1], m.Start(1)), m.Done)
    return made.actor, conns


def clock(actor: Actor) -> int:
    """When the clock of whoever is asked runs out."""
    (at,) = [
        at
        for timer, at in actor.room._deadlines.items()  # noqa: SLF001  its present
        if isinstance(timer, ClockRunsOut)
    ]
    return at


async def test_clocks_stand_still_while_the_store_stalls(house: House, shift: Shift) -> None:
    actor, conns = await playing(house)
    (turn,) = asked(actor.room.state.match)
    other = next(seat for seat in conns if seat != turn)
    before = clock(actor)

    async def stall(method: str, room: str) -> Fault:
        del room
        if method == "commit":
            shift.by_s += 2
        return Fault.NONE

    house.store.faults = stall
    answer = await house.act(actor, conns[other], m.Autopilot(2, on=False, pace_ms=500))
    assert isinstance(answer, m.Done)
    assert clock(actor) - before >= 2_000
    assert clock(actor) - before < 2_000 + STALL_MS


async def test_clocks_stand_still_while_the_store_is_away(house: House, shift: Shift) -> None:
    """Three seconds in vain, and the same again as long as it goes on."""
    actor, conns = await playing(house)
    (turn,) = asked(actor.room.state.match)
    other = next(seat for seat in conns if seat != turn)
    before = clock(actor)

    async def away(method: str, room: str) -> Fault:
        del method, room
        shift.by_s += 3
        return Fault.NOT_DONE

    house.store.faults = away
    for _ in range(4):
        answer = await house.act(actor, conns[other], m.Autopilot(2, on=False, pace_ms=500))
        assert isinstance(answer, m.Refused)
        assert answer.code == m.Code.STORAGE_UNAVAILABLE
    assert clock(actor) - before >= 12_000


async def test_a_play_that_came_while_we_stood_still_is_no_timeout(
    house: House, shift: Shift
) -> None:
    actor, conns = await playing(house)
    (seat,) = asked(actor.room.state.match)
    match = actor.room.state.match
    card = next(iter(match.hands[seat - 1]))
    play = m.Play(2 if seat == 1 else 1, type(match.hands[0]).of([card]), None, match.turn)
    # The loop stands still until after the clock has run out. What has come meanwhile is read
    # behind the timers that are due: so the alarm rings first.
    shift.by_s += CLOCK_S + 2
    asyncio.get_running_loop().call_later(0.001, actor.put, Act(conns[seat], play, encode(play)))
    before, seq = len(house.wires.heard[conns[seat]]), actor.room.seq
    await until(lambda: actor.room.seq > seq)
    heard = house.wires.heard[conns[seat]][before:]
    assert any(isinstance(one, m.Done) for one in heard)
    assert actor.room.state.seat(seat).timeouts == 0


async def test_a_clock_that_runs_out_does_so_however_late_the_loop_is(
    house: House, shift: Shift
) -> None:
    """A node with too much to do puts every alarm off once, and no more."""
    actor, _ = await playing(house)
    (seat,) = asked(actor.room.state.match)
    seq, due = actor.room.seq, clock(actor)
    shift.by_s += CLOCK_S + 2
    await until(lambda: clock(actor) > due)
    assert actor.room.seq == seq
    shift.by_s += CLOCK_S + 2
    await until(lambda: actor.room.seq > seq)
    assert actor.room.state.seat(seat).timeouts == 1
    assert actor.room.state.seat(seat).control is Control.SELF
