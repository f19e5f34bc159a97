"""Who carries a line's commands: a server by its URL, the one that sentinels name, a cluster's.

redis-py opens the connections and packs the commands. What it has for sentinels and clusters on
top of that is not used, for it settles by itself what a line has to settle:

* Its cluster pipeline sends what was redirected one by one, closes every connection at a
  CLUSTERDOWN and sleeps over it, may send ASKING and the command it is for over two connections,
  and waits for the slowest of the servers before anybody has an answer. Here a cluster is a map
  from slots to plain servers, each with a line of its own (`trunk`).
* Its sentinel pool asks one sentinel after the other with the patience of a data connection, turns
  READONLY into a lost connection, and takes whatever it is sent to for a primary. Here the server
  is asked for its ROLE: a sentinel that slept through a failover still names the old primary, and
  a replica would answer a `load` with the past.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot
from redis.exceptions import ReadOnlyError, RedisError, ResponseError
from redis.maint_notifications import MaintNotificationsConfig

from guandan_server.line import SOCKET_TIMEOUT_S
from guandan_server.scripts import SCRIPTS, Part, Reply
from guandan_server.store_url import ClusterSeeds, OneServer, Peer, Sentinels, parse

# A sentinel, or a server asked for the slots, answers from memory. One that takes longer than this
# is passed over, so that two dead ones leave a caller's deadline time for the third.
ASK_TIMEOUT_S = 1.0

# Before a command whose slot is just moving to another server: "yes, you". Our own commands never
# begin with it, so one tuple holds both, and `Node` makes two of it.
ASKING = "ASKING"


def executor_for(
    url: str, *, socket_timeout_s: float = SOCKET_TIMEOUT_S
) -> Standalone | Sentinel | Cluster:
    """What carries commands to the store at `url`; BadStoreUrl if it is none. Connects nowhere."""
    match parse(url):
        case OneServer(one):
            return Standalone(one, socket_timeout_s=socket_timeout_s)
        case Sentinels() as sentinels:
            return Sentinel(sentinels, socket_timeout_s=socket_timeout_s)
        case ClusterSeeds() as seeds:
            return Cluster(seeds, socket_timeout_s=socket_timeout_s)


class Standalone:
    """One server, by URL."""

    def __init__(self, url: str, *, socket_timeout_s: float) -> None:
        self._client = Redis.from_url(
            url,
            socket_timeout=socket_timeout_s,
            socket_connect_timeout=socket_timeout_s,
            retry=Retry(NoBackoff(), 0),
            # RESP2 says all we ask, and needs no handshake that older servers lack.
            protocol=2,
            driver_info=None,
            maint_notifications_config=MaintNotificationsConfig(enabled=False),
        )

    async def run(self, commands: Sequence[Sequence[Part]]) -> list[Reply | ResponseError]:
        async with self._client.pipeline(transaction=False) as pipeline:
            for command in commands:
                pipeline.execute_command(*command)
            return await pipeline.execute(raise_on_error=False)

    async def ask(self, *command: Part) -> Reply:
        """The answer to one command, if that is no error."""
        [reply] = await self.run([command])
        if isinstance(reply, ResponseError):
            raise reply
        return reply

    async def load_scripts(self) -> None:
        async with self._client.pipeline(transaction=False) as pipeline:
            for script in SCRIPTS:
                pipeline.script_load(script.text)
            await pipeline.execute()

    async def reset(self) -> None:
        await self._client.connection_pool.disconnect()

    async def close(self) -> None:
        """Whole even if cancelled meanwhile: a connection half closed is an open one."""
        closing = asyncio.create_task(self._client.aclose())
        cancelled = False
        while not closing.done():
            try:
                await asyncio.wait([closing])
            except asyncio.CancelledError:
                cancelled = True
        if cancelled:
            raise asyncio.CancelledError
        closing.result()


# -- Sentinel ---------------------------------------------------------------------------------


class Sentinel:
    """The server that the sentinels call primary; they are asked anew after every trouble."""

    def __init__(self, sentinels: Sentinels, *, socket_timeout_s: float) -> None:
        self._address = sentinels
        self._socket_timeout_s = socket_timeout_s
        ask_timeout_s = min(ASK_TIMEOUT_S, socket_timeout_s)
        # The one that answered last stands first.
        self._sentinels = deque(
            Standalone(sentinels.sentinel_url(peer), socket_timeout_s=ask_timeout_s)
            for peer in sentinels.peers
        )
        self._primary: Standalone | None = None

    async def run(self, commands: Sequence[Sequence[Part]]) -> list[Reply | ResponseError]:
        primary = self._primary or await self._find()
        try:
            return await primary.run(commands)
        except (RedisError, OSError):
            await self.reset()
            raise

    async def load_scripts(self) -> None:
        primary = self._primary or await self._find()
        await primary.load_scripts()

    async def reset(self) -> None:
        primary, self._primary = self._primary, None
        if primary:
            await primary.close()

    async def close(self) -> None:
        await self.reset()
        for sentinel in self._sentinels:
            await sentinel.close()

    async def _find(self) -> Standalone:
        peer = await self._ask()
        primary = Standalone(self._address.url(peer), socket_timeout_s=self._socket_timeout_s)
        try:
            await self._check(primary, peer)
        except BaseException:
            await primary.close()
            raise
        self._primary = primary
        return primary

    async def _check(self, server: Standalone, peer: Peer) -> None:
        role = (await server.ask("ROLE"))[0].decode()
        if role != "master":
            self._sentinels.rotate(-1)
            raise ReadOnlyError(
                f"{peer}, which a sentinel calls the primary, is a {role}", status_code="READONLY"
            )

    async def _ask(self) -> Peer:
        name = self._address.name
        trouble: RedisError | OSError = ResponseError(f"no sentinel knows a primary called {name}")
        for _ in range(len(self._sentinels)):
            try:
                found = await self._sentinels[0].ask("SENTINEL", "GET-MASTER-ADDR-BY-NAME", name)
            except (RedisError, OSError) as error:
                trouble = error
            else:
                if found:
                    host, port = found
                    return Peer(host.decode(), int(port))
            self._sentinels.rotate(-1)
        raise trouble


# -- Cluster ----------------------------------------------------------------------------------


class Node(Standalone):
    """One server of a cluster, which may be asked for a slot that is on its way to it."""

    async def run(self, commands: Sequence[Sequence[Part]]) -> list[Reply | ResponseError]:
        said: list[Sequence[Part]] = []
        for command in commands:
            said += [(ASKING,), command[1:]] if command[0] == ASKING else [command]
        replies = await super().run(said)
        return [reply for one, reply in zip(said, replies, strict=True) if one[0] != ASKING]


class Cluster:
    """Which server has which slot, as last heard, and the way to each."""

    def __init__(self, seeds: ClusterSeeds, *, socket_timeout_s: float) -> None:
        self._address = seeds
        self._socket_timeout_s = socket_timeout_s
        self._owners: list[Peer | None] = [None] * REDIS_CLUSTER_HASH_SLOTS
        self._known: deque[Peer] = deque()
        """Every server, replicas too, in the order in which they are asked."""

    def node(self, peer: Peer) -> Node:
        return Node(self._address.url(peer), socket_timeout_s=self._socket_timeout_s)

    def owner(self, command: Sequence[Part]) -> Peer | None:
        """Whose the command's slot is; None if we have not heard of an owner."""
        return self._owners[slot_of(command)]

    def moved(self, slot: int, peer: Peer) -> None:
        """One slot is elsewhere; the rest of the map is no worse than before."""
        self._owners[slot] = peer

    @property
    def primaries(self) -> frozenset[Peer]:
        return frozenset(owner for owner in self._owners if owner is not None)

    async def survey(self) -> None:
        """Draw the map anew; raises `RedisError` or `OSError` if no server has one.

        Whoever answers is believed, and the next survey begins with another one: a server that
        was cut off from the rest has an old map.
        """
        asked = list(dict.fromkeys([*self._known, *self._address.peers]))
        trouble: RedisError | OSError = ResponseError("CLUSTERDOWN nobody has a slot")
        for peer in asked:
            if self._known and peer == self._known[0]:
                self._known.rotate(-1)
            try:
                shares = await self._ask(peer)
            except (RedisError, OSError) as error:
                trouble = error
                continue
            if shares:
                self.draw(shares, asked=peer)
                return
        raise trouble

    async def _ask(self, peer: Peer) -> Reply:
        timeout_s = min(ASK_TIMEOUT_S, self._socket_timeout_s)
        server = Standalone(self._address.url(peer), socket_timeout_s=timeout_s)
        try:
            return await server.ask("CLUSTER", "SLOTS")
        finally:
            await server.close()

    def draw(self, shares: Reply, *, asked: Peer) -> None:
        """From `[[first, last, [host, port, id, …], …replicas], …]`."""
        owners: list[Peer | None] = [None] * REDIS_CLUSTER_HASH_SLOTS
        heard = set()
        for first, last, *servers in shares:
            peers = [_heard(host, port, asked=asked) for host, port, *_ in servers]
            heard.update(peers)
            owners[first : last + 1] = [peers[0]] * (last + 1 - first)
        heard.discard(None)
        self._owners = owners
        stay = [peer for peer in self._known if peer in heard]
        self._known = deque([*stay, *sorted(peer for peer in heard - set(stay) if peer)])


def slot_of(command: Sequence[Part]) -> int:
    """Of the command's first key; a script's others are in the same one (`keys`)."""
    name, *rest = command[1:] if command[0] == ASKING else command
    key = rest[2] if name == "EVALSHA" else rest[0]
    assert isinstance(key, str)
    return key_slot(key.encode())


def _heard(host: bytes | None, port: int, *, asked: Peer) -> Peer | None:
    """A server that does not know its own address is where we asked; "?" is nowhere."""
    if host == b"?":
        return None
    return Peer(host.decode() if host else asked.host, port)
