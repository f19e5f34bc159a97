"""The stores: the contract for each, and what only the one on Redis has to survive."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from attrs import evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from redis import exceptions as redis_errors
from redis.asyncio import Redis

from guandan_server.embedded import EmbeddedStore
from guandan_server.errors import (
    Fenced,
    NotDurable,
    RoomGone,
    SnapshotCorrupt,
    StoreError,
    StoreRefused,
    StoreUnavailable,
    Trouble,
)
from guandan_server.keys import public_key, public_shard, room_keys
from guandan_server.line import translate
from guandan_server.store import (
    Already,
    Claimed,
    Created,
    Entry,
    Loaded,
    Lost,
    NoRoom,
    Ok,
    Record,
    Store,
    Weakness,
)
from guandan_server.store_memory import Fault, MemoryStore
from guandan_server.store_redis import RedisStore
from tests.server.backstage import MemoryBackstage, RedisBackstage
from tests.server.store_contract import (
    ROOM,
    TTL_S,
    Backstage,
    Owner,
    StoreContract,
    create,
    play,
)
from tests.server.waiting import until

# One server and one loop for the file; every test begins with an empty store.
pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def real(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[RedisBackstage]:
    async with (
        EmbeddedStore(tmp_path_factory.mktemp("store")) as embedded,
        RedisStore(embedded.url) as store,
        Redis.from_url(embedded.url) as admin,
    ):
        yield RedisBackstage(embedded, store, admin)


@pytest_asyncio.fixture(loop_scope="module")
async def empty(real: RedisBackstage) -> RedisBackstage:
    await real.flush()
    return real


class TestMemoryStore(StoreContract):
    @pytest.fixture
    def backstage(self) -> Backstage:
        return MemoryBackstage()

    async def test_a_room_dies_when_its_time_is_over(self) -> None:
        backstage = MemoryBackstage()
        owner = await create(backstage.store)
        await owner.commit(1, record=Record(1, b"won", ttl_s=2 * TTL_S))
        backstage.now_s = TTL_S - 1
        assert isinstance(await backstage.store.load(ROOM), Loaded)
        backstage.now_s = TTL_S
        assert await owner.commit(2) == NoRoom()
        assert await backstage.store.records(ROOM) == (1,)
        backstage.now_s = 2 * TTL_S
        assert await backstage.store.records(ROOM) == ()

    async def test_a_fault_to_order(self) -> None:
        asked: list[tuple[str, str]] = []

        async def faults(method: str, room: str) -> Fault:
            asked.append((method, room))
            return Fault.NOT_DONE

        store = MemoryStore(clock=lambda: 0.0)
        owner = await create(store)
        store.faults = faults
        with pytest.raises(StoreUnavailable, match="not done"):
            await owner.commit(1)
        assert asked == [("commit", ROOM)]
        assert await MemoryBackstage().store.log(ROOM) == ()

    async def test_a_heart_that_stops_is_noticed(self) -> None:
        backstage = MemoryBackstage()
        await backstage.store.beat("a", "ws://a", ttl_ms=3_000)
        backstage.now_s = 3
        assert await backstage.store.node_url("a") is None
        assert await backstage.store.nodes() == ("a",)


class TestRedisStore(StoreContract):
    @pytest.fixture
    def backstage(self, empty: RedisBackstage) -> Backstage:
        return empty

    async def test_a_heart_that_stops_is_noticed(self, store: Store) -> None:
        await store.beat("a", "ws://a", ttl_ms=1)

        async def silent() -> bool:
            return await store.node_url("a") is None

        await until(silent)
        assert await store.nodes() == ("a",)


# -- The two agree ----------------------------------------------------------------------------

seat_keys = st.sampled_from(["seat-1", "seat-2"])
fences = st.integers(0, 3)  # the first that was given, the second …
moves = st.one_of(
    st.tuples(st.just("claim"), fences, st.booleans()),
    st.tuples(st.just("delete"), fences),
    st.tuples(
        st.just("commit"),
        fences,
        st.integers(1, 6),  # seq
        st.none() | st.tuples(seat_keys, st.integers(1, 3), st.sampled_from([b"x", b"y"])),
        st.lists(seat_keys, max_size=1).map(tuple),  # forget
        st.integers(0, 5),  # trim
    ),
    st.tuples(st.just("create")),
)


class Player:
    """Makes moves on a store; fences are told by the order in which they were given."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.fences: list[int] = []

    async def make(self, move: tuple[object, ...]) -> object:
        answer = await self._make(move)
        if isinstance(answer, Created | Claimed):
            assert answer.fence > max(self.fences, default=0)
            self.fences.append(answer.fence)
        return self._counted(answer)

    async def load(self) -> object:
        return self._counted(await self.store.load(ROOM))

    def _counted(self, answer: Any) -> object:
        if not hasattr(answer, "fence"):
            return answer
        return evolve(answer, fence=self.fences.index(answer.fence))

    def _fence(self, number: int) -> int:
        return self.fences[number] if number < len(self.fences) else 2**50 + number

    async def _make(self, move: tuple[object, ...]) -> object:
        match move:
            case ("create",):
                return await self.store.create(
                    ROOM, node="a", snapshot=b"0", public=True, ttl_s=TTL_S
                )
            case ("claim", int(number), bool(rewound)):
                return await self.store.claim(
                    ROOM, node="b", expect_fence=self._fence(number), rewound=rewound
                )
            case ("delete", int(number)):
                return await self.store.delete(ROOM, fence=self._fence(number))
            case ("commit", int(number), int(seq), acted, tuple(forget), int(trim_through)):
                action = None
                if isinstance(acted, tuple):
                    seat_key, counter, body = acted
                    action = play(counter, body, seat_key=seat_key)
                owner = Owner(self.store, self._fence(number))
                return await owner.commit(
                    seq, action=action, forget=forget, trim_through=trim_through
                )
            case _:
                raise AssertionError(move)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(moves, max_size=25))
