"""What worlds of the simulation broke on, one at a time; and how a room gets out of it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from attrs import evolve

from guandan_protocol import messages as m
from guandan_protocol.codec import encode
from guandan_protocol.messages import Code, Stage
from guandan_server.items import Act, Enter, Gone
from guandan_server.store import Claimed, Loaded
from guandan_server.store_memory import Fault
from tests.server.test_actor import House
from tests.server.waiting import until


class Trouble:
    """Which fault the next call of each method meets."""

    def __init__(self, house: House) -> None:
        self.next: dict[str, list[Fault]] = {}
        house.store.faults = self._fault

    async def _fault(self, method: str, room: str) -> Fault:
        del room
        faults = self.next.get(method)
        return faults.pop(0) if faults else Fault.NONE


@pytest.fixture
async def house() -> AsyncIterator[House]:
    house = House()
    yield house
    await house.rooms.stop()


@pytest.fixture
def trouble(house: House) -> Trouble:
    return Trouble(house)


async def taken_by_another(house: House, code: str) -> None:
    loaded = await house.store.load(code)
    assert isinstance(loaded, Loaded)
    assert isinstance(await house.store.claim(code, node="b", expect_fence=loaded.fence), Claimed)


async def test_something_else_under_a_counter_in_doubt_is_not_called_done(
    house: House, trouble: Trouble
) -> None:
    actor, conn, _ = await house.open()
    trouble.next["commit"] = [Fault.REPLY_LOST]
    refused = await house.act(actor, conn, m.SetPace(1, 300))
    assert isinstance(refused, m.Refused)
    other = await house.act(actor, conn, m.SetPace(1, 500))
    assert isinstance(other, m.Refused)
    assert other.code == Code.ACTION_CONFLICT
    assert actor.room.state.settings.pace_ms == 300
    assert not [one for one in house.wires.heard[conn] if isinstance(one, m.Done)]


async def test_who_was_turned_away_is_no_ghost_when_the_seat_is_theirs_after_all(
    house: House, trouble: Trouble
) -> None:
    actor, host, _ = await house.open()
    bob = house.conn()
    trouble.next = {"commit": [Fault.REPLY_LOST], "load": [Fault.NOT_DONE]}
    actor.put(Enter(bob, m.Join(m.VERSION, actor.room.code, "Bob")))
    await until(lambda: bob in house.wires.closed)
    actor.put(Gone(bob))
    assert await house.act(actor, host, m.SetPace(1, 300)) == m.Done(1, 2)
    seat = actor.room.view(0).seats[1]
    assert (seat.name, seat.online) == ("Bob", False)


async def test_whoever_comes_in_when_the_room_is_lost_is_sent_after_it(
    house: House, trouble: Trouble
) -> None:
    del trouble
    actor, host, _ = await house.open()
    await taken_by_another(house, actor.room.code)
    bob = house.conn()
    actor.put(Enter(bob, m.Join(m.VERSION, actor.room.code, "Bob")))
    await until(lambda: {host, bob} <= house.wires.closed.keys())
    assert house.wires.closed[bob][0] == m.CLOSE_GOING_AWAY
    assert bob not in house.wires.heard


async def test_a_room_that_is_another_s_is_given_up_when_it_is_looked_at(house: House) -> None:
    actor, host, _ = await house.open()
    house.rooms.recheck()
    assert await house.act(actor, host, m.SetPace(1, 300)) == m.Done(1, 1)
    await taken_by_another(house, actor.room.code)
    house.rooms.recheck()
    await until(lambda: host in house.wires.closed)
    assert house.wires.closed[host][0] == m.CLOSE_GOING_AWAY


async def test_a_room_that_nobody_comes_to_has_its_deadlines(house: House) -> None:
    actor, host, _ = await house.open()
    await house.act(actor, host, m.Start(1))
    await actor.stop()
    again = await house.rooms.succeed(actor.room.code)
    await until(lambda: again.room.deadline() is not None)


async def test_what_the_store_has_lost_is_put_back_before_a_room_is_left(house: House) -> None:
    actor, conn, _ = await house.open()
    before = house.shelf.rooms[actor.room.code]
    lost = evolve(before, log={}, marks={})
    assert await house.act(actor, conn, m.SetPace(1, 300)) == m.Done(1, 1)
    house.shelf.rooms[actor.room.code] = lost
    await actor.stop()
    assert await house.stored(actor.room.code) == actor.room.state
    assert [entry.seq for entry in await house.store.log(actor.room.code)] == [1]


async def test_a_new_room_is_noted_for_whoever_succeeds_its_node(house: House) -> None:
    actor, _, _ = await house.open()
    assert await house.store.held("a") == (actor.room.code,)
    await actor.stop()
    await until(lambda: not house.shelf.holdings["a"])


async def test_nobody_is_let_in_while_it_is_unknown_if_the_epoch_has_risen(
    house: House, trouble: Trouble
) -> None:
    actor, _, token = await house.open()
    await actor.stop()
    actor = await house.rooms.find(actor.room.code)
    ann = house.conn()
    trouble.next["claim"] = [Fault.REPLY_LOST]
    hello = m.Resume(m.VERSION, actor.room.code, token, seq=99, epoch=1)
    actor.put(Enter(ann, hello))
    await until(lambda: ann in house.wires.closed)
    assert [type(one) for one in house.wires.heard[ann]] == [m.Refused]


async def test_a_match_may_end_while_its_log_cannot_be_read(house: House, trouble: Trouble) -> None:
    actor, conn, _ = await house.open()
    trouble.next["log"] = [Fault.NOT_DONE, Fault.REPLY_LOST]
    await house.act(actor, conn, m.Autopilot(1, on=True, pace_ms=300))
    await house.act(actor, conn, m.Start(2))
    await until(lambda: actor.room.state.stage is Stage.MATCH_OVER, timeout_s=60)
    assert conn not in house.wires.closed
    assert await house.store.records(actor.room.code) == (1,)
    assert not trouble.next["log"]


async def test_a_damaged_snapshot_is_replaced_by_whoever_knows_better(
    house: House, trouble: Trouble
) -> None:
    actor, conn, _ = await house.open()
    trouble.next["commit"] = [Fault.REPLY_LOST]
    actor.put(Act(conn, m.SetPace(1, 300), encode(m.SetPace(1, 300))))
    await until(lambda: not trouble.next["commit"])
    house.shelf.corrupt(actor.room.code)
    assert await house.act(actor, conn, m.SetPace(2, 500)) == m.Done(2, 2)
    assert await house.stored(actor.room.code) == actor.room.state
