"""One WebSocket: what comes in is checked and counted, what goes out never makes anybody wait.

    in    frame ─► size (the library) ─► rate ─► `decode_client` ─► the room's inbox
    out   `send` puts bytes into a bounded outbox; one writer task takes them out

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
    """The sending side of a WebSocket."""

    def __init__(self, conn: Conn, socket_: ServerConnection) -> None:
        self.conn = conn
        self._socket = socket_
        self._outbox: deque[bytes] = deque()
        self._wake = asyncio.Event()
        self._last: tuple[Close, str] | None = None
        """The close that ends the connection once the outbox is empty."""
        transport = socket_.transport
        raw = transport.get_extra_info("socket")
        if raw is not None:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        self._writer = asyncio.create_task(self._write(), name=f"writer {conn}")

    def send(self, frame: bytes) -> None:
        """Queue a frame; a peer that is too far behind is cut off."""
        if self._last is not None:
            return
        if len(self._outbox) >= OUTBOX_FRAMES_MAX:
            log.info("connection too slow", conn=self.conn)
            self.abort()
            return
        self._outbox.append(frame)
        self._wake.set()

    def drop(self, close: Close, last: m.Goodbye | m.Moved) -> None:
        """Send what is queued and the last message, then close."""
        if self._last is None:
            self.send(encode(last))
            self._last = (close, last.code if isinstance(last, m.Goodbye) else "moved")
            self._wake.set()

    def abort(self) -> None:
        """Cut the connection without a word: nothing that could still block is waited for."""
        self._last = self._last or (m.CLOSE_SLOW, "slow")
        self._outbox.clear()
        self._writer.cancel()
        self._socket.transport.abort()

    async def end(self) -> None:
        """Let the last message out if there is one; the socket is closed afterwards."""
        if self._last is not None:
            await asyncio.wait([self._writer], timeout=SEND_S)
        self._writer.cancel()

    async def _write(self) -> None:
        try:
            while True:
                while self._outbox:
                    async with asyncio.timeout(SEND_S):
                        await self._socket.send(self._outbox.popleft())
                if self._last is not None:
                    break
                self._wake.clear()
                await self._wake.wait()
            close, reason = self._last
            async with asyncio.timeout(SEND_S):
                await self._socket.close(CloseCode(close) if close == 1012 else close, reason)
        except ConnectionClosed:
            pass
        except TimeoutError:
            log.info("connection stalled", conn=self.conn)
            self._socket.transport.abort()
