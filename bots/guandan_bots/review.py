"""A finished match gone through again: what `expert` would have played, and what that was worth.

    found = decisions(record)                      each with what its seat saw then, and no more
    for one in reviewed(found, record.rules, plan, workers=2): ...
    balance(found, reviews, seat)                  of a seat: how often as `expert`, given away

The hidden cards are in the record, and no judgement sees them: a decision is judged by the view of
its seat at that moment, so a play that only luck made right is no better for it. `expert` chooses
as it does at a table; then its choice and the player's are compared in worlds of their own. Were
those used that it chose by, whatever luck made it look better than it is would count as a gain.

Decisions are those to lead or to follow in which there was something to choose. What a clock did is
nobody's decision; gifts are not judged.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Generator, Iterable, Iterator, Sequence
from functools import partial
from math import sqrt
from time import monotonic
from typing import Final

from attrs import field, frozen

from guandan_bots.crew import results
from guandan_bots.expert import ExpertPolicy, ExpertStyle
from guandan_bots.hints import Suggestion, suggest
from guandan_bots.policy import PASS, Choice
from guandan_bots.reasons import HintReason
from guandan_bots.search import SURE_ERRORS, Budget, try_out
from guandan_engine.commands import Pass, Play
from guandan_engine.moves import Offer, legal_plays
from guandan_engine.options import Rules
from guandan_engine.record import Record, replay
from guandan_engine.seats import SEATS, Seat
from guandan_engine.views import Played, SeatView, seat_view

__all__ = [
    "Balance",
    "Decision",
    "Plan",
    "Reviewed",
    "balance",
    "decisions",
    "review",
    "reviewed",
    "worst_first",
]

COSTS: Final = frozenset(
    {
        HintReason.USES_WILD,
        HintReason.BREAKS_PAIR,
        HintReason.BREAKS_TRIPLE,
        HintReason.BREAKS_RUN,
        HintReason.BREAKS_BOMB,
        HintReason.BOMB,
        HintReason.ONLY_BOMBS_BEAT,
    }
)
"""Reasons that warn of a play; the others speak for it."""
MARGIN: Final = 0.15
"""Levels that play-outs flatter by; `expert` asks for more before it leaves its judge."""


@frozen
class Decision:
    """Somebody's decision to lead or to follow, as it was taken."""

    view: SeatView
    """What the seat saw."""
    choice: Choice

    @property
    def seat(self) -> Seat:
        return self.view.seat

    @property
    def hand(self) -> int:
        return self.view.public.hand

    @property
    def turn(self) -> int:
        """Commands of the match before it."""
        return self.view.public.turn


@frozen
class Plan:
    """How a match is gone through; the same plan says the same of the same decision."""

    playouts: int = field(factory=lambda: ExpertStyle().playouts)
    """`expert` has so many to choose by, and as many again compare its choice with the other."""
    seed: str = "1"
    seconds: float | None = None
    """Of all decisions together: what is not begun by then is left out."""


@frozen
class Reviewed:
    """A decision, and what the search says about it."""

    decision: Decision
    best: Choice
    """What `expert` plays there."""
    gain: float
    """By how much that does better, in levels a hand; coming first is a level more.

    0 if it is what was chosen; less if what was chosen does better.
    """
    standard_error: float
    """Of the gain."""
    worlds: int
    """In which the two were compared; if they are one, in which it was tried."""
    reason: HintReason | None = None
    """What speaks for it, where it is not what was chosen and hints have a word for that."""
    cost: HintReason | None = None
    """What speaks against what was chosen, likewise."""

    @property
    def sure(self) -> bool:
        """Is it better than what was chosen, beyond doubt?

        Play-outs flatter what they can play, and of large hands they say little: so this asks for
        a margin, and is never sure of those.
        """
        return self._differs(self.gain)

    @property
    def outdone(self) -> bool:
        """Is what was chosen better, likewise?"""
        return self._differs(-self.gain)

    def _differs(self, gain: float) -> bool:
        small = len(self.decision.view.private.hand) <= ExpertStyle().late
        return small and gain > MARGIN + SURE_ERRORS * self.standard_error

    @property
    def agreed(self) -> bool:
        """Is it what was chosen? Other suits of the same play are, if they make no difference."""
        chosen = self.decision.choice
        alike = _alike(self.best, chosen) and not (self.sure or self.outdone)
        return self.best == chosen or alike


