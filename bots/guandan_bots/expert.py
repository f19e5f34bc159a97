"""The strongest level: `club` names what may be played, a judge weighs it, play-outs try it.

The judge decides while hands are large. With few cards left its choice is tried out against the
others, and goes only if another one is surely better.
"""

from __future__ import annotations

import random
from typing import Final

from attrs import field, frozen

from guandan_bots import playout
from guandan_bots.club.policy import ClubPolicy, Judgement
from guandan_bots.club.table import Play
from guandan_bots.club.weighing import DECISIVE
from guandan_bots.judge import Judge
from guandan_bots.policy import Choice
from guandan_bots.search import Budget, Trial, try_out
from guandan_engine.options import Rules
from guandan_engine.views import PhaseName, SeatView

__all__ = ["ExpertPolicy", "ExpertStyle", "Report", "ranked"]

_PLAY: Final = (PhaseName.LEADING, PhaseName.FOLLOWING)


PLAYOUTS: Final = {"compiled": 8000, "plain": 1000}
"""Some hundredths of a second compiled, and a quarter plain."""


@frozen
class ExpertStyle:
    """The figures of judging and searching, each with what it was worth in docs/tuning.md."""

    playouts: int = field(factory=lambda: PLAYOUTS[playout.kind()])
    """Of a decision. With a number of play-outs alone a seed is a game on every machine."""
    seconds: float = 0.0
    """No more time than that; 0 is as long as it takes."""
    judged: int = 8
    """So many of what `club` ranks highest the judge chooses from; with 1 it has no say."""
    doubt: float = 0.0
    """Levels that the judge has to see between another choice and `club`'s own; what it is worth to
    be careful there is less than can be told."""
    candidates: int = 10
    """Choices that are tried; what `club` has further down is hardly ever the best."""
    below_max: float = 1.5
    """What is thought so many levels worse than the best is not tried."""
    late: int = 14
    """A hand of more cards is not searched: what play-outs say of it is not worth anything."""
    margin: float = 0.4
    """Levels that a choice has to gain in the play-outs, which flatter what they can play …"""
    trust: float = 1.0
    """… and so many more for each level that it is thought below the best."""


@frozen
class Report:
    """What was done for a decision, for those who look over its shoulder."""

    choices: tuple[Choice, ...]
    """What came into question, the best first, as it was thought before the search."""
    trial: Trial | None
    """None where there was nothing to search for."""

    @property
    def overridden(self) -> bool:
        """Was that given up?"""
        return self.trial is not None and self.trial.overrides


class ExpertPolicy:
    """Whoever has people waiting gives a style with `seconds`, fewer the more are waiting."""

    name = "expert"

    def __init__(self, style: ExpertStyle | None = None) -> None:
        self.style = ExpertStyle() if style is None else style
        self._club = ClubPolicy()

    def choose(self, view: SeatView, rules: Rules, rng: random.Random) -> Choice:
        if view.public.phase not in _PLAY or view.seat not in view.public.asked:
            return self._club.choose(view, rules, rng)
        report = self.consider(view, rules, rng)
        return report.choices[0] if report.trial is None else report.trial.choice

    def consider(self, view: SeatView, rules: Rules, rng: random.Random) -> Report:
        """A decision to lead or to follow, and how it came about."""
        style = self.style
        options = {
            choice: below
            for choice, below in ranked(view, rules, style).items()
            if below <= style.below_max
        }
        choices = tuple(options)
        if len(choices) < 2 or len(view.private.hand) > style.late:
            return Report(choices, None)
        budget = Budget(style.playouts, style.seconds or None)
        handicaps = [style.margin + style.trust * below for below in options.values()]
        handicaps[0] = 0.0
        return Report(choices, try_out(view, rules, choices, budget, rng, handicaps))


def ranked(view: SeatView, rules: Rules, style: ExpertStyle) -> dict[Choice, float]:
    """What comes into question, best first, and by how many levels each is below the first.

    Alone if nothing else may be thought of: it goes out, or the rest runs out.
    """
    judgement = Judgement(view, rules)
    found: dict[Choice, Play] = {}
    for choice, play in judgement:
        found.setdefault(choice, play)
        if play.score >= DECISIVE:
            return {choice: 0.0}
        if len(found) >= style.candidates:
            break
    plays = list(found.values())
    worth = [play.score for play in plays]
    first = 0
    if style.judged > 1 and len(plays) > 1:
        worth = Judge.learned().values(judgement.table, judgement.weighed, plays)
        best = max(range(len(plays[: style.judged])), key=worth.__getitem__)
        if worth[best] - worth[0] > style.doubt:
            first = best
    below = {choice: max(worth[first] - one, 0.0) for choice, one in zip(found, worth, strict=True)}
    own = list(found)[first]
    others = sorted((one for one in below if one != own), key=below.__getitem__)
    return {choice: below[choice] for choice in (own, *others)}
