"""What good Guandan is, one situation after another.

The hands are seat 1's, at level 2; seats 2 and 4 are its opponents, and 4 has played last.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from attrs import evolve

from guandan_bots.arena import compare
from guandan_bots.club.policy import ClubPolicy
from guandan_bots.club.seeing import table_of
from guandan_bots.club.style import ClubStyle
from guandan_bots.contest import RULES as ARENA_RULES
from guandan_bots.policy import policy
from guandan_engine.cards import FULL_PACK, Rank
from guandan_engine.notation import cards_text, parse_card, parse_cards
from guandan_engine.options import Rules
from guandan_engine.seats import Seat
from guandan_engine.tribute import Gift
from guandan_engine.views import SeatView
from tests.bots.games import decisions
from tests.bots.table import RULES, cards_of, said, seat

STYLE = ClubStyle()


def plays(view: SeatView, style: ClubStyle = STYLE) -> str:
    return said(ClubPolicy(style).choose(view, RULES, Random(1)))


def lays(view: SeatView) -> str:
    return cards_of(ClubPolicy().choose(view, RULES, Random(1)))


# The partner.


def test_it_does_not_beat_its_partner_without_need() -> None:
    hand = "S5 H5 C5 D5 S3 C9 DA SK DK HJ C8"
    assert plays(seat(hand, over="single-K", by=3)) == "pass"
    assert plays(seat(hand, over="single-K", by=4)) == "single-A"
    assert plays(seat("S5 H5 C5 D5 S3 C4 S9 D9 HJ", over="single-A", by=3)) == "pass"


def test_it_goes_out_over_anybody() -> None:
    assert plays(seat("S5 H5 C5 D5", over="single-A", by=3)) == "bomb-4-5"
    assert plays(seat("SK", over="single-Q", by=3)) == "single-K"


def test_it_feeds_its_partner() -> None:
    hand = "S3 C4 S9 D9 S6 HJ CQ SA"
    assert plays(seat(hand, left={3: 1})) == "single-3"
    assert plays(seat(f"{hand} D3 C6", left={3: 2})) == "pair-3"


# Opponents near the end.


def test_it_chokes_an_opponent_with_one_card() -> None:
    assert plays(seat("S3 C4 S9 D9 HJ CQ", left={2: 1})) == "pair-9"
    assert plays(seat("S3 C5 H7 CQ", left={2: 1})) == "single-Q"


def test_it_chokes_an_opponent_with_two() -> None:
    assert not plays(seat("S3 C3 H6 D6 S9 C9 DT", left={2: 2})).startswith("pair")


def test_it_blocks_an_opponent_with_one_card() -> None:
    hand = "S3 C4 HK DA S9 D9 S5 C7"
    assert plays(seat(hand, over="single-5", left={2: 1})) == "single-A"


LONG = "S5 H5 C5 D5 S9 D9 HJ C4 S3 CQ D8 SA CK DT"


def test_it_keeps_its_bombs_at_first() -> None:
    assert plays(seat(LONG, over="pair-K")) == "pass"


@pytest.mark.parametrize("left", [{4: 1}, {4: 2}], ids=str)
def test_it_spends_its_last_bomb_to_stop_a_finish(left: Mapping[int, int]) -> None:
    assert plays(seat(LONG, over="pair-K", left=left)) == "bomb-4-5"


def test_it_bombs_when_it_can_run_out() -> None:
    assert plays(seat("S5 H5 C5 D5 S9 D9", over="pair-K", left={2: 9, 4: 9})) == "bomb-4-5"


# Its own hand.


def test_it_follows_with_what_is_loose() -> None:
    assert plays(seat("S6 C6 D6 S7 C7 C9 HQ CQ", over="single-5")) == "single-9"


def test_it_keeps_a_straight_flush_together() -> None:
    assert lays(seat("S3 S4 S5 S6 S7 C4 D6 H9 C9 D9", over="single-5")) == "D6"


def test_it_begins_with_low_groups_of_many_cards() -> None:
    hand = "S3 C4 D5 H6 C7 S9 D9 HJ CJ CQ SA CA Y X"
    assert plays(seat(hand)) == "straight-7"


def test_it_leads_the_loser_with_a_bomb_behind_it() -> None:
    assert plays(seat("S6 H6 C6 D6 C3 D3", left={2: 9, 4: 9})) == "pair-3"


def test_it_runs_out_with_the_large_group_first() -> None:
    """A joker left alone goes out on anything; five cards left alone draw every bomb."""
    assert plays(seat("H6 C7 H8 D9 HT X", left={2: 22, 3: 14, 4: 7})) == "straight-T"


# What it remembers.


def test_it_counts_what_has_been_played() -> None:
    gone = {
        2: "SK SK HK HK CK CK DK DK X X",
        3: "SA SA HA HA CA CA DA DA Y Y",
        4: "S2 S2 H2 H2 C2 C2 D2 D2",
    }
    table = table_of(seat("SQ D3", played=gone), STYLE)
    assert table.unseen >> 4 * 11 == 0
    assert table_of(seat("SQ D3", played=gone), evolve(STYLE, memory=0)).unseen >> 4 * 11 > 0


def with_gift(view: SeatView, recipient: int, card: str) -> SeatView:
    gift = Gift(donor=Seat(4), recipient=Seat(recipient), card=parse_card(card))
    return evolve(view, public=evolve(view.public, gifts=(gift,)))


def test_it_knows_which_card_its_partner_got() -> None:
    view = seat("SQ D3")
    usual = table_of(view, STYLE).unseen
    assert usual - table_of(with_gift(view, 3, "SA"), STYLE).unseen == 1 << 4 * 12
    assert table_of(with_gift(view, 2, "SA"), STYLE).unseen == usual
    gone = with_gift(seat("SQ D3", played={3: "SA"}), 3, "SA")
    assert table_of(gone, STYLE).unseen == usual - (1 << 4 * 12)


def test_without_a_team_the_partner_is_an_opponent() -> None:
    table = table_of(seat("SQ D3", over="single-5", by=3, left={3: 1}), STYLE)
    assert (table.by, table.partner, table.partner_answers) == (2, 1, False)
    lonely = table_of(seat("SQ D3", over="single-5", by=3, left={3: 1}), evolve(STYLE, team=0))
    assert (lonely.by, lonely.partner, lonely.partner_answers) == (3, 27, False)


def test_counts_that_the_table_hides_are_added_up() -> None:
    view = seat("SQ D3", left={2: None}, played={2: "S5 S6 S7"})
    assert table_of(view, STYLE).after == 24


def test_when_two_are_left_it_counts_the_end_out() -> None:
    """Seat 2 holds 8 and 3: it cannot answer the pair, and then nothing above the eight."""
    hand, other = "D5 S6 H7 D7 DK", "C3 C8"
    view = seat(hand, left={2: 2, 3: 0, 4: 0}, played={4: rest_of(f"{hand} {other}")})
    assert plays(view) == "pair-7"
    assert plays(view, evolve(STYLE, endgame=0)) == "single-5"
    assert table_of(view, evolve(STYLE, memory=0)).other_low == 0


def test_a_gift_that_came_back_is_not_with_the_partner() -> None:
    """It sent the joker on, and both are mine: nobody else can hold one."""
    view = with_gift(seat("Y Y S3"), 3, "Y")
    back = Gift(donor=Seat(3), recipient=Seat(4), card=parse_card("Y"))
    view = evolve(view, public=evolve(view.public, returns=(back,)))
    unseen = table_of(view, STYLE).unseen
    assert unseen >= 0
    assert unseen >> 4 * Rank.BIG_JOKER & 15 == 0
    assert unseen >> 4 * Rank.SMALL_JOKER & 15 == 2


def rest_of(cards: str) -> str:
    """The pack without some cards."""
    return cards_text(FULL_PACK - parse_cards(cards))


# Tribute.

RETURN: dict[str, Any] = {"returning": "S3 S5 D5 C9 S8 H8 C8"}
HAND = "S3 S5 D5 C9 SJ HJ SA DK CK S8 H8 C8"


def test_it_returns_a_useless_card() -> None:
    assert plays(seat(HAND, **RETURN, gift="4 SA")) == "S3"
    assert plays(seat(HAND, **RETURN, gift="3 SA")) == "C9"


def test_of_equal_tributes_it_gives_what_no_flush_needs() -> None:
    assert plays(seat("SA DA DK DQ DJ DT S5 C5", paying="SA DA")) == "SA"


# As a player.


def test_chance_has_no_part_in_it() -> None:
    for view in decisions(Rules(), "club", hands=1):
        first, second = (ClubPolicy().choose(view, Rules(), Random(n)) for n in (1, 2))
        assert first == second


@pytest.mark.parametrize("options", [{}, {"full_house_joker_pair": True, "wild_run_plain": False}])
def test_it_plays_by_other_rules_too(options: dict[str, Any]) -> None:
    table = evolve(ARENA_RULES, **options)
    found = compare(policy("club"), policy("random"), table, deals=3, seed="rules")
    assert found.hands_won == 1.0


def test_it_beats_basic() -> None:
    found = compare(policy("club"), policy("basic"), ARENA_RULES, deals=30, seed="law")
    assert found.net_levels >= 0, found
