from __future__ import annotations

import asyncio

import pytest

from tests.sim.loop import Stuck, VirtualLoop
from tests.sim.process import Process


def test_time_passes_when_everybody_waits() -> None:
    heard: list[tuple[str, float]] = []

    async def waits(name: str, *naps_s: float) -> None:
        loop = asyncio.get_running_loop()
        began_s = loop.time()
        for nap_s in naps_s:
            await asyncio.sleep(nap_s)
            heard.append((name, round(loop.time() - began_s, 3)))

    async def main() -> None:
        await asyncio.gather(waits("a", 3600, 1), waits("b", 1800, 1800.5))

    loop = VirtualLoop()
    loop.run_until_complete(main())
    loop.close()
    assert heard == [("b", 1800.0), ("a", 3600.0), ("b", 3600.5), ("a", 3601.0)]


def test_a_world_that_waits_for_nothing_ends() -> None:
    loop = VirtualLoop()
    with pytest.raises(Stuck, match="waits"):
        loop.run_until_complete(loop.create_future())
    loop.close()


def test_a_world_that_runs_in_circles_ends() -> None:
    said: list[str] = []

    async def circles() -> None:
        for _ in range(30_000):
            await asyncio.sleep(0)

    loop = VirtualLoop()
    loop.on_stuck = said.append
    loop.run_until_complete(circles())
    loop.close()
    assert said == ["somebody runs in circles, and time stands still"]


# Processes


class Counter:
    """Counts seconds, and says when it is unwound."""

    def __init__(self) -> None:
        self.count = 0
        self.is_unwound = False
        self.process = Process("counter")
        self.process.start(self._run(), name="counter")

    async def _run(self) -> None:
        try:
            while True:
                await asyncio.sleep(1.0)
                await asyncio.create_task(self._add())
        finally:
            self.is_unwound = True

    async def _add(self) -> None:
        self.count += 1


def in_virtual_time(main: object) -> None:
    loop = VirtualLoop()
    loop.run_until_complete(main)  # type: ignore[arg-type]  # a coroutine is what it gets in the end
    loop.close()


def test_a_process_that_sleeps_goes_on_where_it_was() -> None:
    async def main() -> None:
        counter = Counter()
        await asyncio.sleep(3.5)
        counter.process.sleep()
        await asyncio.sleep(60)
        assert counter.count == 3
        counter.process.wake()
        await asyncio.sleep(2.5)
        assert counter.count == 6, "one for what was due in its sleep"
        counter.process.kill()
        await counter.process.bury()

    in_virtual_time(main())


def test_a_process_that_is_killed_does_nothing_more() -> None:
    async def main() -> None:
        counter = Counter()
        await asyncio.sleep(1.5)
        counter.process.kill()
        counter.process.wake()
        await asyncio.sleep(60)
        assert (counter.count, counter.is_unwound) == (1, False)
        assert len(counter.process.tasks()) == 1
        await counter.process.bury()
        assert counter.is_unwound
        assert counter.process.tasks() == []

    in_virtual_time(main())


def test_what_is_called_off_in_its_sleep_does_not_happen() -> None:
    async def main() -> None:
        happened: list[str] = []
        process = Process("sleeper")
        loop = asyncio.get_running_loop()
        timer = process.do(loop.call_later, 1.0, happened.append, "called off")
        process.do(loop.call_later, 1.0, happened.append, "due")
        process.sleep()
        await asyncio.sleep(2.0)
        timer.cancel()
        process.wake()
        await asyncio.sleep(0)
        assert happened == ["due"]

    in_virtual_time(main())
