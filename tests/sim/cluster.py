"""Nodes: the real server, but for its socket and its store; and how they die, sleep and stop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final, cast
from urllib.parse import urlsplit

from guandan_engine.options import Rules
from guandan_engine.views import SeatView
from guandan_protocol.messages import Hint
from guandan_server.actor import Tools
from guandan_server.errors import StoreUnavailable
from guandan_server.gate import Gate, Switchboard
from guandan_server.house import House
from guandan_server.http import Site
from guandan_server.items import Choice
from guandan_server.metrics import Metrics
from guandan_server.node import Node
from guandan_server.peers import Peers
from guandan_server.rooms import Rooms
from tests.sim.moves import any_choice
from tests.sim.network import CLIENT_NOTICES_S, OUTSIDE, End, Line, Tap, Weather
from tests.sim.process import Process
from tests.sim.storage import StoreClient, StoreServer

__all__ = ["FRONT", "Cluster", "SimNode"]

FRONT: Final = "front"
"""The address of the proxy that stands before all nodes."""
OPEN_TIMEOUT_S: Final = 10.0
METRICS: Final = Metrics()
"""Nobody looks at them, and they take longer to make than the rest of a node."""


class AnyBrains:
    """Bots that make any legal move; hints that have nothing to say."""

    def levels(self) -> Sequence[str]:
        return ("basic",)

    def choose(self, level: str, view: SeatView, rules: Rules, entropy: bytes) -> Choice:
        return any_choice(view, rules, Random(entropy))

    def hints(self, view: SeatView, rules: Rules) -> tuple[tuple[Hint, ...], int]:
        del view, rules
        return (), -1


class Listener:
    """What a node needs of the library's server."""

    def __init__(self) -> None:
        self.is_open = True
        self.handlers: set[asyncio.Task[None]] = set()

    def close(self, *, close_connections: bool) -> None:
        assert not close_connections, "a node says goodbye itself"
        self.is_open = False

    async def wait_closed(self) -> None:
        while self.handlers:
            await asyncio.wait(self.handlers)


class SimNode:
    """One life of one node."""

    def __init__(self, name: str, *, life: int, store: StoreServer, random: Random) -> None:
        self.name = name
        self.process = Process(f"{name}{life}")
        self.lines: list[Line] = []
        self.listener = Listener()
        self.is_ready = False
        """Would a proxy send anybody here?"""
        self.woken = asyncio.Event()
        self.woken.set()
        self.gate: Gate | None = None
        self.rooms: Rooms | None = None
        self.board: Switchboard | None = None
        self.failure: BaseException | None = None
        self._store = store
        self._random = random
        self._stop = asyncio.Event()
        self.process.start(self._run(), name=f"node {name}")

    def __repr__(self) -> str:
        return self.process.name

    @property
    def is_up(self) -> bool:
        return self.process.runs and self.is_ready and self.listener.is_open

    async def _run(self) -> None:
        store = StoreClient(self._store, self.process)
        board = self.board = Switchboard()
        tools = Tools(store, board, AnyBrains(), METRICS, self._random)
        rooms = self.rooms = Rooms(tools, node=self.name)
        peers = Peers(trusted_proxies=())
        self.gate = Gate(rooms, store, board, peers=peers, metrics=METRICS)
        node = Node(cast(Any, self.listener), rooms, board, Site())
        url = f"ws://{self.name}/n/{self.name}/ws"
        house = House(store, node=self.name, url=url, on_return=rooms.recheck, chance=self._random)
        while True:
            try:
                await house.beat()
                break
            except StoreUnavailable:
                await asyncio.sleep(0.5)  # its supervisor starts it again
        self.is_ready = True
        async with node.watching(house.live(), house.sweep(rooms.succeed)):
            await self._stop.wait()
            self.is_ready = False
            await node.drain()
            await house.part()
        self.process.has_ended = True
        if node.failed.done():
            self.failure = node.failed.exception()

    @property
    def is_idle(self) -> bool:
        """Is no room awake here, and nobody connected?"""
        return not (self.rooms and len(self.rooms)) and not (self.board and len(self.board))

    def accept(self, line: Line) -> None:
        """A connection has come in."""
        self.lines = [old for old in self.lines if old.is_open]
        self.lines.append(line)
        task = self.process.start(self._serve(line), name=f"serve {line}")
        self.listener.handlers.add(task)
        task.add_done_callback(self._served)

    def _served(self, task: asyncio.Task[None]) -> None:
        self.listener.handlers.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            task.get_loop().call_exception_handler({"message": "in a gate", "exception": error})

    async def _serve(self, line: Line) -> None:
        assert self.gate is not None
        await self.gate.serve(cast(Any, line.server))
        await line.server.close()

    # What befalls it

    def crash(self, *, quietly: bool) -> None:
        """Kill it; `quietly`: the whole machine is gone, and nobody says so to the clients."""
        self.process.kill()
        self.is_ready = False
        for line in self.lines:
            if quietly:
                line.hang()
            else:
                line.cut()

    def sleep(self) -> None:
        self.process.sleep()
        self.woken.clear()
        for line in self.lines:
            line.after(self._random.uniform(*CLIENT_NOTICES_S), self._pings_lost, line)

    def wake(self) -> None:
        if not self.process.dead:
            self.process.wake()
            self.woken.set()

    def _pings_lost(self, line: Line) -> None:
        if self.process.asleep:
            line.client.abort()

    def drain(self) -> None:
        self._stop.set()


