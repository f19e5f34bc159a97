"""`python -m bench --thinking`: what bots that think cost a node on this machine.

    --tables N    100 without it
    --seconds S   of each of the two parts, 15 without it
    --json        one object, for programs

Tables with three bots and a person whose seat the autopilot plays, at the usual pace of a second:
the server plays for people, so a table of four bots alone stands still. First the bots are
`basic`, for reference, then `expert`, at the same node. Under a minute in all. Linux only.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import platform
import sys
import tempfile
import time
import urllib.request
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any, Final, Self

from attrs import asdict, frozen
from prometheus_client.parser import text_string_to_metric_families

from bench.server_process import CORES, free_port
from guandan_engine.seats import Seat
from guandan_protocol import messages as m
from guandan_protocol.client import TableClient

__all__ = ["Part", "lines", "main", "part_of"]

WAIT_S: Final = 60
SETTLE_S: Final = 3.0
"""Before anything is measured: workers start, and tables are at different moves."""
AT_ONCE: Final = 10
"""Tables that are opened at the same time."""
BOTS: Final = (Seat(2), Seat(3), Seat(4))

Counts = Mapping[tuple[str, str, str], float]
"""By the name of a metric and its two labels."""


@frozen
class Part:
    """What was measured with bots of one level."""

    level: str
    seconds: float
    lag_p50_ms: float
    lag_p99_ms: float
    lag_max_ms: float
    decisions_per_s: Mapping[str, float]
    """By the level that made them."""
    searched: float
    """The share of the decisions that were asked of `level` for which it searched."""
    fallbacks: Mapping[str, int]
    """By level and reason."""
    loop_cpu: float
    """Cores that the server's own process used."""
    workers_cpu: float
    """Cores that the workers used, of as many as there are workers."""
    workers: int


