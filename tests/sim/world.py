"""One world: it is made, it is troubled, it calms down, everybody leaves, and it is looked over.

trouble    people play; nodes, store, network and phones misbehave
calm       all of it is well again: everybody must see the same table, and the match go on
empty      everybody is gone: the room must come to rest, leave memory, and nothing stay behind
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final
from unittest import mock

import structlog
from attrs import define

from guandan_engine.options import PRESETS
from guandan_engine.record import read, verify
from guandan_engine.views import private_view, public_view
from guandan_protocol import messages as m
from guandan_protocol.codec import decode_client, decode_server
from guandan_protocol.errors import BadMessage
from guandan_protocol.messages import ClientMessage, ServerMessage, Settings, Stage
from guandan_server import roomstate
from guandan_server.actor import ROOM_TTL_S
from guandan_server.store_memory import MemoryStore
from tests.sim.cluster import Cluster, SimNode
from tests.sim.history import History
from tests.sim.loop import Livelock, Standstill, VirtualLoop
from tests.sim.network import End, Line, Weather
from tests.sim.people import Device, Person, Watcher
from tests.sim.process import HERE, Process
from tests.sim.prologue import NAMES, PROLOGUES, prologue
from tests.sim.promises import Promises
from tests.sim.storage import Row, StoreServer
from tests.sim.trouble import Trouble
from tests.sim.witness import Audience, Witness

__all__ = ["Broken", "Outcome", "World", "run"]

TROUBLE_S: Final = (8.0, 40.0)
CALM_S: Final = 180.0
"""Until all is well again: a dead line is noticed in forty seconds, a limit passes in a minute."""
CALM_ENTRIES: Final = 4
"""What a match must advance by to be going on."""
REST_S: Final = 300.0
"""Until an empty room is paused and out of memory: lines noticed, grace, clocks, a minute more."""
STORY_LINES: Final = 40
REST: Final = (Stage.LOBBY, Stage.PAUSED, Stage.MATCH_OVER)


class Broken(AssertionError):
    """A promise was broken; the seed is the whole report."""

    def __init__(self, seed: int, complaints: list[str], story: list[str]) -> None:
        super().__init__(seed, complaints)
        self.seed = seed
        self.complaints = complaints
        self.story = story

    def __str__(self) -> str:
        lines = [*self.story, *[f"!! {one}" for one in self.complaints]]
        again = f"python -m tests.sim --seed {self.seed} --verbose"
        return "\n".join([f"seed {self.seed}", *lines, f"again: {again}"])


@define
class Outcome:
    """What a world has been through."""

    seed: int
    entries: int = 0
    frames: int = 0
    promises: int = 0
    claims: int = 0
    lost: int = 0
    rewrites: int = 0
    epoch: int = 0
    virtual_s: float = 0.0


class World:
    """Everything there is."""

    def __init__(self, seed: int, *, tell: Callable[[str], None] | None = None) -> None:
        self.seed = seed
        self.weather = Weather()
        self.expects_damage = False
        self.complaints: list[str] = []
        self.story: deque[tuple[float, str, tuple[object, ...]]] = deque(maxlen=STORY_LINES)
        self.room = ""
        self._tell = tell
        self._loop = asyncio.get_running_loop()
        self._began_s = self._loop.time()
        self._failed: asyncio.Future[None] = self._loop.create_future()
        self._histories: dict[str, History] = {}
        self._tokens: set[bytes] = set()
        self._audiences: dict[Line, Audience] = {}
        self.witness = Witness(self._histories, self._tokens, self.object_)
        self.promises = Promises(self.object_)
        self.store = StoreServer(ledger=self, random=self.stream("store"))
        self._chance = self.stream("world")
        names = ("a", "b", "c")[: self._chance.choice((1, 2, 2, 3))]
        self.cluster = Cluster(
            names,
            store=self.store,
            tap=self,
            weather=self.weather,
            stream=self.stream,
            enlist=self._enlist,
        )
        self.people: list[Person] = []
        self.watchers: list[Watcher] = []

    def stream(self, label: str) -> Random:
        """A source of chance of its own: a draw more in one moves no other."""
        return Random(f"{self.seed} {label}")

    # What is told, and what is wrong

    def note(self, kind: str, *what: object) -> None:
        """Something happened; it is put into words only if somebody wants to read it."""
        line = (self._loop.time() - self._began_s, kind, what)
        self.story.append(line)
        if self._tell is not None:
            self._tell(_told(*line))

    def object_(self, complaint: str) -> None:
        self.note("WRONG", complaint)
        self.complaints.append(complaint)
        if not self._failed.done():
            self._failed.set_result(None)

    def logged(self, _: Any, method: str, event: dict[str, Any]) -> Any:
        """A line that the server logs: errors are ours, not the world's."""
        here = HERE.get()
        if here is not None and not here.dead:
            text = " ".join(f"{key}={value}" for key, value in event.items() if key != "event")
            self.note("log", here, event["event"], text)
            if method in ("error", "exception", "critical") and not self.expects_damage:
                self.object_(f"{here.name} logs an error: {event['event']} {text}")
        raise structlog.DropEvent

    def unhandled(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        what = context.get("task") or context.get("future") or ""
        self.object_(f"nobody took care of {error!r}: {context.get('message')} {what}")

    # The ledger

    def stored(
        self, room: str, before: Row | None, after: Row | None, entry: bytes, by: Process
    ) -> None:
        if after is None:
            self.object_(f"{by} deleted {room}")
        elif before is None:
            self.note("store", by, "makes", room)
            self._adopt(room, after, by)
        else:
            history = self._histories[room]
            history.changed(before, after, entry, by)
            if after.fence != before.fence:
                self.note("store", by, "claims, fence", after.fence, "epoch", after.epoch)
            elif after.seq != before.seq:
                what = history.now.events or history.now.mark or ""
                self.note("store", by, "appends", after.epoch, after.seq, what)

    def went_back(self, room: str, row: Row) -> None:
        self._histories[room].went_back(row)

    def _adopt(self, room: str, row: Row, by: Process | None) -> None:
        self._histories[room] = History(room, row, by, self.object_)
        self.room = self.room or room

    @property
    def history(self) -> History:
        return self._histories[self.room]

    # The tap

    def said(self, line: Line, frame: bytes) -> ClientMessage | None:
        try:
            message = decode_client(frame)
        except BadMessage:
            self.object_("a client says what is no message")
            return None
        audience = self._audiences[line]
        if audience.hello is None and isinstance(
            message, m.Create | m.Join | m.Resume | m.Watch | m.Lobby
        ):
            audience.hello = message
        self.note("says", audience.name, message)
        return message

    def sent(self, line: Line, frame: bytes) -> ServerMessage:
        try:
            message = decode_server(frame)
        except BadMessage as error:
            self.object_(f"a server sends what is no message: {error}")
            raise
        self.witness.sent(self._audiences[line], frame, message)
        return message

    def heard(self, line: Line, message: ServerMessage) -> None:
        audience = self._audiences[line]
        self.note("hears", audience.name, message)
        if isinstance(message, m.Done):
            self.promises.heard(audience.token, message)
        self.witness.heard(audience, message)

    async def dial(self, url: str) -> End:
        """How the client opens a connection, whoever's it is."""
        device = self._device_here()
        return await self.cluster.dial(url, address=device.address)

    def _device_here(self) -> Device:
        here = HERE.get()
        return next(device for device in self.devices() if here in (device.process, *device.old))

    def _enlist(self, line: Line, node: SimNode) -> None:
        device = self._device_here()
        device.connected(line)
        self._audiences[line] = Audience(f"{device}/{line}", node.process)
        self.note("dials", f"{device}: {line} to {node}")

    # Who is there

    def devices(self) -> list[Device]:
        return [*self.people, *self.watchers]

    def here(self) -> list[Person]:
        """People who want to play, and can."""
        return [person for person in self.people if not person.is_lost]

    def owner(self) -> SimNode | None:
        """The node that owns the room, if it runs."""
        if not self.room:
            return None
        history = self.history
        by = history.owners.get(history.fence)
        return next((node for node in self.cluster.up() if node.process is by), None)

    def restart(self, name: str) -> None:
        """Start a node again; one that is being stopped, when it has."""
        old = self.cluster.nodes[name]
        if old.process.dead or old.process.has_ended:
            self.note("trouble", f"{self.cluster.start(name)} starts")
        elif not old.is_ready:
            self._loop.call_later(0.5, self.restart, name)

    def reopen(self, device: Device) -> None:
        if not device.is_lost and device.process is None:
            device.start()

    # The course of things

    async def live(self) -> Outcome:
        await self._open()
        for device in self.devices():
            device.start()
        until_s = self._loop.time() + self._chance.uniform(*TROUBLE_S)
        trouble = Trouble(self, self.stream("trouble"))
        await trouble.go_on(until_s)
        await self._calm()
        await self._empty()
        return self._outcome()

    async def _open(self) -> None:
        chance = self._chance
        whims = chance.choice((0.0, 0.05, 0.2))
        people = chance.choice((1, 2, 3, 4, 4, 4))
        create, tokens = None, [b""] * 4
        if chance.random() < 0.3:
            create = self._creation()
        else:
            tokens = await self._begun()
        for i in range(people):
            person = Person(
                NAMES[i],
                room=lambda: self.room,
                answers=self.promises,
                random=self.stream(NAMES[i]),
                create=create if i == 0 else None,
                token=tokens[i],
                whims=whims,
            )
            person.address = f"198.51.100.{i + 1}"
            self.people.append(person)
        for i in range(chance.choice((0, 0, 1, 2))):
            watcher = Watcher(f"eye{i}", room=lambda: self.room, random=self.stream(f"eye{i}"))
            watcher.address = f"203.0.113.{i + 1}"
            self.watchers.append(watcher)

    def _creation(self) -> m.Create:
        chance = self._chance
        settings = Settings(
            clock_s=chance.choice((None, 5, 10)), pace_ms=300, grace_s=chance.choice((5, 10, 20))
        )
        preset = chance.choice(sorted(PRESETS))
        create_id = chance.randbytes(m.CREATE_ID_BYTES)
        return m.Create(m.VERSION, NAMES[0], create_id, preset, {}, settings)

    async def _begun(self) -> list[bytes]:
        """Put a match that is under way into the store; the tokens of those who play it."""
        chance, room = self._chance, "KNXW7Q"
        begun = prologue(chance.randrange(PROLOGUES))
        cut = max(1, chance.choice(begun.ends) - chance.choice((2, 6, 12, 25)))
        store = MemoryStore(clock=self._loop.time, shelf=self.store.shelf)
        public = chance.random() < 0.5
        await store.create(room, node="", snapshot=b"", public=public, ttl_s=ROOM_TTL_S)
        fence = self.store.shelf.rooms[room].fence
        for seq, entry in enumerate(begun.entries[:cut], 1):
            snapshot = roomstate.dump(begun.states[seq - 1]) if seq == cut else b""
            await store.commit(
                room, fence=fence, seq=seq, entry=entry, snapshot=snapshot, ttl_s=ROOM_TTL_S
            )
        for seq, entry in enumerate(begun.entries[:cut], 1):
            self.store.remember(room, seq, entry)
        row = self.store.row(room)
        assert row is not None
        self._adopt(room, row, None)
        self._tokens.update(begun.tokens)
        return list(begun.tokens)

    async def _calm(self) -> None:
        self.note("calm", "all is well again")
        self.weather.spike_rate = self.weather.cut_rate = self.weather.double_rate = 0.0
        self.store.faults.failing = self.store.faults.slow = 0.0
        self.store.is_well = True
        for device in self.devices():
            device.calm = True
            device.wake()
            self.reopen(device)
            for line in device.lines:
                line.settle()
        for node in list(self.cluster.nodes.values()):
            node.wake()
            self.restart(node.name)
        began = self.history.now.seq if self.room else 0
        await self._until(
            lambda: self._goes_on(began), CALM_S, "the match does not go on", every_s=0.1
        )
        if self.room:
            self.promises.check(self.history)
            self._check_records()

    def _goes_on(self, began: int) -> bool:
        """Does everybody see the same table, and does the match advance, or is it at rest?"""
        if len(self.cluster.up()) < len(self.cluster.nodes):
            return False
        if not self.room:
            return not self.here()
        now = self.history.now
        active = [person for person in self.here() if not _is_out(person)]
        if active and not now.state.stage in (Stage.LOBBY, Stage.MATCH_OVER):
            if now.seq < began + CALM_ENTRIES:
                return False
        return all(self._is_settled(person) for person in active)

    def _is_settled(self, person: Person) -> bool:
        client, now = person.client, self.history.now
        if client is None or not client.is_live:
            return False
        if (client.epoch, client.seq) != (self.history.epoch, now.seq) or client.seat is None:
            return False
        match = now.state.match
        return (
            client.public == public_view(match)
            and client.private == private_view(match, client.seat)
            and client.record == now.state.session
        )

    def _check_records(self) -> None:
        for (room, match), kept in self.store.shelf.records.items():
            wrong = verify(read(kept.body.decode()))
            if wrong:
                self.object_(f"the record of match {match} of {room} is wrong: {wrong}")

    async def _empty(self) -> None:
        chance = self._chance
        self.note("empty", "everybody goes")
        for device in self.devices():
            device.is_lost = True
            device.die(quietly=chance.random() < 0.3)
        owner = self.owner()
        if owner is not None and len(self.cluster.up()) > 1 and chance.random() < 0.5:
            owner.crash(quietly=False)
            self.note("empty", f"{owner} dies, too")
        await self._until(self._is_empty, REST_S, "the room does not come to rest")
        if self.room:
            self.note("empty", f"{self.history.now.state.stage}, {self.store.shelf.holdings}")
        for node in self.cluster.up():
            node.drain()
        await self._until(self._has_stopped, 15.0, "a node does not stop")
        for node in self.cluster.nodes.values():
            if node.failure is not None:
                self.object_(f"{node} failed: {node.failure!r}")

    def _is_empty(self) -> bool:
        stage = self.history.now.state.stage if self.room else Stage.LOBBY
        if any(rooms for rooms in self.store.shelf.holdings.values()):
            return False
        return stage in REST and all(
            node.rooms is not None
            and not len(node.rooms)
            and node.board is not None
            and not len(node.board)
            for node in self.cluster.up()
        )

    def _has_stopped(self) -> bool:
        return all(
            node.process.dead or node.process.has_ended and not node.process.tasks()
            for node in self.cluster.nodes.values()
        )

    async def _until(
        self,
        condition: Callable[[], bool],
        within_s: float,
        why_not: str,
        *,
        every_s: float = 1.0,
    ) -> None:
        end_s = self._loop.time() + within_s
        while not condition():
            if self._loop.time() > end_s:
                self.object_(f"{why_not} within {within_s:g} s")
                return
            await asyncio.sleep(every_s)

    async def bury(self) -> None:
        """Unwind what is left of the dead, so that nothing of this world stays."""
        for device in self.devices():
            device.die(quietly=False)
        processes = [node.process for node in self.cluster.all()]
        processes += [process for device in self.devices() for process in device.old]
        for process in processes:
            process.kill()
        for process in processes:
            await process.bury()

    async def until_wrong(self) -> None:
        await self._failed

    def _outcome(self) -> Outcome:
        outcome = Outcome(seed=self.seed, frames=self.witness.frames, promises=len(self.promises))
        outcome.virtual_s = self._loop.time() - self._began_s
        for history in self._histories.values():
            outcome.entries += len(history.moments()) - 1
            outcome.claims += history.claims
            outcome.lost += history.lost
            outcome.rewrites += history.rewrites
            outcome.epoch = max(outcome.epoch, history.epoch)
        return outcome


def _is_out(person: Person) -> bool:
    """Has the person's session ended for good?"""
    return person.client is not None and person.client.ended is not None


def _told(at_s: float, kind: str, what: tuple[object, ...]) -> str:
    return f"{at_s:9.3f} {kind:8} {' '.join([_brief(one) for one in what])}"


def _brief(message: object) -> str:
    match message:
        case m.Welcome(seat=seat, seq=seq, epoch=epoch):
            return f"welcome to seat {seat} at {epoch}.{seq}"
        case m.Update(seq=seq, epoch=epoch, events=events):
            return f"update {epoch}.{seq} {events or ''}"
        case _:
            return f"{message}"


async def _receive(socket: End) -> ServerMessage:
    return await socket.recv_message()


@contextlib.contextmanager
def _wired(world: World) -> Iterator[None]:
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


def run(seed: int, *, tell: Callable[[str], None] | None = None) -> Outcome:
    """Live through one world; Broken if it does not keep what was promised."""
    loop = VirtualLoop()
    try:
        return loop.run_until_complete(_run(seed, tell))
    finally:
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


async def _run(seed: int, tell: Callable[[str], None] | None) -> Outcome:
    world = World(seed, tell=tell)
    asyncio.get_running_loop().set_exception_handler(world.unhandled)
    with _wired(world):
        life = asyncio.create_task(world.live())
        wrong = asyncio.create_task(world.until_wrong())
        try:
            await asyncio.wait([life, wrong], return_when=asyncio.FIRST_COMPLETED)
            outcome = life.result() if life.done() else None
        except (Standstill, Livelock) as error:
            world.object_(f"{type(error).__name__}")
            outcome = None
        finally:
            life.cancel()
            wrong.cancel()
            await world.bury()
            await asyncio.wait([life, wrong])
    if outcome is None or world.complaints:
        raise Broken(seed, world.complaints, [_told(*line) for line in world.story])
    return outcome
