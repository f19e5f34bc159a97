"""Places, gains, levels, attempts at A, and the end of a match (rules 2 rows 40-51, 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import frozen

from guandan_engine.cards import Rank
from guandan_engine.options import Rules
from guandan_engine.seats import Seat, Team, partner_of, seats_from, team_of

__all__ = ["Outcome", "Standing", "finish_order", "gain_of", "hand_is_over", "settle"]


@frozen
class Standing:
    """Where a match stands between hands."""

    levels: Mapping[Team, Rank]
    active: Rank
    """The level that the next hand, or the one on the table, is played at."""
    owner: Team | None
    """Whose level that is; None for the first hand."""
    misses: Mapping[Team, int]
    """Failed attempts at A since the last fall; counted even where they have no effect."""

    @classmethod
    def start(cls) -> Standing:
        return cls(
            levels=dict.fromkeys(Team, Rank.TWO),
            active=Rank.TWO,
            owner=None,
            misses=dict.fromkeys(Team, 0),
        )


@frozen
class Outcome:
    """What a hand came to."""

    finish: tuple[Seat, Seat, Seat, Seat]
    winner: Team
    gain: int
    """Levels that the places are worth, before the cap at A."""
    missed: tuple[Team, ...]
    """Teams that failed an attempt at A with this hand."""
    fallen: tuple[Team, ...]
    """Teams whose attempts ran out: back to 2."""
    match_won: bool
    after: Standing


def hand_is_over(out: Sequence[Seat]) -> bool:
    """Have both partners of a team, or three seats, played all their cards?"""
    return len(out) >= 3 or (len(out) == 2 and partner_of(out[0]) == out[1])


def finish_order(out: Sequence[Seat]) -> tuple[Seat, Seat, Seat, Seat]:
    """All four places: those out, then the others in turn order after the last finisher."""
    rest = [seat for seat in seats_from(out[-1]) if seat not in out]
    first, second, third, last = (*out, *rest)
    return first, second, third, last


def _wins_match(before: Standing, winner: Team, rules: Rules) -> bool:
    """Does a hand won with the partner not last win the match too?"""
    if before.levels[winner] != Rank.ACE:
        return False
    match rules.a_win_on:
        case "any":
            return True
        case "rank":
            return before.active == Rank.ACE
        case "own":
            return before.active == Rank.ACE and before.owner is winner


def gain_of(finish: tuple[Seat, Seat, Seat, Seat], rules: Rules) -> int:
    """Levels that the place of first's partner is worth, before the cap at A."""
    place = finish.index(partner_of(finish[0])) + 1
    return {2: rules.advance_double, 3: 2, 4: 1}[place]


def settle(before: Standing, finish: tuple[Seat, Seat, Seat, Seat], rules: Rules) -> Outcome:
    """What the places of a hand do to the standing, in the order that rules 5 fixes."""
    winner = team_of(finish[0])
    gain = gain_of(finish, rules)

    won = finish[3] != partner_of(finish[0]) and _wins_match(before, winner, rules)
    levels = dict(before.levels)
    levels[winner] = Rank(min(levels[winner] + gain, Rank.ACE))
    misses = dict(before.misses)
    missed = tuple(
        team
        for team in Team
        if before.levels[team] == Rank.ACE
        and not (won and team is winner)
        and (rules.a_miss_scope == "at_a" or (before.active == Rank.ACE and before.owner is team))
    )
    for team in missed:
        misses[team] += 1
    fallen = tuple(
        team
        for team in missed
        if rules.a_max_misses is not None and misses[team] >= rules.a_max_misses
    )
    for team in fallen:
        levels[team] = Rank.TWO
        misses[team] = 0
    return Outcome(
        finish=finish,
        winner=winner,
        gain=gain,
        missed=missed,
        fallen=fallen,
        match_won=won,
        after=Standing(levels=levels, active=levels[winner], owner=winner, misses=misses),
    )
