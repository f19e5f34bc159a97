"""What could have been played in a match that is over: who may ask, and what it costs others."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from attrs import frozen

from guandan_bots.review import decisions
from guandan_cli import brains as policies
from guandan_cli.brains import SlowBots
from guandan_engine.cards import NO_CARDS
from guandan_engine.notation import reading_text
from guandan_engine.record import read, write
from guandan_engine.seats import Seat
from guandan_protocol import messages as m
from guandan_protocol.codec import decode_server, encode
from guandan_protocol.messages import Code, Hint, Stage
from guandan_server import pool as pools
from guandan_server.actor import Actor, Tools
from guandan_server.brains import Fallback, Part, Unanswered
from guandan_server.items import Act, Ask, Conn, LookBack, Take
from guandan_server.metrics import Metrics
from guandan_server.pool import PATIENCE_IDLE_S, REVIEWS_WAITING_MAX, Pool
from guandan_server.reviews import HAND_S_MAX, RETRY_MS, Reviews
from guandan_server.rooms import Rooms
from guandan_server.store import Record
from guandan_server.store_memory import Fault, MemoryStore, Shelf
from tests.bots.recorded import recorded
from tests.server.driver import Driver, Sitter
from tests.server.slow_brains import Moody
from tests.server.test_actor import AnyBrains, Wires
from tests.server.test_thinking_pool import Desk, settled
from tests.server.thinkers import Workers, virtually
from tests.server.waiting import until

ROOM = "TESTAB"
CONN = Conn(1)
ID = 2**32
TEXT = write(recorded(("club", "club", "club", "club"), "one"))


# Who may ask.


def over() -> tuple[Driver, Sitter, Sitter]:
    """A match that two people and two bots have played, and that is over."""
    table = Driver.create()
    bob = table.join("Bob", Seat(2))
    for sitter in (table.host, bob):
        table.act(sitter, m.Autopilot(1, on=True, pace_ms=300))
    assert isinstance(table.act(table.host, m.Start(2)), m.Done)
    table.play_on(until=lambda: table.state.stage is Stage.MATCH_OVER)
    return table, table.host, bob


def code(answer: m.ServerMessage) -> str:
    assert isinstance(answer, m.Refused), answer
    return answer.code


def test_a_match_is_gone_through_only_when_it_is_over() -> None:
    table = Driver.create()
    assert code(table.ask(table.host, m.AskReview(ID, 1))) == Code.NOT_NOW
    table.act(table.host, m.Start(1))
    assert code(table.ask(table.host, m.AskReview(ID, 1))) == Code.NOT_NOW


def test_each_gets_its_own_play_and_who_did_not_play_gets_none() -> None:
    table, ann, bob = over()
    hands = table.state.match.deal.number
    assert table.ask(ann, m.AskReview(ID, 1)) == m.Review(ID, 1, Seat(1), 1, hands, (), 0)
    assert table.ask(bob, m.AskReview(ID, hands)) == m.Review(ID, 1, Seat(2), hands, hands, (), 0)
    assert code(table.ask(bob, m.AskReview(ID, hands + 1))) == Code.NO_SUCH_RECORD
    assert code(table.ask(table.watch(), m.AskReview(ID, 1))) == Code.NOT_SEATED
    late = table.join("Cai", Seat(3))
    assert code(table.ask(late, m.AskReview(ID, 1))) == Code.FORBIDDEN
    assert isinstance(table.act(ann, m.Sit(3, Seat(4))), m.Done)
    moved = table.ask(ann, m.AskReview(ID, 1))
    assert isinstance(moved, m.Review)
    assert moved.seat == 1


def test_the_next_match_is_not_over() -> None:
    table, ann, bob = over()
    table.act(ann, m.Propose(3, m.Proposal.REMATCH))
    table.act(bob, m.Consent(2, agree=True))
    assert table.state.stage is Stage.PLAYING
    assert code(table.ask(ann, m.AskReview(ID, 1))) == Code.NOT_NOW


# How it is worked out.


def decision(number: int) -> m.Reviewed:
    nothing = Hint(NO_CARDS, None, "")
    return m.Reviewed(number, 5, None, nothing, nothing, 0, 0, 0, sure=False, worlds=1)


@frozen
class Slicer(Moody):
    """A hand of five decisions, two in a slice."""

    def review(self, record: str, seat: Seat, hand: int, begin: int, seconds: float) -> Part:
        assert (record, seat, hand) == (TEXT, 3, 2)
        assert seconds == pools.REVIEW_S
        if self.mood == "no reviews":
            raise ZeroDivisionError
        end = min(begin + 2, 5)
        return Part(tuple([decision(number) for number in range(begin, end)]), 5 - end)


class Patient(Workers):
    """They take their time over reviews, too."""

    async def __call__(self, work: object, hung_s: int, question: Any, *given: object) -> object:
        if question.__name__ == "review":
            await asyncio.sleep(self.takes_s)
        return await super().__call__(work, hung_s, question, *given)


class Archive:
    """A room's reviews, and what was sent."""

    def __init__(self, workers: Workers | None, *, mood: str = "", match: int = 1) -> None:
        self.sent: list[tuple[Conn, m.ServerMessage]] = []
        clock = asyncio.get_running_loop().time
        self.store = MemoryStore(clock=clock, shelf=Shelf())
        brains = Slicer(mood=mood)
        pool = Pool(brains, workers=1, metrics=Metrics(), runner=workers) if workers else None
        self.reviews = Reviews(
            ROOM, self.store, pool, send=lambda conn, message: self.sent.append((conn, message))
        )
        self._match = match

    async def fill(self) -> None:
        await self.store.save_record(ROOM, Record(self._match, TEXT.encode(), ttl_s=1000))

    async def ask(self, *numbers: int) -> Sequence[m.ServerMessage]:
        """What is answered, to each of some questions at once."""
        await self.fill()
        for number in numbers:
            self.reviews.answer(LookBack(CONN, number, 1, Seat(3), 2, 9))
        await until(lambda: len(self.sent) >= len(numbers), timeout_s=600)
        assert {conn for conn, _ in self.sent} == {CONN}
        return [message for _, message in self.sent]


