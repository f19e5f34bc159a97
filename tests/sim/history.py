"""The truth: what the store has taken in, entry by entry, and who may have written it.

Every commit is folded onto the state before it and must give the very snapshot that came with it.
What the store lost is remembered: its owner may put it back, byte for byte. Whatever stands anew
under an epoch and a number that somebody was told of must be what they were told; where it is not,
the epoch has to rise first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from attrs import evolve, field, frozen

from guandan_engine.errors import IllegalCommand, InvariantBroken, SnapshotError
from guandan_engine.events import Event, TimedOut
from guandan_engine.machine import step
from guandan_engine.phases import Paying, Returning
from guandan_engine.seats import Seat
from guandan_engine.state import check, new_match
from guandan_engine.views import asked
from guandan_server import roomstate
from guandan_server.journal import commands_in, rebuild
from guandan_server.roomstate import RoomState
from guandan_server.store import ActionMark
from tests.sim.process import Process
from tests.sim.storage import Row

__all__ = ["History", "Mark", "Moment"]


@frozen
class Mark:
    """A client's action, as the store knows it."""

    key: str
    counter: int
    digest: str


@frozen(eq=False)
class Moment:
    """The room after one entry of its log."""

    epoch: int
    """That it was written in."""
    seq: int
    fence: int
    by: Process | None
    state: RoomState = field(repr=False)
    entry: bytes = field(repr=False)
    events: tuple[Event, ...] = field(repr=False)
    mark: Mark | None
    marks: Mapping[str, ActionMark] = field(repr=False)
    """The last action of everybody who is seated."""
    at_s: float
    """When it was stored first."""
    cache: dict[Any, Any] = field(factory=dict, repr=False)
    """What the witness has worked out from it."""


