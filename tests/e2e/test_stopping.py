"""Servers that are told to stop while somebody does not read, and told again."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from guandan_protocol import messages as m
from guandan_protocol.client import TableClient
from guandan_server import node as node_module
from guandan_server.config import Config
from guandan_server.node import EXIT_INTERRUPTED, open_node
from tests.e2e.players import Person
from tests.e2e.serving import START_S, serving
from tests.server.test_actor import AnyBrains
from tests.server.test_gate import WAIT_S, stall
from tests.server.waiting import until


@asynccontextmanager
async def host_of_a_room(url: str) -> AsyncIterator[Person]:
    async with TableClient(url, m.Create(m.VERSION, "Ann", os.urandom(16))) as client:
        host = Person(client, seed=1)
        task = asyncio.create_task(host.follow())
        await host.until(lambda: client.view is not None)
        yield host
        task.cancel()


def watchers(host: Person) -> int:
    assert host.client.view is not None
    return host.client.view.watchers


async def talk(host: Person, turns: int) -> None:
    """Let the room have news."""
    for n in range(turns):
        await host.do(m.SetPace(0, 300 if n % 2 else 500))


@asynccontextmanager
async def stalled(port: int, host: Person) -> AsyncIterator[None]:
    """Somebody watches who does not read, and is behind: more is queued than the kernel takes."""

    @asynccontextmanager
    async def one() -> AsyncIterator[None]:
        with socket.socket() as raw:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            raw.connect(("127.0.0.1", port))
            stall(raw, host.client.room)
            await host.until(lambda: watchers(host) == 1)
            yield

    turns = 0
    async with one():  # to see how many it takes until one is cut
        while watchers(host):
            await talk(host, 1)
            turns += 1
    async with one():
        await talk(host, turns - 30)
        assert watchers(host) == 1
        yield


async def test_who_does_not_read_holds_up_no_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node_module, "CLOSE_S", 0.3)
    async with asyncio.timeout(WAIT_S):
        async with open_node(Config(port=0, data_dir=tmp_path), AnyBrains()) as node:
            url = f"ws://127.0.0.1:{node.port}/ws"
            async with host_of_a_room(url) as host, stalled(node.port, host):
                await node.drain()
                assert node.draining


async def test_the_whole_of_it_takes_ten_seconds_at_most(tmp_path: Path, *, soak: bool) -> None:
    if not soak:
        pytest.skip("takes the eight seconds that a stop may take")
    async with (
        serving(tmp_path / "data") as served,
        host_of_a_room(served.url) as host,
        stalled(served.port, host),
    ):
        served.process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(10):
            assert await served.process.wait() == 0


async def test_told_twice_it_ends_at_once_and_nothing_is_lost(tmp_path: Path) -> None:
    async with serving(tmp_path / "data") as served, host_of_a_room(served.url) as host:
        async with stalled(served.port, host):
            seq, welcomes = host.client.seq, host.welcomes
            served.process.send_signal(signal.SIGTERM)
            await until(lambda: "stopping" in served.log_path.read_text(), timeout_s=START_S)
            served.process.send_signal(signal.SIGINT)
            async with asyncio.timeout(5):  # and not the eight that the first would take
                assert await served.process.wait() == EXIT_INTERRUPTED
        await until(lambda: not served.stores())
        await served.start()
        host.client.hurry()
        await host.until(lambda: host.welcomes > welcomes)
        assert (host.client.seq, host.client.epoch) == (seq, 1)
