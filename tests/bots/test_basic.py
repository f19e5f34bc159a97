"""What sensible Guandan is, one situation after another.

The hands are seat 1's, at level 2; seats 2 and 4 are its opponents, and 4 has played last.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from guandan_bots.arena import compare
from guandan_bots.basic import BasicPolicy
from guandan_bots.policy import policy
from guandan_engine.options import rules
from guandan_engine.views import SeatView
from tests.bots.table import RULES, cards_of, said, seat


def plays(view: SeatView) -> str:
    return said(BasicPolicy().choose(view, RULES, Random(1)))


def lays(view: SeatView) -> str:
    return cards_of(BasicPolicy().choose(view, RULES, Random(1)))


def test_it_does_not_bomb_its_partner() -> None:
    assert plays(seat("S5 H5 C5 D5 S3 C4 S9 D9 HJ", over="single-A", by=3)) == "pass"


def test_it_puts_small_cards_on_its_partners_small_ones() -> None:
    assert plays(seat("S5 H5 C5 D5 S3 C9 SK DK", over="single-4", by=3)) == "single-9"


def test_it_leaves_its_partners_strong_plays_alone() -> None:
    hand = "S5 H5 C5 D5 S3 C9 DA SK DK"
    assert plays(seat(hand, over="single-K", by=3)) == "pass"
    assert plays(seat(hand, over="single-K", by=4)) == "single-A"


def test_it_goes_out_over_anybody() -> None:
    assert plays(seat("S5 H5 C5 D5", over="single-A", by=3)) == "bomb-4-5"
    assert plays(seat("SK", over="single-Q", by=3)) == "single-K"


def test_it_beats_its_partner_when_an_opponent_would_go_out_on_it() -> None:
    hand = "SK HA S3 C3 D3 S4 C4 D5 C6 D7"
    assert plays(seat(hand, over="single-4", by=3, left={2: 1})) == "single-A"


def test_it_follows_with_what_is_loose() -> None:
    hand = "S6 C6 D6 S7 C7 C9 HQ CQ"
    assert plays(seat(hand, over="single-5")) == "single-9"


def test_it_breaks_nothing_to_follow() -> None:
    assert plays(seat("S7 C7 D8 S8 H9 C9 S3 D4", over="single-5")) == "pass"


def test_it_keeps_a_straight_flush_together() -> None:
    hand = "S3 S4 S5 S6 S7 C4 D6 H9 C9 D9"
    assert lays(seat(hand, over="single-5")) == "D6"
    assert lays(seat("S3 S4 S5 S6 S7 D7 HK CK", over="single-6")) == "D7"


def test_the_pair_of_a_full_house_is_the_one_that_hurts_least() -> None:
    assert lays(seat("S9 H9 C9 S4 H4 SK DK S3 CJ", over="full_house-5")) == "S4 H4 S9 H9 C9"
    tube = "S9 H9 C9 S4 H4 S5 H5 C6 D6 SK DK S3 CJ"
    assert lays(seat(tube, over="full_house-5")) == "S9 H9 C9 SK DK"


LONG = "S5 H5 C5 D5 S9 D9 HJ C4 S3 CQ D8 SA CK DT"


def test_it_saves_its_bombs_at_first() -> None:
    assert plays(seat(LONG, over="pair-K")) == "pass"


@pytest.mark.parametrize("left", [{4: 2}, {2: 3}], ids=str)
def test_it_bombs_when_an_opponent_is_about_to_finish(left: Mapping[int, int]) -> None:
    assert plays(seat(LONG, over="pair-K", left=left)) == "bomb-4-5"


def test_it_bombs_when_it_can_run_out() -> None:
    assert plays(seat("S5 H5 C5 D5 S9 D9", over="pair-K")) == "bomb-4-5"


def test_it_takes_its_weakest_bomb() -> None:
    hand = "S5 H5 C5 D5 S8 H8 C8 D8 S3 D9"
    assert plays(seat(hand, over="pair-K", by=2, left={2: 2})) == "bomb-4-5"


def test_it_saves_wilds_and_jokers_while_others_can_beat_that() -> None:
    hand = "H2 X Y S3 C3 C4 D4 S5 C5 S8 H8 D8 S9 C9 SQ DQ"
    assert plays(seat(hand, over="single-6")) == "pass"
    assert plays(seat(hand, over="single-6", left={2: 1})) == "single-Y"


def test_it_gives_a_wild_to_a_bomb_before_anything_else() -> None:
    hand = "H2 S7 C7 D7 S3 H3 D9 DJ"
    assert plays(seat(hand, over="single-A", left={4: 2})) == "bomb-4-7"


def test_it_blocks_an_opponent_with_one_card() -> None:
    hand = "S3 C4 HK DA S9 D9"
    assert plays(seat(hand, over="single-5")) == "single-K"
    assert plays(seat(hand, over="single-5", left={2: 1})) == "single-A"


def test_it_leads_no_single_to_an_opponent_with_one_card() -> None:
    hand = "S3 C4 S9 D9 HJ CQ"
    assert plays(seat(hand, left={2: 1})) == "pair-9"
    assert plays(seat("S3 C5 H7 CQ", left={2: 1})) == "single-Q"


def test_it_leads_no_pair_to_an_opponent_with_two() -> None:
    hand = "S3 C3 H6 D6 S9 C9 DT"
    assert plays(seat(hand, left={2: 2})) == "single-T"


def test_it_leads_what_its_partner_can_go_out_on() -> None:
    hand = "S3 C4 S9 D9 S6 HJ CQ SA"
    assert plays(seat(hand, left={3: 1})) == "single-3"
    assert plays(seat(hand, left={3: 2})) == "pair-9"
    assert plays(seat(f"{hand} D3 C6", left={3: 2})) == "pair-3"


def test_it_begins_with_low_groups_of_many_cards() -> None:
    hand = "S3 C4 D5 H6 C7 S9 D9 HJ CJ CQ SA CA Y X"
    assert plays(seat(hand)) == "straight-7"


def test_it_runs_out_winners_first() -> None:
    assert plays(seat("Y Y C3 D3")) in {"pair-Y", "single-Y"}


def test_with_a_bomb_behind_it_leads_the_loser() -> None:
    assert plays(seat("S6 H6 C6 D6 C3 D3")) == "pair-3"


def test_of_equal_tributes_it_gives_what_no_flush_needs() -> None:
    assert plays(seat("SA DA DK DQ DJ DT S5 C5", paying="SA DA")) == "SA"
    assert plays(seat("SA DA SK SQ SJ ST D5 C5", paying="SA DA")) == "DA"
    assert plays(seat("X DA SK", paying="X")) == "X"


RETURN: dict[str, Any] = {"returning": "S3 S5 D5 C9 S8 H8 C8"}
HAND = "S3 S5 D5 C9 SJ HJ SA DK CK S8 H8 C8"


def test_it_returns_a_useless_card() -> None:
    assert plays(seat(HAND, **RETURN, gift="4 SA")) == "S3"


def test_its_partner_gets_a_better_useless_card() -> None:
    assert plays(seat(HAND, **RETURN, gift="3 SA")) == "C9"


def test_it_returns_nothing_of_a_run() -> None:
    hand = "S4 C5 D6 H7 C8 ST CT SA"
    assert plays(seat(hand, returning="S4 C5 D6 H7 C8 ST CT", gift="4 SA")) in {"ST", "CT"}


def test_where_any_card_may_go_back_the_strong_ones_stay() -> None:
    hand = "S3 S5 D5 SJ HJ SA DK CK H2 X"
    free = "S3 S5 D5 SJ HJ DK CK SA H2 X"
    assert plays(seat(hand, returning=free, gift="4 SA")) == "S3"


def test_it_does_not_count_what_has_been_played() -> None:
    """A queen wins once aces, kings and jokers are gone; that is for others to know."""
    gone = {
        2: "SK SK HK HK CK CK DK DK X X",
        3: "SA SA HA HA CA CA DA DA Y Y",
        4: "S2 S2 H2 H2 C2 C2 D2 D2",
    }
    assert plays(seat("SQ D3", played=gone)) == plays(seat("SQ D3")) == "single-3"


def test_it_beats_the_yardstick() -> None:
    table = rules("site", {"first_lead": "random"})
    found = compare(policy("basic"), policy("random"), table, deals=40, seed="yardstick")
    assert found.hands_won >= 0.95, found
    assert found.net_levels > 2.5, found
