"""Many at once and much at once: bounded, and those who behave get in meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
import resource
from collections.abc import AsyncIterator
from pathlib import Path

import msgpack
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.protocol import State

from guandan_protocol import messages as m
from guandan_protocol.codec import encode
from guandan_protocol.messages import Code
from guandan_server import gate
from guandan_server.config import Config
from guandan_server.limits import BURST_MESSAGES, MESSAGES_PER_S
from guandan_server.node import Node, open_node
from tests.server.test_actor import AnyBrains
from tests.server.test_bad_frames import BINARY, HANDSHAKE, close_code, frame
from tests.server.test_gate import WAIT_S, created, dial, hear
from tests.server.waiting import until

SILENT = 1_000


@pytest.fixture
async def node(tmp_path: Path) -> AsyncIterator[Node]:
    async with open_node(Config(port=0, data_dir=tmp_path), AnyBrains()) as node:
        yield node


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="reads /proc")
@pytest.mark.skipif(
    resource.getrlimit(resource.RLIMIT_NOFILE)[0] < 2 * SILENT + 200, reason="too few descriptors"
)
async def test_a_thousand_who_say_nothing_are_gone_and_one_who_does_gets_in(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate, "HELLO_MS", 1_000)
    async with dial(node) as first:
        await created(first)  # the lines to the store are open now
        before = descriptors()
    inside = 0

    async def silent() -> int | str:
        nonlocal inside
        reader, writer = await asyncio.open_connection("127.0.0.1", node.port)
        try:
            writer.write(HANDSHAKE.encode())
            await reader.readuntil(b"\r\n\r\n")
            inside += 1
            return await close_code(reader)
        finally:
            writer.transport.abort()

    crowd = [asyncio.create_task(silent()) for _ in range(SILENT)]
    await until(lambda: inside > SILENT // 2, timeout_s=WAIT_S)
    async with dial(node) as host:
        await created(host)
        assert {await one for one in crowd} == {m.CLOSE_SLOW}
    await until(lambda: descriptors() <= before, timeout_s=WAIT_S)


@pytest.mark.parametrize("query", [m.AskHints(1), m.ListRooms(1)])
async def test_a_flood_of_messages_is_slowed_or_cut_and_others_are_served(
    node: Node, query: m.Query
) -> None:
    loop = asyncio.get_running_loop()
    async with dial(node) as flood, dial(node) as host:
        await created(flood)
        await created(host)
        began_s = loop.time()

        async def pour() -> None:
            with contextlib.suppress(ConnectionClosed):
                while True:
                    await flood.send(encode(query))
                    await asyncio.sleep(0)

        answers = 0

        async def listen() -> None:
            nonlocal answers
            with contextlib.suppress(ConnectionClosed):
                while True:
                    answers += isinstance(await hear(flood), m.Refused | m.Rooms)

        both = [asyncio.create_task(pour()), asyncio.create_task(listen())]
        try:
            for n in range(1, 21):
                await host.send(encode(m.SetPace(n, 300 if n % 2 else 500)))
                while not isinstance(await hear(host), m.Done):
                    pass
                async with dial(node) as other:
                    await other.send(encode(m.Lobby(m.VERSION)))
                    assert isinstance(await hear(other), m.InLobby)
            # Slowed; or cut, if so many answers at once were more than it took in.
            await until(
                lambda: answers >= BURST_MESSAGES or flood.state is State.CLOSED, timeout_s=WAIT_S
            )
            assert answers <= BURST_MESSAGES + MESSAGES_PER_S * (loop.time() - began_s) + 1
        finally:
            for one in both:
                one.cancel()
            await asyncio.gather(*both, return_exceptions=True)
            flood.transport.abort()


async def test_who_floods_and_goes_is_not_listened_to_for_minutes(node: Node) -> None:
    _, writer = await asyncio.open_connection("127.0.0.1", node.port)
    hello = frame(BINARY, encode(m.Create(m.VERSION, "Ann", bytes(16))))
    writer.write(HANDSHAKE.encode() + hello + frame(BINARY, encode(m.AskHints(1))) * 4_000)
    await writer.drain()
    board = node._board  # noqa: SLF001  who is connected
    await until(lambda: len(board) == 1, timeout_s=WAIT_S)
    writer.transport.abort()
    await until(lambda: len(board) == 0, timeout_s=WAIT_S)


async def test_a_flood_of_what_is_no_message_is_over_with_the_fifth(node: Node) -> None:
    async with dial(node) as flood:
        await created(flood)
        for _ in range(50):
            with contextlib.suppress(ConnectionClosed):
                await flood.send(msgpack.packb({"t": "pass", "n": 1, "seat": 2}))
        refused = 0
        with contextlib.suppress(ConnectionClosed):
            while True:
                answer = await hear(flood)
                refused += isinstance(answer, m.Refused) and answer.code == Code.BAD_MESSAGE
        assert (refused, flood.close_code) == (5, m.CLOSE_BAD_MESSAGE)


async def test_fifty_join_at_once_and_four_sit(node: Node) -> None:
    async with contextlib.AsyncExitStack() as stack:
        host = await stack.enter_async_context(dial(node))
        room = (await created(host)).room
        others = [await stack.enter_async_context(dial(node)) for _ in range(50)]
        await asyncio.gather(
            *[one.send(encode(m.Join(m.VERSION, room, f"P{i}"))) for i, one in enumerate(others)]
        )
        answers = await asyncio.gather(*[hear(one) for one in others])
        seated = [answer for answer in answers if isinstance(answer, m.Welcome)]
        assert sorted(answer.seat or 0 for answer in seated) == [2, 3, 4]
        assert len({answer.token for answer in seated}) == 3
        refused = [answer.code for answer in answers if isinstance(answer, m.Refused)]
        assert refused == [Code.FULL] * 47
