"""The yardstick: any legal play at all. It finds what the others never try, so it fuzzes, too."""

from __future__ import annotations

import random

from guandan_bots.policy import PASS, Choice, Give
from guandan_engine.moves import legal_plays
from guandan_engine.options import Rules
from guandan_engine.views import PhaseName, SeatView

__all__ = ["RandomPolicy"]


class RandomPolicy:
    """Plays whatever the rules allow: a pattern, then a move of it; passing counts as a pattern."""

    name = "random"

    def choose(self, view: SeatView, rules: Rules, rng: random.Random) -> Choice:
        public, private = view.public, view.private
        match public.phase:
            case PhaseName.PAYING if private.pay:
                return Give(rng.choice(private.pay))
            case PhaseName.RETURNING if private.give_back:
                return Give(rng.choice(private.give_back))
            case PhaseName.LEADING | PhaseName.FOLLOWING if view.seat in public.asked:
                pass
            case _:
                raise ValueError(f"nothing is asked of seat {view.seat}")
        plays = legal_plays(private.hand, public.level, rules, public.top)
        patterns = plays.patterns()
        # Leading, there is always a pattern: the hand is not empty.
        place = rng.randrange(len(patterns) + (public.top is not None))
        if place == len(patterns):
            return PASS
        return plays.offer(rng.choice(plays.moves(patterns[place])))
