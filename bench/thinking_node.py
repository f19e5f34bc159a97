"""A node that also says how late its event loop is: one line of JSON for each line it is sent.

python -m bench.thinking_node FOLDER METRICS_PORT
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import sys
from pathlib import Path
from typing import Final, NoReturn

import structlog

from guandan_bots.processes import children, usage
from guandan_cli.brains import Bots, SlowBots
from guandan_server.config import Config, default_thinkers
from guandan_server.node import open_node

__all__ = ["PROBE_S"]

PROBE_S: Final = 0.01
"""Between two looks at the clock: a few thousand of them in a run."""
ERROR: Final = 40


class Probe:
    """How much later than asked the loop ran something, since it was asked last."""

    def __init__(self) -> None:
        self._late_ms: list[float] = []

    async def run(self) -> NoReturn:
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + PROBE_S
            await asyncio.sleep(PROBE_S)
            self._late_ms.append((loop.time() - due) * 1000)

    def taken(self) -> list[float]:
        late_ms, self._late_ms = self._late_ms, []
        return late_ms


def _workers_cpu_s() -> dict[int, float]:
    """Processor time of each worker that there is."""
    found = {}
    for pid in children(os.getpid()):
        command = Path(f"/proc/{pid}/cmdline")
        used = usage(pid)
        if used is not None and b"anyio.to_process" in command.read_bytes():
            found[pid] = used.cpu_s
    return found


async def _serve(folder: Path, metrics_port: int) -> None:
    loop = asyncio.get_running_loop()
    lines = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    config = Config(port=0, data_dir=folder, metrics_port=metrics_port)
    probe = Probe()
    async with open_node(config, Bots(), slow=SlowBots()) as node, node.watching(probe.run()):
        print(f"Serving at http://127.0.0.1:{node.port}", flush=True)
        while await lines.readline():
            own = usage(os.getpid())
            assert own is not None
            said = {
                "late_ms": probe.taken(),
                "own_cpu_s": own.cpu_s,
                "workers_cpu_s": _workers_cpu_s(),
                "workers": default_thinkers(),
            }
            print(json.dumps(said), flush=True)


if __name__ == "__main__":
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(ERROR))
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)  # as `guandan serve` does
    asyncio.run(_serve(Path(sys.argv[1]), int(sys.argv[2])))
