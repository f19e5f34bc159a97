"""Suggestions for people: what could be done now, cheapest first, each with its reason.

They come from the same judgement as `basic` plays by, so what it would choose is what is
recommended. What the others hold is no more known here than to the player.
"""

from __future__ import annotations

from typing import Final

from attrs import frozen

from guandan_bots.basic import STYLE
from guandan_bots.gifts import partings
from guandan_bots.judgement import LAST_PLAY, Judgement, Option
from guandan_bots.policy import PASS, Choice, Give
from guandan_bots.reasons import HintReason
from guandan_engine.combos import Combo, strength
from guandan_engine.options import Rules
from guandan_engine.patterns import Move
from guandan_engine.views import PhaseName, SeatView

__all__ = ["HINTS_MAX", "HintReason", "Suggestion", "Suggestions", "suggest"]

HINTS_MAX: Final = 16
"""Nobody goes through more of them."""
BROKEN_FROM: Final = 0.1
"""A play that costs so much beyond itself breaks a group."""
NEARLY_OUT: Final = 3
"""Cards with which a player is nearly out."""
STRONG: Final = 0.5
"""A play that stands with such a chance is strong."""
LONG: Final = 5
"""Cards from which on a group is long."""


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


NOTHING: Final = Suggestions((), -1)


def suggest(view: SeatView, rules: Rules) -> Suggestions:
    """Suggestions for the seat's decision in any phase; none while nothing is asked of it."""
    match view.public.phase:
        case PhaseName.PAYING | PhaseName.RETURNING:
            found, best = partings(view, rules, STYLE)
            hints = tuple([Suggestion(Give(one.card), one.reason) for one in found])
            return Suggestions(hints, best) if hints else NOTHING
        case PhaseName.LEADING | PhaseName.FOLLOWING if view.seat in view.public.asked:
            return _plays(Judgement(view, rules, STYLE))
        case _:
            return NOTHING


def _plays(judgement: Judgement) -> Suggestions:
    best = judgement.best
    options = _listed(judgement, best)
    reasons = Reasons(judgement, options)
    hints = [
        Suggestion(PASS if option.offer is None else option.offer, reasons.of(option))
        for option in options
    ]
    return Suggestions(tuple(hints), options.index(best))


def _listed(judgement: Judgement, best: Option) -> list[Option]:
    """The options that are shown, in order; the best is among them."""
    level = judgement.table.level
    passing = [option for option in judgement.options if option.offer is None]
    least: dict[object, Option] = {}
    for option in judgement.options:
        if option.offer is not None:
            known = least.setdefault(option.offer.reading, option)
            if option is best or (option.damage < known.damage and known is not best):
                least[option.offer.reading] = option

    def order(option: Option) -> tuple[bool, float, int]:
        assert option.offer is not None
        one = option.offer.reading
        return one.tier > 0, option.damage, strength(one, level)

    plays = sorted(least.values(), key=order)
    bombs_only = all(option.offer is not None and option.offer.reading.tier for option in plays)
    if not (best.offer is None or judgement.table.by_partner or (passing and bombs_only)):
        passing = []
    shown = (passing + plays)[:HINTS_MAX]
    return shown if best in shown else [*shown[:-1], best]


