"""The shipped nginx configuration, in a real nginx: people play through it, and nodes die."""

from __future__ import annotations

import asyncio
import contextlib
import re
import signal
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from guandan_engine.views import PhaseName
from guandan_protocol import messages as m
from guandan_protocol.client import TableClient
from guandan_protocol.dialing import dial
from guandan_protocol.messages import Settings
from tests.deploy.behind import Tables, tables
from tests.deploy.fronts import Front, replaced, running, self_signed
from tests.deploy.shipped import DOCS
from tests.e2e.players import Party, party
from tests.e2e.serving import free_port, serving

PLAYABLE_S = 8
"""What is promised; used as a time-out of waits only."""


async def get(front: Front, path: str, *headers: str, tls: bool = False) -> str:
    """What the front answers, its head included."""
    port = front.tls_port if tls else front.plain_port
    host = front.place if tls else f"127.0.0.1:{port}"
    async with asyncio.timeout(PLAYABLE_S):
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", port, ssl=tls or None, server_hostname="localhost" if tls else None
        )
        lines = [f"GET {path} HTTP/1.1", f"Host: {host}", "Connection: close", *headers, "", ""]
        writer.write("\r\n".join(lines).encode())
        answer = await reader.read(65536)
        writer.close()
    return answer.decode()


async def mid_trick(table: Party) -> None:
    for person in table.people:
        await person.do(m.Ready(0))

    def there(client: TableClient) -> bool:
        assert client.public is not None
        played = sum(len(cards) for cards in client.public.played)
        return client.public.phase is PhaseName.FOLLOWING and played > 8

    await table.play(until=there)


async def owner_ends(behind: Tables, table: Party, how: signal.Signals) -> None:
    """The owner goes, and all four are at the same hand within the promised time."""
    await mid_trick(table)
    room = table.host.client.room
    owner = await behind.owner(room)
    before = [(p.client.seq, p.client.public, p.client.private) for p in table.people]
    welcomes = [person.welcomes for person in table.people]
    process = behind.nodes[owner].process
    process.send_signal(how)
    async with asyncio.timeout(PLAYABLE_S):
        for person, count in zip(table.people, welcomes, strict=True):
            await person.until(lambda: person.welcomes > count)  # noqa: B023  awaited at once
    assert [(p.client.seq, p.client.public, p.client.private) for p in table.people] == before
    assert await process.wait() == (0 if how is signal.SIGTERM else -signal.SIGKILL)
    assert await behind.owner(room) != owner
    await table.play(until=lambda client: client.seq > before[0][0] + 20)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
async def test_the_owner_ends_behind_nginx_and_they_play_on(
    tmp_path: Path, how: signal.Signals
) -> None:
    async with (
        tables(tmp_path) as behind,
        party(behind.front.url, settings=Settings(clock_s=60, grace_s=600)) as table,
    ):
        await owner_ends(behind, table, how)
        view = table.host.client.view
        assert view is not None
        assert view.clock_ms is not None
        assert view.clock_ms > 40_000  # no clock was charged for it


