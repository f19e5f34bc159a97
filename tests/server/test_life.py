"""The life of rooms: made, left, forgotten; nothing of them stays in memory."""

from __future__ import annotations

import asyncio
import gc
import os

import pytest

from guandan_protocol import messages as m
from guandan_protocol.codec import encode
from guandan_protocol.messages import Stage
from guandan_server import deadlines
from guandan_server.actor import LOBBY_TTL_S, ROOM_TTL_S, Actor
from guandan_server.items import Act, Gone, Take
from guandan_server.room import Room
from guandan_server.store import NoRoom
from tests.server.test_actor import House
from tests.server.waiting import until

DAY_S = 24 * 3600


@pytest.fixture
async def house(monkeypatch: pytest.MonkeyPatch) -> House:
    monkeypatch.setattr(deadlines, "UNLOAD_MS", 0)
    return House()


async def test_rooms_come_and_go_and_leave_nothing(house: House, *, soak: bool) -> None:
    tasks = len(asyncio.all_tasks())
    for _ in range(100 if soak else 4):
        for _ in range(100):
            made = await house.rooms.create(m.Create(m.VERSION, "Ann", os.urandom(16)))
            conn = house.conn()
            made.actor.put(Take(conn, made.seat, made.token))
            made.actor.put(Gone(conn))
        await until(lambda: len(house.rooms) == 0, timeout_s=30)
    await until(lambda: len(asyncio.all_tasks()) <= tasks, timeout_s=30)
    del made
    house.wires.heard.clear()
    house.wires.closed.clear()
    gc.collect()
    assert not [thing for thing in gc.get_objects() if isinstance(thing, Room | Actor)]
    assert await house.store.held("a") == ()


async def test_a_room_that_nobody_played_in_is_kept_for_hours_and_a_match_for_a_month(
    house: House,
) -> None:
    now = [0.0]
    house.store._clock = lambda: now[0]  # noqa: SLF001  time is an argument, given late here
    lobby, _, _ = await house.open()
    played, conn, _ = await house.open()
    assert await house.act(played, conn, m.Start(1)) == m.Done(1, 1)
    now[0] = LOBBY_TTL_S + 1
    assert await house.store.load(lobby.room.code) == NoRoom()
    assert await house.store.load(played.room.code) != NoRoom()
    now[0] = 30 * DAY_S
    assert await house.store.load(played.room.code) != NoRoom()
    now[0] = ROOM_TTL_S + 1
    assert await house.store.load(played.room.code) == NoRoom()
    await house.rooms.stop()


async def test_a_room_with_somebody_in_it_does_not_expire(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    house.store._clock = lambda: now[0]  # noqa: SLF001  as above
    actor, conn, _ = await house.open()
    code = actor.room.code
    for hours in range(1, 9):
        now[0] = hours * 3600.0
        monkeypatch.setattr(actor, "_refresh_at", 0)
        actor.put(Act(conn, m.SetPace(hours, 500), encode(m.SetPace(hours, 500))))
        await until(lambda: actor.room.seq == hours)  # noqa: B023  awaited at once
    assert await house.store.load(code) != NoRoom()
    assert actor.room.state.stage is Stage.LOBBY
    await house.rooms.stop()
