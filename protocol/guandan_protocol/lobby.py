"""Questions that need no room: one connection, one hello, the answers, and away again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from guandan_protocol.codec import decode_client, encode
from guandan_protocol.dialing import DIAL_ERRORS, dial, receive
from guandan_protocol.errors import BadMessage, QueryRefused, Unreachable
from guandan_protocol.messages import (
    SUBPROTOCOL,
    VERSION,
    FetchRecord,
    Goodbye,
    InLobby,
    ListRooms,
    Lobby,
    RecordPage,
    Refused,
    RoomLine,
    Rooms,
    ServerMessage,
)

__all__ = ["fetch_record", "list_rooms"]

# A server under load answers late, a broken one never.
ANSWER_WAIT_S: Final = 10.0
# Ten million characters in the smallest pages in use; a match has some ten thousand.
RECORD_PAGES_MAX: Final = 10_000


async def list_rooms(url: str) -> tuple[RoomLine, ...]:
    """The public rooms of a server.

    Raises Unreachable if nobody answers, QueryRefused if the answer is no.
    """
    async with _lobby(url) as socket:
        answer = await _answer(socket, ListRooms(id=1))
        if isinstance(answer, Rooms):
            return answer.rooms
        raise _unexpected(answer)


async def fetch_record(url: str, room: str, match: int) -> str:
    """The whole record of a finished match; raises like `list_rooms`, or BadMessage for no room."""
    decode_client(encode(FetchRecord(id=1, room=room, match=match)))
    parts: list[str] = []
    async with _lobby(url) as socket:
        for page in range(RECORD_PAGES_MAX):
            query = FetchRecord(id=1 + page, room=room, match=match, page=page)
            answer = await _answer(socket, query)
            if not isinstance(answer, RecordPage):
                raise _unexpected(answer)
            parts.append(answer.text)
            if page + 1 >= answer.pages:
                break
    return "".join(parts)


@asynccontextmanager
async def _lobby(url: str) -> AsyncIterator[ClientConnection]:
    """A connection that has been let in, without a room; all that fails is Unreachable."""
    try:
        socket = await dial(url)
    except DIAL_ERRORS as error:
        raise Unreachable(url, str(error) or type(error).__name__) from error
    try:
        if socket.subprotocol != SUBPROTOCOL:
            raise Unreachable(url, f"the server does not speak {SUBPROTOCOL}")
        answer = await _answer(socket, Lobby(VERSION))
        if not isinstance(answer, InLobby):
            raise _unexpected(answer)
        yield socket
    except (ConnectionClosed, TimeoutError, BadMessage) as error:
        raise Unreachable(url, str(error) or "no answer") from error
    finally:
        await socket.close()


async def _answer(
    socket: ClientConnection, message: Lobby | ListRooms | FetchRecord
) -> ServerMessage:
    """The next thing that the server says; here there is one question at a time."""
    async with asyncio.timeout(ANSWER_WAIT_S):
        await socket.send(encode(message))
        return await receive(socket)


def _unexpected(answer: ServerMessage) -> Exception:
    match answer:
        case Refused():
            return QueryRefused(answer)
        case Goodbye(code=code):
            return QueryRefused(Refused(ref=0, code=code, text="the server said goodbye"))
        case _:
            return BadMessage("t", "an answer", f"'{type(answer).__name__}'")
