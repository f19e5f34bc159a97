"""A line to the store, without a server at its end."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager

import pytest
from redis import exceptions as redis_errors

from guandan_server import line as line_module
from guandan_server.errors import (
    StoreRefused,
    StoreUnavailable,
    Trouble,
)
from guandan_server.line import BATCH_CALLS_MAX, CALLS_WAITING_MAX, Line, translate
from guandan_server.scripts import Part, Reply
from tests.server.waiting import until


class Script:
    """An executor that answers what it is told to, and notes what it was sent."""

    def __init__(self, *turns: object) -> None:
        self.sent: list[list[Part]] = []
        self.loaded = 0
        self.resets = 0
        self._turns = deque(turns)

    async def run(self, commands: Iterable[Sequence[Part]]) -> list[Reply]:
        names = [command[0] for command in commands]
        self.sent.append(names)
        turn = self._turns.popleft() if self._turns else None
        if isinstance(turn, Exception):
            raise turn
        if isinstance(turn, asyncio.Event):
            await turn.wait()
        if isinstance(turn, dict):
            return [turn.get(name, name) for name in names]
        return list(names)

    async def load_scripts(self) -> None:
        self.loaded += 1

    async def reset(self) -> None:
        self.resets += 1

    async def close(self) -> None: ...


@asynccontextmanager
async def line(executor: Script, *, deadline_s: float = 5.0) -> AsyncIterator[Line]:
    made = Line("test", executor, deadline_s=deadline_s)
    made.start()
    try:
        yield made
    finally:
        await made.close()


async def test_what_waits_at_one_tick_goes_out_together_in_order() -> None:
    executor = Script()
    async with line(executor) as calls:
        answers = await asyncio.gather(*(calls.call((n,)) for n in range(5)))
    assert answers == [0, 1, 2, 3, 4]
    assert executor.sent == [[0, 1, 2, 3, 4]]


async def test_one_pipeline_is_bounded() -> None:
    executor = Script()
    async with line(executor) as calls:
        await asyncio.gather(*(calls.call((n,)) for n in range(BATCH_CALLS_MAX + 1)))
    assert [len(names) for names in executor.sent] == [BATCH_CALLS_MAX, 1]


@pytest.mark.parametrize(
    "error",
    [
        redis_errors.ConnectionError("cut"),
        redis_errors.TimeoutError("late"),
        redis_errors.BusyLoadingError("loading"),
        OSError("gone"),
    ],
)
async def test_a_batch_without_an_answer_is_sent_again(error: Exception) -> None:
    executor = Script(error, error)
    async with line(executor) as calls:
        assert await asyncio.gather(*(calls.call((n,)) for n in (1, 2))) == [1, 2]
        assert calls.outage is None
    assert executor.sent == [[1, 2]] * 3


async def test_only_the_unanswered_are_sent_again() -> None:
    executor = Script(
        {
            2: redis_errors.ResponseError("TRYAGAIN"),
            3: redis_errors.NoScriptError(status_code="NOSCRIPT"),
        }
    )
    async with line(executor) as calls:
        assert await asyncio.gather(*(calls.call((n,)) for n in (1, 2, 3))) == [1, 2, 3]
    assert executor.sent == [[1, 2, 3], [2, 3]]
    assert executor.loaded == 1


async def test_a_read_only_server_is_let_go_of() -> None:
    executor = Script({1: redis_errors.ReadOnlyError("You can't write", status_code="READONLY")})
    async with line(executor) as calls:
        assert await calls.call((1,)) == 1
    assert executor.resets == 1


async def test_who_stopped_waiting_is_not_sent_again() -> None:
    executor = Script(*[redis_errors.ConnectionError("cut")] * 3)
    async with line(executor) as calls:
        gone, stays = (asyncio.create_task(calls.call((n,))) for n in (1, 2))
        await until(lambda: executor.sent)
        gone.cancel()
        assert await stays == 2
    assert executor.sent[0] == [1, 2]
    assert executor.sent[-1] == [2]


async def test_the_deadline_names_the_trouble() -> None:
    executor = Script(*[redis_errors.ConnectionError("refused")] * 100)
    async with line(executor, deadline_s=0.05) as calls:
        with pytest.raises(StoreUnavailable, match="refused"):
            await calls.call((1,))


async def test_a_bug_reaches_its_callers_and_the_line_lives() -> None:
    executor = Script(RuntimeError("a bug"))
    async with line(executor) as calls:
        with pytest.raises(RuntimeError, match="a bug"):
            await calls.call((1,))
        assert await calls.call((2,)) == 2


@pytest.mark.parametrize("part", [None, True, 1.5])
async def test_a_call_that_cannot_be_sent_harms_no_other(part: object) -> None:
    executor = Script()
    async with line(executor) as calls:
        good = asyncio.create_task(calls.call((1,)))
        with pytest.raises(AssertionError):
            await calls.call((part,))  # type: ignore[arg-type]  # that is the point
        assert await good == 1
    assert executor.sent == [[1]]


async def test_no_more_wait_than_there_is_room_for() -> None:
    hold = asyncio.Event()
    executor = Script(hold)
    async with line(executor) as calls:
        first = asyncio.create_task(calls.call((0,)))
        await until(lambda: executor.sent)
        waiting = [asyncio.create_task(calls.call((n,))) for n in range(CALLS_WAITING_MAX)]
        await asyncio.sleep(0)
        with pytest.raises(StoreUnavailable) as caught:
            await calls.call((1,))
        assert caught.value.trouble is Trouble.OVERLOADED
        hold.set()
        await asyncio.gather(first, *waiting)


async def test_closing_answers_everyone() -> None:
    executor = Script(asyncio.Event())
    async with line(executor) as calls:
        sent = asyncio.create_task(calls.call((1,)))
        await until(lambda: executor.sent)
        queued = asyncio.create_task(calls.call((2,)))
        await asyncio.sleep(0)
        await calls.close()
        for call in (sent, queued, calls.call((3,))):
            with pytest.raises(StoreUnavailable) as caught:
                await call
            assert caught.value.trouble is Trouble.CLOSED


class Deaf(Script):
    """An executor that does not hear it when it is cancelled, as often as it is told."""

    def __init__(self, *, times: int) -> None:
        super().__init__()
        self.left = times

    async def run(self, commands: Iterable[Sequence[Part]]) -> list[Reply]:
        replies = await super().run(commands)
        while self.left:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                self.left -= 1
        return replies


async def test_a_cancellation_that_got_lost_is_repeated() -> None:
    executor = Deaf(times=2)
    async with line(executor) as calls:
        sent = asyncio.create_task(calls.call((1,)))
        await until(lambda: executor.sent)
        async with asyncio.timeout(5):
            await calls.close()
        assert await sent == 1
        assert not executor.left


async def test_an_outage_that_nobody_has_met_for_long_is_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    executor = Script(*[redis_errors.ConnectionError("refused")] * 100)
    async with line(executor, deadline_s=0.05) as calls:
        with pytest.raises(StoreUnavailable):
            await calls.call((1,))
        assert calls.outage is not None
        # Or a node on which nobody plays would never call itself ready again.
        monkeypatch.setattr(line_module, "OUTAGE_FRESH_S", 0.0)
        assert calls.outage is None


@pytest.mark.parametrize(
    "error",
    [
        redis_errors.MovedError("866 10.0.0.5:7001", status_code="MOVED"),
        redis_errors.AskError("866 10.0.0.5:7001", status_code="ASK"),
        redis_errors.ClusterCrossSlotError("keys differ", status_code="CROSSSLOT"),
    ],
)
async def test_one_server_that_is_a_clusters_is_told_apart(
    error: redis_errors.ResponseError,
) -> None:
    refused = translate(error)
    assert isinstance(refused, StoreRefused)
    assert f"{error.status_code} " in str(refused)
    assert "redis+cluster://" in str(refused)
