"""A swarm of protocol clients that plays at many tables at once, and measures.

    async with Swarm(Plan(servers=(url,), rooms=500, rate=200, seconds=30)) as swarm:
        await swarm.open()          every room plays
        await swarm.run()           so many actions a second, over all rooms
        swarm.report()

Actions come at random times, as people's do, and each goes to the room that has waited longest. A
room acts again only when all of its seats have been told of the action before. Choices are legal
and nothing more.
"""

from __future__ import annotations

import asyncio
import gc
import random
import time
from collections import deque
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import Any, Final, Self

from attrs import frozen

from guandan_bots.load_meter import Meter
from guandan_bots.load_report import Report, Tally, latency
from guandan_bots.load_socket import open_socket
from guandan_bots.load_table import Table
from guandan_bots.policy import policy
from guandan_engine.options import Rules
from guandan_protocol.dialing import DIAL_ERRORS
from guandan_protocol.errors import SessionEnded, Unreachable
from guandan_protocol.messages import Settings

__all__ = ["ACTIONS_MAX", "RATE_MAX_PER_ROOM", "ROOMS_MAX", "SECONDS_MAX", "Plan", "Swarm"]

ROOMS_MAX: Final = 2_500
"""Ten thousand connections: what one process can still keep up with."""
SECONDS_MAX: Final = 3_600
RATE_MAX_PER_ROOM: Final = 100
"""A server reads a hundred messages a second from a connection; more would measure that."""
ACTIONS_MAX: Final = 5_000_000
"""Every latency is kept, eight bytes each, twice."""

OPENING_AT_ONCE: Final = 32
OPEN_ROOM_S: Final = 60.0
FINISH_S: Final = 5.0
"""What is on its way when the time is up is waited for that long."""
LEAVE_S: Final = 20.0
PROGRESS_EVERY_S: Final = 5.0

RULES: Final = Rules()
"""Those of the preset that rooms are opened with."""


@frozen
class Plan:
    """What a swarm does."""

    servers: tuple[str, ...]
    """Where to connect; the second and further ones are for when one does not answer."""
    rooms: int
    rate: float | None
    """Actions a second over all rooms; None: each room acts as soon as it can."""
    seconds: float
    people: int = 4
    """Connections of each room: four, or one with three bots of the server's."""
    clock_s: int | None = None
    seed: int = 0
    """Of its choices, and of when they come."""
    server_pid: int | None = None
    """Whose processor time and memory to read."""
    spread: bool = False
    """Let each room begin at another one of them, in turn."""


