"""The course of a world.

trouble    people play; nodes, store, network and phones misbehave
calm       all of it is well again: everybody must see the same table, and the match go on
empty      everybody is gone: the room must come to rest, leave memory, and nothing stay behind
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from guandan_engine.options import PRESETS
from guandan_engine.record import read, verify
from guandan_engine.views import private_view, public_view
from guandan_protocol import messages as m
from guandan_protocol.client import TableClient
from guandan_protocol.messages import Settings, Stage
from guandan_server import roomstate
from guandan_server.actor import ROOM_TTL_S
from guandan_server.store_memory import MemoryStore
from tests.sim.loop import VirtualLoop
from tests.sim.people import Device, Person, Watcher
from tests.sim.prologue import NAMES, PROLOGUES, prologue
from tests.sim.story import Broken, Outcome
from tests.sim.trouble import Trouble
from tests.sim.world import World, wired

__all__ = ["run"]

TROUBLE_S: Final = (6.0, 30.0)
CALM_S: Final = 180.0
"""Until all is well again: a dead line is noticed in forty seconds, a limit passes in a minute."""
CALM_ENTRIES: Final = 4
"""What a match must advance by to be going on."""
REST_S: Final = 300.0
"""Until an empty room is paused and out of memory: lines noticed, grace, clocks, a minute more."""
STOP_S: Final = 15.0
REST: Final = (Stage.LOBBY, Stage.PAUSED, Stage.MATCH_OVER)


class Course:
    """How it goes on in a world."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._loop = asyncio.get_running_loop()
        self._chance = world.stream("world")

    async def live(self) -> Outcome:
        await self._open()
        for device in self._world.devices():
            device.start()
        until_s = self._loop.time() + self._chance.uniform(*TROUBLE_S)
        await Trouble(self._world, self._world.stream("trouble")).go_on(until_s)
        await self._calm()
        await self._empty()
        return self._outcome()

    # The beginning

    async def _open(self) -> None:
        world, chance = self._world, self._chance
        create, tokens = None, [b""] * len(NAMES)
        if chance.random() < 0.3:
            create = self._creation()
        else:
            tokens = await self._begun()
        whims = chance.choice((0.0, 0.05, 0.2))
        for i in range(chance.choice((1, 2, 3, 4, 4, 4))):
            person = Person(
                NAMES[i],
                address=f"198.51.100.{i + 1}",
                room=lambda: world.room,
                go_to=world.go_to,
                answers=world.promises,
                random=world.stream(NAMES[i]),
                create=create if i == 0 else None,
                token=tokens[i],
                whims=whims,
            )
            world.people.append(person)
        for i in range(chance.choice((0, 0, 1, 2))):
            name, address = f"eye{i}", f"203.0.113.{i + 1}"
            watcher = Watcher(
                name, address=address, room=lambda: world.room, random=world.stream(name)
            )
            world.watchers.append(watcher)

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
        world, chance, room = self._world, self._chance, "KNXW7Q"
        begun = prologue(chance.randrange(PROLOGUES))
        cut = max(1, chance.choice(begun.ends) - chance.choice((2, 6, 12, 25)))
        store = MemoryStore(clock=self._loop.time, shelf=world.store.shelf)
        public = chance.random() < 0.5
        await store.create(room, node="", snapshot=b"", public=public, ttl_s=ROOM_TTL_S)
        made = world.store.shelf.rooms[room]
        made.log = dict(enumerate(begun.entries[: cut - 1], 1))
        made.seq = cut - 1
        await store.commit(
            room,
            fence=made.fence,
            seq=cut,
            entry=begun.entries[cut - 1],
            snapshot=roomstate.dump(begun.states[cut - 1]),
            ttl_s=ROOM_TTL_S,
        )
        world.store.remember(room)
        row = world.store.row(room)
        assert row is not None
        world.adopt(room, row, None)
        world.go_to(room)
        world.tokens.update(begun.tokens)
        return list(begun.tokens)

    # When all is well again

    async def _calm(self) -> None:
        world = self._world
        world.story.note("calm", "all is well again")
        world.weather.spike_rate = world.weather.cut_rate = world.weather.double_rate = 0.0
        world.store.faults.failing = world.store.faults.slow = 0.0
        world.store.is_well = True
        for device in world.devices():
            device.calm = True
            device.wake()
            world.reopen(device)
            for line in device.lines:
                line.settle()
        for node in list(world.cluster.nodes.values()):
            node.wake()
            world.restart(node.name)
        began = world.history.now.seq if world.room else 0
        await self._until(
            lambda: self._goes_on(began), CALM_S, "the match does not go on", every_s=0.1
        )
        if world.room and not world.is_gone and any(person.has_shown for person in world.here()):
            self._check_kept()

    def _goes_on(self, began: int) -> bool:
        """Does everybody see the same table, and does the match advance?"""
        world = self._world
        if len(world.cluster.up()) < len(world.cluster.nodes):
            return False
        active = [person for person in world.here() if not person.is_out]
        if not world.room or world.is_gone:
            return not active
        now = world.history.now
        at_rest = now.state.stage in (Stage.LOBBY, Stage.MATCH_OVER)
        if active and not at_rest and now.seq < began + CALM_ENTRIES:
            return False
        # Where nobody does anything, an owner has no reason to put back what the store has lost.
        watchers = [watcher for watcher in world.watchers if watcher.is_here and active]
        return all(self._is_settled(device) for device in (*active, *watchers))

    def _is_settled(self, device: Device) -> bool:
        client, now = device.client, self._world.history.now
        if client is None or not client.is_live or not device.has_shown:
            return False
        if (client.epoch, client.seq) != (self._world.history.epoch, now.seq):
            return False
        return self._sees(client)

    def _sees(self, client: TableClient) -> bool:
        """Does the client know what the log gives, no less and no more?"""
        state = self._world.history.now.state
        own = None if client.seat is None else private_view(state.match, client.seat)
        return (
            client.public == public_view(state.match)
            and client.private == own
            and client.record == state.session
        )

    def _check_kept(self) -> None:
        """Is there what was promised, and are matches on record as they were?"""
        self._world.promises.check(self._world.history)
        for (room, match), kept in self._world.store.shelf.records.items():
            wrong = verify(read(kept.body.decode()))
            if wrong:
                self._world.complain(f"the record of match {match} of {room} is wrong: {wrong}")

    # When everybody is gone

    async def _empty(self) -> None:
        world, chance = self._world, self._chance
        world.story.note("empty", "everybody goes")
        world.is_over = True
        for device in world.devices():
            device.is_lost = True
            device.die(quietly=chance.random() < 0.3)
        owner = world.owner()
        if owner is not None and len(world.cluster.up()) > 1 and chance.random() < 0.5:
            owner.crash(quietly=False)
            world.story.note("empty", owner, "dies, too")
        await self._until(self._is_empty, REST_S, "the room does not come to rest")
        for node in world.cluster.up():
            node.drain()
        await self._until(self._has_stopped, STOP_S, "a node does not stop")
        if world.room and not world.is_gone:
            self._check_kept()
        for node in world.cluster.all():
            if node.failure is not None:
                world.complain(f"{node} failed: {node.failure!r}")

    def _is_empty(self) -> bool:
        """Is the room at rest and out of every memory, and has everything of the dead an heir?"""
        world = self._world
        alive = {node.name for node in world.cluster.up()}
        held = world.store.shelf.holdings
        return (
            self._is_at_rest()
            and all(node.is_idle for node in world.cluster.up())
            and not any(rooms for name, rooms in held.items() if name not in alive)
        )

    def _is_at_rest(self) -> bool:
        world = self._world
        if not world.room or world.is_gone or world.history.now.state.stage in REST:
            return True
        # Given up in order, by a node that stopped or had nobody left: it sleeps until a hello.
        return world.store.shelf.rooms[world.room].node == ""

    def _has_stopped(self) -> bool:
        processes = [node.process for node in self._world.cluster.nodes.values()]
        return all(one.dead or (one.has_ended and not one.tasks()) for one in processes)

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
                for device in self._world.devices():
                    self._world.story.note("who", device, device.standing())
                self._world.complain(f"{why_not} within {within_s:g} s")
                return
            await asyncio.sleep(every_s)

    def _outcome(self) -> Outcome:
        world = self._world
        outcome = Outcome(
            seed=world.seed,
            frames=world.witness.frames,
            promises=len(world.promises),
            virtual_s=world.story.age_s,
        )
        for history in world.histories.values():
            outcome.entries += len(history.moments()) - 1
            outcome.claims += history.claims
            outcome.lost += history.lost
            outcome.rewrites += history.rewrites
            outcome.epoch = max(outcome.epoch, history.epoch)
        return outcome


def run(seed: int, *, tell: Callable[[str], None] | None = None) -> Outcome:
    """Live through one world; Broken if it does not keep what was promised."""
    loop = VirtualLoop()
    try:
        return loop.run_until_complete(_run(loop, seed, tell))
    finally:
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


async def _run(loop: VirtualLoop, seed: int, tell: Callable[[str], None] | None) -> Outcome:
    world = World(seed, tell=tell)
    loop.set_exception_handler(world.unhandled)
    loop.on_stuck = world.complain
    outcome = None
    with wired(world):
        life = asyncio.create_task(Course(world).live())
        wrong = asyncio.create_task(world.until_wrong())
        try:
            await asyncio.wait([life, wrong], return_when=asyncio.FIRST_COMPLETED)
            if life.done():
                outcome = life.result()
        finally:
            life.cancel()
            wrong.cancel()
            await asyncio.wait([life, wrong])
            await world.bury()
    if outcome is None or world.complaints:
        raise Broken(seed, world.complaints, world.story.lines())
    return outcome