async def test_the_same_with_tls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    certificate, key = await self_signed(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    async with (
        tables(tmp_path, certificate=(certificate, key)) as behind,
        party(behind.front.url, settings=Settings(grace_s=600)) as table,
    ):
        plain = await get(behind.front, "/r/K7QM2X")
        assert plain.startswith("HTTP/1.1 301 ")
        assert f"\r\nLocation: https://{behind.front.place}/r/K7QM2X\r\n" in plain
        await owner_ends(behind, table, signal.SIGKILL)


async def test_files_are_found_while_nodes_of_two_builds_stand_side_by_side(tmp_path: Path) -> None:
    async with (
        serving(tmp_path / "a" / "data") as one,
        serving(tmp_path / "b" / "data", GUANDAN_WEB_DEV="1") as other,
        running(Front(tmp_path / "nginx", (one.port, other.port))) as front,
    ):
        builds = {(await get(front, "/build")).rpartition("\n")[2] for _ in range(20)}
        assert len(builds) == 2
        for build in sorted(builds) * 8:  # whichever node is asked first
            answer = await get(front, f"/a/{build}/main.js")
            assert answer.startswith("HTTP/1.1 200 "), build
        assert (await get(front, "/a/0123456789ab/main.js")).startswith("HTTP/1.1 404 ")


async def test_each_way_leads_where_it_says(tmp_path: Path) -> None:
    async with tables(tmp_path) as behind:
        front = behind.front
        assert (await get(front, "/")).startswith("HTTP/1.1 200 ")
        assert (await get(front, "/r/K7QM2X")).startswith("HTTP/1.1 200 ")
        assert (await get(front, "/healthz")).endswith("\r\n\r\nok\n")
        assert (await get(front, "/readyz")).endswith("\r\n\r\nready\n")
        assert (await get(front, "/metrics")).startswith("HTTP/1.1 404 ")
        for url in (front.url, front.url_of("a"), front.url_of("b")):
            await (await dial(url)).close()
        # One node gone: its own way says so in a manner that passes, all others lead to the other.
        behind.nodes["a"].process.kill()
        await behind.nodes["a"].process.wait()
        for node in ("a", "no-such-node"):
            with pytest.raises(InvalidStatus) as gone:
                await dial(front.url_of(node))
            assert gone.value.response.status_code == 502
        for _ in range(8):
            await (await dial(front.url)).close()
        await (await dial(front.url_of("b"))).close()


async def test_a_page_of_the_front_itself_may_connect_and_no_other(tmp_path: Path) -> None:
    upgrade = (
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Protocol: guandan.v1",
    )
    async with tables(tmp_path) as behind:
        front = behind.front
        refused = await get(front, "/ws", *upgrade, "Origin: http://elsewhere.example")
        assert refused.startswith("HTTP/1.1 403 ")
        ours = f"Origin: http://{front.place}"
        async with asyncio.timeout(PLAYABLE_S):
            reader, writer = await asyncio.open_connection("127.0.0.1", front.plain_port)
            lines = ["GET /ws HTTP/1.1", f"Host: {front.place}", *upgrade, ours, "", ""]
            writer.write("\r\n".join(lines).encode())
            assert (await reader.readline()).startswith(b"HTTP/1.1 101 ")
            writer.close()


class Listener:
    """A node that only writes down what is asked of it."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError, OSError):
            self.asked.append((await reader.readuntil(b"\r\n\r\n")).decode())
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            await writer.drain()
        writer.close()


@contextlib.asynccontextmanager
async def listeners(path: Path) -> AsyncIterator[tuple[Front, Listener, Listener]]:
    one, two = Listener(), Listener()
    front = Front(path / "nginx", (free_port(), free_port()))
    async with contextlib.AsyncExitStack() as stack:
        for listener, port in zip((one, two), front.node_ports, strict=True):
            server = await asyncio.start_server(listener.answer, "127.0.0.1", port)
            await stack.enter_async_context(server)
        await stack.enter_async_context(running(front))
        yield front, one, two


async def test_a_node_hears_who_asks_and_for_what(tmp_path: Path) -> None:
    async with listeners(tmp_path) as (front, one, two):
        # What a client says of its own address stays in front of what nginx knows of it.
        await get(front, "/n/b/ws", "Upgrade: websocket", "X-Forwarded-For: 203.0.113.9")
        (heard,) = two.asked
        assert one.asked == []
        head, *lines = heard.splitlines()
        headers = dict(line.split(": ", 1) for line in lines if line)
        assert head == "GET /n/b/ws HTTP/1.1"
        assert headers["Host"] == f"127.0.0.1:{front.plain_port}"
        assert headers["X-Forwarded-For"] == "203.0.113.9, 127.0.0.1"
        assert headers["X-Forwarded-Proto"] == "http"
        assert (headers["Upgrade"], headers["Connection"]) == ("websocket", "upgrade")


async def test_a_room_that_is_named_keeps_its_node_and_the_others_are_spread(
    tmp_path: Path,
) -> None:
    async with listeners(tmp_path) as (front, one, two):
        for room in ("K7QM2X", "AAAAAA", "BBBBBB", "CCCCCC", "DDDDDD", "EEEEEE"):
            for path in (f"/ws?room={room}", f"/r/{room}", f"/ws?room={room}"):
                await get(front, path)
        asked_by = Counter[str]()
        for listener in (one, two):
            asked_by.update(
                {ask.split()[1].split("/")[-1].split("=")[-1] for ask in listener.asked}
            )
        assert set(asked_by.values()) == {1}  # each room at one node, whichever way it was named
        one.asked.clear()
        two.asked.clear()
        for _ in range(40):
            await get(front, "/ws")
        assert len(one.asked) > 5 < len(two.asked)


async def test_the_snippet_of_the_documentation_is_enough(tmp_path: Path) -> None:
    text = (DOCS / "play-with-friends.md").read_text(encoding="utf-8")
    (snippet,) = re.findall(r"```nginx\n(.*?)```", text, flags=re.DOTALL)
    async with serving(tmp_path / "data") as served:
        front = Front(tmp_path / "nginx", (served.port, served.port))
        here = {
            "listen 443 ssl;": f"listen 127.0.0.1:{front.plain_port};",
            "http://127.0.0.1:8765;": f"http://127.0.0.1:{served.port};",
        }
        async with (
            running(front, replaced(snippet, here)),
            party(front.url, settings=Settings(grace_s=600)) as table,
        ):
            await mid_trick(table)
            assert (await get(front, "/r/K7QM2X")).startswith("HTTP/1.1 200 ")
