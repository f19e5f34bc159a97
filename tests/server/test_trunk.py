"""A cluster's lines, without a cluster: which call goes where, and when it goes again."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest
from redis import exceptions as redis_errors

from guandan_server import line, trunk
from guandan_server.errors import StoreRefused, StoreUnavailable, Trouble
from guandan_server.executors import Cluster, Node, slot_of
from guandan_server.line import CALLS_WAITING_MAX
from guandan_server.scripts import Part, Reply
from guandan_server.store_url import ClusterSeeds, Peer
from guandan_server.trunk import Trunk
from tests.server.waiting import until

A, B, C = (Peer("host", port) for port in (1, 2, 3))
HALF = 8192
LOW, HIGH = ("GET", "k3"), ("GET", "k1")


Turn = dict[Part, Reply] | Exception | asyncio.Event


class Server(Node):
    """Answers a command with its last word, unless its next turn says otherwise."""

    def __init__(self, *turns: Turn) -> None:
        self.sent: list[list[tuple[Part, ...]]] = []
        self.turns = deque(turns)
        self.loaded = 0
        self.closed = 0

    async def run(self, commands: Sequence[Sequence[Part]]) -> list[Reply]:
        self.sent.append([tuple(command) for command in commands])
        turn = self.turns.popleft() if self.turns else {}
        if isinstance(turn, Exception):
            raise turn
        if isinstance(turn, asyncio.Event):
            await turn.wait()
            turn = {}
        return [turn.get(command[-1], command[-1]) for command in commands]

    async def load_scripts(self) -> None:
        self.loaded += 1

    async def reset(self) -> None: ...

    async def close(self) -> None:
        self.closed += 1


class Atlas(Cluster):
    """A cluster of such servers; `maps` are drawn one after the other, the last one for ever."""

    def __init__(self, *maps: tuple[Peer | None, Peer | None] | Exception) -> None:
        super().__init__(ClusterSeeds((A,), "redis", "", ()), socket_timeout_s=1.0)
        self.servers = {peer: Server() for peer in (A, B, C)}
        self.maps = deque(maps)
        self.surveys = 0

    def node(self, peer: Peer) -> Server:
        return self.servers[peer]

    async def survey(self) -> None:
        self.surveys += 1
        drawn = self.maps.popleft() if len(self.maps) > 1 else self.maps[0]
        if isinstance(drawn, Exception):
            raise drawn
        low, high = drawn
        self._owners = [*[low] * HALF, *[high] * HALF]


@asynccontextmanager
async def opened(atlas: Atlas, *, deadline_s: float = 5.0) -> AsyncIterator[Trunk]:
    made = Trunk("test", atlas, deadline_s=deadline_s)
    made.start()
    try:
        yield made
    finally:
        await made.close()


def moved(peer: Peer, command: tuple[str, str] = LOW) -> redis_errors.MovedError:
    return redis_errors.MovedError(f"{slot_of(command)} {peer}", status_code="MOVED")


def ask(peer: Peer, command: tuple[str, str] = LOW) -> redis_errors.AskError:
    return redis_errors.AskError(f"{slot_of(command)} {peer}", status_code="ASK")


async def test_what_waits_at_one_tick_is_one_pipeline_per_server() -> None:
    atlas = Atlas((A, B))
    async with opened(atlas) as calls:
        await calls.call(LOW)
        assert await asyncio.gather(*(calls.call(one) for one in (LOW, HIGH) * 3)) == (
            ["k3", "k1"] * 3
        )
    assert atlas.servers[A].sent == [[LOW], [LOW] * 3]
    assert atlas.servers[B].sent == [[HIGH] * 3]
    assert atlas.surveys == 1


async def test_a_server_that_stalls_holds_up_nobody_elses_calls() -> None:
    atlas = Atlas((A, B))
    stall = asyncio.Event()
    atlas.servers[A].turns.append(stall)
    async with opened(atlas) as calls:
        waits = asyncio.create_task(calls.call(LOW))
        assert [await calls.call(HIGH) for _ in range(5)] == ["k1"] * 5
        assert not waits.done()
        stall.set()
        assert await waits == "k3"


async def test_a_slot_that_moved_is_remembered_and_the_rest_stays() -> None:
    atlas = Atlas((A, B))
    atlas.servers[A].turns.append({"k3": moved(C)})
    async with opened(atlas) as calls:
        assert await calls.call(LOW) == "k3"
        assert await calls.call(LOW) == "k3"
        assert await calls.call(HIGH) == "k1"
    assert [len(atlas.servers[peer].sent) for peer in (A, B, C)] == [1, 1, 2]
    assert atlas.surveys == 1


async def test_a_slot_on_its_way_is_asked_for_every_time() -> None:
    atlas = Atlas((A, B))
    atlas.servers[A].turns += [{"k3": ask(C)}, {"k3": ask(C)}]
    atlas.servers[C].turns += [{"k3": redis_errors.NoScriptError(status_code="NOSCRIPT")}]
    async with opened(atlas) as calls:
        assert await calls.call(LOW) == "k3"
        assert await calls.call(LOW) == "k3"
    assert atlas.servers[A].sent == [[LOW]] * 2
    assert atlas.servers[C].sent == [[("ASKING", *LOW)]] * 3
    assert atlas.servers[C].loaded == 1


async def test_a_slot_on_its_way_is_found_however_often_it_was_not_ready() -> None:
    atlas = Atlas((A, B))
    not_yet = redis_errors.ResponseError("TRYAGAIN split")
    atlas.servers[A].turns += [{"k3": ask(C)}] * 9
    atlas.servers[C].turns += [{"k3": not_yet}] * 5
    async with opened(atlas) as calls:
        assert await calls.call(LOW) == "k3"
    assert len(atlas.servers[C].sent) == 6


async def test_a_server_without_an_address_is_where_we_asked() -> None:
    atlas = Atlas((A, B))
    nameless = redis_errors.MovedError(f"{slot_of(LOW)} :3", status_code="MOVED")
    atlas.servers[A].turns.append({"k3": nameless})
    async with opened(atlas) as calls:
        assert await calls.call(LOW) == "k3"
    assert atlas.servers[C].sent == [[LOW]]


async def test_servers_that_send_in_circles_are_not_followed_for_ever() -> None:
    atlas = Atlas((A, B), (A, B), (C, B))
    atlas.servers[A].turns += [{"k3": moved(B)}] * 9
    atlas.servers[B].turns += [{"k3": moved(A)}] * 9
    async with opened(atlas) as calls:
        assert await calls.call(LOW) == "k3"
    hops = len(atlas.servers[A].sent) + len(atlas.servers[B].sent)
    assert hops == 2 * (1 + trunk.REDIRECTS_MAX)
    assert atlas.surveys == 3


@pytest.mark.parametrize(
    "error",
    [
        redis_errors.ConnectionError("cut"),
        redis_errors.TimeoutError("late"),
        redis_errors.BusyLoadingError("loading"),
        OSError("gone"),
    ],
)
async def test_no_answer_goes_where_the_new_map_says(error: Exception) -> None:
    atlas = Atlas((A, B), (C, B))
    atlas.servers[A].turns.append(error)
    async with opened(atlas) as calls:
        assert await asyncio.gather(*map(calls.call, (LOW, HIGH))) == ["k3", "k1"]
        assert calls.outage is None
    assert atlas.servers[C].sent == [[LOW]]
    assert atlas.servers[B].sent == [[HIGH]]
    assert atlas.servers[A].closed == 1


@pytest.mark.parametrize("code", ["CLUSTERDOWN", "TRYAGAIN"])
async def test_a_cluster_that_is_not_ready_is_asked_again(code: str) -> None:
    atlas = Atlas((A, B))
    atlas.servers[A].turns.append({"k3": redis_errors.ResponseError(f"{code} wait")})
    async with opened(atlas) as calls:
        assert await calls.call(LOW) == "k3"
    assert atlas.servers[A].sent == [[LOW]] * 2


async def test_what_a_server_without_slots_had_not_done_goes_to_its_heir() -> None:
    atlas = Atlas((A, B), (C, B))
    atlas.servers[A].turns.append(asyncio.Event())  # it hangs
    atlas.servers[B].turns.append(redis_errors.ConnectionError("cut"))
    async with opened(atlas) as calls:
        hangs = asyncio.create_task(calls.call(LOW))
        await until(lambda: atlas.servers[A].sent)
        waits = asyncio.create_task(calls.call(LOW))
        assert await calls.call(HIGH) == "k1"  # its loss is what makes us look
        assert (await hangs, await waits) == ("k3", "k3")


async def test_the_deadline_names_the_trouble_of_the_call() -> None:
    atlas = Atlas((A, B))
    atlas.servers[A].turns += [redis_errors.ConnectionError("refused")] * 100
    async with opened(atlas, deadline_s=0.1) as calls:
        with pytest.raises(StoreUnavailable, match="refused") as caught:
            await calls.call(LOW)
        assert caught.value.trouble is Trouble.CONNECTION
        # What was tried in vain is no longer tried, and the others never noticed.
        assert await calls.call(HIGH) == "k1"
        assert calls.outage is None


async def test_a_slot_that_is_nobodys_is_waited_for() -> None:
    atlas = Atlas((None, B), (None, B), (A, B))
    async with opened(atlas) as calls:
        assert await calls.call(LOW) == "k3"


async def test_no_slots_owner_until_the_deadline() -> None:
    async with opened(Atlas((None, B)), deadline_s=0.1) as calls:
        with pytest.raises(StoreUnavailable, match="nobody's") as caught:
            await calls.call(LOW)
        assert caught.value.trouble is Trouble.CLUSTER_DOWN


async def test_no_map_is_an_outage_of_the_whole() -> None:
    atlas = Atlas(redis_errors.ConnectionError("refused"))
    async with opened(atlas, deadline_s=1.0) as calls:
        with pytest.raises(StoreUnavailable, match="refused"):
            await calls.call(LOW)
        assert calls.outage is not None
        atlas.maps = deque([(A, B)])
        assert await calls.call(LOW) == "k3"
        assert calls.outage is None


async def test_an_outage_that_is_no_news_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    atlas = Atlas(redis_errors.ConnectionError("refused"))
    async with opened(atlas, deadline_s=0.1) as calls:
        with pytest.raises(StoreUnavailable):
            await calls.call(LOW)
        monkeypatch.setattr(line, "OUTAGE_FRESH_S", 0.0)
        assert calls.outage is None


async def test_a_server_that_is_no_clusters_is_told_at_once() -> None:
    said = redis_errors.ResponseError("ERR This instance has cluster support disabled")
    async with opened(Atlas(said)) as calls:
        with pytest.raises(StoreRefused, match="cluster support disabled"):
            await calls.call(LOW)


async def test_a_bug_reaches_its_callers_and_the_trunk_lives() -> None:
    atlas = Atlas(RuntimeError("a bug"), (A, B))
    async with opened(atlas) as calls:
        with pytest.raises(RuntimeError, match="a bug"):
            await calls.call(LOW)
        assert await calls.call(LOW) == "k3"


async def test_no_more_wait_than_there_is_room_for() -> None:
    atlas = Atlas((A, B))
    hold = asyncio.Event()
    atlas.servers[A].turns.append(hold)
    async with opened(atlas) as calls:
        waiting = [asyncio.create_task(calls.call(LOW)) for _ in range(CALLS_WAITING_MAX)]
        await until(lambda: atlas.servers[A].sent)
        with pytest.raises(StoreUnavailable) as caught:
            await calls.call(LOW)
        assert caught.value.trouble is Trouble.OVERLOADED
        hold.set()
        await asyncio.gather(*waiting)


async def test_closing_answers_everyone() -> None:
    atlas = Atlas((A, None))
    atlas.servers[A].turns.append(asyncio.Event())
    async with opened(atlas) as calls:
        sent = asyncio.create_task(calls.call(LOW))
        await until(lambda: atlas.servers[A].sent)
        queued = asyncio.create_task(calls.call(LOW))
        strayed = asyncio.create_task(calls.call(HIGH))
        await asyncio.sleep(0)
        await calls.close()
        for call in (sent, queued, strayed, calls.call(LOW)):
            with pytest.raises(StoreUnavailable) as caught:
                await call
            assert caught.value.trouble is Trouble.CLOSED
