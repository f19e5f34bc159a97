"""A line to a server: one connection, one task, and everything that waits goes out together.

Whatever waits when the task comes round is one pipeline, so that all commits of one event-loop
tick share one fsync (group commit). Measured with `appendfsync always` against one call at a time:
8,050 commits a second instead of 1,756.

    call() ─┐                              ┌─► answer
    call() ─┼─► waiting ─► one pipeline ───┼─► answer
    call() ─┘      ▲                       └─► no answer: back to the front, sent again
                   └───────────────────────────┘  until its caller's deadline

What carries the pipelines, `executors` says; for a cluster, `trunk` has a line to each server.

Sending again is ours to decide. redis-py repeats writes ten times by itself, without telling:
that is turned off, and every script knows a call that it has carried out already.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import deque
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Protocol

import structlog
from redis.exceptions import (
    AskError,
    AuthenticationError,
    BusyLoadingError,
    ClusterCrossSlotError,
    RedisError,
    ResponseError,
)
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from guandan_server.errors import StoreRefused, StoreUnavailable, Trouble
from guandan_server.scripts import Part, Reply

logger = structlog.stdlib.get_logger(__name__)

# A person waits for their play to be stored; after this long they are told it is not (yet).
DEADLINE_S = 3.0
# One answer. A store that stalls for less is late, not gone.
SOCKET_TIMEOUT_S = 3.0
# One pipeline. Its answers hold back the next one, so it is bounded; beyond this the gain per
# call is gone anyway.
BATCH_CALLS_MAX = 256
# Each room has one commit on its way at most, so this many rooms may wait out an outage.
CALLS_WAITING_MAX = 8192
# Before sending again: at once, because the usual cause is one dropped connection; then at this
# pace, which brings a restarted store back within the quarter second.
RESEND_AFTER_S = (0.0, 0.02, 0.05, 0.1, 0.25)
# An outage that nobody has met for this long says nothing of now: without it, a node that is idle
# when the store comes back would call itself unready until somebody plays, whom nobody sends it.
OUTAGE_FRESH_S = 10.0
# A task that does not end when it is cancelled is cancelled again after this long.
CANCEL_AGAIN_S = 0.1

# -- Telling one trouble from another ---------------------------------------------------------

# The first word of an error answer. What passes by itself within seconds is waited for; a full
# disk is not, so the caller hears of it at once.
_PASSING = {
    "LOADING": Trouble.LOADING,
    "READONLY": Trouble.READONLY,
    "BUSY": Trouble.BUSY,
    "CLUSTERDOWN": Trouble.CLUSTER_DOWN,
    "MASTERDOWN": Trouble.CLUSTER_DOWN,
    "TRYAGAIN": Trouble.CLUSTER_DOWN,
}
_LASTING = {
    "OOM": Trouble.OUT_OF_MEMORY,
    "MISCONF": Trouble.CANNOT_PERSIST,
    "NOREPLICAS": Trouble.NO_REPLICAS,
    "NOAUTH": Trouble.FORBIDDEN,
    "WRONGPASS": Trouble.FORBIDDEN,
}
_PASSES_IN_MS = 500
_LASTS_MS = 5000

# Before 7.0 an error inside a script came wrapped in an ERR of its own.
_WRAPPED = re.compile(r"-(OOM|MISCONF|READONLY|NOREPLICAS) ")


def code_of(error: ResponseError) -> str:
    """The first word of an error answer."""
    code: str = error.status_code or str(error).partition(" ")[0]
    if code == "ERR" and (wrapped := _WRAPPED.search(str(error))):
        return wrapped[1]
    return code


def passes(trouble: Trouble) -> bool:
    """Does it pass by itself, so that waiting is worth while?"""
    return trouble in (Trouble.CONNECTION, Trouble.TIMEOUT, *_PASSING.values())


def translate(error: RedisError | OSError) -> StoreUnavailable | StoreRefused:
    """redis-py's errors, in our terms."""
    if isinstance(error, RedisConnectionError) and isinstance(error.__cause__, RedisError):
        # Over a unix socket, whatever the server says to our password comes wrapped like this.
        return translate(error.__cause__)
    match error:
        case BusyLoadingError():
            trouble = Trouble.LOADING
        case AuthenticationError():
            trouble = Trouble.FORBIDDEN
        case RedisTimeoutError():
            trouble = Trouble.TIMEOUT
        case RedisConnectionError() | OSError():
            trouble = Trouble.CONNECTION
        case AskError() | ClusterCrossSlotError():  # MOVED is an ASK too
            hint = "a cluster's server: its URL begins with redis+cluster://"
            return StoreRefused(detail=f"{code_of(error)} {error}, from {hint}")
        case ResponseError():
            code = code_of(error)
            found = _PASSING.get(code) or _LASTING.get(code)
            if found is None:
                return StoreRefused(detail=str(error))
            trouble = found
        case _:
            return StoreRefused(detail=f"{type(error).__name__}: {error}")
    return unavailable(trouble, str(error))


