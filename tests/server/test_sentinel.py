"""The store behind sentinels: the contract, failovers, and what owners do about lost tails."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import quote

import pytest
import pytest_asyncio
from attrs import evolve

from guandan_protocol import messages as m
from guandan_protocol.codec import encode
from guandan_protocol.messages import Code
from guandan_server import roomstate
from guandan_server.actor import Actor, Tools
from guandan_server.errors import StoreRefused, StoreUnavailable, Trouble
from guandan_server.items import Act, Conn, Take
from guandan_server.keys import room_keys
from guandan_server.rooms import Rooms
from guandan_server.store import (
    Already,
    BadSeq,
    Claimed,
    Entry,
    Loaded,
    NoRoom,
    Ok,
    Store,
    Weakness,
)
from guandan_server.store_redis import RedisStore
from tests.server.clusters import (
    HOST,
    NAME,
    PASSWORD,
    Pair,
    Server,
    Watch,
    free_port,
    open_lossy,
    open_pair,
    open_stub,
    open_watch,
)
from tests.server.store_contract import ROOM, Backstage, StoreContract, create, play
from tests.server.test_actor import AnyBrains, Wires
from tests.server.waiting import until

# One set of sentinels and one loop for the file; every test begins with an empty store. Who breaks
# the set has one of their own.
pytestmark = pytest.mark.asyncio(loop_scope="module")

LOGIN = f":{quote(PASSWORD, safe='')}@"


class SentinelBackstage:
    def __init__(self, watch: Watch, store: RedisStore) -> None:
        self.watch = watch
        self.redis = store
        self.store: Store = store

    @property
    def primary(self) -> Server:
        return self.watch.pair.primary

    async def flush(self) -> None:
        await self.primary.ask("FLUSHALL")

    async def corrupt(self, room: str) -> None:
        await self.primary.ask("SETRANGE", room_keys(room).snap, 0, "X")

    async def lives_s(self, room: str) -> float:
        keys = room_keys(room)
        left = {await self.primary.ask("TTL", key) for key in (keys.meta, keys.snap)}
        if await self.primary.ask("EXISTS", keys.log):
            left.add(await self.primary.ask("TTL", keys.log))
        assert len(left) == 1
        return float(left.pop())

    async def forget_claim(self, room: str, fence: int) -> None:
        await self.primary.forget_claim(room, fence)

    @asynccontextmanager
    async def losing_a_reply(self) -> AsyncIterator[Store]:
        async with open_lossy(self.primary) as (proxy, port), pointed(port) as (store, _):
            proxy.losses = 1
            yield store
            assert proxy.losses == 0


class Pointer:
    """A sentinel that names whom we like, and counts how often it was asked."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.asked = 0

    def answer(self, command: list[bytes]) -> object:
        assert command == [b"SENTINEL", b"GET-MASTER-ADDR-BY-NAME", NAME.encode()]
        self.asked += 1
        return [HOST, str(self.port)]


