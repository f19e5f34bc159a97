"""Decisions beside the event loop: worker processes, and a bounded queue before them.

Levels that search are given a share of `BUDGET_S`: all of it while nobody waits, less the more do,
so that the queue is worked off about as fast as it fills; beyond its end they decide without a
search. What takes only milliseconds goes before
them; reviews of matches that are over, by which nobody plays, go after them, in slices. Whoever
asked waits for so long and no longer; then a question that nobody has begun leaves the queue, and
one that is being worked on is worked on in vain.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextvars import Context
from functools import partial
from signal import Signals
from traceback import walk_tb
from typing import Final, cast

import structlog
from anyio import BrokenWorkerProcess, CapacityLimiter, to_process
from anyio.abc import Process
from attrs import define, field

from guandan_engine.options import Rules
from guandan_engine.seats import Seat
from guandan_engine.views import SeatView
from guandan_server.brains import (
    Considered,
    Fallback,
    Hints,
    Part,
    SlowBrains,
    SlowLevel,
    Unanswered,
)
from guandan_server.metrics import Metrics
from guandan_server.worker import Raised, work

__all__ = [
    "BUDGET_S",
    "HINTS",
    "HUNG_S",
    "LOST_S",
    "PATIENCE_LONG_S",
    "PATIENCE_SHORT_S",
    "REVIEWS",
    "REVIEW_S",
    "SEARCHES_WAITING_MAX",
    "WAITING_MAX",
    "Pool",
    "Runner",
    "ended",
]

log = structlog.get_logger()

BUDGET_S: Final = 0.6
"""For a search while nobody waits. At the usual pace a bot takes 0.75 s at least over a move."""
BUDGET_S_MIN: Final = 0.02
"""A search that has less says nothing."""
OF_PACE: Final = 0.8
"""The share of a bot's own pace that a search may take; the rest is for the way there and back."""
OF_PACE_S_MIN: Final = 0.15
"""But so long it may take at any pace."""
SEARCHES_WAITING_MAX: Final = 8
"""For each worker. With as many before it a search waits 0.7 s and has an eighth of the time."""
WAITING_MAX: Final = 32
"""For each worker, of what takes milliseconds."""
PATIENCE_LONG_S: Final = 1.5
"""For a search: the wait above twice over."""
PATIENCE_SHORT_S: Final = 0.5
"""For all else, and together with that one no longer than a person would take."""
REVIEW_S: Final = 0.2
"""For a slice of a review: a bot whose turn comes meanwhile waits so much longer at most."""
REVIEWS_WAITING_MAX: Final = 4
"""For each worker."""
PATIENCE_IDLE_S: Final = 20
"""For a slice: so long bots may come first."""
REVIEWS: Final = "reviews"
"""What they are called where levels are."""
HUNG_S: Final = 5
"""No answer takes so long, the imports of the first one included: the policy hangs."""
MISSED: Final = 255
"""asyncio says so of a child whose status was taken before it looked, as a signal to it does."""
LOST_S: Final = 20
"""A worker that has been started, and has not answered by then, is killed: it stands still."""
HINTS: Final = "hints"
"""What they are called where levels are."""

Runner = Callable[..., Awaitable[object]]
"""Calls a function with its arguments somewhere, as `asyncio.to_thread` does."""


@define(eq=False)
class _Job:
    """A question to a worker."""

    question: Callable[..., object]
    given: Callable[[], tuple[object, ...]]
    """Its arguments, asked for when it is begun."""
    answer: asyncio.Future[object] = field(
        factory=lambda: asyncio.get_running_loop().create_future()
    )


