"""From a WebSocket to a room: the hello, then frames until one side has had enough."""

from __future__ import annotations

import asyncio
import itertools
from typing import Final

import structlog
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.protocol import State

from guandan_protocol import messages as m
from guandan_protocol.codec import decode_client, encode
from guandan_protocol.errors import BadMessage, BadVersion
from guandan_protocol.messages import Close, Code
from guandan_server.actor import Actor
from guandan_server.connection import Connection
from guandan_server.errors import StoreError, StoreRefused, StoreUnavailable
from guandan_server.items import Act, Ask, Conn, Enter, Gone, Item, Take
from guandan_server.limits import (
    BAD_MESSAGES_MAX,
    BURST_MESSAGES,
    HELLO_MS,
    MESSAGES_PER_S,
    Bucket,
)
from guandan_server.metrics import Metrics
from guandan_server.packing import Packer
from guandan_server.peers import Peers
from guandan_server.records import record_page
from guandan_server.refusals import Elsewhere, Refusal
from guandan_server.rooms import Rooms
from guandan_server.store import Store

__all__ = ["Gate", "Switchboard"]

log = structlog.get_logger()

BUSY_RETRY_MS: Final = 1_000


class Switchboard:
    """The connections of this process by number; what actors send through."""

    def __init__(self) -> None:
        self._connections: dict[Conn, Connection] = {}
        self._numbers = itertools.count(1)
        self._packer = Packer()

    def __len__(self) -> int:
        return len(self._connections)

    def connect(self, socket: ServerConnection, address: str = "") -> Connection:
        connection = Connection(Conn(next(self._numbers)), socket, address)
        self._connections[connection.conn] = connection
        return connection

    def disconnect(self, connection: Connection) -> None:
        self._connections.pop(connection.conn, None)

    def send(self, conn: Conn, message: m.ServerMessage) -> None:
        connection = self._connections.get(conn)
        if connection is not None:
            connection.send(self._packer.pack(message))

    def drop(self, conn: Conn, close: Close, goodbye: m.Goodbye) -> None:
        connection = self._connections.get(conn)
        if connection is not None:
            connection.drop(close, goodbye)

    def drop_all(self, close: Close, goodbye: m.Goodbye) -> None:
        for connection in list(self._connections.values()):
            connection.drop(close, goodbye)

    def abort_all(self) -> None:
        for connection in list(self._connections.values()):
            connection.abort()


