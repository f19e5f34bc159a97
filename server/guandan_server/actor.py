"""A room that is awake: one inbox, one item after another, commit before tell.

The actor owns its `Room` and is the only one who calls it. For every item it asks the room, stores
what changed in one fenced commit, and only then hands out what everybody is told. What goes wrong
with the store is settled here:

    stored            tell everybody
    no answer         nobody is told; whether it was stored is found out before anything else is
                      done, so an action sent again is either known or new, and never done twice
    another's fence   this room lives elsewhere now: forget it, let the connections come again
    no such room      it has expired or was deleted: say so, and forget it
"""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Callable
from typing import Final, Protocol

import structlog
from attrs import evolve, field, frozen

from guandan_engine.seats import SEATS
from guandan_protocol import messages as m
from guandan_protocol.messages import Close, Code, Stage
from guandan_server import roomstate
from guandan_server.brains import Brains
from guandan_server.deadlines import LATENCY_MS
from guandan_server.errors import SnapshotCorrupt, StoreError, StoreUnavailable
from guandan_server.items import (
    Change,
    Conn,
    Drop,
    Enter,
    Item,
    LookBack,
    Output,
    Suggest,
    Take,
    Tell,
    Think,
    Tick,
    Unload,
)
from guandan_server.journal import entry_bytes
from guandan_server.limits import INBOX_ITEMS_MAX
from guandan_server.metrics import Metrics
from guandan_server.pool import Pool
from guandan_server.records import LogEndsEarly, match_record
from guandan_server.reviews import Reviews
from guandan_server.room import Room
from guandan_server.store import Action as StoredAction
from guandan_server.store import (
    Already,
    BadSeq,
    Claimed,
    CommitAnswer,
    Conflict,
    Loaded,
    NoRoom,
    Ok,
    Record,
    StaleFence,
    Store,
)
from guandan_server.thoughts import Thoughts

__all__ = ["LOBBY_TTL_S", "ROOM_TTL_S", "Actor", "Tools", "Wire"]

log = structlog.get_logger()

DAY_S: Final = 24 * 3600
ROOM_TTL_S: Final = 35 * DAY_S
"""A paused match is kept for 30 days at least; each commit begins the time anew."""
LOBBY_TTL_S: Final = 2 * 3600
"""A room in which nothing was ever played, or which everybody has left for good."""
RECORD_TTL_S: Final = 90 * DAY_S
STALL_MS: Final = 250
"""A commit takes about a millisecond, an alarm rings within ten. What is above this is taken off
nobody's clock."""
RETRY_MS: Final = 1_000
TAIL_MAX: Final = 16
"""Commits kept in memory: a replica is seconds behind at most, a room makes one a second. Each is
the whole snapshot; four times as many were half of what a room takes."""


class Wire(Protocol):
    """The connections of this process, as an actor needs them."""

    def send(self, conn: Conn, message: m.ServerMessage) -> None:
        """Put a message into the connection's outbox; never waits."""

    def drop(self, conn: Conn, close: Close, goodbye: m.Goodbye) -> None:
        """Send the last message and close."""


@frozen
class Tools:
    """What every actor of a node shares."""

    store: Store
    wire: Wire
    brains: Brains
    metrics: Metrics = field(factory=Metrics)
    chance: random.Random = field(factory=random.SystemRandom)
    """The operating system's, or a seeded one where a whole world is to be played again."""
    build: str = ""
    """Of the page that is served."""
    pool: Pool | None = None
    """For levels that are decided beside the loop; None: there are none."""

    @property
    def levels(self) -> tuple[str, ...]:
        """Of the bots that can be seated, weakest first."""
        return (*self.brains.levels(), *(self.pool.levels if self.pool is not None else ()))


@frozen
class _Commit:
    """A commit as it is sent, and sent again."""

    seq: int
    entry: bytes
    snapshot: bytes
    ttl_s: int
    action: StoredAction | None
    record: Record | None
    forget: tuple[str, ...]
    trim_through: int


