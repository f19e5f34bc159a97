"""The policies of `guandan_bots`, as the server asks for them.

A module of its own, since every worker process of the server imports it, and little else.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from random import Random
from time import monotonic
from typing import TYPE_CHECKING, Final

from guandan_bots.hints import Suggestion, suggest
from guandan_bots.policy import POLICIES, THINKING, Give, Pass, policy
from guandan_bots.policy import Choice as Decision
from guandan_engine.cards import NO_CARDS, Cards
from guandan_engine.moves import Offer
from guandan_engine.options import Rules
from guandan_engine.seats import Seat
from guandan_engine.views import PhaseName, SeatView
from guandan_protocol.bounds import DECISIONS_MAX
from guandan_protocol.messages import Hint, Reviewed
from guandan_server.brains import Considered, Hints, Part, SlowLevel
from guandan_server.items import Choice

if TYPE_CHECKING:
    from guandan_bots import review

__all__ = ["Bots", "SlowBots"]

_SEARCHES: Final = "expert"
"""The level that uses up the time it is given."""
REVIEW_PLAYOUTS: Final = {"compiled": 1000, "plain": 150}
"""Of a decision in a review, and as many again to compare: a hand takes a second or two."""
SEARCHED_MAX: Final = 14
"""Cards: `ExpertStyle.late`, which is not to be imported for a glance."""
_PLAY: Final = (PhaseName.LEADING, PhaseName.FOLLOWING)


class Bots:
    """The levels that decide at once, and the hints."""

    def levels(self) -> Sequence[str]:
        return tuple([level for level in POLICIES if level not in THINKING])

    def choose(self, level: str, view: SeatView, rules: Rules, entropy: bytes) -> Choice:
        rng = Random(entropy)  # noqa: S311 bots replay from a seed
        return _choice(policy(level).choose(view, rules, rng))

    def hints(self, view: SeatView, rules: Rules) -> Hints:
        found = suggest(view, rules)
        return tuple([_hint(one) for one in found.hints]), found.best


class SlowBots:
    """The levels that think beside the loop, and the same hints."""

    def prepare(self) -> None:
        for level in THINKING:
            policy(level)

    def slow_levels(self) -> Sequence[SlowLevel]:
        levels = list(POLICIES)
        return [
            SlowLevel(level, lighter, searches=level == _SEARCHES)
            for lighter, level in pairwise(levels)
            if level in THINKING
        ]

    def searches(self, level: str, view: SeatView) -> bool:
        phase, hand = view.public.phase, view.private.hand
        return level == _SEARCHES and phase in _PLAY and len(hand) <= SEARCHED_MAX

    def consider(
        self, level: str, view: SeatView, rules: Rules, entropy: bytes, seconds: float
    ) -> Considered:
        rng = Random(entropy)  # noqa: S311 bots replay from a seed, but for the clock of a search
        if level != _SEARCHES or view.public.phase not in _PLAY:
            return Considered(_choice(policy(level).choose(view, rules, rng)))
        from guandan_bots.expert import ExpertPolicy, ExpertStyle

        style = ExpertStyle(seconds=seconds) if seconds else ExpertStyle(late=0)
        report = ExpertPolicy(style).consider(view, rules, rng)
        if report.trial is None:
            return Considered(_choice(report.choices[0]))
        return Considered(_choice(report.trial.choice), searched=True)

    def hints(self, view: SeatView, rules: Rules) -> Hints:
        return Bots().hints(view, rules)

    def review(self, record: str, seat: Seat, hand: int, begin: int, seconds: float) -> Part:
        # With `expert` and all it needs: whoever never asks has no need of it.
        from guandan_bots import playout
        from guandan_bots.review import Plan, review

        rules, found = _decisions(record, seat)
        own = [one for one in found if one.hand == hand][:DECISIONS_MAX]
        plan = Plan(REVIEW_PLAYOUTS[playout.kind()])
        ends = monotonic() + seconds
        done: list[Reviewed] = []
        for decision in own[begin:]:
            done.append(_reviewed(review(decision, rules, plan)))
            if monotonic() >= ends:
                break
        return Part(tuple(done), len(own) - begin - len(done))


@lru_cache(maxsize=8)
def _decisions(record: str, seat: Seat) -> tuple[Rules, tuple[review.Decision, ...]]:
    """A match is asked for a hand at a time, and in slices."""
    from guandan_bots.review import decisions
    from guandan_engine.record import read

    whole = read(record)
    return whole.rules, tuple(decisions(whole, (seat,)))


def _reviewed(one: review.Reviewed) -> Reviewed:
    view = one.decision.view
    gain_milli = round(1000 * one.gain)
    return Reviewed(
        command=one.decision.turn,
        left=len(view.private.hand),
        top=view.public.top,
        played=_done(one.decision.choice, one.cost or ""),
        best=_done(one.best, one.reason or ""),
        lost_milli=max(gain_milli, 0),
        won_milli=max(-gain_milli, 0),
        error_milli=round(1000 * one.standard_error),
        sure=one.sure or one.outdone,
        worlds=one.worlds,
    )


def _done(decision: Decision, reason: str) -> Hint:
    if isinstance(decision, Offer):
        return Hint(decision.cards, decision.reading, reason)
    return Hint(NO_CARDS, None, reason)


def _choice(decision: Decision) -> Choice:
    match decision:
        case Pass():
            return None
        case Give(card):
            return card
        case Offer():
            return decision


def _hint(one: Suggestion) -> Hint:
    match one.choice:
        case Offer(cards, reading):
            return Hint(cards, reading, one.reason)
        case Give(card):
            return Hint(Cards.of([card]), None, one.reason)
        case Pass():
            return Hint(NO_CARDS, None, one.reason)
