"""Handshakes that are none: the right HTTP status each, and in time."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import pytest

from guandan_protocol import messages as m
from guandan_server import node as node_module
from guandan_server.config import Config
from guandan_server.node import Node, open_node
from tests.server.test_actor import AnyBrains
from tests.server.test_gate import WAIT_S, created, dial

GOOD: Final = {
    "Host": "t",
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Protocol": m.SUBPROTOCOL,
}


CUT: Final = None
"""No answer, the connection is closed."""


@pytest.fixture
async def node(tmp_path: Path) -> AsyncIterator[Node]:
    async with open_node(Config(port=0, data_dir=tmp_path), AnyBrains()) as node:
        yield node


def request(line: str = "GET /ws HTTP/1.1", body: str = "", **changes: str | None) -> bytes:
    """A handshake; None leaves a header out, underscores stand for dashes."""
    headers: dict[str, str | None] = {**GOOD}
    headers |= {name.replace("_", "-"): value for name, value in changes.items()}
    lines = [f"{name}: {value}" for name, value in headers.items() if value is not None]
    return "\r\n".join([line, *lines, "", body]).encode()


CASES: Final = {
    "as it should be": (request(), 101),
    "no upgrade": (request(Upgrade=None), 426),
    "an upgrade to something else": (request(Upgrade="h2c"), 426),
    "no connection header": (request(Connection=None), 426),
    "a connection that stays as it is": (request(Connection="keep-alive"), 426),
    "no key": (request(Sec_WebSocket_Key=None), 400),
    "a key that is no base64": (request(Sec_WebSocket_Key="?" * 24), 400),
    "a key that is too short": (request(Sec_WebSocket_Key="c2hvcnQ="), 400),
    "two keys": (request(Sec_WebSocket_Key="a\r\nSec-WebSocket-Key: b"), 400),
    "no version": (request(Sec_WebSocket_Version=None), 400),
    "an old version": (request(Sec_WebSocket_Version="8"), 400),
    "no subprotocol": (request(Sec_WebSocket_Protocol=None), 400),
    "another subprotocol": (request(Sec_WebSocket_Protocol="chess.v9"), 400),
    "a foreign origin": (request(Origin="https://evil.example"), 403),
    "no such path": (request("GET /nothing HTTP/1.1"), 404),
    "another method": (request("PUT /ws HTTP/1.1"), 405),
    "HTTP 1.0": (request("GET /ws HTTP/1.0"), 505),
    "a line without an end": (b"GET /" + b"a" * 10_000, 414),
    "a header without an end": (request(Cookie="a" * 10_000), 431),
    "headers without an end": (request(**{f"X_{n}": "y" for n in range(200)}), 431),
    # What cannot be read as a request gets no answer that it might not be able to read either.
    "no HTTP at all": (b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", CUT),
    "a body": (request(body="x" * 10, Content_Length="10"), CUT),
    "a body in pieces": (request(Transfer_Encoding="chunked"), CUT),
}


async def status_of(node: Node, sent: bytes) -> int | None:
    """What is answered; None if the connection is only cut."""
    reader, writer = await asyncio.open_connection("127.0.0.1", node.port)
    try:
        writer.write(sent)
        async with asyncio.timeout(WAIT_S):
            line = await reader.readline()
    except ConnectionError:
        return None
    else:
        return int(line.split()[1]) if line else None
    finally:
        writer.transport.abort()


async def test_each_gets_its_status(node: Node) -> None:
    found = {what: await status_of(node, sent) for what, (sent, _) in CASES.items()}
    assert found == {what: status for what, (_, status) in CASES.items()}
    async with dial(node) as host:
        await created(host)


async def test_a_handshake_byte_by_byte_is_cut_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node_module, "HANDSHAKE_S", 0.3)
    async with open_node(Config(port=0, data_dir=tmp_path), AnyBrains()) as node:
        reader, writer = await asyncio.open_connection("127.0.0.1", node.port)

        async def drip() -> None:
            for byte in request():
                writer.write(bytes([byte]))
                await asyncio.sleep(0.02)  # the whole of it takes some five seconds

        dripping = asyncio.create_task(drip())
        try:
            async with dial(node) as host:
                await created(host)
            async with asyncio.timeout(WAIT_S):
                with contextlib.suppress(ConnectionError):
                    assert not (await reader.read()).startswith(b"HTTP/1.1 101 ")
            assert not dripping.done()
        finally:
            dripping.cancel()
            writer.transport.abort()
