"""Power cuts and full disks: what was acknowledged is there again, or all are told."""

from __future__ import annotations

import asyncio
import os
import resource
import shutil
from pathlib import Path

import pytest

from guandan_protocol import messages as m
from guandan_protocol.client import TableClient
from guandan_protocol.messages import Settings
from guandan_server.embedded import AOF_DIR
from tests.e2e.players import Party, Person, party
from tests.e2e.serving import START_S, Served, serving
from tests.server.waiting import until

QUIET = Settings(grace_s=600)


async def started(table: Party, *, seq: int) -> None:
    for person in table.people:
        await person.do(m.Ready(0))
    await table.play(until=lambda client: client.seq > seq)


def log_of(data_dir: Path) -> Path:
    """What the store has written since it began."""
    (written,) = (data_dir / "store" / AOF_DIR).glob("*.incr.aof")
    return written


async def test_what_was_acknowledged_is_on_the_disk_by_then(tmp_path: Path) -> None:
    """The disk as a power cut finds it: what is written after the last answer is not there."""
    async with (
        serving(tmp_path / "data") as served,
        party(served.url, settings=QUIET) as table,
    ):
        await started(table, seq=20)
        await table.agree()
        written = log_of(served.data_dir).stat().st_size
        seen = [(p.client.token, p.client.seq, p.client.private) for p in table.people]
        await table.play(until=lambda client: client.seq > seen[0][1] + 5)
        shutil.copytree(
            served.data_dir,
            tmp_path / "after",
            ignore=shutil.ignore_patterns("*.sock", "lock", "*.log"),
        )
        room = table.host.client.room
    os.truncate(log_of(tmp_path / "after"), written)
    async with serving(tmp_path / "after") as again:
        for token, seq, private in seen:
            hello = m.Resume(m.VERSION, room, token, seq=seq, epoch=1)
            async with TableClient(again.url, hello) as client:
                person = Person(client, seed=1)
                task = asyncio.create_task(person.follow())
                await person.until(lambda: client.view is not None)
                task.cancel()
                assert (client.seq, client.epoch, client.private) == (seq, 1, private)


async def test_a_store_that_lost_its_end_is_noticed_and_all_are_told(tmp_path: Path) -> None:
    """As with a store that syncs once a second, and a power cut."""
    async with (
        serving(tmp_path / "data") as served,
        party(served.url, settings=QUIET) as table,
    ):
        await started(table, seq=12)
        await table.agree()
        kept, written = table.newest().seq, log_of(served.data_dir).stat().st_size
        await table.play(until=lambda client: client.seq > kept + 8)
        await table.agree()
        welcomes = [person.welcomes for person in table.people]
        await served.kill()
        os.truncate(log_of(served.data_dir), written)
        await served.start()
        for person, count in zip(table.people, welcomes, strict=True):
            person.client.hurry()
            await person.until(lambda: person.welcomes > count)  # noqa: B023  awaited at once
        for person in table.people:
            await person.until(lambda: person.client.epoch == 2)  # noqa: B023  awaited at once
            assert person.client.seq == kept
            person.done_seq = kept  # what was acknowledged after it is lost, and they know
        assert cards_in(table) == 108
        await table.play(until=lambda client: client.seq > kept + 8)


def cards_in(table: Party) -> int:
    """In the hands of all and on the table."""
    public = table.host.client.public
    assert public is not None
    hands = [person.client.private for person in table.people]
    held = sum(len(one.hand) for one in hands if one is not None)
    return held + sum(len(cards) for cards in public.played)


def limit(pid: int, size_bytes: int) -> None:
    """No file of a process may grow beyond: what is written is refused, as on a full disk."""
    hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)[1]
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (size_bytes, hard))


async def store_of(served: Served) -> int:
    found: list[int] = []

    def one() -> bool:
        found[:] = served.stores()
        return len(found) == 1

    await until(one, timeout_s=START_S)
    return found[0]


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="limits of another process")
async def test_a_disk_that_is_full_for_a_moment_loses_nothing(tmp_path: Path) -> None:
    async with (
        serving(tmp_path / "data") as served,
        party(served.url, settings=QUIET) as table,
    ):
        await started(table, seq=12)
        before = table.newest().seq
        store = await store_of(served)
        limit(store, log_of(served.data_dir).stat().st_size + 100)
        # The next write is refused; the store ends rather than pretend, and is started again: by
        # then there is room.
        while table.newest().seq < before + 8:
            await table.agree()
            person = next(person for person in table.people if person.due)
            await person.act(patient=True)
        assert store not in served.stores()
        assert {person.client.epoch for person in table.people} == {1}
        assert {person.welcomes for person in table.people} == {1}


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="limits of another process")
async def test_a_disk_that_stays_full_ends_the_server_and_nothing_is_lost(tmp_path: Path) -> None:
    async with (
        serving(tmp_path / "data") as served,
        party(served.url, settings=QUIET) as table,
    ):
        await started(table, seq=12)
        await table.agree()
        before = [(p.client.seq, p.client.private) for p in table.people]
        welcomes = [person.welcomes for person in table.people]
        full = log_of(served.data_dir).stat().st_size
        limit(served.process.pid, full)  # for each store that is started from now on
        limit(await store_of(served), full)
        due = next(person for person in table.people if person.due)
        acting = asyncio.create_task(due.act(patient=True))
        async with asyncio.timeout(START_S):
            assert await served.process.wait() == 75
        assert "died 3 times" in served.log_path.read_text()
        # With room again nothing is missing, and what was tried meanwhile is done, once.
        await served.start()
        for person, count in zip(table.people, welcomes, strict=True):
            person.client.hurry()
            await person.until(lambda: person.welcomes > count)  # noqa: B023  awaited at once
        await acting
        assert due.done_seq > before[0][0]
        assert {person.client.epoch for person in table.people} == {1}
