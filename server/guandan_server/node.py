"""One server process: its store, its rooms, its port, and an orderly end.

start    store (bundled, or the one given) ─► rooms ─► listen ─► say where
stop     stop listening ─► rooms finish what they were told ─► "back soon" to everybody ─► store
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import signal
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any, Final, NoReturn

import structlog
from prometheus_client import start_http_server
from websockets.asyncio.server import Server, serve
from websockets.typing import Subprotocol

from guandan_protocol import messages as m
from guandan_protocol.bounds import FRAME_BYTES_MAX
from guandan_protocol.messages import SUBPROTOCOL, Code
from guandan_server.actor import Tools
from guandan_server.assets import NOTHING, Shelf
from guandan_server.brains import Brains, SlowBrains
from guandan_server.config import Config, default_thinkers
from guandan_server.connection import BoundedConnection
from guandan_server.embedded import EmbeddedStore
from guandan_server.errors import CannotListen, NotDurable, StoreError, StoreUnreachable
from guandan_server.gate import Gate, Switchboard
from guandan_server.house import House
from guandan_server.http import Site
from guandan_server.metrics import Gauges, Metrics
from guandan_server.peers import Peers
from guandan_server.pool import Pool
from guandan_server.rooms import Rooms
from guandan_server.roomstate import RoomState
from guandan_server.store_redis import RedisStore

__all__ = ["Node", "open_node", "run"]

log = structlog.get_logger()

QUEUED_FRAMES_MAX: Final = 8
"""Frames read ahead of a room that is busy; then the peer's TCP waits."""
HANDSHAKE_S: Final = 5
PING_S: Final = 20
"""Below the minute after which proxies and phone networks cut a silent connection."""
CLOSE_S: Final = 2
DRAIN_S: Final = 8
"""How long a stop may take before what is left is cut: under the ten seconds that hosts grant."""
LAG_EVERY_S: Final = 0.25
BACK_SOON_MS: Final = 1_500
EXIT_INTERRUPTED: Final = 130
YOUNG_OBJECTS_MAX: Final = 10_000
"""More than that since the last look, and the collector looks at them: a millisecond or two."""


class Watched:
    """What the gauges are read off."""

    def __init__(self, rooms: Rooms, board: Switchboard, house: House) -> None:
        self._rooms = rooms
        self._board = board
        self._house = house
        self._loop = asyncio.get_running_loop()

    def room_states(self) -> list[RoomState]:
        return self._rooms.states()

    def connections(self) -> int:
        return len(self._board)

    def silent_s(self) -> float:
        return self._house.silent_s


class Node:
    """A running server."""

    def __init__(self, server: Server, rooms: Rooms, board: Switchboard, site: Site) -> None:
        self.draining = False
        self.failed: asyncio.Future[NoReturn] = asyncio.get_running_loop().create_future()
        """Fails when the node cannot go on: the store has crashed for good, or a task of ours."""
        self._server = server
        self._rooms = rooms
        self._board = board
        self._site = site

    def is_near(self, url: str) -> None:
        """Tell the page of this machine under which address others on the network find it."""
        self._site.nearby = url

    @property
    def port(self) -> int:
        port: int = next(iter(self._server.sockets)).getsockname()[1]
        return port

    @contextlib.asynccontextmanager
    async def watching(self, *work: Awaitable[object]) -> AsyncIterator[None]:
        """Run what never ends, for as long as the `async with` lasts; `failed` if it does end."""
        tasks = [asyncio.ensure_future(one) for one in work]
        for task in tasks:
            task.add_done_callback(self._ended)
        try:
            yield
        finally:
            for task in tasks:
                task.remove_done_callback(self._ended)
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            if self.failed.done():
                self.failed.exception()  # seen, also where nobody waits for it

    def _ended(self, task: asyncio.Future[object]) -> None:
        if not self.failed.done():
            error = None if task.cancelled() else task.exception()
            self.failed.set_exception(error or RuntimeError("a task that never ends has ended"))

    async def drain(self) -> None:
        """Let go of everything in order; what stalls is cut in the end."""
        self.draining = True
        log.info("stopping", rooms=len(self._rooms), connections=len(self._board))
        self._server.close(close_connections=False)
        # What has failed for good, the store above all, is not waited for.
        patience_s = CLOSE_S if self.failed.done() else DRAIN_S - CLOSE_S
        try:
            async with asyncio.timeout(patience_s):
                await self._rooms.stop()
        except TimeoutError:
            log.warning("rooms do not come to an end", rooms=len(self._rooms))
        self._board.drop_all(m.CLOSE_GOING_AWAY, m.Goodbye(Code.GOING_AWAY, BACK_SOON_MS))
        try:
            async with asyncio.timeout(CLOSE_S):
                await self._server.wait_closed()
        except TimeoutError:
            log.warning("cutting what is left", connections=len(self._board))
            self._board.abort_all()


