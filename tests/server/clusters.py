"""Clusters and sentinels of the bundled server, as real processes on loopback.

    async with open_cluster(folder) as cluster: ...   three primaries, a replica of the first
    async with open_pair(folder) as pair: ...         a primary and a replica
    async with open_watch(folder) as watch: ...       a pair, and three sentinels over it

Every process is tethered to this one (`launcher`), so none is left behind, whatever ends the test.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError, ResponseError

from guandan_server import launcher
from guandan_server.embedded import SETTINGS, find_binary
from guandan_server.keys import room_keys
from tests.server.waiting import until

HOST = "127.0.0.1"


def free_port() -> int:
    """One below those that the kernel gives to outgoing connections: it stays free meanwhile."""
    while True:
        port = 20_000 + secrets.randbelow(12_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind((HOST, port))
            return port


def lines(settings: Mapping[str, str]) -> list[str]:
    return [f'{name} "{value}"' for name, value in settings.items()]


DATA_LINES = lines(
    {name: value for name, value in SETTINGS.items() if name not in ("port", "unixsocketperm")}
    # A replica gets its copy when it asks, not when others might come along, and not by a file
    # that is looked for once a second.
    | {"repl-diskless-sync-delay": "0", "repl-diskless-load": "flush-before-load"}
)


class Server:
    """One process, which may be killed, frozen, and started again on its data."""

    def __init__(
        self, folder: Path, config: Iterable[str], *, password: str = "", mode: str = ""
    ) -> None:
        self.folder = folder
        self.port = free_port()
        self._config = [f"port {self.port}", f"bind {HOST}", *config]
        self._mode = [mode] if mode else []
        self._process: asyncio.subprocess.Process | None = None
        self._admin = Redis(
            host=HOST,
            port=self.port,
            password=password or None,
            retry=Retry(NoBackoff(), 1),  # sentinels cut everybody's connections as they promote
        )

    def knows(self, config: Iterable[str]) -> None:
        """More of its configuration, before its first start."""
        self._config += config

    async def start(self) -> None:
        self.folder.mkdir(exist_ok=True)
        config = self.folder / "server.conf"
        if not config.exists():  # a sentinel rewrites its own
            config.write_text("\n".join(self._config) + "\n")
        tether = "exec" if sys.platform == "linux" else "watch"
        with (self.folder / "log").open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-I", "-S", launcher.__file__, tether, str(os.getpid())),
                *(str(find_binary()), config.name, *self._mode),
                cwd=self.folder,
                stdin=subprocess.PIPE if tether == "watch" else subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        await until(self._answers)

    async def forget_claim(self, room: str, fence: int) -> None:
        """Be as if the last claim had never come here; no failover is quicker than a tick."""
        meta = room_keys(room).meta
        beyond = int(await self.ask("HGET", meta, "fence"))
        await self.ask("HSET", meta, "fence", fence, "claim", "")

        async def is_past() -> bool:
            seconds, micros = await self.ask("TIME")
            return int(seconds) * 1000 + int(micros) // 1000 > beyond

        await until(is_past)

    async def _answers(self) -> bool:
        assert self._process
        assert self._process.returncode is None, (self.folder / "log").read_text()[-2000:]
        return await self.lives()

    async def lives(self) -> bool:
        try:
            return bool(await self.ask("PING"))
        except (RedisError, OSError):
            return False

    async def ask(self, *command: str | int) -> Any:
        async with self._admin.pipeline(transaction=False) as pipeline:
            pipeline.execute_command(*command)
            [answer] = await pipeline.execute()
        return answer

    def signal(self, number: signal.Signals) -> None:
        assert self._process
        os.killpg(self._process.pid, number)

    async def kill(self) -> None:
        if self._process and self._process.returncode is None:
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
        await self._admin.aclose()


async def in_step(primary: Server, replica: Server) -> bool:
    """Has the replica all that was acknowledged?"""
    _, written, _ = await primary.ask("ROLE")
    applied = (await replica.ask("ROLE"))[-1]
    return bool(written == applied)


async def _linked(replica: Server) -> bool:
    role = await replica.ask("ROLE")
    return bool(role[0] == b"slave" and role[3] == b"connected")


# -- A cluster --------------------------------------------------------------------------------


class Cluster:
    """Whoever is killed must not be `witness`."""

    def __init__(self, servers: Sequence[Server]) -> None:
        self.servers = servers
        self.witness = servers[2]

    @property
    def url(self) -> str:
        return "redis+cluster://" + ",".join(f"{HOST}:{one.port}" for one in self.servers)

    async def shares(self) -> list[tuple[int, int, Server]]:
        """First and last slot, and whose they are."""
        by_port = {one.port: one for one in self.servers}
        found = await self.witness.ask("CLUSTER", "SLOTS")
        return [(first, last, by_port[primary[1]]) for first, last, primary, *_ in found]

    async def primaries(self) -> list[Server]:
        return list(dict.fromkeys([server for _, _, server in await self.shares()]))

    async def replica(self) -> Server:
        primaries = await self.primaries()
        [replica] = [one for one in self.servers if one not in primaries]
        return replica

    async def replicated(self) -> Server:
        """The primary that has a replica."""
        role = await (await self.replica()).ask("ROLE")
        return next(one for one in self.servers if one.port == role[2])

    async def slot(self, room: str) -> int:
        slot: int = await self.witness.ask("CLUSTER", "KEYSLOT", room_keys(room).meta)
        return slot

    async def holder(self, room: str) -> Server:
        """Who has the room's keys, in the servers' own words."""
        slot = await self.slot(room)
        return next(one for first, last, one in await self.shares() if first <= slot <= last)

    async def room_of(self, server: Server) -> str:
        """A code whose slot is the server's."""
        for n in range(1000):
            if await self.holder(f"R{n}") is server:
                return f"R{n}"
        raise AssertionError("it has no slots")

    async def flush(self) -> None:
        await asyncio.gather(*(one.ask("FLUSHALL") for one in await self.primaries()))

    async def is_well(self) -> bool:
        """Everybody is up and says so, and the replica has all there is."""
        for server in self.servers:
            if (await server.ask("CLUSTER", "INFO")).find(b"cluster_state:ok") < 0:
                return False
        return len(await self.primaries()) == 3 and await _linked(await self.replica())

    async def heal(self) -> None:
        """Start who is dead; back comes a cluster that is well, whoever has which part now."""
        for server in self.servers:
            if not await server.lives():
                await server.kill()
                await server.start()
        await until(self.is_well, timeout_s=20)