class NodeUnderTest:
    """A node in a process of its own, and what it says of itself."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._metrics_port = free_port()
        self._process: asyncio.subprocess.Process
        self.url = ""

    async def __aenter__(self) -> Self:
        command = (sys.executable, "-m", "bench.thinking_node", self._folder)
        self._process = await asyncio.create_subprocess_exec(
            *command,
            str(self._metrics_port),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=2**24,
        )
        line = await self._line()
        self.url = f"ws://127.0.0.1:{int(line.rpartition(b':')[2])}/ws"
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            async with asyncio.timeout(WAIT_S):
                await self._process.wait()
        except TimeoutError:
            self._process.kill()
            await self._process.wait()

    async def said(self) -> dict[str, Any]:
        """What it has measured since it was asked last."""
        assert self._process.stdin is not None
        self._process.stdin.write(b"\n")
        said: dict[str, Any] = json.loads(await self._line())
        return said

    async def _line(self) -> bytes:
        assert self._process.stdout is not None
        async with asyncio.timeout(WAIT_S):
            line = await self._process.stdout.readline()
        if not line:
            raise RuntimeError("the node has ended")
        return line

    async def counts(self) -> Counts:
        return await asyncio.to_thread(self._counts)

    def _counts(self) -> Counts:
        address = f"http://127.0.0.1:{self._metrics_port}/metrics"
        with urllib.request.urlopen(address, timeout=WAIT_S) as answer:
            text = answer.read().decode()
        found = {}
        for family in text_string_to_metric_families(text):
            if family.name not in ("guandan_decisions", "guandan_decision_fallbacks"):
                continue
            for sample in family.samples:
                if sample.name.endswith("_total"):
                    second = sample.labels.get("searched") or sample.labels.get("reason") or ""
                    found[family.name, sample.labels["level"], second] = sample.value
        return found


@contextlib.asynccontextmanager
async def table(url: str, level: str) -> AsyncIterator[None]:
    """A table that plays by itself."""
    hello = m.Create(m.VERSION, "Ann", os.urandom(16))
    async with TableClient(url, hello) as client:
        following = asyncio.create_task(_follow(client))
        actions: list[m.Action] = [m.AddBot(0, seat, level) for seat in BOTS]
        actions += [m.Autopilot(0, on=True), m.Start(0)]
        for action in actions:
            answer = await client.act(action)
            assert isinstance(answer, m.Done), f"{action} was answered by {answer}"
        try:
            yield
        finally:
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)


async def _follow(client: TableClient) -> None:
    async for _ in client:
        pass


async def measured(node: NodeUnderTest, level: str, *, tables: int, seconds: float) -> Part:
    async with contextlib.AsyncExitStack() as stack:
        for begun in range(0, tables, AT_ONCE):
            opening = [table(node.url, level) for _ in range(begun, min(begun + AT_ONCE, tables))]
            await asyncio.gather(*[stack.enter_async_context(one) for one in opening])
        await asyncio.sleep(SETTLE_S)
        counts, said, since = await node.counts(), await node.said(), time.monotonic()
        await asyncio.sleep(seconds)
        after, now, took_s = await node.counts(), await node.said(), time.monotonic() - since
    more = {key: value - counts.get(key, 0.0) for key, value in after.items()}
    return part_of(level, more, said, now, took_s)


def part_of(
    level: str, more: Counts, before: Mapping[str, Any], now: Mapping[str, Any], took_s: float
) -> Part:
    late_ms = sorted(now["late_ms"])
    made = {key[1:]: value for key, value in more.items() if key[0] == "guandan_decisions"}
    lighter = {
        f"{key[1]} {key[2]}": int(value)
        for key, value in sorted(more.items())
        if key[0] == "guandan_decision_fallbacks" and value
    }
    fell_back = sum(count for name, count in lighter.items() if name.startswith(f"{level} "))
    answered = sum(value for (name, _), value in made.items() if name == level)
    workers_s = sum(
        used - before["workers_cpu_s"].get(pid, 0.0) for pid, used in now["workers_cpu_s"].items()
    )
    levels = sorted({name for name, _ in made})
    return Part(
        level=level,
        seconds=took_s,
        lag_p50_ms=late_ms[len(late_ms) // 2],
        lag_p99_ms=late_ms[len(late_ms) * 99 // 100],
        lag_max_ms=late_ms[-1],
        decisions_per_s={
            one: (made.get((one, "yes"), 0.0) + made.get((one, "no"), 0.0)) / took_s
            for one in levels
        },
        searched=made.get((level, "yes"), 0.0) / max(1.0, answered + fell_back),
        fallbacks=lighter,
        loop_cpu=(now["own_cpu_s"] - before["own_cpu_s"]) / took_s,
        workers_cpu=workers_s / took_s,
        workers=now["workers"],
    )


def lines(part: Part) -> list[str]:
    """A part for people."""
    made = ", ".join([f"{name} {rate:.1f}" for name, rate in part.decisions_per_s.items() if rate])
    why = ", ".join([f"{name} {count}" for name, count in part.fallbacks.items()]) or "none"
    used = f"{part.workers} worker(s) {part.workers_cpu:.2f}"
    late = f"p50 {part.lag_p50_ms:.2f}  p99 {part.lag_p99_ms:.2f}  max {part.lag_max_ms:.1f} ms"
    return [
        f"bots of level {part.level}, {part.seconds:.0f} s",
        f"  loop lag       {late}",
        f"  decisions/s    {made}",
        f"  searched       {part.searched:.0%} of what was asked of {part.level}",
        f"  fallbacks      {why}",
        f"  processor      loop {part.loop_cpu:.2f} cores, {used}",
    ]


async def _measured(*, tables: int, seconds: float) -> list[Part]:
    with tempfile.TemporaryDirectory(prefix="guandan-bench-") as folder:
        async with NodeUnderTest(folder) as node:
            return [
                await measured(node, level, tables=tables, seconds=seconds)
                for level in ("basic", "expert")
            ]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench --thinking", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    if not Path("/proc/self/stat").exists():
        print("what a process uses can be read on Linux only", file=sys.stderr)
        return 69
    parts = asyncio.run(_measured(tables=given.tables, seconds=given.seconds))
    if given.json:
        print(json.dumps([asdict(part) for part in parts], indent=1))
        return 0
    print(f"Python {platform.python_version()}, {len(CORES)} cores, {given.tables} tables\n")
    print("\n\n".join(["\n".join(lines(part)) for part in parts]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
