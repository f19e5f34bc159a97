"""Suggestions for people: what could be done now, cheapest first, each with its reason.

They come from the same judgement as `club` plays by, so what it would choose is what is
recommended. What the others hold is no more known here than to the player.
"""

from __future__ import annotations

from typing import Final

from attrs import frozen

from guandan_bots.club.breaking import broken
from guandan_bots.club.outlook import Outlook
from guandan_bots.club.policy import STYLE, Judgement
from guandan_bots.club.table import (
    NOTHING,
    Play,
    Table,
    height,
    population,
)
from guandan_bots.club.weighing import DECISIVE
from guandan_bots.gifts import partings
from guandan_bots.policy import Choice, Give, Pass
from guandan_bots.reasons import HintReason
from guandan_engine.cards import Cards, Rank
from guandan_engine.combos import Reading, strength
from guandan_engine.moves import Offer
from guandan_engine.options import Rules
from guandan_engine.views import PhaseName, SeatView

__all__ = ["HINTS_MAX", "HintReason", "Suggestion", "Suggestions", "suggest"]

HINTS_MAX: Final = 16
"""Nobody goes through more of them."""
BROKEN_FROM: Final = 0.1
"""A play that costs so much beyond itself breaks a group."""
NEARLY_OUT: Final = 3
"""Cards with which an opponent who may take the trick is nearly out …"""
LAST_LEADS: Final = 2
"""… and with which it matters what is led to it."""
FORESEEN: Final = 10
"""Of more cards nobody should say that they can be played out."""
STRONG: Final = 0.5
"""A play that stands with such a chance is strong."""
LONG: Final = 5
"""Cards from which on a group is long."""
HIGH: Final = int(Rank.JACK)
"""The height from which on a single, a pair or a triple can win a trick now and then."""


@frozen
class Suggestion:
    """Something to do, and why."""

    choice: Choice
    reason: HintReason


@frozen
class Suggestions:
    """What could be done now: a pass, if that is advisable; plays, cheapest first; bombs last."""

    hints: tuple[Suggestion, ...]
    """One per reading; empty if nothing is asked of the seat."""
    best: int
    """Place of the recommended one; -1 if there is none."""


NONE: Final = Suggestions((), -1)


_Option = tuple[Offer | Pass, Play]
"""What could be done, and what `club` makes of it."""


def suggest(view: SeatView, rules: Rules) -> Suggestions:
    """Suggestions for the seat's decision in any phase; none while nothing is asked of it."""
    match view.public.phase:
        case PhaseName.PAYING | PhaseName.RETURNING:
            found, best = partings(view, STYLE)
            hints = tuple([Suggestion(Give(one.card), one.reason) for one in found])
            return Suggestions(hints, best) if hints else NONE
        case PhaseName.LEADING | PhaseName.FOLLOWING if view.seat in view.public.asked:
            return _plays(Judgement(view, rules))
        case _:
            return NONE


def _plays(judgement: Judgement) -> Suggestions:
    options = list(judgement)
    best = options[0]
    shown = _listed(options, judgement.table)
    reasons = Reasons(judgement, [play for _, play in shown], best[1])
    hints = [Suggestion(choice, reasons.of(play)) for choice, play in shown]
    return Suggestions(tuple(hints), shown.index(best))


def _listed(options: list[_Option], table: Table) -> list[_Option]:
    """The options that are shown, in order; the best, which comes first, is among them."""
    best = options[0]
    passing: list[_Option] = []
    offers: list[tuple[Offer, Play]] = []
    for choice, play in options:
        if isinstance(choice, Offer):
            offers.append((choice, play))
        else:
            passing.append((choice, play))

    def power(offer: Offer) -> int:
        return strength(offer.reading, Rank(table.level))

    # One of each reading, the cheapest; of the same cards the strongest reading is enough.
    least: dict[Reading, tuple[Offer, Play]] = {}
    for one in sorted(offers, key=lambda one: (one == best, -one[1].damage)):
        least[one[0].reading] = one
    strongest: dict[Cards, tuple[Offer, Play]] = {}
    for one in sorted(least.values(), key=lambda one: (one == best, power(one[0]))):
        strongest[one[0].cards] = one
    plays = sorted(
        strongest.values(),
        key=lambda one: (one[1].tier > 0, one[1].damage, power(one[0])),
    )
    bombs_only = all(play.tier for _, play in plays)
    if not (best in passing or _by_partner(table) or bombs_only):
        passing = []
    shown = [*passing, *plays][:HINTS_MAX]
    return shown if best in shown else [*shown[:-1], best]


def _by_partner(table: Table) -> bool:
    return table.by == 2


