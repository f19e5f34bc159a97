"""Contests: everything about a deal follows from its number, and failures count."""

from __future__ import annotations

from guandan_bots.arena import play_deal
from guandan_bots.contest import RULES, Contest, Deal, played, standing
from guandan_bots.policy import policy

CONTEST = Contest("basic", "random", seed="contest")


def test_a_deal_is_played_twice_with_the_teams_swapped() -> None:
    deal = CONTEST.play(3)
    assert deal.number == 3
    assert deal.gains == play_deal(policy("basic"), policy("random"), RULES, "contest", 3)
    assert all(len(times) > 10 for times in deal.us)
    assert deal.fallbacks == (0, 0)


def gains(deals: list[Deal]) -> dict[int, tuple[int, int]]:
    return {deal.number: deal.gains for deal in deals}


def test_the_result_does_not_depend_on_the_number_of_workers() -> None:
    contest = Contest("basic", "club:team=0", seed="workers")
    alone = list(played(contest, range(5), workers=1))
    together = list(played(contest, range(5), workers=2))
    assert [deal.number for deal in alone] == [0, 1, 2, 3, 4]
    assert gains(alone) == gains(together)
    assert len(set(gains(alone).values())) > 1


def test_no_deal_is_no_work() -> None:
    assert list(played(CONTEST, [], workers=2)) == []


def test_what_deals_say() -> None:
    deals = [
        Deal(0, gains=(3, -1), us=((1000, 2000), (5,)), fallbacks=(1, 0)),
        Deal(1, gains=(3, 3), us=((3000,), (7, 9)), fallbacks=(1, 0)),
    ]
    found = standing(CONTEST, deals)
    assert (found.deals, found.net_levels, found.net_levels_error) == (2, 2.0, 1.0)
    assert (found.firsts, found.firsts_error) == (0.75, 0.25)
    assert (found.one.name, found.one.decisions, found.one.fallbacks) == ("basic", 3, 2)
    assert (found.one.p50_ms, found.one.p95_ms, found.one.max_ms) == (2.0, 3.0, 3.0)
    assert (found.other.name, found.other.p50_ms, found.other.fallbacks) == ("random", 0.007, 0)
    assert found.plain()["other"]["decisions"] == 3


def test_one_deal_tells_nothing_of_the_error() -> None:
    found = standing(CONTEST, [CONTEST.play(0)])
    assert (found.net_levels_error, found.firsts_error) == (None, None)