@contextlib.asynccontextmanager
async def open_node(
    config: Config,
    brains: Brains,
    *,
    slow: SlowBrains | None = None,
    shelf: Shelf = lambda: NOTHING,
) -> AsyncIterator[Node]:
    """A server that listens, for as long as the `async with` lasts; StartError if it cannot.

    `slow`: levels that are decided beside the loop, if any. `shelf`: the files of the page.
    """
    async with contextlib.AsyncExitStack() as stack:
        url = config.redis_url
        crashes: Callable[[], Awaitable[NoReturn]] = _never
        if url is None:
            embedded = await stack.enter_async_context(EmbeddedStore(config.data_dir / "store"))
            url, crashes = embedded.url, embedded.watch
        store = await stack.enter_async_context(RedisStore(url))
        if config.redis_url is not None:
            await _inspect(store, config)
        board = Switchboard()
        name = config.node or _name(config)
        metrics = Metrics()
        pool = _pool(config, slow, metrics)
        if pool is not None:
            stack.push_async_callback(pool.close)
        tools = Tools(store, board, brains, metrics, build=shelf().build, pool=pool)
        rooms = Rooms(tools, node=name, haste=config.haste)
        site = Site(node=name, origins=config.origins, shelf=shelf, public_url=config.public_url)
        peers = Peers(trusted_proxies=config.trusted_proxies)
        gate = Gate(rooms, store, board, peers=peers, metrics=metrics)
        server = await _listen(config, gate, site)
        node = Node(server, rooms, board, site)
        url = config.url or f"ws://{config.host}:{node.port}/n/{name}/ws"
        house = House(store, node=name, url=url, on_return=rooms.recheck)
        await house.beat()
        site.ready = lambda: store.outage is None and house.alive and not node.draining
        stack.enter_context(_metrics_served(config, metrics, Watched(rooms, board, house)))
        lag = _measure_lag(metrics)
        async with node.watching(crashes(), house.live(), house.sweep(rooms.succeed), lag):
            try:
                yield node
            finally:
                await node.drain()
                await house.part()


def _pool(config: Config, slow: SlowBrains | None, metrics: Metrics) -> Pool | None:
    """What decides beside the loop, if anything does."""
    workers = default_thinkers() if config.thinkers is None else config.thinkers
    return None if slow is None or not workers else Pool(slow, workers=workers, metrics=metrics)


@contextlib.contextmanager
def _metrics_served(config: Config, metrics: Metrics, watched: Watched) -> Iterator[None]:
    """Metrics on their private port, in a thread of the library's; nowhere if none is set."""
    if config.metrics_port is None:
        yield
        return
    metrics.registry.register(Gauges(watched))
    try:
        web, thread = start_http_server(
            config.metrics_port, addr=config.metrics_host, registry=metrics.registry
        )
    except OSError as error:
        host, port = config.metrics_host, config.metrics_port
        raise CannotListen(host=host, port=port, reason=error.strerror or str(error)) from error
    log.info("metrics", host=config.metrics_host, port=web.server_port)
    try:
        yield
    finally:
        web.shutdown()
        thread.join()
        web.server_close()


def _name(config: Config) -> str:
    """A name that a restarted node has again: its rooms are its own at once, nobody waits."""
    if config.redis_url is None:
        return "only"  # the bundled store lets one node in at a time
    return f"{socket.gethostname().partition('.')[0]}-{config.port}"


async def _listen(config: Config, gate: Gate, site: Site) -> Server:
    try:
        return await serve(
            gate.serve,
            config.host,
            config.port,
            subprotocols=[Subprotocol(SUBPROTOCOL)],
            compression=None,
            process_request=site.answer,
            max_size=FRAME_BYTES_MAX,
            max_queue=QUEUED_FRAMES_MAX,
            open_timeout=HANDSHAKE_S,
            ping_interval=PING_S,
            ping_timeout=PING_S,
            close_timeout=CLOSE_S,
            server_header=None,
            create_connection=BoundedConnection,
        )
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise CannotListen(host=config.host, port=config.port, reason=reason) from error


async def _inspect(store: RedisStore, config: Config) -> None:
    """Say by name what a given store may lose; NotDurable if that must not be."""
    try:
        weaknesses = await store.inspect()
    except StoreError as error:
        raise StoreUnreachable(why=str(error)) from error
    for weakness in weaknesses:
        log.warning("the store may lose acknowledged actions", weakness=str(weakness))
    if weaknesses and config.require_durable:
        raise NotDurable(weaknesses=weaknesses)


async def _measure_lag(metrics: Metrics) -> NoReturn:
    """Measure for ever how much later than asked the event loop runs something."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + LAG_EVERY_S
        await asyncio.sleep(LAG_EVERY_S)
        metrics.loop_lag_seconds.observe(max(0.0, loop.time() - due))


async def _never() -> NoReturn:
    await asyncio.Event().wait()
    raise AssertionError("nobody sets it")


def _calm_collector() -> None:
    """Let the collector of cycles look less often, and never at what was there from the start.

    A play makes hundreds of objects and drops them without a cycle, but for every 700 that stay the
    default looks at the young, and then at all there are: an eighth of the processor time, and with
    five hundred rooms a pause of over a tenth of a second.
    """
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS_MAX, 10, 10)


async def run(
    config: Config,
    brains: Brains,
    *,
    slow: SlowBrains | None = None,
    shelf: Shelf,
    on_ready: Callable[[Node], None],
) -> None:
    """Serve until SIGTERM or SIGINT; a second one ends the process at once.

    StartError if the server cannot start, or its store cannot go on.
    """
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()

    def signalled() -> None:
        if stop.is_set():
            # Nothing is lost: what was acknowledged is stored, and the store ends with us.
            os._exit(EXIT_INTERRUPTED)
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, signalled)
    _calm_collector()
    async with open_node(config, brains, slow=slow, shelf=shelf) as node:
        on_ready(node)
        stopped = asyncio.create_task(stop.wait())
        ends: list[asyncio.Future[Any]] = [stopped, node.failed]
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        stopped.cancel()
        if node.failed.done():
            node.failed.result()
