"""One seat of our table, played over the protocol: by a guest of the dialect, or by a bot of ours.

A chair sees what its seat gets and knows nothing else. What it has in common with the other chairs
of a bridge is in `Evening`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
from collections import deque
from collections.abc import Callable
from typing import Any, Final, Protocol

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from guandan_bots.dialect.remarks import Kind, Remarks
from guandan_bots.dialect.telling import Ask, Teller, ask, game_over, game_result
from guandan_bots.dialect.words import Message, shown, whole
from guandan_bots.player import acted
from guandan_bots.policy import Policy
from guandan_engine.errors import Reason
from guandan_engine.options import rules
from guandan_engine.seats import Seat, Team
from guandan_engine.views import PhaseName, SeatEvent, SeatView
from guandan_protocol import messages as m
from guandan_protocol.client import Ended, Lost, TableClient
from guandan_protocol.errors import SessionEnded
from guandan_protocol.messages import Action, Code, Proposal, RoomView, Stage

__all__ = ["BotChair", "Chair", "Evening", "GuestChair", "NotLetIn"]

RETRY_MS_MIN: Final = 50
LEAVE_S: Final = 2.0
"""How long a seat's being given up is waited for."""
WRONG_MAX: Final = 10
"""Wrong actions in a row after which a guest is sent away: it will not get any better."""
UNANSWERED_MAX: Final = 32
"""Questions that the table went on without; at one with a clock only."""
UNASKED_MAX: Final = 1000
"""Messages in a row that nothing was asked for; an honest guest may say a word or two too many."""
SEND_S: Final = 60.0
"""For a guest to read what it is told; a question of 200 KB takes it a moment."""

_UNASKED: Final = Kind("said something unasked {n} times in all", said_max=1)
_WRONG: Final = Kind("gave {n} wrong actions in all", said_max=WRONG_MAX)
_REFUSED: Final = Kind("was refused something by the table {n} times in all", said_max=WRONG_MAX)

_OVERTAKEN: Final = frozenset(
    {Reason.STALE, Reason.NOT_YOUR_TURN, Reason.WRONG_PHASE, Reason.HAND_OVER, Code.NOT_NOW}
)
"""Refusals that only say that the table has moved on meanwhile: the next update tells more."""


