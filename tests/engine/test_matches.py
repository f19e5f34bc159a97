"""Whole matches played at random: what holds at every step of them, under every option."""

from __future__ import annotations

import random
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guandan_engine import shuffle
from guandan_engine.cards import CARDS, Cards, Rank
from guandan_engine.commands import Command, Pass, Pay, Play, Return, StartHand, TimeOut
from guandan_engine.errors import IllegalCommand
from guandan_engine.events import (
    CardsReturned,
    Event,
    HandEnded,
    HandStarted,
    Played,
    TimedOut,
    TributePaid,
    TrickClosed,
    WentOut,
)
from guandan_engine.machine import TRANSITIONS, step
from guandan_engine.options import OPTIONS, PRESETS, Rules, rules
from guandan_engine.phases import Following, HandOver, Leading, MatchOver, Paying, Returning
from guandan_engine.scoring import settle
from guandan_engine.seats import SEATS, partner_of
from guandan_engine.state import Match, check, new_match, played_by
from guandan_engine.views import asked
from tests.engine.strategies import multisets, rules_drawn, steps
from tests.engine.walks import Step, some_command, walk, walks


def holds(one: Step) -> None:
    """What is true of any step whatever."""
    before, after, events = one.before, one.after, one.events
    check(after)
    assert after.rules == before.rules
    assert after.turn == before.turn + 1
    assert (type(before.phase), type(one.command)) in TRANSITIONS
    assert (after.standing != before.standing) <= any(isinstance(e, HandEnded) for e in events)
    for event in events:
        _event_holds(event, before, after)
    match after.phase:
        case Leading(turn=turn, out=out):
            assert turn not in out
            assert asked(after) == (turn,)
        case Following(top=top, by=by, waiting=waiting, out=out, shown=shown):
            assert waiting
            assert by not in waiting
            assert not set(waiting) & set(out)
            lying = shown[by - 1]
            assert getattr(lying, "reading", None) is top
        case Paying() | Returning():
            assert asked(after)
        case HandOver(outcome=outcome) | MatchOver(outcome=outcome):
            assert outcome.after == after.standing
            assert asked(after) == ()
        case _:
            raise AssertionError(after.phase)
    for seat in SEATS:
        assert played_by(after, seat) + after.hands[seat - 1] == after.deal.hands[seat - 1]


def _event_holds(event: Event, before: Match, after: Match) -> None:
    match event:
        case HandStarted():
            key = shuffle.hand_key(after.deal.seed, after.deal.nonces)
            assert event.hands == shuffle.deal(key)
            assert shuffle.matches(event.commitment, after.deal.seed)
            assert (event.level, event.owner) == (after.standing.active, after.standing.owner)
        case TributePaid(gifts=moved) | CardsReturned(returns=moved):
            for gift in moved:
                assert gift.card in before.hands[gift.donor - 1] or before.deal != after.deal
        case Played(seat, cards, reading):
            assert before.hands[seat - 1] - cards == after.hands[seat - 1]
            assert len(cards) == reading.size
        case WentOut(seat):
            assert not len(after.hands[seat - 1])
        case TrickClosed(winner, leader):
            assert leader in (winner, partner_of(winner))
            assert event.jiefeng == (not len(after.hands[winner - 1]))
            assert len(after.hands[leader - 1])
        case HandEnded(outcome):
            assert outcome == settle(before.standing, outcome.finish, before.rules)
            holding = [seat for seat in outcome.finish if len(after.hands[seat - 1])]
            assert holding == list(outcome.finish[-len(holding) :])
        case _:
            pass


@pytest.mark.parametrize("preset", PRESETS)
def test_a_match_of_each_preset_goes_to_its_end(preset: str) -> None:
    steps_of_match = list(walk(PRESETS[preset], seed=7))
    for one in steps_of_match:
        holds(one)
    last = steps_of_match[-1].after
    assert isinstance(last.phase, MatchOver)
    assert last.standing.levels[last.phase.outcome.winner] is Rank.ACE
    assert last.turn == len(steps_of_match)


@pytest.mark.parametrize(
    ("option", "value"), [(name, v) for name, values in OPTIONS.items() for v in values]
)
def test_hands_under_each_option(option: str, value: object) -> None:
    for one in walk(rules("site", {option: value}), seed=3, hands_max=2):
        holds(one)


@given(rules_drawn, st.integers(0, 1 << 20))
@settings(max_examples=25)
def test_hands_under_any_rules(table: Rules, seed: int) -> None:
    for one in walk(table, seed, hands_max=2):
        holds(one)


def test_every_event_is_met() -> None:
    met = {type(event) for steps in walks() for one in steps for event in one.events}
    assert met == set(Event.__args__)


# The same commands always give the same match.


@pytest.mark.parametrize("place", range(len(walks())))
def test_the_log_gives_the_match_again(place: int) -> None:
    taken = walks()[place]
    match = new_match(taken[0].before.rules)
    for one in taken:
        assert match == one.before
        match, events = step(match, one.command)
        assert events == one.events
    assert match == taken[-1].after


@given(steps())
@settings(max_examples=200)
def test_a_time_out_does_what_its_player_could(one: Step) -> None:
    for seat in asked(one.before):
        after, events = step(one.before, TimeOut(seat, one.before.turn))
        check(after)
        assert events[0] == TimedOut(seat)
        assert after.turn == one.before.turn + 1


# Whatever is sent, the state is whole, and a refusal leaves it alone.


@st.composite
def commands(draw: st.DrawFn, match: Match) -> Command:
    """Anything at all, and often something near to what is legal."""
    seat = draw(st.sampled_from(asked(match) or SEATS) | st.sampled_from(SEATS))
    hand = match.hands[seat - 1]
    turn = draw(st.sampled_from([None, match.turn, match.turn - 1]))
    own = st.sampled_from(list(hand) or list(CARDS))
    kind = draw(st.sampled_from([StartHand, Play, Play, Play, Pass, Pay, Return, TimeOut, None]))
    if kind is None:
        return some_command(match, random.Random(draw(st.integers(0, 99)))) or Pass(seat)
    if kind is StartHand:
        return StartHand(draw(st.binary(min_size=32, max_size=32)))
    if kind is Play:
        cards = draw(multisets(most=6).map(Cards.of) | st.builds(lambda c: Cards.of([c]), own))
        return Play(seat, cards, turn=turn)
    if kind is Pass:
        return Pass(seat, turn)
    if kind is TimeOut:
        return TimeOut(seat, match.turn if turn is None else turn)
    return Pay(seat, draw(own), turn) if kind is Pay else Return(seat, draw(own), turn)


@given(steps(), st.data())
@settings(max_examples=250)
def test_whatever_is_sent(one: Step, data: st.DataObject) -> None:
    match = one.before
    for _ in range(3):
        command = data.draw(commands(match))
        copy = Match(match.rules, match.standing, match.deal, match.hands, match.phase, match.turn)
        try:
            after, events = step(match, command)
        except IllegalCommand as refusal:
            assert refusal.reason.value in str(refusal)  # noqa: PT017  legal commands go on
            assert match == copy
        else:
            holds(Step(match, command, after, events))
            match = after


def test_all_cards_are_met_in_play() -> None:
    played = chain.from_iterable(
        event.cards
        for steps in walks()
        for one in steps
        for event in one.events
        if isinstance(event, Played)
    )
    assert set(played) == set(CARDS)
