"""How long a play takes to the last seat, and how many of them a second of processor time stores.

The second is told as a ratio to echoes (`bench.server_echo`) measured in the same run: nodes and
echoes take turns, each as busy as it gets, and the median of the rounds counts. Each has a core to
itself; the swarm and the store have the other.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from statistics import median

from attrs import frozen

from bench.server_echo import Sample
from bench.server_process import SERVER_CORE, Process, echo_command, node_command
from bench.server_rows import Row
from guandan_bots.load import Plan, Swarm
from guandan_bots.load_report import latency
from guandan_bots.load_socket import ThinSocket, open_socket
from guandan_protocol.codec import encode
from guandan_protocol.messages import Pass
from guandan_server.store import Loaded
from guandan_server.store_redis import RedisStore

__all__ = ["EchoTable", "latencies", "stored_per_cpu_second"]

LATENCY_MS_MAX = 5
STORING_RATIO_MIN = 0.5
LATENCY_ROOMS = 500
LATENCY_RATE = 200
WINDOW_S = 5.0
"""A thousand plays: the tenth slowest is the p99."""
SETTLING_S = 2.0
"""Of load that is not counted: caches fill, and the rooms' first hands are dealt."""
SYNCS = 200
SYNC_BYTES = 1500
"""About what one play appends to the store's log."""
SEATS = 4


async def latencies(store_url: str, disk: Path, *, windows: int) -> AsyncIterator[Row]:
    """From a play to the last seat, and the disk's part of it.

    Measured in short windows, of which the quietest counts: what else the machine does only ever
    makes it slower. The median window stands beside it, and what is ours alone is in every one.
    """
    async with Process(node_command(store_url, node="latency"), core=SERVER_CORE) as node:
        plan = Plan((node.url,), LATENCY_ROOMS, LATENCY_RATE, WINDOW_S, server_pid=node.pid)
        async with Swarm(plan) as swarm:
            await swarm.open()
            await _settle(swarm)
            reports, syncs = [], []
            for _ in range(windows):
                syncs.append(latency(await asyncio.to_thread(_syncs_s, disk)))
                await swarm.run()
                reports.append(swarm.report())
    told = [report.latency_ms for report in reports]
    yield _window_row("the disk: a sync of a play's bytes, p99", [one.p99 for one in syncs])
    yield _window_row("action to last seat, p50", [one.p50 for one in told])
    yield _window_row("action to last seat, p99", [one.p99 for one in told], at_most=LATENCY_MS_MAX)
    problems = sum(sum(one.errors.values()) + one.reconnects + one.timed_out for one in reports)
    rate = median([report.rate for report in reports])
    busy = [one.server_use.cpu_s / one.seconds for one in reports if one.server_use]
    swarm_busy = median([one.swarm_cpu_s / one.seconds for one in reports])
    yield Row(
        "… errors, lost connections and clocks meanwhile",
        problems,
        "",
        at_most=0,
        note=f"{LATENCY_ROOMS} rooms, {rate:.0f} actions/s; node {median(busy):.0%} busy, "
        f"swarm {swarm_busy:.0%}",
    )


def _window_row(name: str, values: Sequence[float | None], *, at_most: float | None = None) -> Row:
    found = sorted(value for value in values if value is not None)
    note = f"the best of {len(found)} windows; median {median(found):.2f}, worst {found[-1]:.2f}"
    return Row(name, found[0], "ms", at_most=at_most, note=note)


async def _settle(swarm: Swarm) -> None:
    running = asyncio.create_task(swarm.run())
    await asyncio.sleep(SETTLING_S)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


def _syncs_s(folder: Path) -> list[float]:
    """What the disk alone takes for what the store does with every play."""
    spent = []
    with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
        for _ in range(SYNCS):
            file.write(bytes(SYNC_BYTES))
            begun = time.perf_counter()
            os.fsync(file.fileno())
            spent.append(time.perf_counter() - begun)
    return spent


# Plays a second of processor time


async def stored_per_cpu_second(
    store_url: str, *, rooms: int, seconds: float, rounds: int
) -> AsyncIterator[Row]:
    """Of a node, and of the echoes."""
    measured: list[tuple[float, ...]] = []
    for number in range(rounds):
        node, sample = await _node(store_url, f"speed{number}", rooms=rooms, seconds=seconds)
        echoes = [await _echo(kind, store_url, sample, rooms, seconds) for kind in KINDS]
        measured.append((node, *echoes))
    nodes = [one[0] for one in measured]
    yield Row(
        "stored actions per CPU-second of a node",
        median(nodes),
        "/s",
        note=f"{rooms} rooms, as fast as they go; {_spread(nodes)}",
    )
    for place, kind in enumerate(KINDS, start=1):
        ratios = [one[0] / one[place] for one in measured]
        rates = median([one[place] for one in measured])
        yield Row(
            f"… as a share of {kind.name}",
            median(ratios),
            "",
            at_least=STORING_RATIO_MIN if kind.is_yardstick else None,
            note=f"{rates:,.0f}/s; {_spread(ratios)}",
        )


