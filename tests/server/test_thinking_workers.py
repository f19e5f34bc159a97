"""Worker processes: real ones, with policies that fail in every way, and real kills."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from guandan_bots.processes import children
from guandan_engine.seats import Seat
from guandan_engine.views import seat_view
from guandan_protocol import messages as m
from guandan_protocol.client import TableClient
from guandan_protocol.messages import Settings
from guandan_server import pool as pools
from guandan_server.brains import Considered, Fallback, Unanswered
from guandan_server.metrics import Metrics
from guandan_server.pool import MISSED, SEARCHES_WAITING_MAX, WAITING_MAX, Pool, ended
from tests.e2e.serving import Served, serving
from tests.engine.table import Table
from tests.server.slow_brains import Moody
from tests.server.waiting import until

TABLE = Table.deal(leader=1)
VIEW = seat_view(TABLE.match, Seat(1))
WAIT_S = 60
"""A time-out of waits for processes on a busy machine."""

pytestmark = pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks into /proc")


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a worker takes its time to start; nothing here is about that."""
    monkeypatch.setattr(pools, "PATIENCE_LONG_S", WAIT_S)
    monkeypatch.setattr(pools, "PATIENCE_SHORT_S", WAIT_S)


@asynccontextmanager
async def working(brains: Moody, *, workers: int = 1) -> AsyncIterator[Pool]:
    pool = Pool(brains, workers=workers, metrics=Metrics())
    try:
        yield pool
    finally:
        await pool.close()


async def ask(pool: Pool, level: str = "expert") -> Considered:
    rules = TABLE.match.rules
    return await pool.consider(pool.levels[level], VIEW, rules, bytes(16), shown_at=1e12)


async def why(pool: Pool) -> tuple[Fallback, str]:
    with pytest.raises(Unanswered) as unanswered:
        await ask(pool)
    return unanswered.value.why, unanswered.value.trace


def runs(pid: int) -> bool:
    """Is it there, and no zombie?"""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def pid_of(brains: Moody, number: int = -1) -> int:
    return int(brains.noted("pids")[number])


async def test_a_decision_is_made_in_a_process_that_gives_way_to_ours(tmp_path: Path) -> None:
    brains = Moody(tmp_path)
    async with working(brains) as pool:
        first, second = await ask(pool), await ask(pool)
        assert first.searched
        assert first == second
        here, there = os.getpid(), pid_of(brains)
        assert brains.noted("pids") == [str(there)] * 2
        assert there != here
        assert os.getpriority(os.PRIO_PROCESS, there) > os.getpriority(os.PRIO_PROCESS, here)


async def test_a_worker_is_ready_before_anybody_waits_for_it(tmp_path: Path) -> None:
    brains = Moody(tmp_path)
    async with working(brains) as pool:
        pool.warm()
        pool.warm()
        await until(lambda: pool.is_warm, timeout_s=WAIT_S)
        assert (tmp_path / "prepared").read_text() == "\n"


@pytest.mark.parametrize(
    ("mood", "said"), [("raises", "ZeroDivisionError"), ("exits", "SystemExit")]
)
async def test_a_policy_that_fails_is_an_answer(tmp_path: Path, mood: str, said: str) -> None:
    brains = Moody(tmp_path, mood)
    async with working(brains) as pool:
        reason, trace = await why(pool)
        assert reason is Fallback.RAISED
        assert said in trace
        await ask(pool, "club")
        assert len(set(brains.noted("pids"))) == 1, "the worker lives on"


async def test_a_worker_that_is_killed_over_a_decision_is_replaced(tmp_path: Path) -> None:
    brains = Moody(tmp_path, "waits")
    async with working(brains) as pool:
        asked = asyncio.ensure_future(why(pool))
        await until(lambda: brains.noted("pids"), timeout_s=WAIT_S)
        os.kill(pid_of(brains), signal.SIGKILL)
        assert (await asked)[0] is Fallback.DEAD
        await ask(pool, "club")
        assert len(set(brains.noted("pids"))) == 2


async def test_a_policy_that_kills_its_process_costs_its_own_decision(tmp_path: Path) -> None:
    brains = Moody(tmp_path, "dies")
    async with working(brains) as pool:
        assert (await why(pool))[0] is Fallback.DEAD
        assert (await why(pool))[0] is Fallback.DEAD
        await ask(pool, "club")


@pytest.mark.parametrize("signal_", [signal.SIGKILL, signal.SIGTERM, signal.SIGALRM])
async def test_the_log_says_how_a_worker_ended(tmp_path: Path, signal_: signal.Signals) -> None:
    brains = Moody(tmp_path, "waits")
    async with working(brains) as pool:
        with capture_logs() as logs:
            asked = asyncio.ensure_future(why(pool))
            await until(lambda: brains.noted("pids"), timeout_s=WAIT_S)
            os.kill(pid_of(brains), signal_)
            assert (await asked)[0] is Fallback.DEAD
        (line,) = [one for one in logs if one["event"] == "worker died"]
        # Whoever signals a process that is just ending may take its status away from asyncio.
        assert line["why"] in (f"killed by {signal_.name}", ended(MISSED))


def test_an_end_is_a_status_or_a_signal() -> None:
    assert ended(3) == "ended with status 3"
    assert ended(-signal.SIGSEGV) == "killed by SIGSEGV"
    assert ended(-250) == "killed by signal 250"