@asynccontextmanager
async def open_cluster(folder: Path) -> AsyncIterator[Cluster]:
    async with AsyncExitStack() as stack:
        buses = [free_port() for _ in range(4)]
        config = {
            "cluster-enabled": "yes",
            # Nobody is voted out because a busy machine is slow: tests promote by hand.
            "cluster-node-timeout": "8000",
        }
        servers = [
            await stack.enter_async_context(
                Server(folder / f"{n}", [*DATA_LINES, *lines(config), f"cluster-port {bus}"])
            )
            for n, bus in enumerate(buses)
        ]
        await asyncio.gather(*(server.start() for server in servers))
        cuts = [0, 5461, 10923, 16_384]
        for server, first, end in zip(servers[:3], cuts, cuts[1:], strict=False):
            await server.ask("CLUSTER", "ADDSLOTSRANGE", first, end - 1)
        for server, bus in zip(servers[1:], buses[1:], strict=True):
            await servers[0].ask("CLUSTER", "MEET", HOST, server.port, bus)
        first_id = (await servers[0].ask("CLUSTER", "MYID")).decode()

        async def replicates() -> bool:
            with suppress(RedisError):  # it has not heard of the first one yet
                return bool(await servers[3].ask("CLUSTER", "REPLICATE", first_id))
            return False

        await until(replicates)
        cluster = Cluster(servers)
        await until(cluster.is_well, timeout_s=20)
        yield cluster


