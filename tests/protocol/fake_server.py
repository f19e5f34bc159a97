"""A server that follows a script: each connection that comes plays the next scene.

    async def scene(peer):
        await peer.hears(Join)
        await peer.says(WELCOME)
        peer.cuts()

    async with FakeServer(scene, scene, …) as server:
        server.url

A scene that fails fails the test, at the end of the `async with`. When a scene ends its connection
is closed; a connection for which no scene is left is a fault of its own.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from typing import Self, TypeVar

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from guandan_protocol.codec import decode_client, encode
from guandan_protocol.messages import SUBPROTOCOL, ClientMessage, ServerMessage

M = TypeVar("M")

WAIT_S = 5.0
"""How long anything is waited for; only a failing test waits that long."""


class Peer:
    """A client, as a scene sees it."""

    def __init__(self, connection: ServerConnection) -> None:
        self._socket = connection

    async def hears(self, kind: type[M]) -> M:
        """The next message, which must be of that class."""
        async with asyncio.timeout(WAIT_S):
            frame = await self._socket.recv(decode=False)
        message: ClientMessage = decode_client(frame)
        assert isinstance(message, kind), message
        return message

    async def hears_frame(self) -> bytes:
        """The next message as it came."""
        async with asyncio.timeout(WAIT_S):
            return await self._socket.recv(decode=False)

    async def says(self, *messages: ServerMessage) -> None:
        for message in messages:
            await self._socket.send(encode(message))

    async def says_raw(self, frame: bytes | str) -> None:
        await self._socket.send(frame)

    async def closes(self, code: int) -> None:
        await self._socket.close(code)

    def cuts(self) -> None:
        """Gone without a word, like a network."""
        self._socket.transport.abort()

    async def stays(self) -> int | None:
        """Listen until the client closes; what it closed with."""
        try:
            async with asyncio.timeout(WAIT_S):
                while True:
                    await self._socket.recv()
        except ConnectionClosed:
            return self._socket.close_code


Scene = Callable[[Peer], Awaitable[object]]


class FakeServer:
    """See the module's docstring."""

    def __init__(
        self,
        *scenes: Scene,
        port: int = 0,
        subprotocol: str | None = SUBPROTOCOL,
        http: list[Response] | None = None,
    ) -> None:
        self._scenes = list(scenes)
        self._port = port
        self._subprotocol = subprotocol
        self._http = http or []
        """Answers to the first handshakes, in place of a connection."""
        self._server: Server | None = None
        self._faults: list[BaseException] = []
        self.hellos = 0
        """Handshakes that came, refused ones too."""

    @property
    def url(self) -> str:
        assert self._server is not None
        port: int = next(iter(self._server.sockets)).getsockname()[1]
        return f"ws://127.0.0.1:{port}/ws"

    def refuse_next(self, *answers: Response) -> None:
        """Answer the next handshakes like that."""
        self._http.extend(answers)

    async def __aenter__(self) -> Self:
        self._server = await serve(
            self._serve,
            "127.0.0.1",
            self._port,
            subprotocols=[Subprotocol(self._subprotocol)] if self._subprotocol else None,
            select_subprotocol=None if self._subprotocol else lambda _, __: None,
            process_request=self._request,
            compression=None,
            close_timeout=1,
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        await self._server.wait_closed()
        if self._faults:
            raise self._faults[0]
        assert not self._scenes, f"{len(self._scenes)} scenes were not played"

    def _request(self, connection: ServerConnection, request: Request) -> Response | None:
        del connection, request
        self.hellos += 1
        return self._http.pop(0) if self._http else None

    async def _serve(self, connection: ServerConnection) -> None:
        try:
            assert self._scenes, "a connection that is not in the script"
            await self._scenes.pop(0)(Peer(connection))
        except (ConnectionClosed, AssertionError, TimeoutError) as fault:
            self._faults.append(fault)
            connection.transport.abort()


def refusal(status: int, **headers: str) -> Response:
    """An answer over HTTP that is no connection."""
    fields = Headers({"Content-Length": "0", "Connection": "close"})
    for name, value in headers.items():
        fields[name.replace("_", "-")] = value
    return Response(status, "no", fields)


def free_port() -> int:
    """A port on which nobody listens yet."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
