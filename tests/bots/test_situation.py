"""The table, taken apart as one seat sees it."""

from __future__ import annotations

from guandan_bots.situation import Situation
from guandan_engine.cards import Rank
from guandan_engine.notation import parse_cards
from tests.bots.games import TABLES, decisions
from tests.bots.table import seat


def test_it_knows_who_sits_where() -> None:
    table = Situation(seat("S3", left={2: 5, 3: 9, 4: 12}))
    assert (table.opponents, table.partner, table.nearest) == ((5, 12), 9, 5)
    assert table.top is None
    assert not table.by_partner


def test_who_is_out_is_not_near() -> None:
    assert Situation(seat("S3", left={2: 0, 4: 12})).nearest == 12


def test_a_hidden_count_is_what_has_not_been_played() -> None:
    table = Situation(seat("S3", left={2: None}, played={2: "S5 H5 C5 D5"}))
    assert table.opponents == (23, 27)


def test_those_between_me_and_the_play_have_not_answered_it() -> None:
    left = {2: 5, 3: 9, 4: 12}
    by_next = Situation(seat("S3", over="single-4", by=2, left=left))
    assert (by_next.to_answer, by_next.partner_answers, by_next.by_partner) == ((), False, False)
    by_partner = Situation(seat("S3", over="single-4", by=3, left=left))
    assert (by_partner.to_answer, by_partner.partner_answers) == ((5,), False)
    assert by_partner.by_partner
    by_previous = Situation(seat("S3", over="single-4", by=4, left=left))
    assert (by_previous.to_answer, by_previous.partner_answers) == ((5,), True)


def test_who_is_out_does_not_answer() -> None:
    table = Situation(seat("S3", over="single-4", by=4, left={2: 0, 3: 0}))
    assert table.to_answer == ()
    assert not table.partner_answers


def test_hidden_is_what_nobody_has_shown() -> None:
    table = Situation(seat("S3 S3 X", played={2: "D3 DA", 4: "CA Y Y"}))
    ranks = table.hidden.ranks
    assert sum(ranks) == 108 - 3 - 5
    assert (ranks[Rank.THREE], ranks[Rank.ACE], ranks[Rank.KING]) == (5, 6, 8)
    assert (ranks[Rank.SMALL_JOKER], ranks[Rank.BIG_JOKER]) == (1, 0)


def test_what_is_hidden_is_in_the_other_hands() -> None:
    for view in decisions(TABLES["site"], "hidden", hands=2):
        table = Situation(view)
        assert table.hand == view.private.hand
        assert sum(table.hidden.ranks) == sum(table.opponents) + table.partner
        assert table.hidden.opponents == table.opponents


def test_a_hand_is_the_seats_own() -> None:
    assert Situation(seat("S3 DA")).hand == parse_cards("S3 DA")