# -- A primary and its replica ----------------------------------------------------------------

PASSWORD = "s3cret/#?@"


class Pair:
    def __init__(self, primary: Server, replica: Server) -> None:
        self.primary = primary
        self.replica = replica

    async def in_step(self) -> None:
        await until(lambda: in_step(self.primary, self.replica))

    async def part(self) -> None:
        """From here on the replica gets nothing; it stays up, with what it had."""
        await self.replica.ask("CONFIG", "SET", "masterauth", "wrong")
        await self.primary.ask("CLIENT", "KILL", "TYPE", "replica")

    async def swap(self) -> None:
        """Let them change places; connections stay as they are."""
        await self.in_step()
        await self.replica.ask("REPLICAOF", "NO", "ONE")
        await self.primary.ask("REPLICAOF", HOST, self.replica.port)
        self.primary, self.replica = self.replica, self.primary
        await until(lambda: _linked(self.replica))


@asynccontextmanager
async def open_pair(folder: Path) -> AsyncIterator[Pair]:
    async with AsyncExitStack() as stack:
        config = [*DATA_LINES, *lines({"requirepass": PASSWORD, "masterauth": PASSWORD})]
        primary, replica = [
            await stack.enter_async_context(Server(folder / name, config, password=PASSWORD))
            for name in ("first", "second")
        ]
        await asyncio.gather(primary.start(), replica.start())
        await replica.ask("REPLICAOF", HOST, primary.port)
        await until(lambda: _linked(replica))
        yield Pair(primary, replica)


# -- Sentinels over them ----------------------------------------------------------------------

NAME = "table"
SENTINEL_PASSWORD = "watch%me"
# In milliseconds; an election among servers that are this near may be quick. Five ping periods are
# how old a replica's last word may be for it to be a candidate, and during an election it has its
# say once a second: shorter than this, and most rounds find nobody.
HASTE = {"info-period": 100, "ping-period": 300, "ask-period": 50, "publish-period": 100}


