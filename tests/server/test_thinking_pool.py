"""The queue before the workers: what goes first, how long it is, and what a search is given."""

from __future__ import annotations

import asyncio

import pytest
from anyio import BrokenWorkerProcess

from guandan_engine.seats import Seat
from guandan_engine.views import seat_view
from guandan_server.brains import Considered, Fallback, Unanswered
from guandan_server.metrics import Metrics
from guandan_server.pool import (
    BUDGET_S,
    BUDGET_S_MIN,
    OF_PACE,
    OF_PACE_S_MIN,
    PATIENCE_LONG_S,
    SEARCHES_WAITING_MAX,
    WAITING_MAX,
    Pool,
)
from tests.engine.table import Table
from tests.server.slow_brains import Moody
from tests.server.thinkers import Workers, virtually

TABLE = Table.deal(leader=1)
VIEW = seat_view(TABLE.match, Seat(1))
LONG_S = 100_000.0


class Desk:
    """A pool, and what it was asked."""

    def __init__(self, workers: Workers, *, places: int = 1) -> None:
        self.workers = workers
        self.metrics = Metrics()
        self.pool = Pool(Moody(), workers=places, metrics=self.metrics, runner=workers)

    def ask(self, level: str = "expert", *, pace_s: float = LONG_S) -> asyncio.Task[Considered]:
        shown_at = asyncio.get_running_loop().time() + pace_s
        return asyncio.ensure_future(
            self.pool.consider(
                self.pool.levels[level], VIEW, TABLE.match.rules, bytes(16), shown_at=shown_at
            )
        )

    def waiting(self) -> float | None:
        return self.metrics.registry.get_sample_value("guandan_thinking_waiting")


async def why(task: asyncio.Task[Considered]) -> Fallback:
    with pytest.raises(Unanswered) as unanswered:
        await task
    return unanswered.value.why


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def test_the_queue_has_an_end() -> None:
    async def scenario() -> None:
        desk = Desk(Workers(0.01))
        tasks = [desk.ask() for _ in range(1 + SEARCHES_WAITING_MAX)]
        await settled()
        assert desk.waiting() == SEARCHES_WAITING_MAX
        tasks += [desk.ask() for _ in range(WAITING_MAX)]
        await settled()
        assert await why(desk.ask()) is Fallback.FULL
        await asyncio.gather(*tasks)
        assert desk.waiting() == 0
        await desk.ask()

    virtually(scenario())


def test_beyond_the_searches_that_may_wait_the_level_decides_without_one() -> None:
    async def scenario() -> None:
        desk = Desk(Workers(0.1))
        tasks = [desk.ask() for _ in range(1 + SEARCHES_WAITING_MAX)]
        await settled()
        unsearched = desk.ask()
        await settled()
        assert not (await unsearched).searched
        assert all(one.searched for one in await asyncio.gather(*tasks))
        # It is what is done next, and it is given no time.
        assert desk.workers.asked == ["expert"] * (2 + SEARCHES_WAITING_MAX)
        assert [place for place, s in enumerate(desk.workers.seconds) if s == 0] == [1]

    virtually(scenario())


def test_what_takes_milliseconds_goes_before_what_searches() -> None:
    async def scenario() -> None:
        desk = Desk(Workers(0.1))
        tasks = [desk.ask() for _ in range(3)]
        await settled()
        tasks.append(desk.ask("club"))
        await asyncio.gather(*tasks)
        assert desk.workers.asked == ["expert", "club", "expert", "expert"]

    virtually(scenario())


def test_a_full_queue_of_searches_is_open_to_what_is_light() -> None:
    async def scenario() -> None:
        desk = Desk(Workers(0.1))
        tasks = [desk.ask() for _ in range(1 + SEARCHES_WAITING_MAX)]
        await settled()
        assert not (await desk.ask("club")).searched
        await asyncio.gather(*tasks)

    virtually(scenario())


def test_a_search_is_given_less_the_more_are_waiting() -> None:
    async def scenario() -> None:
        desk = Desk(Workers(0.1))
        first = desk.ask()
        await settled()
        await asyncio.gather(first, *[desk.ask() for _ in range(3)])
        assert desk.workers.seconds == [BUDGET_S, BUDGET_S / 3, BUDGET_S / 2, BUDGET_S]

    virtually(scenario())


def test_more_workers_are_given_more_for_the_same_queue() -> None:
    async def scenario() -> None:
        desk = Desk(Workers(0.1), places=2)
        first = [desk.ask(), desk.ask()]
        await settled()
        await asyncio.gather(*first, *[desk.ask() for _ in range(3)])
        less = BUDGET_S * 2 / 3  # two are begun at once, and one waits
        assert desk.workers.seconds == [BUDGET_S, BUDGET_S, less, less, BUDGET_S]

    virtually(scenario())


def test_a_bot_that_is_told_to_hurry_searches_less_but_not_in_vain() -> None:
    async def scenario() -> None:
        desk = Desk(Workers())
        for pace_s in (0.5, 0.1, -1.0):
            await desk.ask(pace_s=pace_s)
        given = desk.workers.seconds
        assert given == [pytest.approx(OF_PACE * 0.5), OF_PACE_S_MIN, OF_PACE_S_MIN]

    virtually(scenario())


def test_the_least_is_what_a_full_queue_is_given() -> None:
    most_waiting = BUDGET_S / SEARCHES_WAITING_MAX
    assert most_waiting > BUDGET_S_MIN
    assert most_waiting * SEARCHES_WAITING_MAX < PATIENCE_LONG_S, "they would all be late"


def test_a_question_that_is_given_up_leaves_the_queue() -> None:
    async def scenario() -> None:
        desk = Desk(Workers(0.1))
        tasks = [desk.ask() for _ in range(3)]
        await settled()
        tasks[1].cancel()
        await settled()
        assert desk.waiting() == 1
        await tasks[2]
        assert desk.workers.asked == ["expert", "expert"]

    virtually(scenario())


def test_whoever_waited_long_enough_leaves_and_the_worker_is_free_when_it_is_done() -> None:
    async def scenario() -> None:
        desk = Desk(Workers(PATIENCE_LONG_S + 1))
        stuck, behind = desk.ask(), desk.ask()
        assert await why(stuck) is await why(behind) is Fallback.LATE
        assert desk.waiting() == 0
        await asyncio.sleep(1.1)
        desk.workers.takes_s = 0.1
        assert (await desk.ask()).searched

    virtually(scenario())


def test_a_closed_pool_is_a_full_one() -> None:
    async def scenario() -> None:
        desk = Desk(Workers())
        await desk.pool.close()
        assert await why(desk.ask()) is Fallback.FULL

    virtually(scenario())


@pytest.mark.parametrize("fault", [OSError("no more processes"), BrokenWorkerProcess()])
def test_a_worker_that_cannot_be_started_or_died_is_told_apart(fault: Exception) -> None:
    async def scenario() -> None:
        desk = Desk(Workers())
        desk.workers.fault = fault
        assert await why(desk.ask()) is Fallback.DEAD
        desk.workers.fault = None
        assert (await desk.ask()).searched

    virtually(scenario())


def test_a_warm_up_that_failed_is_tried_again() -> None:
    async def scenario() -> None:
        desk = Desk(Workers())
        desk.workers.fault = OSError("no more processes")
        desk.pool.warm()
        await settled()
        assert not desk.pool.is_warm
        desk.workers.fault = None
        desk.pool.warm()
        await settled()
        assert desk.pool.is_warm
        desk.pool.warm()
        await settled()
        assert desk.workers.asked == ["prepare", "prepare"]

    virtually(scenario())
