"""A whole node in this process: what it does when a part of it fails, and what it tells."""

from __future__ import annotations

import ast
import asyncio
import contextlib
import os
from collections.abc import AsyncIterator
from importlib import resources
from pathlib import Path

import msgpack
import pytest
from websockets.exceptions import ConnectionClosed

from guandan_engine.seats import Seat
from guandan_protocol import messages as m
from guandan_protocol.codec import encode
from guandan_protocol.messages import Code
from guandan_server import rooms
from guandan_server.config import Config
from guandan_server.house import House as Standing
from guandan_server.node import Node, open_node
from tests.server.test_actor import AnyBrains, House
from tests.server.test_gate import close_code, created, dial, hear, http

WAIT_S = 10


@pytest.fixture
async def node(tmp_path: Path) -> AsyncIterator[Node]:
    async with open_node(Config(port=0, data_dir=tmp_path), AnyBrains()) as node:
        yield node


async def test_a_node_whose_heart_stops_is_not_ready_and_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def stopped(self: Standing) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Standing, "live", stopped)
    async with open_node(Config(port=0, data_dir=tmp_path), AnyBrains()) as node:
        with pytest.raises(ZeroDivisionError):
            await asyncio.wait_for(asyncio.shield(node.failed), WAIT_S)


async def test_a_silent_heart_is_told_by_readiness(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (await http(node, "GET /readyz HTTP/1.1\r\nHost: t\r\n\r\n"))[0] == 200
    monkeypatch.setattr(Standing, "alive", property(lambda _: False))
    assert (await http(node, "GET /readyz HTTP/1.1\r\nHost: t\r\n\r\n"))[0] == 503
    assert (await http(node, "GET /healthz HTTP/1.1\r\nHost: t\r\n\r\n"))[0] == 200


async def test_strangers_behind_a_proxy_are_counted_and_local_programs_are_not(
    node: Node,
) -> None:
    headers = {"X-Forwarded-For": "203.0.113.7"}
    for n in range(6):
        async with dial(node, additional_headers=headers) as peer:
            await peer.send(encode(m.Create(m.VERSION, "Ann", os.urandom(16))))
            answer = await hear(peer)
            if n < 5:
                assert isinstance(answer, m.Welcome)
            else:
                assert isinstance(answer, m.Refused)
                assert (answer.code, answer.retry_ms) == (Code.TOO_FAST, 60_000)
    async with dial(node) as peer:
        await created(peer)


async def test_guessing_codes_is_over_soon_and_tells_nothing(node: Node) -> None:
    async with dial(node) as host:
        room = (await created(host)).room
        headers = {"X-Forwarded-For": "203.0.113.8"}
        answers = []
        for code in [*(f"AAAA{letter}{digit}" for letter in "ABC" for digit in "2345"), room]:
            async with dial(node, additional_headers=headers) as peer:
                await peer.send(encode(m.Watch(m.VERSION, code)))
                answer = await hear(peer)
                assert isinstance(answer, m.Refused)
                answers.append(answer.code)
        # Also the right code, once guesses have run out.
        assert answers == [Code.NO_SUCH_ROOM] * 10 + [Code.TOO_FAST] * 3


async def test_somebody_sent_away_stays_out_for_a_while(node: Node) -> None:
    headers = {"X-Forwarded-For": "203.0.113.9"}
    async with dial(node) as host, dial(node, additional_headers=headers) as guest:
        room = (await created(host)).room
        await guest.send(encode(m.Join(m.VERSION, room, "Eve")))
        assert isinstance(await hear(guest), m.Welcome)
        await host.send(encode(m.Kick(1, Seat(2))))
        assert await close_code(guest) == m.CLOSE_LEFT
        async with dial(node, additional_headers=headers) as again:
            await again.send(encode(m.Join(m.VERSION, room, "Eva")))
            answer = await hear(again)
            assert isinstance(answer, m.Refused)
            assert answer.code == Code.FORBIDDEN
        async with dial(node, additional_headers={"X-Forwarded-For": "203.0.113.10"}) as other:
            await other.send(encode(m.Join(m.VERSION, room, "Bob")))
            assert isinstance(await hear(other), m.Welcome)


async def test_a_full_node_says_so_and_its_rooms_go_on(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with dial(node) as host, dial(node) as other:
        await created(host)
        monkeypatch.setattr(rooms, "ROOMS_MAX", 1)
        await other.send(encode(m.Create(m.VERSION, "Bob", os.urandom(16))))
        answer = await hear(other)
        assert isinstance(answer, m.Refused)
        assert (answer.code, answer.retry_ms) == (Code.BUSY, 60_000)
        await host.send(encode(m.Start(1)))
        while not isinstance(answer, m.Done):
            answer = await hear(host)


async def test_a_flood_of_pings_is_cut(node: Node) -> None:
    async with dial(node) as host:
        await created(host)
        async with dial(node, ping_interval=None) as flood:
            await created(flood)
            with contextlib.suppress(ConnectionClosed):
                for _ in range(10_000):
                    await flood.ping(os.urandom(125))
                    await asyncio.sleep(0)
            assert await close_code(flood) is None  # cut, without a closing word
        await host.send(encode(m.SetPace(1, 300)))
        answer: m.ServerMessage | None = None
        while not isinstance(answer, m.Done):
            answer = await hear(host)


async def test_two_hundred_who_say_nothing_are_gone_and_one_who_does_gets_in(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    from guandan_server import gate

    monkeypatch.setattr(gate, "HELLO_MS", 300)
    silent = await asyncio.gather(*[dial(node) for _ in range(200)])
    async with dial(node) as host:
        await created(host)
        codes = await asyncio.gather(*[close_code(peer) for peer in silent])
    assert set(codes) == {m.CLOSE_SLOW}


async def test_metrics_are_served_on_their_own_port(tmp_path: Path) -> None:
    from tests.e2e.serving import free_port

    port = free_port()
    config = Config(port=0, data_dir=tmp_path, metrics_port=port)
    async with open_node(config, AnyBrains()) as node, dial(node) as host:
        await created(host)
        await host.send(encode(m.Start(1)))
        answer: m.ServerMessage | None = None
        while not isinstance(answer, m.Done):
            answer = await hear(host)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /metrics HTTP/1.0\r\n\r\n")
        text = (await reader.read()).decode()
        writer.close()
        await writer.wait_closed()
        status, _, _ = await http(node, "GET /metrics HTTP/1.1\r\nHost: t\r\n\r\n")
        assert status == 404
    for line in (
        'guandan_rooms{stage="playing"} 1.0',
        'guandan_seats{kind="bot"} 3.0',
        "guandan_connections 1.0",
        'guandan_actions_total{what="start"} 1.0',
        "guandan_commit_seconds_count 1.0",
        "guandan_build_info",
        "guandan_heartbeat_age_seconds",
    ):
        assert line in text, line


async def test_a_room_of_a_newer_version_is_left_alone() -> None:
    house = House()
    actor, _, _ = await house.open()
    code = actor.room.code
    await actor.stop()
    await house.rooms.stop()
    kept = house.shelf.rooms[code]
    plain = msgpack.unpackb(kept.snapshot)
    newer = msgpack.packb({**plain, "v": 99})
    kept.snapshot = newer
    from guandan_server.store import checksum

    kept.sum = checksum(kept.seq, newer)
    fence = kept.fence
    other = House()
    other.store._shelf = house.shelf  # noqa: SLF001  the same store, another node
    from guandan_server.refusals import Refusal

    with pytest.raises(Refusal) as refusal:
        await other.rooms.find(code)
    assert refusal.value.code == Code.ROOM_GONE
    assert "newer" in refusal.value.text
    assert (house.shelf.rooms[code].snapshot, house.shelf.rooms[code].fence) == (newer, fence)


def test_no_wall_clock_decides_anything() -> None:
    """Clocks, graces and tokens do not care what time somebody sets."""
    wall = {"time.time", "datetime.now", "datetime.utcnow", "date.today"}
    for source in resources.files("guandan_server").iterdir():
        if source.name.endswith(".py"):
            for thing in ast.walk(ast.parse(source.read_text("utf-8"))):
                if isinstance(thing, ast.Attribute):
                    assert ast.unparse(thing) not in wall, source.name
