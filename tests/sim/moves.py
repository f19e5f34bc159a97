"""Any legal move: for bots and people who are here to be interrupted."""

from __future__ import annotations

from random import Random
from typing import Final

from guandan_engine.moves import legal_plays
from guandan_engine.options import Rules
from guandan_engine.views import PhaseName, SeatView
from guandan_protocol import messages as m
from guandan_server.items import Choice

__all__ = ["any_choice", "as_action"]

PASSES: Final = 0.3


def any_choice(view: SeatView, rules: Rules, random: Random) -> Choice:
    """A legal choice of a seat that is asked; more often a big one, so that hands end."""
    public, private = view.public, view.private
    if public.phase is PhaseName.PAYING:
        return random.choice(private.pay)
    if public.phase is PhaseName.RETURNING:
        return random.choice(private.give_back)
    plays = legal_plays(private.hand, public.level, rules, public.top)
    patterns = plays.patterns()
    if not patterns or (public.top is not None and random.random() < PASSES):
        return None
    some = random.choices(patterns, k=3)
    pattern = max(some, key=lambda one: one.reading.size)
    return plays.offer(random.choice(plays.moves(pattern)))


def as_action(choice: Choice, view: SeatView) -> m.Action:
    """What a client sends to make a choice."""
    turn = view.public.turn
    if choice is None:
        return m.Pass(0, turn)
    if not isinstance(choice, int):
        return m.Play(0, choice.cards, choice.reading, turn)
    if view.public.phase is PhaseName.PAYING:
        return m.Pay(0, choice, turn)
    return m.GiveBack(0, choice, turn)