class Watch:
    def __init__(self, pair: Pair, sentinels: Sequence[Server]) -> None:
        self.pair = pair
        self.sentinels = sentinels

    @property
    def url(self) -> str:
        peers = ",".join(f"{HOST}:{one.port}" for one in self.sentinels)
        login, option = quote(PASSWORD, safe=""), quote(SENTINEL_PASSWORD, safe="")
        return f"redis+sentinel://:{login}@{peers}/{NAME}?sentinel_password={option}"

    async def is_well(self) -> bool:
        """They all see each other, and a replica that could take over."""
        for sentinel in self.sentinels:
            with suppress(ResponseError):  # NOQUORUM
                quorum = await sentinel.ask("SENTINEL", "CKQUORUM", NAME)
                [replica] = await sentinel.ask("SENTINEL", "REPLICAS", NAME)
                if quorum.startswith(b"OK 3") and replica[b"master-link-status"] == b"ok":
                    continue
            return False
        return True

    async def fail_over(self) -> None:
        """Kill the primary, and wait for another."""
        await self.kill()
        await self.elect()

    async def kill(self) -> None:
        """Kill the primary; nobody takes note of it yet."""
        await self.pair.primary.kill()

    async def elect(self) -> None:
        """Let them find the primary dead and promote the replica, until all of them name it."""
        pair = self.pair
        # The third has a vote but is no candidate, so the first round is never a draw.
        for sentinel in self.sentinels[:2]:
            await sentinel.ask("SENTINEL", "SET", NAME, "down-after-milliseconds", 400)
        pair.primary, pair.replica = pair.replica, pair.primary
        await until(self._all_name_the_primary, timeout_s=20)

    async def _all_name_the_primary(self) -> bool:
        named = [
            await one.ask("SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME) for one in self.sentinels
        ]
        return named == [[HOST.encode(), b"%d" % self.pair.primary.port]] * len(named)


@asynccontextmanager
async def open_watch(folder: Path) -> AsyncIterator[Watch]:
    async with AsyncExitStack() as stack:
        pair = await stack.enter_async_context(open_pair(folder))
        config = [
            f'requirepass "{SENTINEL_PASSWORD}"',
            f'sentinel sentinel-pass "{SENTINEL_PASSWORD}"',
            f"sentinel monitor {NAME} {HOST} {pair.primary.port} 2",
            f'sentinel auth-pass {NAME} "{PASSWORD}"',
            # Nobody is voted out because a busy machine is slow: see `fail_over`.
            f"sentinel down-after-milliseconds {NAME} 60000",
            f"sentinel failover-timeout {NAME} 2000",
            # What they would find out by themselves, in a few seconds.
            f"sentinel known-replica {NAME} {HOST} {pair.replica.port}",
        ]
        ids = [secrets.token_hex(20) for _ in range(3)]
        sentinels = [
            await stack.enter_async_context(
                Server(
                    folder / f"sentinel-{n}",
                    [f"sentinel myid {own_id}", *config],
                    password=SENTINEL_PASSWORD,
                    mode="--sentinel",
                )
            )
            for n, own_id in enumerate(ids)
        ]
        for one in sentinels:
            one.knows(
                f"sentinel known-sentinel {NAME} {HOST} {other.port} {other_id}"
                for other, other_id in zip(sentinels, ids, strict=True)
                if other is not one
            )
        await asyncio.gather(*(sentinel.start() for sentinel in sentinels))
        for sentinel in sentinels:
            for period, ms in HASTE.items():
                await sentinel.ask("SENTINEL", "DEBUG", period, ms)
        watch = Watch(pair, sentinels)
        await until(watch.is_well, timeout_s=20)
        yield watch


# -- Servers that are not what they seem ------------------------------------------------------


@asynccontextmanager
async def open_stub(answer: Callable[[list[bytes]], object]) -> AsyncIterator[int]:
    """A server that says to every command what `answer` says; back comes its port."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                parts = int((await reader.readuntil(b"\r\n"))[1:])
                command = []
                for _ in range(parts):
                    size = int((await reader.readuntil(b"\r\n"))[1:])
                    command.append((await reader.readexactly(size + 2))[:-2])
                writer.write(encoded(answer(command)))
        writer.close()

    server = await asyncio.start_server(serve, HOST, 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        await server.wait_closed()


def encoded(value: object) -> bytes:
    match value:
        case None:
            return b"*-1\r\n"
        case int():
            return b":%d\r\n" % value
        case bytes() | str():
            text = value if isinstance(value, bytes) else value.encode()
            return b"$%d\r\n%s\r\n" % (len(text), text)
        case list():
            return b"*%d\r\n" % len(value) + b"".join(map(encoded, value))
        case Exception():
            return b"-%s\r\n" % str(value).encode()
        case _:
            raise AssertionError(value)


class LossyProxy:
    """Passes everything on, but cuts the line instead of giving back some answers to scripts."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self.losses = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        streams = [writer]
        with suppress(ConnectionError):
            up_reader, up_writer = await asyncio.open_connection(HOST, self._server.port)
            streams.append(up_writer)
            while request := await reader.read(1 << 20):
                up_writer.write(request)
                reply = await up_reader.read(1 << 20)
                if self.losses and b"EVALSHA" in request and b"NOSCRIPT" not in reply:
                    self.losses -= 1
                    break
                if not reply:
                    break
                writer.write(reply)
        for stream in streams:
            stream.close()
            with suppress(ConnectionError):
                await stream.wait_closed()


@asynccontextmanager
async def open_lossy(server: Server) -> AsyncIterator[tuple[LossyProxy, int]]:
    proxy = LossyProxy(server)
    listening = await asyncio.start_server(proxy.serve, HOST, 0)
    try:
        yield proxy, listening.sockets[0].getsockname()[1]
    finally:
        listening.close()
        await listening.wait_closed()