def _spread(values: Sequence[float]) -> str:
    low, high = min(values), max(values)
    figures = f"{low:.2f}–{high:.2f}" if high < 100 else f"{low:,.0f}–{high:,.0f}"
    return f"{figures} in {len(values)} rounds"


@frozen
class Kind:
    """An echo."""

    name: str
    stores: bool
    tells_all: bool
    is_yardstick: bool = False
    """Is there a target for the ratio to it?"""


KINDS = (
    Kind("an echo that stores the same bytes", stores=True, tells_all=False, is_yardstick=True),
    Kind("one that stores, and tells four seats", stores=True, tells_all=True),
    Kind("a bare echo", stores=False, tells_all=False),
)


async def _node(store_url: str, name: str, *, rooms: int, seconds: float) -> tuple[float, Sample]:
    async with Process(node_command(store_url, node=name), core=SERVER_CORE) as node:
        plan = Plan((node.url,), rooms, None, seconds, server_pid=node.pid)
        async with Swarm(plan) as swarm:
            await swarm.open()
            await _settle(swarm)
            await swarm.run()
            use = swarm.report().server_use
            assert use is not None
            assert use.actions_per_cpu_s is not None
            return use.actions_per_cpu_s, await _sample(store_url, swarm)


async def _sample(store_url: str, swarm: Swarm) -> Sample:
    """What the last play of some room was, in bytes."""
    chairs = swarm.tables[0].chairs
    async with RedisStore(store_url) as store:
        loaded = await store.load(chairs[0].room)
        assert isinstance(loaded, Loaded)
        [entry] = await store.log(chairs[0].room, after_seq=loaded.seq - 1, limit=1)
    return Sample(
        entry=entry.body,
        snapshot=loaded.snapshot,
        update=chairs[0].last_frame,
        action=encode(Pass(1, 1)),
    )


async def _echo(kind: Kind, store_url: str, sample: Sample, rooms: int, seconds: float) -> float:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sample"
        sample.save(path)
        options = ["--sample", str(path)]
        options += ["--store", store_url] if kind.stores else []
        options += ["--all"] if kind.tells_all else []
        async with Process(echo_command(*options), core=SERVER_CORE) as echo:
            tables = [EchoTable(sample, tells_all=kind.tells_all) for _ in range(rooms)]
            for table in tables:
                await table.open(echo.url)
            for table in tables:
                table.go()
            await asyncio.sleep(SETTLING_S)
            before, counted = echo.usage().cpu_s, sum(table.answered for table in tables)
            await asyncio.sleep(seconds)
            spent = echo.usage().cpu_s - before
            done = sum(table.answered for table in tables) - counted
            for table in tables:
                table.close()
    return done / spent


class EchoTable:
    """Four connections, one of which says something once all have heard what was said before."""

    _numbers = itertools.count(1)

    def __init__(self, sample: Sample, *, tells_all: bool) -> None:
        self.answered = 0
        self.name = f"echo{os.getpid()}-{next(self._numbers)}"
        self._sample = sample
        self._answers_wanted = SEATS if tells_all else 1
        self._awaited = 0
        self._turn = 0
        self._sockets: list[ThinSocket] = []

    async def open(self, url: str) -> None:
        for _ in range(SEATS):
            welcomed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            socket = await open_socket(url, lambda _, w=welcomed: self._heard(w))  # type: ignore[misc]  # bound here on purpose
            socket.send(self.name.encode())
            await welcomed
            self._sockets.append(socket)

    def go(self) -> None:
        self._turn = (self._turn + 1) % SEATS
        self._awaited = self._answers_wanted
        self._sockets[self._turn].send(self._sample.action)

    def _heard(self, welcomed: asyncio.Future[None]) -> None:
        if not welcomed.done():
            welcomed.set_result(None)
            return
        self._awaited -= 1
        if self._awaited == 0:
            self.answered += 1
            self.go()

    def close(self) -> None:
        self._awaited = 0
        for socket in self._sockets:
            socket.close()
