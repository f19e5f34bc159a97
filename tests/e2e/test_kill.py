"""kill -9 of `guandan serve` in every phase: all are back at the same hand, nothing is left."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from guandan_engine.views import PhaseName
from guandan_protocol import messages as m
from guandan_protocol.client import TableClient
from guandan_protocol.messages import Settings, Stage
from tests.e2e.players import Party, Person, party
from tests.e2e.serving import Served, serving


def state_of(client: TableClient) -> object:
    """What must be the same after a restart: all but who is back already."""
    view = client.view
    assert view is not None
    seats = [(seat.kind, seat.name, seat.ready, seat.control) for seat in view.seats]
    return (
        client.seq,
        client.epoch,
        client.public,
        client.private,
        client.record,
        view.stage,
        seats,
        view.commitment,
        view.options,
    )


async def killed_and_back(served: Served, table: Party) -> None:
    """Kill the server, start it again, and compare what everybody knows."""
    await table.agree()
    before = [state_of(person.client) for person in table.people]
    welcomes = [person.welcomes for person in table.people]
    await served.kill()
    await served.start()
    for person, count in zip(table.people, welcomes, strict=True):
        person.client.hurry()
        await person.until(lambda: person.welcomes > count)  # noqa: B023  awaited at once
    assert [state_of(person.client) for person in table.people] == before


async def test_every_phase_survives_kill_9(tmp_path: Path) -> None:
    options = {"tribute_pick": "payer"}
    settings = Settings(grace_s=600)
    async with (
        serving(tmp_path / "data") as served,
        party(served.url, options=options, settings=settings) as table,
    ):
        # The lobby.
        await killed_and_back(served, table)
        for person in table.people:
            await person.do(m.Ready(0))
        # Right after the deal, then in the middle of a trick.
        await killed_and_back(served, table)
        await table.play(until=lambda c: in_phase(c, PhaseName.FOLLOWING) and some_played(c))
        await killed_and_back(served, table)
        # Between hands; then in tribute and in the return, with a choice of one of two held back
        # where there are two.
        seen: set[PhaseName] = set()
        wanted = {PhaseName.HAND_OVER, PhaseName.PAYING, PhaseName.RETURNING}
        while wanted - seen:
            await table.play(until=lambda c: phase(c) in wanted - seen or match_over(c))
            client = table.newest()
            if match_over(client):
                await table.host.do(m.Propose(0, m.Proposal.REMATCH))
                for person in table.people[1:]:
                    await person.do(m.Consent(0, agree=True))
                continue
            seen.add(phase(client))
            await killed_and_back(served, table)
        # And the match goes on to its end.
        await table.play(until=match_over)
        await killed_and_back(served, table)
        assert await served.terminate() == 0
    assert served.stores() == []


async def test_an_action_sent_into_a_dying_server_is_done_once(tmp_path: Path) -> None:
    """Five kills, each right behind an action: never lost once acknowledged, never done twice."""
    async with serving(tmp_path / "data") as served, party(served.url, seed=9) as table:
        for person in table.people:
            await person.do(m.Ready(0))
        for _ in range(5):
            await table.agree()
            due = next(person for person in table.people if person.due)
            before = table.newest().seq
            async with task_of(due) as acting:
                await served.kill()
                await served.start()
                for person in table.people:
                    person.client.hurry()
                await acting
            await table.agree()
            assert table.newest().seq == before + 1
        assert table.newest().public is not None


def phase(client: TableClient) -> PhaseName:
    assert client.public is not None
    return client.public.phase


def in_phase(client: TableClient, wanted: PhaseName) -> bool:
    return phase(client) is wanted


def some_played(client: TableClient) -> bool:
    assert client.public is not None
    return sum(len(cards) for cards in client.public.played) > 20


def match_over(client: TableClient) -> bool:
    assert client.view is not None
    return client.view.stage is Stage.MATCH_OVER


@asynccontextmanager
async def task_of(person: Person) -> AsyncIterator[asyncio.Task[None]]:
    """What a person does, begun and sent, with its answer still to come."""
    task = asyncio.create_task(person.act())
    await asyncio.sleep(0)
    try:
        yield task
    finally:
        task.cancel()
