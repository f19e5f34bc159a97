"""A room as a plain function of what happens to it: no clock, no chance, no socket, no store.

    room.handle(item, now, entropy)  ->  Change       a new state: store it, then `stored`
                                     or  outputs      nothing to store: carry them out
    room.stored(change, seq, now)    ->  outputs      what everybody is told, once it is stored
    room.not_stored(change, …)       ->  outputs      the state is as it was
    room.deadline()                  ->  when to come back with a `Tick`

`state` is what is stored and changes in `stored` only. Beside it the room knows its present: which
connection sits where, and its deadlines. Those are declared, never armed or cancelled: after every
item `deadlines.wanted` says which there should be, each named by the turn it belongs to, so a
clock of a turn that has passed cannot be there. Times are milliseconds of the caller's clock.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Collection, Mapping
from typing import Final

from attrs import evolve

from guandan_engine.commands import Command, Pass, Pay, Play, Return, TimeOut
from guandan_engine.errors import IllegalCommand
from guandan_engine.events import Event
from guandan_engine.seats import Seat
from guandan_engine.views import HandSummary, private_view, public_view, seat_view
from guandan_protocol import messages as m
from guandan_protocol.messages import Code, Control, Stage
from guandan_server import deadlines, frontdesk, rounds
from guandan_server.answers import Announced, decided, refused, turned_away
from guandan_server.brains import QUICK_LEVEL
from guandan_server.consent import agreed, someone_plays
from guandan_server.deadlines import (
    LATENCY_MS,
    BotMoves,
    ClockRunsOut,
    GraceEnds,
    HandIsDue,
    Timer,
    Unloads,
    level_of_seat,
)
from guandan_server.guests import Guests
from guandan_server.inquiries import Inquiries
from guandan_server.items import (
    Act,
    Ask,
    Change,
    Conn,
    Drop,
    Enter,
    Entering,
    Gone,
    Item,
    Output,
    Take,
    Tell,
    Think,
    Thought,
    Tick,
    Unload,
)
from guandan_server.presence import Presence
from guandan_server.refusals import Refusal
from guandan_server.roomstate import RoomState, derive
from guandan_server.seating import ACTIONS, pass_host
from guandan_server.staffing import level_for, staffed
from guandan_server.store import Action as StoredAction
from guandan_server.store import ActionMark

__all__ = ["Room"]

TIMEOUTS_MAX: Final = 2
"""Clocks that may run out in a row before a bot plays for the seat."""
WATCH_RETRY_MS: Final = 30_000
WATCHERS_MAX: Final = 32
"""A play costs one message per watcher; a crowd needs another way."""


class Room:
    """One room of one node, owned by its actor."""

    def __init__(
        self,
        code: str,
        state: RoomState,
        *,
        seq: int = 0,
        epoch: int = 1,
        marks: Mapping[str, ActionMark] | None = None,
        haste: float = 1.0,
        woken: bool = False,
        levels: Collection[str] = (QUICK_LEVEL,),
        build: str = "",
    ) -> None:
        """`levels` of bots and the page's `build` are the server's, and told with each welcome."""
        self.code = code
        self.state = state
        self.seq = seq
        self.epoch = epoch
        self._marks: dict[str, ActionMark] = dict(marks or {})
        self._present = Presence()
        self._deadlines: dict[Timer, int] = {}
        self._dropped: dict[Timer, int] = {}
        """Clocks of the turn that do not run just now, and when they would have run out."""
        self._thinking: set[tuple[Seat, int]] = set()
        self._woken = woken
        """Read back from the store, which may have lost what its clients have seen; asked once."""
        self._haste = haste
        self._shown = frontdesk.Shown()
        self._guests = Guests()
        self._inquiries = Inquiries()
        self._levels = levels
        self._build = build

    # -- in ------------------------------------------------------------------------------------

    def handle(self, item: Item, now: int, entropy: bytes) -> Change | tuple[Output, ...]:
        """What an item changes, or what is to be done about it at once.

        `entropy`: 32 fresh random bytes. The machine and the seating refuse by raising; here that
        becomes the answer to whoever asked.
        """
        if isinstance(item, Enter):
            self._guests.came(item.conn, item.peer)
        match item:
            case Tick():
                result = self._tick(now, entropy)
            case Enter() | Take():
                result = self._enter(item, now, entropy)
            case Gone():
                result = self._gone(item, now, entropy)
            case Ask():
                result = self._inquiries.answer(item, self.state, self._present, now)
            case Act():
                result = self._act(item, entropy)
            case Thought():
                result = self._thought(item, entropy)
        if not isinstance(result, Change):
            self._rearm(now, entropy)
        return result

    def _act(self, item: Act, entropy: bytes) -> Change | tuple[Output, ...]:
        seat = self._present.seat_of(item.conn)
        n = item.action.n
        if seat is None:
            return (Tell(item.conn, m.Refused(n, Code.NOT_SEATED, "watchers do not act")),)
        known = self._known(item, seat)
        if known is not None:
            return (known,)
        try:
            change = self._command(item, seat) or self._seating(item, seat)
            return self._onward(change, entropy)
        except Refusal as refusal:
            return (Tell(item.conn, refused(n, refusal)),)
        except IllegalCommand as illegal:
            return (Tell(item.conn, m.Refused(n, illegal.reason, str(illegal))),)

    def _known(self, item: Act, seat: Seat) -> Output | None:
        """The answer to an action that was sent before, or is out of order."""
        mark = self._marks.get(self.state.seat(seat).key)
        n = item.action.n
        if mark is None or n > mark.counter:
            return None
        if n < mark.counter:
            text = f"the last action acknowledged is {mark.counter}"
            return Tell(item.conn, m.Refused(n, Code.STALE_ACTION, text))
        if self._stored_action(item, seat).digest != mark.digest:
            text = f"another action was sent as {n}"
            return Tell(item.conn, m.Refused(n, Code.ACTION_CONFLICT, text))
        return Tell(item.conn, m.Done(n, mark.seq))

    def stored_action(self, change: Change) -> StoredAction | None:
        """How the store knows the client's action behind a change, should it be sent again."""
        if change.act is None or change.seat is None:
            return None
        return self._stored_action(change.act, change.seat)

    def _stored_action(self, act: Act, seat: Seat) -> StoredAction:
        key = self.state.seat(seat).key
        return StoredAction.of(seat_key=key, counter=act.action.n, body=act.body)

    def _command(self, item: Act, seat: Seat) -> Change | None:
        """The change by an action that is about cards; None if it is about something else."""
        command: Command
        match item.action:
            case m.Play(_, cards, reading, turn):
                command = Play(seat, cards, reading, turn)
            case m.Pass(_, turn):
                command = Pass(seat, turn)
            case m.Pay(_, card, turn):
                command = Pay(seat, card, turn)
            case m.GiveBack(_, card, turn):
                command = Return(seat, card, turn)
            case _:
                return None
        if self.state.stage is Stage.PAUSED:
            raise Refusal(Code.NOT_NOW, "the room is paused")
        change = self._moved(seat, command, act=item)
        # Whoever acts is there: no bot acts for them any longer.
        state = change.state.change_seat(seat, control=Control.SELF, timeouts=0)
        return change if state is change.state else evolve(change, state=state)

    def _seating(self, item: Act, seat: Seat) -> Change:
        action = item.action
        if isinstance(action, m.Start):
            if self.state.host != seat:
                raise Refusal(Code.FORBIDDEN, "only the host may start")
            if self.state.stage is not Stage.LOBBY:
                raise Refusal(Code.NOT_NOW, "a match is on, or over: propose a new one")
            change = Change(state=self.state, what="start", seat=seat, act=item)
            return rounds.start(change, seq=self.seq + 1)
        if isinstance(action, m.AddBot) and action.level not in self._levels:
            raise Refusal(Code.BAD_OPTION, f"bot levels are {', '.join(self._levels)}")
        what = type(action).__name__.lower()
        state = ACTIONS[type(action)](self.state, seat, action)
        change = Change(state=state, what=what, seat=seat, act=item)
        match action:
            case m.Leave():
                return evolve(change, leaving=(seat,))
            case m.Kick(_, other):
                return evolve(change, leaving=(other,))
            case _:
                return change

    def _onward(self, change: Change, entropy: bytes) -> Change:
        """The change with what follows from it at once: a deal, a new match, a pause."""
        change = rounds.close_hand(change, before=self.state)
        state = change.state
        online = self._present.online() - set(change.leaving)
        # A change in which cards moved, or a match began, begins no other: it has its own story.
        if not change.commands:
            if agreed(state, online):
                state = evolve(state, proposal=None, consents=())
                change = rounds.start(evolve(change, state=state), seq=self.seq + 1)
            elif state.stage is Stage.LOBBY and rounds.all_ready(state):
                change = rounds.start(change, seq=self.seq + 1)
        state = staffed(change.state, self.state, self._levels)
        if state is not change.state:
            change = evolve(change, state=state)
        if state.stage in (Stage.PLAYING, Stage.PAUSED):
            stage = Stage.PLAYING if someone_plays(state, online) else Stage.PAUSED
            if stage is not state.stage:
                change = evolve(change, state=evolve(state, stage=stage))
        if change.state.stage is Stage.PLAYING and rounds.may_deal(change.state):
            change = rounds.deal(change)
        return rounds.pledged(change, entropy)

    # -- the match -----------------------------------------------------------------------------

    def _moved(self, seat: Seat | None, command: Command, *, act: Act | None = None) -> Change:
        """The room after an engine command; IllegalCommand if the machine refuses it."""
        what = type(command).__name__.lower()
        return rounds.moved(Change(state=self.state, what=what, seat=seat, act=act), command)

    # -- coming and going ----------------------------------------------------------------------

    def _enter(self, item: Enter | Take, now: int, entropy: bytes) -> Change | tuple[Output, ...]:
        try:
            if isinstance(item, Take):  # said again later, it opens what its token still opens
                return self._resume(item.conn, item.token, now, entropy, told=item.token)
            match item.hello:
                case m.Watch():
                    return self._watch(item.conn, now)
                case m.Resume(token=token):
                    return self._resume(item.conn, token, now, entropy)
                case m.Join():
                    self._guests.check(item.peer, now)
                    token = derive(entropy, "token")
                    state, seat = frontdesk.joined(self.state, item.hello, token, entropy)
                    entering = Entering(item.conn, seat, token)
                    change = Change(state=state, what="join", seat=seat, entering=entering)
                    return _woken(change)
        except Refusal as refusal:
            return turned_away(item.conn, refusal)

    def _watch(self, conn: Conn, now: int) -> tuple[Output, ...]:
        if self._present.watchers() >= WATCHERS_MAX:
            raise Refusal(Code.BUSY, "too many are watching", retry_ms=WATCH_RETRY_MS)
        self._present.watch(conn)
        return (Tell(conn, self._welcome(None, b"", now)), *self._announce((), now, but=conn))

    def _resume(
        self, conn: Conn, token: bytes, now: int, entropy: bytes, *, told: bytes = b""
    ) -> Change | tuple[Output, ...]:
        """The token's seat; `told`: the token to be told with it, where it is news."""
        seat = self._seat_of(token)
        if seat is None:
            raise Refusal(Code.BAD_TOKEN, "the token opens no seat here")
        entering = Entering(conn, seat, told)
        occupant = self.state.seat(seat)
        stood_in = occupant.control is Control.STAND_IN
        if not (stood_in or occupant.later or self.state.stage is Stage.PAUSED):
            return self._attach(entering, now, entropy)
        control = Control.SELF if stood_in else occupant.control
        state = self.state.change_seat(seat, control=control, timeouts=0, later=False)
        change = Change(state=state, what="resume", seat=seat, entering=entering)
        return _woken(change)

    def _seat_of(self, token: bytes) -> Seat | None:
        """The seat that a token opens; every seat is compared, in constant time."""
        digest = hashlib.sha256(token).digest()
        opened = [
            seat
            for seat in self.state.people()
            if hmac.compare_digest(self.state.seat(seat).digest, digest)
        ]
        return opened[0] if opened else None

    def opens(self, token: bytes) -> bool:
        """Does a token open a seat here?"""
        return self._seat_of(token) is not None

    def is_behind(self, hello: m.Hello) -> bool:
        """Has this person, known by its token, seen more of our history than there is?

        Believed once, of a room that was read back: no client can rewind a room that we have had
        in our own memory, nor twice.
        """
        return (
            self._woken
            and isinstance(hello, m.Resume)
            and (hello.epoch, hello.seq > self.seq) == (self.epoch, True)
            and self.opens(hello.token)
        )

    def rewound(self, epoch: int) -> None:
        """History was lost: whatever anybody knows of it is void from here on."""
        self.epoch = epoch
        self._woken = False

    def _attach(self, entering: Entering, now: int, entropy: bytes) -> tuple[Output, ...]:
        """The connection sits down; an older one of the seat is closed."""
        replaced = self._place(entering)
        self._rearm(now, entropy)  # who comes to an empty table starts its clock, and is told so
        return (
            *replaced,
            Tell(entering.conn, self._welcome(entering.seat, entering.token, now)),
            *self._announce((), now, but=entering.conn),
        )

    def _place(self, entering: Entering) -> tuple[Output, ...]:
        self._guests.sat_down(entering.conn, self.state.seat(entering.seat).key)
        old = self._present.place(entering.conn, entering.seat)
        return () if old is None else (Drop(old, m.CLOSE_REPLACED, m.Goodbye(Code.REPLACED)),)

    def _gone(self, item: Gone, now: int, entropy: bytes) -> Change | tuple[Output, ...]:
        # A connection that was replaced or sent away is forgotten already: nobody has left.
        self._guests.went(item.conn)
        if not self._present.remove(item.conn):
            return ()
        if agreed(self.state, self._present.online()):  # whoever was still asked has gone
            return self._onward(Change(state=self.state, what="gone", seat=None), entropy)
        return self._announce((), now)

    # -- time and bots -------------------------------------------------------------------------

    def deadline(self) -> int | None:
        """When a `Tick` is due; None: not before something else happens."""
        return min(self._deadlines.values(), default=None)

    def defer(self, by_ms: int) -> None:
        """Move all deadlines: the time that the store took is nobody's."""
        self._deadlines = {timer: at + by_ms for timer, at in self._deadlines.items()}
        self._dropped = {timer: at + by_ms for timer, at in self._dropped.items()}

    def _tick(self, now: int, entropy: bytes) -> Change | tuple[Output, ...]:
        timer = min(self._deadlines, key=self._deadlines.__getitem__, default=None)
        if timer is None or self._deadlines[timer] > now:
            return ()
        del self._deadlines[timer]
        match timer:
            case ClockRunsOut(seat):
                return self._clock(seat, entropy)
            case BotMoves(seat, turn):
                return self._think(seat, turn)
            case GraceEnds(seat):
                state = self.state.change_seat(seat, control=Control.STAND_IN)
                state = pass_host(state, seat, self._present.online())
                return self._onward(Change(state=state, what="away", seat=seat), entropy)
            case HandIsDue():
                state = self.state
                for seat in state.people():
                    state = state.change_seat(seat, ready=True)
                return self._onward(Change(state=state, what="deal", seat=None), entropy)
            case Unloads():
                return (Unload(),)

    def _clock(self, seat: Seat, entropy: bytes) -> Change:
        change = self._moved(seat, TimeOut(seat, self.state.match.turn))
        timeouts = self.state.seat(seat).timeouts + 1
        control = Control.STAND_IN if timeouts >= TIMEOUTS_MAX else Control.SELF
        state = change.state.change_seat(seat, timeouts=timeouts, control=control)
        return self._onward(evolve(change, state=state), entropy)

    def bots_to_move(self) -> tuple[tuple[Seat, int, str, int], ...]:
        """Seat, turn and level of each bot that is asked, and when its move is to be seen."""
        return tuple(
            [
                (timer.seat, timer.turn, level_for(self.state, timer.seat, self._levels), at)
                for timer, at in self._deadlines.items()
                if isinstance(timer, BotMoves)
            ]
        )

    def question(self, seat: Seat, turn: int) -> Think:
        """What its policy is asked; the answer is wanted when the room says so, as an output."""
        match = self.state.match
        level = level_for(self.state, seat, self._levels)
        return Think(seat, turn, level, seat_view(match, seat), match.rules)

    def _think(self, seat: Seat, turn: int) -> tuple[Output, ...]:
        self._thinking.add((seat, turn))
        return (self.question(seat, turn),)

    def _thought(self, item: Thought, entropy: bytes) -> Change | tuple[Output, ...]:
        seat, turn = item.seat, item.turn
        self._thinking.discard((seat, turn))
        match = self.state.match
        if (
            turn != match.turn
            or self.state.stage is not Stage.PLAYING
            or not level_of_seat(self.state, seat)
        ):
            return ()  # its person came back, or the room paused: the thought is stale
        try:
            change = self._moved(seat, decided(item, match))
        except IllegalCommand:
            change = self._moved(seat, TimeOut(seat, turn))
        return self._onward(change, entropy)

    def _rearm(self, now: int, entropy: bytes) -> None:
        wanted = deadlines.wanted(self.state, self._present, self._thinking, entropy)
        running = self._deadlines | self._dropped
        armed = {timer: now + self._hasty(timer, length) for timer, length in wanted.items()}
        for timer, at in running.items():
            if timer in armed:
                armed[timer] = at
        # A clock that an autopilot put away goes on where it was, while its turn lasts. Where
        # nobody is there it begins anew for whoever comes back.
        ticks = self.state.stage is Stage.PLAYING and self._present.online()
        current = deadlines.clocks(self.state) if ticks else ()
        self._dropped = {timer: at for timer, at in running.items() if timer in current}
        self._deadlines = armed

    def _hasty(self, timer: Timer, length_ms: int) -> int:
        bots_own = isinstance(timer, BotMoves | HandIsDue)
        return int(length_ms / self._haste) if bots_own else length_ms

    # -- out -----------------------------------------------------------------------------------

    def stored(
        self,
        change: Change,
        seq: int,
        now: int,
        entropy: bytes,
        *,
        is_answered: bool = False,
    ) -> tuple[Output, ...]:
        """The change is stored as entry `seq`: it is the state now, and everybody is told.

        `is_answered`: whoever acted was told that nobody knows, and may have done something else
        under the same counter since; a second answer would be taken for that one's.
        """
        outputs: list[Output] = []
        if change.act is not None:
            action = self.stored_action(change)
            if action is not None:
                self._marks[action.seat_key] = ActionMark(action.counter, action.digest, seq)
            if not is_answered:
                outputs.append(Tell(change.act.conn, m.Done(change.act.action.n, seq)))
        before, self.state, self.seq = self.state, change.state, seq
        outputs += self._dismiss(change, before, now)
        self._present.follow(before, self.state)
        self._forget_the_gone()
        entered = change.entering
        if entered is not None:
            outputs += self._place(entered)
        self._rearm(now, entropy)  # before anybody is told how long there is
        if entered is not None:
            outputs.append(Tell(entered.conn, self._welcome(entered.seat, entered.token, now)))
        outputs += self._announce(
            change.events, now, finished=change.finished, but=entered.conn if entered else None
        )
        return tuple(outputs)

    def _forget_the_gone(self) -> None:
        """Drop what was kept of people who have no seat any more."""
        keys = {seat.key for seat in self.state.seats}
        if len(self._marks) > len(keys):
            self._marks = {key: mark for key, mark in self._marks.items() if key in keys}
        self._guests.keep(keys)
        self._inquiries.follow(self.state)

    def unavailable(
        self, item: Item, now: int, entropy: bytes, retry_ms: int
    ) -> tuple[Output, ...]:
        """What an item gets while nothing can be stored: people may go and ask, not act."""
        refusal = Refusal(Code.STORAGE_UNAVAILABLE, "nothing was changed; try again")
        refusal.retry_ms = retry_ms
        match item:
            case Gone() | Ask():
                outputs = self.handle(item, now, entropy)
                assert not isinstance(outputs, Change), "going and asking change nothing"
                return outputs
            case Act(conn, action):
                return (Tell(conn, refused(action.n, refusal)),)
            case Enter(conn) | Take(conn):
                return turned_away(conn, refusal)
            case Thought(seat, turn):
                self._thinking.discard((seat, turn))
            case Tick():
                self.defer(retry_ms)
        self._rearm(now, entropy)
        return ()

    def not_stored(
        self, change: Change, code: Code, now: int, entropy: bytes, *, retry_ms: int | None
    ) -> tuple[Output, ...]:
        """The change is not stored: nothing has happened, and whoever asked for it hears so."""
        self._rearm(now, entropy)
        refusal = Refusal(code, "nothing was changed; try again", retry_ms=retry_ms)
        if change.act is not None:
            return (Tell(change.act.conn, refused(change.act.action.n, refusal)),)
        if change.entering is not None:
            return turned_away(change.entering.conn, refusal)
        return ()

    def _dismiss(self, change: Change, before: RoomState, now: int) -> list[Output]:
        """Close the connections of people who left or were sent away."""
        if change.act is not None and isinstance(change.act.action, m.Kick):
            self._guests.bar(before.seat(change.act.action.seat).key, now)
        gone = [self._present.dismiss(seat) for seat in change.leaving]
        goodbye = m.Goodbye(Code.LEFT)
        return [Drop(conn, m.CLOSE_LEFT, goodbye) for conn in gone if conn is not None]

    def everyone(self) -> tuple[Conn, ...]:
        return tuple([conn for conn, _ in self._present.everyone()])

    def _announce(
        self,
        events: tuple[Event, ...],
        now: int,
        *,
        finished: HandSummary | None = None,
        but: Conn | None = None,
    ) -> tuple[Output, ...]:
        """An update for every connection, each with what it may know."""
        announced = Announced(
            seq=self.seq,
            epoch=self.epoch,
            match=self.state.match,
            view=self.view(now),
            events=events,
            finished=finished,
        )
        everyone = self._present.everyone()
        return tuple([Tell(conn, announced.to(seat)) for conn, seat in everyone if conn != but])

    def _welcome(self, seat: Seat | None, token: bytes, now: int) -> m.Welcome:
        mark = None if seat is None else self._marks.get(self.state.seat(seat).key)
        match = self.state.match
        return m.Welcome(
            room=self.code,
            seat=seat,
            token=token,
            counter=0 if mark is None else mark.counter,
            seq=self.seq,
            epoch=self.epoch,
            view=self.view(now),
            public=public_view(match),
            private=None if seat is None else private_view(match, seat),
            record=self.state.session,
            levels=tuple(self._levels),
            build=self._build,
        )

    def view(self, now: int) -> m.RoomView:
        """The room around the match, as everybody may see it."""
        clocks = [at for timer, at in self._deadlines.items() if isinstance(timer, ClockRunsOut)]
        deals = [at for timer, at in self._deadlines.items() if isinstance(timer, HandIsDue)]
        return self._shown.view(
            self.state,
            online=self._present.online(),
            watchers=self._present.watchers(),
            clock_ms=max(0, min(clocks) - now - LATENCY_MS) if clocks else None,
            deal_ms=max(0, min(deals) - now) if deals else None,
        )


def _woken(change: Change) -> Change:
    """A person has come: a paused room goes on."""
    if change.state.stage is not Stage.PAUSED:
        return change
    return evolve(change, state=evolve(change.state, stage=Stage.PLAYING))