class Gate:
    """Serves connections: one `serve` per WebSocket."""

    def __init__(
        self, rooms: Rooms, store: Store, board: Switchboard, *, peers: Peers, metrics: Metrics
    ) -> None:
        self._rooms = rooms
        self._store = store
        self._board = board
        self._peers = peers
        self._metrics = metrics

    async def serve(self, socket: ServerConnection) -> None:
        """One connection from its hello to its end; errors of the peer end here."""
        address = self._address(socket)
        if not self._peers.connected(address):
            socket.transport.abort()
            return
        _forget_handshake(socket)
        connection = self._board.connect(socket, address)
        actor: Actor | None = None
        try:
            hello = await self._hello(connection, socket)
            if hello is not None:
                actor = await self._enter(connection, hello, address)
                if actor is not None or isinstance(hello, m.Lobby):
                    await self._listen(connection, socket, actor)
        except ConnectionClosed:
            pass
        except Exception:
            # A fault of ours on one connection: it is cut, and comes back to a whole view.
            log.exception("connection failed", conn=connection.conn)
            connection.abort()
        finally:
            if actor is not None:
                actor.put_always(Gone(connection.conn))
            await connection.end()
            self._board.disconnect(connection)
            self._peers.disconnected(address)

    def _address(self, socket: ServerConnection) -> str:
        remote = socket.remote_address
        forwarded = socket.request.headers.get("X-Forwarded-For") if socket.request else None
        return self._peers.address(remote[0] if remote else "", forwarded)

    async def _hello(self, connection: Connection, socket: ServerConnection) -> m.Hello | None:
        try:
            async with asyncio.timeout(HELLO_MS / 1000):
                frame = await socket.recv()
        except TimeoutError:
            connection.drop(m.CLOSE_SLOW, m.Goodbye(Code.SLOW))
            return None
        try:
            message = decode_client(_bytes(frame))
        except BadVersion as error:
            self._other_version(connection, str(error))
        except BadMessage as error:
            self._bad(connection, error)
            connection.drop(m.CLOSE_BAD_MESSAGE, m.Goodbye(Code.BAD_MESSAGE))
        else:
            if not isinstance(message, m.Create | m.Join | m.Resume | m.Watch | m.Lobby):
                connection.drop(m.CLOSE_BAD_MESSAGE, m.Goodbye(Code.BAD_MESSAGE))
            elif message.version != m.VERSION:
                self._other_version(connection, f"version {message.version} is not spoken here")
            else:
                return message
        return None

    def _other_version(self, connection: Connection, text: str) -> None:
        text = f"{text}; this is version {m.VERSION}"
        connection.send(encode(m.Refused(0, Code.BAD_VERSION, text)))
        connection.drop(m.CLOSE_BAD_VERSION, m.Goodbye(Code.BAD_VERSION))

    async def _enter(self, connection: Connection, hello: m.Hello, address: str) -> Actor | None:
        """The room that the hello opens; None, and the connection closes, if it opens none."""
        conn = connection.conn
        now_s = asyncio.get_running_loop().time()
        try:
            match hello:
                case m.Lobby():
                    lobby = m.InLobby(m.VERSION, self._rooms.levels, self._rooms.build)
                    connection.send(encode(lobby))
                    return None
                case m.Create():
                    if not self._peers.may_create(address, now_s):
                        raise Refusal(Code.TOO_FAST, "too many rooms", retry_ms=60_000)  # noqa: TRY301  answered below
                    made = await self._rooms.create(hello)
                    actor, item = made.actor, Take(conn, made.seat, made.token)
                    return _handed(actor, item)
                case m.Join() | m.Resume() | m.Watch():
                    code = hello.room.upper()
                    known = isinstance(hello, m.Resume) and self._rooms.opens(code, hello.token)
                    # Asked before the room is looked for: a guess that is refused tells nothing.
                    if not known and not self._peers.may_try(address, now_s):
                        raise Refusal(Code.TOO_FAST, "too many wrong codes", retry_ms=60_000)  # noqa: TRY301  answered below
                    actor = await self._rooms.find(code)
                    if isinstance(hello, m.Resume) and not actor.room.opens(hello.token):
                        self._peers.wrong(address, now_s)
                    peer = "" if self._peers.is_local(address) else address
                    return _handed(actor, Enter(conn, hello, peer))
        except Elsewhere as other:
            connection.drop(m.CLOSE_MOVED, m.Moved(other.url))
        except Refusal as refusal:
            close = m.CLOSE_REFUSED
            if refusal.code in (Code.NO_SUCH_ROOM, Code.ROOM_GONE):
                close = m.CLOSE_ROOM_GONE
                self._peers.wrong(address, now_s)
            self._turn_away(connection, refusal, close)
        except StoreRefused:
            log.exception("store refused a call", conn=conn)
            fault = Refusal(Code.INTERNAL, "a fault of the server", retry_ms=BUSY_RETRY_MS)
            self._turn_away(connection, fault, m.CLOSE_REFUSED)
        except StoreUnavailable as error:
            retry_ms = max(error.retry_after_ms, BUSY_RETRY_MS)
            unavailable = Refusal(Code.STORAGE_UNAVAILABLE, "try again", retry_ms=retry_ms)
            self._turn_away(connection, unavailable, m.CLOSE_REFUSED)
        return None

    def _turn_away(self, connection: Connection, refusal: Refusal, close: Close) -> None:
        self._metrics.refusals.labels(refusal.code).inc()
        refused = m.Refused(0, refusal.code, refusal.text, refusal.retry_ms)
        connection.send(encode(refused))
        connection.drop(close, m.Goodbye(refusal.code, refusal.retry_ms))

    async def _listen(
        self, connection: Connection, socket: ServerConnection, actor: Actor | None
    ) -> None:
        bucket = Bucket(per_s=MESSAGES_PER_S, burst=BURST_MESSAGES)
        loop = asyncio.get_running_loop()
        bad = 0
        async for frame in socket:
            wait_s = bucket.take(loop.time())
            if wait_s:
                await asyncio.sleep(wait_s)
            # One read of the network holds thousands of frames: at their rate we would listen for
            # minutes to who was cut, or has gone.
            if connection.is_over or (wait_s and socket.state is not State.OPEN):
                return
            try:
                data = _bytes(frame)
                message = decode_client(data)
            except BadMessage as error:
                bad += 1
                self._bad(connection, error)
                if bad >= BAD_MESSAGES_MAX or isinstance(frame, str):
                    connection.drop(m.CLOSE_BAD_MESSAGE, m.Goodbye(Code.BAD_MESSAGE))
                    return
                continue
            if isinstance(message, m.Create | m.Join | m.Resume | m.Watch | m.Lobby):
                connection.drop(m.CLOSE_BAD_MESSAGE, m.Goodbye(Code.BAD_MESSAGE))
                return
            await self._message(connection, actor, message, data)

    async def _message(
        self, connection: Connection, actor: Actor | None, message: m.Action | m.Query, body: bytes
    ) -> None:
        match message:
            case m.ListRooms() | m.FetchRecord():
                await self._look_up(connection, message)
            case m.Ping(number):
                connection.send(encode(m.Pong(number)))
            case m.Preview() | m.AskHints() | m.AskReview() | m.Say():
                self._hand(connection, actor, Ask(connection.conn, message), message.id)
            case _:
                self._hand(connection, actor, Act(connection.conn, message, body), message.n)

    def _hand(self, connection: Connection, actor: Actor | None, item: Item, ref: int) -> None:
        if actor is None:
            connection.send(encode(m.Refused(ref, Code.NOT_SEATED, "you are in no room")))
        elif not actor.put(item):
            connection.send(encode(m.Refused(ref, Code.BUSY, "the room is busy", BUSY_RETRY_MS)))

    async def _look_up(self, connection: Connection, query: m.ListRooms | m.FetchRecord) -> None:
        try:
            answer: m.ServerMessage
            if isinstance(query, m.ListRooms):
                answer = m.Rooms(query.id, await self._rooms.listed())
            else:
                answer = await self._page(connection, query)
        except Refusal as refusal:
            if refusal.code is Code.NO_SUCH_RECORD:
                self._peers.wrong(connection.address, asyncio.get_running_loop().time())
            answer = m.Refused(query.id, refusal.code, refusal.text, refusal.retry_ms)
        except StoreError:
            answer = m.Refused(query.id, Code.STORAGE_UNAVAILABLE, "try again", BUSY_RETRY_MS)
        connection.send(encode(answer))

    async def _page(self, connection: Connection, query: m.FetchRecord) -> m.RecordPage:
        if not self._peers.may_try(connection.address, asyncio.get_running_loop().time()):
            raise Refusal(Code.TOO_FAST, "too many wrong records", retry_ms=60_000)
        return await record_page(self._store, query)

    def _bad(self, connection: Connection, error: BadMessage) -> None:
        self._metrics.messages_bad.inc()
        log.info("bad message", conn=connection.conn, error=str(error))
        connection.send(encode(m.Refused(error.ref, Code.BAD_MESSAGE, str(error))))


def _forget_handshake(socket: ServerConnection) -> None:
    """Drop the headers, which the library keeps for as long as the connection lasts."""
    for said in (socket.request, socket.response):
        if said is not None:
            said.headers.clear()


def _bytes(frame: str | bytes) -> bytes:
    if isinstance(frame, str):
        raise BadMessage("", expected="a binary frame", got="text")
    return frame


def _handed(actor: Actor, item: Item) -> Actor:
    if not actor.put(item):
        raise Refusal(Code.BUSY, "the room is busy", retry_ms=BUSY_RETRY_MS)
    return actor
