"""Frames that break the WebSocket protocol: the right close code each, and nobody else notices."""

from __future__ import annotations

import asyncio
import os
import struct
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import pytest

from guandan_protocol import messages as m
from guandan_protocol.bounds import FRAME_BYTES_MAX
from guandan_protocol.codec import encode
from guandan_server.config import Config
from guandan_server.node import Node, open_node
from tests.server.test_actor import AnyBrains
from tests.server.test_gate import WAIT_S, created, dial, hear

CONT, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
PROTOCOL, NO_CODE, DATA, TOO_BIG = 1002, 1005, 1007, 1009
HANDSHAKE: Final = (
    "GET /ws HTTP/1.1\r\nHost: t\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    f"Sec-WebSocket-Protocol: {m.SUBPROTOCOL}\r\n\r\n"
)


@pytest.fixture
async def node(tmp_path: Path) -> AsyncIterator[Node]:
    async with open_node(Config(port=0, data_dir=tmp_path), AnyBrains()) as node:
        yield node


def frame(
    opcode: int,
    payload: bytes = b"",
    *,
    fin: bool = True,
    rsv: int = 0,
    masked: bool = True,
    claims: int | None = None,
) -> bytes:
    """A frame as a client sends it, or otherwise; `claims`: another length than it has."""
    length = len(payload) if claims is None else claims
    mask = 0x80 if masked else 0
    head = bytes([(0x80 if fin else 0) | rsv << 4 | opcode])
    if length < 126:
        head += bytes([mask | length])
    elif length < 1 << 16:
        head += bytes([mask | 126]) + struct.pack("!H", length)
    else:
        head += bytes([mask | 127]) + struct.pack("!Q", length)
    key = b"\x37\xfa\x21\x3d"
    if not masked:
        return head + payload
    return head + key + bytes([byte ^ key[i % 4] for i, byte in enumerate(payload)])


def closing(code: int, reason: bytes = b"") -> bytes:
    return frame(CLOSE, struct.pack("!H", code) + reason)


MALFORMED: Final = {
    "first reserved bit": (frame(BINARY, b"x", rsv=4), PROTOCOL),
    "second reserved bit": (frame(BINARY, b"x", rsv=2), PROTOCOL),
    "third reserved bit": (frame(BINARY, b"x", rsv=1), PROTOCOL),
    **{f"opcode {one}": (frame(one, b"x"), PROTOCOL) for one in (3, 4, 5, 6, 7)},
    **{f"opcode {one}": (frame(one, b"x"), PROTOCOL) for one in (11, 12, 13, 14, 15)},
    "without a mask": (frame(BINARY, b"x", masked=False), PROTOCOL),
    "a ping without a mask": (frame(PING, b"x", masked=False), PROTOCOL),
    "a ping in pieces": (frame(PING, b"x", fin=False), PROTOCOL),
    "a pong in pieces": (frame(PONG, b"x", fin=False), PROTOCOL),
    "a close in pieces": (frame(CLOSE, b"\x03\xe8", fin=False), PROTOCOL),
    "a ping of 126 bytes": (frame(PING, bytes(126)), PROTOCOL),
    "a close of 126 bytes": (closing(1000, bytes(124)), PROTOCOL),
    "a continuation of nothing": (frame(CONT, b"x"), PROTOCOL),
    "a beginning within a message": (
        frame(BINARY, b"x", fin=False) + frame(BINARY, b"x"),
        PROTOCOL,
    ),
    "half a close code": (frame(CLOSE, b"\x03"), PROTOCOL),
    "close code 0": (closing(0), PROTOCOL),
    "close code 999": (closing(999), PROTOCOL),
    "close code 1005": (closing(1005), PROTOCOL),
    "close code 1006": (closing(1006), PROTOCOL),
    "close code 5000": (closing(5000), PROTOCOL),
    "a close reason that is no UTF-8": (closing(1000, b"\xff"), DATA),
    "text that is no UTF-8": (frame(TEXT, b"\xff\xfe"), DATA),
    "text with a surrogate": (frame(TEXT, b"\xed\xa0\x80"), DATA),
    "text with an overlong sign": (frame(TEXT, b"\xc0\xaf"), DATA),
    "text that ends within a sign": (
        frame(TEXT, b"\xe6\x8e", fin=False) + frame(CONT, b""),
        DATA,
    ),
    "one byte too many": (frame(BINARY, bytes(FRAME_BYTES_MAX + 1)), TOO_BIG),
    "pieces that add up": (
        frame(BINARY, bytes(FRAME_BYTES_MAX), fin=False) + frame(CONT, b"x"),
        TOO_BIG,
    ),
    "many pieces that add up": (
        frame(BINARY, bytes(64), fin=False) + frame(CONT, bytes(64), fin=False) * 64,
        TOO_BIG,
    ),
    "a claim of a megabyte": (frame(BINARY, b"x", claims=1 << 20), TOO_BIG),
    "a claim of all the memory there is": (frame(BINARY, b"x", claims=1 << 62), TOO_BIG),
    "a length below zero": (frame(BINARY, b"x", claims=(1 << 64) - 1), TOO_BIG),
}


