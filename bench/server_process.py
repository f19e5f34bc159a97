"""Processes under measurement: started, pinned to a core, read, and ended."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

from guandan_bots.processes import Usage, usage

__all__ = [
    "CORES",
    "LOAD_CORE",
    "SERVER_CORE",
    "Process",
    "echo_command",
    "free_port",
    "node_command",
    "pin",
]

CORES = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [0]
SERVER_CORE = CORES[0]
LOAD_CORE = CORES[-1]
"""For the swarm and the store: what they use must not be taken from the server."""

START_S = 30
STOP_S = 15


def pin(pid: int, core: int) -> None:
    """Keep a process on one core, where the system can."""
    if hasattr(os, "sched_setaffinity") and len(CORES) > 1:
        with contextlib.suppress(OSError):
            os.sched_setaffinity(pid, {core})


def free_port() -> int:
    """A port that a node can have again after it has ended."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def node_command(store_url: str, *, node: str, port: int = 0) -> tuple[str, ...]:
    """A node on a given store."""
    guandan = str(Path(sys.executable).with_name("guandan"))
    options = ("--redis", store_url, "--node", node, "--port", str(port))
    return (guandan, "serve", *options, "--log-level", "error")


def echo_command(*options: str) -> tuple[str, ...]:
    """An echo; see `bench.server_echo`."""
    return (sys.executable, "-m", "bench.server_echo", *options)


class Process:
    """A server that says where it serves."""

    def __init__(self, command: tuple[str, ...], *, core: int | None) -> None:
        self._command = command
        self._core = core
        self.port = 0

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process.returncode is None:
            await self.stop()

    async def start(self) -> None:
        """Start it and wait until it serves."""
        self._process = await asyncio.create_subprocess_exec(
            *self._command, stdout=asyncio.subprocess.PIPE
        )
        if self._core is not None:
            pin(self.pid, self._core)
        assert self._process.stdout is not None
        async with asyncio.timeout(START_S):
            line = await self._process.stdout.readline()
        if not line.startswith(b"Serving at http://"):
            raise RuntimeError(f"{self._command[0]} did not start")
        self.port = int(line.rpartition(b":")[2])

    async def stop(self) -> None:
        """End it in order, and wait for that."""
        self._process.terminate()
        try:
            async with asyncio.timeout(STOP_S):
                await self._process.wait()
        except TimeoutError:
            self._process.kill()
            await self._process.wait()

    async def kill(self) -> None:
        """End it without a word."""
        self._process.kill()
        await self._process.wait()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/ws"

    def usage(self) -> Usage:
        found = usage(self.pid)
        if found is None:
            raise RuntimeError("what a process uses can be read on Linux only")
        return found
