"""The sending side of a socket: one write for what is said at once, and nobody waits."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from guandan_protocol import messages as m
from guandan_protocol.codec import decode_server
from guandan_server import connection as module
from guandan_server.connection import Connection
from guandan_server.items import Conn
from guandan_server.limits import OUTBOX_FRAMES_MAX
from tests.server.waiting import until

WAIT_S = 10
FRAME_BYTES = 4000


class Line:
    """Both ends of a socket."""

    def __init__(self, ours: ServerConnection, theirs: ClientConnection) -> None:
        self.ours = ours
        self.connection = Connection(Conn(1), ours)
        self.theirs = theirs

    async def hears(self) -> bytes:
        async with asyncio.timeout(WAIT_S):
            return await self.theirs.recv(decode=False)


@contextlib.asynccontextmanager
async def line(**dialing: object) -> AsyncIterator[Line]:
    came: asyncio.Future[ServerConnection] = asyncio.get_running_loop().create_future()
    over = asyncio.Event()

    async def stay(socket: ServerConnection) -> None:
        came.set_result(socket)
        await over.wait()

    async with serve(stay, "127.0.0.1", 0, compression=None, close_timeout=1) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        address = f"ws://127.0.0.1:{port}"
        async with connect(address, compression=None, close_timeout=1, **dialing) as theirs:  # type: ignore[arg-type]  # passed on
            try:
                yield Line(await came, theirs)
            finally:
                over.set()


async def test_what_is_said_at_once_is_one_write_in_its_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with line() as one:
        writes: list[bytes] = []
        write = one.ours.transport.write

        def written(data: bytes) -> None:
            writes.append(data)
            write(data)

        monkeypatch.setattr(one.ours.transport, "write", written)
        for number in range(5):
            one.connection.send(bytes([number]))
        assert writes == []
        assert [await one.hears() for _ in range(5)] == [bytes([number]) for number in range(5)]
        assert len(writes) == 1


async def test_more_than_the_kernel_is_given_at_once_comes_all_the_same() -> None:
    frames = [bytes([number]) * 4096 for number in range(OUTBOX_FRAMES_MAX)]
    async with line() as one:
        for frame in frames:
            one.connection.send(frame)
        assert [await one.hears() for _ in frames] == frames
        one.connection.send(b"and on")
        assert await one.hears() == b"and on"


async def test_the_last_word_comes_after_all_others() -> None:
    async with line() as one:
        one.connection.send(b"first")
        one.connection.drop(m.CLOSE_GOING_AWAY, m.Goodbye(m.Code.GOING_AWAY, 7))
        one.connection.send(b"too late")
        assert await one.hears() == b"first"
        assert decode_server(await one.hears()) == m.Goodbye(m.Code.GOING_AWAY, 7)
        with pytest.raises(ConnectionClosed):
            await one.hears()
        assert one.theirs.close_code == 1012
        await one.connection.end()


async def test_who_does_not_read_is_cut_and_costs_no_more_than_an_outbox() -> None:
    async with line(max_queue=1) as one:
        raw = one.theirs.transport.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        one.theirs.transport.pause_reading()
        sent = most_waiting = 0
        while not one.ours.transport.is_closing():
            one.connection.send(bytes(FRAME_BYTES))
            sent += 1
            await asyncio.sleep(0)
            most_waiting = max(most_waiting, one.ours.transport.get_write_buffer_size())
            assert sent < 10_000, "it is never cut"
        assert 0 < most_waiting <= 2 * (module.SEND_BUFFER_BYTES + FRAME_BYTES)


async def test_a_peer_that_is_gone_is_nobody_s_fault() -> None:
    async with line() as one:
        one.theirs.transport.abort()
        await until(lambda: one.ours.close_code is not None)
        for _ in range(2 * OUTBOX_FRAMES_MAX):
            one.connection.send(b"into the void")
            await asyncio.sleep(0)
        one.connection.drop(m.CLOSE_GOING_AWAY, m.Goodbye(m.Code.GOING_AWAY))
        await one.connection.end()
