"""Matches of bots as records, for what is done with a match once it is over."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random

from guandan_bots.policy import policy
from guandan_engine import commands
from guandan_engine.machine import step
from guandan_engine.options import PRESETS
from guandan_engine.phases import HandOver, MatchOver, Waiting
from guandan_engine.record import Record
from guandan_engine.state import new_match
from guandan_engine.views import asked, seat_view
from tests.bots.games import command

__all__ = ["NAMES", "recorded"]

RULES = PRESETS["site"]
NAMES = ("Ann", "Ben", "Cai", "")


@cache
def recorded(levels: Sequence[str], seed: str, *, hands: int = 1) -> Record:
    """Some hands, played by a level of bots at each of seats 1..4."""
    chance = Random(seed)
    policies = [policy(level) for level in levels]
    match = new_match(RULES)
    done: list[commands.Command] = []
    while not isinstance(match.phase, MatchOver):
        if not isinstance(match.phase, Waiting | HandOver):
            seat = asked(match)[0]
            view = seat_view(match, seat)
            done.append(command(view, policies[seat - 1].choose(view, RULES, chance)))
        elif match.deal.number < hands:
            done.append(commands.StartHand(chance.randbytes(32)))
        else:
            break
        match, _ = step(match, done[-1])
    return Record(RULES, tuple(done), names=NAMES)
