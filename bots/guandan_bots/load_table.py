"""One table of a swarm: its seats, whose turn it is, and the action that is on its way."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Callable, Sequence
from typing import Any, Final

from guandan_bots.load_report import Tally
from guandan_bots.load_seat import Chair
from guandan_bots.player import acted
from guandan_bots.policy import Choice
from guandan_engine.seats import SEATS, Seat
from guandan_engine.views import PhaseName, SeatView
from guandan_protocol import messages as m
from guandan_protocol.errors import SessionEnded
from guandan_protocol.messages import CREATE_ID_BYTES, VERSION, Action, Proposal, Settings, Stage
from guandan_protocol.partings import Ended, Parting

__all__ = ["Table"]

NAMES: Final = ("Ann", "Bob", "Cid", "Dee")


class _Flight:
    """An action on its way, and who has been told of what since it was sent."""

    def __init__(self, sent_s: float) -> None:
        self.sent_s = sent_s
        self.seq: int | None = None
        self.told: dict[Chair, list[tuple[int, float]]] = {}
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def last_told_s(self, chairs: Sequence[Chair]) -> float | None:
        """When the last of them was told of the entry; None while one has not been."""
        last = 0.0
        for chair in chairs:
            for seq, at_s in self.told.get(chair, ()):
                if self.seq is not None and seq >= self.seq:
                    last = max(last, at_s)
                    break
            else:
                return None
        return last


class Table:
    """A room, and the people of the swarm at it."""

    def __init__(
        self,
        servers: Sequence[str],
        *,
        people: int,
        settings: Settings,
        tally: Tally,
        free: Callable[[Table], None],
        choose: Callable[[SeatView], Choice],
        rng: random.Random,
    ) -> None:
        """`free` is called whenever the table may have come to wait for one of its people."""
        self.queued = False
        """For the swarm: does it stand in the queue?"""
        self.acknowledged_s = 0.0
        """When an action was acknowledged last, by the loop's clock."""
        self.welcomed_s = 0.0
        """When one of its seats was let in last, likewise."""
        self.chairs: list[Chair] = []
        self._servers = servers
        self._people = people
        self._settings = settings
        self._tally = tally
        self._free = free
        self._choose = choose
        self._rng = rng
        self._loop = asyncio.get_running_loop()
        self._tasks: list[asyncio.Task[None]] = []
        self._seats: dict[Seat, Chair] = {}
        self._flight: _Flight | None = None
        self._leaving = False
        self._seq = 0
        self._view: dict[str, Any] = {}
        self._phase = ""
        self._asked: list[Seat] = []

    # From the first hello to the last goodbye

    async def open(self) -> None:
        """Seat everybody and begin to play; SessionEnded if that cannot be."""
        host = self._sit(m.Create(VERSION, NAMES[0], _id(), settings=self._settings))
        await self._welcomed(host)
        joining = [
            self._sit(m.Join(VERSION, host.room, NAMES[seat - 1], seat, _id()))
            for seat in SEATS[1 : self._people]
        ]
        for chair in joining:
            await self._welcomed(chair)
        if self._people == 1:
            await self._settle(host, m.Start(0))
        for chair in self.chairs if self._people > 1 else ():
            await self._settle(chair, m.Ready(0))
        self._maybe_free()

    def _sit(self, hello: m.Create | m.Join) -> Chair:
        chair = Chair(self, hello, self._servers, self._rng)
        self.chairs.append(chair)
        self._tasks.append(asyncio.create_task(chair.keep(), name="chair"))
        return chair

    async def _welcomed(self, chair: Chair) -> None:
        await chair.welcomed.wait()
        if chair.ended is not None:
            raise SessionEnded(chair.ended.code, chair.ended.text)
        assert chair.seat is not None
        self._seats[chair.seat] = chair

    async def _settle(self, chair: Chair, action: Action) -> None:
        await self._send(chair, action).over

    async def leave(self) -> None:
        """Give up all seats, so that the server need not keep them for anybody."""
        self._leaving = True
        for chair, task in zip(self.chairs, self._tasks, strict=True):
            if chair.is_idle:
                chair.act(m.Leave(0))
            else:
                task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def close(self) -> None:
        """Hang up."""
        self._leaving = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # Acting

    @property
    def is_due(self) -> bool:
        """Does it wait for one of its people, all of whom are there and have seen the same?"""
        if self._flight is not None or not all(chair.is_live for chair in self.chairs):
            return False
        match self._view.get("stage"):
            case Stage.PLAYING if self._phase == PhaseName.HAND_OVER:
                return any(not self._is_ready(seat) for seat in self._seats)
            case Stage.PLAYING:
                return any(seat in self._seats for seat in self._asked)
            case Stage.MATCH_OVER:
                return self._next_match() is not None
            case _:
                return False

    @property
    def flight(self) -> asyncio.Future[None] | None:
        """The end of the action on its way, if there is one."""
        return None if self._flight is None else self._flight.over

    def go(self) -> bool:
        """Do what the table waits for; False if it waits for nobody."""
        if not self.is_due:
            return False
        if self._view["stage"] == Stage.MATCH_OVER:
            chair, action = self._next_match() or (self.chairs[0], m.Ready(0))
        elif self._phase == PhaseName.HAND_OVER:
            seat = next(seat for seat in self._seats if not self._is_ready(seat))
            chair, action = self._seats[seat], m.Ready(0)
        else:
            chair = next(self._seats[seat] for seat in self._asked if seat in self._seats)
            seen = chair.seen()
            action = acted(seen, self._choose(seen))
        self._send(chair, action)
        return True

    def _is_ready(self, seat: Seat) -> bool:
        return bool(self._view["seats"][seat - 1]["ready"])

    def _next_match(self) -> tuple[Chair, Action] | None:
        """After a won match: the host proposes another, and all agree."""
        if self._view["proposal"] is None:
            return self._seats[self._view["host"]], m.Propose(0, Proposal.REMATCH)
        for seat, chair in self._seats.items():
            if seat not in self._view["consents"]:
                return chair, m.Consent(0, agree=True)
        return None

    def _send(self, chair: Chair, action: Action) -> _Flight:
        flight = self._flight = _Flight(self._loop.time())
        chair.act(action)
        return flight

    def _maybe_free(self) -> None:
        if self.is_due:
            self._free(self)

    # What its chairs are told

    def told(self, chair: Chair, fields: dict[str, Any], at_s: float) -> None:
        seq, public = fields["seq"], fields["public"]
        if seq >= self._seq:
            if seq > self._seq and fields["t"] == "update":
                self._count(fields["events"])
            self._seq, self._view = seq, fields["view"]
            self._phase, self._asked = public["phase"], public["asked"]
        if fields["t"] == "welcome":
            self.welcomed_s = at_s
            if chair.seat in self._seats:
                self._tally.reconnects += 1
            self._seq = seq  # less than before if history was lost
        if self._flight is not None:
            self._flight.told.setdefault(chair, []).append((seq, at_s))
            self._land()
        else:
            self._maybe_free()

    def _count(self, events: list[dict[str, Any]]) -> None:
        for event in events:
            match event["t"]:
                case "timed_out":
                    self._tally.timed_out += 1
                case "hand_ended":
                    self._tally.hands += 1
                    self._tally.matches += event["outcome"]["match_won"]
                case _:
                    pass

    def done(self, chair: Chair, seq: int, at_s: float) -> None:
        self.acknowledged_s = at_s
        if self._flight is not None:
            self._tally.done_s.append(at_s - self._flight.sent_s)
            self._flight.seq = seq
            self._land()

    def refused(self, chair: Chair, code: str) -> None:
        self._tally.errors[code] += 1
        self._over()

    def _land(self) -> None:
        flight = self._flight
        if flight is None or flight.seq is None:
            return
        last_s = flight.last_told_s(self.chairs)
        if last_s is not None:
            self._tally.latencies_s.append(last_s - flight.sent_s)
            self._over()

    def _over(self) -> None:
        flight, self._flight = self._flight, None
        if flight is not None and not flight.over.done():
            flight.over.set_result(None)
        self._maybe_free()

    def went(self, chair: Chair, parting: Parting) -> None:
        if isinstance(parting, Ended) and not self._leaving:
            self._tally.errors[parting.code] += 1

    def lost(self, chair: Chair) -> None:
        self._tally.lost += 1


def _id() -> bytes:
    return os.urandom(CREATE_ID_BYTES)