class Reasons:
    """Says why each of the listed options is one."""

    def __init__(self, judgement: Judgement, options: list[Option]) -> None:
        self._judgement = judgement
        self._plays = [option for option in options if option.offer is not None]
        self._bombs_only = all(_is_bomb(option) for option in self._plays)
        threats = [self._threat(option) for option in self._plays if option.move is not None]
        self._least_threat = min(threats, default=0.0)
        self._safer = self._least_threat < max(threats, default=0.0)

    def of(self, option: Option) -> HintReason:
        if option.motive is not None:
            return option.motive
        if option.offer is None:
            return self._of_pass()
        if self._judgement.table.top is None:
            return self._of_lead(option)
        return self._of_answer(option)

    def _threat(self, option: Option) -> float:
        assert option.offer is not None
        return self._judgement.threat(option.offer.reading, self._judgement.table.opponents)

    def _stops(self, option: Option, stands: float) -> bool:
        """Does a play keep an opponent who is nearly out from going out?"""
        if self._judgement.table.nearest > NEARLY_OUT:
            return False
        if self._safer and self._threat(option) == self._least_threat:
            return True
        return self._judgement.table.top is not None and stands >= STRONG

    def _of_pass(self) -> HintReason:
        if self._judgement.table.by_partner:
            return HintReason.PARTNER_WINNING
        if self._bombs_only:
            return HintReason.SAVES_BOMBS
        cheapest = max(self._plays, key=lambda option: option.score)
        if self._judgement.breakage(cheapest) >= BROKEN_FROM:
            return HintReason.SAVES_GROUPS
        return HintReason.SAVES_CONTROL

    def _of_lead(self, option: Option) -> HintReason:
        judgement, table = self._judgement, self._judgement.table
        assert option.offer is not None
        one = option.offer.reading
        if one.tier:
            return HintReason.BOMB
        stands = judgement.stands(one)
        if table.partner == one.size and one.size in LAST_PLAY and stands < STRONG:
            return HintReason.PARTNER_NEARLY_OUT
        if self._stops(option, stands):
            return HintReason.OPPONENT_NEARLY_OUT
        broken = self._broken(option)
        if broken is not None:
            return broken
        if stands >= STRONG:
            return HintReason.LEADS_STRONG
        return HintReason.LEADS_LONGEST if one.size >= LONG else HintReason.LEADS_LOWEST

    def _of_answer(self, option: Option) -> HintReason:
        judgement, table = self._judgement, self._judgement.table
        assert option.offer is not None
        one = option.offer.reading
        stands = judgement.stands(one)
        if not table.by_partner and self._stops(option, stands):
            return HintReason.OPPONENT_NEARLY_OUT
        if one.tier:
            return HintReason.ONLY_BOMBS_BEAT if self._bombs_only else HintReason.BOMB
        broken = self._broken(option)
        if broken is not None:
            return broken
        if len(self._plays) == 1:
            return HintReason.ONLY_PLAY
        if option is self._plays[0]:
            return HintReason.CHEAPEST_THAT_BEATS
        return HintReason.TAKES_LEAD if stands >= STRONG else HintReason.KEEPS_GROUPS

    def _broken(self, option: Option) -> HintReason | None:
        """What a play breaks, if it costs more than itself."""
        if self._judgement.breakage(option) < BROKEN_FROM or option.move is None:
            return None
        if option.move.wilds:
            return HintReason.USES_WILD
        plan = self._judgement.plan().moves
        worst = 0
        for shift in range(0, 60, 4):
            needed = option.move.needs >> shift & 15
            if needed:
                worst = max(worst, _touched(plan, shift, needed))
        return _BROKEN[worst]


def _is_bomb(option: Option) -> bool:
    return option.offer is not None and option.offer.reading.tier > 0


_BROKEN: Final = (
    None,
    HintReason.BREAKS_PAIR,
    HintReason.BREAKS_TRIPLE,
    HintReason.BREAKS_RUN,
    HintReason.BREAKS_BOMB,
)
_GRAVE: Final = {
    Combo.SINGLE: 0,
    Combo.PAIR: 1,
    Combo.TRIPLE: 2,
    Combo.FULL_HOUSE: 2,
    Combo.STRAIGHT: 3,
    Combo.TUBE: 3,
    Combo.PLATE: 3,
}


def _touched(plan: tuple[Move, ...], shift: int, needed: int) -> int:
    """The gravest of the plan's groups that so many cards of a rank must be taken from."""
    holding = sorted(
        (_GRAVE.get(move.reading.combo, 4), move.needs >> shift & 15)
        for move in plan
        if move.needs >> shift & 15
    )
    grave = 0
    for worst, held in holding:
        grave = worst
        needed -= held
        if needed <= 0:
            break
    return grave