class Reasons:
    """Says why each of the listed options is one.

    Of the recommended one it says what speaks for it, of the others also what they cost.
    """

    def __init__(self, judgement: Judgement, shown: list[Play], best: Play) -> None:
        self._best = best
        self._table = judgement.table
        self._outlook = judgement.weighed.outlook
        self._plan = judgement.weighed.plan
        self._plays = [play for play in shown if play.kind != NOTHING]
        self._bombs_only = all(play.tier for play in self._plays)
        in_play = [n for n in (self._table.after, self._table.before) if n]
        self._nearest = min(in_play, default=0)
        self._least_threat, self._safer = 0.0, False
        if self._outlook is not None:
            threats = [self._threat(play, self._outlook) for play in self._plays]
            self._least_threat = min(threats, default=0.0)
            self._safer = self._least_threat < max(threats, default=0.0)

    def of(self, play: Play) -> HintReason:
        outlook = self._outlook
        if outlook is None:
            return HintReason.NOTHING_BEATS if play.kind == NOTHING else HintReason.GOES_OUT
        if play.kind == NOTHING:
            return self._of_pass(outlook)
        stands = outlook.stands(play.kind, play.key, play.size)
        if play.score >= DECISIVE or self._runs_out(play, stands):
            return HintReason.RUNS_OUT
        if self._table.kind == NOTHING:
            return self._of_lead(play, stands, outlook)
        return self._of_answer(play, stands, outlook)

    def _runs_out(self, play: Play, stands: float) -> bool:
        """Does it probably win the lead, with which a rest that can be foreseen is played out?"""
        rest = population(self._table.low) + population(self._table.high) - play.size
        return play.runs_out and stands >= STRONG and rest <= FORESEEN

    def _threat(self, play: Play, outlook: Outlook) -> float:
        table = self._table
        return outlook.threat(play.kind, play.key, play.size, table.after, table.before)

    def _stops(self, play: Play, stands: float, outlook: Outlook) -> bool:
        """Does a play keep an opponent who is nearly out from going out?"""
        leading = self._table.kind == NOTHING
        if not 0 < self._nearest <= (LAST_LEADS if leading else NEARLY_OUT):
            return False
        if self._safer and self._threat(play, outlook) == self._least_threat:
            return True
        return not leading and stands >= STRONG

    def _of_pass(self, outlook: Outlook) -> HintReason:
        if not self._plays:
            return HintReason.NOTHING_BEATS
        if _by_partner(self._table):
            return HintReason.PARTNER_WINNING
        if self._bombs_only:
            return HintReason.SAVES_BOMBS
        best = max(self._plays, key=lambda play: play.score)
        if _breakage(best, outlook) >= BROKEN_FROM:
            return HintReason.SAVES_GROUPS
        return HintReason.SAVES_CONTROL

    def _of_lead(self, play: Play, stands: float, outlook: Outlook) -> HintReason:
        if play.tier:
            return HintReason.LEADS_STRONG if play is self._best else HintReason.BOMB
        if outlook.fits(play.size, self._table.partner) and stands < STRONG:
            return HintReason.PARTNER_NEARLY_OUT
        if self._stops(play, stands, outlook):
            return HintReason.OPPONENT_NEARLY_OUT
        broken = self._broken(play, outlook)
        if broken is not None and play is not self._best:
            return broken
        if stands >= STRONG:
            return HintReason.LEADS_STRONG
        if play.size >= LONG:
            return HintReason.LEADS_LONGEST
        high = height(play.key, self._table.level) >= HIGH
        return HintReason.LEADS_HIGH if high else HintReason.LEADS_LOWEST

    def _of_answer(self, play: Play, stands: float, outlook: Outlook) -> HintReason:
        if not _by_partner(self._table) and self._stops(play, stands, outlook):
            return HintReason.OPPONENT_NEARLY_OUT
        if play.tier:
            if play is self._best:
                return HintReason.WORTH_BOMB
            return HintReason.ONLY_BOMBS_BEAT if self._bombs_only else HintReason.BOMB
        broken = self._broken(play, outlook)
        if broken is not None:
            if play is not self._best:
                return broken
            return HintReason.TAKES_LEAD if stands >= STRONG else HintReason.LEAST_HARM
        if len(self._plays) == 1:
            return HintReason.ONLY_PLAY
        if play is self._plays[0]:
            return HintReason.CHEAPEST_THAT_BEATS
        return HintReason.TAKES_LEAD if stands >= STRONG else HintReason.KEEPS_GROUPS

    def _broken(self, play: Play, outlook: Outlook) -> HintReason | None:
        """What a play breaks, if it costs more than itself."""
        if _breakage(play, outlook) < BROKEN_FROM:
            return None
        if play.wilds:
            return HintReason.USES_WILD
        return None if self._plan is None else broken(self._plan.groups, play.needs)


def _breakage(play: Play, outlook: Outlook) -> float:
    """What a play costs beyond itself, because it is no group of the plan."""
    return play.damage + outlook.cost(play)