async def test_both_stores_give_the_same_answers(
    real: RedisBackstage, script: list[tuple[object, ...]]
) -> None:
    await real.flush()
    memory, redis = Player(MemoryBackstage().store), Player(real.store)
    for move in [("create",), *script]:
        assert await memory.make(move) == await redis.make(move)
        assert await memory.load() == await redis.load()
    assert await memory.store.log(ROOM) == await redis.store.log(ROOM)
    assert await memory.store.rooms() == await redis.store.rooms()


# -- Sending again ----------------------------------------------------------------------------


async def test_flushed_scripts_are_loaded_again(empty: RedisBackstage) -> None:
    owner = await create(empty.store)
    await empty.admin.script_flush()
    answer, loaded = await asyncio.gather(
        owner.commit(1, action=play(1)), empty.store.load("NOBODY")
    )
    assert answer == Ok(1)
    assert loaded == NoRoom()


async def test_a_claim_whose_reply_was_lost_is_ours(empty: RedisBackstage) -> None:
    owner = await create(empty.store)
    async with empty.losing_a_reply() as store:
        claimed = await store.claim(ROOM, node="b", expect_fence=owner.fence)
    assert isinstance(claimed, Claimed)
    lost = await empty.store.claim(ROOM, node="c", expect_fence=owner.fence)
    assert lost == Lost(claimed.fence, node="b")


async def test_a_room_whose_reply_was_lost_is_ours(empty: RedisBackstage) -> None:
    async with empty.losing_a_reply() as store:
        made = await store.create(ROOM, node="a", snapshot=b"", public=False, ttl_s=TTL_S)
    assert isinstance(made, Created)


async def test_claims_over_many_connections_have_one_winner(empty: RedisBackstage) -> None:
    owner = await create(empty.store)
    stores = [RedisStore(empty.embedded.url) for _ in range(5)]
    for store in stores:
        await store.__aenter__()
    fence = owner.fence
    for _ in range(20):
        answers = await asyncio.gather(
            *(
                store.claim(ROOM, node=f"node-{n}", expect_fence=fence)
                for n, store in enumerate(stores)
            )
        )
        (claimed,) = [answer for answer in answers if isinstance(answer, Claimed)]
        fence = claimed.fence
    for store in stores:
        await store.close()


