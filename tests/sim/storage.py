"""The store's server, and the way there: late, stalled, silent, and after a failover behind.

A call travels, is carried out whether its caller still lives or not, and its answer travels back.
The answers are those of `MemoryStore`. Whoever changes a room is reported to the ledger, with the
room's head before and after.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final, Protocol, TypeVar

from attrs import define, frozen

from guandan_server.errors import StoreError, StoreUnavailable, Trouble
from guandan_server.store import ActionMark
from guandan_server.store_memory import MemoryStore, Shelf
from tests.sim.network import INSTANT_S, OUTSIDE
from tests.sim.process import Process

__all__ = ["Faults", "Ledger", "Row", "StoreClient", "StoreServer"]

Answer = TypeVar("Answer")

DEADLINE_S: Final = 3.0
"""As of the real way to the store."""
UNDO_MAX: Final = 256
READS: Final = frozenset(
    {"load", "log", "rooms", "load_record", "records", "node_url", "nodes", "held"}
)


@frozen
class Row:
    """A room's head in the store."""

    fence: int
    epoch: int
    seq: int
    node: str
    snapshot: bytes
    sum: str
    marks: Mapping[str, ActionMark]
    first: int
    """The first entry that its log still has; 0: none."""


@define
class Faults:
    """How the way to the store is today."""

    delay_s: tuple[float, float] = (0.0002, 0.003)
    failing: float = 0.0
    """Of calls: no answer, carried out or not."""
    slow: float = 0.0
    """Of calls that take up to two seconds."""


class Ledger(Protocol):
    """Who keeps account of what is stored."""

    def stored(
        self, room: str, before: Row | None, after: Row | None, entry: bytes, by: Process
    ) -> None:
        """A call of `by` has changed the room; `entry` is what it appended, or nothing."""

    def went_back(self, room: str, row: Row) -> None:
        """The store has lost what came after."""


@define
class _Call:
    method: str
    room: str
    do: Callable[[], Any]
    by: Process
    answer: asyncio.Future[Any]