async def test_an_idle_worker_that_is_killed_costs_a_decision_at_most(tmp_path: Path) -> None:
    brains = Moody(tmp_path)
    async with working(brains) as pool:
        await ask(pool)
        os.kill(pid_of(brains), signal.SIGKILL)
        (next_one,) = await asyncio.gather(ask(pool), return_exceptions=True)
        assert isinstance(next_one, Considered) or str(next_one) == Fallback.DEAD
        await ask(pool)
        assert pid_of(brains) != pid_of(brains, 0)


async def test_a_policy_that_hangs_is_ended_by_its_own_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pools, "HUNG_S", 1)
    brains = Moody(tmp_path, "hangs")
    async with working(brains) as pool:
        assert (await why(pool))[0] is Fallback.DEAD
        assert not runs(pid_of(brains))


async def test_a_worker_that_stands_still_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    brains = Moody(tmp_path)
    async with working(brains) as pool:
        await ask(pool)
        os.kill(pid_of(brains), signal.SIGSTOP)
        monkeypatch.setattr(pools, "LOST_S", 0.2)
        assert (await why(pool))[0] is Fallback.DEAD
        await until(lambda: not runs(pid_of(brains, 0)), timeout_s=WAIT_S)


async def test_a_pool_that_is_closed_leaves_nobody_thinking(tmp_path: Path) -> None:
    brains = Moody(tmp_path, "waits")
    async with working(brains, workers=2) as pool:
        asked = [asyncio.ensure_future(ask(pool)) for _ in range(3)]
        await until(lambda: len(brains.noted("pids")) == 2, timeout_s=WAIT_S)
        assert all(runs(int(pid)) for pid in brains.noted("pids"))
    await until(lambda: not any(runs(int(pid)) for pid in brains.noted("pids")), timeout_s=WAIT_S)
    for one in asked:
        one.cancel()
    await asyncio.gather(*asked, return_exceptions=True)


async def test_late_answers_are_let_go_and_the_worker_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    brains = Moody(tmp_path, "waits")
    async with working(brains) as pool:
        await ask(pool, "club")
        monkeypatch.setattr(pools, "PATIENCE_LONG_S", 0.01)
        assert (await why(pool))[0] is Fallback.LATE
        (tmp_path / "go").touch()
        await ask(pool, "club")
        assert len(set(brains.noted("pids"))) == 1


async def test_a_held_worker_fills_its_queue(tmp_path: Path) -> None:
    brains = Moody(tmp_path, "waits")
    async with working(brains) as pool:
        places = 1 + SEARCHES_WAITING_MAX
        asked = [asyncio.ensure_future(ask(pool)) for _ in range(places + WAITING_MAX)]
        await until(lambda: brains.noted("pids"), timeout_s=WAIT_S)
        assert (await why(pool))[0] is Fallback.FULL
        (tmp_path / "go").touch()
        searched = [one.searched for one in await asyncio.gather(*asked)]
        assert searched == [True] * places + [False] * WAITING_MAX


# The whole server


def workers_of(served: Served) -> list[int]:
    return [
        pid
        for pid in children(served.process.pid)
        if b"anyio.to_process" in Path(f"/proc/{pid}/cmdline").read_bytes()
    ]


@asynccontextmanager
async def experts(served: Served) -> AsyncIterator[TableClient]:
    """A table of four experts, one of them beside the one who watches it."""
    hello = m.Create(m.VERSION, "Ann", os.urandom(16), settings=Settings(pace_ms=300))
    async with TableClient(served.url, hello) as client:
        following = asyncio.create_task(_follow(client))
        await until(lambda: client.view is not None, timeout_s=WAIT_S)
        for seat in (2, 3, 4):
            assert isinstance(await client.act(m.AddBot(0, Seat(seat), "expert")), m.Done)
        for action in (m.Autopilot(0, on=True, pace_ms=300), m.Start(0)):
            assert isinstance(await client.act(action), m.Done)
        yield client
        following.cancel()


async def _follow(client: TableClient) -> None:
    async for _ in client:
        pass


def turn(client: TableClient) -> int:
    assert client.public is not None
    return client.public.turn


async def more(client: TableClient, turns: int = 4) -> None:
    """Wait until the table has gone on."""
    until_turn = turn(client) + turns
    await until(lambda: turn(client) >= until_turn, timeout_s=WAIT_S)


async def test_killed_workers_stop_no_table_and_a_stop_leaves_none(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", "--thinkers", "1") as served, experts(served) as client:
        await more(client)
        await until(lambda: workers_of(served), timeout_s=WAIT_S)
        for _ in range(3):
            for pid in workers_of(served):
                os.kill(pid, signal.SIGKILL)
            await more(client)
        await until(lambda: workers_of(served), timeout_s=WAIT_S)
        left = workers_of(served)
        assert await served.terminate() == 0
        assert not any(runs(pid) for pid in left)


async def test_a_server_that_is_killed_leaves_no_worker(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", "--thinkers", "1") as served, experts(served) as client:
        await more(client)
        await until(lambda: workers_of(served), timeout_s=WAIT_S)
        left = workers_of(served)
        await served.kill()
        await until(lambda: not any(runs(pid) for pid in left), timeout_s=WAIT_S)


async def test_a_server_without_thinkers_offers_none_and_starts_none(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", "--thinkers", "0") as served:
        hello = m.Create(m.VERSION, "Ann", os.urandom(16))
        async with TableClient(served.url, hello) as client:
            following = asyncio.create_task(_follow(client))
            await until(lambda: client.view is not None, timeout_s=WAIT_S)
            answer = await client.act(m.AddBot(0, Seat(2), "expert"))
            assert isinstance(answer, m.Refused)
            assert answer.code == m.Code.BAD_OPTION
            assert workers_of(served) == []
            following.cancel()
