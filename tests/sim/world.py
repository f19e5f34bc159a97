"""One world and all that is in it, wired up so that whatever is said or stored is looked at."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Callable, Iterator, MutableMapping
from random import Random
from typing import Any
from unittest import mock

import structlog

from guandan_protocol import messages as m
from guandan_protocol.codec import decode_client, decode_server
from guandan_protocol.errors import BadMessage
from guandan_protocol.messages import ClientMessage, ServerMessage
from tests.sim.cluster import Cluster, SimNode
from tests.sim.history import History
from tests.sim.network import End, Line, Weather
from tests.sim.people import Device, Person, Watcher
from tests.sim.process import HERE, Process
from tests.sim.promises import Promises
from tests.sim.storage import Row, StoreServer
from tests.sim.story import Story
from tests.sim.witness import Audience, Witness

__all__ = ["World", "wired"]


class World:
    """Nodes, a store, a network, people, and those who watch that all is right."""

    def __init__(self, seed: int, *, tell: Callable[[str], None] | None = None) -> None:
        self.seed = seed
        self.room = ""
        """The code that people tell each other, once there is one."""
        self.is_over = False
        """Nobody is started any more."""
        self.expects_damage = False
        self.complaints: list[str] = []
        self.people: list[Person] = []
        self.watchers: list[Watcher] = []
        self.weather = Weather()
        self._loop = asyncio.get_running_loop()
        self.story = Story(self._loop.time, tell=tell)
        self.histories: dict[str, History] = {}
        self.tokens: set[bytes] = set()
        self.witness = Witness(self.histories, self.tokens, self.complain)
        self.promises = Promises(self.complain)
        self.store = StoreServer(ledger=self, random=self.stream("store"))
        self.cluster = Cluster(
            ("a", "b", "c")[: self.stream("nodes").choice((1, 2, 2, 3))],
            store=self.store,
            tap=self,
            weather=self.weather,
            stream=self.stream,
            enlist=self._enlist,
        )
        self._failed: asyncio.Future[None] = self._loop.create_future()
        self._audiences: dict[Line, Audience] = {}

    def stream(self, label: str) -> Random:
        """A source of chance of its own: a draw more in one moves no other."""
        return Random(f"{self.seed} {label}")

    # What is wrong

    def complain(self, complaint: str) -> None:
        self.story.note("WRONG", complaint)
        self.complaints.append(complaint)
        if not self._failed.done():
            self._failed.set_result(None)

    async def until_wrong(self) -> None:
        await self._failed

    def logged(self, _: Any, method: str, event: MutableMapping[str, Any]) -> str:
        """A line that the server logs: an error is ours, not the world's."""
        here = HERE.get()
        if here is not None and not here.dead:
            text = " ".join([f"{key}={value}" for key, value in event.items() if key != "event"])
            self.story.note("log", here, event["event"], text)
            if method in ("error", "exception", "critical") and not self.expects_damage:
                self.complain(f"{here} logs an error: {event['event']}: {sys.exc_info()[1]!r}")
        raise structlog.DropEvent

    def unhandled(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        what = context.get("task") or context.get("future") or ""
        error = context.get("exception")
        self.complain(f"nobody took care of {error!r}: {context.get('message')} {what}")

    # The ledger of the store

    def stored(
        self, room: str, before: Row | None, after: Row | None, entry: bytes, by: Process
    ) -> None:
        if after is None:
            self.complain(f"{by} deleted {room}")
        elif before is None and room in self.histories:
            self.complain(f"{by} brings {room} back, which was gone")
        elif before is None:
            self.story.note("store", by, "makes", room)
            self.adopt(room, after, by)
        else:
            history = self.histories[room]
            history.changed(before, after, entry, by)
            if after.fence != before.fence:
                self.story.note("store", by, "claims, fence", after.fence, "epoch", after.epoch)
            elif after.seq != before.seq:
                what = history.now.events or history.now.mark or ""
                self.story.note("store", by, f"appends {after.epoch}.{after.seq}", what)

    def went_back(self, room: str, row: Row) -> None:
        self.histories[room].went_back(row)

    def adopt(self, room: str, row: Row, by: Process | None) -> None:
        """Follow a room from now on."""
        self.histories[room] = History(room, row, by, now_s=self._loop.time, complain=self.complain)

    def go_to(self, room: str) -> None:
        """Somebody is in that room, and tells the others."""
        self.room = room

    def flush(self) -> None:
        self.story.note("trouble", "somebody types FLUSHALL")
        self.store.shelf.flush()

    @property
    def is_gone(self) -> bool:
        """Was there a room, and is there none?"""
        return self.room != "" and self.room not in self.store.shelf.rooms

    @property
    def history(self) -> History:
        return self.histories[self.room]

    def owner(self) -> SimNode | None:
        """The node that owns the room, if it runs."""
        if not self.room:
            return None
        by = self.history.owners.get(self.history.fence)
        return next((node for node in self.cluster.up() if node.process is by), None)

    # The tap of the network

    def said(self, line: Line, frame: bytes) -> ClientMessage | None:
        try:
            message = decode_client(frame)
        except BadMessage:
            self.complain("a client says what is no message")
            return None
        audience = self._audiences[line]
        if isinstance(message, m.Create | m.Join | m.Resume | m.Watch | m.Lobby):
            audience.hello = audience.hello or message
        elif not isinstance(message, m.Query):
            audience.said[message.n] = frame
        self.story.note("says", audience.name, message)
        return message

    def sent(self, line: Line, frame: bytes) -> ServerMessage:
        try:
            message = decode_server(frame)
        except BadMessage as error:
            self.complain(f"a server sends what is no message: {error}")
            raise
        self.witness.sent(self._audiences[line], frame, message)
        return message

    def heard(self, line: Line, message: ServerMessage) -> None:
        audience = self._audiences[line]
        self.story.note("hears", audience.name, message)
        if isinstance(message, m.Done):
            self.promises.heard(audience.token, message.n, audience.said[message.n])
        self.witness.heard(audience, message)

    async def dial(self, url: str) -> End:
        """How the client opens a connection, whoever's it is."""
        return await self.cluster.dial(url, address=self._device_here().address)

    def _device_here(self) -> Device:
        here = HERE.get()
        return next(one for one in self.devices() if here in (one.process, *one.old))

    def _enlist(self, line: Line, node: SimNode) -> None:
        device = self._device_here()
        device.connected(line)
        self._audiences[line] = Audience(f"{device}/{line}", node.process)
        self.story.note("dials", device, line, "to", node)

    # Who is there

    def devices(self) -> list[Device]:
        return [*self.people, *self.watchers]

    def here(self) -> list[Person]:
        """People who want to play, and can."""
        return [person for person in self.people if not person.is_lost]

    def restart(self, name: str) -> None:
        """Start a node again; one that is being stopped, when it has."""
        if self.is_over:
            return
        old = self.cluster.nodes[name].process
        if old.dead or old.has_ended:
            self.story.note("trouble", self.cluster.start(name), "starts")
        elif not self.cluster.nodes[name].is_ready:
            self._loop.call_later(0.5, self.restart, name)

    def reopen(self, device: Device) -> None:
        if not device.is_lost and device.process is None:
            device.start()

    async def bury(self) -> None:
        """Unwind what is left of everybody, so that nothing of this world stays."""
        for device in self.devices():
            device.die(quietly=False)
        processes = [node.process for node in self.cluster.all()]
        processes += [process for device in self.devices() for process in device.old]
        for process in processes:
            process.kill()
        for process in processes:
            await process.bury()


async def _receive(socket: End) -> ServerMessage:
    return await socket.recv_message()


@contextlib.contextmanager
def wired(world: World) -> Iterator[None]:
    """The client dials into this world, and the server's log is read in it."""
    before = structlog.get_config()
    structlog.configure(
        processors=[structlog.contextvars.merge_contextvars, world.logged],
        wrapper_class=structlog.BoundLogger,
    )
    try:
        with (
            mock.patch("guandan_protocol.client.dial", world.dial),
            mock.patch("guandan_protocol.client.receive", _receive),
        ):
            yield
    finally:
        structlog.configure(**before)
