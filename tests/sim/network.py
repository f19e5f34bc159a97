"""Connections that are late, break, hang and double what is said, but keep its order.

An `End` looks to the server's gate, and to the client, like a connection of the library. Between
the two ends of a `Line` runs a pipe each way; the tap of the world sees every frame that a server
sends and a client says.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextvars import Context
from random import Random
from typing import Final, Protocol

from attrs import define, frozen
from websockets.exceptions import ConnectionClosed, ConnectionClosedError, ConnectionClosedOK
from websockets.frames import Close
from websockets.protocol import State

from guandan_protocol import messages as m
from guandan_protocol.messages import SUBPROTOCOL, ClientMessage, ServerMessage

__all__ = ["INSTANT_S", "OUTSIDE", "End", "Line", "Tap", "Weather"]

OUTSIDE: Final = Context()
"""Of no process: what happens between them goes on whoever sleeps."""
INSTANT_S: Final = 1e-6
"""Apart enough for the loop to keep the order of two things."""
WINDOW_FRAMES: Final = 16
"""What a stalled pipe takes before a sender has to wait."""
CLOSE_WAIT_S: Final = 1.5
"""How long a close waits for the other side's."""
CLIENT_NOTICES_S: Final = (10.0, 25.0)
"""When the client's pings tell that nobody answers: a time-out, and up to an interval more."""
SERVER_NOTICES_S: Final = (20.0, 40.0)


@define
class Weather:
    """How the network is today."""

    delay_s: tuple[float, float] = (0.001, 0.02)
    spike_rate: float = 0.0
    """Of frames that take up to two seconds."""
    cut_rate: float = 0.0
    """Of frames that break the connection."""
    double_rate: float = 0.0
    """Of actions that arrive twice."""


class Tap(Protocol):
    """Who listens in."""

    def said(self, line: Line, frame: bytes) -> ClientMessage | None:
        """A client sends a frame; what it says, if it is a message."""

    def sent(self, line: Line, frame: bytes) -> ServerMessage:
        """A server sends a frame; what it says."""

    def heard(self, line: Line, message: ServerMessage) -> None:
        """A message has come to its client."""


@frozen
class _Frame:
    data: bytes
    message: ServerMessage | None


_Parcel = _Frame | Close


class End:
    """One end of a connection."""

    subprotocol: Final = SUBPROTOCOL
    request = None
    response = None

    def __init__(self, line: Line, address: str) -> None:
        self.remote_address = (address, 40_000)
        self._line = line
        self._inbox: deque[_Frame] = deque()
        self._reader: asyncio.Future[None] | None = None
        self._writers: list[asyncio.Future[None]] = []
        self._gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._received: Close | None = None
        self._sent: Close | None = None
        self._received_first = False

    # What its user does

    @property
    def transport(self) -> End:
        return self

    @property
    def protocol(self) -> End:
        return self

    def get_extra_info(self, name: str) -> None:
        """There is no socket behind it."""

    # The server writes past the library's `send` where the kernel takes it all at once.

    @property
    def state(self) -> State:
        if self.is_closed:
            return State.CLOSED
        return State.OPEN if self._sent is None else State.CLOSING

    def get_write_buffer_size(self) -> int:
        return int(self._line.pipe_from(self).is_full)

    def send_binary(self, data: bytes) -> None:
        self._line.send(self, data)

    def data_to_send(self) -> list[bytes]:
        """Frames go whole, and have gone."""
        return []

    def write(self, data: bytes) -> None:
        assert not data

    @property
    def is_closed(self) -> bool:
        return self._gone.done()

    @property
    def close_code(self) -> int | None:
        if not self.is_closed:
            return None
        return 1006 if self._received is None else self._received.code

    async def recv(self) -> bytes:
        return (await self._take()).data

    async def recv_message(self) -> ServerMessage:
        """As `recv`, for a client; the bytes have been decoded on their way."""
        message = (await self._take()).message
        assert message is not None
        return message

    async def _take(self) -> _Frame:
        while not self._inbox:
            if self.is_closed:
                raise self._closed()
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader
        return self._inbox.popleft()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            while True:
                yield await self.recv()
        except ConnectionClosedOK:
            return

    async def send(self, data: bytes) -> None:
        self._check_open()
        pipe = self._line.pipe_from(self)
        while pipe.is_full:
            writer = asyncio.get_running_loop().create_future()
            self._writers.append(writer)
            await writer
            self._check_open()
        self._line.send(self, data)

    async def close(self, code: int = 1000, reason: str = "") -> None:
        if self.is_closed:
            return
        if self._sent is None:
            self._sent = Close(int(code), reason)
            self._line.pipe_from(self).put(self._sent)
        try:
            async with asyncio.timeout(CLOSE_WAIT_S):
                await asyncio.shield(self._gone)
        except TimeoutError:
            self.lose()
            self._line.other(self).lose_later()

    def abort(self) -> None:
        self.lose()
        self._line.other(self).lose_later()

    # What the line does

    def arrive(self, parcel: _Parcel) -> None:
        if self.is_closed:
            return
        if isinstance(parcel, _Frame):
            self._inbox.append(parcel)
            if parcel.message is not None:
                self._line.tap.heard(self._line, parcel.message)
            _wake(self._reader)
            return
        self._received = parcel
        if self._sent is None:
            self._received_first = True
            self._sent = parcel
            self._line.pipe_from(self).put(parcel)
        self.lose()

    def drained(self) -> None:
        writers, self._writers = self._writers, []
        for writer in writers:
            _wake(writer)

    def lose(self) -> None:
        """The connection is gone, for this end."""
        if not self.is_closed:
            self._gone.set_result(None)
            _wake(self._reader)
            self.drained()

    def lose_later(self) -> None:
        """The other end has cut it: word of that is under way."""
        if not self._line.is_silent:
            self._line.after(self._line.delay_s(), self.lose)

    def lose_in(self, bounds_s: tuple[float, float]) -> None:
        """Nobody answers its pings any more."""
        self._line.after(self._line.random.uniform(*bounds_s), self.lose)

    def _check_open(self) -> None:
        if self.is_closed or self._sent is not None:
            raise self._closed()

    def _closed(self) -> ConnectionClosed:
        received, sent = self._received, self._sent
        both = received is not None and sent is not None
        fine = both and all(close.code in (1000, 1001) for close in (received, sent) if close)
        kind = ConnectionClosedOK if fine else ConnectionClosedError
        return kind(received, sent, self._received_first if both else None)