def test_a_hand_is_put_together_from_slices() -> None:
    async def scenario() -> None:
        workers = Workers()
        (answer,) = await Archive(workers).ask(ID)
        assert answer == m.Review(
            ID, 1, Seat(3), 2, 9, tuple([decision(number) for number in range(5)]), 0
        )
        assert workers.asked == ["review"] * 3
        assert decode_server(encode(answer)) == answer

    virtually(scenario())


def test_what_there_is_no_time_for_is_left_out() -> None:
    async def scenario() -> None:
        (answer,) = await Archive(Patient(HAND_S_MAX * 0.7)).ask(ID)
        assert isinstance(answer, m.Review)
        assert (len(answer.decisions), answer.left_out) == (4, 1)

    virtually(scenario())


class Tiring(Patient):
    """The first slice is quick, the next one takes longer than anybody waits."""

    async def __call__(self, work: object, hung_s: int, question: Any, *given: object) -> object:
        self.takes_s = (PATIENCE_IDLE_S + 1) * len(self.asked)
        return await super().__call__(work, hung_s, question, *given)


def test_what_was_found_before_a_slice_that_comes_too_late_is_not_thrown_away() -> None:
    async def scenario() -> None:
        (answer,) = await Archive(Tiring()).ask(ID)
        assert isinstance(answer, m.Review)
        assert (len(answer.decisions), answer.left_out) == (2, 3)

    virtually(scenario())


def test_a_room_has_one_worked_out_at_a_time() -> None:
    async def scenario() -> None:
        archive = Archive(Patient(0.2))
        refused, answer = await archive.ask(ID, ID + 1)
        assert refused == m.Refused(
            ID + 1, Code.BUSY, "a review is being worked out for this room", RETRY_MS
        )
        assert isinstance(answer, m.Review)
        assert answer.id == ID
        archive.sent.clear()
        assert isinstance((await archive.ask(ID + 2))[0], m.Review)

    virtually(scenario())


def test_a_server_without_workers_reviews_nothing() -> None:
    async def scenario() -> None:
        (answer,) = await Archive(None).ask(ID)
        assert answer == m.Refused(ID, Code.BUSY, "this server reviews no matches")

    virtually(scenario())


def test_what_goes_wrong_is_refused_under_its_code() -> None:
    async def scenario() -> None:
        (gone,) = await Archive(Workers(), match=7).ask(ID)
        assert code(gone) == Code.NO_SUCH_RECORD
        (failed,) = await Archive(Workers(raises="review")).ask(ID)
        assert code(failed) == Code.INTERNAL
        (late,) = await Archive(Patient(PATIENCE_IDLE_S + 1)).ask(ID)
        assert isinstance(late, m.Refused)
        assert (late.code, late.retry_ms) == (Code.BUSY, RETRY_MS)
        broken = Workers()
        broken.fault = TypeError("cannot be pickled")
        (unsent,) = await Archive(broken).ask(ID)
        assert code(unsent) == Code.INTERNAL
        away = Archive(Workers())
        away.store.faults = _unanswered
        (answer,) = await away.ask(ID)
        assert isinstance(answer, m.Refused)
        assert (answer.code, answer.retry_ms) == (Code.STORAGE_UNAVAILABLE, RETRY_MS)

    virtually(scenario())


