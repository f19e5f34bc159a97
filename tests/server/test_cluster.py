"""The store on a cluster: the contract, and what befalls three real servers."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
import pytest_asyncio
from attrs import evolve

from guandan_server.errors import StoreRefused, StoreUnavailable, Trouble
from guandan_server.keys import room_keys
from guandan_server.store import Already, Entry, Loaded, NoRoom, Ok, Store, Weakness
from guandan_server.store_redis import RedisStore
from tests.server.clusters import (
    HOST,
    Cluster,
    Server,
    free_port,
    in_step,
    open_cluster,
    open_lossy,
    open_stub,
)
from tests.server.store_contract import ROOM, Backstage, Owner, StoreContract, create, play
from tests.server.waiting import until

# One cluster and one loop for the file; every test begins with an empty store. Tests outside of the
# contract may begin with servers in other parts than they had at first.
pytestmark = pytest.mark.asyncio(loop_scope="module")


class ClusterBackstage:
    def __init__(self, cluster: Cluster, store: RedisStore) -> None:
        self.cluster = cluster
        self.redis = store
        self.store: Store = store

    async def flush(self) -> None:
        await self.cluster.flush()

    async def corrupt(self, room: str) -> None:
        holder = await self.cluster.holder(room)
        await holder.ask("SETRANGE", room_keys(room).snap, 0, "X")

    async def lives_s(self, room: str) -> float:
        holder, keys = await self.cluster.holder(room), room_keys(room)
        left = {await holder.ask("TTL", key) for key in (keys.meta, keys.snap)}
        if await holder.ask("EXISTS", keys.log):
            left.add(await holder.ask("TTL", keys.log))
        assert len(left) == 1
        return float(left.pop())

    async def forget_claim(self, room: str, fence: int) -> None:
        holder = await self.cluster.holder(room)
        await holder.forget_claim(room, fence)

    @asynccontextmanager
    async def losing_a_reply(self) -> AsyncIterator[Store]:
        async with AsyncExitStack() as stack:
            holder = await self.cluster.holder(ROOM)
            shares = []
            for first, last, server in await self.cluster.shares():
                proxy, port = await stack.enter_async_context(open_lossy(server))
                shares.append([first, last, [HOST, port, "id"]])
                if server is holder:
                    lossy = proxy
            # Who is asked for the slots sends everybody through the proxies.
            guide = await stack.enter_async_context(open_stub(lambda _: shares))
            store = await stack.enter_async_context(RedisStore(f"redis+cluster://{HOST}:{guide}"))
            lossy.losses = 1
            yield store
            assert lossy.losses == 0


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def backstage_of_all(
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[ClusterBackstage]:
    async with (
        open_cluster(tmp_path_factory.mktemp("cluster")) as cluster,
        RedisStore(cluster.url) as store,
    ):
        yield ClusterBackstage(cluster, store)


@pytest_asyncio.fixture(loop_scope="module")
async def empty(backstage_of_all: ClusterBackstage) -> ClusterBackstage:
    await backstage_of_all.flush()
    return backstage_of_all


@pytest_asyncio.fixture(loop_scope="module")
async def healed(backstage_of_all: ClusterBackstage) -> AsyncIterator[ClusterBackstage]:
    """For who breaks something: everybody lives and has what there is, before and after."""
    await backstage_of_all.cluster.heal()
    await backstage_of_all.flush()
    yield backstage_of_all
    await backstage_of_all.cluster.heal()


class TestClusterStore(StoreContract):
    @pytest.fixture
    def backstage(self, empty: ClusterBackstage) -> Backstage:
        return empty


# -- Who has what -----------------------------------------------------------------------------


async def room_at_each(cluster: Cluster) -> list[str]:
    return [await cluster.room_of(server) for server in await cluster.primaries()]


async def test_each_primary_has_its_rooms_and_all_are_one_store(empty: ClusterBackstage) -> None:
    codes = [f"R{n}" for n in range(40)]
    owners = await asyncio.gather(*(create(empty.store, code) for code in codes))
    await asyncio.gather(*(owner.commit(1, action=play(1)) for owner in owners))
    found = set()
    for code in codes:
        holder = await empty.cluster.holder(code)
        found.add(holder.port)
        keys = room_keys(code)
        assert await holder.ask("EXISTS", keys.meta, keys.log, keys.snap) == 3
    assert len(found) == 3
    assert sorted((await empty.store.rooms()).rooms) == sorted(codes)


async def test_any_one_server_leads_to_all(empty: ClusterBackstage) -> None:
    [server, *_] = await empty.cluster.primaries()
    seeds = f"{HOST}:{free_port()},{HOST}:{server.port}"  # nobody is at the first
    async with RedisStore(f"redis+cluster://{seeds}") as store:
        for room in await room_at_each(empty.cluster):
            assert await (await create(store, room)).commit(1) == Ok(1)


async def test_nobody_there_is_unavailable() -> None:
    async with RedisStore(f"redis+cluster://{HOST}:{free_port()}", deadline_s=0.1) as store:
        with pytest.raises(StoreUnavailable) as caught:
            await store.load(ROOM)
        assert caught.value.trouble is Trouble.CONNECTION
        assert store.outage is not None


async def test_a_cluster_that_is_called_one_server_is_told_apart(empty: ClusterBackstage) -> None:
    first, second, _ = await empty.cluster.primaries()
    async with RedisStore(f"redis://{HOST}:{first.port}") as store:
        with pytest.raises(StoreRefused, match=r"redis\+cluster://"):
            await store.load(await empty.cluster.room_of(second))


async def test_scripts_flushed_on_one_server_are_loaded_again(empty: ClusterBackstage) -> None:
    owners = [await create(empty.store, room) for room in await room_at_each(empty.cluster)]
    for seq, server in enumerate(await empty.cluster.primaries(), 1):
        await server.ask("SCRIPT", "FLUSH")
        answers = await asyncio.gather(*(owner.commit(seq, action=play(seq)) for owner in owners))
        assert answers == [Ok(seq)] * 3


async def test_every_primary_is_inspected(empty: ClusterBackstage) -> None:
    cluster = empty.cluster
    server, behind = await cluster.replicated(), await cluster.replica()
    await cluster.witness.ask("CONFIG", "SET", "appendfsync", "everysec")
    try:
        assert set(await empty.redis.inspect()) == {
            Weakness(f"min-replicas-to-write on {HOST}:{server.port}", "0", "1 or more"),
            Weakness(f"appendfsync on {HOST}:{cluster.witness.port}", "everysec", "always"),
        }
    finally:
        await cluster.witness.ask("CONFIG", "SET", "appendfsync", "always")
    assert behind not in await cluster.primaries()


# -- Servers that die -------------------------------------------------------------------------

SEQS = range(1, 31)


class Hands:
    """Rooms on all servers that go on whatever happens, each one action after the other."""

    def __init__(self, store: Store, rooms: Sequence[str]) -> None:
        self._store = store
        self.rooms = rooms
        self.stored = dict.fromkeys(rooms, 0)
        self.wait_at: dict[int, Callable[[], Awaitable[object]]] = {}
        """Before the commit of this number, each room waits for this."""

    async def play(self) -> None:
        await asyncio.gather(*map(self._play, self.rooms))

    async def _play(self, room: str) -> None:
        owner = await create(self._store, room)
        for seq in SEQS:
            if seq in self.wait_at:
                await self.wait_at[seq]()
            action = play(seq) if seq % 3 else None
            answer = None
            while answer is None:
                try:
                    answer = await owner.commit(seq, action=action)
                except StoreUnavailable:
                    continue  # as a room does: the same again
            assert answer in (Ok(seq), Already(seq, owner.fence))
            self.stored[room] = seq

    async def check(self) -> None:
        for room in self.rooms:
            expected = tuple(Entry(seq, f"entry {seq}".encode()) for seq in SEQS)
            assert await self._store.log(room) == expected
            loaded = await self._store.load(room)
            assert isinstance(loaded, Loaded)
            assert loaded.seq == SEQS[-1]


async def test_a_primary_is_killed_and_started_among_commits(healed: ClusterBackstage) -> None:
    hands = Hands(healed.store, [f"R{n}" for n in range(12)])
    victim = await healed.cluster.replicated()

    async def kill_and_start() -> None:
        await until(lambda: max(hands.stored.values()) >= 10)
        await victim.kill()
        await victim.start()

    await asyncio.gather(hands.play(), kill_and_start())
    await hands.check()


async def test_a_primary_dies_among_commits_and_its_replica_takes_over(
    healed: ClusterBackstage,
) -> None:
    hands = Hands(healed.store, [f"R{n}" for n in range(12)])
    victim, heir = await healed.cluster.replicated(), await healed.cluster.replica()
    taken_over = asyncio.Event()
    hands.wait_at[15] = taken_over.wait

    async def kill_and_promote() -> None:
        # A replica may lack what was acknowledged a moment ago. Here it has all of it: what an
        # owner does about what it lacks is for test_sentinel to show.
        await until(lambda: min(hands.stored.values()) == 14)
        await until(lambda: in_step(victim, heir))
        await victim.kill()
        taken_over.set()
        await heir.ask("CLUSTER", "FAILOVER", "TAKEOVER")

    await asyncio.gather(hands.play(), kill_and_promote())
    await hands.check()


async def test_a_dead_servers_rooms_are_unavailable_until_their_slot_moves(
    healed: ClusterBackstage,
) -> None:
    victim, heir = await healed.cluster.replicated(), await healed.cluster.replica()
    rooms = [await healed.cluster.room_of(one) for one in (victim, healed.cluster.witness)]
    dead, alive = [await create(healed.store, room) for room in rooms]
    assert await dead.commit(1, action=play(1)) == Ok(1)
    await until(lambda: in_step(victim, heir))
    await victim.kill()
    async with RedisStore(healed.cluster.url, deadline_s=0.3) as store:
        with pytest.raises(StoreUnavailable) as caught:
            await evolve(dead, store=store).commit(2, action=play(2))
        assert caught.value.trouble is Trouble.CONNECTION
        assert await evolve(alive, store=store).commit(1, action=play(1)) == Ok(1)
        assert store.outage is None  # most of it works
        await heir.ask("CLUSTER", "FAILOVER", "TAKEOVER")
        await until(lambda: moved(healed.cluster, dead.room, heir))
        assert await evolve(dead, store=store).commit(2, action=play(2)) == Ok(2)
        assert await evolve(dead, store=store).commit(2, action=play(2)) == Already(2, dead.fence)


async def moved(cluster: Cluster, room: str, server: Server) -> bool:
    return await cluster.holder(room) is server


async def test_a_server_that_hangs_holds_up_its_own_rooms_and_loses_them(
    healed: ClusterBackstage,
) -> None:
    victim, heir = await healed.cluster.replicated(), await healed.cluster.replica()
    rooms = [await healed.cluster.room_of(one) for one in (victim, healed.cluster.witness)]
    async with RedisStore(healed.cluster.url, socket_timeout_s=1.0) as store:
        stuck, free = [await create(store, room) for room in rooms]
        assert await stuck.commit(1, action=play(1)) == Ok(1)
        await until(lambda: in_step(victim, heir))
        async with victim.frozen():
            waits = asyncio.create_task(stuck.commit(2, action=play(2)))
            for seq in range(1, 6):
                assert await free.commit(seq) == Ok(seq)
            assert not waits.done()
            await heir.ask("CLUSTER", "FAILOVER", "TAKEOVER")
            assert await waits == Ok(2)
        # The old one wakes with our commit in its ears, and is told that it is no primary.
        await healed.cluster.heal()
        assert await store.log(stuck.room) == (Entry(1, b"entry 1"), Entry(2, b"entry 2"))


# -- Slots that move --------------------------------------------------------------------------


async def test_a_room_is_played_while_its_slot_moves(empty: ClusterBackstage) -> None:
    cluster = empty.cluster
    source = await cluster.replicated()
    [target] = [one for one in await cluster.primaries() if one not in (source, cluster.witness)]
    room = await cluster.room_of(source)
    slot, keys = await cluster.slot(room), room_keys(room)
    ids = {one: (await one.ask("CLUSTER", "MYID")).decode() for one in (source, target)}
    for one in (source, target):
        await one.ask("CONFIG", "RESETSTAT")
    await target.ask("SCRIPT", "FLUSH")

    async def migrate(*names: str) -> None:
        await source.ask("MIGRATE", HOST, target.port, "", 0, 1000, "KEYS", *names)

    async def settle(at: Server) -> None:
        for one in (target, source, cluster.witness):
            await one.ask("CLUSTER", "SETSLOT", slot, "NODE", ids[at])
        await until(lambda: moved(cluster, room, at))

    owner = await create(empty.store, room)
    assert await owner.commit(1, action=play(1)) == Ok(1)
    await target.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", ids[source])
    await source.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", ids[target])
    try:
        assert await owner.commit(2, action=play(2)) == Ok(2)  # it is still all at the source

        await migrate(keys.meta)
        split = asyncio.create_task(owner.commit(3, action=play(3)))
        await until(lambda: has_met(source, "TRYAGAIN"))
        await migrate(keys.log, keys.snap)
        assert await split == Ok(3)
        assert await owner.commit(4, action=play(4)) == Ok(4)
        assert await owner.commit(4, action=play(4)) == Already(4, owner.fence)
        assert await has_met(source, "ASK")
        assert await target.ask("CLUSTER", "COUNTKEYSINSLOT", slot) == 3
        assert not await has_met(source, "MOVED")

        await settle(target)
        assert await owner.commit(5, action=play(5)) == Ok(5)
        assert await has_met(source, "MOVED")
        loaded = await empty.store.load(room)
        assert isinstance(loaded, Loaded)
        assert loaded.seq == 5
        assert [entry.seq for entry in await empty.store.log(room)] == [1, 2, 3, 4, 5]
    finally:
        await cluster.flush()
        await settle(source)


async def has_met(server: Server, error: str) -> bool:
    return f"errorstat_{error}" in await server.ask("INFO", "ERRORSTATS")


# -- Owners -----------------------------------------------------------------------------------


async def test_claims_by_way_of_all_servers_have_one_winner(empty: ClusterBackstage) -> None:
    async with AsyncExitStack() as stack:
        stores = [
            await stack.enter_async_context(RedisStore(f"redis+cluster://{HOST}:{one.port}"))
            for one in empty.cluster.servers
        ]
        owner: Owner = await create(empty.store)
        for _ in range(10):
            answers = await asyncio.gather(
                *(
                    store.claim(ROOM, node=f"node-{n}", expect_fence=owner.fence)
                    for n, store in enumerate(stores)
                )
            )
            fences = [answer.fence for answer in answers if not isinstance(answer, NoRoom)]
            assert len(set(fences)) == 1
            assert [type(answer).__name__ for answer in answers].count("Claimed") == 1
            owner = evolve(owner, fence=fences[0])
