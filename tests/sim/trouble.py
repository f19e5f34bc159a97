"""What goes wrong, and when: each world has some kinds of trouble, and of those more or less."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Final

from tests.sim.people import Device, Person

if TYPE_CHECKING:
    from tests.sim.cluster import SimNode
    from tests.sim.world import World

__all__ = ["Trouble"]

KINDS_MAX: Final = 6
FLUSHED: Final = 0.03
"""Of worlds in which somebody types FLUSHALL in the end."""


class Trouble:
    """The troubles of one world."""

    def __init__(self, world: World, random: Random) -> None:
        self._world = world
        self._random = random
        all_kinds = (
            self._crash,
            self._sleep,
            self._drain,
            self._stall_store,
            self._fail_store,
            self._go_back,
            self._go_back_and_crash,
            self._rot,
            self._cut,
            self._hang,
            self._stall_line,
            self._bad_weather,
            self._phone_dies,
            self._phone_sleeps,
            self._second_tab,
            self._lose_for_good,
        )
        kinds = random.sample(all_kinds, k=random.randint(1, KINDS_MAX))
        self._kinds: list[Callable[[], str]] = list(kinds)
        self._every_s = random.choice((0.7, 1.5, 3.0, 6.0))
        self._ends_badly = random.random() < FLUSHED
        self._timers: list[asyncio.TimerHandle] = []

    async def go_on(self, until_s: float) -> None:
        """Make trouble until then."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(self._random.expovariate(1 / self._every_s))
            if loop.time() >= until_s:
                if self._ends_badly:
                    self._world.flush()
                for timer in self._timers:
                    timer.cancel()
                return
            kind = self._random.choice(self._kinds)
            self._world.story.note("trouble", kind())

    # Nodes

    def _some_node(self) -> SimNode | None:
        up = self._world.cluster.up()
        owner = self._world.owner()
        if owner in up and self._random.random() < 0.7:
            return owner
        return self._random.choice(up) if up else None

    def _crash(self) -> str:
        node = self._some_node()
        if node is None:
            return "nobody is left to die"
        quietly = self._random.random() < 0.3
        node.crash(quietly=quietly)
        back_s = self._random.choice((0.1, 1.0, 5.0, 12.0))
        self._later(back_s, self._world.restart, node.name)
        return f"{node} dies{' without a word' if quietly else ''}, back in {back_s} s"

    def _sleep(self) -> str:
        node = self._some_node()
        if node is None:
            return "nobody is awake"
        for_s = self._random.choice((0.5, 2.0, 4.0, 6.0, 9.0, 15.0))
        node.sleep()
        self._later(for_s, node.wake)
        return f"{node} sleeps for {for_s} s"

    def _drain(self) -> str:
        node = self._some_node()
        if node is None:
            return "nobody is left to stop"
        node.drain()
        back_s = self._random.choice((0.0, 2.0, 8.0))
        self._later(back_s, self._world.restart, node.name)
        return f"{node} is stopped, back {back_s} s after its end"

    # The store

    def _stall_store(self) -> str:
        for_s = self._random.choice((0.3, 2.0, 3.5, 6.0, 10.0))
        self._world.store.stall(for_s)
        return f"the store stalls for {for_s} s"

    def _fail_store(self) -> str:
        faults = self._world.store.faults
        faults.failing = self._random.choice((0.05, 0.2, 0.6))
        faults.slow = self._random.choice((0.0, 0.2))
        for_s = self._random.choice((1.0, 4.0))
        self._later(for_s, self._store_is_well)
        return f"the store fails {faults.failing:.0%} of calls for {for_s} s"

    def _store_is_well(self) -> None:
        self._world.store.faults.failing = self._world.store.faults.slow = 0.0

    def _entries(self) -> int:
        return self._random.choice((1, 1, 2, 5, 20))

    def _go_back(self) -> str:
        lost = self._world.store.go_back(self._world.room, self._entries())
        return f"the store loses {lost} entries"

    def _go_back_and_crash(self) -> str:
        owner = self._world.owner()
        if owner is not None:
            owner.crash(quietly=False)
            self._later(self._random.choice((0.5, 5.0)), self._world.restart, owner.name)
        return f"{owner} dies, and {self._go_back()}"

    def _rot(self) -> str:
        if not self._world.room or not self._world.history.now.state.match_no:
            return "nothing in the log would make up for a rotten snapshot"
        self._world.store.shelf.corrupt(self._world.room)
        self._world.expects_damage = True
        return f"the snapshot rots, and {self._crash()}"

    # The network

    def _some_devices(self) -> list[Device]:
        devices = self._world.devices()
        return devices if self._random.random() < 0.3 else [self._random.choice(devices)]

    def _cut(self) -> str:
        some = self._some_devices()
        for device in some:
            for line in device.lines:
                line.cut()
        return f"{some} cut off"

    def _hang(self) -> str:
        some = self._some_devices()
        for device in some:
            for line in device.lines:
                line.hang()
        return f"{some} hang"

    def _stall_line(self) -> str:
        some = self._some_devices()
        for_s = self._random.choice((0.5, 2.0, 8.0))
        for device in some:
            for line in device.lines:
                line.stall(for_s)
        return f"{some} stall for {for_s} s"

    def _bad_weather(self) -> str:
        weather = self._world.weather
        weather.spike_rate = self._random.choice((0.0, 0.1))
        weather.cut_rate = self._random.choice((0.0, 0.005, 0.02))
        weather.double_rate = self._random.choice((0.0, 0.3, 1.0))
        return f"{weather}"

    # People

    def _some_device(self) -> Device | None:
        running = [device for device in self._world.devices() if device.runs]
        return self._random.choice(running) if running else None

    def _phone_dies(self) -> str:
        device = self._some_device()
        if device is None:
            return "nobody is here"
        device.die(quietly=self._random.random() < 0.5)
        back_s = self._random.choice((0.0, 2.0, 10.0))
        self._later(back_s, self._world.reopen, device)
        return f"{device} is off for {back_s} s"

    def _phone_sleeps(self) -> str:
        device = self._some_device()
        if device is None:
            return "nobody is here"
        for_s = self._random.choice((1.0, 10.0, 30.0))
        device.sleep()
        self._later(for_s, device.wake)
        return f"{device} is in a pocket for {for_s} s"

    def _second_tab(self) -> str:
        device = self._some_device()
        if device is None:
            return "nobody is here"
        if isinstance(device, Person) and not device.token:
            return f"{device} is not in yet"
        device.start()
        return f"{device} opens a second tab"

    def _lose_for_good(self) -> str:
        device = self._some_device()
        if device is None or len(self._world.here()) < 2:
            return "somebody has to stay"
        device.is_lost = True
        device.die(quietly=self._random.random() < 0.5)
        return f"{device} is gone for good"

    def _later(self, delay_s: float, do: Callable[..., object], *args: object) -> None:
        self._timers.append(asyncio.get_running_loop().call_later(delay_s, do, *args))
