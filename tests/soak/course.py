"""The course of a soak, and what it came to."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from statistics import mean
from typing import Final

from attrs import field, frozen

from bench.server_process import Process, free_port, node_command
from guandan_bots.load import Plan, Swarm
from guandan_bots.load_table import Table
from guandan_bots.processes import usage
from guandan_server import roomstate
from guandan_server.embedded import CRASHES_MAX, CRASHES_WITHIN_S, EmbeddedStore
from guandan_server.journal import rebuild
from guandan_server.store import Entry, Loaded
from guandan_server.store_redis import RedisStore

__all__ = ["Soak", "Summary", "soak"]

ACTIONS_PER_ROOM_S: Final = 2.0
CALM_S: Final = 60.0
"""Until every room goes on: a takeover may take eight seconds, and clients wait between tries."""
STORE_EVERY_S: Final = 1.1 * CRASHES_WITHIN_S / (CRASHES_MAX - 1)
"""A store that dies more often is given up, and that is another test."""
LOOK_S: Final = 0.5
GROWTH_MAX: Final = 0.05
GROWTH_BYTES_MAX: Final = 4 * 1024 * 1024
"""What an allocator may still fetch while a hundred rooms go on with their matches."""
MIB: Final = 1024 * 1024


@frozen
class Soak:
    """What is to be done."""

    rooms: int
    seed: int
    trouble_s: float
    quiet_s: float
    every_s: float = 6.0
    """Between one trouble and the next, on average."""
    pauses_s: tuple[float, ...] = (0.0, 1.0, 4.0, 8.0)
    """How long a node may be down, or asleep."""


@frozen
class Use:
    """What a node used, looked at again and again while all was quiet."""

    node: str
    rss_bytes: tuple[int, ...]
    descriptors: tuple[int, ...]

    def ends(self) -> tuple[float, float]:
        """Memory in the first and in the last third of the time."""
        third = max(1, len(self.rss_bytes) // 3)
        return mean(self.rss_bytes[:third]), mean(self.rss_bytes[-third:])

    @property
    def is_flat(self) -> bool:
        first, last = self.ends()
        return last <= first * (1 + GROWTH_MAX) + GROWTH_BYTES_MAX

    @property
    def is_closed(self) -> bool:
        """Are there no more descriptors in the end than at first?"""
        return self.descriptors[-1] <= self.descriptors[0]

    def __str__(self) -> str:
        first, last = self.ends()
        memory = f"memory {first / MIB:.1f} → {last / MIB:.1f} MiB"
        opened = f"descriptors {self.descriptors[0]} → {self.descriptors[-1]}"
        return f"node {self.node}: {memory}, {opened}"


@frozen
class Summary:
    """What it came to."""

    plan: Soak
    troubles: Counter[str]
    actions: int
    hands: int
    matches: int
    reconnects: int
    lost: int
    errors: dict[str, int]
    stuck: int
    """Rooms that did not go on when all was well again."""
    wrong: tuple[str, ...]
    """What the store has otherwise than it was told."""
    uses: tuple[Use, ...] = field(factory=tuple)

    @property
    def holds(self) -> bool:
        is_well = not (self.lost or self.errors or self.stuck or self.wrong)
        return is_well and all(use.is_flat and use.is_closed for use in self.uses)

    def lines(self) -> list[str]:
        done = ", ".join([f"{what} {times}" for what, times in sorted(self.troubles.items())])
        plan = self.plan
        of = f"{plan.trouble_s:.0f} s of trouble, {plan.quiet_s:.0f} s of quiet"
        played = f"{self.actions} actions acknowledged, {self.hands} hands, {self.matches} matches"
        return [
            f"{plan.rooms} rooms, seed {plan.seed}, {of}",
            f"troubles: {done or 'none'}",
            f"played: {played}; {self.reconnects} connections came back",
            f"acknowledged actions lost: {self.lost}",
            f"refusals, and sessions ended: {self.errors or 0}",
            f"rooms that did not go on: {self.stuck}",
            f"rooms that are not stored as they were told: {len(self.wrong)}",
            *[f"  {one}" for one in self.wrong[:10]],
            *[str(use) for use in self.uses],
            "holds" if self.holds else "FALLS SHORT",
        ]


class _Troubles:
    """What befalls two nodes and a store; who is down is up again before the end."""

    def __init__(
        self,
        nodes: dict[str, Process],
        store: EmbeddedStore,
        plan: Soak,
        say: Callable[[str], None],
    ) -> None:
        self.done: Counter[str] = Counter()
        self._nodes = nodes
        self._store = store
        self._plan = plan
        self._say = say
        self._random = random.Random(plan.seed)
        self._store_killed_s = -STORE_EVERY_S

    async def go_on(self) -> None:
        loop = asyncio.get_running_loop()
        end_s = loop.time() + self._plan.trouble_s
        while True:
            wait_s = self._random.expovariate(1 / self._plan.every_s)
            if loop.time() + wait_s >= end_s:
                return
            await asyncio.sleep(wait_s)
            await self._one()

    async def _one(self) -> None:
        kinds = {
            "node killed": self._kill,
            "both killed": self._kill_both,
            "node stopped": self._stop,
            "node asleep": self._sleep,
            "store killed": self._kill_store,
            "node and store killed": self._kill_node_and_store,
        }
        weights = (4, 1, 2, 2, 3, 1)
        ((what, do),) = self._random.choices(list(kinds.items()), weights)
        name = self._random.choice(sorted(self._nodes))
        pause_s = self._random.choice(self._plan.pauses_s)
        if await do(self._nodes[name], pause_s):
            self._say(what)
            self.done[what] += 1

    async def _kill(self, node: Process, pause_s: float) -> bool:
        await node.kill()
        await asyncio.sleep(pause_s)
        await node.start()
        return True

    async def _kill_both(self, _: Process, pause_s: float) -> bool:
        for node in self._nodes.values():
            await node.kill()
        await asyncio.sleep(pause_s / 4)
        for node in self._nodes.values():
            await node.start()
        return True

    async def _stop(self, node: Process, pause_s: float) -> bool:
        await node.stop()
        await asyncio.sleep(pause_s)
        await node.start()
        return True

    async def _sleep(self, node: Process, pause_s: float) -> bool:
        os.kill(node.pid, signal.SIGSTOP)
        try:
            await asyncio.sleep(max(0.5, pause_s))
        finally:
            os.kill(node.pid, signal.SIGCONT)
        return True

    async def _kill_store(self, _: Process, __: float) -> bool:
        now_s = asyncio.get_running_loop().time()
        if now_s < self._store_killed_s + STORE_EVERY_S:
            return False
        self._store_killed_s = now_s
        os.kill(self._store.pid, signal.SIGKILL)
        return True

    async def _kill_node_and_store(self, node: Process, pause_s: float) -> bool:
        return await self._kill_store(node, pause_s) and await self._kill(node, pause_s)


async def soak(plan: Soak, folder: Path, *, say: Callable[[str], None] = lambda _: None) -> Summary:
    """One soak, in a folder of its own."""
    async with EmbeddedStore(folder / "store") as store, RedisStore(store.url) as asked:
        ports = {name: free_port() for name in ("a", "b")}
        commands = {name: node_command(store.url, node=name, port=ports[name]) for name in ports}
        async with (
            Process(commands["a"], core=None) as one,
            Process(commands["b"], core=None) as two,
            Swarm(
                Plan(
                    (one.url, two.url),
                    plan.rooms,
                    plan.rooms * ACTIONS_PER_ROOM_S,
                    seconds=plan.trouble_s + CALM_S + plan.quiet_s + 600,
                    seed=plan.seed,
                    spread=True,
                )
            ) as swarm,
        ):
            nodes = {"a": one, "b": two}
            await swarm.open()
            playing = asyncio.create_task(swarm.run())
            troubles = _Troubles(nodes, store, plan, say)
            await troubles.go_on()
            say("all is well again")
            stuck = await _stuck(swarm.tables)
            say("quiet")
            uses = await _used(nodes, plan.quiet_s)
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
            report = swarm.report()
            wrong = [one for one in [await _amiss(asked, table) for table in swarm.tables] if one]
        return Summary(
            plan=plan,
            troubles=troubles.done,
            actions=report.actions,
            hands=report.hands,
            matches=report.matches,
            reconnects=report.reconnects,
            lost=report.lost,
            errors=report.errors,
            stuck=stuck,
            wrong=tuple(wrong),
            uses=uses,
        )


async def _stuck(tables: list[Table]) -> int:
    """How many rooms have had no action acknowledged, some time after all was well."""
    loop = asyncio.get_running_loop()
    since_s = loop.time()
    waiting = list(tables)
    while waiting and loop.time() < since_s + CALM_S:
        await asyncio.sleep(LOOK_S)
        waiting = [table for table in waiting if table.acknowledged_s <= since_s]
    return len(waiting)


async def _used(nodes: dict[str, Process], for_s: float) -> tuple[Use, ...]:
    """Memory and descriptors of each node for a while; nothing where they cannot be read."""
    loop = asyncio.get_running_loop()
    end_s = loop.time() + for_s
    rss: dict[str, list[int]] = {name: [] for name in nodes}
    descriptors: dict[str, list[int]] = {name: [] for name in nodes}
    while loop.time() < end_s:
        for name, node in nodes.items():
            found = usage(node.pid)
            if found is not None:
                rss[name].append(found.rss_bytes)
                descriptors[name].append(_descriptors(node.pid))
        await asyncio.sleep(LOOK_S)
    return tuple(
        [Use(name, tuple(rss[name]), tuple(descriptors[name])) for name in nodes if rss[name]]
    )


def _descriptors(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


async def _amiss(store: RedisStore, table: Table) -> str:
    """What is wrong with a room in the store; empty if it is all that its people were told."""
    code, told = table.chairs[0].room, max(chair.seq for chair in table.chairs)
    loaded = await store.load(code)
    if not isinstance(loaded, Loaded):
        return f"{code}: is not there"
    if loaded.seq < told:
        return f"{code}: told of {told}, stored {loaded.seq}"
    if loaded.epoch != 1:
        return f"{code}: its history was rewound"
    state = roomstate.load(loaded.snapshot)
    entries: list[Entry] = []
    after = state.match_seq - 1
    while page := await store.log(code, after_seq=after):
        entries += page
        after = page[-1].seq
    entries = [entry for entry in entries if entry.seq <= loaded.seq]
    if [entry.seq for entry in entries] != list(range(state.match_seq, loaded.seq + 1)):
        return f"{code}: its log has gaps"
    if rebuild([entry.body for entry in entries]) != state:
        return f"{code}: its log does not fold to its state"
    return ""