class NotLetIn(Exception):
    """The server has no seat for a chair, or cannot be reached."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(code, text)
        self.code = code
        """Of the protocol, or empty if nobody answered."""
        self.text = text

    def __str__(self) -> str:
        return self.text or self.code


class Evening(Protocol):
    """What the chairs of one bridge share."""

    @property
    def games(self) -> int:
        """How many matches are to be played."""
        ...

    @property
    def is_complete(self) -> bool:
        """Have all who are waited for sat down?"""
        ...

    @property
    def winners(self) -> list[Team]:
        """Of the matches that have been won."""
        ...

    def sat_down(self, chair: Chair) -> None:
        """A chair has its seat."""

    def won(self, match: int, team: Team) -> None:
        """A match was won; each chair says so."""


class Chair:
    """Sees to everything that is no move: being ready, agreeing, going on to the next match."""

    def __init__(
        self,
        client: TableClient,
        evening: Evening,
        *,
        wanted: Seat | None,
        say: Callable[[str], None],
    ) -> None:
        self.client = client
        self.seated: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done once there is a seat; fails with NotLetIn."""
        self.is_over = False
        """All matches are played."""
        self._evening = evening
        self._wanted = wanted
        self._say = say
        self._remarks = Remarks(say)
        self._matches_told = 0
        self._epoch = self._stored = 0  # the log entry that our last action became

    async def run(self) -> Ended | None:
        """Play until all matches are over, or the session ends; the last word, if there was one."""
        async with self.client:
            try:
                return await self._run()
            finally:
                if not self.seated.done():
                    self.seated.set_exception(NotLetIn("", "the seat was given up"))
                self.seated.exception()  # whoever waited has it; nobody else need
                self._remarks.close()
                if self.client.ended is None and self.client.seat is not None:
                    await self._leave()

    async def _run(self) -> Ended | None:
        async for notice in self.client:
            match notice:
                case Ended(code, text):
                    if not self.seated.done():
                        known = code if code in set(Code) else ""
                        self.seated.set_exception(NotLetIn(known, text or code))
                    return notice
                case Lost(why) if not self.seated.done():
                    self.seated.set_exception(NotLetIn("", why))
                    return None
                case Lost() | m.Said():
                    continue
                case m.Welcome():
                    await self._take(notice, (), anew=True)
                case m.Update(events=events):
                    await self._take(notice, events, anew=False)
            if self.is_over:
                return None
        return None

    async def _take(
        self, notice: m.Welcome | m.Update, events: tuple[SeatEvent, ...], *, anew: bool
    ) -> None:
        client, room = self.client, notice.view
        if client.epoch != self._epoch:
            self._epoch, self._stored = client.epoch, 0
        await self._sit_down(room)
        if client.seat is None or notice.private is None:
            return
        # What the notice holds, not what the client knows by now: guests are told in order.
        seen = SeatView(seat=client.seat, public=notice.public, private=notice.private)
        await self._tell(seen, events, anew=anew)
        outcome = seen.public.outcome
        if outcome is not None and outcome.match_won and room.match > self._matches_told:
            self._matches_told = room.match
            self._evening.won(room.match, outcome.winner)
            done = len(self._evening.winners)
            self.is_over = done >= self._evening.games
            await self._tell_match(done)
        # Views from before our last action are no reason to do it again.
        while not self.is_over and client.seq >= self._stored:
            duty = self._duty()
            if duty is None or not await self._act(duty):
                break
        known = client.public
        if room.stage is Stage.PLAYING and known is not None and known.turn == seen.public.turn:
            await self._consider(seen, room)

    async def _sit_down(self, room: RoomView) -> None:
        wanted = self._wanted
        if wanted is not None and wanted != self.client.seat and room.stage is Stage.LOBBY:
            await self._act(m.Sit(n=0, seat=wanted))  # whoever opens a room sits at seat 1
        if not self.seated.done():
            self.seated.set_result(None)
            self._evening.sat_down(self)

    def _duty(self) -> Action | None:
        room, seen = self.client.view, self.client.seat_view()
        if room is None or seen is None:
            return None
        if room.proposal is not None:
            return None if seen.seat in room.consents else m.Consent(n=0, agree=True)
        if room.stage is Stage.MATCH_OVER:
            is_host = room.host == seen.seat
            return m.Propose(n=0, proposal=Proposal.REMATCH) if is_host else None
        between = room.stage is Stage.PLAYING and seen.public.phase is PhaseName.HAND_OVER
        waiting = between or (room.stage is Stage.LOBBY and self._evening.is_complete)
        return m.Ready(n=0) if waiting and not room.seats[seen.seat - 1].ready else None

    async def _act(self, action: Action) -> bool:
        """Carry something out; False if the table would not have it now."""
        while True:
            try:
                answer = await self.client.act(action)
            except SessionEnded:
                return False
            match answer:
                case m.Done(seq=seq):
                    self._stored = seq
                    return True
                case m.Refused(retry_ms=int(retry_ms)):
                    await asyncio.sleep(max(retry_ms, RETRY_MS_MIN) / 1000)
                case m.Refused(code=code, text=text):
                    if code not in _OVERTAKEN:
                        self._remarks.add(_REFUSED, f"the table refused: {code}: {text}")
                    return False

    async def _leave(self) -> None:
        # A seat that is merely dropped would keep the table waiting.
        with contextlib.suppress(SessionEnded, TimeoutError):
            async with asyncio.timeout(LEAVE_S):
                await self.client.act(m.Leave(n=0))

    async def _tell(self, seen: SeatView, events: tuple[SeatEvent, ...], *, anew: bool) -> None:
        """Something has happened; `anew`: all that was before may have been missed."""

    async def _tell_match(self, done: int) -> None:
        """A match was won, number `done` of this bridge."""

    async def _consider(self, seen: SeatView, room: RoomView) -> None:
        """A match is on: see whether a move is asked for."""
        raise NotImplementedError


class BotChair(Chair):
    """A policy of ours."""

    def __init__(
        self,
        client: TableClient,
        evening: Evening,
        policy: Policy,
        rng: random.Random,
        *,
        wanted: Seat | None,
        say: Callable[[str], None],
    ) -> None:
        super().__init__(client, evening, wanted=wanted, say=say)
        self._policy = policy
        self._rng = rng

    async def _consider(self, seen: SeatView, room: RoomView) -> None:
        if seen.seat not in seen.public.asked or self.client.seq < self._stored:
            return
        table = rules(room.preset, room.options)
        # In a thread, so that the guests' connections stay alive while a policy thinks.
        choice = await asyncio.to_thread(self._policy.choose, seen, table, self._rng)
        await self._act(acted(seen, choice))