class History:
    """One room's."""

    def __init__(
        self,
        room: str,
        row: Row,
        by: Process | None,
        *,
        now_s: Callable[[], float],
        complain: Callable[[str], None],
    ) -> None:
        self.room = room
        self.fence = row.fence
        self.epoch = row.epoch
        self.owners: dict[int, Process | None] = {row.fence: by}
        self.claims = 0
        self.rewrites = 0
        """Entries that somebody knew otherwise, and nobody alive could have known."""
        self._now_s = now_s
        self._complain = complain
        self._first = row.seq
        first = Moment(
            epoch=row.epoch,
            seq=row.seq,
            fence=row.fence,
            by=by,
            state=roomstate.load(row.snapshot),
            entry=b"",
            events=(),
            mark=None,
            marks=row.marks,
            at_s=now_s(),
        )
        self._moments = [first]
        self._lost: dict[int, list[Moment]] = {}
        self._told: dict[tuple[int, int], Moment] = {}

    @property
    def now(self) -> Moment:
        return self._moments[-1]

    @property
    def lost(self) -> int:
        """Entries that the store lost, ever."""
        return sum(len(moments) for moments in self._lost.values())

    def moments(self) -> list[Moment]:
        return self._moments

    def lost_moments(self) -> list[Moment]:
        return [moment for moments in self._lost.values() for moment in moments]

    def at(self, seq: int) -> Moment | None:
        """What stands under a number now."""
        place = seq - self._first
        return self._moments[place] if 0 <= place < len(self._moments) else None

    def all_at(self, epoch: int, seq: int) -> Iterator[Moment]:
        """What stands under a number, or stood there before the store lost it."""
        found = self.at(seq)
        for moment in [*([found] if found else []), *reversed(self._lost.get(seq, ()))]:
            if moment.epoch <= epoch:
                yield moment

    def tell(self, epoch: int, moment: Moment) -> None:
        """Somebody has heard of it."""
        self._told[epoch, moment.seq] = moment

    # What the store does

    def changed(self, before: Row, after: Row, entry: bytes, by: Process) -> None:
        if after.fence != before.fence:
            self._claimed(before, after, by)
        elif after.seq != before.seq:
            self._appended(before, after, entry, by)

    def _claimed(self, before: Row, after: Row, by: Process) -> None:
        self.claims += 1
        if after.fence < before.fence or after.fence in self.owners:
            self._complain(f"fence {after.fence} was there before")
        if after.seq != before.seq:
            self._complain("a claim moved the log")
        self.owners[after.fence] = by
        self.fence, self.epoch = after.fence, after.epoch

    def _appended(self, before: Row, after: Row, entry: bytes, by: Process) -> None:
        if self.owners.get(after.fence) is not by:
            self._complain(f"{by} appends under fence {after.fence}, which is another's")
        if after.seq != before.seq + 1:
            self._complain(f"entry {after.seq} after {before.seq}")
        state, events = self._folded(entry, after)
        moment = Moment(
            epoch=after.epoch,
            seq=after.seq,
            fence=after.fence,
            by=by,
            state=state,
            entry=entry,
            events=events,
            mark=_mark(before, after),
            marks=after.marks,
            at_s=self._stored_at_s(after.seq, entry),
        )
        self._check_told(moment)
        self._check_clocks(moment)
        self._moments.append(moment)

    def _folded(self, entry: bytes, after: Row) -> tuple[RoomState, tuple[Event, ...]]:
        before = self.now.state
        try:
            state = rebuild([entry], base=before)
            commands = commands_in(entry)
            match = before.match
            if state.match_no != before.match_no:  # turns may go on from one match to the next
                turn = state.match.turn - len(commands)
                match = evolve(new_match(state.match.rules), turn=turn)
            events: tuple[Event, ...] = ()
            for command in commands:
                match, more = step(match, command)
                events += more
            if match != state.match:
                self._complain(f"entry {after.seq} and its commands part")
            check(state.match)
        except (SnapshotError, IllegalCommand, InvariantBroken) as error:
            self._complain(f"entry {after.seq} does not follow: {error}")
            return roomstate.load(after.snapshot), ()
        if roomstate.dump(state) != after.snapshot:
            self._complain(f"entry {after.seq} and its snapshot part")
        return state, events

    def _stored_at_s(self, seq: int, entry: bytes) -> float:
        """Now; or when it was stored before, if it was lost and is put back."""
        again = [lost for lost in self._lost.get(seq, ()) if lost.entry == entry]
        return again[0].at_s if again else self._now_s()

    def _check_clocks(self, moment: Moment) -> None:
        """Nobody's clock runs out before its time, whatever befell the nodes meanwhile."""
        for event in moment.events:
            clock_s = self.now.state.clock_s()
            if isinstance(event, TimedOut) and clock_s is not None:
                waited_s = moment.at_s - self._asked_at_s(event.seat)
                if waited_s < clock_s:
                    self._complain(f"seat {event.seat} had {waited_s:.3f} s of {clock_s} s")

    def _asked_at_s(self, seat: Seat) -> float:
        """Since when a seat has been asked what it is asked now."""
        match = self.now.state.match
        in_tribute = isinstance(match.phase, Paying | Returning)
        since_s = self.now.at_s
        for moment in reversed(self._moments):
            before = moment.state.match
            if seat not in asked(before) or not (in_tribute or before.turn == match.turn):
                break
            since_s = moment.at_s
        return since_s

    def _check_told(self, moment: Moment) -> None:
        told = self._told.get((moment.epoch, moment.seq))
        if told is None or told.entry == moment.entry:
            return
        if not self.is_excused(told):
            self._complain(
                f"entry {moment.seq} of epoch {moment.epoch} was told otherwise, "
                "and its owner lives and has kept the room"
            )
        self.rewrites += 1

    def _was_replaced(self, moment: Moment) -> bool:
        """Has another process owned the room since?"""
        later = [owner for fence, owner in self.owners.items() if fence > moment.fence]
        return any(owner is not moment.by for owner in later)

    def is_excused(self, moment: Moment) -> bool:
        """May it be lost without a word: has it an owner who could have known?"""
        by = moment.by
        return by is None or by.dead or by.has_ended or self._was_replaced(moment)

    def went_back(self, row: Row) -> None:
        while self.now.seq > row.seq:
            gone = self._moments.pop()
            self._lost.setdefault(gone.seq, []).append(gone)
        assert self.now.seq == row.seq, "the store went back further than we remember"


def _mark(before: Row, after: Row) -> Mark | None:
    for key, mark in after.marks.items():
        if before.marks.get(key) != mark:
            assert isinstance(mark, ActionMark)
            return Mark(key, mark.counter, mark.digest)
    return None
