"""What each audience may know. First of all: it depends on nothing that it may not know."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import get_args

import pytest
from attrs import evolve
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from guandan_engine.cards import NO_CARDS
from guandan_engine.events import Event, GiftChosen, HandEnded, HandStarted, ReturnChosen
from guandan_engine.machine import step
from guandan_engine.notation import card_text, cards_text, parse_card, parse_cards, parse_reading
from guandan_engine.options import rules
from guandan_engine.phases import (
    PASSED,
    Following,
    HandOver,
    Leading,
    MatchOver,
    Paying,
    Returning,
)
from guandan_engine.seats import SEATS, Seat, Team
from guandan_engine.state import Match, new_match
from guandan_engine.views import (
    Chosen,
    Dealt,
    Laid,
    PhaseName,
    Private,
    SeatEvent,
    asked,
    private_view,
    public_view,
    redact,
    seat_view,
    summary,
)
from tests.engine.goldens import PLAYTHROUGH, a_playthrough
from tests.engine.strategies import steps
from tests.engine.table import Table
from tests.engine.twins import Twin, packed, twin
from tests.engine.walks import Step, moments, walks

audiences: st.SearchStrategy[Seat | None] = st.sampled_from([None, *SEATS])
chances = st.integers(0, 1 << 30).map(random.Random)


def shown(match: Match, audience: Seat | None) -> bytes:
    """All that an audience is shown of a state."""
    if audience is None:
        return packed(public_view(match))
    return packed(seat_view(match, audience))


def told(events: tuple[Event, ...], audience: Seat | None) -> Iterator[bytes]:
    """All that it is told, but for what the end of a hand opens to everybody."""
    for one in events:
        redacted = redact(one, audience)
        if isinstance(redacted, HandEnded):
            yield packed(redacted.outcome)
        else:
            yield packed(redacted)


def indistinguishable(one: Step, other: Twin, audience: Seat | None) -> None:
    assert shown(one.before, audience) == shown(other.before, audience)
    after, events = step(other.before, other.command)
    assert list(told(one.events, audience)) == list(told(events, audience))
    if not isinstance(one.after.phase, HandOver | MatchOver):
        assert shown(one.after, audience) == shown(after, audience)


@given(steps(Leading, Following), audiences, chances)
@settings(max_examples=400)
def test_hidden_cards_do_not_show_in_play(
    one: Step, audience: Seat | None, rng: random.Random
) -> None:
    other = twin(one, audience, rng)
    assert other is not None
    event(f"the hands differ: {other.before.hands != one.before.hands}")
    indistinguishable(one, other, audience)


@given(steps(Paying), audiences, chances)
@settings(max_examples=200)
def test_hidden_cards_do_not_show_while_tribute_is_paid(
    one: Step, audience: Seat | None, rng: random.Random
) -> None:
    other = twin(one, audience, rng)
    assume(other is not None)
    if other is not None:
        indistinguishable(one, other, audience)


@given(steps(Returning), audiences, chances)
@settings(max_examples=200)
def test_hidden_cards_do_not_show_while_cards_are_returned(
    one: Step, audience: Seat | None, rng: random.Random
) -> None:
    other = twin(one, audience, rng)
    assert other is not None
    indistinguishable(one, other, audience)


def test_the_other_world_is_another_one() -> None:
    """Else the law above would say nothing: the seats whose cards have moved see the difference."""
    rng = random.Random(1)
    differing = 0
    for phase in (Leading, Following, Paying, Returning):
        for one in rng.sample(moments()[phase], 15):
            other = twin(one, Seat(1), rng)
            if other is not None and other.before.hands != one.before.hands:
                views = [shown(one.before, s) != shown(other.before, s) for s in SEATS]
                assert not views[0]
                differing += any(views)
    assert differing > 40


def test_the_law_finds_a_leak() -> None:
    """An order of seats by their cards, as little as that, would be found."""

    def leaking(one: Step | Twin) -> list[Seat]:
        return sorted(SEATS, key=lambda seat: one.before.hands[seat - 1].bits)

    rng = random.Random(2)
    pairs = [(one, twin(one, None, rng)) for one in rng.sample(moments()[Leading], 20)]
    assert any(other and leaking(one) != leaking(other) for one, other in pairs)


@given(steps(), audiences, chances)
@settings(max_examples=100)
def test_a_deal_tells_each_seat_its_own_cards(
    one: Step, audience: Seat | None, rng: random.Random
) -> None:
    for dealt in one.events:
        if not isinstance(dealt, HandStarted):
            continue
        told_of = redact(dealt, audience)
        assert isinstance(told_of, Dealt)
        assert told_of.own == (None if audience is None else dealt.hands[audience - 1])
        others = [
            hand if s == audience else NO_CARDS for s, hand in zip(SEATS, dealt.hands, strict=True)
        ]
        blind = evolve(dealt, hands=(others[0], others[1], others[2], others[3]))
        assert redact(blind, audience) == told_of


# Every event has an answer for every audience, and full events never leave.


def test_every_event_is_answered() -> None:
    secret = (HandStarted, GiftChosen, ReturnChosen)
    met = set()
    for taken in walks():
        for one in taken:
            for happened in one.events:
                met.add(type(happened))
                for audience in (None, *SEATS):
                    answer = redact(happened, audience)
                    assert isinstance(answer, get_args(SeatEvent))
                    assert not isinstance(answer, secret)
    assert met == set(get_args(Event))


def test_a_choice_is_seen_by_who_made_it() -> None:
    t = Table.deal("1: SA …", "4: SQ …", finish=(1, 2, 3, 4), level="K", tribute_pick="payer")
    t.pay(4, "SQ")
    chosen = t.event(GiftChosen)
    assert redact(chosen, Seat(4)) == Chosen(Seat(4), chosen.card)
    for audience in (None, Seat(1), Seat(2), Seat(3)):
        assert redact(chosen, audience) == Chosen(Seat(4), None)


def test_the_golden_playthrough() -> None:
    """All that each audience is shown and told in the tribute and the first tricks of a hand."""
    assert a_playthrough() == PLAYTHROUGH.read_text("utf-8")


# What is in a view.


def test_before_the_first_hand() -> None:
    view = public_view(new_match(rules()))
    assert view.phase is PhaseName.WAITING
    assert (view.turn, view.hand, view.asked, view.counts) == (0, 0, (), (0, 0, 0, 0))
    assert private_view(new_match(rules()), Seat(1)) == Private(hand=NO_CARDS)


def test_a_wild_on_the_table_says_what_it_stands_for() -> None:
    t = Table.deal("1: S5 …", "2: D6 C6 H2 …", leader=2).play(2, "D6 C6 H2")
    shown = public_view(t.match).shown
    wild = Laid(parse_cards("D6 C6 H2"), parse_reading("triple-6"), (parse_card("H6"),))
    assert shown == (None, wild, None, None)


def test_while_cards_are_played() -> None:
    t = Table.deal("1: S5 H5 …", "2: D6 C6 …").play(1, "S5 H5").play(2, "D6 C6").pass_(3)
    view = seat_view(t.match, Seat(2))
    public = view.public
    assert public.phase is PhaseName.FOLLOWING
    assert (public.asked, public.by, public.top) == ((4,), 2, parse_reading("pair-6"))
    assert public.counts == (25, 25, 27, 27)
    assert [cards_text(cards) for cards in public.played] == ["S5 H5", "C6 D6", "", ""]
    assert public.shown[1] == Laid(parse_cards("D6 C6"), parse_reading("pair-6"))
    assert public.shown[2] is PASSED
    assert public.shown[3] is None
    assert public.leader == 1
    assert view.private == Private(hand=t.hand(2))
    t.pass_(4, 1)
    leading = public_view(t.match)
    assert (leading.phase, leading.top, leading.by) == (PhaseName.LEADING, None, None)
    assert leading.leader is None
    assert leading.shown == (None, None, None, None)


def test_who_has_to_pay_is_told_and_to_whom_only_where_there_is_no_doubt() -> None:
    """Who pays first place in a double tribute tells whose card is higher."""
    single = Table.deal("4: SQ …", finish=(1, 2, 3, 4), level="K", tribute_pick="payer")
    assert public_view(single.match).owing == ((4, 1),)
    for low, high in ((2, 4), (4, 2)):
        double = Table.deal(
            "1: SA SA HA HA CA CA DA DA X X Y Y …",
            "3: SK SK HK HK CK CK DK DK …",
            f"{low}: SJ …",
            f"{high}: SQ …",
            finish=(1, 3, 2, 4),
            level="A",
            tribute_pick="payer",
        )
        view = public_view(double.match)
        assert isinstance(double.phase, Paying)
        assert double.phase.debts[0].donor == high
        assert (view.owing, view.asked) == ((), (2, 4))
        assert view.gifts == ()


def test_what_a_seat_may_pay_or_return_is_its_own_secret() -> None:
    t = Table.deal("1: S3 CJ …", "4: SQ DQ …", finish=(1, 2, 3, 4), level="K", tribute_pick="payer")
    donor = private_view(t.match, Seat(4))
    assert list(map(card_text, donor.pay)) == ["SQ", "DQ"]
    assert donor.chosen is None
    assert private_view(t.match, Seat(1)).pay == ()
    t.pay(4, "DQ")
    recipient = private_view(t.match, Seat(1))
    assert card_text(recipient.give_back[0]) == "S2"
    assert "CJ" not in map(card_text, recipient.give_back)
    assert private_view(t.match, Seat(4)).give_back == ()
    assert public_view(t.match).gifts[0].card in t.hand(1)


def test_a_choice_held_back_stays_in_its_own_view() -> None:
    taken = [one for one in moments()[Returning] if len(one.before.phase.chosen) == 1]  # type: ignore[union-attr]  # all of them are returning
    match = taken[0].before
    assert isinstance(match.phase, Returning)
    (held,) = match.phase.chosen
    assert private_view(match, held.donor).chosen == held.card
    assert private_view(match, held.donor).give_back == ()
    assert held.donor not in asked(match)
    assert all(private_view(match, s).chosen is None for s in SEATS if s != held.donor)
    assert public_view(match).returns == ()


def test_counts_above_ten_are_hidden_where_the_table_hides_them() -> None:
    hands = (
        "1: S3 S4 S5 S6 S7 S8 S9 ST SJ SQ",
        "2: H3 H4 H5 H6 H7 H8 H9 HT HJ HQ HK",
        "3: S3",
        "4: …",
    )
    always = Table.deal(*hands, level="A")
    assert public_view(always.match).counts == (10, 11, 1, 27)
    hiding = Table.deal(*hands, level="A", show_counts="le10")
    assert public_view(hiding.match).counts == (10, None, 1, None)
    hiding.play(1, "SQ").play(2, "HK")
    assert public_view(hiding.match).counts == (9, 10, 1, None)


def test_the_end_of_a_hand_opens_everything() -> None:
    t = Table.deal("1: S5", "3: S4", leader=3, level="3", show_counts="le10")
    t.play(3, "S4").pass_(4).play(1, "S5")
    view = public_view(t.match)
    assert view.phase is PhaseName.HAND_OVER
    assert view.counts == (0, 27, 0, 27)
    assert view.left == t.match.hands
    assert view.out == (3, 1, 2, 4)
    assert view.outcome is not None
    assert view.outcome.gain == 3
    assert public_view(t.start(bytes(32)).match).left is None


def test_the_summary_of_a_hand() -> None:
    t = Table.deal("1: S5", "3: S4", leader=3, level="3")
    with pytest.raises(ValueError, match="no hand has ended"):
        summary(t.match, level=t.match.standing.active, owner=Team.ODD)
    level = t.match.standing.active
    t.play(3, "S4").pass_(4).play(1, "S5")
    told_of = summary(t.match, level=level, owner=Team.ODD)
    assert (told_of.number, told_of.level, told_of.finish, told_of.gain) == (
        2,
        level,
        (3, 1, 2, 4),
        3,
    )
    assert told_of.levels[Team.ODD] == level + 3
    assert not told_of.match_won


def test_secrets_do_not_print() -> None:
    t = Table.deal("1: S5 …", "4: SQ …", finish=(1, 2, 3, 4), level="K", tribute_pick="payer")
    payer = private_view(t.match, Seat(4))
    assert repr(payer) == "Private()"
    t.pay(4, "SQ")
    assert repr(redact(t.event(GiftChosen), Seat(4))) == "Chosen(seat=4)"
