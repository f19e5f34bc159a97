from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import AsyncIterator, Sequence

import pytest

from guandan_engine.options import Rules
from guandan_engine.phases import Leading
from guandan_engine.record import read, verify
from guandan_engine.views import SeatView
from guandan_protocol import messages as m
from guandan_protocol.codec import encode
from guandan_protocol.messages import Close, Code, Stage
from guandan_server import roomstate
from guandan_server.actor import Actor, Tools
from guandan_server.items import Act, Choice, Conn, Enter, Take
from guandan_server.refusals import Refusal
from guandan_server.rooms import Rooms
from guandan_server.store import Claimed, Loaded
from guandan_server.store_memory import Fault, MemoryStore, Shelf
from tests.server.driver import any_choice
from tests.server.waiting import until


class Wires:
    """What connections got."""

    def __init__(self) -> None:
        self.heard: dict[Conn, list[m.ServerMessage]] = {}
        self.closed: dict[Conn, tuple[Close, m.Goodbye]] = {}

    def send(self, conn: Conn, message: m.ServerMessage) -> None:
        self.heard.setdefault(conn, []).append(message)

    def drop(self, conn: Conn, close: Close, goodbye: m.Goodbye) -> None:
        self.closed[conn] = (close, goodbye)


class AnyBrains:
    fails = False

    def levels(self) -> Sequence[str]:
        return ("basic",)

    def choose(self, level: str, view: SeatView, rules: Rules, entropy: bytes) -> Choice:
        if self.fails:
            raise ZeroDivisionError(level)
        return any_choice(view, rules, random.Random(entropy))

    def hints(self, view: SeatView, rules: Rules) -> tuple[tuple[m.Hint, ...], int]:
        if self.fails:
            raise ZeroDivisionError
        return (), -1


class House:
    """Rooms on a store in memory, with one person at a table."""

    def __init__(self) -> None:
        self.shelf = Shelf()
        self.store = MemoryStore(clock=time.monotonic, shelf=self.shelf)
        self.faults: list[Fault] = []
        self.store.faults = self._fault
        self.wires = Wires()
        self.brains = AnyBrains()
        self.rooms = Rooms(Tools(self.store, self.wires, self.brains), node="a", haste=1e6)
        self._conns = 0
        self._n = 0

    async def _fault(self, method: str, room: str) -> Fault:
        del room
        return self.faults.pop(0) if self.faults and method == "commit" else Fault.NONE

    def conn(self) -> Conn:
        self._conns += 1
        return Conn(self._conns)

    async def open(self) -> tuple[Actor, Conn, bytes]:
        made = await self.rooms.create(m.Create(m.VERSION, "Ann", os.urandom(16)))
        conn = self.conn()
        made.actor.put(Take(conn, made.seat, made.token))
        await until(lambda: self.wires.heard.get(conn))
        return made.actor, conn, made.token

    async def act(self, actor: Actor, conn: Conn, action: m.Action) -> m.Done | m.Refused:
        before = len(self.wires.heard[conn])
        assert actor.put(Act(conn, action, encode(action)))

        def answer() -> m.Done | m.Refused | None:
            new = self.wires.heard[conn][before:]
            return next((one for one in new if isinstance(one, m.Done | m.Refused)), None)

        await until(answer)
        found = answer()
        assert found is not None
        return found

    async def stored(self, room: str) -> roomstate.RoomState:
        loaded = await self.store.load(room)
        assert isinstance(loaded, Loaded)
        return roomstate.load(loaded.snapshot)


@pytest.fixture
async def house() -> AsyncIterator[House]:
    house = House()
    yield house
    await house.rooms.stop()


async def test_what_everybody_hears_is_stored(house: House) -> None:
    actor, conn, _ = await house.open()
    assert await house.act(actor, conn, m.Start(1)) == m.Done(1, 1)
    assert await house.stored(actor.room.code) == actor.room.state


async def test_a_commit_that_was_not_done_is_done_when_it_is_sent_again(house: House) -> None:
    actor, conn, _ = await house.open()
    house.faults = [Fault.NOT_DONE]
    refused = await house.act(actor, conn, m.Start(1))
    assert isinstance(refused, m.Refused)
    assert (refused.code, refused.retry_ms is not None) == (Code.STORAGE_UNAVAILABLE, True)
    assert actor.room.state.stage is Stage.LOBBY
    assert await house.act(actor, conn, m.Start(1)) == m.Done(1, 1)
    assert len(await house.store.log(actor.room.code)) == 1


