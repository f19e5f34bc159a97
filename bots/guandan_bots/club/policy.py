"""The level `club`, and what it thinks of everything that a seat could do."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final

from guandan_bots.club.seeing import offer_of, table_of
from guandan_bots.club.style import ClubStyle
from guandan_bots.club.table import NOTHING, Play, Table
from guandan_bots.club.weighing import Weighed, weigh
from guandan_bots.gifts import partings
from guandan_bots.policy import PASS, Choice, Give, Pass
from guandan_engine.moves import LegalPlays, Offer, legal_plays
from guandan_engine.options import Rules
from guandan_engine.views import PhaseName, SeatView

__all__ = ["STYLE", "ClubPolicy", "Judgement"]

STYLE: Final = ClubStyle()


class ClubPolicy:
    """Takes the option that weighs most; it leaves nothing to chance."""

    name = "club"

    def __init__(self, style: ClubStyle = STYLE) -> None:
        self.style = style

    def choose(self, view: SeatView, rules: Rules, rng: random.Random) -> Choice:
        del rng
        match view.public.phase:
            case PhaseName.PAYING | PhaseName.RETURNING:
                found, best = partings(view, self.style)
                if found:
                    return Give(found[best].card)
            case PhaseName.LEADING | PhaseName.FOLLOWING if view.seat in view.public.asked:
                choice, _ = next(iter(Judgement(view, rules, self.style)))
                return choice
            case _:
                pass
        raise ValueError(f"nothing is asked of seat {view.seat}")


class Judgement:
    """A seat's decision to lead or to follow, as `club` sees it.

    Iterating gives what may be done and what `club` makes of it, the best first; never nothing.
    """

    table: Table
    weighed: Weighed

    def __init__(self, view: SeatView, rules: Rules, style: ClubStyle = STYLE) -> None:
        self._view = view
        self._rules = rules
        self._legal: LegalPlays | None = None
        self.table = table_of(view, style)
        self.weighed = weigh(self.table, style)

    def __iter__(self) -> Iterator[tuple[Offer | Pass, Play]]:
        for option in sorted(self.weighed.options, key=lambda one: -one.score):
            if option.kind == NOTHING:
                yield PASS, option
                continue
            offer = offer_of(option)
            # Tables differ in what a straight with a wild may be.
            if offer in self._plays():
                yield offer, option

    def _plays(self) -> LegalPlays:
        if self._legal is None:
            view, public = self._view, self._view.public
            self._legal = legal_plays(view.private.hand, public.level, self._rules, public.top)
        return self._legal
