"""A table in virtual time whose bots think in stand-ins for worker processes."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Coroutine
from itertools import pairwise
from typing import Any, cast

from guandan_engine.seats import Seat
from guandan_engine.views import asked
from guandan_protocol import messages as m
from guandan_protocol.codec import encode
from guandan_protocol.messages import Settings
from guandan_server.actor import Actor, Tools
from guandan_server.brains import Fallback
from guandan_server.items import Act, Conn, Take
from guandan_server.metrics import Metrics
from guandan_server.pool import Pool
from guandan_server.rooms import Rooms
from guandan_server.store_memory import MemoryStore, Shelf
from guandan_server.worker import Raised
from tests.server.slow_brains import Moody
from tests.server.test_actor import AnyBrains, Wires
from tests.server.waiting import until
from tests.sim.loop import VirtualLoop


class Clocked(Wires):
    """What connections got, and when."""

    def __init__(self) -> None:
        super().__init__()
        self.times: list[tuple[float, m.ServerMessage]] = []

    def send(self, conn: Conn, message: m.ServerMessage) -> None:
        super().send(conn, message)
        self.times.append((asyncio.get_running_loop().time(), message))


class Workers:
    """Stand-ins for worker processes: they answer after so long, or not at all."""

    def __init__(
        self,
        takes_s: float = 0.0,
        *,
        raises: str = "",
        slow: tuple[str, ...] = ("club", "expert"),
    ) -> None:
        """`slow`: the levels that take their time."""
        self.takes_s = takes_s
        self.slow = slow
        self.hints_take_s = 0.0
        self.raises = raises
        """A level that always does."""
        self.asked: list[str] = []
        self.seconds: list[float] = []
        """What each search was given."""
        self.fault: Exception | None = None
        """Of the way there, whoever is asked."""

    async def __call__(self, work: object, hung_s: int, question: Any, *given: object) -> object:
        del work, hung_s
        name = given[0] if question.__name__ == "consider" else question.__name__
        assert isinstance(name, str)
        self.asked.append(name)
        if self.fault is not None:
            raise self.fault
        if name == "expert":
            self.seconds.append(cast("float", given[-1]))
        if name in self.slow:
            await asyncio.sleep(self.takes_s)
        if name == "hints":
            await asyncio.sleep(self.hints_take_s)
        if name == self.raises:
            return Raised("Traceback of the worker")
        answer: object = question(*given)
        return answer


class Salon:
    """A person who lets a bot play for them, and three bots of a level."""

    def __init__(self, workers: Workers | None, *, shelf: Shelf | None = None) -> None:
        self.workers = workers
        self.metrics = Metrics()
        self.wires = Clocked()
        self.brains = AnyBrains()
        self.shelf = shelf or Shelf()
        loop = asyncio.get_running_loop()
        self.store = MemoryStore(clock=loop.time, shelf=self.shelf)
        self.pool = (
            Pool(Moody(), workers=1, metrics=self.metrics, runner=workers) if workers else None
        )
        chance = random.Random(7)
        self.rooms = Rooms(
            Tools(self.store, self.wires, self.brains, self.metrics, chance, pool=self.pool),
            node="a",
        )
        self.actor: Actor
        self.conn = Conn(1)
        self._n = 0

    async def open(self, level: str = "expert", *, pace_ms: int = 1000) -> None:
        settings = Settings(pace_ms=pace_ms)
        made = await self.rooms.create(m.Create(m.VERSION, "Ann", bytes(16), settings=settings))
        self.actor = made.actor
        self.actor.put(Take(self.conn, made.seat, made.token))
        for seat in (2, 3, 4):
            await self.act(lambda n, seat=seat: m.AddBot(n, Seat(seat), level))  # type: ignore[misc]  # one argument only
        await self.act(lambda n: m.Autopilot(n, on=True, pace_ms=pace_ms))
        await self.act(m.Start)

    async def act(self, action: Callable[[int], m.Action]) -> None:
        self._n += 1
        sent = action(self._n)
        assert self.actor.put(Act(self.conn, sent, encode(sent)))
        await self.until(lambda: any(m.Done(self._n, _seq(one)) == one for one in self.heard()))

    def answer(self, number: int) -> m.Hints | m.Refused | None:
        """To a question for hints."""
        for one in self.heard():
            if isinstance(one, m.Hints) and one.id == number:
                return one
            if isinstance(one, m.Refused) and one.ref == number:
                return one
        return None

    def heard(self, conn: Conn | None = None) -> list[m.ServerMessage]:
        return self.wires.heard.get(conn or self.conn, [])

    async def until(self, condition: Callable[[], object], *, timeout_s: float = 600) -> None:
        await until(condition, timeout_s=timeout_s)

    async def played(self, turns: int) -> None:
        await self.until(lambda: self.actor.room.state.match.turn >= turns)

    def moves(self) -> list[tuple[float, int]]:
        """When each turn began, as people saw it."""
        turns = [
            (when, one.public.turn) for when, one in self.wires.times if isinstance(one, m.Update)
        ]
        return [new for old, new in pairwise([(0.0, -1), *turns]) if old[1] != new[1]]

    def asked(self) -> Seat:
        """Whose turn it is."""
        (seat,) = asked(self.actor.room.state.match)
        return seat

    def counted(self, level: str, why: Fallback) -> float:
        value = self.metrics.registry.get_sample_value(
            "guandan_decision_fallbacks_total", {"level": level, "reason": why.value}
        )
        return value or 0.0

    def decided(self, level: str, *, searched: bool = False) -> float:
        labels = {"level": level, "searched": "yes" if searched else "no"}
        value = self.metrics.registry.get_sample_value("guandan_decisions_total", labels)
        return value or 0.0

    async def close(self) -> None:
        await self.rooms.stop()
        if self.pool is not None:
            await self.pool.close()


def _seq(message: m.ServerMessage) -> int:
    return message.seq if isinstance(message, m.Done) else -1


def virtually(scenario: Coroutine[Any, Any, None]) -> None:
    """Run it where time passes at once."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(scenario)


def at_a_table(scenario: Callable[[Salon], Awaitable[None]], workers: Workers | None) -> None:
    async def run() -> None:
        table = Salon(workers)
        try:
            await scenario(table)
        finally:
            await table.close()

    virtually(run())