@asynccontextmanager
async def pointed(port: int, *, deadline_s: float = 3.0) -> AsyncIterator[tuple[Store, Pointer]]:
    pointer = Pointer(port)
    async with open_stub(pointer.answer) as sentinel:
        url = f"redis+sentinel://{LOGIN}{HOST}:{sentinel}/{NAME}"
        async with RedisStore(url, deadline_s=deadline_s) as store:
            yield store, pointer


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def backstage_of_all(
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[SentinelBackstage]:
    async with (
        open_watch(tmp_path_factory.mktemp("watch")) as watch,
        RedisStore(watch.url) as store,
    ):
        yield SentinelBackstage(watch, store)


@pytest_asyncio.fixture(loop_scope="module")
async def empty(backstage_of_all: SentinelBackstage) -> SentinelBackstage:
    await backstage_of_all.flush()
    return backstage_of_all


class TestSentinelStore(StoreContract):
    @pytest.fixture
    def backstage(self, empty: SentinelBackstage) -> Backstage:
        return empty


# -- Finding the primary ----------------------------------------------------------------------


async def test_sentinels_that_are_dead_or_hang_are_passed_over(empty: SentinelBackstage) -> None:
    owner = await create(empty.store)
    hangs, answers, _ = empty.watch.sentinels
    ports = (free_port(), hangs.port, answers.port)  # nobody is at the first
    _, login, rest = empty.watch.url.partition(LOGIN)
    peers = ",".join(f"{HOST}:{port}" for port in ports)
    url = f"redis+sentinel://{login}{peers}/{rest.partition('/')[2]}"
    async with hangs.frozen(), RedisStore(url, socket_timeout_s=0.2) as store:
        assert await evolve(owner, store=store).commit(1) == Ok(1)


async def test_an_unknown_name_is_told_at_once(empty: SentinelBackstage) -> None:
    url = empty.watch.url.replace(f"/{NAME}?", "/another?")
    async with RedisStore(url) as store:
        with pytest.raises(StoreRefused, match="called another"):
            await store.load(ROOM)


@pytest.mark.parametrize("wrong", ["data", "sentinel"])
async def test_a_wrong_password_is_told_at_once(empty: SentinelBackstage, wrong: str) -> None:
    url = empty.watch.url
    url = url.replace(LOGIN, ":wrong@") if wrong == "data" else url.partition("?")[0]
    async with RedisStore(url) as store:
        with pytest.raises(StoreUnavailable) as caught:
            await store.load(ROOM)
        assert caught.value.trouble is Trouble.FORBIDDEN


async def test_nobody_there_is_unavailable() -> None:
    url = f"redis+sentinel://{HOST}:{free_port()}/{NAME}"
    async with RedisStore(url, deadline_s=0.1) as store:
        with pytest.raises(StoreUnavailable) as caught:
            await store.load(ROOM)
        assert caught.value.trouble is Trouble.CONNECTION


async def test_the_primary_is_inspected(empty: SentinelBackstage) -> None:
    assert await empty.redis.inspect() == (Weakness("min-replicas-to-write", "0", "1 or more"),)


# -- A primary that is none any more ----------------------------------------------------------


@pytest_asyncio.fixture(loop_scope="module")
async def pair(tmp_path: Path) -> AsyncIterator[Pair]:
    async with open_pair(tmp_path) as pair:
        yield pair


async def test_a_server_that_was_demoted_is_left_for_the_new_primary(pair: Pair) -> None:
    async with pointed(pair.primary.port) as (store, pointer):
        owner = await create(store)
        assert await owner.commit(1, action=play(1)) == Ok(1)
        await pair.swap()  # our connection lives, and leads to a replica now
        pointer.port = pair.primary.port
        assert await owner.commit(2, action=play(2)) == Ok(2)
        assert await owner.commit(3, action=play(3)) == Ok(3)
        assert pointer.asked == 2
        assert [entry.seq for entry in await store.log(ROOM)] == [1, 2, 3]
    assert await pair.primary.ask("XLEN", room_keys(ROOM).log) == 3


async def test_a_sentinel_that_slept_through_it_is_not_believed(pair: Pair) -> None:
    async with pointed(pair.primary.port, deadline_s=0.8) as (store, pointer):
        owner = await create(store)
        await pair.swap()
        with pytest.raises(StoreUnavailable) as caught:  # it still names the old one
            await owner.commit(1, action=play(1))
        assert caught.value.trouble is Trouble.READONLY
        async with pointed(pair.replica.port, deadline_s=0.1) as (reader, _):
            with pytest.raises(StoreUnavailable):  # who would read the past there
                await reader.load(ROOM)
        pointer.port = pair.primary.port
        assert await owner.commit(1, action=play(1)) == Ok(1)
        assert await store.log(ROOM) == (Entry(1, b"entry 1"),)


async def test_a_commit_whose_answer_died_with_the_primary_stands_once(pair: Pair) -> None:
    async with (
        open_lossy(pair.primary) as (proxy, port),
        pointed(port) as (store, pointer),
    ):
        owner = await create(store)
        await pair.in_step()
        proxy.losses = 1

        async def fail_over() -> None:
            await until(lambda: proxy.losses == 0)  # it was carried out
            await pair.in_step()
            await pair.primary.kill()
            await pair.replica.ask("REPLICAOF", "NO", "ONE")
            pointer.port = pair.replica.port

        # The line asks again at once, and may yet meet the old primary: it says the same.
        answer, _ = await asyncio.gather(owner.commit(1, action=play(1)), fail_over())
        assert answer == Already(1, owner.fence)
        assert await owner.commit(2, action=play(2)) == Ok(2)
        assert [entry.seq for entry in await store.log(ROOM)] == [1, 2]


# -- Failovers --------------------------------------------------------------------------------


async def test_what_the_replica_had_is_there_after_a_failover(tmp_path: Path) -> None:
    rooms = [f"R{n}" for n in range(8)]
    async with open_watch(tmp_path) as watch, RedisStore(watch.url) as store:
        owners = [await create(store, room) for room in rooms]
        for seq in range(1, 11):
            await asyncio.gather(*(owner.commit(seq, action=play(seq)) for owner in owners))
        await watch.pair.in_step()

        async def go_on(place: int) -> None:
            for seq in range(11, 21):
                answer = None
                while answer is None:
                    try:
                        answer = await owners[place].commit(seq)
                    except StoreUnavailable:
                        continue  # as a room does: the same again
                assert answer in (Ok(seq), Already(seq, owners[place].fence))

        await watch.kill()
        await asyncio.gather(watch.elect(), *map(go_on, range(len(rooms))))
        for room in rooms:
            expected = tuple(Entry(seq, f"entry {seq}".encode()) for seq in range(1, 21))
            assert await store.log(room) == expected
            loaded = await store.load(room)
            assert isinstance(loaded, Loaded)
            assert (loaded.seq, loaded.epoch) == (20, 1)


class Parlour:
    """A node's rooms on a real store, and one person at a table."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.wires = Wires()
        self.rooms = Rooms(Tools(store, self.wires, AnyBrains()), node="a", haste=1e6)
        self.conn = Conn(1)
        self.actor: Actor

    async def open(self) -> None:
        made = await self.rooms.create(m.Create(m.VERSION, "Ann", os.urandom(16)))
        self.actor = made.actor
        self.actor.put(Take(self.conn, made.seat, made.token))
        await until(lambda: self.wires.heard.get(self.conn))

    async def act(self, action: m.Action) -> m.ServerMessage:
        heard = self.wires.heard[self.conn]
        before = len(heard)
        assert self.actor.put(Act(self.conn, action, encode(action)))

        def answers() -> list[m.ServerMessage]:
            return [one for one in heard[before:] if isinstance(one, m.Done | m.Refused)]

        await until(answers, timeout_s=10)
        [answer] = answers()
        return answer


@asynccontextmanager
async def open_parlour(store: Store) -> AsyncIterator[Parlour]:
    parlour = Parlour(store)
    await parlour.open()
    try:
        yield parlour
    finally:
        await parlour.rooms.stop()


def pace(counter: int) -> m.Action:
    return m.SetPace(counter, 500 if counter % 2 else 1000)


async def test_the_owner_brings_back_what_the_replica_lacked(tmp_path: Path) -> None:
    async with (
        open_watch(tmp_path) as watch,
        RedisStore(watch.url) as store,
        open_parlour(store) as parlour,
    ):
        room, keys = parlour.actor.room, room_keys(parlour.actor.room.code)
        for n in (1, 2, 3):
            assert await parlour.act(pace(n)) == m.Done(n, n)
        await watch.pair.in_step()
        await watch.pair.part()
        for n in range(4, 9):
            assert await parlour.act(pace(n)) == m.Done(n, n)
        assert await watch.pair.replica.ask("HGET", keys.meta, "seq") == b"3"
        await watch.fail_over()
        assert await watch.pair.primary.ask("XLEN", keys.log) == 3

        assert await parlour.act(pace(9)) == m.Done(9, 9)
        heard = parlour.wires.heard[parlour.conn]
        assert not [one for one in heard if isinstance(one, m.Refused | m.Goodbye)]
        assert not parlour.wires.closed
        assert room.epoch == 1
        assert [entry.seq for entry in await store.log(room.code)] == list(range(1, 10))
        loaded = await store.load(room.code)
        assert isinstance(loaded, Loaded)
        assert (loaded.seq, loaded.epoch, loaded.fence) == (9, 1, parlour.actor.fence)
        assert roomstate.load(loaded.snapshot) == room.state


async def test_the_owner_brings_it_back_though_an_action_had_no_answer(tmp_path: Path) -> None:
    async with (
        open_watch(tmp_path) as watch,
        RedisStore(watch.url, deadline_s=1.0) as store,
        open_parlour(store) as parlour,
    ):
        room = parlour.actor.room
        assert await parlour.act(pace(1)) == m.Done(1, 1)
        await watch.pair.in_step()
        await watch.pair.part()
        for n in (2, 3):
            assert await parlour.act(pace(n)) == m.Done(n, n)
        await watch.kill()
        refused = await parlour.act(pace(4))
        assert isinstance(refused, m.Refused)
        assert (refused.code, refused.retry_ms is not None) == (Code.STORAGE_UNAVAILABLE, True)
        await watch.elect()

        assert await parlour.act(pace(4)) == m.Done(4, 4)
        assert not parlour.wires.closed
        assert room.epoch == 1
        assert [entry.seq for entry in await store.log(room.code)] == [1, 2, 3, 4]


async def test_without_its_owner_what_the_replica_lacked_is_gone_and_said_so(
    tmp_path: Path,
) -> None:
    async with open_watch(tmp_path) as watch, RedisStore(watch.url) as store:
        owner = await create(store)
        for seq in (1, 2, 3):
            assert await owner.commit(seq, action=play(seq)) == Ok(seq)
        await watch.pair.in_step()
        await watch.pair.part()
        for seq in (4, 5):
            assert await owner.commit(seq, action=play(seq)) == Ok(seq)
        await watch.fail_over()
        assert await owner.commit(6, action=play(6)) == BadSeq(head=3)
        claimed = await store.claim(ROOM, node="b", expect_fence=owner.fence, rewound=True)
        assert isinstance(claimed, Claimed)
        assert claimed.fence > owner.fence
        assert (claimed.epoch, claimed.seq) == (2, 3)
        assert await store.load("NOBODY") == NoRoom()
