"""The client that everything is built on: connect, come back, act once, typed updates.

    async with TableClient(url, Join(VERSION, room="ABCD", name="Ann")) as client:
        async for notice in client:
            match notice:
                case Welcome() | Update():
                    if client.seat in client.public.asked:
                        await client.act(Pass(n=0, turn=client.public.turn))
                case Said(seat, phrase): ...       somebody speaks, perhaps we
                case Lost(why, retry_ms): ...      it comes back by itself
                case Ended(code, text): ...        it does not; the iteration is over

It holds no rules and computes no state: `view`, `public`, `private` and `record` are what the
server sent last. They may be ahead of the notice in hand, never behind it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from random import Random, SystemRandom
from types import TracebackType
from typing import Final, Self, overload

from attrs import evolve, frozen
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed
from websockets.uri import parse_uri

from guandan_engine.seats import Seat
from guandan_engine.views import HandSummary, Private, Public, SeatView
from guandan_protocol.bounds import EVENTS_MAX
from guandan_protocol.codec import decode_client, encode
from guandan_protocol.dialing import BACKOFF, DIAL_ERRORS, Backoff, dial, receive
from guandan_protocol.errors import BadMessage, SessionEnded
from guandan_protocol.messages import (
    SUBPROTOCOL,
    Action,
    AskHints,
    AskReview,
    Code,
    Create,
    Done,
    FetchRecord,
    Goodbye,
    Hints,
    InLobby,
    Join,
    ListRooms,
    Moved,
    Ping,
    Pong,
    Preview,
    Previewed,
    Query,
    RecordPage,
    Refused,
    Resume,
    Review,
    Rooms,
    RoomView,
    Said,
    Say,
    ServerMessage,
    Update,
    Watch,
    Welcome,
)
from guandan_protocol.partings import Cut, Ended, Parting, closed, moved, not_reached
from guandan_protocol.pending import Pending

__all__ = ["Ended", "Lost", "Notice", "TableClient"]

# A connection that broke sooner than this counts as a failed attempt: no pounding on a server
# that welcomes and then breaks.
STEADY_S: Final = 5.0
# How long a server may take to close after it has said why.
CLOSE_WAIT_S: Final = 1.0
# Notices nobody has taken yet. Beyond that updates are folded into one, which keeps the events.
NOTICES_MAX: Final = 64


@frozen
class Lost:
    """The connection is gone; the next attempt comes after `retry_ms`."""

    why: str
    retry_ms: int


Notice = Welcome | Update | Said | Lost | Ended


class TableClient:
    """One seat, or one watcher, of one room, over any number of connections.

    `hello` is how to get in; after the first welcome the client resumes its seat by itself. Use it
    in `async with`, or call `close()`.
    """

    def __init__(
        self,
        url: str,
        hello: Create | Join | Resume | Watch,
        *,
        backoff: Backoff = BACKOFF,
        random: Random | None = None,
    ) -> None:
        """Opens nothing yet; InvalidURI for no `ws` or `wss` URL, BadMessage for a bad hello."""
        parse_uri(url)
        decode_client(encode(hello))
        self.room = "" if isinstance(hello, Create) else hello.room
        """Its code; of a room that we open, from the first welcome on."""
        self.seat: Seat | None = None
        """Ours, which moves if we sit elsewhere; None for a watcher, and until we are welcomed."""
        self.token = hello.token if isinstance(hello, Resume) else b""
        """Opens the seat again, from any other client too: show it to nobody."""
        self.view: RoomView | None = None
        """The room around the match; None before the first welcome, and so are the next two."""
        self.public: Public | None = None
        """The match, as everybody may see it: `public.asked` says who must act."""
        self.private: Private | None = None
        """Our own cards, and what we may give in tribute; None for a watcher."""
        self.record: tuple[HandSummary, ...] = ()
        """The session's finished hands."""
        self.seq = 0
        """The entry of the room's log that the view contains."""
        self.epoch = 0
        """Rises when the server went back to an older state: then forget what you knew."""
        self.is_live = False
        """Is there a connection that has been welcomed?"""
        self.ended: Ended | None = None
        """Why the session is over; None while it is not."""

        self._url = url
        self._hello: Create | Join | Resume | Watch = hello
        self._backoff = backoff
        self._random = random or SystemRandom()
        self._pending = Pending()
        self._socket: ClientConnection | None = None
        self._welcomed_at: float | None = None
        self._good_url = url
        self._notices: deque[Notice] = deque()
        self._news = asyncio.Event()
        self._hurry = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    # What its user does

    async def __aenter__(self) -> Self:
        self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    def start(self) -> None:
        """Connect, and stay connected, in a task of its own."""
        assert self._task is None, "a client is used once"
        self._task = asyncio.create_task(self._run(), name="guandan table client")

    async def close(self) -> None:
        """Go, without giving up the seat; the iteration ends, open acts raise SessionEnded."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        self._pending.fail(self._over())
        self._news.set()

    def hurry(self) -> None:
        """Try to connect now rather than wait on: the network is back, or the user asks."""
        self._hurry.set()

    def seat_view(self) -> SeatView | None:
        """All that our seat knows; None for a watcher, or before the first welcome."""
        if self.seat is None or self.public is None or self.private is None:
            return None
        return SeatView(seat=self.seat, public=self.public, private=self.private)

    async def act(self, action: Action) -> Done | Refused:
        """Do something, once, however often the connection breaks; `n` is set here, say 0.

        Comes back when it is stored or refused. The update that shows it may come before or
        after. Raises BadMessage for what is no message, SessionEnded if no answer will come.
        """
        decode_client(encode(evolve(action, n=1)))
        self._check_open()
        answer = self._pending.act(action)
        await self._flush()
        done: Done | Refused = await answer
        return done

    @overload
    async def ask(self, query: Preview) -> Previewed | Refused: ...
    @overload
    async def ask(self, query: AskHints) -> Hints | Refused: ...
    @overload
    async def ask(self, query: AskReview) -> Review | Refused: ...
    @overload
    async def ask(self, query: Say) -> Said | Refused: ...
    @overload
    async def ask(self, query: ListRooms) -> Rooms | Refused: ...
    @overload
    async def ask(self, query: FetchRecord) -> RecordPage | Refused: ...
    @overload
    async def ask(self, query: Ping) -> Pong | Refused: ...

    async def ask(
        self, query: Query
    ) -> Previewed | Hints | Review | Said | Rooms | RecordPage | Pong | Refused:
        """Ask something, again if the connection breaks; `id` is set here, say 0."""
        decode_client(encode(evolve(query, id=1)))
        self._check_open()
        answer = self._pending.ask(query)
        await self._flush()
        told: Previewed | Hints | Review | Said | Rooms | RecordPage | Pong | Refused = await answer
        return told

    def __aiter__(self) -> AsyncIterator[Notice]:
        return self

    async def __anext__(self) -> Notice:
        assert self._task is not None, "not started"
        while not self._notices:
            if self._task.done():
                if not self._task.cancelled():
                    self._task.result()  # a fault of ours is not swallowed
                raise StopAsyncIteration
            self._news.clear()
            await self._news.wait()
        return self._notices.popleft()

    def _check_open(self) -> None:
        if self._task is None or self._task.done() or self.ended is not None:
            raise self._over()

    def _over(self) -> SessionEnded:
        if self.ended is not None:
            return SessionEnded(self.ended.code, self.ended.text)
        return SessionEnded("closed", "this client is not running")

    # From one connection to the next

    async def _run(self) -> None:
        try:
            await self._keep_connected()
        finally:
            self._pending.fail(self._over())
            self._news.set()

    async def _keep_connected(self) -> None:
        url = self._url
        attempt = moves = 0
        while True:
            parting = await self._converse(url)
            inside_s = self._inside_s()
            if inside_s is not None:
                self._good_url = url
                moves = 0
                attempt = 0 if inside_s >= STEADY_S else attempt
            if isinstance(parting, Moved):
                moves += 1
                parting = moved(url, parting.url, moves)
            match parting:
                case Ended():
                    self._end(parting)
                    return
                case Moved():
                    url = parting.url
                    if inside_s is not None:
                        self._tell(Lost("the room was moved", 0))
                case Cut(why, after_ms):
                    moves = 0
                    if inside_s is None:
                        # Where we were sent may be gone, or where we began: try them in turn.
                        url = self._good_url if url == self._url else self._url
                    delay_ms = self._backoff.delay_ms(attempt, self._random)
                    attempt += 1
                    # Those who are told the same time do not all come at that time.
                    asked_ms = after_ms + self._random.randint(0, after_ms // 5)
                    await self._wait(why, max(delay_ms, asked_ms))

    def _inside_s(self) -> float | None:
        """How long the connection that just ended was welcome; None if it never was."""
        if self._welcomed_at is None:
            return None
        return asyncio.get_running_loop().time() - self._welcomed_at

    async def _wait(self, why: str, delay_ms: int) -> None:
        self._hurry.clear()
        self._tell(Lost(why, delay_ms))
        try:
            async with asyncio.timeout(delay_ms / 1000):
                await self._hurry.wait()
        except TimeoutError:
            pass

    def _end(self, ended: Ended) -> None:
        self.ended = ended
        self._tell(ended)

    # One connection

    async def _converse(self, url: str) -> Parting:
        self._welcomed_at = None
        try:
            socket = await dial(url)
        except DIAL_ERRORS as error:
            return not_reached(error, was_inside=self.view is not None)
        try:
            return await self._listen(socket)
        finally:
            self._socket = None
            self.is_live = False
            await socket.close()

    async def _listen(self, socket: ClientConnection) -> Parting:
        if socket.subprotocol != SUBPROTOCOL:
            return Ended(Code.BAD_VERSION, f"the server does not speak {SUBPROTOCOL}", None)
        try:
            await socket.send(encode(self._greeting()))
            while True:
                message = await receive(socket)
                match message:
                    case Moved():
                        return message
                    case Goodbye():
                        return await self._parted(socket, message)
                    case Refused(ref=0) if not self.is_live:
                        return await self._parted(socket, message)
                    case _:
                        await self._take(socket, message)
        except ConnectionClosed:
            return closed(socket.close_code, None)
        except BadMessage as error:
            await socket.close(1002)
            return Cut(f"the server sent no message: {error}")

    async def _parted(self, socket: ClientConnection, said: Goodbye | Refused) -> Parting:
        """Wait for the close that belongs to a last word, but not for long."""
        try:
            async with asyncio.timeout(CLOSE_WAIT_S):
                while True:
                    await socket.recv()
        except TimeoutError:
            return closed(None, said)
        except ConnectionClosed:
            return closed(socket.close_code, said)

    async def _take(self, socket: ClientConnection, message: ServerMessage) -> None:
        match message:
            case Welcome():
                self._welcome(message)
                self._socket = socket
                self.is_live = True
                self._tell(message)
                await self._flush()
            case Update():
                self.view, self.public, self.private = message.view, message.public, message.private
                self.seq, self.epoch = message.seq, message.epoch
                self.seat = message.seat or self.seat
                if message.finished is not None:
                    self.record = (*self.record, message.finished)
                self._tell(message)
            case Said():
                self._pending.answered(message)
                self._tell(message)
            case InLobby():
                raise BadMessage("t", "a welcome", "'in_lobby'")
            case _:
                self._pending.answered(message)
                await self._flush()

    def _welcome(self, welcome: Welcome) -> None:
        self.room, self.seat = welcome.room, welcome.seat
        self.view, self.public, self.private = welcome.view, welcome.public, welcome.private
        self.record = welcome.record
        self.seq, self.epoch = welcome.seq, welcome.epoch
        self.token = welcome.token or self.token
        self._welcomed_at = asyncio.get_running_loop().time()
        if self.seat is not None and self.token:
            self._hello = Resume(self._hello.version, self.room, self.token)
        self._pending.welcomed(welcome)

    def _greeting(self) -> Create | Join | Resume | Watch:
        """The hello of the next connection: a seat that was given says what it has seen."""
        hello = self._hello
        if isinstance(hello, Resume):
            return evolve(hello, seq=self.seq, epoch=self.epoch)
        return hello

    async def _flush(self) -> None:
        """Send what is due; what does not get through is due again on the next connection."""
        socket = self._socket
        if socket is None:
            return
        try:
            for message in self._pending.due():
                await socket.send(encode(message))
        except ConnectionClosed:
            pass

    def _tell(self, notice: Notice) -> None:
        waiting = self._notices
        if len(waiting) >= NOTICES_MAX:
            last = waiting[-1]
            if isinstance(notice, Update) and isinstance(last, Update):
                waiting.pop()
                notice = evolve(
                    notice,
                    events=(last.events + notice.events)[-EVENTS_MAX:],
                    finished=notice.finished or last.finished,
                )
            elif isinstance(notice, Said):
                return  # nobody has listened for so long that it is no answer to anything
            else:
                waiting.popleft()
        waiting.append(notice)
        self._news.set()
