"""What people ask and say at a table: told at once, never stored, and not too often."""

from __future__ import annotations

from attrs import evolve

from guandan_engine.notation import parse_cards
from guandan_protocol import messages as m
from guandan_protocol.messages import Code, Phrase, Settings, Stage
from guandan_server.inquiries import PHRASE_S, PHRASES_BURST
from guandan_server.items import Ask
from guandan_server.limits import Bucket
from tests.server.driver import Driver, Sitter


def heard(table: Driver, sitter: Sitter) -> list[m.Said]:
    return [one for one in table.heard[sitter.conn] if isinstance(one, m.Said)]


def refusal(answer: m.ServerMessage) -> tuple[str, int | None]:
    assert isinstance(answer, m.Refused)
    return answer.code, answer.retry_ms


def test_everybody_hears_a_phrase_and_who_said_it_is_answered_with_it() -> None:
    table = Driver.create()
    bob, eve = table.join("Bob"), table.watch()
    stored = len(table.entries)
    assert table.ask(bob, m.Say(77, Phrase.HELLO)) == m.Said(bob.seat, "hello", 77)  # type: ignore[arg-type]  # he has a seat
    for other in (table.host, eve):
        assert heard(table, other) == [m.Said(bob.seat, "hello")]  # type: ignore[arg-type]  # he has a seat
    assert len(heard(table, bob)) == 1
    assert len(table.entries) == stored


def test_watchers_have_no_voice() -> None:
    table = Driver.create()
    assert refusal(table.ask(table.watch(), m.Say(1, Phrase.HELLO))) == (Code.NOT_SEATED, None)
    assert heard(table, table.host) == []


def test_a_table_can_do_without_phrases() -> None:
    table = Driver.create(settings=Settings(phrases=False))
    assert refusal(table.ask(table.host, m.Say(1, Phrase.HELLO))) == (Code.FORBIDDEN, None)
    room = table.last(table.host).view
    table.act(table.host, m.Configure(1, room.preset, {}, evolve(room.settings, phrases=True)))
    assert isinstance(table.ask(table.host, m.Say(2, Phrase.HELLO)), m.Said)


def test_nobody_talks_without_end() -> None:
    table = Driver.create()
    bob = table.join("Bob")
    for number in range(PHRASES_BURST):
        assert isinstance(table.ask(bob, m.Say(number + 1, Phrase.NICE)), m.Said)
    code, retry_ms = refusal(table.ask(bob, m.Say(9, Phrase.NICE)))
    assert code == Code.TOO_FAST
    assert retry_ms is not None
    assert PHRASE_S * 1000 - 1 <= retry_ms <= PHRASE_S * 1000 + 1
    # What one says too much is nobody else's silence, and a new connection is no new voice.
    assert isinstance(table.ask(table.host, m.Say(1, Phrase.HURRY)), m.Said)
    bob = table.resume(bob)
    assert refusal(table.ask(bob, m.Say(1, Phrase.NICE)))[0] == Code.TOO_FAST
    table.wait(retry_ms)
    assert isinstance(table.ask(bob, m.Say(2, Phrase.NICE)), m.Said)
    assert refusal(table.ask(bob, m.Say(3, Phrase.NICE)))[0] == Code.TOO_FAST


def test_whoever_takes_the_seat_next_has_said_nothing() -> None:
    table = Driver.create()
    bob = table.join("Bob")
    for number in range(PHRASES_BURST):
        table.ask(bob, m.Say(number + 1, Phrase.NICE))
    table.act(bob, m.Leave(1))
    cy = table.join("Cy", bob.seat)
    assert isinstance(table.ask(cy, m.Say(1, Phrase.HELLO)), m.Said)


def test_people_talk_on_while_nothing_can_be_stored() -> None:
    table = Driver.create()
    say = Ask(table.host.conn, m.Say(1, Phrase.HURRY))
    outputs = table.room.unavailable(say, table.now, bytes(32), 1000)
    assert [output.message for output in outputs] == [m.Said(table.host.seat, "hurry", 1)]  # type: ignore[union-attr, arg-type]  # it is told, by a seat


def test_hints_are_for_those_who_are_asked_where_they_are_allowed() -> None:
    table = Driver.create()
    assert refusal(table.ask(table.host, m.AskHints(1)))[0] == Code.NOT_NOW
    table.act(table.host, m.Start(1))
    assert table.state.stage is Stage.PLAYING
    assert isinstance(table.ask(table.host, m.AskHints(2)), m.Hints)
    assert refusal(table.ask(table.watch(), m.AskHints(3)))[0] == Code.NOT_SEATED
    silent = Driver.create(settings=Settings(hints=False))
    silent.act(silent.host, m.Start(1))
    assert refusal(silent.ask(silent.host, m.AskHints(4)))[0] == Code.HINTS_OFF


def test_a_preview_is_for_ones_own_cards() -> None:
    table = Driver.create()
    table.act(table.host, m.Start(1))
    private = table.last(table.host).private
    assert private is not None
    face = next(private.hand.faces())
    own = table.ask(table.host, m.Preview(5, type(private.hand).of([face])))
    assert isinstance(own, m.Previewed)
    assert (own.id, own.code, len(own.readings)) == (5, "", 1)
    other = table.ask(table.host, m.Preview(6, parse_cards("X X Y Y")))
    assert isinstance(other, m.Previewed)
    assert other.code == "cards_not_held"


def test_a_bucket_says_when_the_next_one_is_there() -> None:
    bucket = Bucket(per_s=0.5, burst=2)
    assert bucket.wait_s(10) == 0
    assert (bucket.try_take(10), bucket.try_take(10), bucket.try_take(10)) == (True, True, False)
    assert bucket.wait_s(10) == 2
    assert bucket.wait_s(11.5) == 0.5
    assert not bucket.try_take(11.9)
    assert bucket.try_take(12.0)