class GuestChair(Chair):
    """A program at the other end of a WebSocket."""

    def __init__(
        self,
        client: TableClient,
        evening: Evening,
        socket: ServerConnection,
        *,
        wanted: Seat | None,
        say: Callable[[str], None],
    ) -> None:
        super().__init__(client, evening, wanted=wanted, say=say)
        self._socket = socket
        self._teller = Teller()
        self._asked: tuple[object, ...] | None = None
        """What the question that is open is about."""
        self._open: tuple[Ask, SeatView] | None = None
        self._unanswered: deque[Ask] = deque()
        """Every question gets an answer, also one that the table no longer waits for."""
        self._wrong = 0
        self._unasked = 0
        self._dismissal: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    @property
    def dismissal(self) -> str:
        """Why the guest is sent away, in words for itself; empty if it is not."""
        return self._dismissal.result() if self._dismissal.done() else ""

    async def run(self) -> Ended | None:
        """As `Chair.run`; None as well if the guest has left or is to be sent away."""
        playing = asyncio.create_task(super().run())
        reading = asyncio.create_task(self._read())
        # An answer can take as long as our server is away; who has gone is not to wait for that.
        gone = asyncio.create_task(self._socket.wait_closed())
        tasks = [playing, reading, gone]
        try:
            ends: list[asyncio.Future[Any]] = [*tasks, self._dismissal]
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
        if not reading.cancelled():
            reading.result()  # a fault of ours is not swallowed
        return None if playing.cancelled() else playing.result()

    async def _tell(self, seen: SeatView, events: tuple[SeatEvent, ...], *, anew: bool) -> None:
        told = self._teller.sees(seen) if anew else self._teller.told(events, seen.seat)
        for message in told:
            await self._send(message)

    async def _tell_match(self, done: int) -> None:
        await self._send(game_over(done, self._evening.games))
        if self.is_over:
            await self._send(game_result(self._evening.winners))

    async def _consider(self, seen: SeatView, room: RoomView) -> None:
        public = seen.public
        if seen.seat not in public.asked:
            self._asked = self._open = None
            return
        # In tribute another one's choice moves `turn`, and our question is the same.
        free = public.phase in (PhaseName.PAYING, PhaseName.RETURNING)
        about = (room.match, public.hand, public.phase, None if free else public.turn)
        if about != self._asked:
            self._asked = about
            self._open = ask(seen, rules(room.preset, room.options)), seen
            await self._put()

    async def _put(self) -> None:
        assert self._open is not None
        question, _ = self._open
        if len(self._unanswered) >= UNANSWERED_MAX:
            self._send_away(f"{UNANSWERED_MAX} questions without an answer")
            return
        self._unanswered.append(question)
        self._unasked = 0
        await self._send(question.message)

    async def _send(self, message: Message) -> None:
        # Whoever is gone, or reads nothing, is noticed by the reader of its answers.
        with contextlib.suppress(ConnectionClosed):
            try:
                async with asyncio.timeout(SEND_S):
                    await self._socket.send(json.dumps(message))
            except TimeoutError:
                # It would not read why, either.
                self._say(f"has read nothing for {SEND_S:.0f} s: cut off")
                self._socket.transport.abort()

    def _send_away(self, why: str) -> None:
        if not self._dismissal.done():
            self._say(f"{why}: sent away")
            self._dismissal.set_result(why)

    async def _read(self) -> None:
        """Take answers until the guest has gone, or is sent away."""
        while not self._dismissal.done():
            try:
                frame = await self._socket.recv()
            except ConnectionClosed:
                return
            if not self._unanswered:
                self._unasked += 1
                self._remarks.add(_UNASKED, f"said something unasked: {_said(frame)}")
                if self._unasked >= UNASKED_MAX:
                    self._send_away(f"{UNASKED_MAX} messages that nothing was asked for")
                continue
            question = self._unanswered.popleft()
            if not self._is_open(question):
                continue  # the table did not wait for it
            await self._answer(frame)

    def _is_open(self, question: Ask) -> bool:
        return self._open is not None and self._open[0] is question

    async def _answer(self, frame: str | bytes) -> None:
        """Carry an answer out, or ask again unless that has happened too often."""
        assert self._open is not None
        question, seen = self._open
        index = _index(frame)
        why = f"expected an actIndex from 0 to {len(question.choices) - 1}, got {_said(frame)}"
        if index is not None and 0 <= index < len(question.choices):
            action = acted(seen, question.choices[index])
            if seen.public.phase in (PhaseName.PAYING, PhaseName.RETURNING):
                action = _whenever(action)
            if await self._act(action):
                self._wrong = 0
                return
            if not self._is_open(question):
                return  # overtaken
            why = "the table would not have that action"
        self._wrong += 1
        self._remarks.add(_WRONG, f"a wrong action: {why}")
        if self._wrong >= WRONG_MAX:
            self._send_away(f"{WRONG_MAX} wrong actions in a row")
            return
        await self._put()


def _whenever(action: Action) -> Action:
    match action:
        case m.Pay(n, card):
            return m.Pay(n, card)
        case m.GiveBack(n, card):
            return m.GiveBack(n, card)
        case _:
            return action


def _index(frame: str | bytes) -> int | None:
    """The number in `{"actIndex": 3}`; None if there is none."""
    try:
        said = json.loads(frame)
    except (ValueError, RecursionError):
        return None
    return whole(said.get("actIndex")) if isinstance(said, dict) else None


def _said(frame: str | bytes) -> str:
    """What a guest said, as it stands in a remark."""
    text = frame if isinstance(frame, str) else frame.decode(errors="replace")
    try:
        return shown(json.loads(text))
    except (ValueError, RecursionError):
        return shown(text)
