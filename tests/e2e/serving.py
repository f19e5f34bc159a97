"""The real `guandan serve` in a process of its own, started, killed and started again."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

from tests.server.waiting import until

START_S: Final = 30
"""A time-out of a wait: a start takes well under a second on an idle machine."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Served:
    """One server on one data directory and one port."""

    def __init__(self, data_dir: Path, *options: str, **environment: str) -> None:
        self.data_dir = data_dir
        self._options = options
        self.port = free_port()
        self.url = f"ws://127.0.0.1:{self.port}/ws"
        self._environment = environment
        self._process: asyncio.subprocess.Process | None = None
        data_dir.parent.mkdir(parents=True, exist_ok=True)
        self.log_path = data_dir.with_suffix(".log")
        self._log = self.log_path.open("ab")

    @property
    def process(self) -> asyncio.subprocess.Process:
        assert self._process is not None
        return self._process

    async def start(self) -> None:
        """Start it and wait until it says that it serves."""
        self._process = await asyncio.create_subprocess_exec(
            str(Path(sys.executable).with_name("guandan")),
            "serve",
            "--port",
            str(self.port),
            "--data-dir",
            str(self.data_dir),
            *self._options,
            env={**os.environ, **self._environment},
            stdout=asyncio.subprocess.PIPE,
            stderr=self._log,
        )
        assert self._process.stdout is not None
        async with asyncio.timeout(START_S):
            line = await self._process.stdout.readline()
        assert line.startswith(b"Serving at "), line

    async def kill(self) -> None:
        """kill -9, and wait until nothing of it is left: no server, no store."""
        self.process.kill()
        await self.process.wait()
        await until(lambda: not self.stores(), timeout_s=START_S)

    async def terminate(self) -> int:
        """SIGTERM, and its exit status."""
        self.process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(START_S):
            return await self.process.wait()

    async def end(self) -> None:
        """Whatever became of it, it is over."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()
        self._log.close()

    def stores(self) -> list[int]:
        """Processes that hold our data directory."""
        found = []
        for entry in Path("/proc").iterdir():
            if not entry.name.isdecimal() or int(entry.name) == os.getpid():
                continue
            with contextlib.suppress(OSError):
                if str(self.data_dir / "store") in str((entry / "cwd").readlink()):
                    found.append(int(entry.name))
        return found


@contextlib.asynccontextmanager
async def serving(data_dir: Path, *options: str, **environment: str) -> AsyncIterator[Served]:
    """A server for the length of a test; it is gone afterwards, whatever happened."""
    served = Served(data_dir, *options, **environment)
    try:
        await served.start()
        yield served
    finally:
        await served.end()
