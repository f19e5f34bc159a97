"""Where a visitor reads and writes: line by line, or at a platform's WebSocket."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterable
from typing import Final, TextIO

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidURI
from websockets.uri import parse_uri

from guandan_bots.dialect.visitor import Visitor
from guandan_protocol.dialing import DIAL_ERRORS, is_here
from guandan_protocol.errors import Unreachable

__all__ = ["Cut", "NoAddress", "converse", "visit"]

FRAME_BYTES_MAX: Final = 4 * 1024 * 1024
"""A list of 4,000 actions has 200 KB."""
OPEN_S: Final = 10

_LOGGER: Final = logging.getLogger("guandan_bots.socket")


class Cut(Exception):
    """The platform closed the connection before it had told a result."""


class NoAddress(ValueError):
    """A platform cannot be where this text says: it is no `ws` or `wss` address."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.url = url

    def __str__(self) -> str:
        return f"expected a ws:// or wss:// address, got {self.url}"


def converse(visitor: Visitor, lines: Iterable[str], out: TextIO) -> None:
    """Answer a platform that writes one message a line; blank lines mean nothing."""
    for line in lines:
        answer = _answered(visitor, line) if line.strip() else None
        if answer is not None:
            print(answer, file=out, flush=True)


async def visit(url: str, visitor: Visitor) -> None:
    """Play at a platform until it tells the result.

    Raises NoAddress for no address, Unreachable if it cannot be reached, Cut if it closes before.
    """
    try:
        parts = parse_uri(url)
    except (InvalidURI, ValueError) as error:
        raise NoAddress(url) from error
    try:
        socket = await connect(
            url,
            max_size=FRAME_BYTES_MAX,
            open_timeout=OPEN_S,
            # Platforms take as long as their slowest bot, and not all answer meanwhile.
            ping_interval=None,
            proxy=None if is_here(parts.host) else True,
            logger=_LOGGER,
        )
    except UnicodeError as error:  # no name of a host can be made of it
        raise NoAddress(url) from error
    except DIAL_ERRORS as error:
        raise Unreachable(url, str(error) or type(error).__name__) from error
    async with socket:
        await _play(socket, visitor)


async def _play(socket: ClientConnection, visitor: Visitor) -> None:
    try:
        while not visitor.is_over:
            frame = await socket.recv()
            text = frame if isinstance(frame, str) else frame.decode(errors="replace")
            # In a thread, so that the connection stays alive while a policy thinks.
            answer = await asyncio.to_thread(_answered, visitor, text)
            if answer is not None:
                await socket.send(answer)
    except ConnectionClosed as error:
        raise Cut(str(error)) from error


def _answered(visitor: Visitor, text: str) -> str | None:
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        message = text.strip()  # the visitor says what it thinks of that
    answer = visitor.hears(message)
    return None if answer is None else json.dumps(answer)
