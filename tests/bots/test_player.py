"""A policy at a table over the protocol: a server of the test's own deals and judges."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest
from attrs import evolve

from guandan_bots.player import ChoiceRefused, acted, play_seat
from guandan_bots.policy import PASS, Choice, Give, policy
from guandan_engine import commands
from guandan_engine.errors import Reason
from guandan_engine.machine import step
from guandan_engine.moves import Offer
from guandan_engine.notation import parse_card, parse_cards, parse_reading
from guandan_engine.options import Rules, rules
from guandan_engine.phases import HandOver
from guandan_engine.seats import Seat
from guandan_engine.state import Match, new_match
from guandan_engine.views import SeatView, asked, private_view, public_view, seat_view
from guandan_protocol import messages as m
from guandan_protocol.client import Ended
from tests.bots.games import command
from tests.bots.table import seat
from tests.protocol import samples
from tests.protocol.client_scenes import table
from tests.protocol.fake_server import WAIT_S, FakeServer, Peer, Scene

ME = samples.ME
BASIC = policy("basic")


async def played(*scenes: Scene, brain: Any = BASIC) -> Ended | None:
    """What comes of playing at a server that follows a script."""
    async with FakeServer(*scenes) as server, table(server.url) as client:
        async with asyncio.timeout(4 * WAIT_S):
            return await play_seat(client, brain, Random(1))


class House:
    """A room as its server sees it: a match, its log's length, and one remote seat."""

    def __init__(self, peer: Peer, match: Match, stage: m.Stage = m.Stage.PLAYING) -> None:
        self.peer = peer
        self.match = match
        self.stage = stage
        self.seq = 1
        self.is_ready = stage is m.Stage.PLAYING
        self.proposal: m.Proposal | None = None
        self.consents: tuple[Seat, ...] = ()

    def view(self) -> m.RoomView:
        one, two, three, four = samples.VIEW.seats
        return evolve(
            samples.VIEW,
            stage=self.stage,
            seats=(one, evolve(two, ready=self.is_ready), three, four),
            proposal=self.proposal,
            consents=self.consents,
        )

    def moves(self, order: commands.Command) -> None:
        self.match = step(self.match, order)[0]
        if isinstance(self.match.phase, HandOver):
            self.is_ready = False

    async def welcomes(self) -> None:
        await self.peer.hears(m.Join)
        await self.peer.says(
            evolve(
                samples.WELCOME,
                seq=self.seq,
                view=self.view(),
                public=public_view(self.match),
                private=private_view(self.match, ME),
            )
        )

    async def tells(self) -> None:
        await self.peer.says(
            m.Update(
                seq=self.seq,
                epoch=1,
                events=(),
                view=self.view(),
                public=public_view(self.match),
                private=private_view(self.match, ME),
                finished=None,
                seat=ME,
            )
        )

    async def accepts(self, action: Any, *, tells_first: bool) -> None:
        """Store an action; the update that shows it may come before or after the answer."""
        self.seq += 1
        done = m.Done(n=action.n, seq=self.seq)
        if tells_first:
            await self.tells()
            await self.peer.says(done)
        else:
            await self.peer.says(done)
            await self.tells()

    async def refuses(self, action: m.Action, code: str, retry_ms: int | None = None) -> None:
        await self.peer.says(m.Refused(action.n, code, "not like that", retry_ms))

    async def ends(self) -> None:
        await self.peer.says(m.Goodbye(m.Code.LEFT))
        await self.peer.closes(m.CLOSE_LEFT)


def ordered(action: object) -> commands.Command:
    """The machine's command for an action of the remote seat."""
    match action:
        case m.Play(_, cards, reading, turn):
            return commands.Play(ME, cards, reading, turn)
        case m.Pass(_, turn):
            return commands.Pass(ME, turn)
        case m.Pay(_, card, turn):
            return commands.Pay(ME, card, turn)
        case m.GiveBack(_, card, turn):
            return commands.Return(ME, card, turn)
        case _:
            raise AssertionError(action)


def dealt(table: Rules, seed: int = 1) -> Match:
    return step(new_match(table), commands.StartHand(bytes([seed]) * 32))[0]


async def test_it_plays_hands_to_their_end_and_is_ready_for_the_next() -> None:
    rules_here = rules("site", {"tribute_pick": "payer"})
    kinds: set[type] = set()

    async def scene(peer: Peer) -> None:
        house = House(peer, new_match(rules_here), m.Stage.LOBBY)
        await house.welcomes()
        chance = Random(3)
        for hand in range(4):
            ready = await peer.hears(m.Ready)
            house.is_ready = True
            house.stage = m.Stage.PLAYING
            house.moves(commands.StartHand(bytes([hand]) * 32))
            await house.accepts(ready, tells_first=bool(hand % 2))
            while not isinstance(house.match.phase, HandOver):
                actor = asked(house.match)[0]
                if actor == ME:
                    action = await peer.hears(object)
                    kinds.add(type(action))
                    house.moves(ordered(action))
                    await house.accepts(action, tells_first=chance.random() < 0.5)
                else:
                    seen = seat_view(house.match, actor)
                    house.moves(command(seen, BASIC.choose(seen, rules_here, chance)))
                    house.seq += 1
                    await house.tells()
        await peer.hears(m.Ready)
        await house.ends()

    ended = await played(scene)
    assert ended is not None
    assert ended.code == m.Code.LEFT
    assert {m.Play, m.Pass} < kinds <= {m.Play, m.Pass, m.Pay, m.GiveBack}