class Actor:
    """One room in the memory of this node."""

    def __init__(
        self,
        room: Room,
        *,
        fence: int,
        node: str,
        tools: Tools,
        on_end: Callable[[Actor], None],
    ) -> None:
        self.room = room
        self.fence = fence
        self._node = node
        self._tools = tools
        self._on_end = on_end
        self._loop = asyncio.get_running_loop()
        self._inbox: asyncio.Queue[Item] = asyncio.Queue()
        """Bounded by `put`; what the actor hands itself always finds a place."""
        self._alarm: asyncio.TimerHandle | None = None
        self._alarm_at = 0
        self._was_late = False
        """Did the alarm ring late, and was put off?"""
        self._snapshots = roomstate.Snapshots()
        self._tail: deque[_Commit] = deque(maxlen=TAIL_MAX)
        """The last commits, should the store lose them."""
        self._doubt: tuple[Change, _Commit] | None = None
        """A change that the store did not answer for."""
        self._may_be_lost = False
        """Could another node have claimed the room?"""
        self._thoughts = Thoughts(
            room,
            tools.brains,
            tools.pool,
            tools.metrics,
            entropy=self._entropy,
            hand_in=self._inbox.put_nowait,
            send=tools.wire.send,
        )
        self._reviews = Reviews(room.code, tools.store, tools.pool, send=tools.wire.send)
        self._refresh_at = self._now() + self._ttl_s * 1000 // 3
        self._ended = False
        self._is_lost = False
        """Is it another's now, or nobody's?"""
        self._stopping = False
        # A room that was taken over may never hear of anybody: its deadlines begin now.
        self._inbox.put_nowait(Tick())
        self._task = asyncio.create_task(self._run(), name=f"room {room.code}")

    # -- from outside --------------------------------------------------------------------------

    def put(self, item: Item) -> bool:
        """Hand an item in; False if the room has ended or has too much to do."""
        if self._ended or self._inbox.qsize() >= INBOX_ITEMS_MAX:
            return False
        self._inbox.put_nowait(item)
        return True

    def put_always(self, item: Item) -> None:
        """Hand in what must not be lost for want of a place: that a connection is gone."""
        if not self._ended:
            self._inbox.put_nowait(item)

    def recheck(self) -> None:
        """Ask the store whose room it is, before anything else is done."""
        self._may_be_lost = True
        self.put_always(Tick())

    async def stop(self) -> None:
        """Finish what has been handed in, and end; connections stay with their owner."""
        self._stopping = True
        self.put_always(Tick())
        await asyncio.gather(self._task, return_exceptions=True)

    # -- the loop ------------------------------------------------------------------------------

    async def _run(self) -> None:
        structlog.contextvars.bind_contextvars(room=self.room.code)
        item: Item | None = None
        try:
            while not self._ended:
                self._set_alarm()
                if self._stopping and self._inbox.empty():
                    break
                item = await self._inbox.get()
                await self._handle(item)
                if not self._ended:
                    item = None
                    self._thoughts.follow()
            if not self._is_lost:
                await self._leave_whole()
        except Exception:
            # A fault of ours in one room: its people are told, every other room goes on.
            log.exception("room failed")
            self._carry_out(self._end(m.CLOSE_GOING_AWAY, m.Goodbye(Code.INTERNAL, RETRY_MS)))
        finally:
            self._ended = True
            self._thoughts.close()
            self._reviews.close()
            if item is not None:  # whoever was coming in is not among the room's people yet
                self._inbox.put_nowait(item)
            if self._alarm is not None:
                self._alarm.cancel()
            self._on_end(self)
            self._turn_away_late()

    async def _leave_whole(self) -> None:
        """Before the room is forgotten: does the store still have what we were told it has?"""
        try:
            loaded = await self._tools.store.load(self.room.code)
            if isinstance(loaded, NoRoom) or loaded.fence != self.fence:
                return
            if loaded.seq < self.room.seq:
                await self._put_back(loaded.seq)
        except StoreError as error:
            log.warning("left without a look back", why=str(error))

    def _turn_away_late(self) -> None:
        """Send those back who came in while the room ended: they find it, or not, anew."""
        while not self._inbox.empty():
            item = self._inbox.get_nowait()
            if isinstance(item, Enter | Take):
                goodbye = m.Goodbye(Code.GOING_AWAY, RETRY_MS)
                self._tools.wire.drop(item.conn, m.CLOSE_GOING_AWAY, goodbye)

    def _set_alarm(self) -> None:
        due = self.room.deadline()
        due = self._refresh_at if due is None else min(due, self._refresh_at)
        if self._alarm is not None:
            if self._alarm_at <= due:
                return  # nearly every play moves a clock on: to ring once in vain costs less
            self._alarm.cancel()
        self._alarm_at = due
        delay_s = max(0.0, (due - self._now()) / 1000)
        self._alarm = self._loop.call_later(delay_s, self._ring)

    def _ring(self) -> None:
        self._alarm = None
        late_ms = self._now() - self._alarm_at
        if late_ms > STALL_MS and not self._was_late:
            # We stood still, and what people sent meanwhile is still to be read: it goes first.
            # Only once in a row, or a node with too much to do would have no clocks at all.
            self._was_late = True
            self.room.defer(late_ms + LATENCY_MS)
            self._set_alarm()
            return
        self._was_late = False
        # If the inbox is full, the alarm is set anew after its next item.
        self.put(Tick())

    async def _handle(self, item: Item) -> None:
        in_doubt = self._doubt is not None or self._may_be_lost
        if in_doubt and not await self._settle_doubt():
            if not self._ended:
                outputs = self.room.unavailable(item, self._now(), self._entropy(), RETRY_MS)
                self._carry_out(outputs)
            return
        if self._now() >= self._refresh_at:
            await self._refresh()
            if self._ended:
                return
        if isinstance(item, Enter) and self.room.is_behind(item.hello):
            if not await self._rewind(item.hello):
                outputs = self.room.unavailable(item, self._now(), self._entropy(), RETRY_MS)
                self._carry_out(outputs)
                return
            if self._ended:
                return
        entropy = self._entropy()
        result = self.room.handle(item, self._now(), entropy)
        if isinstance(result, Change):
            result = await self._commit(result, entropy)
            with self._tools.metrics.broadcast_seconds.time():
                self._carry_out(result)
        else:
            self._carry_out(result)

    def _now(self) -> int:
        """Milliseconds of a clock that nobody sets."""
        return int(self._loop.time() * 1000)

    def _entropy(self, size: int = 32) -> bytes:
        return self._tools.chance.randbytes(size)

    # -- the store -----------------------------------------------------------------------------

    @property
    def _ttl_s(self) -> int:
        return _lasts_s(self.room.state)

    async def _refresh(self) -> None:
        """Keep a room whose people sit and talk: its time begins anew with a commit only."""
        self._refresh_at = self._now() + self._ttl_s * 1000 // 3
        try:
            there = await self._tools.store.refresh(self.room.code, ttl_s=self._ttl_s)
        except StoreUnavailable as error:
            log.warning("room not refreshed", trouble=error.trouble)
            return
        if not there:
            self._carry_out(self._end(m.CLOSE_ROOM_GONE, m.Goodbye(Code.ROOM_GONE)))

    async def _commit(self, change: Change, entropy: bytes) -> tuple[Output, ...]:
        room, begun = self.room, self._now()
        seq = room.seq + 1
        before, after = room.state, change.state
        try:
            record = await self._record(change)
        except StoreUnavailable as error:
            log.warning("no record", trouble=error.trouble)  # and nothing was sent
            return self._not_stored(change, error.retry_after_ms)
        commit = _Commit(
            seq=seq,
            entry=entry_bytes(change, before=before),
            snapshot=self._snapshots.pack(after),
            ttl_s=_lasts_s(after),
            action=room.stored_action(change),
            record=record,
            forget=_forgotten(before, after),
            trim_through=seq - 1 if change.match_begun else 0,
        )
        metrics = self._tools.metrics
        try:
            with metrics.commit_seconds.time():
                answer = await self._append(commit)
        except StoreUnavailable as error:
            log.warning("commit not answered", what=change.what, trouble=error.trouble)
            metrics.store_errors.labels(error.trouble).inc()
            self._doubt = change, commit
            self._forgive(begun)
            return self._not_stored(change, error.retry_after_ms)
        self._forgive(begun)
        match answer:
            case Ok() | Already(fence=self.fence):
                self._tail.append(commit)
                metrics.actions.labels(change.what).inc()
                return room.stored(change, seq, self._now(), entropy)
            case Conflict():
                code = Code.ACTION_CONFLICT
                return room.not_stored(change, code, self._now(), entropy, retry_ms=None)
            case NoRoom():
                return self._end(m.CLOSE_ROOM_GONE, m.Goodbye(Code.ROOM_GONE))
            case StaleFence() | Already() | BadSeq():
                # Not ours any more, or not what we think it is: the store's word counts.
                log.warning("room lost", answer=type(answer).__name__)
                metrics.fences_lost.inc()
                return self._end(m.CLOSE_GOING_AWAY, m.Goodbye(Code.GOING_AWAY, RETRY_MS))

    def _forgive(self, begun: int) -> None:
        """Take the time that the store took since `begun` off nobody's clock."""
        waited = self._now() - begun
        if waited > STALL_MS:
            self.room.defer(waited)

    async def _append(self, commit: _Commit) -> CommitAnswer:
        """Append a commit; what the store has lost since, a failover's doing, goes before it."""
        answer = await self._send(commit)
        if not isinstance(answer, BadSeq) or answer.head >= self.room.seq:
            return answer
        return answer if not await self._put_back(answer.head) else await self._send(commit)

    async def _put_back(self, head: int) -> bool:
        """Append again what the store has lost after `head`; False if that cannot be."""
        lost = [old for old in self._tail if old.seq > head]
        if len(lost) != self.room.seq - head:
            return False  # more than we remember
        log.warning("store fell behind", head=head, appending=len(lost))
        for old in lost:
            if not isinstance(await self._send(old), Ok | Already):
                return False
        return True

    async def _send(self, commit: _Commit) -> CommitAnswer:
        return await self._tools.store.commit(
            self.room.code,
            fence=self.fence,
            seq=commit.seq,
            entry=commit.entry,
            snapshot=commit.snapshot,
            ttl_s=commit.ttl_s,
            action=commit.action,
            record=commit.record,
            forget=commit.forget,
            trim_through=commit.trim_through,
        )

    async def _rewind(self, hello: m.Hello) -> bool:
        """A client has seen what is not there any more: history was lost, and all must know.

        False if the store does not say whether the epoch has risen: nobody may come in under it.
        """
        try:
            answer = await self._tools.store.claim(
                self.room.code, node=self._node, expect_fence=self.fence, rewound=True
            )
        except StoreUnavailable:
            return False
        if not isinstance(answer, Claimed):
            self._carry_out(self._end(m.CLOSE_GOING_AWAY, m.Goodbye(Code.GOING_AWAY, RETRY_MS)))
            return True
        seen = hello.seq if isinstance(hello, m.Resume) else 0
        log.warning("history rewound", seq=self.room.seq, seen=seen, epoch=answer.epoch)
        self.fence = answer.fence
        self.room.rewound(answer.epoch)
        self._tail.clear()
        return True

    async def _record(self, change: Change) -> Record | None:
        """The record of the match that ends with the change."""
        if change.finished is None or not change.finished.match_won:
            return None
        store, seq = self._tools.store, self.room.seq
        try:
            body = await match_record(store, self.room.code, change, seq=seq)
        except LogEndsEarly as short:
            if not await self._put_back(short.head):
                return None  # the commit will be refused, too
            body = await match_record(store, self.room.code, change, seq=seq)
        return Record(match=change.state.match_no, body=body, ttl_s=RECORD_TTL_S)

    async def _settle_doubt(self) -> bool:
        """Find out whose the room is, and whether the unanswered change was stored.

        False if that is still unknown, or if the room has ended with it.
        """
        begun = self._now()
        loaded: Loaded | NoRoom | SnapshotCorrupt
        try:
            try:
                loaded = await self._tools.store.load(self.room.code)
            except SnapshotCorrupt as damage:
                loaded = damage  # its number and its owner can be read; our next one replaces it
            if self._may_be_lost:  # who took us for dead may have struck it off our list
                await self._tools.store.hold(self._node, self.room.code)
        except StoreUnavailable:
            self._forgive(begun)
            return False
        except StoreError:
            log.exception("room cannot be read back")
            self._carry_out(self._end(m.CLOSE_GOING_AWAY, m.Goodbye(Code.INTERNAL, RETRY_MS)))
            return False
        doubt, self._doubt, self._may_be_lost = self._doubt, None, False
        if not isinstance(loaded, NoRoom) and loaded.fence == self.fence:
            if loaded.seq <= self.room.seq:  # what it lost besides goes before the next commit
                return True
            if loaded.seq == self.room.seq + 1 and doubt is not None:
                change, commit = doubt
                self._tail.append(commit)
                # Whoever asked for it has been turned away, and may have gone by now.
                late = evolve(change, entering=None)
                entropy = self._entropy()
                self._carry_out(
                    self.room.stored(late, loaded.seq, self._now(), entropy, is_answered=True)
                )
                return True
        gone = isinstance(loaded, NoRoom)
        close = m.CLOSE_ROOM_GONE if gone else m.CLOSE_GOING_AWAY
        goodbye = m.Goodbye(Code.ROOM_GONE if gone else Code.GOING_AWAY, None if gone else RETRY_MS)
        self._carry_out(self._end(close, goodbye))
        return False

    def _not_stored(self, change: Change, retry_ms: int) -> tuple[Output, ...]:
        code = Code.STORAGE_UNAVAILABLE
        return self.room.not_stored(
            change, code, self._now(), self._entropy(), retry_ms=max(retry_ms, RETRY_MS)
        )

    # -- out -----------------------------------------------------------------------------------

    def _end(self, close: Close, goodbye: m.Goodbye) -> tuple[Output, ...]:
        self._ended = self._is_lost = True
        return tuple([Drop(conn, close, goodbye) for conn in self.room.everyone()])

    def _carry_out(self, outputs: tuple[Output, ...]) -> None:
        for output in outputs:
            match output:
                case Tell(conn, message):
                    if isinstance(message, m.Refused):
                        self._tools.metrics.refusals.labels(message.code).inc()
                    self._tools.wire.send(conn, message)
                case Drop(conn, close, goodbye):
                    self._tools.wire.drop(conn, close, goodbye)
                case Think():
                    self._thoughts.decide(output)
                case Suggest():
                    self._thoughts.suggest(output)
                case LookBack():
                    self._reviews.answer(output)
                case Unload():
                    self._ended = True


def _lasts_s(room: roomstate.RoomState) -> int:
    """How long a room is kept for its people to come back, should nothing happen any more."""
    return ROOM_TTL_S if room.people() and room.stage is not Stage.LOBBY else LOBBY_TTL_S


def _forgotten(before: roomstate.RoomState, after: roomstate.RoomState) -> tuple[str, ...]:
    """The keys of people who are no longer seated."""
    if before.seats is after.seats:
        return ()

    def keys(room: roomstate.RoomState) -> set[str]:
        return {room.seat(seat).key for seat in SEATS if room.seat(seat).is_person}

    return tuple(sorted(keys(before) - keys(after)))