async def _unanswered(method: str, room: str) -> Fault:
    del room
    return Fault.NOT_DONE if method == "load_record" else Fault.NONE


def test_nobody_waits_for_the_review_of_a_room_that_has_ended() -> None:
    async def scenario() -> None:
        workers = Patient(1.0)
        archive = Archive(workers)
        await archive.fill()
        archive.reviews.answer(LookBack(CONN, ID, 1, Seat(3), 2, 9))
        await settled()
        archive.reviews.close()
        await asyncio.sleep(30)
        assert archive.sent == []
        assert workers.asked == ["review"]

    virtually(scenario())


# What it costs the others.


def test_bots_go_before_reviews() -> None:
    async def scenario() -> None:
        desk = Desk(Workers(0.1))
        first = desk.ask()
        await settled()
        review = asyncio.ensure_future(desk.pool.review(TEXT, Seat(3), 2, begin=0))
        await settled()
        bots = [desk.ask(), desk.ask("club")]
        await asyncio.gather(first, review, *bots)
        assert desk.workers.asked == ["expert", "club", "expert", "review"]

    virtually(scenario())


def test_the_queue_of_reviews_has_an_end() -> None:
    async def scenario() -> None:
        desk = Desk(Workers(0.1))
        first = desk.ask()
        await settled()
        waiting = [
            asyncio.ensure_future(desk.pool.review(TEXT, Seat(3), 2, begin=0))
            for _ in range(REVIEWS_WAITING_MAX)
        ]
        await settled()
        with pytest.raises(Unanswered) as full:
            await desk.pool.review(TEXT, Seat(3), 2, begin=0)
        assert full.value.why is Fallback.FULL
        await asyncio.gather(first, *waiting)

    virtually(scenario())


# What the bots say.


def test_slices_make_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policies, "REVIEW_PLAYOUTS", {"compiled": 20, "plain": 20})
    bots, seat = SlowBots(), Seat(3)
    whole = bots.review(TEXT, seat, 1, 0, 1000.0)
    own = list(decisions(read(TEXT), (seat,)))
    assert whole.left == 0
    assert [one.command for one in whole.decisions] == [one.turn for one in own]
    assert all((one.played == one.best) or one.worlds for one in whole.decisions)
    for one in whole.decisions:
        assert min(one.lost_milli, one.won_milli) == 0
        assert one.sure == (one.lost_milli + one.won_milli > 2 * one.error_milli)
        assert one.top is None or reading_text(one.top)
    slices: list[m.Reviewed] = []
    while len(slices) < len(own):
        part = bots.review(TEXT, seat, 1, len(slices), 0.0)
        assert len(part.decisions) == 1
        slices += part.decisions
        assert part.left == len(own) - len(slices)
    assert tuple(slices) == whole.decisions
    assert bots.review(TEXT, seat, 2, 0, 1.0) == Part((), 0)


async def test_at_a_table_with_a_real_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "PATIENCE_IDLE_S", 60)
    shelf, wires, metrics = Shelf(), Wires(), Metrics()
    store = MemoryStore(clock=asyncio.get_running_loop().time, shelf=shelf)
    pool = Pool(SlowBots(), workers=1, metrics=metrics)
    rooms = Rooms(Tools(store, wires, AnyBrains(), metrics, pool=pool), node="a", haste=1e6)
    try:
        made = await rooms.create(m.Create(m.VERSION, "Ann", bytes(16)))
        actor: Actor = made.actor
        actor.put(Take(CONN, made.seat, made.token))
        for action in (m.Autopilot(1, on=True, pace_ms=300), m.Start(2)):
            actor.put(Act(CONN, action, encode(action)))
        await until(lambda: actor.room.state.stage is Stage.MATCH_OVER, timeout_s=120)
        actor.put(Ask(CONN, m.AskReview(ID, 1)))

        def answers() -> list[m.ServerMessage]:
            return [one for one in wires.heard[CONN] if isinstance(one, m.Review | m.Refused)]

        await until(answers, timeout_s=120)
        (answer,) = answers()
        assert isinstance(answer, m.Review), answer
        assert (answer.id, answer.match, answer.seat, answer.hand) == (ID, 1, 1, 1)
        assert answer.hands == actor.room.state.match.deal.number
        assert answer.left_out == 0
        assert len(answer.decisions) > 2
    finally:
        await rooms.stop()
        await pool.close()
