"""An operator ends a room: its people are told, it does not come back, and nobody else notices."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from redis.asyncio import Redis

from guandan_protocol import messages as m
from guandan_protocol.codec import encode
from guandan_protocol.messages import Code
from guandan_server.__main__ import end_room
from guandan_server.config import Config
from guandan_server.embedded import EmbeddedStore, socket_of
from guandan_server.keys import room_keys
from guandan_server.node import Node, open_node
from guandan_server.store import NoRoom
from guandan_server.store_redis import RedisStore
from tests.server.store_contract import ROOM, create
from tests.server.test_actor import AnyBrains
from tests.server.test_at_once import done
from tests.server.test_gate import close_code, created, dial, hear


@pytest.fixture
async def node(tmp_path: Path) -> AsyncIterator[Node]:
    async with open_node(Config(port=0, data_dir=tmp_path), AnyBrains()) as node:
        yield node


async def ran(*words: str) -> tuple[int, str]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "guandan_server", *words),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    out, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, out.decode()


async def test_a_room_that_is_played_in_is_ended(node: Node, tmp_path: Path) -> None:
    async with dial(node) as host, dial(node) as other:
        welcome = await created(host)
        await created(other)
        await done(host, m.Start(1))
        code = welcome.room.lower()
        assert await ran("end", code, "--data-dir", str(tmp_path)) == (
            0,
            f"{welcome.room} is gone\n",
        )
        # With the next thing that is to be stored, a bot's move or anybody's, it is over.
        await host.send(encode(m.SetPace(2, 300)))
        assert await close_code(host) == m.CLOSE_ROOM_GONE
        async with dial(node) as back:
            await back.send(encode(m.Resume(m.VERSION, welcome.room, welcome.token)))
            refused = await hear(back)
            assert isinstance(refused, m.Refused)
            assert refused.code == Code.NO_SUCH_ROOM
        await done(other, m.Start(1))
        status, said = await ran("end", welcome.room, "--data-dir", str(tmp_path))
        assert (status, said) == (1, f"there is no room {welcome.room}\n")


async def test_a_damaged_room_can_be_ended_too(tmp_path: Path) -> None:
    async with (
        EmbeddedStore(tmp_path) as embedded,
        RedisStore(embedded.url) as store,
        Redis.from_url(embedded.url) as redis,
    ):
        await create(store)
        await redis.setrange(room_keys(ROOM).snap, 0, "X")
        assert await end_room(store, ROOM)
        assert await store.load(ROOM) == NoRoom()
        assert not await end_room(store, ROOM)


async def test_where_no_server_runs_it_says_so(tmp_path: Path) -> None:
    status, said = await ran("end", "ABCDEF", "--data-dir", str(tmp_path))
    assert status == 69
    assert "no server runs on" in said
    status, said = await ran("end", "{X}", "--redis", "redis://127.0.0.1:1/0")
    assert status in (1, 69)
    assert "Traceback" not in said


async def test_a_socket_elsewhere_is_found(tmp_path: Path) -> None:
    data_dir = tmp_path / ("long" * 20) / ("longer" * 20)
    async with EmbeddedStore(data_dir) as embedded:
        assert f"unix://{socket_of(data_dir)}" == embedded.url
