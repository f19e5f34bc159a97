"""A room in virtual time: no store, no socket; deadlines come when somebody waits for them.

table = Driver.create(name="Ann")
bob = table.join("Bob")
table.act(bob, m.Ready(n=1))
table.play_on(until=lambda: table.state.stage is Stage.MATCH_OVER)
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from attrs import evolve, field, frozen

from guandan_engine.moves import legal_plays
from guandan_engine.options import Rules
from guandan_engine.seats import SEATS, Seat
from guandan_engine.views import PhaseName, SeatView
from guandan_protocol import messages as m
from guandan_protocol.codec import encode
from guandan_protocol.messages import Code, Settings
from guandan_server import roomstate
from guandan_server.frontdesk import newcomer
from guandan_server.items import (
    Act,
    Ask,
    Change,
    Choice,
    Conn,
    Drop,
    Enter,
    Gone,
    Item,
    LookBack,
    Output,
    Suggest,
    Take,
    Tell,
    Think,
    Thought,
    Tick,
    Unload,
)
from guandan_server.journal import entry_bytes
from guandan_server.room import Room
from guandan_server.roomstate import derive, new_room


def any_choice(view: SeatView, rules: Rules, rng: random.Random) -> Choice:
    """Any legal choice of a seat: a policy for tests that look at rooms, not at skill."""
    public, private = view.public, view.private
    if public.phase is PhaseName.PAYING:
        return rng.choice(private.pay)
    if public.phase is PhaseName.RETURNING:
        return rng.choice(private.give_back)
    plays = legal_plays(private.hand, public.level, rules, public.top)
    patterns = plays.patterns()
    if not patterns or (public.top is not None and rng.random() < 0.4):
        return None
    return plays.offer(rng.choice(plays.moves(rng.choice(patterns))))


@frozen
class Sitter:
    """A connection and what it holds."""

    conn: Conn
    seat: Seat | None
    token: bytes = field(repr=False, default=b"")


class Driver:
    """One room, its clock, and everything that it told anybody."""

    def __init__(self, room: Room, *, seed: int = 0) -> None:
        self.room = room
        self.now = 1_000
        self.rng = random.Random(seed)
        self.heard: dict[Conn, list[m.ServerMessage]] = {}
        self.dropped: dict[Conn, int] = {}
        self.changes: list[Change] = []
        self.entries: list[bytes] = []
        self.unloaded = False
        self.fail_next: Code | None = None
        """The next change is not stored."""
        self.check_round_trip = True
        self._snapshots = roomstate.Snapshots()
        self._conns = 0

    @classmethod
    def create(
        cls,
        *,
        name: str = "Ann",
        preset: str = "site",
        options: Mapping[str, object] | None = None,
        settings: Settings | None = None,
        seed: int = 0,
    ) -> Driver:
        rng = random.Random(seed)
        entropy = rng.randbytes(32)
        token = derive(entropy, "token")
        state = new_room(
            preset=preset, options=options or {}, settings=settings, pledge=rng.randbytes(32)
        )
        host = newcomer(name, token, entropy, pace_ms=state.settings.pace_ms)
        driver = cls(
            Room("TESTAB", evolve(state.with_seat(SEATS[0], host), host=SEATS[0])), seed=seed
        )
        conn = driver.conn()
        driver.give(Take(conn, SEATS[0], token))
        driver.host = Sitter(conn, SEATS[0], token)
        return driver

    host: Sitter

    @property
    def state(self) -> roomstate.RoomState:
        return self.room.state

    def conn(self) -> Conn:
        self._conns += 1
        self.heard[Conn(self._conns)] = []
        return Conn(self._conns)

    # -- people --------------------------------------------------------------------------------

    def enter(self, hello: m.Join | m.Resume | m.Watch) -> tuple[Conn, m.ServerMessage]:
        """A connection that says hello, and its first answer."""
        conn = self.conn()
        self.give(Enter(conn, hello))
        return conn, self.heard[conn][0]

    def join(self, name: str, seat: Seat | None = None) -> Sitter:
        conn, welcome = self.enter(m.Join(m.VERSION, self.room.code, name, seat))
        assert isinstance(welcome, m.Welcome), welcome
        return Sitter(conn, welcome.seat, welcome.token)

    def resume(self, sitter: Sitter) -> Sitter:
        conn, welcome = self.enter(m.Resume(m.VERSION, self.room.code, sitter.token))
        assert isinstance(welcome, m.Welcome), welcome
        return Sitter(conn, welcome.seat, sitter.token)

    def watch(self) -> Sitter:
        conn, welcome = self.enter(m.Watch(m.VERSION, self.room.code))
        assert isinstance(welcome, m.Welcome), welcome
        return Sitter(conn, None)

    def leave_off(self, sitter: Sitter) -> None:
        """The connection breaks."""
        self.give(Gone(sitter.conn))

    def act(self, sitter: Sitter, action: m.Action) -> m.Done | m.Refused:
        """What an action is answered."""
        before = len(self.heard[sitter.conn])
        self.give(Act(sitter.conn, action, encode(action)))
        return next(
            message
            for message in self.heard[sitter.conn][before:]
            if isinstance(message, m.Done | m.Refused)
        )

    def ask(
        self, sitter: Sitter, query: m.Preview | m.AskHints | m.AskReview | m.Say
    ) -> m.ServerMessage:
        before = len(self.heard[sitter.conn])
        self.give(Ask(sitter.conn, query))
        return self.heard[sitter.conn][before]

    def last(self, sitter: Sitter) -> m.Welcome | m.Update:
        """The last whole view that a connection got."""
        return next(
            message
            for message in reversed(self.heard[sitter.conn])
            if isinstance(message, m.Welcome | m.Update)
        )

    # -- time ----------------------------------------------------------------------------------

    def give(self, item: Item) -> None:
        """Let the room handle an item and store what it changes, as an actor would."""
        entropy = self.rng.randbytes(32)
        result = self.room.handle(item, self.now, entropy)
        if isinstance(result, Change):
            if self.fail_next is not None:
                code, self.fail_next = self.fail_next, None
                outputs = self.room.not_stored(result, code, self.now, entropy, retry_ms=1000)
            else:
                self._store(result)
                seq = self.room.seq + 1
                outputs = self.room.stored(result, seq, self.now, entropy)
        else:
            outputs = result
        self._carry_out(outputs)

    def _store(self, change: Change) -> None:
        self.changes.append(change)
        if change.match_begun:
            self.entries.clear()
        self.entries.append(entry_bytes(change, before=self.room.state))
        if self.check_round_trip:
            assert roomstate.load(roomstate.dump(change.state)) == change.state
            assert self._snapshots.pack(change.state) == roomstate.dump(change.state)

    def tick(self) -> None:
        """Let time pass to the next deadline."""
        due = self.room.deadline()
        assert due is not None, "the room waits for nothing"
        self.now = max(self.now, due)
        self.give(Tick())

    def wait(self, ms: int) -> None:
        """Let some time pass, and whatever is due in it."""
        end = self.now + ms
        while (due := self.room.deadline()) is not None and due <= end:
            self.tick()
        self.now = end

    def play_on(self, *, until: Callable[[], bool], ticks_max: int = 100_000) -> None:
        """Let time pass until something is so."""
        for _ in range(ticks_max):
            if until():
                return
            self.tick()
        raise AssertionError("it never came to that")

    # -- outputs -------------------------------------------------------------------------------

    def _carry_out(self, outputs: tuple[Output, ...]) -> None:
        for output in outputs:
            match output:
                case Tell(conn, message):
                    assert conn not in self.dropped, "a message after the end"
                    self.heard[conn].append(message)
                case Drop(conn, close, _):
                    self.dropped[conn] = close
                case Think(seat, turn, _, view, rules):
                    self.give(Thought(seat, turn, any_choice(view, rules, self.rng)))
                case Suggest(conn, ref, view):
                    turn = view.public.turn
                    self.heard[conn].append(m.Hints(id=ref, turn=turn, hints=(), best=-1))
                case LookBack(conn, ref, match, player, hand, hands):
                    self.heard[conn].append(m.Review(ref, match, player, hand, hands, (), 0))
                case Unload():
                    self.unloaded = True