@frozen
class Balance:
    """All decisions of a seat, as far as they were looked at."""

    seat: Seat
    decisions: int
    """In which there was something to choose."""
    reviewed: int
    agreed: int
    worse: int
    """Those in which `expert` does better beyond doubt."""
    gain: float
    """What was given away, in levels: the sum of all gains, so that luck weighs itself up."""
    standard_error: float


def decisions(record: Record, seats: Collection[Seat] = SEATS) -> Iterator[Decision]:
    """The decisions of some seats, in their order; IllegalCommand where the rules forbid a command.

    They are taken from a match whose hands are all known, and each holds what its seat could see.
    """
    before = None
    for command, (match, events) in zip(record.commands, replay(record), strict=True):
        if before is not None and isinstance(command, Play | Pass) and command.seat in seats:
            view = seat_view(before, command.seat)
            if not _forced(view, record.rules):
                played = [event for event in events if isinstance(event, Played)]
                choice = Offer(played[0].cards, played[0].reading) if played else PASS
                yield Decision(view, choice)
        before = match


def _forced(view: SeatView, rules: Rules) -> bool:
    """Is there but one thing to do?"""
    top = view.public.top
    plays = iter(legal_plays(view.private.hand, view.public.level, rules, top))
    options = 0 if top is None else 1
    return options + sum(1 for _, _ in zip(range(2), plays, strict=False)) < 2


def review(decision: Decision, rules: Rules, plan: Plan) -> Reviewed:
    """One decision; what it finds follows from the view, the choice and the plan alone."""
    view, chosen = decision.view, decision.choice
    chance = random.Random(f"{plan.seed}/{decision.turn}")
    report = ExpertPolicy(ExpertStyle(plan.playouts)).consider(view, rules, chance)
    trial = report.trial
    best = report.choices[0] if trial is None else trial.choice
    if best == chosen:
        worlds = 0 if trial is None else trial.worlds[trial.choices.index(best)]
        return Reviewed(decision, best, gain=0.0, standard_error=0.0, worlds=worlds)
    fresh = try_out(view, rules, (chosen, best), Budget(plan.playouts), chance)
    worlds = fresh.worlds[1]
    hints = suggest(view, rules).hints
    reason, cost = _reason(hints, best), _reason(hints, chosen)
    return Reviewed(
        decision,
        best,
        gain=fresh.gains[1],
        # Worlds that all say the same leave room for one that does not.
        standard_error=max(fresh.errors[1], 1 / worlds),
        worlds=worlds,
        # That nothing else beats the table is no reason where a pass is an answer, too.
        reason=None if reason in COSTS or reason is HintReason.ONLY_PLAY else reason,
        cost=cost if cost in COSTS else None,
    )


def _reason(hints: Iterable[Suggestion], choice: Choice) -> HintReason | None:
    for hint in hints:
        if _alike(hint.choice, choice):
            return hint.reason
    return None


def _alike(one: Choice, other: Choice) -> bool:
    """The same play, whatever the suits."""
    if isinstance(one, Offer) and isinstance(other, Offer):
        return one.reading == other.reading
    return one == other


def reviewed(
    found: Iterable[Decision], rules: Rules, plan: Plan, *, workers: int
) -> Generator[Reviewed, None, None]:
    """Decisions as they get done, in their order if one worker does them; to be closed."""
    ends = None if plan.seconds is None else monotonic() + plan.seconds
    job = partial(review, rules=rules, plan=plan)
    left = _until(found, ends)
    if workers == 1:
        yield from map(job, left)
        return
    yield from results(job, left, workers=workers)


def _until(found: Iterable[Decision], ends: float | None) -> Iterator[Decision]:
    for decision in found:
        if ends is not None and monotonic() >= ends:
            return
        yield decision


def worst_first(reviews: Iterable[Reviewed]) -> list[Reviewed]:
    """What gave most away comes first, and what is beyond doubt before what is not."""
    return sorted(reviews, key=lambda one: (not one.sure, -one.gain, one.decision.turn))


def balance(found: Sequence[Decision], reviews: Iterable[Reviewed], seat: Seat) -> Balance:
    """Of a seat; the reviews are of some of the decisions, or all."""
    own = [one for one in reviews if one.decision.seat == seat]
    return Balance(
        seat=seat,
        decisions=sum([decision.seat == seat for decision in found]),
        reviewed=len(own),
        agreed=sum([one.agreed for one in own]),
        worse=sum([one.sure for one in own]),
        gain=sum([one.gain for one in own]),
        standard_error=sqrt(sum([one.standard_error**2 for one in own])),
    )