async def test_kill_9_of_the_store_among_commits_loses_nothing(tmp_path: Path) -> None:
    rooms, seqs = [f"R{n}" for n in range(16)], range(1, 41)
    async with EmbeddedStore(tmp_path) as embedded, RedisStore(embedded.url) as store:
        progress = dict.fromkeys(rooms, 0)

        async def hand(room: str) -> None:
            owner = await create(store, room)
            for seq in seqs:
                action = play(seq) if seq % 3 else None
                answer = await owner.commit(seq, action=action)
                assert answer in (Ok(seq), Already(seq, owner.fence))
                progress[room] = seq

        async def kill_when(done: int) -> None:
            await until(lambda: max(progress.values()) >= done)
            os.kill(embedded.pid, signal.SIGKILL)

        async def killer() -> None:
            await kill_when(10)
            await kill_when(20)

        await asyncio.gather(killer(), *map(hand, rooms))
        for room in rooms:
            assert await store.log(room) == tuple(
                Entry(seq, f"entry {seq}".encode()) for seq in seqs
            )
            assert isinstance(await store.load(room), Loaded)


# -- When it does not answer ------------------------------------------------------------------


@asynccontextmanager
async def impatient(backstage: RedisBackstage) -> AsyncIterator[RedisStore]:
    async with RedisStore(backstage.embedded.url, deadline_s=0.3, socket_timeout_s=0.1) as store:
        yield store


async def test_a_stall_within_the_deadline_is_only_late(empty: RedisBackstage) -> None:
    owner = await create(empty.store)
    os.kill(empty.embedded.pid, signal.SIGSTOP)
    asyncio.get_running_loop().call_later(0.05, os.kill, empty.embedded.pid, signal.SIGCONT)
    assert await owner.commit(1, action=play(1)) == Ok(1)


async def test_a_longer_stall_is_unavailable_and_the_same_call_settles_it(
    empty: RedisBackstage,
) -> None:
    owner = await create(empty.store)
    async with impatient(empty) as store:
        os.kill(empty.embedded.pid, signal.SIGSTOP)
        try:
            with pytest.raises(StoreUnavailable) as caught:
                await evolve(owner, store=store).commit(1, action=play(1))
            assert caught.value.trouble is Trouble.TIMEOUT
            assert store.outage is not None
        finally:
            os.kill(empty.embedded.pid, signal.SIGCONT)
        assert await evolve(owner, store=store).commit(1, action=play(1)) in (
            Ok(1),
            Already(1, owner.fence),
        )
        assert store.outage is None
    assert await empty.store.log(ROOM) == (Entry(1, b"entry 1"),)


async def test_nobody_there_is_unavailable(tmp_path: Path) -> None:
    async with RedisStore(f"unix://{tmp_path}/nobody.sock", deadline_s=0.1) as store:
        with pytest.raises(StoreUnavailable) as caught:
            await store.load(ROOM)
        assert caught.value.trouble is Trouble.CONNECTION
        assert caught.value.retry_after_ms > 0


async def test_a_replica_is_waited_out(empty: RedisBackstage) -> None:
    owner = await create(empty.store)
    async with impatient(empty) as store:
        await empty.admin.replicaof("127.0.0.1", "1")
        try:
            with pytest.raises(StoreUnavailable) as caught:
                await evolve(owner, store=store).commit(1)
            assert caught.value.trouble is Trouble.READONLY
        finally:
            await empty.admin.replicaof("NO", "ONE")
        assert await evolve(owner, store=store).commit(1) == Ok(1)