class Cluster:
    """All nodes of a world, by name, and the way to them."""

    def __init__(
        self,
        names: Sequence[str],
        *,
        store: StoreServer,
        tap: Tap,
        weather: Weather,
        stream: Callable[[str], Random],
        enlist: Callable[[Line, SimNode], None],
    ) -> None:
        self.nodes: dict[str, SimNode] = {}
        self.dead: list[SimNode] = []
        self._store = store
        self._tap = tap
        self._weather = weather
        self._stream = stream
        self._enlist = enlist
        self._random = stream("front")
        self._lives = 0
        self._lines = 0
        for name in names:
            self.start(name)

    def start(self, name: str) -> SimNode:
        old = self.nodes.get(name)
        if old is not None:
            self.dead.append(old)
        self._lives += 1
        random = self._stream(f"node {name} {self._lives}")
        node = self.nodes[name] = SimNode(name, life=self._lives, store=self._store, random=random)
        return node

    def up(self) -> list[SimNode]:
        return [node for node in self.nodes.values() if node.is_up]

    def all(self) -> list[SimNode]:
        """Every life there was."""
        return [*self.dead, *self.nodes.values()]

    async def dial(self, url: str, *, address: str) -> End:
        """Open a connection, as a client does; OSError or TimeoutError if there is none."""
        await asyncio.sleep(self._random.uniform(0.001, 0.02))
        node = self._behind(urlsplit(url).hostname or "")
        if node is None:
            raise ConnectionRefusedError(url)
        async with asyncio.timeout(OPEN_TIMEOUT_S):
            await node.woken.wait()
        if not node.is_up:
            raise ConnectionResetError(url)
        self._lines += 1
        line = Line(
            f"line {self._lines}",
            address=address,
            tap=self._tap,
            weather=self._weather,
            random=self._stream(f"line {self._lines}"),
        )
        self._enlist(line, node)
        OUTSIDE.copy().run(node.accept, line)
        return line.client

    def _behind(self, host: str) -> SimNode | None:
        if host == FRONT:
            known = [node for node in self.nodes.values() if not node.process.dead]
            ready = [node for node in known if node.is_ready and node.listener.is_open]
            return self._random.choice(ready) if ready else None
        node = self.nodes.get(host)
        return node if node is not None and node.is_ready else None
