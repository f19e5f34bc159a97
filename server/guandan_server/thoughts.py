"""What the bots of one room think, and what its people are suggested.

Levels that decide at once are asked when their time has come. Slow ones are asked beside the loop
as soon as it is their turn, and what they come to waits here until then: how long a decision takes
shows nobody anything about a hand, unless it takes longer than the pace that was drawn for it.

    slow level      full, late, raised, dead ─► the next lighter ─► … ─► one that decides at once
    level at once   raised ─► the quick level; if that raises, the clock's move is made

The room decides what an answer is still worth: of an old turn it drops it.
"""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Callable
from typing import Final

import structlog
from attrs import evolve

from guandan_engine.seats import Seat
from guandan_protocol import messages as m
from guandan_protocol.messages import Code
from guandan_server.brains import QUICK_LEVEL, Brains, Fallback, Hints, Unanswered
from guandan_server.items import Choice, Conn, Suggest, Think, Thought
from guandan_server.metrics import Metrics
from guandan_server.pool import HINTS, Pool
from guandan_server.previews import helpful
from guandan_server.room import Room

__all__ = ["Thoughts"]

log = structlog.get_logger()

RETRY_MS: Final = 1000
"""After which to ask for hints again that nobody had time for."""
_NO_HINTS: Final = "no hints for this hand"

Turn = tuple[Seat, int]


