"""A table for the terminal's tests: the client library's place is taken by the rules themselves.

    parlour = Parlour(Table.deal(…).match)      seat 1 is ours; 2 and 4 are bots, 3 is Li
    game = parlour.game()                       a `Game` that prints into `parlour.console`

The others pass whenever they may, lead their lowest card, and give what they must.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from typing import Any, cast

from attrs import evolve

from guandan_cli.game import Game
from guandan_cli.obey import Next, Player
from guandan_cli.passing import AutoPass
from guandan_cli.scene import Scene
from guandan_cli.words import Words
from guandan_engine.cards import Cards
from guandan_engine.commands import Command, Pass, Pay, Play, Return, StartHand
from guandan_engine.errors import IllegalCommand
from guandan_engine.machine import step
from guandan_engine.moves import legal_plays
from guandan_engine.options import rules
from guandan_engine.order import lowest_single
from guandan_engine.phases import Following, HandOver, Leading, Paying, Returning
from guandan_engine.seats import Seat
from guandan_engine.state import Match, new_match
from guandan_engine.views import (
    HandSummary,
    asked,
    private_view,
    public_view,
    redact,
    seat_view,
    summary,
)
from guandan_protocol import messages as m
from guandan_protocol.client import Ended, Notice, TableClient
from guandan_protocol.errors import SessionEnded
from guandan_protocol.messages import Control, RoomView, Stage
from guandan_server.previews import helpful, preview
from tests.clients.scenes import EN, room

WAIT_S = 20
"""A time-out of waits."""

OUR_SEAT = Seat(1)


class Script:
    """A console that types what a test says, one line at a time, and keeps what is printed."""

    def __init__(self, *, is_person: bool = True) -> None:
        self.is_person = is_person
        self.printed: list[str] = []
        self.prompts = 0
        self.titles: list[str] = []
        self.is_typing = False
        self.typed: deque[str] = deque()

    def say(self, *lines: str) -> None:
        self.printed += lines

    def prompt(self) -> None:
        self.prompts += 1

    def entitle(self, title: str) -> None:
        if self.titles[-1:] != [title]:
            self.titles.append(title)

    async def lines(self) -> AsyncIterator[str]:
        while self.typed:
            yield self.typed.popleft()

    def taken(self) -> list[str]:
        """What was printed since the last time."""
        printed, self.printed = self.printed, []
        return printed


class Parlour:
    """Stands for a `TableClient` and for the server behind it."""

    def __init__(
        self, match: Match | None = None, *, seat: Seat | None = OUR_SEAT, **view: Any
    ) -> None:
        self.match = match or new_match(rules())
        stage = Stage.LOBBY if match is None else Stage.PLAYING
        self.view: RoomView = room(self.match, **({"stage": stage} | view))
        self.seat = seat
        self.console = Script()
        self.acted: list[m.Action] = []
        self.asked: list[m.Query] = []
        self.refusal: m.Refused | None = None
        """The answer to the next action, whatever it is."""
        self.hints: list[m.Hint] | None = None
        self.reviews: list[Callable[[m.AskReview], m.Review | m.Refused]] = []
        """Answers to questions for reviews; where they end, none comes any more."""
        self.record: tuple[HandSummary, ...] = ()
        self.ended: Ended | None = None
        self.seq = 0
        self.epoch = 1
        self.others_act = True
        self._notices: asyncio.Queue[Notice | None] = asyncio.Queue()
        self._seed = 0

    # What a client can do

    def __aiter__(self) -> Parlour:
        return self

    async def __anext__(self) -> Notice:
        notice = await self._notices.get()
        if notice is None:
            raise StopAsyncIteration
        return notice

    async def act(self, action: m.Action) -> m.Done | m.Refused:
        self.acted.append(action)
        if self.ended is not None:
            raise SessionEnded(self.ended.code, self.ended.text)
        if self.refusal is not None:
            refusal, self.refusal = self.refusal, None
            return refusal
        try:
            events = self._do(action)
        except IllegalCommand as illegal:
            return m.Refused(0, illegal.reason, str(illegal))
        done = m.Done(0, self.seq + 1)
        asyncio.get_running_loop().call_soon(self._tell, events)
        return done

    async def ask(self, query: m.Query) -> object:
        self.asked.append(query)
        if isinstance(query, m.Ping):
            return m.Pong(query.id)
        assert self.seat is not None
        if isinstance(query, m.Preview):
            return preview(self.match, self.seat, query)
        if isinstance(query, m.Say):
            if self.refusal is not None:
                refusal, self.refusal = self.refusal, None
                return refusal
            said = m.Said(self.seat, query.phrase, query.id)
            self.tell(said)
            return said
        if isinstance(query, m.AskReview):
            if not self.reviews:
                await asyncio.Event().wait()
            return self.reviews.pop(0)(query)
        found = self.hints if self.hints is not None else list(self._hints())
        useful = helpful(seat_view(self.match, self.seat), self.match.rules)
        return m.Hints(0, self.match.turn, tuple(found), best=len(found) - 1, helpful=useful)

    # What a test can do

    def tell(self, notice: Notice | None) -> None:
        self._notices.put_nowait(notice)

    def welcome(self, **changes: Any) -> None:
        seat = self.seat
        welcome = m.Welcome(
            room="K7QM2X",
            seat=seat,
            token=bytes(32),
            counter=0,
            seq=self.seq,
            epoch=self.epoch,
            view=self.view,
            public=public_view(self.match),
            private=None if seat is None else private_view(self.match, seat),
            record=self.record,
        )
        self.tell(evolve(welcome, **changes))

    def end(self, code: str, text: str = "") -> None:
        self.ended = Ended(code, text, None)
        self.tell(self.ended)
        self.tell(None)

    def change(self, **changes: Any) -> None:
        """Something in the room changes."""
        self.view = evolve(self.view, **changes)
        self._tell(())

    def do(self, command: Command) -> None:
        """Somebody at the table acts."""
        self._tell(self._moved(command))

    def game(self, words: Words = EN) -> Game:
        def seated(scene: Scene) -> Iterator[str]:
            yield f"seated at {scene.seat}"

        client = cast("TableClient", self)
        return Game(client, self.console, words, server="ws://nowhere", seated=seated)

    # Behind it

    def _do(self, action: m.Action) -> tuple[object, ...]:
        seat = self.seat or OUR_SEAT
        match action:
            case m.Play(_, cards, reading, turn):
                return self._moved(Play(seat, cards, reading, turn))
            case m.Pass(_, turn):
                return self._moved(Pass(seat, turn))
            case m.Pay(_, card, turn):
                return self._moved(Pay(seat, card, turn))
            case m.GiveBack(_, card, turn):
                return self._moved(Return(seat, card, turn))
            case m.Start():
                self.view = evolve(self.view, stage=Stage.PLAYING)
                return self._dealt(b"")
            case m.Ready(nonce=nonce, ready=True) if isinstance(self.match.phase, HandOver):
                return self._dealt(nonce)
            case m.Ready(ready=ready):
                self._seat(ready=ready)
            case m.Autopilot(on=on, pace_ms=pace_ms):
                control = Control.AUTOPILOT if on else Control.SELF
                self._seat(control=control, pace_ms=pace_ms)
            case m.Configure(_, preset, options, settings):
                self.view = evolve(self.view, preset=preset, options=options, settings=settings)
            case m.Propose(_, proposal):
                self.view = evolve(self.view, proposal=proposal, consents=(seat,))
            case m.Leave():
                asyncio.get_running_loop().call_soon(self.end, "left")
            case _:
                pass
        return ()

    def _seat(self, **changes: Any) -> None:
        seats = list(self.view.seats)
        index = (self.seat or OUR_SEAT) - 1
        seats[index] = evolve(seats[index], **changes)
        one, two, three, four = seats
        self.view = evolve(self.view, seats=(one, two, three, four))

    def _dealt(self, nonce: bytes) -> tuple[object, ...]:
        self._seed += 1
        seed = self._seed.to_bytes(32, "big")
        return self._moved(StartHand(seed, (nonce, b"", b"", b"")))

    def _moved(self, command: Command) -> tuple[object, ...]:
        standing = self.match.standing
        self.match, events = step(self.match, command)
        over = isinstance(self.match.phase, HandOver)
        self._finished = (
            summary(self.match, level=standing.active, owner=standing.owner) if over else None
        )
        return events

    _finished: Any = None

    def _tell(self, events: tuple[Any, ...]) -> None:
        self.seq += 1
        seat = self.seat
        self.tell(
            m.Update(
                seq=self.seq,
                epoch=self.epoch,
                events=tuple([redact(event, seat) for event in events]),
                view=self.view,
                public=public_view(self.match),
                private=None if seat is None else private_view(self.match, seat),
                finished=self._finished if events else None,
                seat=seat,
            )
        )
        if self.others_act:
            self._let_others_act()

    def _let_others_act(self) -> None:
        others = [seat for seat in asked(self.match) if seat != self.seat]
        if others and self.seat is not None and self.view.stage is Stage.PLAYING:
            self.do(self._simple(others[0]))

    def _simple(self, seat: Seat) -> Command:
        match self.match.phase:
            case Following():
                return Pass(seat)
            case Leading():
                card = lowest_single(self.match.hands[seat - 1], self.match.standing.active)
                return Play(seat, Cards.of([card]))
            case Paying():
                return Pay(seat, private_view(self.match, seat).pay[0])
            case Returning():
                return Return(seat, private_view(self.match, seat).give_back[0])
            case phase:
                raise AssertionError(f"nobody acts while {phase}")

    def _hints(self) -> Iterator[m.Hint]:
        seat, match = self.seat, self.match
        assert seat is not None
        view = private_view(match, seat)
        match match.phase:
            case Paying():
                for card in view.pay:
                    yield m.Hint(Cards.of([card]), None, "equal_gift")
            case Returning():
                for card in view.give_back:
                    yield m.Hint(Cards.of([card]), None, "useless_return")
            case Following() | Leading() as phase:
                top = phase.top if isinstance(phase, Following) else None
                if top is not None:
                    yield m.Hint(Cards(), None, "saves_control")
                plays = legal_plays(view.hand, self.match.standing.active, self.match.rules, top)
                for move in list(plays)[:3]:
                    yield m.Hint(plays.cards(move), move.reading, "cheapest_that_beats")
            case _:
                pass


class Evening:
    """A game that listens, and a player who is told line by line what to type.

    async with Evening(parlour) as evening:
        said = await evening.type("9 9")
    """

    def __init__(self, parlour: Parlour, words: Words = EN) -> None:
        self.parlour = parlour
        self.game = parlour.game(words)
        self.kept: list[Mapping[str, object]] = []
        """What was to be remembered for the next time."""
        self.auto_pass = AutoPass(self.game, keep=self.kept.append, moment=lambda: 0.0)
        self.player = Player(
            self.game, resume=lambda: "guandan play K7QM2X --resume", auto_pass=self.auto_pass
        )
        self.next = Next.GO_ON
        self._tasks: list[asyncio.Task[Any]] = []

    async def __aenter__(self) -> Evening:
        self.parlour.welcome()
        self._tasks = [
            asyncio.create_task(self.game.listen()),
            asyncio.create_task(self.player.beside()),
        ]
        async with asyncio.timeout(WAIT_S):
            await self.game.opened()
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def type(self, line: str) -> list[str]:
        """Type a line, and what is printed until all has been heard."""
        self.parlour.console.taken()
        async with asyncio.timeout(WAIT_S):
            self.next = await self.player.obey(line)
            await self.quiet()
        return self.parlour.console.taken()

    async def quiet(self) -> None:
        """Until everything that was told has been printed."""
        for _ in range(200):
            await asyncio.sleep(0)

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(WAIT_S):
            await self.game.until(condition)

    @property
    def action(self) -> m.Action:
        """The last that was done."""
        return self.parlour.acted[-1]


__all__ = ["OUR_SEAT", "WAIT_S", "Evening", "Parlour", "Script"]
