"""Two nodes on one store, as real processes: killed, stopped, put to sleep."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from guandan_protocol import messages as m
from guandan_protocol.client import TableClient
from guandan_protocol.messages import Settings
from guandan_server.embedded import EmbeddedStore
from tests.e2e.players import Party, Person, party
from tests.e2e.proxy import proxy
from tests.e2e.serving import Served, serving


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[EmbeddedStore]:
    async with EmbeddedStore(tmp_path / "shared") as store:
        yield store


@contextlib.asynccontextmanager
async def two_nodes(store: EmbeddedStore, path: Path) -> AsyncIterator[tuple[Served, Served]]:
    async with (
        serving(path / "a", "--redis", store.url, "--node", "a") as one,
        serving(path / "b", "--redis", store.url, "--node", "b") as two,
    ):
        yield one, two


async def started(table: Party) -> None:
    for person in table.people:
        await person.do(m.Ready(0))
    await table.play(until=lambda client: client.seq > 20)


async def test_a_hello_to_the_other_node_is_sent_on(store: EmbeddedStore, tmp_path: Path) -> None:
    async with two_nodes(store, tmp_path) as (one, two), party(one.url) as table:
        room = table.host.client.room
        async with TableClient(two.url, m.Watch(m.VERSION, room)) as client:
            eye = Person(client, seed=1)
            task = asyncio.create_task(eye.follow())
            await eye.until(lambda: client.view is not None)
            task.cancel()
            assert client.public == table.host.client.public


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
async def test_the_owner_ends_and_the_others_play_on(
    store: EmbeddedStore, tmp_path: Path, how: signal.Signals
) -> None:
    async with (
        two_nodes(store, tmp_path) as (one, two),
        proxy(one.port) as front,
        party(front.url, settings=Settings(clock_s=60, grace_s=600)) as table,
    ):
        await started(table)
        before = [(p.client.seq, p.client.public, p.client.private) for p in table.people]
        welcomes = [person.welcomes for person in table.people]
        front.turn_to(two.port)
        one.process.send_signal(how)
        await one.process.wait()
        for person, count in zip(table.people, welcomes, strict=True):
            await person.until(lambda: person.welcomes > count)  # noqa: B023  awaited at once
        assert [(p.client.seq, p.client.public, p.client.private) for p in table.people] == before
        view = table.host.client.view
        assert view is not None
        assert view.clock_ms is not None
        assert view.clock_ms > 50_000
        await table.play(until=lambda client: client.seq > before[0][0] + 20)


async def test_an_owner_that_slept_finds_out_and_says_nothing(
    store: EmbeddedStore, tmp_path: Path
) -> None:
    async with (
        two_nodes(store, tmp_path) as (one, two),
        proxy(one.port) as front,
        party(front.url, settings=Settings(grace_s=600)) as table,
    ):
        await started(table)
        welcomes = [person.welcomes for person in table.people]
        one.process.send_signal(signal.SIGSTOP)
        # All lose their links and come to the other node, which takes the room once the sleeper
        # counts as dead. Awake again, the sleeper is deposed: it stores nothing, and says nothing.
        front.turn_to(two.port)
        front.cut()
        for person, count in zip(table.people, welcomes, strict=True):
            await person.until(lambda: person.welcomes > count)  # noqa: B023  awaited at once
        heard = table.newest().seq
        await table.play(until=lambda client: client.seq > heard + 8)
        one.process.send_signal(signal.SIGCONT)
        await table.play(until=lambda client: client.seq > heard + 16)
        assert {person.client.epoch for person in table.people} == {1}
