"""A line to the server: one connection, one task, and everything that waits goes out together.

Whatever waits when the task comes round is one pipeline, so that all commits of one event-loop
tick share one fsync (group commit). Measured with `appendfsync always` against one call at a time:
8,050 commits a second instead of 1,756.

    call() ─┐                              ┌─► answer
    call() ─┼─► waiting ─► one pipeline ───┼─► answer
    call() ─┘      ▲                       └─► no answer: back to the front, sent again
                   └───────────────────────────┘  until its caller's deadline

Sending again is ours to decide. redis-py repeats writes ten times by itself, without telling:
that is turned off, and every script knows a call that it has carried out already.
"""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Protocol

import structlog
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import (
    AuthenticationError,
    BusyLoadingError,
    RedisError,
    ResponseError,
)
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError
from redis.maint_notifications import MaintNotificationsConfig

from guandan_server.errors import StoreRefused, StoreUnavailable, Trouble
from guandan_server.scripts import SCRIPTS, Part, Reply

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


def _code(error: ResponseError) -> str:
    code: str = error.status_code or str(error).partition(" ")[0]
    if code == "ERR" and (wrapped := _WRAPPED.search(str(error))):
        return wrapped[1]
    return code


def _passes(trouble: Trouble) -> bool:
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
        case ResponseError():
            code = _code(error)
            found = _PASSING.get(code) or _LASTING.get(code)
            if found is None:
                return StoreRefused(detail=str(error))
            trouble = found
        case _:
            return StoreRefused(detail=f"{type(error).__name__}: {error}")
    return _unavailable(trouble, str(error))


def _unavailable(trouble: Trouble, detail: str = "") -> StoreUnavailable:
    retry_after_ms = _PASSES_IN_MS if _passes(trouble) else _LASTS_MS
    return StoreUnavailable(trouble=trouble, retry_after_ms=retry_after_ms, detail=detail)


# -- Lines ------------------------------------------------------------------------------------


class Executor(Protocol):
    """Carries commands to the server and answers back, once. A cluster or a sentinel fits here."""

    async def run(self, commands: Iterable[Sequence[Part]]) -> list[Reply | ResponseError]:
        """One answer per command, in order; raises `RedisError` or `OSError` if none is known."""

    async def load_scripts(self) -> None: ...

    async def reset(self) -> None:
        """Let go of the server we talk to: it is not, or no longer, the one that may write."""

    async def close(self) -> None: ...


class Standalone:
    """One server, by URL."""

    def __init__(self, url: str, *, socket_timeout_s: float) -> None:
        self._client = Redis.from_url(
            url,
            socket_timeout=socket_timeout_s,
            socket_connect_timeout=socket_timeout_s,
            retry=Retry(NoBackoff(), 0),
            # RESP2 says all we ask, and needs no handshake that older servers lack.
            protocol=2,
            driver_info=None,
            maint_notifications_config=MaintNotificationsConfig(enabled=False),
        )

    async def run(self, commands: Iterable[Sequence[Part]]) -> list[Reply | ResponseError]:
        async with self._client.pipeline(transaction=False) as pipeline:
            for command in commands:
                pipeline.execute_command(*command)
            return await pipeline.execute(raise_on_error=False)

    async def load_scripts(self) -> None:
        async with self._client.pipeline(transaction=False) as pipeline:
            for script in SCRIPTS:
                pipeline.script_load(script.text)
            await pipeline.execute()

    async def reset(self) -> None:
        await self._client.connection_pool.disconnect()

    async def close(self) -> None:
        await self._client.aclose()


class _Call:
    """A command on its way, and the caller who waits for it."""

    __slots__ = ("answer", "command")

    def __init__(self, command: Sequence[Part]) -> None:
        self.command = command
        self.answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()


class Line:
    """One connection, one task; what waits goes out together, in the order it came.

    A caller who stops waiting, by deadline or by cancellation, is dropped from what is sent
    again. What was sent may still be carried out: the outcome is unknown, never half.
    """

    def __init__(self, name: str, executor: Executor, *, deadline_s: float) -> None:
        self._name = name
        self._executor = executor
        self._deadline_s = deadline_s
        self._waiting: deque[_Call] = deque()
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._closed = False
        self.outage: StoreUnavailable | None = None
        """Why nothing gets through just now; None while all is well."""

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name=f"store-{self._name}")

    async def call(self, command: Sequence[Part]) -> Reply:
        # redis-py would refuse anything else only when the whole pipeline is packed: one room's
        # bug, and every room's commit.
        assert all(type(part) in (str, bytes, int) for part in command)
        if self._closed:
            raise _unavailable(Trouble.CLOSED)
        if len(self._waiting) >= CALLS_WAITING_MAX:
            raise _unavailable(Trouble.OVERLOADED)
        call = _Call(command)
        self._waiting.append(call)
        self._wake.set()
        try:
            async with asyncio.timeout(self._deadline_s):
                return await call.answer
        except TimeoutError:
            if self.outage is not None:
                raise _unavailable(self.outage.trouble, self.outage.detail) from None
            late = f"no answer within {self._deadline_s:g} s"
            raise _unavailable(Trouble.TIMEOUT, late) from None

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
                    _fail(call, error)
                continue
            if not again:
                failures = 0
                continue
            self._waiting.extendleft(reversed(again))
            await asyncio.sleep(RESEND_AFTER_S[min(failures, len(RESEND_AFTER_S) - 1)])
            failures += 1

    def _take(self) -> list[_Call]:
        batch: list[_Call] = []
        while self._waiting and len(batch) < BATCH_CALLS_MAX:
            call = self._waiting.popleft()
            if not call.answer.done():
                batch.append(call)
        return batch

    async def _send(self, batch: list[_Call]) -> list[_Call]:
        """Send once and hand out the answers; back come the calls that need to go again."""
        try:
            replies = await self._executor.run([call.command for call in batch])
        except (RedisError, OSError) as error:
            return self._failed(batch, error)

        again: list[_Call] = []
        codes = set()
        for call, reply in zip(batch, replies, strict=True):
            if isinstance(reply, ResponseError):
                code = _code(reply)
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
        if not codes and self.outage is not None:
            logger.info("store.back", line=self._name, after=self.outage.trouble)
            self.outage = None
        return again

    def _failed(self, calls: list[_Call], error: RedisError | OSError) -> list[_Call]:
        """Tell the callers, or give back the calls if the trouble is of the passing kind."""
        failure = translate(error)
        if isinstance(failure, StoreUnavailable):
            if self.outage is None:
                logger.warning("store.unavailable", line=self._name, error=str(failure))
            self.outage = failure
            if _passes(failure.trouble):
                return calls
        for call in calls:
            _fail(call, translate(error))
        return []

    def _give_up(self, calls: Iterable[_Call]) -> None:
        for call in calls:
            _fail(call, _unavailable(Trouble.CLOSED))

    async def close(self) -> None:
        self._closed = True
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        self._give_up(self._waiting)
        self._waiting.clear()
        await self._executor.close()


def _fail(call: _Call, error: Exception) -> None:
    if not call.answer.done():
        call.answer.set_exception(error)
