"""`python -m bench.server`: what a node takes and bears on this machine, beside what it should.

    --quick     fewer rooms and rounds: a minute instead of five
    --json      one list of figures, for programs
    --only WHAT one of memory, latency, ratio, takeover, restart; may be repeated

Everything runs in this one call: a store of our own (`appendfsync always`), nodes, echoes and the
swarm, all on 127.0.0.1. The server under measurement has one core to itself, the swarm and the
store another; on a machine with one core they share it, and the latencies mean little. Linux only.

What else the machine does shows in all of it. The ratios and the memory move least, the latencies
most: the disk's own time for a sync is printed beside them.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import platform
import resource
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path

import structlog
from attrs import asdict, frozen

from bench.server_memory import memory
from bench.server_nodes import rolling_restart, takeover
from bench.server_process import CORES, LOAD_CORE, pin
from bench.server_rows import Row, table
from bench.server_speed import latencies, stored_per_cpu_second
from guandan_server.embedded import EmbeddedStore

__all__ = ["main"]

FILES = 8_192
"""Two thousand connections, twice."""


@frozen
class Size:
    """How much is done."""

    connections: int
    memory_rooms: int
    latency_windows: int
    ratio_rooms: int
    ratio_s: float
    ratio_rounds: int
    lead_s: float
    """Of load before a node is killed or stopped."""
    restart_rooms: int


FULL = Size(
    connections=1_000,
    memory_rooms=300,
    latency_windows=12,
    ratio_rooms=100,
    ratio_s=6,
    ratio_rounds=5,
    lead_s=5,
    restart_rooms=200,
)
QUICK = Size(
    connections=500,
    memory_rooms=100,
    latency_windows=2,
    ratio_rooms=50,
    ratio_s=3,
    ratio_rounds=1,
    lead_s=1,
    restart_rooms=50,
)

Part = Callable[[str, Path, Size], AsyncIterator[Row]]
PARTS: Mapping[str, Part] = {
    "memory": lambda url, _, size: memory(
        url, connections=size.connections, rooms=size.memory_rooms
    ),
    "latency": lambda url, disk, size: latencies(url, disk, windows=size.latency_windows),
    "ratio": lambda url, _, size: stored_per_cpu_second(
        url, rooms=size.ratio_rooms, seconds=size.ratio_s, rounds=size.ratio_rounds
    ),
    "takeover": lambda url, _, size: takeover(url, seconds=size.lead_s),
    "restart": lambda url, _, size: rolling_restart(
        url, rooms=size.restart_rooms, seconds=size.lead_s
    ),
}


async def measured(size: Size, parts: list[str], *, folder: Path) -> AsyncIterator[Row]:
    """The figures of some parts, each as soon as it is there."""
    async with EmbeddedStore(folder / "store") as store:
        pin(store.pid, LOAD_CORE)
        for name in parts:
            print(f"{name} …", file=sys.stderr, flush=True)
            async for row in PARTS[name](store.url, folder, size):
                yield row


async def _print(options: argparse.Namespace) -> None:
    size = QUICK if options.quick else FULL
    with tempfile.TemporaryDirectory(prefix="guandan-bench-") as folder:
        parts = options.only or list(PARTS)
        rows = [row async for row in measured(size, parts, folder=Path(folder))]
    if options.json:
        print(json.dumps([{**asdict(row), "holds": row.holds} for row in rows], indent=1))
        return
    version, cores = platform.python_version(), len(CORES)
    print(f"Python {version} on {platform.machine()}, {cores} cores\n")
    print(table(rows))


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.server", description="See its docstring."
    )
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--only", action="append", choices=list(PARTS))
    options = parser.parse_args(arguments)
    if not Path("/proc/self/stat").exists():
        print("what a process uses can be read on Linux only", file=sys.stderr)
        return 69
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(FILES, hard), hard))
    pin(0, LOAD_CORE)
    asyncio.run(_print(options))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
