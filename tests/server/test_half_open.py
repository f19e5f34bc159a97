"""Peers whose line is dead and not cut: phones in lifts, networks that change."""

from __future__ import annotations

import asyncio
import contextlib
import struct
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from websockets.asyncio.client import ClientConnection

from guandan_protocol import messages as m
from guandan_protocol.codec import decode_server, encode
from guandan_server import node as node_module
from guandan_server.config import Config
from guandan_server.node import Node, open_node
from tests.server.test_actor import AnyBrains
from tests.server.test_bad_frames import BINARY, HANDSHAKE, frame
from tests.server.test_gate import WAIT_S, close_code, created, dial, hear

HERE, THERE = {"X-Forwarded-For": "203.0.113.1"}, {"X-Forwarded-For": "198.51.100.1"}


@pytest.fixture
async def node(tmp_path: Path) -> AsyncIterator[Node]:
    async with open_node(Config(port=0, data_dir=tmp_path), AnyBrains()) as node:
        yield node


@contextlib.asynccontextmanager
async def mute(node: Node, hello: m.Hello) -> AsyncIterator[m.Welcome]:
    """A peer that comes in, and from then on says nothing: not even that it has got a ping."""
    reader, writer = await asyncio.open_connection("127.0.0.1", node.port)
    try:
        writer.write(HANDSHAKE.encode() + frame(BINARY, encode(hello)))
        async with asyncio.timeout(WAIT_S):
            await reader.readuntil(b"\r\n\r\n")
            _, length = await reader.readexactly(2)
            if length == 126:
                (length,) = struct.unpack("!H", await reader.readexactly(2))
            welcome = decode_server(await reader.readexactly(length))
        assert isinstance(welcome, m.Welcome)
        yield welcome
    finally:
        writer.transport.abort()


async def until_bob_is(host: ClientConnection, *, online: bool) -> m.RoomView:
    while True:
        heard = await hear(host)
        if isinstance(heard, m.Update) and heard.view.seats[1].online is online:
            return heard.view


async def test_a_peer_that_vanishes_is_away_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node_module, "PING_S", 0.2)
    async with (
        open_node(Config(port=0, data_dir=tmp_path), AnyBrains()) as node,
        dial(node) as host,
    ):
        room = (await created(host)).room
        async with mute(node, m.Join(m.VERSION, room, "Bob")):
            await until_bob_is(host, online=True)
            await until_bob_is(host, online=False)
            # And the table is not held up by it.
            await host.send(encode(m.Start(1)))
            while not isinstance(await hear(host), m.Done):
                pass


async def test_a_seat_whose_line_is_dead_is_taken_from_another_network_at_once(node: Node) -> None:
    """No ping has been missed yet: to the server the old line is as good as new."""
    async with dial(node) as host:
        room = (await created(host)).room
        async with mute(node, m.Join(m.VERSION, room, "Bob")) as welcome:
            await until_bob_is(host, online=True)
            async with dial(node, additional_headers=THERE) as bob:
                await bob.send(encode(m.Resume(m.VERSION, room, welcome.token)))
                back = await hear(bob)
                assert isinstance(back, m.Welcome)
                assert back.seat == 2
                assert [seat.online for seat in back.view.seats] == [True, True, False, False]
                assert back.view.watchers == 0
                await bob.send(encode(m.Ready(1)))
                while not isinstance(await hear(bob), m.Done):
                    pass
                view = await until_bob_is(host, online=True)
                assert view.watchers == 0


@pytest.mark.parametrize(
    ("seq", "epoch"), [(0, 0), (10**6, 1), (m.VERSION, 99), (2**53 - 1, 2**53 - 1), (1, 0)]
)
async def test_whatever_a_resume_remembers_it_gets_the_whole_view(
    node: Node, seq: int, epoch: int
) -> None:
    async with dial(node) as host:
        begun = await created(host)
        await host.send(encode(m.Start(1)))
        while not isinstance(await hear(host), m.Done):
            pass
        for _ in range(3):
            async with dial(node) as again:
                resume = m.Resume(m.VERSION, begun.room, begun.token, seq=seq, epoch=epoch)
                await again.send(encode(resume))
                welcome = await hear(again)
                assert isinstance(welcome, m.Welcome)
                assert (welcome.seat, welcome.counter) == (1, 1)
                assert (welcome.epoch, welcome.seq >= 1) == (1, True)
                assert welcome.private is not None
                assert len(welcome.private.hand) > 0


async def test_a_resume_that_remembers_less_than_nothing_is_no_message(node: Node) -> None:
    async with dial(node) as host:
        begun = await created(host)
        async with dial(node) as again:
            await again.send(encode(m.Resume(m.VERSION, begun.room, begun.token, seq=-1)))
            assert await close_code(again) == m.CLOSE_BAD_MESSAGE


async def test_a_household_behind_one_address_comes_back_however_often(node: Node) -> None:
    """One of them guesses until the address has used up its guesses; the others have tokens."""
    async with dial(node, additional_headers=HERE) as host:
        begun = await created(host)
        answers: list[m.ServerMessage] = []
        for i in range(12):
            async with dial(node, additional_headers=HERE) as child:
                await child.send(encode(m.Watch(m.VERSION, f"AAAA{'BCDEFGHJKMNP'[i]}2")))
                answers.append(await hear(child))
        assert isinstance(answers[-1], m.Refused)
        assert (answers[-1].code, answers[-1].retry_ms) == (m.Code.TOO_FAST, 60_000)
        for _ in range(12):
            async with dial(node, additional_headers=HERE) as back:
                await back.send(encode(m.Resume(m.VERSION, begun.room, begun.token)))
                assert isinstance(await hear(back), m.Welcome)


async def test_the_host_of_a_private_room_comes_back_by_token_alone(node: Node) -> None:
    """From another network, with no cookie, no address and no password of the room's."""
    async with dial(node, additional_headers=HERE) as host:
        begun = await created(host)
        assert begun.view.settings.visibility is m.Visibility.PRIVATE
    async with dial(node, additional_headers=THERE) as again:
        await again.send(encode(m.Resume(m.VERSION, begun.room, begun.token)))
        welcome = await hear(again)
        assert isinstance(welcome, m.Welcome)
        assert (welcome.seat, welcome.view.host) == (1, 1)


async def test_a_newcomer_is_not_who_sat_there_before(node: Node) -> None:
    """A seat is opened by its token, and its number is nobody: the counter begins anew, too."""
    async with dial(node) as host, dial(node) as bob, dial(node) as cid:
        room = (await created(host)).room
        await bob.send(encode(m.Join(m.VERSION, room, "Bob")))
        first = await hear(bob)
        assert isinstance(first, m.Welcome)
        await bob.send(encode(m.Leave(7)))
        assert await close_code(bob) == m.CLOSE_LEFT
        await cid.send(encode(m.Join(m.VERSION, room, "Cid")))
        second = await hear(cid)
        assert isinstance(second, m.Welcome)
        assert (second.seat, second.counter) == (first.seat, 0)
        assert second.token != first.token
        async with dial(node) as ghost:
            await ghost.send(encode(m.Resume(m.VERSION, room, first.token)))
            assert await close_code(ghost) == m.CLOSE_BAD_TOKEN