class Thoughts:
    """One room's, owned by its actor."""

    def __init__(
        self,
        room: Room,
        brains: Brains,
        pool: Pool | None,
        metrics: Metrics,
        *,
        entropy: Callable[[int], bytes],
        hand_in: Callable[[Thought], None],
        send: Callable[[Conn, m.ServerMessage], None],
    ) -> None:
        """Without a `pool` everything is decided at once."""
        self._room = room
        self._brains = brains
        self._quick = frozenset(brains.levels())
        self._pool = pool
        self._metrics = metrics
        self._entropy = entropy
        self._hand_in = hand_in
        self._send = send
        self._ahead: dict[Turn, tuple[str, asyncio.Task[Thought]]] = {}
        """Thoughts whose time has not come, each with the level it was begun with."""
        self._due: set[asyncio.Task[Thought]] = set()
        """The room waits for these, and is told in any case."""
        self._hints: dict[Seat, m.Hints] = {}
        """What was suggested last to each seat; it holds for its turn."""
        self._suggesting: dict[Turn, asyncio.Task[m.Hints]] = {}
        self._answering: set[asyncio.Task[None]] = set()
        self._told: set[str] = set()
        """Levels whose failure stands in the log."""

    def follow(self) -> None:
        """Something has happened: begin what is going to be asked, leave what is not any more."""
        pool = self._pool
        if pool is None:
            return
        if any(seat.level in pool.levels for seat in self._room.state.seats):
            pool.warm()
        coming = {
            (seat, turn): (level, at)
            for seat, turn, level, at in self._room.bots_to_move()
            if level in pool.levels
        }
        for turn, (level, task) in list(self._ahead.items()):
            if turn not in coming or coming[turn][0] != level:
                task.cancel()
                del self._ahead[turn]
        for turn, (level, at) in coming.items():
            if turn not in self._ahead:
                self._ahead[turn] = level, self._begin(self._room.question(*turn), pool, at / 1000)

    def decide(self, ask: Think) -> None:
        """Its time has come: hand the thought in, now or when it is there."""
        level, task = self._ahead.pop((ask.seat, ask.turn), (ask.level, None))
        pool = self._pool
        if pool is None or ask.level not in pool.levels:
            self._hand_in(self._at_once(ask.level, ask, self._entropy(16)))
        elif task is not None and level == ask.level:
            self._await(task)
        else:
            self._await(self._begin(ask, pool, asyncio.get_running_loop().time()))

    def suggest(self, ask: Suggest) -> None:
        """Answer the connection, now or when hints are there."""
        seat, turn = ask.view.seat, ask.view.public.turn
        known = self._hints.get(seat)
        if known is not None and known.turn == turn:
            self._send(ask.conn, evolve(known, id=ask.id))
        elif self._pool is not None and self._pool.is_warm:
            work = self._suggesting.get((seat, turn))
            if work is None:
                work = asyncio.create_task(self._hints_beside(ask, self._pool))
                self._suggesting[seat, turn] = work
                work.add_done_callback(lambda _: self._suggesting.pop((seat, turn), None))
            task = asyncio.create_task(self._answer(ask, work))
            self._answering.add(task)
            task.add_done_callback(self._answering.discard)
        else:
            if self._pool is not None:
                self._pool.warm()  # a table where one is asked for is one where more are
            self._send(ask.conn, self._hints_at_once(ask))

    def close(self) -> None:
        """The room ends: nobody waits for anything any more."""
        ahead = [task for _, task in self._ahead.values()]
        for task in (*ahead, *self._due, *self._answering, *self._suggesting.values()):
            task.cancel()
        self._ahead.clear()

    # -- decisions -----------------------------------------------------------------------------

    def _begin(self, ask: Think, pool: Pool, shown_at: float) -> asyncio.Task[Thought]:
        return asyncio.create_task(self._beside(ask, pool, shown_at))

    def _await(self, task: asyncio.Task[Thought]) -> None:
        self._due.add(task)
        task.add_done_callback(self._thought)

    def _thought(self, task: asyncio.Task[Thought]) -> None:
        self._due.discard(task)
        if not task.cancelled():
            self._hand_in(task.result())

    async def _beside(self, ask: Think, pool: Pool, shown_at: float) -> Thought:
        """What the level decides, or the next lighter one that answers."""
        level, entropy = ask.level, self._entropy(16)
        while (slow := pool.levels.get(level)) is not None:
            try:
                found = await pool.consider(slow, ask.view, ask.rules, entropy, shown_at=shown_at)
            except Unanswered as failure:
                self._fell_back(level, failure, ask.seat)
                level = slow.lighter
            except Exception:  # noqa: BLE001  a question that cannot be sent; it is logged, once
                unsent = Unanswered(Fallback.RAISED, traceback.format_exc())
                self._fell_back(level, unsent, ask.seat)
                level = slow.lighter
            else:
                self._count(level, searched=found.searched)
                return Thought(ask.seat, ask.turn, found.choice)
        return self._at_once(level, ask, entropy)

    def _at_once(self, level: str, ask: Think, entropy: bytes) -> Thought:
        """What a level decides that needs no time; the clock's move if none of them can."""
        if level not in self._quick:
            # A room may come from a node that has it.
            self._fell_back(level, Unanswered(Fallback.ABSENT), ask.seat)
            level = QUICK_LEVEL
        while True:
            try:
                choice: Choice = self._brains.choose(level, ask.view, ask.rules, entropy)
            except Exception:
                self._metrics.bot_failures.labels(level).inc()
                if level not in self._told:
                    self._told.add(level)
                    log.exception("bot failed", level=level, seat=ask.seat)
                if level == QUICK_LEVEL:
                    # It costs its seat the clock's move, and nobody else anything.
                    return Thought(ask.seat, ask.turn, failed=True)
                self._metrics.fallbacks.labels(level, Fallback.RAISED.value).inc()
                level = QUICK_LEVEL
            else:
                self._count(level, searched=False)
                return Thought(ask.seat, ask.turn, choice)

    def _count(self, level: str, *, searched: bool) -> None:
        self._metrics.decisions.labels(level, "yes" if searched else "no").inc()

    def _fell_back(self, level: str, failure: Unanswered, seat: Seat | None = None) -> None:
        self._metrics.fallbacks.labels(level, failure.why.value).inc()
        if failure.why is Fallback.RAISED:
            self._metrics.bot_failures.labels(level).inc()
            if level not in self._told:
                self._told.add(level)
                log.error("bot failed", level=level, seat=seat, trace=failure.trace)

    # -- hints ---------------------------------------------------------------------------------

    async def _answer(self, ask: Suggest, work: asyncio.Task[m.Hints]) -> None:
        try:
            # Shared by all who ask in this turn; one of them may go.
            answer: m.ServerMessage = evolve(await asyncio.shield(work), id=ask.id)
        except Unanswered as failure:
            # What hung or killed a worker must not be tried again in the loop.
            if failure.why is Fallback.RAISED:
                answer = m.Refused(ask.id, Code.INTERNAL, _NO_HINTS)
            else:
                answer = m.Refused(ask.id, Code.BUSY, _NO_HINTS, RETRY_MS)
        except Exception:
            log.exception("hints failed", seat=ask.view.seat)
            answer = m.Refused(ask.id, Code.INTERNAL, _NO_HINTS)
        self._send(ask.conn, answer)

    async def _hints_beside(self, ask: Suggest, pool: Pool) -> m.Hints:
        try:
            return self._known(ask, await pool.hints(ask.view, ask.rules))
        except Unanswered as failure:
            self._fell_back(HINTS, failure)
            raise

    def _hints_at_once(self, ask: Suggest) -> m.ServerMessage:
        try:
            found = self._brains.hints(ask.view, ask.rules)
            return evolve(self._known(ask, found), id=ask.id)
        except Exception:
            log.exception("hints failed", seat=ask.view.seat)
            return m.Refused(ask.id, Code.INTERNAL, _NO_HINTS)

    def _known(self, ask: Suggest, found: Hints) -> m.Hints:
        (hints, best), turn = found, ask.view.public.turn
        known = m.Hints(0, turn, hints, best, helpful(ask.view, ask.rules))
        self._hints[ask.view.seat] = known
        return known
