"""Suggestions for people: legal, ordered, with a reason, and what `club` would do among them."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from attrs import evolve

from guandan_bots.hints import HINTS_MAX, Suggestions, suggest
from guandan_bots.policy import Pass, policy
from guandan_bots.reasons import HintReason
from guandan_bots.review import COSTS
from guandan_engine.moves import Offer
from guandan_engine.views import PhaseName
from tests.bots.games import TABLES, allowed, decisions
from tests.bots.table import RULES, said, seat


def hinted(*args: Any, **named: Any) -> dict[str, str]:
    """What is suggested, in order, and why; the recommended one has a star."""
    found = suggest(seat(*args, **named), RULES)
    return {
        said(hint.choice) + "*" * (place == found.best): hint.reason
        for place, hint in enumerate(found.hints)
    }


@pytest.mark.parametrize("table", TABLES)
def test_hints_are_legal_and_ordered_and_the_best_is_what_club_does(table: str) -> None:
    rules = TABLES[table]
    for view in decisions(rules, f"hints/{table}", hands=2):
        found = suggest(view, rules)
        choices = [hint.choice for hint in found.hints]
        assert 0 < len(choices) <= HINTS_MAX
        assert all(allowed(view, rules, choice) for choice in choices), view
        assert choices[found.best] == policy("club").choose(view, rules, Random(1))
        assert not any(isinstance(choice, Pass) for choice in choices[1:])
        offers = [choice for choice in choices if isinstance(choice, Offer)]
        assert len({offer.reading for offer in offers}) == len(offers)
        bombs = [offer.reading.tier > 0 for offer in offers]
        assert bombs == sorted(bombs)


def test_of_what_is_recommended_it_is_told_what_speaks_for_it() -> None:
    reasons = set()
    for view in decisions(TABLES["site"], "for it", hands=6):
        found = suggest(view, TABLES["site"])
        best = found.hints[found.best]
        if isinstance(best.choice, Offer):
            reasons.add(best.reason)
    assert not reasons & COSTS
    assert {HintReason.LEAST_HARM, HintReason.WORTH_BOMB} <= reasons


def test_the_rest_is_said_to_run_out_only_where_the_lead_is_won() -> None:
    """A jack takes no trick from hands of twenty cards, whatever would be possible after it."""
    found = hinted("SJ S5 H5 C5 D5 S9 H9 C9 D9", over="single-8", left={2: 20, 4: 20})
    assert found["single-J*"] == "cheapest_that_beats"
    assert found["bomb-4-5"] == "runs_out"


@pytest.mark.parametrize("phase", PhaseName)
def test_nothing_is_suggested_to_whom_nothing_is_asked(phase: PhaseName) -> None:
    view = seat("S5 H5 S9")
    public = evolve(view.public, phase=phase, asked=())
    assert suggest(evolve(view, public=public), RULES) == Suggestions((), -1)


def test_cheapest_first_and_bombs_last() -> None:
    assert list(hinted("S6 D9 SQ HQ Y S3 H3 C3 D3", over="single-4")) == [
        "single-6*",
        "single-9",
        "single-Q",
        "single-Y",
        "bomb-4-3",
    ]


def test_answers_say_what_they_cost() -> None:
    assert hinted("S6 D9 SQ HQ Y S5 H5 C5 D5", over="single-4") == {
        "single-6*": "cheapest_that_beats",
        "single-9": "keeps_groups",
        "single-Y": "takes_lead",
        "single-Q": "breaks_pair",
        "single-5": "breaks_bomb",
        "bomb-4-5": "bomb",
    }
    assert hinted("S6 D9 SQ HQ DQ", over="single-4")["single-Q"] == "breaks_triple"
    assert hinted("H2 S6 C3 D3 SK", over="single-Q")["single-2"] == "uses_wild"


def test_a_pass_has_its_reason() -> None:
    assert hinted("S3 S4 C9", over="pair-K") == {"pass*": "nothing_beats"}
    triple = hinted("S9 H9 C9 S3 D4 C6 HQ", over="full_house-5")
    assert triple == {"pass*": "nothing_beats"}
    assert hinted("S5 H5 C5 D5 S3 C4 S9 D9 HJ", over="single-A", by=3)["pass*"] == "partner_winning"
    long = "S5 H5 C5 D5 S9 D9 HJ C4 S3 CQ D8 SA CK DT"
    assert hinted(long, over="pair-K") == {"pass*": "saves_bombs", "bomb-4-5": "only_bombs_beat"}
    assert hinted("S7 C7 D8 S8 H9 C9 S3 D4", over="single-6")["pass*"] == "saves_groups"
    strong = "X Y S3 C3 C4 D4 S5 C5 S8 H8 D8 S9 C9 SQ DQ"
    assert hinted(strong, over="single-A")["pass*"] == "saves_control"


def test_a_pass_is_suggested_only_where_it_is_advisable() -> None:
    assert "pass" not in hinted("S6 D9 SQ HQ", over="single-4")
    small = hinted("S5 H5 C5 D5 S3 C9 SK DK", over="single-4", by=3)
    assert small["pass"] == "partner_winning"
    assert small["single-9*"] == "cheapest_that_beats"


def test_the_end_is_named() -> None:
    assert hinted("SK", over="single-Q", by=3) == {"single-K*": "goes_out"}
    assert hinted("S5 H5 C5 D5 S9 D9", over="pair-K", left={2: 9, 4: 9})["bomb-4-5*"] == "runs_out"
    assert hinted("Y S6 H6 C6")["single-Y*"] == "runs_out"


def test_the_others_last_cards_are_named() -> None:
    hand = "S3 C4 S9 D9 HJ CQ"
    assert hinted(hand, left={2: 1})["pair-9*"] == "opponent_nearly_out"
    assert hinted(hand, left={3: 1})["single-3*"] == "partner_nearly_out"
    found = hinted("S3 C4 HK DA S9 D9", over="single-5", left={2: 1})
    assert found["single-A*"] == "opponent_nearly_out"
    assert found["single-K"] == "cheapest_that_beats"
    long = "S5 H5 C5 D5 S9 D9 HJ C4 S3 CQ D8 SA CK DT"
    assert hinted(long, over="pair-K", left={4: 2})["bomb-4-5*"] == "opponent_nearly_out"


def test_leads_have_their_reasons() -> None:
    found = hinted("H2 S3 C4 D5 H6 C7 S9 D9 CJ SA CA Y S8 H8 C8 D8")
    assert found["straight-7*"] == "leads_longest"
    assert found["single-J"] == "leads_high"
    assert found["single-Y"] == "leads_strong"
    assert found["bomb-4-8"] == "bomb"
    assert found["single-3"] == "breaks_run"


def test_the_only_answer_says_so() -> None:
    assert hinted("S3 S9 D9 C4 HJ", over="pair-6") == {"pair-9*": "only_play"}


def test_gifts_are_suggested() -> None:
    assert hinted("SA DA SK SQ SJ ST", paying="SA DA") == {
        "DA*": "saves_flush",
        "SA": "breaks_bomb",
    }
    assert hinted("X SA", paying="X") == {"X*": "forced_gift"}
    found = hinted("S3 C6 D9 SQ HQ", returning="S3 C6 D9", gift="3 SA")
    assert found == {"S3": "helps_partner", "C6": "helps_partner", "D9*": "helps_partner"}


def test_every_reason_is_given_somewhere() -> None:
    """A reason that no situation gives would be a sentence nobody ever reads."""
    seen = set()
    for table in ("free", "strict", "tournament"):
        for view in decisions(TABLES[table], table, hands=4):
            seen |= {hint.reason for hint in suggest(view, TABLES[table]).hints}
    rare = {HintReason.SAVES_FLUSH, HintReason.EQUAL_GIFT, HintReason.FORCED_GIFT}
    assert set(HintReason) - seen <= rare
