"""Several things in the same moment, over real sockets: each is answered, in order, and once."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from redis.asyncio import Redis
from websockets.asyncio.client import ClientConnection

from guandan_engine.errors import Reason
from guandan_engine.views import PhaseName
from guandan_protocol import messages as m
from guandan_protocol.codec import encode
from guandan_protocol.messages import Code
from guandan_server import deadlines
from guandan_server.config import Config
from guandan_server.embedded import EmbeddedStore
from guandan_server.items import Enter, Gone
from guandan_server.keys import room_keys
from guandan_server.node import Node, open_node
from tests.server.test_actor import AnyBrains, House
from tests.server.test_floods import descriptors
from tests.server.test_gate import WAIT_S, close_code, created, dial, hear
from tests.server.waiting import until


@pytest.fixture
async def node(tmp_path: Path) -> AsyncIterator[Node]:
    async with open_node(Config(port=0, data_dir=tmp_path), AnyBrains()) as node:
        yield node


async def done(peer: ClientConnection, action: m.Action) -> m.Done:
    await peer.send(encode(action))
    while not isinstance(answer := await hear(peer), m.Done):
        assert not isinstance(answer, m.Refused), answer
    return answer


async def joined(peer: ClientConnection, room: str, name: str) -> m.Welcome:
    await peer.send(encode(m.Join(m.VERSION, room, name)))
    welcome = await hear(peer)
    assert isinstance(welcome, m.Welcome), welcome
    return welcome


async def test_a_welcome_is_followed_by_every_entry_after_it(node: Node) -> None:
    """There is no moment between what a welcome shows and the first update behind it."""
    async with contextlib.AsyncExitStack() as stack:
        host = await stack.enter_async_context(dial(node))
        room = (await created(host)).room
        entries = 60

        async def act() -> None:
            for n in range(1, entries + 1):
                await done(host, m.SetPace(n, 300 if n % 2 else 500))

        async def watch() -> list[int]:
            peer = await dial(node)
            stack.callback(peer.transport.abort)  # it does not read to the end
            await peer.send(encode(m.Watch(m.VERSION, room)))
            seqs: list[int] = []
            while not seqs or seqs[-1] < entries:
                heard = await hear(peer)
                assert isinstance(heard, m.Welcome if not seqs else m.Update)
                assert isinstance(heard, m.Welcome | m.Update)
                seqs.append(heard.seq)
            return seqs

        acting = asyncio.create_task(act())
        for seqs in await asyncio.gather(*[watch() for _ in range(20)]):
            # The same number again: somebody came or went, which is no entry.
            assert {after - before for before, after in itertools.pairwise(seqs)} <= {0, 1}
        await acting


async def test_all_who_act_at_once_are_answered(node: Node) -> None:
    async with dial(node) as ann, dial(node) as bob, dial(node) as cid, dial(node) as dee:
        room = (await created(ann)).room
        peers = [ann, bob, cid, dee]
        for peer, name in ((bob, "Bob"), (cid, "Cid"), (dee, "Dee")):
            await joined(peer, room, name)
        await done(ann, m.Start(1))
        for n in range(2, 12):
            passing = m.Pass(n, turn=1)
            await asyncio.gather(*[peer.send(encode(passing)) for peer in peers])
            for peer in peers:
                answer = await hear(peer)
                while not isinstance(answer, m.Refused):
                    answer = await hear(peer)
                assert answer.ref == n
                assert answer.code in (Reason.NOT_YOUR_TURN, Reason.LEADER_MUST_PLAY)


async def test_what_is_sent_in_one_breath_is_done_in_its_order(node: Node) -> None:
    async with dial(node) as host:
        await created(host)
        for n in range(1, 41):
            await host.send(encode(m.SetPace(n, 300 if n % 2 else 500)))
        told: list[m.Done] = []
        while len(told) < 40:
            heard = await hear(host)
            assert not isinstance(heard, m.Refused)
            told += [heard] if isinstance(heard, m.Done) else []
        assert told == [m.Done(n, n) for n in range(1, 41)]


async def test_there_is_no_replay_before_the_end(node: Node) -> None:
    async with dial(node) as host, dial(node) as eye:
        room = (await created(host)).room
        await done(host, m.Start(1))
        await eye.send(encode(m.Watch(m.VERSION, room)))
        assert isinstance(await hear(eye), m.Welcome)
        for peer in (host, eye):
            for match in (0, 1, 2):
                await peer.send(encode(m.FetchRecord(7, room, match)))
                answer = await hear(peer)
                while isinstance(answer, m.Update):
                    answer = await hear(peer)
                assert isinstance(answer, m.Refused)
                assert answer.code in (Code.NO_SUCH_RECORD, Code.BAD_MESSAGE)


async def test_joining_while_the_room_leaves_memory_finds_it_or_finds_it_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(deadlines, "UNLOAD_MS", 0)
    house = House()
    outcomes = set()
    for turns in range(60):
        actor, conn, token = await house.open()
        actor.put(Gone(conn))
        for _ in range(turns % 20):
            await asyncio.sleep(0)
        hello = m.Resume(m.VERSION, actor.room.code, token)
        for attempt in range(10):
            found = await house.rooms.find(actor.room.code)
            back = house.conn()
            if not found.put(Enter(back, hello)):
                outcomes.add("refused")  # the gate says so, and that one may try again
                continue
            await until(lambda: back in house.wires.heard or back in house.wires.closed)  # noqa: B023  awaited at once
            if back in house.wires.heard:
                outcomes.add("in" if attempt == 0 else "in again")
                break
            outcomes.add("sent back")
            assert house.wires.closed[back][1].code == Code.GOING_AWAY
        else:
            raise AssertionError("the room is undead")
        assert back in house.wires.heard
        assert len(house.rooms) <= turns + 1
    assert "in" in outcomes
    await house.rooms.stop()


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="reads /proc")
async def test_who_comes_and_vanishes_leaves_no_socket_and_no_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, soak: bool
) -> None:
    monkeypatch.setattr(deadlines, "UNLOAD_MS", 0)
    async with (
        EmbeddedStore(tmp_path / "store") as store,
        Redis.from_url(store.url, decode_responses=True) as redis,
        open_node(Config(port=0, redis_url=store.url), AnyBrains()) as node,
    ):

        async def come_and_go() -> None:
            async with dial(node) as host, dial(node) as guest:
                room = (await created(host)).room
                await joined(guest, room, "Bob")
                for peer in (host, guest):
                    peer.transport.abort()

        async def is_quiet() -> bool:
            keys = await redis.keys("g:held:*")
            return not keys and len(node._board) == 0  # noqa: SLF001  who is connected

        await come_and_go()
        await until(is_quiet, timeout_s=WAIT_S)
        before = descriptors(), len(asyncio.all_tasks())
        rooms = 2_000 if soak else 100
        for _ in range(rooms // 20):
            await asyncio.gather(*[come_and_go() for _ in range(20)])
        await until(is_quiet, timeout_s=WAIT_S)
        await until(lambda: descriptors() <= before[0], timeout_s=WAIT_S)
        await until(lambda: len(asyncio.all_tasks()) <= before[1], timeout_s=WAIT_S)
        # What is left of each in the store are its own keys, and they run out by themselves.
        keys = await redis.keys("g:{*")
        assert len(keys) <= 3 * (rooms + 1)
        assert all([0 < await redis.ttl(key) <= 7_200 for key in keys])
        others = {str(key).split(":")[1] for key in await redis.keys("g:[^{]*")}
        assert others <= {"node", "nodes"}


async def test_a_damaged_room_is_mended_or_refused_and_no_other_notices(tmp_path: Path) -> None:
    async with EmbeddedStore(tmp_path / "store") as store, Redis.from_url(store.url) as redis:
        config = Config(port=0, redis_url=store.url)
        tokens = []
        async with open_node(config, AnyBrains()) as node:
            for _ in range(3):
                async with dial(node) as host:
                    welcome = await created(host)
                    await done(host, m.Start(1))
                    tokens.append((welcome.room, welcome.token))
        (mendable, _), (damaged, _), _ = tokens
        for room in (mendable, damaged):
            await redis.setrange(room_keys(room).snap, 0, "X")
        await redis.xtrim(room_keys(damaged).log, maxlen=0)
        async with open_node(config, AnyBrains()) as node:
            for room, token in tokens:
                async with dial(node) as host:
                    await host.send(encode(m.Resume(m.VERSION, room, token)))
                    answer = await hear(host)
                    if room == damaged:
                        assert isinstance(answer, m.Refused)
                        assert answer.code == Code.ROOM_GONE
                        assert await close_code(host) == m.CLOSE_ROOM_GONE
                    else:
                        assert isinstance(answer, m.Welcome)
                        assert answer.public.phase in (PhaseName.LEADING, PhaseName.FOLLOWING)
                        await done(host, m.Autopilot(2, on=True, pace_ms=300))
