from __future__ import annotations

import random

from guandan_bots.judgement import Judgement
from guandan_bots.policy import PASS, Choice, Give
from guandan_bots.style import Style
from guandan_engine.options import Rules
from guandan_engine.views import SeatView


class BasicPolicy:
    name = "basic"

    def __init__(self, style: Style = Style()) -> None:
        self._style = style

    def choose(self, view: SeatView, rules: Rules, rng: random.Random) -> Choice:
        public, private = view.public, view.private
        if private.pay:
            return Give(private.pay[0])
        if private.give_back:
            return Give(private.give_back[0])
        best = Judgement(view, rules, self._style).best
        return PASS if best.offer is None else best.offer