@pytest.mark.parametrize(
    ("setting", "bad", "good", "trouble"),
    [
        ("maxmemory", "1", "0", Trouble.OUT_OF_MEMORY),
        ("min-replicas-to-write", "1", "0", Trouble.NO_REPLICAS),
    ],
)
async def test_a_refusal_writes_nothing(
    empty: RedisBackstage, setting: str, bad: str, good: str, trouble: Trouble
) -> None:
    owner = await create(empty.store)
    before = await empty.store.load(ROOM)
    await empty.admin.config_set(setting, bad)
    try:
        with pytest.raises(StoreUnavailable) as caught:
            await owner.commit(1, action=play(1), record=Record(1, b"won", ttl_s=TTL_S))
        assert caught.value.trouble is trouble
    finally:
        await empty.admin.config_set(setting, good)
    assert await empty.store.load(ROOM) == before
    assert await empty.store.log(ROOM) == ()
    assert await empty.store.records(ROOM) == ()
    assert await owner.commit(1, action=play(1)) == Ok(1)


async def test_a_wrong_password_is_told_at_once(empty: RedisBackstage) -> None:
    url = empty.embedded.url.replace("unix://", "unix://someone:wrong@")
    async with RedisStore(url) as store:
        with pytest.raises(StoreUnavailable) as caught:
            await store.load(ROOM)
        assert caught.value.trouble is Trouble.FORBIDDEN


async def test_a_key_of_another_kind_is_refused_for_good(empty: RedisBackstage) -> None:
    await empty.admin.set(room_keys(ROOM).meta, "not a hash")
    with pytest.raises(StoreRefused, match="WRONGTYPE"):
        await Owner(empty.store, fence=1).commit(1)


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        ("LOADING server is loading the dataset in memory", Trouble.LOADING),
        ("READONLY You can't write against a read only replica.", Trouble.READONLY),
        ("BUSY A script is running. You can only call SCRIPT KILL", Trouble.BUSY),
        ("CLUSTERDOWN Hash slot not served", Trouble.CLUSTER_DOWN),
        ("MASTERDOWN Link with MASTER is down", Trouble.CLUSTER_DOWN),
        ("OOM command not allowed when used memory > 'maxmemory'", Trouble.OUT_OF_MEMORY),
        ("MISCONF Errors writing to the AOF file: No space left", Trouble.CANNOT_PERSIST),
        ("NOREPLICAS Not enough good replicas to write", Trouble.NO_REPLICAS),
        ("NOAUTH Authentication required.", Trouble.FORBIDDEN),
        ("ERR Error running script: @user_script:9: -MISCONF Errors", Trouble.CANNOT_PERSIST),
    ],
)
async def test_troubles_by_their_first_word(text: str, trouble: Trouble) -> None:
    failure = translate(redis_errors.ResponseError(text))
    assert isinstance(failure, StoreUnavailable)
    assert failure.trouble is trouble


# -- The list, the keys, the settings ---------------------------------------------------------


async def test_a_lost_list_is_mended_and_a_stale_one_swept(empty: RedisBackstage) -> None:
    key = public_key(public_shard(ROOM))
    await create(empty.store)
    await empty.admin.delete(key)
    assert (await empty.store.rooms()).rooms == ()
    assert await empty.store.refresh(ROOM, ttl_s=TTL_S)
    assert (await empty.store.rooms()).rooms == (ROOM,)

    await empty.admin.delete(room_keys(ROOM).meta)
    assert (await empty.store.rooms()).rooms == ()
    assert not await empty.admin.exists(key)


async def test_a_private_room_is_not_listed_whatever_the_list_says(empty: RedisBackstage) -> None:
    await create(empty.store, public=False)
    await empty.admin.sadd(public_key(public_shard(ROOM)), ROOM)
    assert (await empty.store.rooms()).rooms == ()


@pytest.mark.parametrize("cursor", ["1", "x.y", "1.-1", "1.2.3", "100.0"])
async def test_a_cursor_of_somebody_else_is_refused(empty: RedisBackstage, cursor: str) -> None:
    with pytest.raises(ValueError, match="cursor"):
        await empty.store.rooms(cursor)