def _wake(waiter: asyncio.Future[None] | None) -> None:
    if waiter is not None and not waiter.done():
        waiter.set_result(None)


class Pipe:
    """One direction, in order."""

    def __init__(self, line: Line, sender: End, receiver: End) -> None:
        self._line = line
        self._sender = sender
        self._receiver = receiver
        self._last_s = 0.0
        self._is_held = False
        self._stuck: deque[_Parcel] = deque()

    @property
    def is_full(self) -> bool:
        return self._is_held and len(self._stuck) >= WINDOW_FRAMES

    def put(self, parcel: _Parcel, *, later_s: float = 0.0) -> None:
        if self._is_held:
            self._stuck.append(parcel)
            return
        now_s = asyncio.get_running_loop().time()
        self._last_s = max(self._last_s + INSTANT_S, now_s + self._line.delay_s() + later_s)
        self._line.at(self._last_s, self._arrive, parcel)

    def _arrive(self, parcel: _Parcel) -> None:
        if self._is_held:
            self._stuck.append(parcel)
        else:
            self._receiver.arrive(parcel)

    def hold(self) -> None:
        self._is_held = True

    def release(self) -> None:
        self._is_held = False
        stuck, self._stuck = self._stuck, deque()
        for parcel in stuck:
            self.put(parcel)
        self._sender.drained()


class Line:
    """A connection between a client and a node."""

    def __init__(
        self, name: str, *, address: str, tap: Tap, weather: Weather, random: Random
    ) -> None:
        self.name = name
        self.tap = tap
        self.random = random
        self.is_silent = False
        """Nothing gets through any more, and nobody knows yet."""
        self._weather = weather
        self.client = End(self, address)
        self.server = End(self, address)
        self._up = Pipe(self, self.client, self.server)
        self._down = Pipe(self, self.server, self.client)
        self._doubled: dict[int, bool] = {}
        """Counters that were said twice; True once an answer has been let through."""

    def __repr__(self) -> str:
        return self.name

    @property
    def is_open(self) -> bool:
        return not (self.client.is_closed and self.server.is_closed)

    def other(self, end: End) -> End:
        return self.server if end is self.client else self.client

    def pipe_from(self, end: End) -> Pipe:
        return self._up if end is self.client else self._down

    def delay_s(self) -> float:
        low, high = self._weather.delay_s
        if self.random.random() < self._weather.spike_rate:
            high = 2.0
        return self.random.uniform(low, high)

    def at(self, when_s: float, do: object, *args: object) -> None:
        asyncio.get_running_loop().call_at(when_s, do, *args, context=OUTSIDE)  # type: ignore[arg-type]  # a callable and its arguments

    def after(self, delay_s: float, do: object, *args: object) -> None:
        self.at(asyncio.get_running_loop().time() + delay_s, do, *args)

    def send(self, end: End, data: bytes) -> None:
        if self.random.random() < self._weather.cut_rate:
            self.cut()
        if end is self.client:
            self._say(data)
        else:
            message = self.tap.sent(self, data)
            if self._lets_through(message):
                self._down.put(_Frame(data, message))

    def _say(self, data: bytes) -> None:
        message = self.tap.said(self, data)
        self._up.put(_Frame(data, None))
        n = getattr(message, "n", None)
        if n is not None and self.random.random() < self._weather.double_rate:
            self._doubled[n] = False
            self._up.put(_Frame(data, None), later_s=self.random.choice((0.0, 0.1, 0.5)))

    def _lets_through(self, message: ServerMessage) -> bool:
        """One answer for what was doubled on the way: the client has asked once."""
        match message:
            case m.Done(n=n) if n in self._doubled:
                through, self._doubled[n] = self._doubled[n], True
                if through:
                    del self._doubled[n]
                return not through
            case m.Refused(ref=n) if n in self._doubled:
                del self._doubled[n]  # where this is the first of two, the second one counts
                return False
            case _:
                return True

    # What goes wrong

    def cut(self) -> None:
        self.client.lose_later()
        self.server.lose_later()

    def hang(self) -> None:
        """From now on nothing gets through, either way; pings will tell, in the end."""
        if self.is_silent:
            return
        self.is_silent = True
        self._up.hold()
        self._down.hold()
        self.client.lose_in(CLIENT_NOTICES_S)
        self.server.lose_in(SERVER_NOTICES_S)

    def stall(self, for_s: float) -> None:
        """Nothing gets through for a while."""
        if self.is_silent:
            return
        self._up.hold()
        self._down.hold()
        self.after(for_s, self._go_on)

    def settle(self) -> None:
        """No more stalls; what is silent stays so."""
        self._go_on()

    def _go_on(self) -> None:
        if not self.is_silent:
            self._up.release()
            self._down.release()
