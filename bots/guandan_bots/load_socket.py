"""A WebSocket for swarms: no task, no queue, two thousand of them in one process.

The library's connection has a reader task and a queue, which make its user wait for what it wants.
A swarm wants everything at once and only looks at the clock, so here the library's sans-I/O
protocol is fed straight from the transport, and each frame is handed on in the same callback.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from websockets.client import ClientProtocol
from websockets.exceptions import NegotiationError
from websockets.frames import Frame, Opcode
from websockets.http11 import Response
from websockets.protocol import State
from websockets.typing import Subprotocol
from websockets.uri import parse_uri

from guandan_protocol.bounds import SERVER_FRAME_BYTES_MAX
from guandan_protocol.messages import SUBPROTOCOL

__all__ = ["ThinSocket", "open_socket"]

OPEN_S: Final = 15.0
"""For the connection and its handshake; a busy machine opens hundreds side by side."""

# At DEBUG the library writes every frame out, and the first one carries the token.
_LOGGER: Final = logging.getLogger("guandan_bots.socket")
_LOGGER.setLevel(logging.INFO)


class ThinSocket(asyncio.Protocol):
    """One connection; see `open_socket`."""

    def __init__(self, url: str, heard: Callable[[bytes], None]) -> None:
        loop = asyncio.get_running_loop()
        self.opened: asyncio.Future[None] = loop.create_future()
        """The handshake is over; fails as `dialing.dial` would."""
        self.closed: asyncio.Future[int | None] = loop.create_future()
        """The connection is gone, and the code that it was closed with, if it was."""
        self._heard = heard
        self._protocol = ClientProtocol(
            parse_uri(url),
            subprotocols=[Subprotocol(SUBPROTOCOL)],
            max_size=SERVER_FRAME_BYTES_MAX,
            logger=_LOGGER,
        )
        self._transport: asyncio.Transport | None = None
        self._parts: list[bytes] = []

    def send(self, frame: bytes) -> None:
        """Send a message; into the void if the connection is on its way out."""
        if self._protocol.state is State.OPEN:
            self._protocol.send_binary(frame)
            self._flush()

    def close(self) -> None:
        """Say goodbye, and do not wait for the other side's."""
        if self._protocol.state is State.OPEN:
            self._protocol.send_close(1000)
            self._flush()
        if self._transport is not None:
            self._transport.close()

    # What the transport calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._protocol.send_request(self._protocol.connect())
        self._flush()

    def data_received(self, data: bytes) -> None:
        self._protocol.receive_data(data)
        for event in self._protocol.events_received():
            if isinstance(event, Frame):
                self._take(event)
            elif isinstance(event, Response):
                self._answered()
        self._flush()

    def connection_lost(self, _: Exception | None) -> None:
        self._protocol.receive_eof()
        if not self.opened.done():
            self.opened.set_exception(
                self._protocol.handshake_exc or ConnectionError("closed during the handshake")
            )
        if not self.closed.done():
            self.closed.set_result(self._protocol.close_code)

    # Behind it

    def _answered(self) -> None:
        refused = self._protocol.handshake_exc
        if refused is None and self._protocol.subprotocol != SUBPROTOCOL:
            refused = NegotiationError(f"the server does not speak {SUBPROTOCOL}")
        if self.opened.done():
            return
        if refused is None:
            self.opened.set_result(None)
        else:
            self.opened.set_exception(refused)

    def _take(self, frame: Frame) -> None:
        if frame.opcode not in (Opcode.BINARY, Opcode.CONT):
            return  # pings are answered, and closes noted, by the library
        if frame.fin and not self._parts:
            self._heard(bytes(frame.data))
            return
        self._parts.append(bytes(frame.data))
        if frame.fin:
            whole, self._parts = b"".join(self._parts), []
            self._heard(whole)

    def _flush(self) -> None:
        assert self._transport is not None
        for data in self._protocol.data_to_send():
            if data:
                self._transport.write(data)
            else:
                self._transport.close()


async def open_socket(url: str, heard: Callable[[bytes], None]) -> ThinSocket:
    """A connection to the server at `url`, every message of which is handed to `heard`.

    Raises OSError, TimeoutError or WebSocketException if there is none. Proxies of the environment
    are not asked: what is measured is the way to the server.
    """
    uri = parse_uri(url)
    socket = ThinSocket(url, heard)
    try:
        async with asyncio.timeout(OPEN_S):
            await asyncio.get_running_loop().create_connection(
                lambda: socket, uri.host, uri.port, ssl=True if uri.secure else None
            )
            await socket.opened
    except BaseException:
        if socket.opened.done() and not socket.opened.cancelled():
            socket.opened.exception()  # seen: it is raised, or somebody gave up before
        socket.close()
        raise
    return socket
