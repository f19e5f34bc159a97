"""A seat of a swarm, against servers that follow a script."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from attrs import evolve

from guandan_bots.load_seat import Chair
from guandan_protocol import messages as m
from guandan_protocol.partings import Cut, Ended, Parting
from tests.protocol import samples
from tests.protocol.client_scenes import BACK, WELCOME, resumed, stays, welcomed
from tests.protocol.fake_server import WAIT_S, FakeServer, Peer
from tests.server.waiting import until

JOIN = m.Join(m.VERSION, samples.ROOM, "Ann")
COUNTER = WELCOME.counter
NEXT = COUNTER + 1
UPDATE = evolve(samples.UPDATE, seq=WELCOME.seq + 1)


class Keeper:
    """Notes what it is told of its chair."""

    def __init__(self) -> None:
        self.heard: list[object] = []
        self.partings: list[Parting] = []
        self._news = asyncio.Event()

    def _hear(self, what: object) -> None:
        self.heard.append(what)
        self._news.set()

    def told(self, chair: Chair, fields: dict[str, Any], at_s: float) -> None:
        self._hear((fields["t"], fields["seq"]))

    def done(self, chair: Chair, seq: int, at_s: float) -> None:
        self._hear(("done", seq))

    def refused(self, chair: Chair, code: str) -> None:
        self._hear(("refused", code))

    def went(self, chair: Chair, parting: Parting) -> None:
        self.partings.append(parting)

    def lost(self, chair: Chair) -> None:
        self._hear("lost")

    async def hears(self, what: object) -> None:
        """Wait until it has been told that."""
        async with asyncio.timeout(WAIT_S):
            while what not in self.heard:
                self._news.clear()
                await self._news.wait()


@asynccontextmanager
async def seated(*urls: str) -> AsyncIterator[tuple[Chair, Keeper]]:
    keeper = Keeper()
    chair = Chair(keeper, JOIN, urls, random.Random(1))
    task = asyncio.create_task(chair.keep())
    try:
        yield chair, keeper
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_it_sits_down_and_sees_what_its_seat_may_know() -> None:
    async with FakeServer(stays) as server, seated(server.url) as (chair, keeper):
        await keeper.hears(("welcome", WELCOME.seq))
        assert (chair.room, chair.seat, chair.seq) == (WELCOME.room, WELCOME.seat, WELCOME.seq)
        assert chair.is_idle
        seen = chair.seen()
        assert (seen.seat, seen.public, seen.private) == (
            WELCOME.seat,
            WELCOME.public,
            WELCOME.private,
        )


async def test_an_action_is_done_and_told() -> None:
    async def scene(peer: Peer) -> None:
        await welcomed(peer)
        assert await peer.hears(m.Pass) == m.Pass(NEXT, 7)
        await peer.says(UPDATE, m.Done(NEXT, UPDATE.seq))
        assert await peer.hears(m.Pass) == m.Pass(NEXT + 1, 8)
        await peer.stays()

    async with FakeServer(scene) as server, seated(server.url) as (chair, keeper):
        await keeper.hears(("welcome", WELCOME.seq))
        chair.act(m.Pass(0, 7))
        assert not chair.is_idle
        await keeper.hears(("done", UPDATE.seq))
        assert ("update", UPDATE.seq) in keeper.heard
        chair.act(m.Pass(0, 8))


async def test_a_refusal_frees_the_counter_and_one_that_passes_is_tried_again() -> None:
    async def scene(peer: Peer) -> None:
        await welcomed(peer)
        frame = await peer.hears_frame()
        await peer.says(m.Refused(NEXT, m.Code.STORAGE_UNAVAILABLE, "later", 1))
        assert await peer.hears_frame() == frame
        await peer.says(m.Refused(NEXT, "stale", "too late"))
        assert await peer.hears(m.Pass) == m.Pass(NEXT, 8)
        await peer.stays()

    async with FakeServer(scene) as server, seated(server.url) as (chair, keeper):
        await keeper.hears(("welcome", WELCOME.seq))
        chair.act(m.Pass(0, 7))
        await keeper.hears(("refused", "stale"))
        chair.act(m.Pass(0, 8))


async def test_cut_off_it_resumes_and_sends_again_what_was_not_acknowledged() -> None:
    frames: list[bytes] = []

    async def cut(peer: Peer) -> None:
        await welcomed(peer)
        frames.append(await peer.hears_frame())
        peer.cuts()

    async def back(peer: Peer) -> None:
        await resumed(peer)
        frames.append(await peer.hears_frame())
        await peer.says(m.Done(NEXT, UPDATE.seq))
        await peer.stays()

    async with FakeServer(cut, back) as server, seated(server.url) as (chair, keeper):
        await keeper.hears(("welcome", WELCOME.seq))
        chair.act(m.Pass(0, 7))
        await keeper.hears(("done", UPDATE.seq))
        assert "lost" not in keeper.heard
        assert isinstance(keeper.partings[0], Cut)
    assert frames[0] == frames[1]


async def test_a_welcome_may_say_that_the_action_was_stored() -> None:
    async def cut(peer: Peer) -> None:
        await welcomed(peer)
        await peer.hears(m.Pass)
        peer.cuts()

    async def back(peer: Peer) -> None:
        await resumed(peer, evolve(BACK, counter=NEXT, seq=UPDATE.seq))
        await peer.stays()

    async with FakeServer(cut, back) as server, seated(server.url) as (chair, keeper):
        await keeper.hears(("welcome", WELCOME.seq))
        chair.act(m.Pass(0, 7))
        await keeper.hears(("done", UPDATE.seq))
        assert chair.is_idle


async def test_a_server_that_forgot_is_found_out() -> None:
    async def acknowledges(peer: Peer) -> None:
        await welcomed(peer)
        await peer.hears(m.Pass)
        await peer.says(m.Done(NEXT, UPDATE.seq))
        await peer.hears(m.Pass)
        peer.cuts()

    async def forgot(peer: Peer) -> None:
        await resumed(peer)
        await peer.stays()

    async with FakeServer(acknowledges, forgot) as server, seated(server.url) as (chair, keeper):
        await keeper.hears(("welcome", WELCOME.seq))
        chair.act(m.Pass(0, 7))
        await keeper.hears(("done", UPDATE.seq))
        chair.act(m.Pass(0, 8))
        await keeper.hears("lost")


async def test_it_goes_where_it_is_sent_and_turns_to_another_server() -> None:
    async def sends_on(peer: Peer) -> None:
        await peer.hears(m.Join)
        await peer.says(m.Moved(other.url))
        await peer.closes(m.CLOSE_MOVED)

    async def cut(peer: Peer) -> None:
        await welcomed(peer)
        peer.cuts()

    async def back(peer: Peer) -> None:
        await resumed(peer)
        await peer.stays()

    async with FakeServer(cut) as other, FakeServer(sends_on) as first, FakeServer(back) as last:
        async with seated(first.url, last.url) as (chair, keeper):
            await keeper.hears(("welcome", WELCOME.seq))
            await until(lambda: len(keeper.partings) == 2 and chair.is_live)
        assert isinstance(keeper.partings[0], m.Moved)


async def test_a_room_that_does_not_let_it_in_is_the_end() -> None:
    async def full(peer: Peer) -> None:
        await peer.hears(m.Join)
        await peer.says(m.Refused(0, m.Code.FULL, "all seats are taken"), m.Goodbye(m.Code.FULL))
        await peer.closes(m.CLOSE_REFUSED)

    async with FakeServer(full) as server, seated(server.url) as (chair, keeper):
        async with asyncio.timeout(WAIT_S):
            await chair.welcomed.wait()
        assert chair.ended is not None
        assert (chair.ended.code, chair.ended.text) == ("full", "all seats are taken")
        assert isinstance(keeper.partings[0], Ended)
