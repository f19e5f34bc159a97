from __future__ import annotations

import time

from guandan_bots.policy import Give
from guandan_engine import machine
from guandan_engine.commands import *
from guandan_engine.moves import Offer
from guandan_engine.phases import *
from guandan_engine.views import asked, seat_view

TIMES = {}


def play_hand(match, policies, rng):
    while not isinstance(match.phase, (HandOver, MatchOver)):
        seat = asked(match)[0]
        view = seat_view(match, seat)
        p = policies[seat - 1]
        t = time.perf_counter()
        c = p.choose(view, match.rules, rng)
        TIMES.setdefault(id(p), []).append(time.perf_counter() - t)
        if isinstance(c, Offer):
            cmd = Play(seat, c.cards, c.reading)
        elif isinstance(c, Give):
            cmd = (Pay if isinstance(match.phase, Paying) else Return)(seat, c.card)
        else:
            cmd = Pass(seat)
        match, _ = machine.step(match, cmd)
    return match
