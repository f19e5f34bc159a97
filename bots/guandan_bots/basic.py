"""The first level that plays sensible Guandan.

It sees its hand as groups, plays what makes the hand cheaper, takes the lead when that leads
somewhere, leaves the partner's plays alone, and saves bombs and wilds. How it weighs all that
stands in `judgement` and `gifts`; the figures, each with its reason, in `style`.
"""

from __future__ import annotations

import random
from typing import Final

from guandan_bots.gifts import partings
from guandan_bots.judgement import Judgement
from guandan_bots.policy import PASS, Choice, Give
from guandan_bots.style import Style
from guandan_engine.options import Rules
from guandan_engine.views import PhaseName, SeatView

__all__ = ["STYLE", "BasicPolicy"]

STYLE: Final = Style()
"""What `basic` plays and the hints recommend."""


class BasicPolicy:
    """Takes the option that weighs most; it leaves nothing to chance."""

    name = "basic"

    def __init__(self, style: Style = STYLE) -> None:
        self.style = style

    def choose(self, view: SeatView, rules: Rules, rng: random.Random) -> Choice:
        match view.public.phase:
            case PhaseName.PAYING | PhaseName.RETURNING:
                found, best = partings(view, rules, self.style)
                if found:
                    return Give(found[best].card)
            case PhaseName.LEADING | PhaseName.FOLLOWING if view.seat in view.public.asked:
                option = Judgement(view, rules, self.style).best
                return PASS if option.offer is None else option.offer
            case _:
                pass
        raise ValueError(f"nothing is asked of seat {view.seat}")
