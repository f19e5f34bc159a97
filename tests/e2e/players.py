"""Scripted people: clients that make any legal move, one table at a time."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
from collections.abc import AsyncIterator, Callable

from guandan_engine.options import rules
from guandan_engine.views import PhaseName
from guandan_protocol import messages as m
from guandan_protocol.client import TableClient
from guandan_protocol.messages import Stage
from tests.server.driver import any_choice

WAIT_S = 60
"""A time-out of waits."""


class Person:
    """A client and what it does when something is asked of it."""

    def __init__(self, client: TableClient, *, seed: int) -> None:
        self.client = client
        self.welcomes = 0
        self.on_update: Callable[[m.Update], None] = lambda update: None
        self.seen = asyncio.Condition()
        self._rng = random.Random(seed)
        self.done_seq = 0
        """The entry of the last own action that was acknowledged."""

    async def follow(self) -> None:
        """Read everything that the server says, and wake whoever waits for something."""
        async for notice in self.client:
            if isinstance(notice, m.Welcome):
                self.welcomes += 1
            if isinstance(notice, m.Update):
                self.on_update(notice)
            async with self.seen:
                self.seen.notify_all()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until the last view is so."""
        async with asyncio.timeout(WAIT_S), self.seen:
            await self.seen.wait_for(condition)

    @property
    def due(self) -> bool:
        """Is something asked of the seat, or of its person?"""
        view, public, seat = self.client.view, self.client.public, self.client.seat
        if view is None or public is None or seat is None or view.stage is not Stage.PLAYING:
            return False
        if public.phase is PhaseName.HAND_OVER:
            return not view.seats[seat - 1].ready
        return seat in public.asked

    async def do(self, action: m.Action, *, patient: bool = False) -> None:
        """Act, and be sure that it was accepted; `patient`: in the end, once it can be stored."""
        answer = await self.client.act(action)
        while patient and isinstance(answer, m.Refused) and answer.retry_ms is not None:
            answer = await self.client.act(action)
        assert isinstance(answer, m.Done), answer
        self.done_seq = max(self.done_seq, answer.seq)

    async def act(self, *, patient: bool = False) -> None:
        """Do what is asked, in any legal way; `patient`: see `do`."""
        view, public, seen = self.client.view, self.client.public, self.client.seat_view()
        assert view is not None
        assert public is not None
        assert seen is not None
        action: m.Action
        turn = public.turn
        if public.phase is PhaseName.HAND_OVER:
            action = m.Ready(0)
        else:
            choice = any_choice(seen, rules(view.preset, view.options), self._rng)
            if choice is None:
                action = m.Pass(0, turn)
            elif not isinstance(choice, int):
                action = m.Play(0, choice.cards, choice.reading, turn)
            elif public.phase is PhaseName.PAYING:
                action = m.Pay(0, choice, turn)
            else:
                action = m.GiveBack(0, choice, turn)
        await self.do(action, patient=patient)


class Party:
    """Four people at one table."""

    def __init__(self, people: tuple[Person, ...]) -> None:
        self.people = people

    @property
    def host(self) -> Person:
        return self.people[0]

    def newest(self) -> TableClient:
        """The client that has heard most."""
        return max((person.client for person in self.people), key=lambda client: client.seq)

    async def agree(self) -> None:
        """Wait until all have heard the same."""
        newest = max(self.newest().seq, *[person.done_seq for person in self.people])
        for person in self.people:
            await person.until(lambda: person.client.seq >= newest)  # noqa: B023  awaited at once

    async def play(self, *, until: Callable[[TableClient], bool]) -> None:
        """Play, one decision at a time, until a view is so."""
        while True:
            await self.agree()
            if until(self.newest()):
                return
            due = [person for person in self.people if person.due]
            if not due:
                raise AssertionError(f"nobody is asked: {self.newest().public}")
            await due[0].act()


@contextlib.asynccontextmanager
async def party(url: str, *, seed: int = 0, **create: object) -> AsyncIterator[Party]:
    """Four people who opened one room; not started yet."""
    async with contextlib.AsyncExitStack() as stack:
        people: list[Person] = []
        for i, name in enumerate(("Ann", "Bob", "Cid", "Dee")):
            hello: m.Create | m.Join
            if i == 0:
                hello = m.Create(m.VERSION, name, os.urandom(16), **create)  # type: ignore[arg-type]  # as given
            else:
                hello = m.Join(m.VERSION, people[0].client.room, name)
            client = await stack.enter_async_context(TableClient(url, hello))
            person = Person(client, seed=seed + i)
            task = asyncio.create_task(person.follow())
            stack.callback(task.cancel)
            await person.until(lambda: client.view is not None)  # noqa: B023  awaited at once
            people.append(person)
        yield Party(tuple(people))