def unavailable(trouble: Trouble, detail: str = "") -> StoreUnavailable:
    retry_after_ms = _PASSES_IN_MS if passes(trouble) else _LASTS_MS
    return StoreUnavailable(trouble=trouble, retry_after_ms=retry_after_ms, detail=detail)


class Outage:
    """Why nothing gets through; noted by whoever meets it, and forgotten when it is no news."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._met: StoreUnavailable | None = None
        self._met_at = 0.0

    @property
    def now(self) -> StoreUnavailable | None:
        fresh = time.monotonic() - self._met_at < OUTAGE_FRESH_S
        return self._met if fresh else None

    def meet(self, failure: StoreUnavailable) -> None:
        if self._met is None:
            logger.warning("store.unavailable", line=self._name, error=str(failure))
        self._met, self._met_at = failure, time.monotonic()

    def end(self) -> None:
        if self._met is not None:
            logger.info("store.back", line=self._name, after=self._met.trouble)
            self._met = None


# -- Lines ------------------------------------------------------------------------------------


class Executor(Protocol):
    """Carries commands to one server and answers back, once."""

    async def run(self, commands: Sequence[Sequence[Part]]) -> list[Reply | ResponseError]:
        """One answer per command, in order; raises `RedisError` or `OSError` if none is known."""

    async def load_scripts(self) -> None: ...

    async def reset(self) -> None:
        """Let go of the server we talk to: it is not, or no longer, the one that may write."""

    async def close(self) -> None: ...


class Call:
    """A command on its way, and the caller who waits for it."""

    __slots__ = ("answer", "command", "hops", "tries", "trouble")

    # Only a trunk, which has several servers to go to, sets and reads these:
    tries: int
    """How often it came back without an answer."""
    hops: int
    """How often it was sent on since."""
    trouble: StoreUnavailable | None
    """Why it came back, the last time."""

    def __init__(self, command: Sequence[Part]) -> None:
        # redis-py would refuse anything else only when the whole pipeline is packed: one room's
        # bug, and every room's commit.
        assert all(type(part) in (str, bytes, int) for part in command)
        self.command = command
        self.answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()

    def fail(self, error: Exception) -> None:
        if not self.answer.done():
            self.answer.set_exception(error)


def too_late(deadline_s: float, met: StoreUnavailable | None) -> StoreUnavailable:
    """What a caller hears at the deadline: the trouble there is, if any was met."""
    if met:
        return unavailable(met.trouble, met.detail)
    return unavailable(Trouble.TIMEOUT, f"no answer within {deadline_s:g} s")


async def end(task: asyncio.Task[None]) -> None:
    """Cancel a task until it is done.

    Once is not enough: redis-py sends within `asyncio.wait_for`, and that of Python 3.11 forgets a
    cancellation which comes just when the bytes are gone.
    """
    while not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=CANCEL_AGAIN_S)


class Line:
    """One connection, one task; what waits goes out together, in the order it came.

    A caller who stops waiting, by deadline or by cancellation, is dropped from what is sent
    again. What was sent may still be carried out: the outcome is unknown, never half.
    """

    def __init__(self, name: str, executor: Executor, *, deadline_s: float) -> None:
        self._name = name
        self._executor = executor
        self._deadline_s = deadline_s
        self._waiting: deque[Call] = deque()
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._closed = False
        self._outage = Outage(name)

    @property
    def outage(self) -> StoreUnavailable | None:
        """Why nothing gets through just now; None while all is well."""
        return self._outage.now

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name=f"store-{self._name}")

    async def call(self, command: Sequence[Part]) -> Reply:
        call = Call(command)
        if self._closed:
            raise unavailable(Trouble.CLOSED)
        if len(self._waiting) >= CALLS_WAITING_MAX:
            raise unavailable(Trouble.OVERLOADED)
        self.put(call)
        try:
            async with asyncio.timeout(self._deadline_s):
                return await call.answer
        except TimeoutError:
            raise too_late(self._deadline_s, self.outage) from None

    def put(self, call: Call) -> None:
        """Let it wait for the next pipeline."""
        self._waiting.append(call)
        self._wake.set()

    @asynccontextmanager
    async def primaries(self) -> AsyncIterator[Sequence[tuple[str, Line]]]:
        """A line to every server that holds data, by its name if there may be several."""
        yield [("", self)]

    async def _run(self) -> None:
        failures = 0
        while True:
            await self._wake.wait()
            batch = self._take()
            if not batch:
                self._wake.clear()
                continue
            try:
                again = await self._send(batch)
            except asyncio.CancelledError:
                self._give_up(batch)
                raise
            except Exception as error:  # noqa: BLE001 - a bug must reach the callers, not end the line
                for call in batch:
                    call.fail(error)
                continue
            if not again:
                failures = 0
                continue
            self._waiting.extendleft(reversed(again))
            await asyncio.sleep(RESEND_AFTER_S[min(failures, len(RESEND_AFTER_S) - 1)])
            failures += 1

    def _take(self) -> list[Call]:
        batch: list[Call] = []
        while self._waiting and len(batch) < BATCH_CALLS_MAX:
            call = self._waiting.popleft()
            if not call.answer.done():
                batch.append(call)
        return batch

    async def _send(self, batch: list[Call]) -> list[Call]:
        """Send once and hand out the answers; back come the calls that need to go again."""
        try:
            replies = await self._executor.run([call.command for call in batch])
        except (RedisError, OSError) as error:
            return self._failed(batch, error)

        again: list[Call] = []
        codes = set()
        for call, reply in zip(batch, replies, strict=True):
            if isinstance(reply, ResponseError):
                code = code_of(reply)
                codes.add(code)
                again += [call] if code == "NOSCRIPT" else self._failed([call], reply)
            elif not call.answer.done():
                call.answer.set_result(reply)
        try:
            if "NOSCRIPT" in codes:
                await self._executor.load_scripts()
            if "READONLY" in codes:
                await self._executor.reset()
        except (RedisError, OSError) as error:
            return self._failed(again, error)
        if not codes:
            self._outage.end()
        return again

    def _failed(self, calls: list[Call], error: RedisError | OSError) -> list[Call]:
        """Tell the callers, or give back the calls if the trouble is of the passing kind."""
        failure = translate(error)
        if isinstance(failure, StoreUnavailable):
            self._outage.meet(failure)
            if passes(failure.trouble):
                return calls
        for call in calls:
            call.fail(translate(error))
        return []

    def _give_up(self, calls: Iterable[Call]) -> None:
        for call in calls:
            call.fail(unavailable(Trouble.CLOSED))

    async def close(self) -> None:
        self._closed = True
        if self._task is not None:
            await end(self._task)
        self._give_up(self._waiting)
        self._waiting.clear()
        await self._executor.close()
