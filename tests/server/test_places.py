"""How many rooms a node has awake, and how long one is kept that nobody will come back to."""

from __future__ import annotations

import asyncio
import os

import pytest

from guandan_protocol import messages as m
from guandan_protocol.messages import Code, Stage
from guandan_server import rooms as rooms_module
from guandan_server.actor import LOBBY_TTL_S, ROOM_TTL_S
from guandan_server.house import House as Standing
from guandan_server.items import Enter
from guandan_server.refusals import Refusal
from guandan_server.store import NoRoom
from tests.server.test_actor import House, house  # noqa: F401  `house` is a fixture
from tests.server.waiting import until


async def test_a_full_node_wakes_no_room_and_those_awake_go_on(
    house: House,  # noqa: F811  the fixture
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asleep, _, _ = await house.open()
    await asleep.stop()
    awake, conn, token = await house.open()
    monkeypatch.setattr(rooms_module, "ROOMS_MAX", 1)
    with pytest.raises(Refusal) as refusal:
        await house.rooms.find(asleep.room.code)
    assert (refusal.value.code, refusal.value.retry_ms) == (Code.BUSY, 60_000)
    assert await house.act(awake, conn, m.Start(1)) == m.Done(1, 1)
    assert await house.rooms.find(awake.room.code) is awake
    back = house.conn()
    awake.put(Enter(back, m.Resume(m.VERSION, awake.room.code, token)))
    await until(lambda: house.wires.heard.get(back))
    # And with a place for it, it wakes as ever.
    await awake.stop()
    assert (await house.rooms.find(asleep.room.code)).room.state.stage is Stage.LOBBY


async def test_many_who_come_at_once_do_not_pass_the_bound(
    house: House,  # noqa: F811  the fixture
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sleepers = [(await house.open())[0] for _ in range(10)]
    for one in sleepers:
        await one.stop()
    await until(lambda: len(house.rooms) == 0)
    monkeypatch.setattr(rooms_module, "ROOMS_MAX", 6)
    creations = [house.rooms.create(m.Create(m.VERSION, "Ann", os.urandom(16))) for _ in range(10)]
    finds = [house.rooms.find(one.room.code) for one in sleepers]
    answers = await asyncio.gather(*creations, *finds, return_exceptions=True)
    refused = [answer for answer in answers if isinstance(answer, Refusal)]
    assert len(house.rooms) == 6
    assert [one.code for one in refused] == [Code.BUSY] * 14


async def test_a_room_that_finds_no_place_stays_with_the_dead_until_there_is_one(
    house: House,  # noqa: F811  the fixture
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    actor, conn, _ = await house.open()
    await house.act(actor, conn, m.Start(1))
    code = actor.room.code
    other = House()
    other.store._shelf = house.shelf  # noqa: SLF001  the same store, another node
    other.rooms._node = "b"  # noqa: SLF001  and another name
    standing = Standing(other.store, node="b", url="ws://b")
    monkeypatch.setattr(rooms_module, "ROOMS_MAX", 0)
    await standing._sweep_once(other.rooms.succeed)  # noqa: SLF001  what a second brings
    assert await other.store.held("a") == (code,)
    monkeypatch.setattr(rooms_module, "ROOMS_MAX", 1)
    await standing._sweep_once(other.rooms.succeed)  # noqa: SLF001  and the next one
    assert await other.store.held("a") == ()
    assert len(other.rooms) == 1
    await other.rooms.stop()


async def test_a_match_that_everybody_has_left_for_good_is_kept_for_hours(
    house: House,  # noqa: F811  the fixture
) -> None:
    now = [0.0]
    house.store._clock = lambda: now[0]  # noqa: SLF001  time is an argument, given late here
    left, conn, _ = await house.open()
    away, other, _ = await house.open()
    for actor, who in ((left, conn), (away, other)):
        assert await house.act(actor, who, m.Start(1)) == m.Done(1, 1)
        assert house.shelf.rooms[actor.room.code].dies_at_s == ROOM_TTL_S
    assert isinstance(await house.act(left, conn, m.Leave(2)), m.Done)
    now[0] = LOBBY_TTL_S + 1
    assert await house.store.load(left.room.code) == NoRoom()
    assert await house.store.load(away.room.code) != NoRoom()
