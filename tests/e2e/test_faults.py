"""Stores that die, forget or fill up, and servers that are told to go: with real processes."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from pathlib import Path

import pytest
from redis.asyncio import Redis
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from guandan_protocol import messages as m
from guandan_protocol.client import Ended, TableClient
from guandan_protocol.codec import decode_server, encode
from guandan_protocol.messages import Code, Settings
from guandan_server.embedded import EmbeddedStore
from tests.e2e.players import Party, Person, party
from tests.e2e.serving import START_S, Served, free_port, serving
from tests.server.waiting import until

QUIET = Settings(grace_s=600)


async def started(table: Party) -> None:
    for person in table.people:
        await person.do(m.Ready(0))
    await table.play(until=lambda client: client.seq > 12)


async def test_the_store_is_killed_and_nobody_loses_anything(tmp_path: Path) -> None:
    async with (
        serving(tmp_path / "data") as served,
        party(served.url, settings=QUIET) as table,
    ):
        await started(table)
        for _ in range(2):
            before = table.newest().seq
            (store,) = served.stores()
            os.kill(store, signal.SIGKILL)
            await keep_playing(table, before + 8)
        assert {person.client.epoch for person in table.people} == {1}
        assert {person.welcomes for person in table.people} == {1}


async def keep_playing(table: Party, seq: int) -> None:
    """Play on; what the server cannot store now is tried again, as its people would."""
    while table.newest().seq < seq:
        await table.agree()
        person = next(person for person in table.people if person.due)
        await person.act(patient=True)


async def test_everything_is_flushed_while_people_play(tmp_path: Path) -> None:
    async with (
        EmbeddedStore(tmp_path / "shared") as store,
        serving(tmp_path / "data", "--redis", store.url) as served,
        party(served.url, settings=QUIET) as table,
    ):
        await started(table)
        async with Redis.from_url(store.url) as redis:
            await redis.flushall()
        due = next(person for person in table.people if person.due)
        acting = asyncio.create_task(due.act())
        for person in table.people:
            await person.until(lambda: person.client.ended is not None)  # noqa: B023  awaited at once
            assert isinstance(person.client.ended, Ended)
            assert person.client.ended.code == Code.ROOM_GONE
        await asyncio.wait([acting])
        assert acting.exception() is not None
        async with party(served.url, seed=5) as another:
            await started(another)


async def goodbye_of(url: str, stop: signal.Signals, served: Served) -> tuple[m.Goodbye, int]:
    """What somebody at a table hears when the server is told to stop."""
    async with connect(url, subprotocols=[Subprotocol(m.SUBPROTOCOL)], compression=None) as socket:
        await socket.send(encode(m.Create(m.VERSION, "Ann", os.urandom(16))))
        await socket.recv()
        served.process.send_signal(stop)
        heard: list[m.ServerMessage] = []
        with contextlib.suppress(ConnectionClosed):
            while True:
                frame = await socket.recv()
                assert isinstance(frame, bytes)
                heard.append(decode_server(frame))
        assert isinstance(heard[-1], m.Goodbye)
        assert socket.close_code is not None
        return heard[-1], socket.close_code


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
async def test_told_to_stop_it_says_when_to_come_back(tmp_path: Path, stop: signal.Signals) -> None:
    async with serving(tmp_path / "data") as served:
        goodbye, code = await goodbye_of(served.url, stop, served)
        assert (goodbye.code, code) == (Code.GOING_AWAY, 1012)
        assert goodbye.retry_after_ms is not None
        async with asyncio.timeout(START_S):
            assert await served.process.wait() == 0
        await until(lambda: not served.stores())


async def test_a_second_server_on_the_same_data_is_refused_by_name(tmp_path: Path) -> None:
    async with serving(tmp_path / "data") as served:
        second = await ran("serve", "--port", "0", "--data-dir", str(served.data_dir))
        assert second[0] == 73
        assert str(served.process.pid) in second[1]
        assert "Traceback" not in second[1]
        async with TableClient(served.url, m.Create(m.VERSION, "Ann", os.urandom(16))) as client:
            ann = Person(client, seed=1)
            task = asyncio.create_task(ann.follow())
            await ann.until(lambda: client.view is not None)
            task.cancel()


async def test_a_taken_port_is_one_clear_line(tmp_path: Path) -> None:
    async with serving(tmp_path / "data") as served:
        status, said = await ran(
            "serve", "--port", str(served.port), "--data-dir", str(tmp_path / "other")
        )
        assert status == 73
        assert f"port {served.port}: Address already in use" in said
        assert "Traceback" not in said


async def test_a_store_that_is_not_there_is_one_clear_line() -> None:
    url = f"redis://127.0.0.1:{free_port()}/0"
    status, said = await ran("serve", "--port", "0", "--redis", url)
    assert status == 69
    assert "does not answer" in said
    assert "Traceback" not in said


async def test_many_kills_leave_nothing_behind(tmp_path: Path, *, soak: bool) -> None:
    async with serving(tmp_path / "data") as served:
        for _ in range(20 if soak else 3):
            await served.kill()
            await served.start()
        await served.kill()
        assert served.stores() == []


async def ran(*words: str) -> tuple[int, str]:
    """The exit status of a command, and what it said."""
    process = await asyncio.create_subprocess_exec(
        str(Path(sys.executable).with_name("guandan")),
        *words,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    async with asyncio.timeout(START_S):
        out, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, out.decode()
