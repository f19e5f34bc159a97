"""The store on Redis or Valkey, through scripts that may be sent twice.

Two *lines* lead to the server, one for writes and one for reads, each a connection with one
task. Whatever waits when the task comes round goes out together as one pipeline, so that all
commits of one event-loop tick share one fsync (group commit). Measured with `appendfsync always`
against one call at a time: 8,050 commits a second instead of 1,756.

    commit() ─┐                              ┌─► answer
    commit() ─┼─► waiting ─► one pipeline ───┼─► answer
    claim()  ─┘      ▲                       └─► no answer: back to the front, sent again
                     └───────────────────────────────────┘  until its caller's deadline

Sending again is ours to decide. redis-py repeats writes ten times by itself, without telling:
that is turned off, and every script knows a call that it has carried out already.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from collections import deque
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from contextlib import suppress
from hashlib import sha1
from importlib import resources
from types import TracebackType
from typing import Any, Protocol, Self, cast

import structlog
from attrs import frozen
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

from guandan_server.errors import (
    SnapshotCorrupt,
    StoreRefused,
    StoreUnavailable,
    Trouble,
)
from guandan_server.keys import PUBLIC_SHARDS, public_key, public_shard, room_keys
from guandan_server.store import (
    LOG_PAGE_ENTRIES,
    ROOMS_PAGE_CODES,
    Action,
    ActionMark,
    Already,
    BadSeq,
    ClaimAnswer,
    Claimed,
    CommitAnswer,
    Conflict,
    CreateAnswer,
    Created,
    DeleteAnswer,
    Deleted,
    Entry,
    Exists,
    Loaded,
    Lost,
    NoRoom,
    Ok,
    Record,
    RecordPage,
    RoomPage,
    StaleFence,
    Weakness,
    checksum,
)

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

Part = str | bytes | int
Reply = Any
"""What redis-py hands back for a command; each caller below knows which."""


# -- Scripts ----------------------------------------------------------------------------------


@frozen
class Script:
    name: str
    text: str
    sha: str

    @classmethod
    def read(cls, name: str) -> Script:
        text = resources.files("guandan_server").joinpath("lua", f"{name}.lua").read_text("utf-8")
        return cls(name, text, sha1(text.encode(), usedforsecurity=False).hexdigest())

    def call(self, keys: Sequence[str], *args: Part) -> tuple[Part, ...]:
        """EVALSHA as a plain command: a cluster refuses it in any other form."""
        return ("EVALSHA", self.sha, len(keys), *keys, *args)


CREATE = Script.read("create")
CLAIM = Script.read("claim")
LOAD = Script.read("load")
COMMIT = Script.read("commit")
REFRESH = Script.read("refresh")
DELETE = Script.read("delete")
RECORD = Script.read("record")
SCRIPTS = (CREATE, CLAIM, LOAD, COMMIT, REFRESH, DELETE, RECORD)


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


# -- The store --------------------------------------------------------------------------------


class RedisStore:
    """`store.Store` on one Redis or Valkey, by URL (`redis:`, `rediss:` or `unix:`).

    Open it inside the event loop that will use it: `async with RedisStore(url) as store`.
    """

    def __init__(
        self,
        url: str,
        *,
        deadline_s: float = DEADLINE_S,
        socket_timeout_s: float = SOCKET_TIMEOUT_S,
    ) -> None:
        def line(name: str) -> Line:
            executor = Standalone(url, socket_timeout_s=socket_timeout_s)
            return Line(name, executor, deadline_s=deadline_s)

        self._writes = line("writes")
        self._reads = line("reads")

    async def __aenter__(self) -> Self:
        self._writes.start()
        self._reads.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        await self._writes.close()
        await self._reads.close()

    @property
    def outage(self) -> StoreUnavailable | None:
        """For health: why the store does not answer just now."""
        return self._writes.outage or self._reads.outage

    # Rooms

    async def create(
        self, room: str, *, node: str, snapshot: bytes, public: bool, ttl_s: int
    ) -> CreateAnswer:
        keys = room_keys(room)
        if public:
            # Listed before it exists: whoever reads the list checks it. The other way round, a
            # crash in between would hide the room.
            await self._writes.call(("SADD", public_key(public_shard(room)), room))
        reply = await self._writes.call(
            CREATE.call(
                (keys.meta, keys.log, keys.snap, keys.recs),
                *(node, _token(), snapshot, checksum(0, snapshot), int(public), ttl_s),
            )
        )
        match reply:
            case [b"created", fence, epoch]:
                return Created(fence, epoch)
            case [b"exists"]:
                return Exists()
            case _:
                raise _unforeseen(CREATE, reply)

    async def claim(
        self, room: str, *, node: str, expect_fence: int, rewound: bool = False
    ) -> ClaimAnswer:
        reply = await self._writes.call(
            CLAIM.call((room_keys(room).meta,), node, expect_fence, _token(), int(rewound))
        )
        match reply:
            case [b"claimed", fence, epoch, seq]:
                return Claimed(fence, epoch, seq)
            case [b"lost", fence, owner]:
                return Lost(fence, owner.decode())
            case [b"no_room"]:
                return NoRoom()
            case _:
                raise _unforeseen(CLAIM, reply)

    async def load(self, room: str) -> Loaded | NoRoom:
        keys = room_keys(room)
        flat, snapshot = await self._reads.call(LOAD.call((keys.meta, keys.snap)))
        if not flat:
            return NoRoom()
        meta = dict(zip(flat[::2], flat[1::2], strict=True))
        fence, epoch, seq = (int(meta[name]) for name in (b"fence", b"epoch", b"seq"))
        counters = _marks(meta)
        if snapshot is None or checksum(seq, snapshot).encode() != meta[b"sum"]:
            raise SnapshotCorrupt(room=room, fence=fence, epoch=epoch, seq=seq, counters=counters)
        return Loaded(
            fence=fence,
            epoch=epoch,
            seq=seq,
            node=meta[b"node"].decode(),
            public=meta[b"public"] == b"1",
            snapshot=snapshot,
            counters=counters,
        )

    async def commit(
        self,
        room: str,
        *,
        fence: int,
        seq: int,
        entry: bytes,
        snapshot: bytes,
        ttl_s: int,
        action: Action | None = None,
        record: Record | None = None,
        forget: Sequence[str] = (),
        trim_through: int = 0,
    ) -> CommitAnswer:
        room_at = room_keys(room)
        keys = [room_at.meta, room_at.log, room_at.snap]
        if record:
            keys += [room_at.recs, room_at.rec(record.match)]
        acted = (action.seat_key, action.counter, action.digest) if action else ("", "", "")
        ended = (record.match, record.body, record.ttl_s) if record else ("", "", "")
        reply = await self._writes.call(
            COMMIT.call(
                keys,
                *(fence, seq, entry, snapshot, checksum(seq, snapshot), ttl_s),
                *acted,
                *ended,
                trim_through,
                *forget,
            )
        )
        match reply:
            case [b"ok", stored]:
                return Ok(stored)
            case [b"already", stored, current]:
                return Already(stored, current)
            case [b"conflict", counter, stored]:
                return Conflict(counter, stored)
            case [b"stale_fence", current]:
                return StaleFence(current)
            case [b"bad_seq", head]:
                return BadSeq(head)
            case [b"no_room"]:
                return NoRoom()
            case _:
                raise _unforeseen(COMMIT, reply)

    async def log(
        self, room: str, *, after_seq: int = 0, limit: int = LOG_PAGE_ENTRIES
    ) -> tuple[Entry, ...]:
        found = await self._reads.call(
            ("XRANGE", room_keys(room).log, f"{after_seq + 1}-0", "+", "COUNT", limit)
        )
        return tuple(
            Entry(int(entry_id.partition(b"-")[0]), fields[b"e"]) for entry_id, fields in found
        )

    async def refresh(self, room: str, *, ttl_s: int) -> bool:
        keys = room_keys(room)
        reply = await self._writes.call(REFRESH.call((keys.meta, keys.log, keys.snap), ttl_s))
        match reply:
            case [b"refreshed", public]:
                if public:  # in case the list was lost on the way
                    await self._writes.call(("SADD", public_key(public_shard(room)), room))
                return True
            case [b"no_room"]:
                return False
            case _:
                raise _unforeseen(REFRESH, reply)

    async def delete(self, room: str, *, fence: int) -> DeleteAnswer:
        keys = room_keys(room)
        reply = await self._writes.call(DELETE.call((keys.meta, keys.log, keys.snap), fence))
        match reply:
            case [b"deleted"]:
                await self._writes.call(("SREM", public_key(public_shard(room)), room))
                return Deleted()
            case [b"stale_fence", current]:
                return StaleFence(current)
            case [b"no_room"]:
                return NoRoom()
            case _:
                raise _unforeseen(DELETE, reply)

    async def rooms(self, cursor: str = "", *, limit: int = ROOMS_PAGE_CODES) -> RoomPage:
        shard, position = _parse_cursor(cursor)
        found: list[str] = []
        while shard < PUBLIC_SHARDS and len(found) < limit:
            position, codes = await self._reads.call(
                ("SSCAN", public_key(shard), position, "COUNT", limit)
            )
            found += await self._still_public(shard, [code.decode() for code in codes])
            if position == 0:
                shard += 1
        return RoomPage(
            rooms=tuple(found), cursor=f"{shard}.{position}" if shard < PUBLIC_SHARDS else None
        )

    async def _still_public(self, shard: int, codes: list[str]) -> list[str]:
        flags = await _together(
            self._reads.call(("HGET", room_keys(code).meta, "public")) for code in codes
        )
        gone = [code for code, flag in zip(codes, flags, strict=True) if flag is None]
        if gone:
            # Should one of these be made anew in just this moment, its next refresh lists it.
            await self._writes.call(("SREM", public_key(shard), *gone))
        return [code for code, flag in zip(codes, flags, strict=True) if flag == b"1"]

    # Records

    async def save_record(self, room: str, record: Record) -> None:
        keys = room_keys(room)
        await self._writes.call(
            RECORD.call(
                (keys.recs, keys.rec(record.match)), record.match, record.body, record.ttl_s
            )
        )

    async def load_record(
        self, room: str, match: int, *, offset: int, limit: int
    ) -> RecordPage | None:
        key = room_keys(room).rec(match)
        # One pipeline, and a record never changes; it can only end in between.
        total_bytes, body = await _together(
            [
                self._reads.call(("STRLEN", key)),
                self._reads.call(("GETRANGE", key, offset, offset + limit - 1)),
            ]
        )
        return RecordPage(body, total_bytes) if total_bytes else None

    async def records(self, room: str) -> tuple[int, ...]:
        keys = room_keys(room)
        matches = sorted(int(match) for match in await self._reads.call(("SMEMBERS", keys.recs)))
        kept = await _together(self._reads.call(("EXISTS", keys.rec(match))) for match in matches)
        return tuple(match for match, exists in zip(matches, kept, strict=True) if exists)

    # What kind of server this is

    async def inspect(self) -> tuple[Weakness, ...]:
        """The settings under which this server may lose what it acknowledged.

        A setting that cannot be read, as with most rented servers, counts as one.
        """
        server = cast(Mapping[str, Any], await self._reads.call(("INFO",)))
        weaknesses = []

        version = str(server.get("redis_version", "unknown"))
        if not re.match(r"([7-9]|\d\d+)\.", version):
            weaknesses.append(Weakness("version", version, "7.0 or newer"))

        async def want(setting: str, *good: str) -> None:
            found = await self._setting(setting)
            if found not in good:
                weaknesses.append(Weakness(setting, found, " or ".join(good)))

        await want("appendonly", "yes")
        await want("appendfsync", "always")
        await want("maxmemory-policy", "noeviction")
        # Without replicas there is nothing to fail over to, and nothing to wait for.
        if server.get("connected_slaves") and await self._setting("min-replicas-to-write") == "0":
            weaknesses.append(Weakness("min-replicas-to-write", "0", "1 or more"))
        return tuple(weaknesses)

    async def _setting(self, name: str) -> str:
        try:
            reply = await self._reads.call(("CONFIG", "GET", name))
        except StoreRefused:
            return "unreadable"
        return reply[1].decode() if reply else "unknown"


def _token() -> str:
    return secrets.token_hex(8)


def _marks(meta: Mapping[bytes, bytes]) -> dict[str, ActionMark]:
    marks = {}
    for name, value in meta.items():
        if name.startswith(b"a:"):
            counter, seq, digest = value.decode().split(":")
            marks[name[2:].decode()] = ActionMark(int(counter), digest, int(seq))
    return marks


def _parse_cursor(cursor: str) -> tuple[int, int]:
    if not cursor:
        return 0, 0
    if not re.fullmatch(r"\d{1,2}\.\d{1,20}", cursor):
        raise ValueError(f"not a cursor of ours: {cursor!r}")
    shard, position = cursor.split(".")
    return int(shard), int(position)


async def _together(calls: Iterable[Awaitable[Reply]]) -> list[Reply]:
    """All in one pipeline, because they are made in one tick."""
    return await asyncio.gather(*calls)


def _unforeseen(script: Script, reply: Reply) -> StoreRefused:
    return StoreRefused(detail=f"{script.name} answered {reply!r}")
