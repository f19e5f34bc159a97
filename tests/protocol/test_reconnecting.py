"""The client with servers that break off, forget, move, refuse and lie."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from attrs import evolve
from websockets.exceptions import InvalidURI

from guandan_protocol import client as client_module
from guandan_protocol import messages as m
from guandan_protocol.client import Ended, Lost
from guandan_protocol.dialing import Backoff
from guandan_protocol.errors import BadMessage, SessionEnded
from tests.protocol import samples
from tests.protocol.client_scenes import (
    BACK,
    CREATE,
    JOIN,
    WELCOME,
    cut_again,
    cut_off,
    notice,
    rest,
    resumed,
    stays,
    stays_again,
    table,
    welcomed,
)
from tests.protocol.fake_server import WAIT_S, FakeServer, Peer, free_port, refusal

# Coming back


async def test_it_comes_back_at_once_and_resumes() -> None:
    patient = Backoff(base_ms=60_000, cap_ms=60_000)
    scenes = (cut_off, stays_again)
    async with FakeServer(*scenes) as server, table(server.url, backoff=patient) as client:
        await notice(client, m.Welcome)
        assert (await notice(client, Lost)).retry_ms == 0
        assert await notice(client, m.Welcome) == BACK


async def test_it_backs_off_from_a_server_that_keeps_breaking() -> None:
    backoff = Backoff(base_ms=2, cap_ms=8)
    scenes = (cut_off, cut_again, cut_again, cut_again, cut_again, stays_again)
    async with FakeServer(*scenes) as server, table(server.url, backoff=backoff) as client:
        waits = []
        for _ in scenes[1:]:
            await notice(client, m.Welcome)
            waits.append((await notice(client, Lost)).retry_ms)
        await notice(client, m.Welcome)
    assert waits[0] == 0
    assert [low <= wait <= 2 * low for wait, low in zip(waits[1:], (1, 2, 4, 4), strict=True)] == [
        True
    ] * 4


async def test_a_connection_that_held_starts_the_waits_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(client_module, "STEADY_S", 0.0)

    patient = Backoff(base_ms=60_000, cap_ms=60_000)
    scenes = (cut_off, cut_again, cut_again, stays_again)
    async with FakeServer(*scenes) as server, table(server.url, backoff=patient) as client:
        for _ in scenes[1:]:
            await notice(client, m.Welcome)
            assert (await notice(client, Lost)).retry_ms == 0
        await notice(client, m.Welcome)


async def test_it_waits_for_a_server_that_starts_late() -> None:
    port = free_port()
    async with table(f"ws://127.0.0.1:{port}/ws") as client:
        assert "Connect call failed" in (await notice(client, Lost)).why
        await notice(client, Lost)
        async with FakeServer(stays, port=port):
            async with asyncio.timeout(WAIT_S):
                while not isinstance(await anext(client), m.Welcome):
                    pass
            await client.close()


async def test_it_can_be_hurried() -> None:
    patient = Backoff(base_ms=3_600_000, cap_ms=3_600_000)
    port = free_port()
    async with table(f"ws://127.0.0.1:{port}/ws", backoff=patient) as client:
        assert (await notice(client, Lost)).retry_ms == 0
        assert (await notice(client, Lost)).retry_ms >= 1_800_000
        async with FakeServer(stays, port=port):
            client.hurry()
            await notice(client, m.Welcome)
            await client.close()


async def test_it_honours_when_the_server_will_be_back() -> None:
    async def scene(peer: Peer) -> None:
        await welcomed(peer)
        await peer.says(m.Goodbye(m.Code.GOING_AWAY, 5000))
        await peer.closes(m.CLOSE_GOING_AWAY)

    async with FakeServer(scene) as server, table(server.url) as client:
        await notice(client, m.Welcome)
        lost = await notice(client, Lost)
        assert lost.why == "going_away"
        assert 5000 <= lost.retry_ms <= 6000


async def test_it_honours_a_proxy_that_asks_to_wait() -> None:
    busy = refusal(429, Retry_After="7")
    async with FakeServer(http=[busy]) as server, table(server.url) as client:
        lost = await notice(client, Lost)
        assert 7000 <= lost.retry_ms <= 8400
        assert "429" in lost.why


async def test_a_server_that_says_nonsense_is_left_and_tried_again() -> None:
    def says(frame: bytes | str) -> Any:
        async def scene(peer: Peer) -> None:
            await welcomed(peer)
            await peer.says_raw(frame)
            assert await peer.stays() == 1002

        return scene

    async def nonsense_again(peer: Peer) -> None:
        await resumed(peer)
        await peer.says_raw("text")
        assert await peer.stays() == 1002

    async def lobby(peer: Peer) -> None:
        await peer.hears(m.Resume)
        await peer.says(m.InLobby(m.VERSION))
        assert await peer.stays() == 1002

    scenes = (says(b"\xc1"), nonsense_again, lobby, stays_again)
    async with FakeServer(*scenes) as server, table(server.url) as client:
        await notice(client, m.Welcome)
        assert "expected one msgpack map" in (await notice(client, Lost)).why
        await notice(client, m.Welcome)
        assert "a binary frame" in (await notice(client, Lost)).why
        assert "a welcome" in (await notice(client, Lost)).why
        await notice(client, m.Welcome)


# The answer to a hello is lost


@pytest.mark.parametrize("hello", [CREATE, evolve(JOIN, join_id=samples.CREATE_ID)])
async def test_a_lost_answer_to_the_hello_is_asked_for_again(hello: Any) -> None:
    async def lost(peer: Peer) -> None:
        assert await peer.hears(type(hello)) == hello
        peer.cuts()

    async def found(peer: Peer) -> None:
        assert await peer.hears(type(hello)) == hello
        await peer.says(WELCOME)
        await peer.stays()

    async with FakeServer(lost, lost, found) as server, table(server.url, hello) as client:
        for kind in (Lost, Lost, m.Welcome):
            await notice(client, kind)
        assert client.room == samples.ROOM


# The end


@pytest.mark.parametrize(
    ("close", "code"),
    [
        (m.CLOSE_BAD_TOKEN, m.Code.BAD_TOKEN),
        (m.CLOSE_ROOM_GONE, m.Code.ROOM_GONE),
        (m.CLOSE_REPLACED, m.Code.REPLACED),
        (m.CLOSE_BAD_VERSION, m.Code.BAD_VERSION),
        (m.CLOSE_LEFT, m.Code.LEFT),
    ],
)
@pytest.mark.parametrize("with_goodbye", [True, False])
async def test_some_closes_are_final(close: m.Close, code: m.Code, *, with_goodbye: bool) -> None:
    async def scene(peer: Peer) -> None:
        await welcomed(peer)
        if with_goodbye:
            await peer.says(m.Goodbye(code))
        await peer.closes(close)

    async with FakeServer(scene) as server, table(server.url) as client:
        await notice(client, m.Welcome)
        ended = await notice(client, Ended)
        assert (ended.code, ended.close_code) == (code, close)
        assert client.ended == ended
        assert await rest(client) == []
        with pytest.raises(SessionEnded) as caught:
            await client.act(m.Start(0))
        assert caught.value.code == code


@pytest.mark.parametrize(
    "close",
    [m.CLOSE_GOING_AWAY, m.CLOSE_SLOW, m.CLOSE_BAD_MESSAGE, m.CLOSE_MOVED, m.CLOSE_REFUSED, 1011],
)
async def test_other_closes_are_not(close: int) -> None:
    async def scene(peer: Peer) -> None:
        await welcomed(peer)
        await peer.closes(close)

    async with FakeServer(scene, stays_again) as server, table(server.url) as client:
        await notice(client, m.Welcome)
        assert str(int(close)) in (await notice(client, Lost)).why
        await notice(client, m.Welcome)


async def test_a_hello_that_is_refused_is_the_end() -> None:
    async def scene(peer: Peer) -> None:
        await peer.hears(m.Join)
        await peer.says(m.Refused(0, m.Code.FULL, "no seat is free"), m.Goodbye(m.Code.FULL))
        await peer.closes(m.CLOSE_REFUSED)

    async with FakeServer(scene) as server, table(server.url) as client:
        assert await rest(client) == [Ended(m.Code.FULL, "no seat is free", m.CLOSE_REFUSED)]


async def test_a_hello_that_is_refused_for_now_is_said_again() -> None:
    async def scene(peer: Peer) -> None:
        await peer.hears(m.Join)
        await peer.says(m.Refused(0, m.Code.BUSY, "too many rooms", 1), m.Goodbye(m.Code.BUSY, 1))
        await peer.closes(m.CLOSE_REFUSED)

    async with FakeServer(scene, stays) as server, table(server.url) as client:
        assert (await notice(client, Lost)).why == "busy: too many rooms"
        await notice(client, m.Welcome)


async def test_a_server_that_says_goodbye_and_does_not_go_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(client_module, "CLOSE_WAIT_S", 0.0)

    async def scene(peer: Peer) -> None:
        await welcomed(peer)
        await peer.says(m.Goodbye(m.Code.REPLACED))
        await peer.stays()

    async with FakeServer(scene) as server, table(server.url) as client:
        await notice(client, m.Welcome)
        assert (await notice(client, Ended)).code == m.Code.REPLACED


async def test_a_wrong_address_is_the_end() -> None:
    async with FakeServer(http=[refusal(404)]) as server, table(server.url) as client:
        (ended,) = await rest(client)
        assert isinstance(ended, Ended)
        assert ended.code == "http_404"


async def test_an_address_that_was_right_stays_so() -> None:
    http = [refusal(404)]
    async with FakeServer(cut_off, stays_again) as server, table(server.url) as client:
        await notice(client, m.Welcome)
        server.refuse_next(*http)
        await notice(client, Lost)
        assert "404" in (await notice(client, Lost)).why
        await notice(client, m.Welcome)


async def test_a_server_of_something_else_is_the_end() -> None:
    async def scene(peer: Peer) -> None:
        await peer.stays()

    async with FakeServer(scene, subprotocol=None) as server, table(server.url) as client:
        (ended,) = await rest(client)
        assert isinstance(ended, Ended)
        assert ended.code == m.Code.BAD_VERSION


def test_what_cannot_be_said_is_not_even_tried() -> None:
    with pytest.raises(InvalidURI):
        table("http://127.0.0.1/ws")
    with pytest.raises(BadMessage):
        table("ws://127.0.0.1/ws", evolve(JOIN, name="a" * 25))


async def test_closing_ends_the_iteration_and_everything_open() -> None:
    async with FakeServer(stays) as server, table(server.url) as client:
        await notice(client, m.Welcome)
        acting = asyncio.ensure_future(client.act(m.Start(0)))
        iterating = asyncio.ensure_future(rest(client))
        await asyncio.wait([acting], timeout=0)
        await client.close()
        assert await iterating == []
        with pytest.raises(SessionEnded):
            await acting
        with pytest.raises(SessionEnded):
            await client.ask(m.AskHints(0))


# Moved


async def test_it_goes_where_the_room_is() -> None:
    async with FakeServer(stays) as there:

        async def elsewhere(peer: Peer) -> None:
            await peer.hears(m.Join)
            await peer.says(m.Moved(there.url))
            await peer.closes(m.CLOSE_MOVED)

        async with FakeServer(elsewhere) as here, table(here.url) as client:
            await notice(client, m.Welcome)
            await client.close()


async def test_a_move_may_name_a_path_only() -> None:
    async def elsewhere(peer: Peer) -> None:
        await peer.hears(m.Join)
        await peer.says(m.Moved("/n/b/ws"))

    async with FakeServer(elsewhere, stays) as server, table(server.url) as client:
        await notice(client, m.Welcome)


async def test_a_room_moves_in_the_middle_of_a_match() -> None:
    async def moves(peer: Peer) -> None:
        await welcomed(peer)
        await peer.says(m.Moved("/n/b/ws"))

    async with FakeServer(moves, stays_again) as server, table(server.url) as client:
        for kind in (m.Welcome, Lost, m.Welcome):
            await notice(client, kind)


async def test_a_room_sent_in_circles_is_the_end() -> None:
    async def circle(peer: Peer) -> None:
        await peer.hears(m.Join)
        await peer.says(m.Moved("/ws"))

    async with FakeServer(*[circle] * 4) as server, table(server.url) as client:
        (ended,) = await rest(client)
        assert isinstance(ended, Ended)
        assert (ended.code, ended.close_code) == ("moved", m.CLOSE_MOVED)
    assert server.hellos == 4


async def test_where_it_was_sent_is_gone_so_it_asks_again() -> None:
    nowhere = f"ws://127.0.0.1:{free_port()}/ws"

    async def away(peer: Peer) -> None:
        await peer.hears(m.Join)
        await peer.says(m.Moved(nowhere))

    async with FakeServer(away, stays) as server, table(server.url) as client:
        assert "Connect call failed" in (await notice(client, Lost)).why
        await notice(client, m.Welcome)


async def test_where_it_began_is_gone_so_it_stays_where_it_was_sent() -> None:
    async with FakeServer(cut_off, stays_again) as there:

        async def away(peer: Peer) -> None:
            await peer.hears(m.Join)
            await peer.says(m.Moved(there.url))

        async with FakeServer(away) as here:
            client = table(here.url)
            client.start()
            await notice(client, m.Welcome)
        await notice(client, Lost)
        await notice(client, m.Welcome)
        await client.close()
