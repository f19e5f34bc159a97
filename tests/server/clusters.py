"""Clusters and sentinels of the bundled server, as real processes on loopback.

    async with open_cluster(folder) as cluster: ...     three primaries, a replica of the first
    async with open_watch(folder) as watch: ...         a primary, a replica, three sentinels

Every process is tethered to this one (`launcher`), so none is left behind, whatever ends the test.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Self

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from guandan_server import launcher
from guandan_server.embedded import SETTINGS, find_binary
from guandan_server.keys import room_keys
from tests.server import until

HOST = "127.0.0.1"
DATA_SETTINGS = {name: value for name, value in SETTINGS.items() if name != "unixsocketperm"} | {
    "bind": HOST,
    # A replica is served when it asks, not when others might come along.
    "repl-diskless-sync-delay": "0",
}


def free_port(*, taken: set[int] | None = None) -> int:
    """One below those that the kernel gives to outgoing connections: nobody gets it meanwhile."""
    while True:
        port = random.SystemRandom().randrange(20_000, 32_000)
        if taken and port in taken:
            continue
        with socket.socket() as probe:
            try:
                probe.bind((HOST, port))
            except OSError:
                continue
        return port


class Server:
    """One process, which may be killed, frozen, and started again on its data."""

    def __init__(self, folder: Path, *, password: str = "", **options: str) -> None:
        self.folder = folder
        self.port = free_port()
        self._command = ["--port", str(self.port)]
        for name, value in options.items():
            self._command += [f"--{name.replace('_', '-')}", value]
        self._process: asyncio.subprocess.Process | None = None
        self.admin = Redis(
            host=HOST,
            port=self.port,
            password=password or None,
            decode_responses=True,
            retry=Retry(NoBackoff(), 0),
        )

    async def start(self, *command: str) -> None:
        self.folder.mkdir(exist_ok=True)
        exec_or_watch = "exec" if sys.platform == "linux" else "watch"
        with (self.folder / "log").open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-I", "-S", launcher.__file__, exec_or_watch, str(os.getpid())),
                *(str(find_binary()), *(command or self._command)),
                cwd=self.folder,
                stdin=subprocess.DEVNULL if exec_or_watch == "exec" else subprocess.PIPE,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        await until(self._answers)

    async def _answers(self) -> bool:
        assert self._process
        assert self._process.returncode is None, (self.folder / "log").read_text()[-2000:]
        with suppress(RedisError, OSError):
            return bool(await self.ask("PING"))
        return False

    async def ask(self, *command: str | int) -> Any:
        async with self.admin.pipeline(transaction=False) as pipeline:
            pipeline.execute_command(*command)
            [answer] = await pipeline.execute()
        return answer

    def signal(self, number: signal.Signals) -> None:
        assert self._process
        os.killpg(self._process.pid, number)

    async def kill(self) -> None:
        if self._process:
            with suppress(ProcessLookupError):
                self.signal(signal.SIGKILL)
            await self._process.wait()

    @asynccontextmanager
    async def frozen(self) -> AsyncIterator[None]:
        self.signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.signal(signal.SIGCONT)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.kill()
        await self.admin.aclose()


# -- Clusters ---------------------------------------------------------------------------------

SLOTS = 16_384


class Cluster:
    def __init__(self, servers: list[Server]) -> None:
        self.servers = servers

    @property
    def url(self) -> str:
        return "redis+cluster://" + ",".join(f"{HOST}:{one.port}" for one in self.servers)

    async def shares(self) -> list[tuple[int, int, Server]]:
        """First and last slot, and whose they are."""
        by_port = {one.port: one for one in self.servers}
        found = await self.servers[2].ask("CLUSTER", "SLOTS")
        return [(first, last, by_port[primary[1]]) for first, last, primary, *_ in found]

    async def primaries(self) -> list[Server]:
        return [server for _, _, server in await self.shares()]

    async def holder(self, room: str) -> Server:
        """Who has the room's keys, in the servers' own words."""
        slot = await self.servers[2].ask("CLUSTER", "KEYSLOT", room_keys(room).meta)
        return next(one for first, last, one in await self.shares() if first <= slot <= last)

    async def room_at(self, server: Server, *, but: str = "") -> str:
        """A code whose slot is the server's."""
        codes = (f"R{n}" for n in range(1000))
        return next(
            [code async for code in _filter(codes, self.holder, server) if code != but].__iter__()
        )

    async def well(self) -> bool:
        """Everybody is up and agrees that it is, and the replica has all there is."""
        for server in self.servers:
            info = await server.ask("CLUSTER", "INFO")
            if "cluster_state:ok" not in info.splitlines():
                return False
        roles = [await server.ask("ROLE") for server in self.servers]
        return [role[3] for role in roles if role[0] == "slave"] == ["connected"]

    async def heal(self) -> None:
        """Start who is dead; back comes a cluster that is well."""
        for server in self.servers:
            try:
                await server.ask("PING")
            except (RedisError, OSError):
                await server.kill()
                await server.start()
        await until(self.well, timeout_s=20)


@asynccontextmanager
async def open_cluster(folder: Path) -> AsyncIterator[Cluster]:
    """Three primaries, and a replica of the first. The one at place 2 is never to be killed."""
    async with AsyncExitStack() as stack:
        servers = [
            await stack.enter_async_context(
                Server(
                    folder / f"{n}",
                    cluster_enabled="yes",
                    cluster_port=str(free_port()),
                    # Nobody is voted out because a busy machine is slow; tests promote by hand.
                    cluster_node_timeout="8000",
                    **DATA_SETTINGS,
                )
            )
            for n in range(4)
        ]
        await asyncio.gather(*(server.start() for server in servers))
        first, *others = servers
        cuts = [0, 5461, 10923, SLOTS]
        for n, server in enumerate(servers[:3]):
            await server.ask("CLUSTER", "ADDSLOTSRANGE", cuts[n], cuts[n + 1] - 1)
        for server in others:
            [bus] = (await server.admin.config_get("cluster-port")).values()
            await first.ask("CLUSTER", "MEET", HOST, server.port, bus)
        first_id = await first.ask("CLUSTER", "MYID")

        async def replicates() -> bool:
            with suppress(RedisError):  # it has not heard of the first one yet
                return bool(await servers[3].ask("CLUSTER", "REPLICATE", first_id))
            return False

        await until(replicates)
        cluster = Cluster(servers)
        await until(cluster.well, timeout_s=20)
        yield cluster


# -- Sentinels --------------------------------------------------------------------------------

NAME = "table"
PASSWORD = "s3cret/#?@"
SENTINEL_PASSWORD = "watch%me"
