"""What each option is worth, and why."""

from __future__ import annotations

import pytest

from guandan_bots.basic import STYLE
from guandan_bots.judgement import CANDIDATES_MAX, Judgement, Option
from guandan_bots.reasons import HintReason
from guandan_engine.moves import legal_plays
from guandan_engine.notation import parse_reading
from guandan_engine.views import PhaseName, SeatView
from tests.bots.games import TABLES, decisions
from tests.bots.table import RULES, said, seat


def judged(view: SeatView) -> Judgement:
    return Judgement(view, RULES, STYLE)


def options(view: SeatView) -> dict[str, Option]:
    """The options by what they are; the cheapest of each reading."""
    found: dict[str, Option] = {}
    for option in sorted(judged(view).options, key=lambda one: one.damage):
        found.setdefault(said(option.offer) if option.offer else "pass", option)
    return found


def test_who_cannot_beat_passes() -> None:
    found = judged(seat("S3 S4 C9", over="pair-K"))
    assert [option.motive for option in found.options] == [HintReason.NOTHING_BEATS]
    assert found.best.offer is None


def test_who_can_go_out_goes_out() -> None:
    found = judged(seat("H2 S3 S4 S6 S7"))
    assert [(said(option.offer), option.motive) for option in found.options if option.offer] == [
        ("straight_flush-7", HintReason.GOES_OUT)
    ]


def test_a_loser_shed_is_a_gain_and_a_control_spent_a_loss() -> None:
    found = options(seat("S3 C4 D9 Y S5 H5 C5 D5", over="single-2", level="A"))
    assert found["single-3"].damage < found["single-9"].damage < 0
    assert 0 < found["single-Y"].damage < found["bomb-4-5"].damage


def test_a_play_that_breaks_a_group_costs_more_than_itself() -> None:
    view = seat("S3 C4 SJ HJ S8 H8 D8 CQ", over="single-2", level="A")
    judgement = judged(view)
    by_text = options(view)
    assert judgement.breakage(by_text["single-Q"]) == pytest.approx(0)
    assert judgement.breakage(by_text["single-J"]) > 0.5
    assert judgement.breakage(by_text["single-8"]) > judgement.breakage(by_text["single-J"])


def test_a_play_on_the_partners_is_the_last_thing_to_do() -> None:
    found = options(seat("SA DK S9 S5 H5 C5 D5", over="single-Q", by=3))
    assert found["bomb-4-5"].score < -50
    assert found["single-A"].score < found["pass"].score


def test_an_opponents_last_cards_are_a_threat() -> None:
    judgement = judged(seat("S3 C4 SJ HJ", left={2: 1, 4: 2}))
    single, pair, high = (parse_reading(text) for text in ("single-3", "pair-J", "single-Y"))
    assert judgement.threat(single, (1, 2)) > 0.5
    assert judgement.threat(pair, (1, 2)) < judgement.threat(single, (1, 2))
    assert judgement.threat(high, (1, 2)) == 0
    assert judgement.threat(single, (7, 8)) == 0


def test_bombs_may_fall_on_anything_but_bombs() -> None:
    judgement = judged(seat("S3 C4 SJ HJ"))
    joker = parse_reading("single-Y")
    assert judgement.chances.holds(joker) == 1 > judgement.stands(joker)
    assert judgement.stands(parse_reading("joker_bomb")) == 1


def test_a_rest_that_runs_out_is_worth_more() -> None:
    view = seat("S5 H5 C5 D5 S9 D9 SK", over="pair-8")
    assert options(view)["bomb-4-5"].motive is None
    view = seat("S5 H5 C5 D5 S9 D9", over="pair-K")
    assert options(view)["bomb-4-5"].motive is HintReason.RUNS_OUT


def test_whatever_is_weighed_is_legal_and_something_always_is() -> None:
    for view in decisions(TABLES["site"], "judged", hands=3):
        if view.public.phase not in {PhaseName.LEADING, PhaseName.FOLLOWING}:
            continue
        judgement = judged(view)
        plays = legal_plays(view.private.hand, view.public.level, RULES, view.public.top)
        offers = [option.offer for option in judgement.options]
        assert offers
        assert all(offer in plays for offer in offers if offer is not None)
        assert (None in offers) <= (view.public.top is not None)
        assert len(offers) <= CANDIDATES_MAX + 12


def test_leads_keep_straight_flushes_whole() -> None:
    """A pair of threes could be taken from the flush, too; the plan's own are."""
    found = options(seat("S3 S4 S5 S6 S7 H3 D3 H9"))
    pair = found["pair-3"].offer
    assert pair is not None
    assert said(pair) == "pair-3"
    assert all(card % 4 for card in pair.cards)  # no spade


def test_a_straight_held_in_one_suit_only_is_not_offered_as_plain() -> None:
    found = options(seat("S3 S4 S5 S6 S7 H9"))
    assert "straight-7" not in found
    assert "straight_flush-7" in found