class Swarm:
    """The clients of one plan; used once."""

    def __init__(self, plan: Plan, *, progress: Callable[[str], None] = lambda _: None) -> None:
        self.plan = plan
        self.tally = Tally()
        self.servers = list(plan.servers)
        """Where connections go; may be turned while it runs, as a proxy before them might be."""
        self.tables: list[Table] = []
        self._progress = progress
        self._rng = random.Random(plan.seed)
        self._ready: deque[Table] = deque()
        self._owed = 0
        self._running = False
        self._seconds = 0.0
        self._open_s = 0.0
        self._cpu_s = 0.0
        self._meter = Meter(plan.server_pid)
        self._interrupted = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    # From the first room to the last

    async def open(self) -> None:
        """Open every room and begin to play.

        Raises Unreachable if no server answers, SessionEnded if one does not let us in, and
        TimeoutError if a room takes too long.
        """
        begun = time.monotonic()
        await self._knock()
        choose = policy("random").choose
        settings = Settings(clock_s=self.plan.clock_s, pace_ms=300, grace_s=600)
        for number in range(self.plan.rooms):
            turn = number % len(self.servers)
            servers = self.servers
            if self.plan.spread:
                servers = servers[turn:] + servers[:turn]
            self.tables.append(
                Table(
                    servers,
                    people=self.plan.people,
                    settings=settings,
                    tally=self.tally,
                    free=self._free,
                    choose=lambda view: choose(view, RULES, self._rng),
                    rng=self._rng,
                )
            )
        await self._each(self._open_table, "rooms play", OPENING_AT_ONCE)
        self._open_s = time.monotonic() - begun
        self._progress(f"all {len(self.tables)} rooms play")

    async def _knock(self) -> None:
        """Is anybody there? Later on, whoever does not answer is waited for."""
        url = self.plan.servers[0]
        try:
            socket = await open_socket(url, lambda _: None)
        except DIAL_ERRORS as error:
            raise Unreachable(url, str(error) or type(error).__name__) from error
        socket.close()

    async def _open_table(self, table: Table) -> None:
        async with asyncio.timeout(OPEN_ROOM_S):
            await table.open()

    async def run(self) -> None:
        """Play for as long as planned; `report` tells of this run, even if it is cancelled."""
        self.tally.clear()
        self._interrupted = False
        gc.collect()
        gc.freeze()  # views of two thousand seats: looking through them takes longer than a play
        self._meter.begin()
        cpu_s, begun = time.process_time(), time.monotonic()
        self._running = True
        try:
            await self._pace()
        except asyncio.CancelledError:
            self._interrupted = True
            raise
        finally:
            self._running = False
            self._seconds = time.monotonic() - begun
            self._cpu_s = time.process_time() - cpu_s
            self._meter.end()
            gc.unfreeze()
        await self._finish()

    async def _pace(self) -> None:
        loop = asyncio.get_running_loop()
        begun = now = loop.time()
        end = begun + self.plan.seconds
        said = begun
        while self.plan.rate is None and self._ready:
            self._ready[0].queued = False
            self._ready.popleft().go()
        due = begun + self._gap_s()
        while now < end:
            await asyncio.sleep(max(0.0, min(due, end, said + PROGRESS_EVERY_S) - now))
            now = loop.time()
            while due <= now:
                self._act()
                due += self._gap_s()
            if now >= said + PROGRESS_EVERY_S:
                said = now
                done = len(self.tally.done_s)
                self._progress(f"{now - begun:.0f} s: {done} actions, {done / (now - begun):.0f}/s")

    def _gap_s(self) -> float:
        """People do not act in step: gaps are drawn, and a busy moment is part of the load."""
        rate = self.plan.rate
        return self.plan.seconds + 1 if rate is None else self._rng.expovariate(rate)

    def _act(self) -> None:
        """Let the room act that has waited longest, or the next one that will wait."""
        while self._ready:
            table = self._ready.popleft()
            table.queued = False
            if table.go():
                return
        if self._owed < len(self.tables):
            self._owed += 1
        else:
            self.tally.behind += 1

    def _free(self, table: Table) -> None:
        if table.queued:
            return
        if self._running and (self.plan.rate is None or self._owed):
            self._owed -= self.plan.rate is not None
            table.go()
        else:
            table.queued = True
            self._ready.append(table)

    async def _finish(self) -> None:
        """Wait for what is on its way, but not for ever."""
        waiting = [table.flight for table in self.tables if table.flight is not None]
        if waiting:
            await asyncio.wait(waiting, timeout=FINISH_S)

    async def leave(self) -> None:
        """Give up all seats: a server would keep rooms with people in them for weeks."""
        self._progress("leaving")
        try:
            async with asyncio.timeout(LEAVE_S):
                await self._each(lambda table: table.leave(), "rooms left", OPENING_AT_ONCE)
        except TimeoutError:
            self._progress("not all rooms could be left in time")

    async def close(self) -> None:
        """Hang up everywhere."""
        await asyncio.gather(*[table.close() for table in self.tables])

    async def _each(
        self, work: Callable[[Table], Coroutine[Any, Any, None]], what: str, at_once: int
    ) -> None:
        """The same with every table, a few at a time; the first failure ends it."""
        waiting = iter(self.tables)
        done = 0

        async def worker() -> None:
            nonlocal done
            for table in waiting:
                await work(table)
                done += 1
                if done % 100 == 0:
                    self._progress(f"{done} of {len(self.tables)} {what}")

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(at_once):
                    group.create_task(worker())
        except* (SessionEnded, TimeoutError) as failures:
            raise failures.exceptions[0] from None

    # What it came to

    def report(self) -> Report:
        """What was measured."""
        plan, tally = self.plan, self.tally
        actions = len(tally.done_s)
        return Report(
            server=plan.servers[0],
            rooms=plan.rooms,
            people=plan.people,
            rate_wanted=plan.rate,
            seconds=round(self._seconds, 3),
            actions=actions,
            rate=round(actions / self._seconds, 1) if self._seconds else 0.0,
            latency_ms=latency(tally.latencies_s),
            done_ms=latency(tally.done_s),
            errors=dict(sorted(tally.errors.items())),
            reconnects=tally.reconnects,
            lost=tally.lost,
            timed_out=tally.timed_out,
            unanswered=sum(table.flight is not None for table in self.tables),
            behind=tally.behind,
            hands=tally.hands,
            matches=tally.matches,
            open_s=round(self._open_s, 3),
            swarm_cpu_s=round(self._cpu_s, 3),
            server_use=self._meter.use(actions=actions, rooms=plan.rooms),
            interrupted=self._interrupted,
        )
