"""What a connection and a room take: how much a node's resident memory grows by many of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from bench.server_process import SERVER_CORE, Process, node_command
from bench.server_rows import Row
from guandan_bots.load import Plan, Swarm
from guandan_bots.load_socket import ThinSocket, open_socket
from guandan_protocol.codec import encode
from guandan_protocol.messages import VERSION, Lobby

__all__ = ["memory"]

CONNECTION_KIB_MAX = 20
ROOM_KIB_MAX = 150
KIB = 1024
WARMING = 50
"""Connections, or rooms, before the first look: what is made once is nobody's."""
AT_ONCE = 50
LOOK_S = 0.05
ACTIONS_EACH = 30
"""Plays of each room before the second look: by then it remembers as much as it ever does."""


async def memory(store_url: str, *, connections: int, rooms: int) -> AsyncIterator[Row]:
    """Each in a process of its own, so that none lives in what another one left."""
    async with Process(node_command(store_url, node="idle"), core=SERVER_CORE) as node:
        sockets = await _idle(node.url, WARMING)
        before = node.usage().rss_bytes
        sockets += await _idle(node.url, connections)
        grown = node.usage().rss_bytes - before
        for socket in sockets:
            socket.close()
    yield Row(
        "connection, idle",
        grown / connections / KIB,
        "KiB",
        at_most=CONNECTION_KIB_MAX,
        note=f"{connections} of them",
    )
    async with (
        Process(node_command(store_url, node="rooms"), core=SERVER_CORE) as node,
        Swarm(_plan(node, WARMING)) as warming,
        Swarm(_plan(node, rooms)) as swarm,
    ):
        await _played(warming)
        before = node.usage().rss_bytes
        await _played(swarm)
        grown = node.usage().rss_bytes - before
        actions = len(swarm.tally.done_s)
    yield Row(
        "room with four connections",
        grown / rooms / KIB,
        "KiB",
        at_most=ROOM_KIB_MAX,
        note=f"{rooms} of them, after {actions / rooms:.0f} plays each",
    )


async def _idle(url: str, count: int) -> list[ThinSocket]:
    """Connections that have said hello and want nothing."""
    sockets: list[ThinSocket] = []

    async def one() -> None:
        welcomed = asyncio.Event()
        socket = await open_socket(url, lambda _: welcomed.set())
        socket.send(encode(Lobby(VERSION)))
        await welcomed.wait()
        sockets.append(socket)

    for _ in range(0, count, AT_ONCE):
        await asyncio.gather(*[one() for _ in range(AT_ONCE)])
    return sockets


def _plan(node: Process, rooms: int) -> Plan:
    return Plan(servers=(node.url,), rooms=rooms, rate=None, seconds=600)


async def _played(swarm: Swarm) -> None:
    """Play until every room has, on average, done what it is to do."""
    await swarm.open()
    running = asyncio.create_task(swarm.run())
    enough = ACTIONS_EACH * swarm.plan.rooms
    while True:
        await asyncio.sleep(LOOK_S)
        if running.done() or len(swarm.tally.done_s) >= enough:
            break
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
