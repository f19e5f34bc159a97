"""Several nodes on one store: all of them killed, one restarted, one that misses a beat."""

from __future__ import annotations

import hashlib
import signal
from pathlib import Path

from redis.asyncio import Redis

from guandan_engine.commands import StartHand
from guandan_engine.views import PhaseName
from guandan_protocol import messages as m
from guandan_protocol.client import TableClient
from guandan_protocol.lobby import list_rooms
from guandan_protocol.messages import Settings, Visibility
from guandan_server.embedded import EmbeddedStore
from guandan_server.house import BEAT_MS, BEAT_TTL_MS
from guandan_server.journal import commands_in
from guandan_server.keys import node_key
from guandan_server.store import Loaded
from guandan_server.store_redis import RedisStore
from tests.e2e.players import Party, party
from tests.e2e.proxy import proxy
from tests.e2e.serving import START_S
from tests.e2e.test_kill import state_of
from tests.e2e.test_nodes import store, two_nodes  # noqa: F401  `store` is a fixture
from tests.server.waiting import until

QUIET = Settings(grace_s=600)


async def started(table: Party, *, seq: int = 8) -> None:
    for person in table.people:
        await person.do(m.Ready(0))
    await table.play(until=lambda client: client.seq > seq)


async def head(at: RedisStore, table: Party) -> Loaded:
    loaded = await at.load(table.host.client.room)
    assert isinstance(loaded, Loaded)
    return loaded


async def test_the_owner_is_killed_in_the_lobby_and_another_deals_what_was_committed_to(
    store: EmbeddedStore,  # noqa: F811  the fixture
    tmp_path: Path,
) -> None:
    async with (
        two_nodes(store, tmp_path) as (one, two),
        RedisStore(store.url) as redis,
        proxy(one.port) as front,
        party(front.url, settings=QUIET) as table,
    ):
        await table.agree()
        before, owned = [state_of(p.client) for p in table.people], await head(redis, table)
        welcomes = [person.welcomes for person in table.people]
        view = table.host.client.view
        assert view is not None
        commitment = view.commitment
        front.turn_to(two.port)
        one.process.send_signal(signal.SIGKILL)
        await one.process.wait()
        for person, count in zip(table.people, welcomes, strict=True):
            await person.until(lambda: person.welcomes > count)  # noqa: B023  awaited at once
        await table.agree()
        assert [state_of(person.client) for person in table.people] == before
        taken = await head(redis, table)
        assert (owned.node, taken.node) == ("a", "b")
        assert taken.fence > owned.fence
        # The deal is the one that was committed to at the first node, and there is one.
        await started(table)
        public = table.host.client.public
        assert public is not None
        assert public.phase in (PhaseName.LEADING, PhaseName.FOLLOWING)
        log = await redis.log(table.host.client.room)
        commands = [command for entry in log for command in commands_in(entry.body)]
        (deal,) = [command for command in commands if isinstance(command, StartHand)]
        assert hashlib.sha256(deal.seed).digest() == commitment


async def test_all_nodes_are_killed_and_one_is_started(
    store: EmbeddedStore,  # noqa: F811  the fixture
    tmp_path: Path,
) -> None:
    async with (
        two_nodes(store, tmp_path) as (one, two),
        proxy(one.port) as first_front,
        proxy(two.port) as second_front,
        party(first_front.url, settings=QUIET) as lobby,
        party(first_front.url, settings=QUIET, seed=10) as at_one,
        party(second_front.url, settings=QUIET, seed=20) as at_two,
    ):
        tables = (lobby, at_one, at_two)
        await started(at_one)
        await started(at_two)
        before, welcomes = [], []
        for table in tables:
            await table.agree()
            before += [state_of(person.client) for person in table.people]
            welcomes += [person.welcomes for person in table.people]
        for node in (one, two):
            node.process.send_signal(signal.SIGKILL)
        for node in (one, two):
            await node.process.wait()
        first_front.turn_to(two.port)
        await two.start()
        everybody = [person for table in tables for person in table.people]
        for person, count in zip(everybody, welcomes, strict=True):
            person.client.hurry()
            await person.until(lambda: person.welcomes > count)  # noqa: B023  awaited at once
        for table in tables:
            await table.agree()
        assert [state_of(person.client) for person in everybody] == before
        for table in (at_one, at_two):
            seq = table.newest().seq
            await table.play(until=lambda client: client.seq > seq + 8)  # noqa: B023  awaited at once


async def test_a_beat_that_is_missed_hides_no_room_and_costs_nobody_anything(
    store: EmbeddedStore,  # noqa: F811  the fixture
    tmp_path: Path,
) -> None:
    settings = Settings(grace_s=600, clock_s=60, visibility=Visibility.PUBLIC)
    async with (
        two_nodes(store, tmp_path) as (one, two),
        party(one.url, settings=settings) as table,
        Redis.from_url(store.url) as redis,
        RedisStore(store.url) as rooms,
    ):
        await started(table)
        before = await head(rooms, table)

        async def has_missed_one() -> bool:
            return await redis.pttl(node_key("a")) < BEAT_TTL_MS - 1.5 * BEAT_MS

        one.process.send_signal(signal.SIGSTOP)
        try:
            await until(has_missed_one, timeout_s=START_S)
            listed = [line.room for line in await list_rooms(two.url)]
            assert listed == [table.host.client.room]
        finally:
            one.process.send_signal(signal.SIGCONT)
        await table.play(until=lambda client: client.seq > before.seq + 8)
        assert (await head(rooms, table)).fence == before.fence
        assert {person.welcomes for person in table.people} == {1}
        view = table.host.client.view
        assert view is not None
        assert not any(seat.control is m.Control.STAND_IN for seat in view.seats)


async def test_nothing_is_published_and_nobody_subscribes(
    store: EmbeddedStore,  # noqa: F811  the fixture
    tmp_path: Path,
) -> None:
    """What no message channel carries cannot be lost on one, and keeps no room alive."""
    async with (
        two_nodes(store, tmp_path) as (one, two),
        party(one.url, settings=QUIET) as table,
        party(two.url, settings=QUIET, seed=9) as other,
        Redis.from_url(store.url) as redis,
    ):
        await started(table)
        await started(other)
        async with TableClient(two.url, m.Watch(m.VERSION, table.host.client.room)) as eye:
            async for _ in eye:
                break  # sent on to the owner, and welcomed there
        commands = await redis.info("commandstats")
        assert "cmdstat_evalsha" in commands
        assert not [name for name in commands if "subscribe" in name or "publish" in name]
        assert await redis.pubsub_channels() == []
        clients = await redis.client_list()
        assert len(clients) > 2
        assert {(one["sub"], one["psub"]) for one in clients} == {("0", "0")}
