"""The store on Redis or Valkey, through scripts that may be sent twice.

Three `line`s lead to the server, one for writes, one for reads and one for heartbeats; every script
knows a call that it has carried out already. A cluster has a `trunk` for each: a room is in one
slot, and what is not a room's (`keys`) is one key at a time.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any, Self, cast

from guandan_server.errors import SnapshotCorrupt, StoreRefused, StoreUnavailable
from guandan_server.executors import Cluster, executor_for
from guandan_server.keys import (
    NODES_KEY,
    PUBLIC_SHARDS,
    held_key,
    node_key,
    public_key,
    public_shard,
    room_keys,
)
from guandan_server.line import DEADLINE_S, SOCKET_TIMEOUT_S, Line
from guandan_server.scripts import (
    CLAIM,
    COMMIT,
    CREATE,
    DELETE,
    LOAD,
    RECORD,
    REFRESH,
    RELEASE,
    Reply,
    Script,
)
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
    ReleaseAnswer,
    Released,
    RoomPage,
    StaleFence,
    Weakness,
    checksum,
)
from guandan_server.trunk import Trunk


class RedisStore:
    """`store.Store` on Redis or Valkey, alone, behind sentinels or as a cluster.

    `store_url` has the forms of URL; one that is none is a BadStoreUrl. Open it inside the event
    loop that will use it: `async with RedisStore(url) as store`.
    """

    def __init__(
        self,
        url: str,
        *,
        deadline_s: float = DEADLINE_S,
        socket_timeout_s: float = SOCKET_TIMEOUT_S,
    ) -> None:
        def line(name: str) -> Line | Trunk:
            executor = executor_for(url, socket_timeout_s=socket_timeout_s)
            if isinstance(executor, Cluster):
                return Trunk(name, executor, deadline_s=deadline_s)
            return Line(name, executor, deadline_s=deadline_s)

        self._writes = line("writes")
        self._reads = line("reads")
        # Of its own: a heartbeat must not wait behind the commits of a busy node.
        self._beats = line("beats")

    async def __aenter__(self) -> Self:
        self._writes.start()
        self._reads.start()
        self._beats.start()
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
        await self._beats.close()

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
        node, counters = meta[b"node"].decode(), _marks(meta)
        if snapshot is None or checksum(seq, snapshot).encode() != meta[b"sum"]:
            raise SnapshotCorrupt(
                room=room, fence=fence, epoch=epoch, seq=seq, node=node, counters=counters
            )
        return Loaded(
            fence=fence,
            epoch=epoch,
            seq=seq,
            node=node,
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

    async def release(self, room: str, *, fence: int) -> ReleaseAnswer:
        reply = await self._writes.call(RELEASE.call((room_keys(room).meta,), fence))
        match reply:
            case [b"released"]:
                return Released()
            case [b"stale_fence", current]:
                return StaleFence(current)
            case [b"no_room"]:
                return NoRoom()
            case _:
                raise _unforeseen(RELEASE, reply)

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

    # Nodes

    async def beat(self, node: str, url: str, *, ttl_ms: int) -> None:
        await _together(
            [
                self._beats.call(("SET", node_key(node), url, "PX", ttl_ms)),
                self._beats.call(("SADD", NODES_KEY, node)),
            ]
        )

    async def node_url(self, node: str) -> str | None:
        url = await self._reads.call(("GET", node_key(node)))
        return None if url is None else url.decode()

    async def part(self, node: str) -> None:
        await _together(
            [
                self._beats.call(("DEL", node_key(node))),
                self._beats.call(("DEL", held_key(node))),
                self._beats.call(("SREM", NODES_KEY, node)),
            ]
        )

    async def nodes(self) -> tuple[str, ...]:
        return tuple(
            sorted([_text(name) for name in await self._reads.call(("SMEMBERS", NODES_KEY))])
        )

    async def hold(self, node: str, room: str) -> None:
        await self._writes.call(("SADD", held_key(node), room))

    async def let_go(self, node: str, room: str) -> None:
        await self._writes.call(("SREM", held_key(node), room))

    async def held(self, node: str) -> tuple[str, ...]:
        codes = await self._reads.call(("SMEMBERS", held_key(node)))
        return tuple(sorted([_text(code) for code in codes]))

    # What kind of server this is

    async def inspect(self) -> tuple[Weakness, ...]:
        """The settings under which a server may lose what it acknowledged.

        A setting that cannot be read, as with most rented servers, counts as one. Of a cluster it
        is every primary, and the weakness says which; replicas are not asked.
        """
        async with self._reads.primaries() as lines:
            found = await asyncio.gather(*(_inspect(line, name) for name, line in lines))
        return tuple(weakness for weaknesses in found for weakness in weaknesses)


async def _inspect(line: Line, name: str) -> list[Weakness]:
    server = cast(Mapping[str, Any], await line.call(("INFO",)))
    weaknesses = []
    where = f" on {name}" if name else ""

    version = str(server.get("redis_version", "unknown"))
    if not re.match(r"([7-9]|\d\d+)\.", version):
        weaknesses.append(Weakness(f"version{where}", version, "7.0 or newer"))

    async def want(setting: str, *good: str) -> None:
        found = await _setting(line, setting)
        if found not in good:
            weaknesses.append(Weakness(f"{setting}{where}", found, " or ".join(good)))

    await want("appendonly", "yes")
    await want("appendfsync", "always")
    await want("maxmemory-policy", "noeviction")
    # Without replicas there is nothing to fail over to, and nothing to wait for.
    replicas = "min-replicas-to-write"
    if server.get("connected_slaves") and await _setting(line, replicas) == "0":
        weaknesses.append(Weakness(f"{replicas}{where}", "0", "1 or more"))
    return weaknesses


async def _setting(line: Line, name: str) -> str:
    try:
        reply = await line.call(("CONFIG", "GET", name))
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


def _text(value: bytes | str) -> str:
    return value.decode() if isinstance(value, bytes) else value
