"""A TCP proxy in front of nodes, as a load balancer would be: it can be turned and cut."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator


class Proxy:
    """Forwards connections to whichever port it is turned to."""

    def __init__(self) -> None:
        self.target = 0
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None

    @property
    def url(self) -> str:
        assert self._server is not None
        port: int = self._server.sockets[0].getsockname()[1]
        return f"ws://127.0.0.1:{port}/ws"

    def turn_to(self, port: int) -> None:
        """New connections go there; those that there are stay."""
        self.target = port

    def cut(self) -> None:
        """Break every connection without a word."""
        for writer in list(self._writers):
            writer.transport.abort()

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return
        self._writers |= {writer, far_writer}
        try:
            await asyncio.wait(
                [
                    asyncio.ensure_future(_pump(reader, far_writer)),
                    asyncio.ensure_future(_pump(far_reader, writer)),
                ]
            )
        finally:
            self._writers -= {writer, far_writer}


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    with contextlib.suppress(OSError):
        writer.close()
        await writer.wait_closed()


@contextlib.asynccontextmanager
async def proxy(port: int) -> AsyncIterator[Proxy]:
    """A proxy for the length of a test."""
    one = Proxy()
    one.target = port
    one._server = await asyncio.start_server(one._forward, "127.0.0.1", 0)  # noqa: SLF001  made here
    try:
        yield one
    finally:
        one._server.close()  # noqa: SLF001  made here
        one.cut()
