"""A policy that always answers: where it fails, what the clock of a table would do is done.

Whoever seats a policy that may be new, in a contest, at a bridge or at a table, does it through
this, so that a fault costs a move and neither the match nor the others at the table.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from time import perf_counter_ns
from typing import Final

from guandan_bots.policy import PASS, Choice, Give, Pass, Policy
from guandan_engine.cards import Cards
from guandan_engine.moves import Offer, legal_plays
from guandan_engine.options import Rules
from guandan_engine.order import lowest_single
from guandan_engine.readings import readings_that_beat
from guandan_engine.views import PhaseName, SeatView

__all__ = ["Steady", "in_words"]

TIMES_MAX: Final = 100_000
SAID_MAX: Final = 20
"""Different faults that are told; after that they are only counted."""


class Steady:
    """A policy under a clock. Each fault is counted, and told once to `say`, if that is given."""

    def __init__(self, policy: Policy, say: Callable[[str], None] | None = None) -> None:
        self._policy = policy
        self._say = say
        self.said: list[str] = []
        """What was told of it, or would have been: each fault once."""
        self.name = policy.name
        self.times_us: deque[int] = deque(maxlen=TIMES_MAX)
        """What decisions took, in microseconds; of an evening only the last ones."""
        self.fallbacks = 0
        """Decisions that were made for it."""

    def choose(self, view: SeatView, rules: Rules, rng: random.Random) -> Choice:
        begun = perf_counter_ns()
        choice: Choice | None = None
        fault = "chose what the rules do not allow"
        try:
            choice = self._policy.choose(view, rules, rng)
        except (Exception, SystemExit) as error:  # noqa: BLE001 it could not answer, whatever it is
            fault = f"failed: {in_words(error)}"
        self.times_us.append((perf_counter_ns() - begun) // 1000)
        if choice is not None and _allowed(view, rules, choice):
            return choice
        self.fallbacks += 1
        self._tell(f"{self.name} {fault}")
        return _clock_move(view, rules)

    def _tell(self, fault: str) -> None:
        if fault not in self.said and len(self.said) < SAID_MAX:
            self.said.append(fault)
            if self._say is not None:
                self._say(fault)


def in_words(error: BaseException) -> str:
    """What went wrong in somebody else's code; also if the error itself cannot say it."""
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:  # noqa: BLE001 it is theirs, too
        return type(error).__name__


def _allowed(view: SeatView, rules: Rules, choice: Choice) -> bool:
    public, private = view.public, view.private
    match choice:
        case Offer():
            return choice in legal_plays(private.hand, public.level, rules, public.top)
        case Pass():
            return public.phase is PhaseName.FOLLOWING
        case Give(card):
            return card in (private.pay or private.give_back)


def _clock_move(view: SeatView, rules: Rules) -> Choice:
    """What is done for a player whose clock has run out (rules 5)."""
    public, private = view.public, view.private
    match public.phase:
        case PhaseName.LEADING:
            cards = Cards.of([lowest_single(private.hand, public.level)])
            return Offer(cards, readings_that_beat(cards, None, public.level, rules)[0])
        case PhaseName.FOLLOWING:
            return PASS
        case _:
            return Give((private.pay or private.give_back)[0])