def as_text(key: bytes | str) -> str:
    return key.decode() if isinstance(key, bytes) else key


async def test_all_keys_of_a_room_are_in_its_slot(empty: RedisBackstage) -> None:
    owner = await create(empty.store)
    await owner.commit(1, record=Record(1, b"won", ttl_s=TTL_S))
    keys = {as_text(key) for key in await empty.admin.keys("g:{*")}
    assert keys == {f"g:{{{ROOM}}}:{name}" for name in ("meta", "log", "snap", "recs", "rec:1")}
    assert {await empty.admin.ttl(key) > 0 for key in keys} == {True}


async def test_the_numbers_live_as_long_as_the_longest_record(empty: RedisBackstage) -> None:
    await empty.store.save_record(ROOM, Record(1, b"long", ttl_s=9000))
    await empty.store.save_record(ROOM, Record(2, b"short", ttl_s=60))
    await create_elsewhere_and_record(empty.store)
    assert await empty.admin.ttl(room_keys(ROOM).recs) > 8000
    await empty.admin.delete(room_keys(ROOM).rec(2))
    assert await empty.store.records(ROOM) == (1,)


async def create_elsewhere_and_record(store: Store) -> None:
    owner = await create(store, "OTHER")
    await owner.commit(1, record=Record(1, b"theirs", ttl_s=10))


async def test_our_own_server_has_no_weakness(empty: RedisBackstage) -> None:
    assert await empty.redis.inspect() == ()


async def test_weak_settings_are_named(empty: RedisBackstage) -> None:
    weak = {"appendfsync": "everysec", "maxmemory-policy": "allkeys-lru", "appendonly": "no"}
    good = {name: str((await empty.admin.config_get(name))[name]) for name in weak}
    try:
        for name, value in weak.items():
            await empty.admin.config_set(name, value)
        found = await empty.redis.inspect()
    finally:
        for name, value in good.items():
            await empty.admin.config_set(name, value)

        # Switched on, the log is written anew, and until that is done the server will not stop.
        async def rewritten() -> bool:
            return not (await empty.admin.info("persistence"))["aof_rewrite_in_progress"]

        await until(rewritten)
    assert found == (
        Weakness("appendonly", "no", "yes"),
        Weakness("appendfsync", "everysec", "always"),
        Weakness("maxmemory-policy", "allkeys-lru", "noeviction"),
    )
    assert str(NotDurable(weaknesses=found[:1])).endswith("appendonly is no, wanted yes")


async def test_settings_that_may_not_be_read_are_weaknesses(empty: RedisBackstage) -> None:
    await empty.admin.acl_setuser(
        "guest", enabled=True, passwords=["+pw"], commands=["+@all", "-config"], keys=["*"]
    )
    async with RedisStore(empty.embedded.url.replace("unix://", "unix://guest:pw@")) as store:
        found = await store.inspect()
        assert store.outage is None
    assert {weakness.found for weakness in found} == {"unreadable"}


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (Fenced(room=ROOM, ours=1, current=2), "room K7QM: fence is 2, ours was 1"),
        (RoomGone(room=ROOM), "room K7QM is not in the store"),
        (
            SnapshotCorrupt(room=ROOM, fence=1, epoch=1, seq=5, node="a", counters={}),
            "room K7QM: the snapshot at seq 5 does not match its checksum",
        ),
        (
            StoreRefused(detail="WRONGTYPE"),
            "the store refused a call it should accept: WRONGTYPE",
        ),
    ],
)
async def test_errors_say_what_they_know(error: StoreError, says: str) -> None:
    assert str(error) == says


async def test_every_error_prints_as_one_line(empty: RedisBackstage) -> None:
    with pytest.raises(StoreError) as caught:
        async with RedisStore("unix:///nowhere.sock", deadline_s=0.05) as store:
            await store.load(ROOM)
    assert str(caught.value).startswith("store unavailable (connection): ")
    assert "\n" not in str(caught.value)
