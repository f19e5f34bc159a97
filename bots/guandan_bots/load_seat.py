"""One seat of a swarm: it comes back by itself, acts once, and notes when it was told what.

It follows `docs/protocol.md` as `guandan_protocol.client` does, which is made for people and bots:
that one checks every field of every view and keeps them all. Here a frame is only looked into, and
read in full when its seat has to decide, so that one process can be two thousand clients and still
see when a frame came.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from typing import Any, Final, Protocol

import msgpack
from attrs import evolve

from guandan_bots.load_socket import ThinSocket, open_socket
from guandan_engine.seats import Seat
from guandan_engine.views import SeatView
from guandan_protocol.codec import decode_server, encode
from guandan_protocol.dialing import BACKOFF, DIAL_ERRORS
from guandan_protocol.messages import (
    VERSION,
    Action,
    Code,
    Create,
    Goodbye,
    Join,
    Moved,
    Refused,
    Resume,
    Update,
    Welcome,
)
from guandan_protocol.partings import Cut, Ended, Parting, closed, moved, not_reached

__all__ = ["Chair", "Chaired"]

RETRY_MS_MIN: Final = 50
STEADY_S: Final = 5.0
"""A connection that broke sooner counts as a failed attempt."""


class Chaired(Protocol):
    """Who looks after a chair; called from within the callbacks of its socket."""

    def told(self, chair: Chair, fields: dict[str, Any], at_s: float) -> None:
        """A welcome or an update has come."""

    def done(self, chair: Chair, seq: int, at_s: float) -> None:
        """The action in flight is stored as entry `seq`."""

    def refused(self, chair: Chair, code: str) -> None:
        """The action in flight was refused, for good."""

    def went(self, chair: Chair, parting: Parting) -> None:
        """The connection is gone, or there was none; it comes back unless that is the end."""

    def lost(self, chair: Chair) -> None:
        """The server has forgotten what it had acknowledged."""


class Chair:
    """A seat over any number of connections, in a task of its own: `keep`."""

    def __init__(
        self,
        keeper: Chaired,
        hello: Create | Join,
        servers: Sequence[str],
        rng: random.Random,
    ) -> None:
        self.seat: Seat | None = None
        self.room = ""
        self.seq = 0
        """The newest entry that it was told of."""
        self.is_live = False
        self.welcomed = asyncio.Event()
        self.ended: Ended | None = None
        self._keeper = keeper
        self._hello: Create | Join | Resume = hello
        self._servers = servers
        self._rng = rng
        self._token = b""
        self._epoch = 0
        self._counter = 0
        self._stored_seq = 0
        """Entry of the last action that was acknowledged: what must never be lost."""
        self._frame = b""
        self._flight: tuple[int, bytes] | None = None
        self._socket: ThinSocket | None = None
        self._last_word: Goodbye | Refused | None = None
        self._moved_to: str | None = None
        self._welcomed_at: float | None = None
        self._loop = asyncio.get_running_loop()

    # What its table does

    def act(self, action: Action) -> None:
        """Do something, once, under the next counter; one thing at a time."""
        assert self._flight is None, "one action at a time"
        n = self._counter + 1
        frame = encode(evolve(action, n=n))
        self._flight = (n, frame)
        self._send(frame)

    @property
    def is_idle(self) -> bool:
        """Is it there, with nothing on its way?"""
        return self.is_live and self._flight is None

    @property
    def last_frame(self) -> bytes:
        """The last view, as it came."""
        return self._frame

    def seen(self) -> SeatView:
        """All that the seat knows: its last view, read in full."""
        message = decode_server(self._frame)
        assert isinstance(message, Update | Welcome)
        assert message.private is not None
        assert self.seat is not None
        return SeatView(seat=self.seat, public=message.public, private=message.private)

    async def keep(self) -> None:
        """Connect, and stay connected, until the session has ended."""
        attempt = moves = turn = 0
        url = self._servers[0]
        while True:
            parting = await self._converse(url)
            if self._inside_s() is not None:
                moves = 0
            if self._inside_s(STEADY_S) is not None:
                attempt = 0
            if isinstance(parting, Moved):
                moves += 1
                parting = moved(url, parting.url, moves)
                if isinstance(parting, Ended):  # two nodes disagree: that passes
                    parting = Cut(parting.text)
            self._keeper.went(self, parting)
            match parting:
                case Ended():
                    self.ended = parting
                    self.welcomed.set()
                    return
                case Moved():
                    url = parting.url
                case Cut(_, after_ms):
                    moves = 0
                    turn += 1
                    url = self._servers[turn % len(self._servers)]
                    delay_ms = BACKOFF.delay_ms(attempt, self._rng)
                    attempt += 1
                    asked_ms = after_ms + self._rng.randint(0, after_ms // 5)
                    await asyncio.sleep(max(delay_ms, asked_ms) / 1000)

    def hang_up(self) -> None:
        """Close the socket; whoever cancels `keep` does that, too."""
        if self._socket is not None:
            self._socket.close()

    # One connection

    def _inside_s(self, least_s: float = 0.0) -> float | None:
        """How long the last connection was welcome, if it was for as long as that."""
        if self._welcomed_at is None:
            return None
        inside_s = self._loop.time() - self._welcomed_at
        return inside_s if inside_s >= least_s else None

    async def _converse(self, url: str) -> Parting:
        self._forget_last()
        try:
            socket = await open_socket(url, self._heard)
        except DIAL_ERRORS as error:
            return not_reached(error, was_inside=bool(self._token))
        self._socket = socket
        try:
            socket.send(encode(self._greeting()))
            code = await socket.closed
        finally:
            self._socket = None
            self.is_live = False
            socket.close()
        return Moved(self._moved_to) if self._moved_to else closed(code, self._last_word)

    def _forget_last(self) -> None:
        self._welcomed_at = self._last_word = self._moved_to = None

    def _greeting(self) -> Create | Join | Resume:
        if isinstance(self._hello, Resume):
            return evolve(self._hello, seq=self.seq, epoch=self._epoch)
        return self._hello

    def _send(self, frame: bytes) -> None:
        if self._socket is not None and self.is_live:
            self._socket.send(frame)

    def _heard(self, frame: bytes) -> None:
        at_s = self._loop.time()
        fields: dict[str, Any] = msgpack.unpackb(frame)
        match fields["t"]:
            case "update":
                self._frame = frame
                self.seq = fields["seq"]
                self._keeper.told(self, fields, at_s)
            case "done":
                self._done(fields["n"], fields["seq"], at_s)
            case "welcome":
                self._welcome(frame, fields, at_s)
            case "refused":
                message = decode_server(frame)
                assert isinstance(message, Refused)
                self._refused(message)
            case "goodbye":
                # What was refused says more than the goodbye that follows it.
                said = Goodbye(fields["code"], fields["retry_after_ms"])
                self._last_word = self._last_word or said
            case "moved":
                self._moved_to = fields["url"]
            case _:
                pass  # answers to queries, and a swarm asks none

    def _welcome(self, frame: bytes, fields: dict[str, Any], at_s: float) -> None:
        self._frame = frame
        self.room, self.seat = fields["room"], fields["seat"]
        self._token = fields["token"] or self._token
        forgot = fields["counter"] < self._counter or fields["seq"] < self._stored_seq
        if forgot:
            self._keeper.lost(self)
        self.seq, self._epoch = fields["seq"], fields["epoch"]
        self._hello = Resume(VERSION, self.room, self._token)
        self._welcomed_at = at_s
        self.is_live = True
        self.welcomed.set()
        flight = self._flight
        if flight is not None and flight[0] <= fields["counter"]:
            self._done(flight[0], self.seq, at_s)  # stored; its answer was lost on the way
        elif flight is not None:
            self._send(flight[1])
        if self._flight is None:
            self._counter = fields["counter"]
        self._keeper.told(self, fields, at_s)

    def _done(self, n: int, seq: int, at_s: float) -> None:
        if self._flight is None or n != self._flight[0]:
            return
        self._flight = None
        self._counter, self._stored_seq = n, seq
        self._keeper.done(self, seq, at_s)

    def _refused(self, said: Refused) -> None:
        if said.ref == 0 and not self.is_live:
            self._last_word = said
        elif self._flight is not None and said.ref == self._flight[0]:
            if said.retry_ms is not None:
                delay_s = max(said.retry_ms, RETRY_MS_MIN) / 1000
                self._loop.call_later(delay_s, self._again, self._flight)
                return
            if said.code == Code.ACTION_CONFLICT:
                self._counter = said.ref  # used, by something that we do not know of
            self._flight = None
            self._keeper.refused(self, said.code)

    def _again(self, flight: tuple[int, bytes]) -> None:
        if self._flight is flight:
            self._send(flight[1])
