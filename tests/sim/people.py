"""People with phones: they play the real client, any legal move at a time, and have whims."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import Final, Protocol

from attrs import evolve

from guandan_engine.options import rules
from guandan_engine.seats import SEATS
from guandan_engine.views import PhaseName
from guandan_protocol import messages as m
from guandan_protocol.client import Lost, TableClient
from guandan_protocol.errors import SessionEnded
from guandan_protocol.messages import Code, Control, Stage
from tests.sim.moves import any_choice, as_action
from tests.sim.network import SERVER_NOTICES_S, Line
from tests.sim.process import Process

__all__ = ["Answers", "Device", "Person", "Watcher"]

FRONT_URL: Final = "ws://front/ws"


class Answers(Protocol):
    """Who remembers what people were promised."""

    def answered(
        self, token: bytes, action: m.Action, answer: m.Done | m.Refused, *, alone: bool
    ) -> None:
        """`action` as it was sent, counter and all; `alone`: no other device has had the seat."""


class Device:
    """A phone: it can sleep in a pocket, die, be lost for good, and be opened again."""

    def __init__(self, name: str, *, address: str, room: Callable[[], str], random: Random) -> None:
        self.name = name
        self.address = address
        self.room = room
        """The code of the room, as soon as there is one."""
        self.lines: list[Line] = []
        self.client: TableClient | None = None
        self.process: Process | None = None
        self.old: list[Process] = []
        self.is_lost = False
        """For good."""
        self.random = random
        self.calm = False
        self.has_shown = True
        """Has something of it been stored since all is well, as far as it does anything?"""
        self.news = asyncio.Event()
        self._lives = 0

    def __repr__(self) -> str:
        return self.name

    def standing(self) -> str:
        """For whoever looks for what went wrong."""
        client = self.client
        if client is None:
            return f"runs {self.runs}, is lost {self.is_lost}, has no client"
        where = f"{client.epoch}.{client.seq} at seat {client.seat}"
        return f"live {client.is_live}, {where}, {client.ended}, sees {client.view}"

    @property
    def is_the_first(self) -> bool:
        """Has there been no other device, and no other tab?"""
        return self._lives == 1

    @property
    def runs(self) -> bool:
        return self.process is not None and self.process.runs

    @property
    def is_here(self) -> bool:
        """Does it run, and want to be connected?"""
        return self.runs and not self.is_lost

    def start(self) -> None:
        """Open the game, again if it was open: that is a second tab."""
        if self.process is not None:
            self.old.append(self.process)
        self._lives += 1
        self.process = Process(f"{self.name}{self._lives}")
        self.process.start(self.run(), name=self.name)

    async def run(self) -> None:
        raise NotImplementedError

    async def the_room(self) -> str:
        """Somebody tells the code, once the room has been made."""
        while not (code := self.room()):  # noqa: ASYNC110 waiting takes no time here
            await asyncio.sleep(0.5)
        return code

    def die(self, *, quietly: bool) -> None:
        """The battery is empty; `quietly`: the network has not noticed."""
        if self.process is None:
            return
        for process in (*self.old, self.process):
            process.kill()
        self.old.append(self.process)
        self.process = None
        self.client = None
        for line in self.lines:
            if quietly:
                line.hang()
            else:
                line.cut()
        self.lines.clear()

    def sleep(self) -> None:
        if self.process is None:
            return
        self.process.sleep()
        for line in self.lines:
            line.after(self.random.uniform(*SERVER_NOTICES_S), self._pings_lost, line, self.process)

    def wake(self) -> None:
        if self.process is not None:
            self.process.wake()

    def _pings_lost(self, line: Line, process: Process) -> None:
        if process.asleep:
            line.server.abort()

    def connected(self, line: Line) -> None:
        self.lines = [old for old in self.lines if old.is_open]
        self.lines.append(line)


class Watcher(Device):
    """Somebody who watches."""

    async def run(self) -> None:
        hello = m.Watch(m.VERSION, await self.the_room())
        client = TableClient(FRONT_URL, hello, random=Random(self.random.random()))
        self.client = client
        async with client:
            async for _ in client:
                pass


class Person(Device):
    """Somebody with a seat, or on the way to one."""

    def __init__(
        self,
        name: str,
        *,
        address: str,
        room: Callable[[], str],
        go_to: Callable[[str], None],
        answers: Answers,
        random: Random,
        create: m.Create | None = None,
        token: bytes = b"",
        whims: float = 0.0,
    ) -> None:
        super().__init__(name, address=address, room=room, random=random)
        self.has_shown = False
        self.token = token
        self._go_to = go_to
        self._answers = answers
        self._create = create
        self._join_id = random.randbytes(m.CREATE_ID_BYTES)
        self._whims = whims
        self._has_left = False
        self._was_kicked = False

    @property
    def is_out(self) -> bool:
        """Is there nothing more to come: sent away, or another device of the seat has won?"""
        return self._was_kicked or (self.client is not None and self.client.ended is not None)

    async def run(self) -> None:
        while True:
            hello = await self._hello()
            client = TableClient(FRONT_URL, hello, random=Random(self.random.random()))
            self.client = self.client or client
            async with client:
                reader = asyncio.create_task(self._read(client))
                await self._sit(client)
                await reader
            ended = client.ended
            if ended is None or ended.code in (Code.REPLACED, Code.NO_SUCH_ROOM, Code.ROOM_GONE):
                return
            if ended.code == Code.LEFT and not self._has_left:
                self._was_kicked = True
                return
            if ended.code in (Code.LEFT, Code.BAD_TOKEN):  # the latter if history was lost
                self._has_left = False
                self.token = b""
                self._create = None
                self._join_id = self.random.randbytes(m.CREATE_ID_BYTES)
            await asyncio.sleep(self.random.uniform(1.0, 5.0))

    async def _hello(self) -> m.Create | m.Join | m.Resume:
        if self.token:
            return m.Resume(m.VERSION, self.room(), self.token)
        if self._create is not None:
            return self._create
        return m.Join(m.VERSION, await self.the_room(), self.name, join_id=self._join_id)

    async def _read(self, client: TableClient) -> None:
        async for notice in client:
            if isinstance(notice, Lost) and notice.why.startswith(Code.FORBIDDEN):
                self._was_kicked = True
            if isinstance(notice, m.Welcome):
                self.client = client
                self.token = client.token or self.token
                self._go_to(client.room)
            self.news.set()
        self.news.set()

    async def _sit(self, client: TableClient) -> None:
        while client.ended is None:
            if client.is_live and self.random.random() < self._whims and not self.calm:
                await self._whim(client)
            if self._due(client) is None:
                await self._some_news()
                continue
            await asyncio.sleep(self._thinks_s())
            action = self._due(client)
            if action is not None and client.ended is None:
                await self._act(client, action)

    def _thinks_s(self) -> float:
        return self.random.choice((0.02, 0.1, 0.3, 0.6))

    async def _some_news(self) -> None:
        self.news.clear()
        try:
            async with asyncio.timeout(2.0):
                await self.news.wait()
        except TimeoutError:
            pass

    async def _act(self, client: TableClient, action: m.Action) -> None:
        try:
            answer = await client.act(action)
        except SessionEnded:
            return
        n = answer.n if isinstance(answer, m.Done) else answer.ref
        self._answers.answered(client.token, evolve(action, n=n), answer, alone=self.is_the_first)
        self.has_shown |= self.calm and isinstance(answer, m.Done)
        if isinstance(answer, m.Refused):
            await asyncio.sleep((answer.retry_ms or 300) / 1000)

    # What there is to do

    def _due(self, client: TableClient) -> m.Action | None:
        """What is asked of the person now."""
        view, public, seat = client.view, client.public, client.seat
        if view is None or public is None or seat is None or not client.is_live:
            return None
        me = view.seats[seat - 1]
        if self.calm and not self.has_shown:
            return m.Autopilot(0, on=False, pace_ms=300)
        if view.proposal is not None and seat not in view.consents:
            return m.Consent(0, agree=self.calm or self.random.random() < 0.7)
        if me.later and (self.calm or self.random.random() < 0.2):
            return m.Later(0, later=False)
        match view.stage:
            case Stage.LOBBY | Stage.MATCH_OVER:
                return self._at_rest(view, is_host=view.host == seat, ready=me.ready)
            case Stage.PAUSED:
                return m.Ready(0)
            case Stage.PLAYING if public.phase is PhaseName.HAND_OVER:
                return None if me.ready else self._ready()
            case Stage.PLAYING if seat in public.asked:
                if me.control is Control.AUTOPILOT and not self.calm:
                    return None
                return self._move(client)
            case _:
                return None

    def _at_rest(self, view: m.RoomView, *, is_host: bool, ready: bool) -> m.Action | None:
        if is_host and view.stage is Stage.MATCH_OVER and view.proposal is None:
            return m.Propose(0, m.Proposal.REMATCH)
        if is_host and view.stage is Stage.LOBBY and (self.calm or self.random.random() < 0.3):
            return m.Start(0)
        return None if ready else self._ready()

    def _ready(self) -> m.Action:
        return m.Ready(0, nonce=self.random.choice((b"", self.random.randbytes(8))))

    def _move(self, client: TableClient) -> m.Action | None:
        view, seen = client.view, client.seat_view()
        if view is None or seen is None or (seen.private.chosen is not None):
            return None
        table = rules(view.preset, view.options)
        return as_action(any_choice(seen, table, self.random), seen)

    async def _whim(self, client: TableClient) -> None:
        """Something that nobody asked for."""
        random, private = self.random, client.private
        match random.randrange(12):
            case 0 | 1:
                await self._act(client, m.Autopilot(0, on=random.random() < 0.6, pace_ms=300))
            case 2:
                await self._act(client, m.Later(0))
            case 3:
                await self._act(client, m.SetPace(0, random.choice(m.PACES_MS[:3])))
            case 4:
                await self._act(client, m.Propose(0, random.choice(list(m.Proposal))))
            case 5:
                await self._act(client, m.Sit(0, random.choice(SEATS)))
            case 6:
                await self._act(client, m.Kick(0, random.choice(SEATS)))
            case 7 if random.random() < 0.3:
                self._has_left = True
                await self._act(client, m.Leave(0))
            case 8:
                await self._act(client, m.AddBot(0, random.choice(SEATS), "basic"))
            case 9:
                await self._act(client, m.RemoveBot(0, random.choice(SEATS)))
            case 10 if private is not None and len(private.hand):
                card = random.choice(list(private.hand))
                await self._act(client, m.Play(0, type(private.hand).of([card])))
            case _:
                await self._ask(client)

    async def _ask(self, client: TableClient) -> None:
        hand = None if client.private is None else client.private.hand
        try:
            async with asyncio.timeout(5.0):
                if hand is not None and len(hand) and self.random.random() < 0.5:
                    await client.ask(m.Preview(0, hand))
                else:
                    await client.ask(m.AskHints(0))
        except (SessionEnded, TimeoutError):
            pass