class StoreServer:
    """The one server of all nodes."""

    def __init__(self, *, ledger: Ledger, random: Random) -> None:
        self.shelf = Shelf()
        self.faults = Faults()
        self.is_well = False
        """Nothing will go wrong any more."""
        self._ledger = ledger
        self._random = random
        self._loop = asyncio.get_running_loop()
        self._stalled_until_s = 0.0
        self._stalled: deque[_Call] = deque()
        self._undo: dict[str, deque[Row]] = {}
        """What a room's head was before each of its last changes."""
        self._entries: dict[tuple[str, int], bytes] = {}

    def row(self, room: str) -> Row | None:
        found = self.shelf.rooms.get(room)
        if found is None:
            return None
        return Row(
            fence=found.fence,
            epoch=found.epoch,
            seq=found.seq,
            node=found.node,
            snapshot=found.snapshot,
            sum=found.sum,
            marks=dict(found.marks),
            first=next(iter(found.log), 0),
        )

    def remember(self, room: str) -> None:
        """Entries that were there before the world began."""
        for seq, entry in self.shelf.rooms[room].log.items():
            self._entries[room, seq] = entry

    # Calls

    def arrives_in_s(self) -> float:
        low, high = self.faults.delay_s
        if self._random.random() < self.faults.slow:
            high = 2.0
        return self._random.uniform(low, high)

    def later(self, delay_s: float, do: Callable[..., object], *args: object) -> None:
        self._loop.call_later(delay_s, do, *args, context=OUTSIDE)

    def handle(self, call: _Call) -> None:
        """A call has arrived."""
        if self._loop.time() < self._stalled_until_s:
            self._stalled.append(call)
            return
        fault = self._random.random()
        lost_on_the_way = fault < (0.5 if call.by.dead else self.faults.failing / 2)
        if lost_on_the_way:
            self._fail(call, "not done")
            return
        try:
            answer = self._carry_out(call)
        except StoreError as error:
            self.later(self.arrives_in_s(), _fail, call.answer, error)
            return
        if fault < self.faults.failing:
            self._fail(call, "reply lost")
        else:
            self.later(self.arrives_in_s(), _reply, call.answer, answer)

    def _carry_out(self, call: _Call) -> Any:
        if not call.room or call.method in READS:
            return call.do()
        before = self.row(call.room)
        answer = call.do()
        after = self.row(call.room)
        if before != after:
            entry = b""
            if after is not None and (before is None or after.seq > before.seq):
                entry = self.shelf.rooms[call.room].log.get(after.seq, b"")
                self._entries[call.room, after.seq] = entry
            if before is not None:
                self._undo.setdefault(call.room, deque(maxlen=UNDO_MAX)).append(before)
            self._ledger.stored(call.room, before, after, entry, call.by)
        return answer

    def _fail(self, call: _Call, detail: str) -> None:
        error = StoreUnavailable(trouble=Trouble.CONNECTION, retry_after_ms=500, detail=detail)
        self.later(self._random.choice((0.0, 0.1, 1.0)), _fail, call.answer, error)

    # What goes wrong

    def stall(self, for_s: float) -> None:
        """Whatever arrives from now on has to wait."""
        self._stalled_until_s = max(self._stalled_until_s, self._loop.time() + for_s)
        self.later(for_s, self._go_on)

    def _go_on(self) -> None:
        while self._stalled and self._loop.time() >= self._stalled_until_s:
            call = self._stalled.popleft()
            # One whose caller has given up may not have been sent, or else be carried out now.
            if not call.answer.done() or self._random.random() < 0.5:
                self.handle(call)

    def go_back(self, room: str, entries: int) -> int:
        """Lose the last entries of a room, as after a failover; how many there were to lose.

        Never more than its owner has written: a claim that is lost, too, would be another matter.
        """
        undo, found = self._undo.get(room), self.shelf.rooms.get(room)
        if undo is None or found is None:
            return 0
        head = found.seq
        while undo and found.seq > head - entries and undo[-1].fence == found.fence:
            row = undo.pop()
            found.epoch, found.seq, found.node = row.epoch, row.seq, row.node
            found.snapshot, found.sum, found.marks = row.snapshot, row.sum, dict(row.marks)
            found.log = {
                seq: self._entries[room, seq] for seq in range(row.first, row.seq + 1) if seq
            }
        row_now = self.row(room)
        assert row_now is not None
        self._ledger.went_back(room, row_now)
        return head - found.seq


def _reply(answer: asyncio.Future[Any], value: object) -> None:
    if not answer.done():
        answer.set_result(value)


def _fail(answer: asyncio.Future[Any], error: StoreError) -> None:
    if not answer.done():
        answer.set_exception(error)
        answer.exception()  # seen: its caller may be dead


class StoreClient(MemoryStore):
    """The store as one process has it."""

    def __init__(self, server: StoreServer, process: Process) -> None:
        self._loop = asyncio.get_running_loop()
        super().__init__(clock=self._loop.time, shelf=server.shelf)
        self._server = server
        self._process = process
        self._written_s = 0.0
        self._read_s = 0.0

    async def _call(self, method: str, room: str, do: Callable[[], Answer]) -> Answer:
        if self._process.dead:  # it is being buried
            raise StoreUnavailable(trouble=Trouble.CLOSED, retry_after_ms=0)
        if self._server.is_well and not room:
            return do()  # heartbeats by the thousand: they need no journey where nothing is wrong
        answer: asyncio.Future[Answer] = self._loop.create_future()
        call = _Call(method, room, do, self._process, answer)
        self._loop.call_at(self._arrival_s(method), self._server.handle, call, context=OUTSIDE)
        try:
            async with asyncio.timeout(DEADLINE_S):
                return await answer
        except TimeoutError:
            raise StoreUnavailable(trouble=Trouble.TIMEOUT, retry_after_ms=500) from None

    def _arrival_s(self, method: str) -> float:
        """Two lines, one for writes and one for reads; each keeps its order."""
        at_s = self._loop.time() + self._server.arrives_in_s()
        if method in READS:
            at_s = self._read_s = max(self._read_s + INSTANT_S, at_s)
        else:
            at_s = self._written_s = max(self._written_s + INSTANT_S, at_s)
        return at_s
