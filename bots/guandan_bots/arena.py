from __future__ import annotations
import random, time
from guandan_engine import machine
from guandan_engine.commands import *
from guandan_engine.state import new_match
from guandan_engine.options import Rules
from guandan_engine.views import seat_view, asked
from guandan_engine.phases import *
from guandan_bots.policy import Pass as PassChoice, Give
from guandan_engine.moves import Offer

TIMES={}
def play_hand(match, policies, rng):
    while not isinstance(match.phase,(HandOver,MatchOver)):
        seat=asked(match)[0]
        view=seat_view(match,seat)
        p=policies[seat-1]
        t=time.perf_counter()
        c=p.choose(view,match.rules,rng)
        TIMES.setdefault(id(p),[]).append(time.perf_counter()-t)
        if isinstance(c,Offer): cmd=Play(seat,c.cards,c.reading)
        elif isinstance(c,Give): cmd=(Pay if isinstance(match.phase,Paying) else Return)(seat,c.card)
        else: cmd=Pass(seat)
        match,_=machine.step(match,cmd)
    return match
