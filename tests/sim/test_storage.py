from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from random import Random
from typing import Any

import pytest

from guandan_server.errors import StoreUnavailable
from guandan_server.store import Claimed, Created, Loaded, Ok, StaleFence
from tests.sim.loop import VirtualLoop
from tests.sim.process import Process
from tests.sim.storage import Row, StoreClient, StoreServer

ROOM = "KNXW7Q"


class Book:
    """What the ledger was told."""

    def __init__(self) -> None:
        self.stored_seqs: list[int] = []
        self.went_back_to: list[int] = []

    def stored(
        self, room: str, before: Row | None, after: Row | None, entry: bytes, by: Process
    ) -> None:
        if after is not None:
            self.stored_seqs.append(after.seq)

    def went_back(self, room: str, row: Row) -> None:
        self.went_back_to.append(row.seq)


class Desk:
    """A store with two nodes."""

    def __init__(self) -> None:
        self.book = Book()
        self.server = StoreServer(ledger=self.book, random=Random(1))
        self.a, self.b = Process("a"), Process("b")
        self.store = StoreClient(self.server, self.a)
        self.other = StoreClient(self.server, self.b)
        self.fence = 0

    async def open(self) -> None:
        made = await self.store.create(ROOM, node="a", snapshot=b"0", public=False, ttl_s=10**6)
        assert isinstance(made, Created)
        self.fence = made.fence

    async def commit(self, seq: int, store: StoreClient | None = None) -> object:
        return await (store or self.store).commit(
            ROOM,
            fence=self.fence,
            seq=seq,
            entry=b"entry %d" % seq,
            snapshot=b"%d" % seq,
            ttl_s=10**6,
        )


def live(main: Callable[[Desk], Coroutine[Any, Any, None]]) -> None:
    async def opened() -> None:
        desk = Desk()
        await desk.open()
        await main(desk)

    loop = VirtualLoop()
    loop.run_until_complete(opened())
    loop.close()


def test_a_call_takes_its_time() -> None:
    async def main(desk: Desk) -> None:
        began_s = asyncio.get_running_loop().time()
        assert await desk.commit(1) == Ok(1)
        assert asyncio.get_running_loop().time() > began_s
        assert desk.book.stored_seqs == [0, 1]

    live(main)


def test_a_call_that_fails_may_have_been_carried_out() -> None:
    async def main(desk: Desk) -> None:
        desk.server.faults.failing = 1.0
        carried_out: list[int] = []
        for seq in range(1, 40):
            with pytest.raises(StoreUnavailable):
                await desk.commit(len(carried_out) + 1)
            if desk.book.stored_seqs[-1] == len(carried_out) + 1:
                carried_out.append(seq)
        assert 0 < len(carried_out) < 39

    live(main)


def test_a_stalled_store_answers_late_or_not_and_keeps_the_order() -> None:
    async def main(desk: Desk) -> None:
        desk.server.stall(2.0)
        began_s = asyncio.get_running_loop().time()
        assert await asyncio.gather(*[desk.commit(seq) for seq in (1, 2, 3)]) == [
            Ok(1),
            Ok(2),
            Ok(3),
        ]
        assert asyncio.get_running_loop().time() - began_s >= 2.0
        desk.server.stall(10.0)
        with pytest.raises(StoreUnavailable):
            await desk.commit(4)

    live(main)


def test_a_call_of_the_dead_arrives_or_not() -> None:
    async def main(desk: Desk) -> None:
        task = desk.a.start(desk.commit(1), name="commit")
        await asyncio.sleep(0)
        desk.a.kill()
        await asyncio.sleep(1.0)
        assert not task.done()
        # With this seed it does; either way the store goes on for the others.
        assert desk.book.stored_seqs == [0, 1]
        assert await desk.commit(2, desk.other) == Ok(2)
        await desk.a.bury()

    live(main)


def test_a_store_that_went_back_is_as_it_was() -> None:
    async def main(desk: Desk) -> None:
        for seq in (1, 2, 3, 4):
            await desk.commit(seq)
        assert desk.server.go_back(ROOM, 2) == 2
        loaded = await desk.store.load(ROOM)
        assert isinstance(loaded, Loaded)
        assert (loaded.seq, loaded.snapshot) == (2, b"2")
        assert [entry.seq for entry in await desk.store.log(ROOM)] == [1, 2]
        assert desk.book.went_back_to == [2]
        assert await desk.commit(3) == Ok(3)

    live(main)


def test_claims_are_not_lost() -> None:
    async def main(desk: Desk) -> None:
        await desk.commit(1)
        claimed = await desk.other.claim(ROOM, node="b", expect_fence=desk.fence)
        assert isinstance(claimed, Claimed)
        assert desk.server.go_back(ROOM, 5) == 0
        assert await desk.commit(2) == StaleFence(claimed.fence)

    live(main)
