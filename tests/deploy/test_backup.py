"""A copy of the data directory, made while people play, is a table to go on from."""

from __future__ import annotations

import asyncio
from pathlib import Path

from guandan_protocol import messages as m
from guandan_protocol.client import TableClient
from guandan_protocol.messages import Settings
from tests.e2e.players import Person, party
from tests.e2e.serving import serving


async def test_a_copy_made_in_the_middle_of_a_match_opens(tmp_path: Path) -> None:
    async with (
        serving(tmp_path / "data") as served,
        party(served.url, settings=Settings(grace_s=600)) as table,
    ):
        for person in table.people:
            await person.do(m.Ready(0))
        await table.play(until=lambda client: client.seq > 20)
        copied_at = table.newest().seq
        copying = await asyncio.create_subprocess_exec(
            "cp", "-a", str(tmp_path / "data"), str(tmp_path / "copy")
        )
        await table.play(until=lambda client: client.seq > copied_at + 20)
        assert await copying.wait() == 0
        room, token = table.host.client.room, table.host.client.token
        played_to = table.newest().seq
    async with (
        serving(tmp_path / "copy") as again,
        TableClient(again.url, m.Resume(m.VERSION, room, token)) as client,
    ):
        ann = Person(client, seed=1)
        task = asyncio.create_task(ann.follow())
        await ann.until(lambda: client.view is not None or client.ended is not None)
        task.cancel()
        assert client.ended is None
        assert copied_at <= client.seq <= played_to
        assert client.private is not None
