"""The client against servers that behave, break off, forget, move and lie."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any, TypeVar

import pytest
from attrs import evolve
from websockets.exceptions import InvalidURI

from guandan_engine.seats import Seat
from guandan_engine.views import SeatView
from guandan_protocol import client as client_module
from guandan_protocol import messages as m
from guandan_protocol.bounds import EVENTS_MAX
from guandan_protocol.client import Ended, Lost, Notice, TableClient
from guandan_protocol.codec import encode
from guandan_protocol.dialing import Backoff
from guandan_protocol.errors import BadMessage, SessionEnded
from tests.protocol import samples
from tests.protocol.fake_server import WAIT_S, FakeServer, Peer, free_port, refusal

T = TypeVar("T", bound=Notice)

AT_ONCE = Backoff(base_ms=0, cap_ms=0)
JOIN = m.Join(m.VERSION, samples.ROOM, "Ann")
CREATE = m.Create(m.VERSION, "Ann", samples.CREATE_ID)
WATCH = m.Watch(m.VERSION, samples.ROOM)
WELCOME = samples.WELCOME
BACK = evolve(WELCOME, token=b"")
WATCHING = evolve(WELCOME, seat=None, token=b"", private=None)


def table(url: str, hello: Any = JOIN, backoff: Backoff = AT_ONCE) -> TableClient:
    return TableClient(url, hello, backoff=backoff, random=Random(1))


async def notice(client: TableClient, kind: type[T]) -> T:
    """The next notice, which must be of that class."""
    async with asyncio.timeout(WAIT_S):
        told = await anext(client)
    assert isinstance(told, kind), told
    return told


async def rest(client: TableClient) -> list[Notice]:
    async with asyncio.timeout(WAIT_S):
        return [told async for told in client]


async def welcomed(peer: Peer) -> None:
    await peer.hears(m.Join)
    await peer.says(WELCOME)


async def resumed(peer: Peer, welcome: m.Welcome = BACK) -> None:
    hello = await peer.hears(m.Resume)
    assert (hello.room, hello.token) == (samples.ROOM, samples.TOKEN)
    await peer.says(welcome)


async def stays(peer: Peer) -> None:
    await welcomed(peer)
    await peer.stays()


async def cut_off(peer: Peer) -> None:
    await welcomed(peer)
    peer.cuts()


async def stays_again(peer: Peer) -> None:
    await resumed(peer)
    await peer.stays()


# What it knows


async def test_it_tells_what_the_server_says() -> None:
    async def scene(peer: Peer) -> None:
        await welcomed(peer)
        await peer.says(samples.UPDATE, evolve(samples.UPDATE, seq=9, finished=samples.SUMMARY))
        await peer.stays()

    async with FakeServer(scene) as server, table(server.url) as client:
        assert (client.room, client.seat, client.seat_view()) == (samples.ROOM, None, None)
        assert await notice(client, m.Welcome) == WELCOME
        assert await notice(client, m.Update) == samples.UPDATE
        await notice(client, m.Update)
        assert client.is_live
        assert client.seat == samples.ME
        assert client.token == samples.TOKEN
        assert (client.seq, client.epoch) == (9, 1)
        assert client.record == (samples.SUMMARY,)
        assert client.view == samples.UPDATE.view
        assert client.public is not None
        assert client.private is not None
        assert client.seat_view() == SeatView(samples.ME, client.public, client.private)
    assert not client.is_live


async def test_the_record_of_a_welcome_replaces_what_was_collected() -> None:
    async def first(peer: Peer) -> None:
        await welcomed(peer)
        await peer.says(evolve(samples.UPDATE, finished=samples.SUMMARY))
        peer.cuts()

    async def second(peer: Peer) -> None:
        await resumed(peer, evolve(BACK, record=(samples.SUMMARY,) * 3, epoch=2))
        await peer.stays()

    async with FakeServer(first, second) as server, table(server.url) as client:
        for kind in (m.Welcome, m.Update, Lost, m.Welcome):
            await notice(client, kind)
        assert client.record == (samples.SUMMARY,) * 3
        assert client.epoch == 2


async def test_the_seat_follows_its_person() -> None:
    async def scene(peer: Peer) -> None:
        await welcomed(peer)
        await peer.says(evolve(samples.UPDATE, seat=Seat(4)))
        await peer.stays()

    async with FakeServer(scene) as server, table(server.url) as client:
        await notice(client, m.Welcome)
        await notice(client, m.Update)
        assert client.seat == 4


async def test_a_watcher_watches_again() -> None:
    async def watched(peer: Peer) -> None:
        assert await peer.hears(m.Watch) == WATCH
        await peer.says(WATCHING)

    async def for_good(peer: Peer) -> None:
        await watched(peer)
        await peer.stays()

    async with FakeServer(watched, for_good) as server, table(server.url, WATCH) as client:
        for kind in (m.Welcome, Lost, m.Welcome):
            await notice(client, kind)
        assert client.seat_view() is None
        assert client.token == b""


async def test_a_seat_is_resumed_with_its_token() -> None:
    async with FakeServer(stays_again) as server:
        hello = m.Resume(m.VERSION, samples.ROOM, samples.TOKEN)
        async with table(server.url, hello) as client:
            await notice(client, m.Welcome)
            assert client.token == samples.TOKEN


# Coming back


async def test_it_comes_back_at_once_and_resumes() -> None:
    patient = Backoff(base_ms=60_000, cap_ms=60_000)
    scenes = (cut_off, stays_again)
    async with FakeServer(*scenes) as server, table(server.url, backoff=patient) as client:
        await notice(client, m.Welcome)
        assert (await notice(client, Lost)).retry_ms == 0
        assert await notice(client, m.Welcome) == BACK


async def test_it_backs_off_from_a_server_that_keeps_breaking() -> None:
    async def cut_again(peer: Peer) -> None:
        await resumed(peer)
        peer.cuts()

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

    async def cut_again(peer: Peer) -> None:
        await resumed(peer)
        peer.cuts()

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


# Acting


async def test_an_action_gets_the_next_counter_and_its_answer() -> None:
    async def scene(peer: Peer) -> None:
        await peer.hears(m.Join)
        await peer.says(evolve(WELCOME, counter=41))
        assert await peer.hears(m.Start) == m.Start(42)
        await peer.says(m.Done(42, seq=7))
        assert await peer.hears(m.Pass) == m.Pass(43, turn=5)
        await peer.says(m.Refused(43, "not_your_turn", "wait"))
        # A refused action is nowhere: its counter is free.
        assert await peer.hears(m.Leave) == m.Leave(43)
        await peer.says(m.Done(43, seq=8))
        await peer.stays()

    async with FakeServer(scene) as server, table(server.url) as client:
        assert await client.act(m.Start(0)) == m.Done(42, 7)
        assert await client.act(m.Pass(0, turn=5)) == m.Refused(43, "not_your_turn", "wait")
        assert await client.act(m.Leave(n=999)) == m.Done(43, 8)


async def test_an_action_without_an_answer_is_sent_again_as_it_was() -> None:
    frames = []

    async def breaks(peer: Peer) -> None:
        await welcomed(peer)
        frames.append(await peer.hears_frame())
        peer.cuts()

    async def answers(peer: Peer) -> None:
        await resumed(peer)
        frames.append(await peer.hears_frame())
        await peer.says(m.Done(1, seq=3))
        await peer.stays()

    async with FakeServer(breaks, answers) as server, table(server.url) as client:
        action = m.Play(0, samples.MY_PLAY.cards, None, turn=2)
        assert await client.act(action) == m.Done(1, 3)
    assert frames == [encode(evolve(action, n=1))] * 2


async def test_an_action_that_was_stored_is_not_sent_again() -> None:
    async def breaks(peer: Peer) -> None:
        await welcomed(peer)
        await peer.hears(m.Start)
        peer.cuts()

    async def knows(peer: Peer) -> None:
        await resumed(peer, evolve(BACK, counter=1, seq=12))
        # The next thing heard is the next action, under the next counter.
        assert await peer.hears(m.Leave) == m.Leave(2)
        await peer.says(m.Done(2, 13))
        await peer.stays()

    async with FakeServer(breaks, knows) as server, table(server.url) as client:
        assert await client.act(m.Start(0)) == m.Done(1, 12)
        assert await client.act(m.Leave(0)) == m.Done(2, 13)


async def test_actions_wait_for_each_other_and_for_a_connection() -> None:
    port = free_port()

    async def scene(peer: Peer) -> None:
        await welcomed(peer)
        for n in (1, 2, 3):
            assert await peer.hears(m.AddBot) == m.AddBot(n, Seat(n + 1), "basic")
            await peer.says(m.Done(n, n))
        await peer.stays()

    async with table(f"ws://127.0.0.1:{port}/ws") as client:
        await notice(client, Lost)
        acts = [client.act(m.AddBot(0, Seat(n + 1), "basic")) for n in (1, 2, 3)]
        together = asyncio.gather(*acts)
        async with FakeServer(scene, port=port):
            async with asyncio.timeout(WAIT_S):
                assert await together == [m.Done(n, n) for n in (1, 2, 3)]
            await client.close()


async def test_an_action_given_up_keeps_its_counter_until_it_is_answered() -> None:
    heard, given_up = asyncio.Event(), asyncio.Event()

    async def scene(peer: Peer) -> None:
        await welcomed(peer)
        assert await peer.hears(m.Start) == m.Start(1)
        heard.set()
        await given_up.wait()
        await peer.says(m.Done(1, 1))
        assert await peer.hears(m.Leave) == m.Leave(2)
        await peer.says(m.Done(2, 2))
        await peer.stays()

    async with FakeServer(scene) as server, table(server.url) as client:
        starting = asyncio.ensure_future(client.act(m.Start(0)))
        await heard.wait()
        starting.cancel()
        given_up.set()
        assert await client.act(m.Leave(0)) == m.Done(2, 2)
        assert starting.cancelled()


async def test_a_bad_action_is_refused_here() -> None:
    async with FakeServer(stays) as server, table(server.url) as client:
        await notice(client, m.Welcome)
        with pytest.raises(BadMessage) as caught:
            await client.act(m.SetPace(0, pace_ms=700))
        assert caught.value.path == "pace_ms"
        with pytest.raises(BadMessage):
            await client.ask(m.FetchRecord(0, "a" * 17, 1))


async def test_leaving_is_answered_and_then_the_end() -> None:
    async def scene(peer: Peer) -> None:
        await welcomed(peer)
        await peer.hears(m.Leave)
        await peer.says(m.Done(1, 4), m.Goodbye(m.Code.LEFT))
        await peer.closes(m.CLOSE_LEFT)

    async with FakeServer(scene) as server, table(server.url) as client:
        assert await client.act(m.Leave(0)) == m.Done(1, 4)
        told = await rest(client)
        assert isinstance(told[-1], Ended)
        assert told[-1].code == m.Code.LEFT


async def test_an_action_that_will_never_be_answered_says_so() -> None:
    async def scene(peer: Peer) -> None:
        await welcomed(peer)
        await peer.hears(m.Start)
        await peer.closes(m.CLOSE_REPLACED)

    async with FakeServer(scene) as server, table(server.url) as client:
        with pytest.raises(SessionEnded) as caught:
            await client.act(m.Start(0))
        assert caught.value.code == m.Code.REPLACED


# Asking


async def test_answers_find_their_questions() -> None:
    async def scene(peer: Peer) -> None:
        await welcomed(peer)
        first = await peer.hears(m.Preview)
        second = await peer.hears(m.AskHints)
        third = await peer.hears(m.ListRooms)
        assert len({first.id, second.id, third.id}) == 3
        await peer.says(
            m.Refused(third.id, m.Code.TOO_FAST, "slow down", 5),
            m.Hints(second.id, 2, (), -1),
            m.Previewed(999, (), ""),
            m.Previewed(first.id, (), "not_a_combination"),
        )
        await peer.stays()

    async with FakeServer(scene) as server, table(server.url) as client:
        await notice(client, m.Welcome)
        preview, hints, rooms = await asyncio.gather(
            client.ask(m.Preview(0, samples.MY_PLAY.cards)),
            client.ask(m.AskHints(0)),
            client.ask(m.ListRooms(0)),
        )
        assert isinstance(preview, m.Previewed)
        assert isinstance(hints, m.Hints)
        assert isinstance(rooms, m.Refused)
        assert preview.code == "not_a_combination"
        assert rooms.code == m.Code.TOO_FAST


async def test_a_question_is_asked_again() -> None:
    async def breaks(peer: Peer) -> None:
        await welcomed(peer)
        await peer.hears(m.AskHints)
        peer.cuts()

    async def answers(peer: Peer) -> None:
        await resumed(peer)
        query = await peer.hears(m.AskHints)
        await peer.says(m.Hints(query.id, 2, (), -1))
        await peer.stays()

    async with FakeServer(breaks, answers) as server, table(server.url) as client:
        answer = await client.ask(m.AskHints(0))
        assert isinstance(answer, m.Hints)
        assert answer.turn == 2


# Notices that nobody takes


async def test_updates_that_nobody_takes_are_folded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "NOTICES_MAX", 3)
    sent = [
        evolve(samples.UPDATE, seq=seq, finished=samples.SUMMARY if seq == 8 else None)
        for seq in range(3, 11)
    ]

    async def scene(peer: Peer) -> None:
        await welcomed(peer)
        await peer.says(*sent)
        await peer.hears(m.Start)
        await peer.says(m.Done(1, 11))
        await peer.stays()

    async with FakeServer(scene) as server, table(server.url) as client:
        await client.act(m.Start(0))  # its answer comes after all updates
        assert isinstance(await anext(client), m.Welcome)
        assert await anext(client) == sent[0]
        folded = await notice(client, m.Update)
        assert folded.seq == 10
        assert folded.events == samples.UPDATE.events * 7
        assert folded.finished == samples.SUMMARY
        assert client.record == (samples.SUMMARY,)
    assert len(folded.events) < EVENTS_MAX


async def test_old_notices_go_when_they_cannot_be_folded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "NOTICES_MAX", 2)
    scenes = [cut_off, *[_cut_again] * 5]

    async def last(peer: Peer) -> None:
        await peer.hears(m.Resume)
        await peer.says(m.Goodbye(m.Code.REPLACED))

    async with FakeServer(*scenes, last) as server, table(server.url) as client:
        with pytest.raises(SessionEnded):
            await client.act(m.Sit(0, Seat(1)))
        told = await rest(client)
        assert len(told) == 2
        assert isinstance(told[-1], Ended)


async def _cut_again(peer: Peer) -> None:
    await resumed(peer)
    peer.cuts()


async def test_nothing_of_the_client_shows_its_token() -> None:
    async with FakeServer(stays) as server, table(server.url) as client:
        welcome = await notice(client, m.Welcome)
        told = f"{client!r} {client!s} {welcome!r} {client._hello!r}"  # noqa: SLF001 the hello in use
        assert repr(samples.TOKEN) not in told
        assert samples.TOKEN.hex() not in told