class Pool:
    """The worker processes of a node. They are started when they are needed, and again if they die.

    One that has had nothing to do for five minutes may go, but for the last.
    """

    def __init__(
        self,
        brains: SlowBrains,
        *,
        workers: int,
        metrics: Metrics,
        runner: Runner | None = None,
    ) -> None:
        """`workers`: how many think at the same time, at least one; `runner`: anyio's if None."""
        self.levels = {level.name: level for level in brains.slow_levels()}
        """By name, weakest first."""
        self.is_warm = False
        """Has a worker answered yet?"""
        self._brains = brains
        self._workers = workers
        self._metrics = metrics
        self._run_sync = runner or partial(
            to_process.run_sync, cancellable=True, limiter=CapacityLimiter(workers)
        )
        self._free = workers
        self._short: deque[_Job] = deque()
        self._long: deque[_Job] = deque()
        self._idle: deque[_Job] = deque()
        """Begun while nothing else waits."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._warming = False
        self._closed = False
        for name in (*self.levels, HINTS):  # a rate does not see the first of a counter
            for why in Fallback:
                metrics.fallbacks.labels(name, why.value)

    def warm(self) -> None:
        """Start a worker, for questions that are going to come."""
        if not self._warming and not self._closed:
            self._warming = True
            job = _Job(self._brains.prepare, tuple)
            job.answer.add_done_callback(self._warmed)
            self._short.append(job)
            self._pump()

    def _warmed(self, answer: asyncio.Future[object]) -> None:
        if answer.cancelled() or answer.exception():
            self._warming = False  # whoever comes next tries again
        elif isinstance(fault := answer.result(), Raised):
            # It would raise again: whoever comes next asks, and falls back.
            log.error("levels cannot be imported", trace=fault.trace)
        else:
            self.is_warm = True

    async def consider(
        self, level: SlowLevel, view: SeatView, rules: Rules, entropy: bytes, *, shown_at: float
    ) -> Considered:
        """What a bot of that level does; Unanswered if it is not known in time.

        `shown_at`: when it is going to be seen, by the loop's clock.
        """
        searches = level.searches and self._brains.searches(level.name, view)
        # Where too many searches wait already, what the level thinks without one is worth more than
        # a lighter level.
        searches = searches and len(self._long) < SEARCHES_WAITING_MAX * self._workers

        def given() -> tuple[object, ...]:
            seconds = self._seconds(shown_at) if searches else 0.0
            return level.name, view, rules, entropy, seconds

        job = _Job(self._brains.consider, given)
        if searches:
            answer = await self._ask(
                level.name, job, self._long, SEARCHES_WAITING_MAX, PATIENCE_LONG_S
            )
        else:
            answer = await self._ask(level.name, job, self._short, WAITING_MAX, PATIENCE_SHORT_S)
        return cast("Considered", answer)

    async def hints(self, view: SeatView, rules: Rules) -> Hints:
        """Suggestions; Unanswered if there are none in time."""
        job = _Job(self._brains.hints, lambda: (view, rules))
        answer = await self._ask(HINTS, job, self._short, WAITING_MAX, PATIENCE_SHORT_S)
        return cast("Hints", answer)

    async def review(self, record: str, seat: Seat, hand: int, *, begin: int) -> Part:
        """A slice of a review, once no bot waits; Unanswered if there is none in time."""
        job = _Job(self._brains.review, lambda: (record, seat, hand, begin, REVIEW_S))
        answer = await self._ask(REVIEWS, job, self._idle, REVIEWS_WAITING_MAX, PATIENCE_IDLE_S)
        return cast("Part", answer)

    async def close(self) -> None:
        """End what is being thought about; nobody waits for it any more."""
        self._closed = True
        for task in self._tasks:
            task.cancel()  # kills its worker; idle ones end with the event loop
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _seconds(self, shown_at: float) -> float:
        """What a search is given that begins now."""
        share = BUDGET_S * self._workers / (self._workers + len(self._long))
        pace = OF_PACE * (shown_at - asyncio.get_running_loop().time())
        return max(BUDGET_S_MIN, min(share, max(OF_PACE_S_MIN, pace)))

    async def _ask(
        self, name: str, job: _Job, queue: deque[_Job], most: int, patience_s: float
    ) -> object:
        """The answer to a question that waits in a queue, which holds `most` for each worker."""
        if self._closed or len(queue) >= most * self._workers:
            raise Unanswered(Fallback.FULL)
        queue.append(job)
        self._pump()
        try:
            with self._metrics.thinking_seconds.labels(name).time():
                async with asyncio.timeout(patience_s):
                    answer = await job.answer
        except TimeoutError:
            raise Unanswered(Fallback.LATE) from None
        finally:
            if job in queue:
                queue.remove(job)
            self._count()
        if isinstance(answer, Raised):
            raise Unanswered(Fallback.RAISED, answer.trace)
        return answer

    # -- the workers ---------------------------------------------------------------------------

    def _pump(self) -> None:
        """Begin what can be begun."""
        while self._free and (self._short or self._long or self._idle):
            job = (self._short or self._long or self._idle).popleft()
            self._free -= 1
            # Not in the context of whoever happens to be here: what is logged is not of its room.
            task = asyncio.create_task(self._run(job), context=Context())
            self._tasks.add(task)
            task.add_done_callback(self._ended)
        self._count()

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._free += 1
        if not self._closed:
            self._pump()

    async def _run(self, job: _Job) -> None:
        """Have a worker answer; anyio starts it if there is none, and gets rid of one that died."""
        error: BaseException | None = None
        answer: object = None
        try:
            async with asyncio.timeout(LOST_S):
                answer = await self._run_sync(work, HUNG_S, job.question, *job.given())
        except (BrokenWorkerProcess, OSError) as broken:  # a TimeoutError is one
            log.warning("worker died", why=_why(broken))
            error = Unanswered(Fallback.DEAD)
        except Exception as fault:  # noqa: BLE001  whoever asked hears of it
            error = fault
        if job.answer.done():
            return  # nobody waits for it any more
        if error is None:
            job.answer.set_result(answer)
        else:
            job.answer.set_exception(error)

    def _count(self) -> None:
        self._metrics.thinking_waiting.set(len(self._short) + len(self._long))


def _why(broken: BaseException) -> str:
    """How a worker ended: by a signal, with a status, or because we gave it up.

    anyio says only that its pipe was closed. The process is known nowhere but in the frames that
    the error has passed through.
    """
    if isinstance(broken, TimeoutError):
        return f"no answer within {LOST_S} s"
    for frame, _ in walk_tb(broken.__traceback__):
        process = frame.f_locals.get("process")
        if isinstance(process, Process) and process.returncode is not None:
            return ended(process.returncode)
    cause = broken.__cause__ or broken
    return str(cause) or type(cause).__name__


def ended(status: int) -> str:
    """What a process's status says.

    >>> ended(-9), ended(1)
    ('killed by SIGKILL', 'ended with status 1')
    """
    if status == MISSED:
        return "ended, nobody saw how"
    if status >= 0:
        return f"ended with status {status}"
    try:
        return f"killed by {Signals(-status).name}"
    except ValueError:
        return f"killed by signal {-status}"
