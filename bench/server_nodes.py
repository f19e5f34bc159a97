"""Two nodes on one store: one is killed, or both are restarted one after the other, under load."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

from bench.server_process import LOAD_CORE, SERVER_CORE, Process, free_port, node_command
from bench.server_rows import Row
from guandan_bots.load import Plan, Swarm
from guandan_bots.load_report import latency
from guandan_bots.load_table import Table

__all__ = ["rolling_restart", "takeover"]

TAKEOVER_ROOMS = 500
TAKEOVER_RATE = 200
TAKEOVER_S_MAX = 8
RESTART_RATE = 100
CLOCK_S = 30
PATIENCE_S = 60
LOOK_S = 0.02


async def takeover(store_url: str, *, seconds: float) -> AsyncIterator[Row]:
    """Kill -9 a node with all the rooms; clients are then led to the other, as by a proxy."""
    async with (
        Process(node_command(store_url, node="a"), core=SERVER_CORE) as one,
        Process(node_command(store_url, node="b"), core=LOAD_CORE) as two,
        Swarm(Plan((one.url,), TAKEOVER_ROOMS, TAKEOVER_RATE, PATIENCE_S)) as swarm,
    ):
        await swarm.open()
        running = asyncio.create_task(swarm.run())
        await asyncio.sleep(seconds)
        loop = asyncio.get_running_loop()
        killed_s = loop.time()
        swarm.servers[:] = [two.url]
        await one.kill()
        answered, playing = await asyncio.gather(
            _each_s(swarm, lambda table: table.welcomed_s, killed_s),
            _each_s(swarm, lambda table: table.acknowledged_s, killed_s),
        )
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        report = swarm.report()
    for what, times in (("a hello is answered", answered), ("a play is stored", playing)):
        found = latency(times)
        done = len(times) == TAKEOVER_ROOMS
        yield Row(
            f"kill -9 of a node: until {what} in every room",
            found.max / 1000 if done and found.max is not None else None,
            "s",
            at_most=TAKEOVER_S_MAX,
            note=f"{len(times)} rooms, half of them within {(found.p50 or 0) / 1000:.1f} s",
        )
    yield Row("… acknowledged actions lost", report.lost, "", at_most=0)


async def rolling_restart(store_url: str, *, rooms: int, seconds: float) -> AsyncIterator[Row]:
    """SIGTERM of each of two nodes and its start again, while rooms on both are played in."""
    commands = [node_command(store_url, node=name, port=free_port()) for name in ("c", "d")]
    async with (
        Process(commands[0], core=SERVER_CORE) as one,
        Process(commands[1], core=SERVER_CORE) as two,
        Swarm(
            Plan(
                (one.url, two.url),
                rooms,
                RESTART_RATE,
                PATIENCE_S + seconds,
                clock_s=CLOCK_S,
                spread=True,
            )
        ) as swarm,
    ):
        await swarm.open()
        running = asyncio.create_task(swarm.run())
        loop = asyncio.get_running_loop()
        away_s: list[float] = []
        for node in (one, two):
            await asyncio.sleep(seconds)
            stopped_s = loop.time()
            await node.stop()
            away_s += await _each_s(swarm, lambda table: table.acknowledged_s, stopped_s)
            await node.start()
        await asyncio.sleep(seconds)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        report = swarm.report()
    note = f"{rooms} rooms, {report.actions} actions, {report.reconnects} connections came back"
    yield Row("rolling restart: acknowledged actions lost", report.lost, "", at_most=0, note=note)
    yield Row("… clocks run out", report.timed_out, "", at_most=0, note=f"clocks of {CLOCK_S} s")
    yield Row("… refusals, and sessions ended", sum(report.errors.values()), "", at_most=0)
    yield Row(
        "… longest time from a stop to the next stored play of a room",
        latency(away_s).max and max(away_s),
        "s",
        note=f"{len(away_s)} of {2 * rooms}",
    )


async def _each_s(swarm: Swarm, when_s: Callable[[Table], float], since_s: float) -> list[float]:
    """For each table how long something took after a moment; fewer if patience ends."""
    loop = asyncio.get_running_loop()
    waiting = set(swarm.tables)
    found: list[float] = []
    while waiting and loop.time() < since_s + PATIENCE_S:
        for table in [table for table in waiting if when_s(table) > since_s]:
            found.append(when_s(table) - since_s)
            waiting.discard(table)
        await asyncio.sleep(LOOK_S)
    return found
