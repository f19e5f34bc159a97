"""The client with a server that is there: what it knows, does and asks."""

from __future__ import annotations

import asyncio

import pytest
from attrs import evolve

from guandan_engine.seats import Seat
from guandan_engine.views import SeatView
from guandan_protocol import client as client_module
from guandan_protocol import messages as m
from guandan_protocol.bounds import EVENTS_MAX
from guandan_protocol.client import Ended, Lost
from guandan_protocol.codec import encode
from guandan_protocol.errors import BadMessage, SessionEnded
from tests.protocol import samples
from tests.protocol.client_scenes import (
    BACK,
    WATCH,
    WATCHING,
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
from tests.protocol.fake_server import WAIT_S, FakeServer, Peer, free_port

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


async def test_phrases_are_told_and_those_of_our_own_answer_us() -> None:
    async def scene(peer: Peer) -> None:
        await welcomed(peer)
        await peer.says(m.Said(Seat(3), "hello"))
        say = await peer.hears(m.Say)
        await peer.says(m.Said(samples.ME, say.phrase, say.id))
        await peer.stays()

    async with FakeServer(scene) as server, table(server.url) as client:
        await notice(client, m.Welcome)
        assert await notice(client, m.Said) == m.Said(Seat(3), "hello")
        answer = await client.ask(m.Say(0, m.Phrase.THANKS))
        assert isinstance(answer, m.Said)
        assert (answer.seat, answer.phrase) == (samples.ME, "thanks")
        assert await notice(client, m.Said) == answer


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
    scenes = [cut_off, *[cut_again] * 5]

    async def last(peer: Peer) -> None:
        await peer.hears(m.Resume)
        await peer.says(m.Goodbye(m.Code.REPLACED))

    async with FakeServer(*scenes, last) as server, table(server.url) as client:
        with pytest.raises(SessionEnded):
            await client.act(m.Sit(0, Seat(1)))
        told = await rest(client)
        assert len(told) == 2
        assert isinstance(told[-1], Ended)


async def test_nothing_of_the_client_shows_its_token() -> None:
    async with FakeServer(stays) as server, table(server.url) as client:
        welcome = await notice(client, m.Welcome)
        told = f"{client!r} {client!s} {welcome!r} {client._hello!r}"  # noqa: SLF001 the hello in use
        assert repr(samples.TOKEN) not in told
        assert samples.TOKEN.hex() not in told
