"""Offline matches: they end, they can be played again, and they compare fairly."""

from __future__ import annotations

from random import Random

import pytest
from attrs import evolve

from guandan_bots import arena
from guandan_bots.arena import Comparison, Timed, compare, play_hand, play_match
from guandan_bots.policy import PASS, POLICIES, Choice, policy
from guandan_engine.cards import Cards, Rank
from guandan_engine.errors import IllegalCommand, Reason
from guandan_engine.options import PRESETS, Rules
from guandan_engine.seats import SEATS, Team
from guandan_engine.views import SeatView
from tests.bots.levels import quick

RULES = Rules(first_lead="random")

BASIC, RANDOM = policy("basic"), policy("random")


class Silent:
    """Passes, which a leader may not."""

    name = "silent"

    def choose(self, view: SeatView, rules: Rules, rng: Random) -> Choice:
        del view, rules, rng
        return PASS


def test_a_hand_is_played_to_its_end() -> None:
    outcome = play_hand((BASIC,) * 4, RULES, "one", level=Rank.NINE)
    assert sorted(outcome.finish) == list(SEATS)
    assert outcome.after.levels[outcome.winner] == Rank.NINE + outcome.gain
    assert outcome.after.levels[outcome.winner.other] == Rank.NINE


def test_a_seed_is_a_hand() -> None:
    hands = [play_hand((BASIC, RANDOM) * 2, RULES, seed) for seed in ("a", "a", "b", "c", "d")]
    assert hands[0] == hands[1]
    assert len({hand.finish for hand in hands}) > 1


@pytest.mark.parametrize("preset", PRESETS)
def test_a_match_is_played_to_its_end(preset: str) -> None:
    result = play_match((BASIC, RANDOM) * 2, PRESETS[preset], "match")
    assert result.winner is Team.ODD
    assert result.outcomes[-1].match_won
    assert not any(outcome.match_won for outcome in result.outcomes[:-1])


class Watching:
    """Another policy, and the hands that it was dealt, by number."""

    name = "watching"

    def __init__(self, level: str) -> None:
        self._policy = quick(level)
        self.hands: dict[int, Cards] = {}

    def choose(self, view: SeatView, rules: Rules, rng: Random) -> Choice:
        if len(view.private.hand) == 27:
            self.hands[view.public.hand] = view.private.hand
        return self._policy.choose(view, rules, rng)


def test_what_policies_draw_does_not_change_the_deals() -> None:
    watching = [Watching(level) for level in POLICIES]
    for one in watching:
        play_match((one, BASIC, BASIC, BASIC), evolve(RULES, tribute=False), "deals")
    first, *others = (one.hands for one in watching)
    for other in others:
        both = first.keys() & other.keys()
        assert len(both) > 1
        assert all(first[hand] == other[hand] for hand in both)


def test_a_match_that_does_not_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena, "HANDS_MAX", 1)
    result = play_match((BASIC, RANDOM) * 2, RULES, "match")
    assert (result.winner, len(result.outcomes)) == (None, 1)


def test_a_policy_is_as_good_as_itself() -> None:
    found = compare(BASIC, policy("basic"), RULES, deals=5, seed="self")
    assert found == Comparison(deals=5, hands_won=0.5, net_levels=0, error=0)
    assert str(found) == "50.0% of 10 hands, +0.00 ± 0.00 levels a hand"


def test_what_one_gains_the_other_loses() -> None:
    one = compare(BASIC, RANDOM, RULES, deals=4, seed="mirror")
    other = compare(RANDOM, BASIC, RULES, deals=4, seed="mirror")
    assert one.net_levels > 0 > other.net_levels
    assert one.hands_won > 0.5 > other.hands_won


def test_one_deal_is_not_enough() -> None:
    with pytest.raises(ValueError, match="two deals"):
        compare(BASIC, RANDOM, RULES, deals=1, seed="few")


def test_an_illegal_choice_is_the_policys_fault() -> None:
    with pytest.raises(IllegalCommand) as refused:
        play_hand((Silent(),) * 4, RULES, "silent")
    assert refused.value.reason is Reason.LEADER_MUST_PLAY


def test_time_is_kept() -> None:
    timed = Timed(BASIC)
    assert timed.name == "basic"
    outcome = play_hand((timed, RANDOM, timed, RANDOM), RULES, "timed")
    assert outcome == play_hand((BASIC, RANDOM) * 2, RULES, "timed")
    assert len(timed.times_ns) > 10
    assert 0 < timed.quantile_ms(0.5) <= timed.quantile_ms(0.99) <= timed.quantile_ms(1)