async def close_code(reader: asyncio.StreamReader) -> int | str:
    """The code that the server closes with, whatever it says before."""
    async with asyncio.timeout(WAIT_S):
        while True:
            try:
                first, second = await reader.readexactly(2)
                length = second & 0x7F
                if length == 126:
                    (length,) = struct.unpack("!H", await reader.readexactly(2))
                payload = await reader.readexactly(length)
            except (asyncio.IncompleteReadError, ConnectionError):
                return "cut off without a word"
            if first & 0x0F == CLOSE:
                return int.from_bytes(payload[:2], "big") or NO_CODE


async def answered(node: Node, sent: bytes) -> int | str:
    """How a connection ends that sends some bytes behind its handshake."""
    reader, writer = await asyncio.open_connection("127.0.0.1", node.port)
    try:
        writer.write(HANDSHAKE.encode())
        async with asyncio.timeout(WAIT_S):
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101 ")
        writer.write(sent)
        return await close_code(reader)
    finally:
        writer.transport.abort()


@pytest.mark.parametrize("is_in", [False, True])
async def test_each_gets_its_close_code(node: Node, *, is_in: bool) -> None:
    """As the first thing said, and at a table."""
    hello = frame(BINARY, encode(m.Create(m.VERSION, "Ann", os.urandom(16)))) if is_in else b""
    assert len(MALFORMED) >= 26
    codes = {what: await answered(node, hello + bad) for what, (bad, _) in MALFORMED.items()}
    assert codes == {what: code for what, (_, code) in MALFORMED.items()}
    async with dial(node) as host:
        await created(host)


async def test_what_is_only_unusual_is_taken(node: Node) -> None:
    """Pieces, pings among them, lengths written at length, a close without a code."""
    hello = encode(m.Lobby(m.VERSION))
    whole = frame(BINARY, hello[:3], fin=False) + frame(PING, b"?") + frame(CONT, hello[3:])
    assert await answered(node, whole + frame(CLOSE)) == NO_CODE
    long = bytes([0x82, 0xFF]) + struct.pack("!Q", len(hello)) + bytes(4) + hello
    assert await answered(node, long + closing(4321, "再见".encode())) == 4321


def resident_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads /proc")
async def test_megabytes_that_are_refused_take_no_memory_and_nobody_notices(node: Node) -> None:
    async with dial(node) as host:
        await created(host)
        n = 0

        async def heard() -> None:
            nonlocal n
            n += 1
            await host.send(encode(m.SetPace(n, 300 if n % 2 else 500)))
            while not isinstance(await hear(host), m.Done):
                pass

        megabyte = frame(BINARY, bytes(1 << 20))
        pieces = frame(BINARY, bytes(1024), fin=False) + frame(CONT, bytes(1024), fin=False) * 1024
        assert await answered(node, megabyte) == TOO_BIG
        before = resident_bytes()
        for sent in (megabyte, pieces) * 10:
            assert await answered(node, sent) in (TOO_BIG, "cut off without a word")
            await heard()
        assert resident_bytes() - before < 2 << 20  # of twenty; an allocator keeps one or two
