"""Questions without a room."""

from __future__ import annotations

from typing import Any

import pytest

from guandan_protocol import lobby
from guandan_protocol import messages as m
from guandan_protocol.errors import BadMessage, QueryRefused, Unreachable
from guandan_protocol.lobby import fetch_record, list_rooms
from tests.protocol import samples
from tests.protocol.fake_server import FakeServer, Peer, free_port, refusal

LINES = next(one.rooms for one in samples.SERVER if isinstance(one, m.Rooms))


async def let_in(peer: Peer) -> None:
    assert await peer.hears(m.Lobby) == m.Lobby(m.VERSION)
    await peer.says(m.InLobby(m.VERSION))


async def test_rooms_are_listed() -> None:
    async def scene(peer: Peer) -> None:
        await let_in(peer)
        query = await peer.hears(m.ListRooms)
        await peer.says(m.Rooms(query.id, LINES))
        assert await peer.stays() == 1000

    async with FakeServer(scene) as server:
        assert await list_rooms(server.url) == LINES


async def test_a_record_is_put_together_from_its_pages() -> None:
    parts = ["guandan-record 1\n", "preset site\n", "end\n"]

    async def scene(peer: Peer) -> None:
        await let_in(peer)
        for page, part in enumerate(parts):
            query = await peer.hears(m.FetchRecord)
            assert (query.room, query.match, query.page) == (samples.ROOM, 2, page)
            await peer.says(m.RecordPage(query.id, 2, page, len(parts), part))
        assert await peer.stays() == 1000

    async with FakeServer(scene) as server:
        assert await fetch_record(server.url, samples.ROOM, 2) == "".join(parts)


async def test_a_refusal_is_handed_on() -> None:
    refused = m.Refused(1, m.Code.NO_SUCH_RECORD, "no finished match of that number")

    async def scene(peer: Peer) -> None:
        await let_in(peer)
        await peer.hears(m.FetchRecord)
        await peer.says(refused)

    async with FakeServer(scene) as server:
        with pytest.raises(QueryRefused) as caught:
            await fetch_record(server.url, samples.ROOM, 9)
        assert caught.value.refused == refused


async def test_a_closed_door_says_why() -> None:
    async def scene(peer: Peer) -> None:
        await peer.hears(m.Lobby)
        await peer.says(m.Goodbye(m.Code.GOING_AWAY, 1500))

    async with FakeServer(scene) as server:
        with pytest.raises(QueryRefused) as caught:
            await list_rooms(server.url)
        assert caught.value.refused.code == m.Code.GOING_AWAY


def sends(frame: bytes | str) -> Any:
    async def scene(peer: Peer) -> None:
        await peer.hears(m.Lobby)
        await peer.says_raw(frame)

    return scene


async def silent(peer: Peer) -> None:
    await let_in(peer)
    await peer.stays()


async def unasked(peer: Peer) -> None:
    await let_in(peer)
    await peer.hears(m.ListRooms)
    await peer.says(m.Done(1, 1))


async def goes(peer: Peer) -> None:
    await peer.hears(m.Lobby)
    peer.cuts()


UNANSWERED = {
    "nonsense": sends(b"\xc1"),
    "text": sends("text"),
    "silence": silent,
    "something else": unasked,
    "gone": goes,
}


@pytest.mark.parametrize("scene", UNANSWERED.values(), ids=UNANSWERED)
async def test_a_server_that_does_not_answer(scene: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    if scene is silent:
        monkeypatch.setattr(lobby, "ANSWER_WAIT_S", 0.05)
    async with FakeServer(scene) as server:
        with pytest.raises(Unreachable):
            await list_rooms(server.url)


async def test_nobody_there() -> None:
    with pytest.raises(Unreachable, match="Connect call failed"):
        await list_rooms(f"ws://127.0.0.1:{free_port()}/ws")
    with pytest.raises(Unreachable):
        await list_rooms("http://127.0.0.1/ws")
    async with FakeServer(http=[refusal(404)]) as server:
        with pytest.raises(Unreachable, match="404"):
            await list_rooms(server.url)


async def test_a_server_of_something_else() -> None:
    async def scene(peer: Peer) -> None:
        await peer.stays()

    async with FakeServer(scene, subprotocol=None) as server:
        with pytest.raises(Unreachable, match="guandan"):
            await list_rooms(server.url)


async def test_a_room_that_cannot_be_is_not_asked_for() -> None:
    async with FakeServer() as server:
        with pytest.raises(BadMessage):
            await fetch_record(server.url, "a" * 99, 1)
        assert server.hellos == 0
