"""The door, over real sockets and a real store."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import msgpack
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Subprotocol

from guandan_protocol import messages as m
from guandan_protocol.codec import decode_server, encode
from guandan_protocol.messages import Code
from guandan_server import gate
from guandan_server.config import Config
from guandan_server.node import Node, open_node
from tests.server.test_actor import AnyBrains

WAIT_S = 10


@pytest.fixture
async def node(tmp_path: Path) -> AsyncIterator[Node]:
    async with open_node(Config(port=0, data_dir=tmp_path), AnyBrains()) as node:
        yield node


def dial(node: Node, path: str = "/ws", **how: object) -> connect:
    how.setdefault("subprotocols", [Subprotocol(m.SUBPROTOCOL)])
    return connect(f"ws://127.0.0.1:{node.port}{path}", compression=None, **how)  # type: ignore[arg-type]  # passed on


async def hear(peer: ClientConnection) -> m.ServerMessage:
    async with asyncio.timeout(WAIT_S):
        frame = await peer.recv()
    assert isinstance(frame, bytes)
    return decode_server(frame)


async def close_code(peer: ClientConnection) -> int | None:
    """Read until the server closes, and how it did."""
    async with asyncio.timeout(WAIT_S):
        try:
            while True:
                await peer.recv()
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else None


async def created(peer: ClientConnection, **how: object) -> m.Welcome:
    await peer.send(encode(m.Create(m.VERSION, "Ann", os.urandom(16), **how)))  # type: ignore[arg-type]  # passed on
    welcome = await hear(peer)
    assert isinstance(welcome, m.Welcome)
    return welcome


async def http(node: Node, request: str) -> tuple[int, dict[str, str], bytes]:
    reader, writer = await asyncio.open_connection("127.0.0.1", node.port)
    writer.write(request.encode())
    await writer.drain()
    async with asyncio.timeout(WAIT_S):
        answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    head, _, body = answer.partition(b"\r\n\r\n")
    status, *lines = head.decode().split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines)
    return int(status.split()[1]), headers, body


async def test_health_and_the_page(node: Node) -> None:
    for path, wanted in (
        ("/healthz", 200),
        ("/readyz", 200),
        ("/", 200),
        ("/r/ABCDEF", 200),
        ("/ws", 426),
        ("/../etc/passwd", 404),
        ("/nothing", 404),
    ):
        status, headers, body = await http(node, f"GET {path} HTTP/1.1\r\nHost: t\r\n\r\n")
        assert (path, status) == (path, wanted)
        assert "default-src 'none'" in headers["content-security-policy"]
        assert int(headers["content-length"]) == len(body)
        assert "server" not in headers
    status, headers, body = await http(node, "HEAD / HTTP/1.1\r\nHost: t\r\n\r\n")
    assert (status, body) == (200, b"")
    status, headers, _ = await http(node, "DELETE / HTTP/1.1\r\nHost: t\r\n\r\n")
    assert (status, headers["allow"]) == (405, "get, head")


async def test_a_host_header_cannot_write_the_page(node: Node) -> None:
    _, _, body = await http(node, "GET / HTTP/1.1\r\nHost: <script>x</script>\r\n\r\n")
    assert b"<script>" not in body


@pytest.mark.parametrize(
    ("origin", "welcome"),
    [(None, True), ("http://127.0.0.1:{port}", True), ("http://evil.example", False)],
)
async def test_pages_of_other_hosts_may_not_connect(
    node: Node, origin: str | None, *, welcome: bool
) -> None:
    given = None if origin is None else origin.format(port=node.port)
    if welcome:
        async with dial(node, origin=given) as page:
            await created(page)
        return
    with pytest.raises(InvalidStatus) as refused:
        async with dial(node, origin=given):
            pass
    assert refused.value.response.status_code == 403


async def test_without_the_subprotocol_there_is_no_handshake(node: Node) -> None:
    for offered in (None, [Subprotocol("chess.v9")]):
        with pytest.raises(InvalidStatus) as refused:
            async with dial(node, subprotocols=offered):
                pass
        assert refused.value.response.status_code == 400


async def test_two_rooms_do_not_know_each_other(node: Node) -> None:
    async with dial(node) as one, dial(node) as two:
        first, second = await created(one), await created(two)
        assert first.room != second.room
        async with dial(node) as thief:
            await thief.send(encode(m.Resume(m.VERSION, second.room, first.token)))
            refused = await hear(thief)
            assert isinstance(refused, m.Refused)
            assert refused.code == Code.BAD_TOKEN
            assert await close_code(thief) == m.CLOSE_BAD_TOKEN


async def test_codes_are_read_in_either_case(node: Node) -> None:
    async with dial(node) as host, dial(node) as friend:
        room = (await created(host)).room
        await friend.send(encode(m.Join(m.VERSION, room.lower(), "Bob")))
        welcome = await hear(friend)
        assert isinstance(welcome, m.Welcome)
        assert (welcome.room, welcome.seat) == (room, 2)


@pytest.mark.parametrize("code", ["NOSUCH", "{X}:..", "0"])
async def test_a_code_that_opens_nothing(node: Node, code: str) -> None:
    async with dial(node) as peer:
        await peer.send(encode(m.Watch(m.VERSION, code)))
        refused = await hear(peer)
        assert isinstance(refused, m.Refused)
        assert refused.code in (Code.NO_SUCH_ROOM, Code.BAD_MESSAGE)
        assert await close_code(peer) in (m.CLOSE_ROOM_GONE, m.CLOSE_BAD_MESSAGE)


async def test_an_unknown_option_makes_no_room(node: Node) -> None:
    async with dial(node) as peer:
        await peer.send(
            encode(m.Create(m.VERSION, "Ann", os.urandom(16), options={"must_play": "K"}))
        )
        refused = await hear(peer)
        assert isinstance(refused, m.Refused)
        assert refused.code == Code.BAD_OPTION
        assert "reserved" in refused.text


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        (b"\xc1", m.CLOSE_BAD_MESSAGE),
        (b"", m.CLOSE_BAD_MESSAGE),
        ("text", m.CLOSE_BAD_MESSAGE),
        (msgpack.packb({"t": "pass", "n": 1}), m.CLOSE_BAD_MESSAGE),
        (msgpack.packb({"t": "lobby", "version": 99}), m.CLOSE_BAD_VERSION),
        (msgpack.packb([1] * 100), m.CLOSE_BAD_MESSAGE),
        (b"\xdf\xff\xff\xff\xff", m.CLOSE_BAD_MESSAGE),
        (b"\x91" * 2000, m.CLOSE_BAD_MESSAGE),
    ],
)
async def test_what_is_no_hello_ends_the_connection(
    node: Node, frame: bytes | str, code: int
) -> None:
    async with dial(node) as peer:
        await peer.send(frame)
        assert await close_code(peer) == code


async def test_too_large_a_frame_is_1009(node: Node) -> None:
    async with dial(node) as peer:
        await peer.send(bytes(5000))
        assert await close_code(peer) == 1009


async def test_silence_is_not_waited_for(node: Node, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "HELLO_MS", 50)
    async with dial(node) as peer:
        assert await close_code(peer) == m.CLOSE_SLOW


async def test_a_second_hello_ends_the_connection(node: Node) -> None:
    async with dial(node) as peer:
        await created(peer)
        await peer.send(encode(m.Lobby(m.VERSION)))
        assert await close_code(peer) == m.CLOSE_BAD_MESSAGE


async def test_bad_messages_are_answered_until_there_are_too_many(node: Node) -> None:
    async with dial(node) as peer:
        await created(peer)
        for _ in range(4):
            await peer.send(msgpack.packb({"t": "play", "n": 7, "cards": ["S1"]}))
            refused = await hear(peer)
            assert isinstance(refused, m.Refused)
            assert (refused.code, refused.ref) == (Code.BAD_MESSAGE, 7)
        await peer.send(msgpack.packb({"t": "pass", "n": 1, "seat": 2}))
        assert await close_code(peer) == m.CLOSE_BAD_MESSAGE


async def test_a_watcher_acts_in_vain(node: Node) -> None:
    async with dial(node) as host, dial(node) as eye:
        room = (await created(host)).room
        await eye.send(encode(m.Watch(m.VERSION, room)))
        welcome = await hear(eye)
        assert isinstance(welcome, m.Welcome)
        assert (welcome.private, welcome.token) == (None, b"")
        await eye.send(encode(m.Start(1)))
        refused = await hear(eye)
        assert isinstance(refused, m.Refused)
        assert refused.code == Code.NOT_SEATED


async def test_public_rooms_are_listed_and_private_ones_are_not(node: Node) -> None:
    async with dial(node) as open_, dial(node) as closed, dial(node) as asker:
        public = m.Settings(visibility=m.Visibility.PUBLIC)
        room = (await created(open_, settings=public)).room
        await created(closed)
        await asker.send(encode(m.Lobby(m.VERSION)))
        assert await hear(asker) == m.InLobby(m.VERSION, ("basic",))
        await asker.send(encode(m.ListRooms(5)))
        rooms = await hear(asker)
        assert isinstance(rooms, m.Rooms)
        assert [(line.room, line.people, line.names) for line in rooms.rooms] == [
            (room, 1, ("Ann",))
        ]
        await asker.send(encode(m.FetchRecord(6, room, 1)))
        refused = await hear(asker)
        assert isinstance(refused, m.Refused)
        assert (refused.ref, refused.code) == (6, Code.NO_SUCH_RECORD)


async def test_a_ping_is_answered_in_any_state(node: Node) -> None:
    async with dial(node) as host, dial(node) as eye, dial(node) as lobby:
        room = (await created(host)).room
        await eye.send(encode(m.Watch(m.VERSION, room)))
        await lobby.send(encode(m.Lobby(m.VERSION)))
        for peer in (host, eye, lobby):
            await peer.send(encode(m.Ping(9)))
            while not isinstance(answer := await hear(peer), m.Pong):
                pass
            assert answer == m.Pong(9)


async def test_a_phrase_is_heard_at_the_table(node: Node) -> None:
    async with dial(node) as host, dial(node) as eye, dial(node) as lobby:
        room = (await created(host)).room
        await eye.send(encode(m.Watch(m.VERSION, room)))
        assert isinstance(await hear(eye), m.Welcome)
        await host.send(encode(m.Say(7, m.Phrase.GOOD_LUCK)))
        for peer, number in ((host, 7), (eye, 0)):
            while not isinstance(said := await hear(peer), m.Said):
                pass
            assert (said.seat, said.phrase, said.id) == (1, "good_luck", number)
        await lobby.send(encode(m.Lobby(m.VERSION)))
        await hear(lobby)
        await lobby.send(encode(m.Say(8, m.Phrase.GOOD_LUCK)))
        refused = await hear(lobby)
        assert isinstance(refused, m.Refused)
        assert (refused.ref, refused.code) == (8, Code.NOT_SEATED)


async def test_hints_come_with_the_cards_that_are_of_use(node: Node) -> None:
    async with dial(node) as host:
        await created(host)
        await host.send(encode(m.Start(1)))
        while not isinstance(update := await hear(host), m.Update) or update.private is None:
            pass
        assert update.public.asked == (1,)
        await host.send(encode(m.AskHints(5)))
        while not isinstance(hints := await hear(host), m.Hints):
            pass
        assert hints.helpful == tuple(update.private.hand.faces())


async def test_a_reader_that_stalls_is_cut_and_nobody_waits_for_it(node: Node) -> None:
    async with dial(node) as host:
        room = (await created(host)).room
        with socket.socket() as raw:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            raw.connect(("127.0.0.1", node.port))
            stall(raw, room)
            counts: list[int] = []
            for n in range(1, 2000):
                await host.send(encode(m.SetPace(n, 300 if n % 2 else 500)))
                answer: m.ServerMessage | None = None
                while not isinstance(answer, m.Done):
                    answer = await hear(host)
                    if isinstance(answer, m.Update):
                        counts.append(answer.view.watchers)
                if 1 in counts and counts[-1] == 0:
                    break
            assert 1 in counts
            assert counts[-1] == 0


def stall(raw: socket.socket, room: str) -> None:
    """A WebSocket by hand that says hello to watch, and reads no more."""
    raw.sendall(
        b"GET /ws HTTP/1.1\r\nHost: t\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Protocol: guandan.v1\r\n\r\n"
    )
    hello = encode(m.Watch(m.VERSION, room))
    raw.sendall(bytes([0x82, 0x80 | len(hello)]) + bytes(4) + hello)
