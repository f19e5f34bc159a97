"""Who carries commands, and where a cluster's commands belong. (The rest needs real servers.)"""

import asyncio

import pytest

from guandan_server.executors import Cluster, Standalone, slot_of
from guandan_server.keys import room_keys
from guandan_server.scripts import COMMIT
from guandan_server.store_url import ClusterSeeds, Peer

A, B, C = (Peer("host", port) for port in (1, 2, 3))


def test_the_slot_is_that_of_a_room_whatever_is_asked_of_it() -> None:
    keys = room_keys("K7QM")
    slots = {
        slot_of(command)
        for command in [
            COMMIT.call((keys.meta, keys.log, keys.snap), 1),
            ("ASKING", *COMMIT.call((keys.meta,), 1)),
            ("HGET", keys.meta, "public"),
            ("GETRANGE", keys.rec(7), 0, 1),
        ]
    }
    assert len(slots) == 1
    assert slot_of(("GET", "123456789")) == 0x31C3  # the specification's own example


def test_a_map_is_read_as_it_is_told() -> None:
    cluster = Cluster(ClusterSeeds((A,), "redis", "", ()), socket_timeout_s=1.0)
    b_c = [[b"host", 2, b"id", []], [b"", 3, b"id", []]]
    cluster.draw([[0, 8191, *b_c], [8192, 16383, [b"?", 9, b"id", []]]], asked=A)
    low, high = ("GET", "k3"), ("GET", "k1")
    assert slot_of(low) < 8192 <= slot_of(high)
    assert (cluster.owner(low), cluster.owner(high)) == (B, None)
    assert cluster.primaries == {B}
    cluster.moved(slot_of(high), C)
    assert cluster.owner(high) == C


async def test_closing_is_whole_though_it_is_cancelled() -> None:
    ended = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(100)
        writer.write(b"+PONG\r\n")
        await reader.read()
        ended.set()
        writer.close()

    listening = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with listening, asyncio.timeout(5):
        port = listening.sockets[0].getsockname()[1]
        server = Standalone(f"redis://127.0.0.1:{port}", socket_timeout_s=1.0)
        await server.ask("PING")
        closing = asyncio.create_task(server.close())
        await asyncio.sleep(0)
        closing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await closing
        await ended.wait()
