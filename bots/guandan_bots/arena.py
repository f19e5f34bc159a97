"""Offline matches: policies in the seats of the real machine, no server between.

    play_hand(policies, rules, seed)      one hand at any level
    dealt(rules, seed)                    the same, dealt only; whoever asks plays it with `step`
    play_match(policies, rules, seed)     from 2 to a win at A, tribute and all
    play_deal(one, other, rules, …)       one deal of a series, twice with the teams swapped
    compare(one, other, rules, …)         many of them: who is better, and by how much

Every bit of chance comes from the seed, so a result can be played again. A choice that the machine
refuses is a fault of the policy, and its IllegalCommand comes out here.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Sequence
from time import perf_counter_ns
from typing import Final, assert_never

from attrs import evolve, frozen

from guandan_bots.policy import Choice, Give, Pass, Policy
from guandan_engine import commands
from guandan_engine.cards import Rank
from guandan_engine.commands import Command, StartHand
from guandan_engine.machine import step
from guandan_engine.moves import Offer
from guandan_engine.options import Rules
from guandan_engine.order import LEVELS
from guandan_engine.phases import HandOver, MatchOver, Paying
from guandan_engine.scoring import Outcome, Standing
from guandan_engine.seats import Seat, Team
from guandan_engine.shuffle import SEED_BYTES
from guandan_engine.state import Match, new_match
from guandan_engine.views import SeatView, asked, seat_view

__all__ = [
    "HANDS_MAX",
    "Comparison",
    "MatchResult",
    "Policies",
    "Timed",
    "command_of",
    "compare",
    "dealt",
    "play_deal",
    "play_hand",
    "play_match",
]

HANDS_MAX: Final = 400
"""Hands after which a match is given up: bots that never pass A would play for ever."""

Policies = Sequence[Policy]
"""Who decides for seats 1..4."""


@frozen
class MatchResult:
    """A match that was played to its end, or given up after `HANDS_MAX` hands."""

    winner: Team | None
    outcomes: tuple[Outcome, ...]
    """Of each hand."""


@frozen
class Comparison:
    """What duplicate deals say about one policy against another."""

    deals: int
    """Each was played twice, with the teams swapped."""
    hands_won: float
    """Share of hands that it came first in."""
    net_levels: float
    """Levels a hand that it gained more than it lost."""
    error: float
    """Standard error of `net_levels`, over deals."""

    def __str__(self) -> str:
        return (
            f"{self.hands_won:.1%} of {2 * self.deals} hands, "
            f"{self.net_levels:+.2f} ± {self.error:.2f} levels a hand"
        )


class Timed:
    """A policy that keeps how long each decision took."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self.name = policy.name
        self.times_ns: list[int] = []

    def choose(self, view: SeatView, rules: Rules, rng: random.Random) -> Choice:
        begun = perf_counter_ns()
        choice = self._policy.choose(view, rules, rng)
        self.times_ns.append(perf_counter_ns() - begun)
        return choice

    def quantile_ms(self, share: float) -> float:
        """The time that such a share of decisions did not exceed."""
        ordered = sorted(self.times_ns)
        return ordered[min(int(share * len(ordered)), len(ordered) - 1)] / 1e6


def play_hand(policies: Policies, rules: Rules, seed: str, *, level: Rank = Rank.TWO) -> Outcome:
    """One hand, without tribute, by teams that both stand at `level`."""
    return _hand(_stood_at(level, rules), policies, *_chance(seed))[1]


def dealt(rules: Rules, seed: str, *, level: Rank) -> Match:
    """The same hand as in `play_hand`, before the first lead."""
    return step(_stood_at(level, rules), StartHand(_chance(seed)[0].randbytes(SEED_BYTES)))[0]


def _stood_at(level: Rank, rules: Rules) -> Match:
    standing = evolve(Standing.start(), levels=dict.fromkeys(Team, level), active=level, owner=None)
    return evolve(new_match(rules), standing=standing)


def play_match(policies: Policies, rules: Rules, seed: str) -> MatchResult:
    """A whole match."""
    deals, bots = _chance(seed)
    match = new_match(rules)
    outcomes: list[Outcome] = []
    while not isinstance(match.phase, MatchOver) and len(outcomes) < HANDS_MAX:
        match, outcome = _hand(match, policies, deals, bots)
        outcomes.append(outcome)
    won = isinstance(match.phase, MatchOver)
    return MatchResult(outcomes[-1].winner if won else None, tuple(outcomes))


def compare(one: Policy, other: Policy, rules: Rules, *, deals: int, seed: str) -> Comparison:
    """`one` against `other` on deals that are played twice, with the teams swapped.

    Luck of the cards cancels out within a deal, so the error is that of the deals' sums.
    """
    if deals < 2:
        raise ValueError("two deals at least: one tells nothing of the error")
    nets, won = [], 0
    for number in range(deals):
        gains = play_deal(one, other, rules, seed, number)
        nets.append(sum(gains) / len(gains))
        won += sum(gain > 0 for gain in gains)
    return Comparison(
        deals=deals,
        hands_won=won / (2 * deals),
        net_levels=statistics.fmean(nets),
        error=statistics.stdev(nets) / deals**0.5,
    )


def play_deal(one: Policy, other: Policy, rules: Rules, seed: str, number: int) -> tuple[int, int]:
    """A deal of a series, twice: what `one` gains with the odd seats, and with the even ones.

    Deals go through all levels.
    """
    level = LEVELS[number % len(LEVELS)]
    odd = play_hand((one, other) * 2, rules, f"{seed}/{number}", level=level)
    even = play_hand((other, one) * 2, rules, f"{seed}/{number}", level=level)
    return _gain(odd, Team.ODD), _gain(even, Team.EVEN)


def _gain(outcome: Outcome, team: Team) -> int:
    return outcome.gain if outcome.winner is team else -outcome.gain


def _chance(seed: str) -> tuple[random.Random, random.Random]:
    """For the deals, and for the bots: what these draw does not change what is dealt."""
    return random.Random(f"{seed}/deals"), random.Random(f"{seed}/bots")


def _hand(
    match: Match, policies: Policies, deals: random.Random, bots: random.Random
) -> tuple[Match, Outcome]:
    match, _ = step(match, StartHand(deals.randbytes(SEED_BYTES)))
    while not isinstance(match.phase, HandOver | MatchOver):
        seat = asked(match)[0]
        choice = policies[seat - 1].choose(seat_view(match, seat), match.rules, bots)
        match, _ = step(match, command_of(match, seat, choice))
    return match, match.phase.outcome


def command_of(match: Match, seat: Seat, choice: Choice) -> Command:
    """A seat's choice as what the machine takes."""
    match choice:
        case Offer(cards, reading):
            return commands.Play(seat, cards, reading)
        case Pass():
            return commands.Pass(seat)
        case Give(card) if isinstance(match.phase, Paying):
            return commands.Pay(seat, card)
        case Give(card):
            return commands.Return(seat, card)
        case _:
            assert_never(choice)
