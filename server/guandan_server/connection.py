"""One WebSocket: what comes in is checked and counted, what goes out never makes anybody wait.

    in    frame ─► size (the library) ─► rate ─► `decode_client` ─► the room's inbox
    out   `send` puts bytes into a bounded outbox, which is written at the end of the loop's turn

A peer that does not read fills its outbox, or holds a send for too long, and is cut off: it comes
back to a whole view. The room never waits for it.
"""

from __future__ import annotations

import asyncio
import socket
from collections import deque
from typing import Final

import structlog
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode
from websockets.protocol import State

from guandan_protocol import messages as m
from guandan_protocol.codec import encode
from guandan_protocol.messages import Close
from guandan_server.items import Conn
from guandan_server.limits import BURST_BYTES, BYTES_PER_S, OUTBOX_FRAMES_MAX, SEND_S, Bucket

__all__ = ["BoundedConnection", "Connection"]

log = structlog.get_logger()

SEND_BUFFER_BYTES: Final = 32 * 1024
"""Of the kernel. Left alone it hides megabytes before an outbox fills, and a stall shows late."""


class BoundedConnection(ServerConnection):
    """The library's connection with a bound on the bytes that it takes in.

    Below it, because pings and frames without an end cost work and never come up to us: a flood of
    them once kept others from their handshakes for seconds.
    """

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._bytes = Bucket(per_s=BYTES_PER_S, burst=BURST_BYTES)
        super().connection_made(transport)

    def data_received(self, data: bytes) -> None:
        if self._bytes.take(self.loop.time(), len(data)):
            self.transport.abort()
            return
        super().data_received(data)


class Connection:
    """The sending side of a WebSocket.

    What is queued in one turn of the event loop goes to the kernel in one write at its end, without
    a task. A task waits only while the kernel does not take it all.
    """

    def __init__(self, conn: Conn, socket_: ServerConnection, address: str = "") -> None:
        self.conn = conn
        self.address = address
        """Whose it is, as far as limits are concerned (see `peers`)."""
        self._socket = socket_
        self._loop = asyncio.get_running_loop()
        self._outbox: deque[bytes] = deque()
        self._is_due = False
        """Will `_flush` be called?"""
        self._writer: asyncio.Task[None] | None = None
        self._last: tuple[Close, str] | None = None
        """The close that ends the connection once the outbox is empty."""
        transport = socket_.transport
        raw = transport.get_extra_info("socket")
        if raw is not None:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)

    @property
    def is_over(self) -> bool:
        """Has it been dropped or cut? Then nothing that it still says counts."""
        return self._last is not None

    def send(self, frame: bytes) -> None:
        """Queue a frame; a peer that is too far behind is cut off."""
        if self._last is not None:
            return
        if len(self._outbox) >= OUTBOX_FRAMES_MAX:
            log.info("connection too slow", conn=self.conn)
            self.abort()
            return
        self._outbox.append(frame)
        if not self._is_due and self._writer is None:
            self._is_due = True
            self._loop.call_soon(self._flush)

    def drop(self, close: Close, last: m.Goodbye | m.Moved) -> None:
        """Send what is queued and the last message, then close."""
        self.send(encode(last))
        if self._last is None:
            self._last = (close, last.code if isinstance(last, m.Goodbye) else "moved")
            self._start_writer()

    def abort(self) -> None:
        """Cut the connection without a word: nothing that could still block is waited for."""
        self._last = self._last or (m.CLOSE_SLOW, "slow")
        self._outbox.clear()
        if self._writer is not None:
            self._writer.cancel()
        self._socket.transport.abort()

    async def end(self) -> None:
        """Let the last message out if there is one; the socket is closed afterwards."""
        if self._writer is None:
            return
        if self._last is not None:
            await asyncio.wait([self._writer], timeout=SEND_S)
        self._writer.cancel()

    def _flush(self) -> None:
        """Write what is queued; if the kernel has not taken what was before it, wait in a task."""
        self._is_due = False
        if self._writer is not None or not self._outbox:
            return
        protocol, transport = self._socket.protocol, self._socket.transport
        if protocol.state is not State.OPEN or transport.get_write_buffer_size():
            self._start_writer()
            return
        room_bytes = SEND_BUFFER_BYTES
        while self._outbox and room_bytes > 0:
            room_bytes -= len(self._outbox[0])
            protocol.send_binary(self._outbox.popleft())
        transport.write(b"".join(protocol.data_to_send()))
        if self._outbox:
            self._start_writer()

    def _start_writer(self) -> None:
        if self._writer is None:
            self._writer = asyncio.create_task(self._write(), name=f"writer {self.conn}")

    async def _write(self) -> None:
        try:
            while self._outbox:
                async with asyncio.timeout(SEND_S):
                    await self._socket.send(self._outbox.popleft())
            if self._last is None:
                self._writer = None
                return
            close, reason = self._last
            async with asyncio.timeout(SEND_S):
                await self._socket.close(CloseCode(close) if close == 1012 else close, reason)
        except ConnectionClosed:
            self._last = self._last or (m.CLOSE_SLOW, "gone")
        except TimeoutError:
            log.info("connection stalled", conn=self.conn)
            self._socket.transport.abort()
