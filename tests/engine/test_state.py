"""The check that finds our own faults."""

from __future__ import annotations

import pytest
from attrs import evolve

from guandan_engine.cards import NO_CARDS, Cards
from guandan_engine.errors import InvariantBroken
from guandan_engine.notation import parse_cards
from guandan_engine.options import rules
from guandan_engine.phases import Waiting
from guandan_engine.scoring import Standing
from guandan_engine.seats import Seat
from guandan_engine.state import NO_DEAL, NO_HANDS, Match, check, new_match, played_by
from tests.engine.table import Table


def test_a_new_match() -> None:
    match = new_match(rules("house"))
    assert match == Match(rules("house"), Standing.start(), NO_DEAL, NO_HANDS, Waiting(), 0)
    check(match)


def test_what_a_seat_has_played() -> None:
    t = Table.deal("1: S5 H5 …").play(1, "S5 H5")
    assert played_by(t.match, Seat(1)) == parse_cards("S5 H5")
    assert played_by(t.match, Seat(2)) == NO_CARDS


def broken(match: Match, says: str) -> None:
    with pytest.raises(InvariantBroken, match=says):
        check(match)


def test_cards_out_of_nowhere() -> None:
    match = Table.deal("1: S5", "2: S6 S6 …").match
    stolen = (parse_cards("S5 S6"), *match.hands[1:])
    broken(evolve(match, hands=stolen), "seat 1 holds cards that it never had")


def test_a_pack_that_is_not_whole() -> None:
    match = Table.deal("1: S5 …").match
    one, two, three, four = match.deal.hands
    fewer = one - Cards.of([next(iter(one))])
    deal = evolve(match.deal, hands=(fewer, two, three, four))
    broken(evolve(match, deal=deal, hands=(NO_CARDS, *match.hands[1:])), "107 cards were dealt")


def test_a_hand_that_should_be_over() -> None:
    match = Table.deal("1:", "2:", "3: S5", leader=3, out=[1, 2]).match
    empty = (NO_CARDS, NO_CARDS, NO_CARDS, match.hands[3])
    broken(evolve(match, hands=empty), "3 seats are out and the hand goes on")


def test_secrets_do_not_print() -> None:
    text = repr(Table.deal("1: S5 …").match)
    assert "S5" not in text
    assert "seed" not in text
    assert "hands" not in text
