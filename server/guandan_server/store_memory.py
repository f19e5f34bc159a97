"""The store without a server: the same answers, and faults to order.

For simulations and tests only; `guandan serve` never falls back to it, because what it
acknowledges dies with the process. It follows `lua/` line by line, and the contract tests hold
the two together.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from enum import Enum
from typing import TypeVar

from attrs import define, field

from guandan_server.errors import SnapshotCorrupt, StoreUnavailable, Trouble
from guandan_server.keys import room_keys
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
    checksum,
)

Answer = TypeVar("Answer")


class Fault(Enum):
    """What befalls one call."""

    NONE = "none"
    NOT_DONE = "not done"
    """The caller gets `StoreUnavailable`, and nothing happened."""
    REPLY_LOST = "reply lost"
    """The caller gets `StoreUnavailable`, and it happened."""


Faults = Callable[[str, str], Awaitable[Fault]]
"""Asked before each call, with the method's name and the room; it may take its (virtual) time."""


_ABOUT_NODES = frozenset({"rooms", "beat", "node_url", "part", "nodes", "held"})


async def no_faults(method: str, room: str) -> Fault:
    return Fault.NONE


@define
class _Room:
    fence: int
    epoch: int
    seq: int
    node: str
    public: bool
    snapshot: bytes
    sum: str
    dies_at_s: float
    marks: dict[str, ActionMark] = field(factory=dict)
    log: dict[int, bytes] = field(factory=dict)


@define
class _Record:
    body: bytes
    dies_at_s: float


@define
class Shelf:
    """What several `MemoryStore`s share, as several nodes share one server."""

    rooms: dict[str, _Room] = field(factory=dict)
    records: dict[tuple[str, int], _Record] = field(factory=dict)
    beats: dict[str, tuple[str, float]] = field(factory=dict)
    """By node: where it is, and until when that holds."""
    holdings: dict[str, set[str]] = field(factory=dict)
    last_fence: int = 0
    """The highest so far, of any room; the next is above it, whatever was lost meanwhile."""

    def flush(self) -> None:
        """Somebody typed FLUSHALL."""
        self.rooms.clear()
        self.records.clear()

    def corrupt(self, room: str) -> None:
        """Turn one bit of the room's snapshot."""
        snapshot = self.rooms[room].snapshot
        self.rooms[room].snapshot = bytes([snapshot[0] ^ 1]) + snapshot[1:]