def led_by_me() -> Match:
    """Seat 2 is to follow seat 1's first card."""
    match = dealt(Rules())
    seen = seat_view(match, Seat(1))
    return step(match, command(seen, BASIC.choose(seen, Rules(), Random(1))))[0]


class Client:
    """Tells what it is given to tell, and shows the view of the notice in hand."""

    def __init__(self, *notices: m.Welcome | m.Update) -> None:
        self._notices = iter(notices)
        self.acts: list[m.Action] = []
        self.seq = self.epoch = 0

    def __aiter__(self) -> Client:
        return self

    async def __anext__(self) -> m.Welcome | m.Update:
        notice = next(self._notices, None)
        if notice is None:
            raise StopAsyncIteration
        self.seq, self.epoch, self.view = notice.seq, notice.epoch, notice.view
        self._public, self._private = notice.public, notice.private
        return notice

    def seat_view(self) -> SeatView | None:
        return None if self._private is None else SeatView(ME, self._public, self._private)

    async def act(self, action: m.Action) -> m.Done:
        """Stored as the next entry; the update that shows it is yet to come."""
        self.acts.append(action)
        assert len(self.acts) < 10, "the same move over and over"
        return m.Done(len(self.acts), self.seq + 1)


def my_turn(**changes: Any) -> m.Welcome:
    match = led_by_me()
    asks = evolve(samples.WELCOME, public=public_view(match), private=private_view(match, ME))
    return evolve(asks, **changes)


async def test_it_acts_once_on_a_turn() -> None:
    client: Any = Client(
        my_turn(seq=5), my_turn(seq=5), my_turn(seq=6, public=public_view(dealt(Rules())))
    )
    assert await play_seat(client, BASIC, Random(1)) is None
    assert len(client.acts) == 1


async def test_a_history_that_was_rewound_is_played_again() -> None:
    client: Any = Client(my_turn(seq=5), my_turn(seq=4), my_turn(seq=4, epoch=2))
    await play_seat(client, BASIC, Random(1))
    assert len(client.acts) == 2


async def test_a_watcher_does_nothing() -> None:
    client: Any = Client(my_turn(private=None))
    await play_seat(client, BASIC, Random(1))
    assert client.acts == []


async def test_when_the_table_has_moved_on_it_waits_for_the_news() -> None:
    async def scene(peer: Peer) -> None:
        house = House(peer, led_by_me())
        await house.welcomes()
        action = await peer.hears(object)
        assert isinstance(action, m.Play | m.Pass)
        await house.refuses(action, Reason.STALE)
        house.seq += 1
        await house.tells()
        assert evolve(await peer.hears(type(action)), n=0) == evolve(action, n=0)
        await house.ends()

    assert await played(scene) is not None


async def test_when_the_store_is_away_it_tries_again() -> None:
    async def scene(peer: Peer) -> None:
        house = House(peer, led_by_me())
        await house.welcomes()
        action = await peer.hears(object)
        assert isinstance(action, m.Play | m.Pass)
        await house.refuses(action, m.Code.STORAGE_UNAVAILABLE, retry_ms=1)
        assert evolve(await peer.hears(type(action)), n=0) == evolve(action, n=0)
        await house.ends()

    assert await played(scene) is not None


async def test_a_choice_that_is_refused_is_a_fault() -> None:
    class Wrong:
        name = "wrong"

        def choose(self, view: SeatView, rules: Rules, rng: Random) -> Choice:
            del view, rules, rng
            return Offer(parse_cards("S3"), parse_reading("single-3"))

    async def scene(peer: Peer) -> None:
        house = House(peer, led_by_me())
        await house.welcomes()
        await house.refuses(await peer.hears(m.Play), Reason.CARDS_NOT_HELD)
        await peer.stays()

    with pytest.raises(ChoiceRefused, match="cards_not_held: not like that") as refused:
        await played(scene, brain=Wrong())
    assert refused.value.code == Reason.CARDS_NOT_HELD


async def test_it_agrees_to_what_is_proposed() -> None:
    async def scene(peer: Peer) -> None:
        house = House(peer, dealt(Rules()))
        await house.welcomes()
        house.proposal = m.Proposal.REMATCH
        house.seq += 1
        await house.tells()
        consent = await peer.hears(m.Consent)
        assert consent.agree
        house.consents = (ME,)
        await house.accepts(consent, tells_first=True)
        await house.ends()

    assert await played(scene) is not None


async def test_it_comes_back_to_its_seat() -> None:
    async def first(peer: Peer) -> None:
        await House(peer, led_by_me()).welcomes()
        await peer.hears(object)
        peer.cuts()

    async def second(peer: Peer) -> None:
        await peer.hears(m.Resume)
        house = House(peer, led_by_me())
        back = evolve(
            samples.WELCOME,
            token=b"",
            public=public_view(house.match),
            private=private_view(house.match, ME),
        )
        await peer.says(back)
        assert isinstance(await peer.hears(object), m.Play | m.Pass)
        await house.ends()

    assert await played(first, second) is not None


def test_each_choice_has_its_action() -> None:
    offer = Offer(parse_cards("S9 D9"), parse_reading("pair-9"))
    lead = seat("S9 D9 C3")
    turn = lead.public.turn
    assert acted(lead, offer) == m.Play(0, offer.cards, offer.reading, turn)
    assert acted(lead, PASS) == m.Pass(0, turn)
    card = parse_card("C3")
    assert acted(seat("C3", paying="C3"), Give(card)) == m.Pay(0, card, turn)
    assert acted(seat("C3 SA", returning="C3"), Give(card)) == m.GiveBack(0, card, turn)
