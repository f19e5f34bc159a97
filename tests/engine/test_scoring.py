"""Places, levels, attempts at A and the end of a match, against the slow referee."""

from __future__ import annotations

import random
from itertools import permutations
from typing import Any

import pytest

from guandan_engine.notation import level_of, rank_text
from guandan_engine.options import options_of, rules
from guandan_engine.order import LEVELS
from guandan_engine.scoring import (
    Outcome,
    Standing,
    finish_order,
    gain_of,
    hand_is_over,
    settle,
)
from guandan_engine.seats import SEATS, Seat, Team, partner_of
from tests.engine.brute_table import brute_advance

FINISHES = [(Seat(a), Seat(b), Seat(c), Seat(d)) for a, b, c, d in permutations(SEATS)]

SCORING_OPTIONS = {
    "advance_double": (3, 4),
    "a_win_on": ("rank", "own", "any"),
    "a_max_misses": (None, 2, 3),
    "a_miss_scope": ("own", "at_a"),
}


def standing(
    levels: str, owner: str | None, misses: tuple[int, int] = (0, 0), active: str = ""
) -> Standing:
    """`2 A` are the levels of 13 and 24; the active level is the owner's."""
    by_team = dict(zip(Team, map(level_of, levels.split()), strict=True))
    team = None if owner is None else Team(owner)
    rank = level_of(active) if active else by_team[team or Team.ODD]
    return Standing(by_team, rank, team, dict(zip(Team, misses, strict=True)))


def told(outcome: Outcome) -> dict[str, Any]:
    after, over = outcome.after, outcome.match_won
    return {
        "winner_team": outcome.winner.value,
        "gain": outcome.gain,
        "levels": {team.value: rank_text(after.levels[team]) for team in Team},
        "next": None if over else {"rank": rank_text(after.active), "owner": after.owner},
        "match_over": over,
        "match_winner": outcome.winner.value if over else None,
        "misses": {team.value: after.misses[team] for team in Team},
    }


def test_as_the_slow_referee_settles() -> None:
    rng = random.Random(0)
    met = set()
    for _ in range(6000):
        chosen = {name: rng.choice(values) for name, values in SCORING_OPTIONS.items()}
        table = rules("site", chosen)
        some = [*LEVELS[:2], *LEVELS[8:], *3 * LEVELS[-1:]]
        levels = {team: rng.choice(some) for team in Team}
        owner = rng.choice(list(Team))
        most = (table.a_max_misses or 9) - 1
        misses = {team: rng.randint(0, most) for team in Team}
        before = Standing(levels, levels[owner], owner, misses)
        finish = rng.choice(FINISHES)
        outcome = settle(before, finish, table)
        case = {
            "levels": {team.value: rank_text(level) for team, level in levels.items()},
            "active": {"rank": rank_text(levels[owner]), "owner": owner.value},
            "misses": {team.value: n for team, n in misses.items()},
            "finish": list(finish),
        }
        expected = brute_advance(case, options_of(table))
        assert told(outcome) == expected, (case, chosen)
        met |= {outcome.match_won, *outcome.missed, *(f"{t} fell" for t in outcome.fallen)}
        assert set(outcome.fallen) <= set(outcome.missed)
    assert met == {True, False, *Team, "13 fell", "24 fell"}


@pytest.mark.parametrize("finish", FINISHES)
def test_the_places_follow_from_who_went_out(finish: tuple[Seat, ...]) -> None:
    for n in (2, 3):
        out = finish[:n]
        double = partner_of(finish[0]) == finish[1]
        assert hand_is_over(out) == (n == 3 or double)
    assert finish_order(finish[:3]) == finish


def test_places_of_losers_that_still_hold_cards_go_on_in_turn_order() -> None:
    assert finish_order((Seat(1), Seat(3))) == (1, 3, 4, 2)
    assert finish_order((Seat(2), Seat(4))) == (2, 4, 1, 3)
    assert not hand_is_over(())
    assert not hand_is_over((Seat(1), Seat(2)))


def test_a_match_starts_at_two() -> None:
    start = Standing.start()
    assert [rank_text(start.levels[team]) for team in Team] == ["2", "2"]
    assert (rank_text(start.active), start.owner, start.misses[Team.ODD]) == ("2", None, 0)


@pytest.mark.parametrize(
    ("finish", "gain"), [((1, 3, 2, 4), 3), ((1, 2, 3, 4), 2), ((1, 2, 4, 3), 1)]
)
def test_gains(finish: tuple[Seat, Seat, Seat, Seat], gain: int) -> None:
    assert gain_of(finish, rules()) == gain
    assert gain_of(finish, rules("site", {"advance_double": 4})) == (4 if gain == 3 else gain)


def after(before: Standing, finish: str, **options: Any) -> Outcome:
    one, two, three, four = (Seat(int(seat)) for seat in finish)
    return settle(before, (one, two, three, four), rules("site", options))


def test_the_surplus_is_lost_at_ace() -> None:
    outcome = after(standing("Q 2", "13"), "1324")
    assert rank_text(outcome.after.levels[Team.ODD]) == "A"
    assert not outcome.match_won


def test_losers_keep_their_level() -> None:
    outcome = after(standing("5 9", "24"), "1234")
    assert [rank_text(outcome.after.levels[team]) for team in Team] == ["7", "9"]
    assert (rank_text(outcome.after.active), outcome.after.owner) == ("7", Team.ODD)


@pytest.mark.parametrize(
    ("before", "wins"),
    [
        (standing("A 5", "13"), "own rank any"),
        (standing("A A", "24"), "rank any"),
        (standing("A 5", "24"), "any"),
        (standing("K 5", "13"), ""),
    ],
)
def test_which_ace_wins_the_match(before: Standing, wins: str) -> None:
    for option in ("own", "rank", "any"):
        won = option in wins.split()
        assert after(before, "1324", a_win_on=option).match_won == won
        assert after(before, "1234", a_win_on=option).match_won == won
        assert not after(before, "1243", a_win_on=option).match_won  # the partner is last


def test_misses_add_up_and_throw_back_to_two() -> None:
    before = standing("A 5", "13", misses=(1, 0))
    lost = after(before, "2341", a_max_misses=2)
    assert (lost.missed, lost.fallen) == ((Team.ODD,), (Team.ODD,))
    assert rank_text(lost.after.levels[Team.ODD]) == "2"
    assert lost.after.misses[Team.ODD] == 0
    kept = after(before, "2341", a_max_misses=3)
    assert (kept.fallen, kept.after.misses[Team.ODD]) == ((), 2)
    counted = after(before, "2341")
    assert (counted.fallen, counted.after.misses[Team.ODD]) == ((), 2)


def test_a_team_can_fall_with_a_hand_it_won() -> None:
    outcome = after(standing("A 5", "13", misses=(1, 0)), "1243", a_max_misses=2)
    assert outcome.winner is Team.ODD
    assert outcome.fallen == (Team.ODD,)
    assert rank_text(outcome.after.active) == "2"  # it plays on at the level it has now


def test_whose_failed_hands_count() -> None:
    at_the_others_level = standing("A 5", "24")
    assert after(at_the_others_level, "2413").missed == ()
    assert after(at_the_others_level, "2413", a_miss_scope="at_a").missed == (Team.ODD,)