class MemoryStore:
    """`store.Store` in a dictionary; `clock` gives seconds, monotonic or virtual."""

    def __init__(
        self,
        *,
        clock: Callable[[], float],
        shelf: Shelf | None = None,
        faults: Faults = no_faults,
    ) -> None:
        self._clock = clock
        self._shelf = shelf or Shelf()
        self.faults = faults

    async def _call(self, method: str, room: str, do: Callable[[], Answer]) -> Answer:
        if method not in _ABOUT_NODES:
            room_keys(room)  # as picky about codes as the real one
        fault = await self.faults(method, room)
        if fault is Fault.NONE:
            return do()
        if fault is Fault.REPLY_LOST:
            do()
        raise StoreUnavailable(trouble=Trouble.CONNECTION, retry_after_ms=500, detail=fault.value)

    def _room(self, room: str) -> _Room | None:
        found = self._shelf.rooms.get(room)
        if found is not None and found.dies_at_s <= self._clock():
            del self._shelf.rooms[room]
            return None
        return found

    def _record(self, room: str, match: int) -> _Record | None:
        found = self._shelf.records.get((room, match))
        if found is not None and found.dies_at_s <= self._clock():
            del self._shelf.records[room, match]
            return None
        return found

    def _kept(self, room: str) -> tuple[int, ...]:
        matches = sorted(match for owner, match in self._shelf.records if owner == room)
        return tuple(match for match in matches if self._record(room, match))

    async def create(
        self, room: str, *, node: str, snapshot: bytes, public: bool, ttl_s: int
    ) -> CreateAnswer:
        def do() -> CreateAnswer:
            if self._room(room) or self._kept(room):
                return Exists()
            self._shelf.last_fence += 1
            self._shelf.rooms[room] = _Room(
                fence=self._shelf.last_fence,
                epoch=1,
                seq=0,
                node=node,
                public=public,
                snapshot=snapshot,
                sum=checksum(0, snapshot),
                dies_at_s=self._clock() + ttl_s,
            )
            return Created(fence=self._shelf.last_fence, epoch=1)

        return await self._call("create", room, do)

    async def claim(
        self, room: str, *, node: str, expect_fence: int, rewound: bool = False
    ) -> ClaimAnswer:
        def do() -> ClaimAnswer:
            found = self._room(room)
            if found is None:
                return NoRoom()
            if found.fence != expect_fence:
                return Lost(found.fence, found.node)
            self._shelf.last_fence += 1
            found.fence = self._shelf.last_fence
            found.epoch += rewound
            found.node = node
            return Claimed(found.fence, found.epoch, found.seq)

        return await self._call("claim", room, do)

    async def load(self, room: str) -> Loaded | NoRoom:
        def do() -> Loaded | NoRoom:
            found = self._room(room)
            if found is None:
                return NoRoom()
            if checksum(found.seq, found.snapshot) != found.sum:
                raise SnapshotCorrupt(
                    room=room,
                    fence=found.fence,
                    epoch=found.epoch,
                    seq=found.seq,
                    node=found.node,
                    counters=dict(found.marks),
                )
            return Loaded(
                fence=found.fence,
                epoch=found.epoch,
                seq=found.seq,
                node=found.node,
                public=found.public,
                snapshot=found.snapshot,
                counters=dict(found.marks),
            )

        return await self._call("load", room, do)

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
        def do() -> CommitAnswer:
            found = self._room(room)
            if found is None:
                return NoRoom()
            refusal = _judge(found, fence, seq, checksum(seq, snapshot), action)
            if refusal:
                return refusal
            found.log[seq] = entry
            found.snapshot = snapshot
            found.seq, found.sum = seq, checksum(seq, snapshot)
            if action:
                found.marks[action.seat_key] = ActionMark(action.counter, action.digest, seq)
            for seat_key in forget:
                found.marks.pop(seat_key, None)
            for old in [number for number in found.log if number <= trim_through]:
                del found.log[old]
            found.dies_at_s = self._clock() + ttl_s
            if record:
                self._keep(room, record)
            return Ok(seq)

        return await self._call("commit", room, do)

    def _keep(self, room: str, record: Record) -> None:
        self._shelf.records[room, record.match] = _Record(record.body, self._clock() + record.ttl_s)

    async def log(
        self, room: str, *, after_seq: int = 0, limit: int = LOG_PAGE_ENTRIES
    ) -> tuple[Entry, ...]:
        def do() -> tuple[Entry, ...]:
            found = self._room(room)
            if found is None:
                return ()
            entries = [Entry(seq, body) for seq, body in found.log.items() if seq > after_seq]
            return tuple(entries[:limit])

        return await self._call("log", room, do)

    async def refresh(self, room: str, *, ttl_s: int) -> bool:
        def do() -> bool:
            found = self._room(room)
            if found is None:
                return False
            found.dies_at_s = self._clock() + ttl_s
            return True

        return await self._call("refresh", room, do)

    async def release(self, room: str, *, fence: int) -> ReleaseAnswer:
        def do() -> ReleaseAnswer:
            found = self._room(room)
            if found is None:
                return NoRoom()
            if found.fence != fence:
                return StaleFence(found.fence)
            found.node = ""
            return Released()

        return await self._call("release", room, do)

    async def delete(self, room: str, *, fence: int) -> DeleteAnswer:
        def do() -> DeleteAnswer:
            found = self._room(room)
            if found is None:
                return NoRoom()
            if found.fence != fence:
                return StaleFence(found.fence)
            del self._shelf.rooms[room]
            return Deleted()

        return await self._call("delete", room, do)

    async def rooms(self, cursor: str = "", *, limit: int = ROOMS_PAGE_CODES) -> RoomPage:
        def do() -> RoomPage:
            alive = [code for code in sorted(self._shelf.rooms) if self._room(code)]
            public = [code for code in alive if self._shelf.rooms[code].public and code > cursor]
            page = tuple(public[:limit])
            return RoomPage(page, page[-1] if len(public) > limit else None)

        return await self._call("rooms", "", do)

    async def save_record(self, room: str, record: Record) -> None:
        await self._call("save_record", room, lambda: self._keep(room, record))

    async def load_record(
        self, room: str, match: int, *, offset: int, limit: int
    ) -> RecordPage | None:
        def do() -> RecordPage | None:
            found = self._record(room, match)
            if found is None:
                return None
            return RecordPage(found.body[offset : offset + limit], len(found.body))

        return await self._call("load_record", room, do)

    async def records(self, room: str) -> tuple[int, ...]:
        return await self._call("records", room, lambda: self._kept(room))

    # Nodes

    async def beat(self, node: str, url: str, *, ttl_ms: int) -> None:
        def do() -> None:
            self._shelf.beats[node] = (url, self._clock() + ttl_ms / 1000)
            self._shelf.holdings.setdefault(node, set())

        await self._call("beat", "", do)

    async def node_url(self, node: str) -> str | None:
        def do() -> str | None:
            url, until_s = self._shelf.beats.get(node, ("", 0.0))
            return url if until_s > self._clock() else None

        return await self._call("node_url", "", do)

    async def part(self, node: str) -> None:
        def do() -> None:
            self._shelf.beats.pop(node, None)
            self._shelf.holdings.pop(node, None)

        await self._call("part", "", do)

    async def nodes(self) -> tuple[str, ...]:
        return await self._call("nodes", "", lambda: tuple(sorted(self._shelf.holdings)))

    async def hold(self, node: str, room: str) -> None:
        await self._call(
            "hold", room, lambda: self._shelf.holdings.setdefault(node, set()).add(room)
        )

    async def let_go(self, node: str, room: str) -> None:
        await self._call(
            "let_go", room, lambda: self._shelf.holdings.get(node, set()).discard(room)
        )

    async def held(self, node: str) -> tuple[str, ...]:
        return await self._call(
            "held", "", lambda: tuple(sorted(self._shelf.holdings.get(node, set())))
        )

    async def close(self) -> None:
        pass


def _judge(
    room: _Room, fence: int, seq: int, new_sum: str, action: Action | None
) -> CommitAnswer | None:
    """The questions of `lua/commit.lua`, in its order; None if the entry may be appended."""
    mark = room.marks.get(action.seat_key) if action else None
    if action and mark and mark.counter == action.counter:
        if mark.digest == action.digest:
            return Already(mark.seq, room.fence)
        return Conflict(mark.counter, mark.seq)
    if room.fence == fence and room.seq == seq and room.sum == new_sum:
        return Already(seq, room.fence)
    if room.fence != fence:
        return StaleFence(room.fence)
    if seq != room.seq + 1:
        return BadSeq(room.seq)
    if action and mark and mark.counter > action.counter:
        return Conflict(mark.counter, mark.seq)
    return None