async def test_a_commit_whose_answer_was_lost_counts_once(house: House) -> None:
    actor, conn, _ = await house.open()
    house.faults = [Fault.REPLY_LOST]
    refused = await house.act(actor, conn, m.SetPace(1, 300))
    assert isinstance(refused, m.Refused)
    assert refused.code == Code.STORAGE_UNAVAILABLE
    # The next item finds out that it was stored; sent again, it is known.
    assert await house.act(actor, conn, m.SetPace(1, 300)) == m.Done(1, 1)
    assert actor.room.state.settings.pace_ms == 300
    assert len(await house.store.log(actor.room.code)) == 1
    assert await house.stored(actor.room.code) == actor.room.state


async def test_a_room_that_another_node_claimed_is_let_go(house: House) -> None:
    actor, conn, _ = await house.open()
    code = actor.room.code
    loaded = await house.store.load(code)
    assert isinstance(loaded, Loaded)
    assert isinstance(await house.store.claim(code, node="b", expect_fence=loaded.fence), Claimed)
    actor.put(Act(conn, m.Start(1), encode(m.Start(1))))
    await until(lambda: conn in house.wires.closed)
    assert house.wires.closed[conn][0] == m.CLOSE_GOING_AWAY
    assert not [h for h in house.wires.heard[conn] if isinstance(h, m.Done)]
    await until(lambda: len(house.rooms) == 0)


async def test_a_deleted_room_does_not_come_back(house: House) -> None:
    actor, conn, _ = await house.open()
    house.shelf.flush()
    actor.put(Act(conn, m.Start(1), encode(m.Start(1))))
    await until(lambda: conn in house.wires.closed)
    assert house.wires.closed[conn] == (m.CLOSE_ROOM_GONE, m.Goodbye(Code.ROOM_GONE))
    with pytest.raises(Refusal) as refusal:
        await house.rooms.find(actor.room.code)
    assert refusal.value.code == Code.NO_SUCH_ROOM


async def test_a_woken_room_goes_on_where_it_was(house: House) -> None:
    actor, conn, token = await house.open()
    await house.act(actor, conn, m.Start(1))
    await actor.stop()
    again = await house.rooms.find(actor.room.code)
    assert again is not actor
    assert again.room.state == actor.room.state
    back = house.conn()
    again.put(Enter(back, m.Resume(m.VERSION, actor.room.code, token)))
    await until(lambda: house.wires.heard.get(back))
    welcome = house.wires.heard[back][0]
    assert isinstance(welcome, m.Welcome)
    assert (welcome.counter, welcome.seq, welcome.seat) == (1, 1, 1)
    # What was acknowledged before is known to the new owner too.
    assert await house.act(again, back, m.Start(1)) == m.Done(1, 1)


async def test_many_hellos_at_once_wake_a_room_once(house: House) -> None:
    actor, _, _ = await house.open()
    await actor.stop()
    found = await asyncio.gather(*[house.rooms.find(actor.room.code) for _ in range(20)])
    assert len(set(found)) == 1


async def test_the_same_create_id_gives_the_same_room(house: House) -> None:
    hello = m.Create(m.VERSION, "Ann", os.urandom(16))
    made = await asyncio.gather(*[house.rooms.create(hello) for _ in range(10)])
    assert len({one.actor for one in made}) == 1
    assert len({one.token for one in made}) == 1
    again = await house.rooms.create(hello)
    assert again.token == made[0].token


async def test_a_policy_that_fails_costs_only_its_seat(house: House) -> None:
    actor, conn, _ = await house.open()
    house.brains.fails = True
    await house.act(actor, conn, m.Start(1))
    await house.act(actor, conn, m.Autopilot(2, on=True, pace_ms=300))
    await until(lambda: actor.room.state.match.turn > 12)
    played = {seat for seat in (1, 2, 3, 4) if len(actor.room.state.match.hands[seat - 1]) < 27}
    assert played
    assert conn not in house.wires.closed


async def test_a_match_is_on_record_when_it_is_over(house: House) -> None:
    actor, conn, _ = await house.open()
    await house.act(actor, conn, m.Autopilot(1, on=True, pace_ms=300))
    await house.act(actor, conn, m.Start(2))
    await until(lambda: actor.room.state.stage is Stage.MATCH_OVER, timeout_s=60)
    assert await house.store.records(actor.room.code) == (1,)
    kept = await house.store.load_record(actor.room.code, 1, offset=0, limit=10**7)
    assert kept is not None
    record = read(kept.body.decode())
    assert verify(record) == []
    assert record.names[0] == "Ann"
    assert not isinstance(actor.room.state.match.phase, Leading)


async def test_a_fault_of_ours_ends_one_room_and_no_other(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    actor, conn, _ = await house.open()
    other, other_conn, _ = await house.open()

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(actor.room, "handle", broken)
    actor.put(Act(conn, m.Start(1), encode(m.Start(1))))
    await until(lambda: conn in house.wires.closed)
    assert house.wires.closed[conn][1].code == Code.INTERNAL
    assert await house.act(other, other_conn, m.Start(1)) == m.Done(1, 1)
