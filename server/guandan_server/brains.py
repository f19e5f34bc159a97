"""What the server asks of whoever decides for bots: policies stay outside, and are wired in."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final, Protocol

from attrs import frozen

from guandan_engine.options import Rules
from guandan_engine.seats import Seat
from guandan_engine.views import SeatView
from guandan_protocol.messages import Hint, Reviewed
from guandan_server.items import Choice

__all__ = [
    "Brains",
    "Considered",
    "Fallback",
    "Hints",
    "Part",
    "QUICK_LEVEL",
    "SlowBrains",
    "SlowLevel",
    "Unanswered",
]

QUICK_LEVEL: Final = "basic"
"""Every server has it: it decides at once, for itself and for a level that does not."""

Hints = tuple[tuple[Hint, ...], int]
"""Suggestions, cheapest first, and the index of the recommended one (-1: none)."""


class Brains(Protocol):
    """Policies by level, and hints. They see what a seat sees and nothing else."""

    def levels(self) -> Sequence[str]:
        """The names of the levels that decide at once, weakest first."""

    def choose(self, level: str, view: SeatView, rules: Rules, entropy: bytes) -> Choice:
        """What a bot of that level does; deterministic in its arguments."""

    def hints(self, view: SeatView, rules: Rules) -> Hints:
        """What could be done; deterministic in its arguments."""


@frozen
class SlowLevel:
    """A level that takes its time over a decision."""

    name: str
    lighter: str
    """The level that decides in its place when it does not answer."""
    searches: bool
    """Does it use up what time it is given? The others take a few milliseconds."""


@frozen
class Considered:
    """What a slow level came to."""

    choice: Choice
    searched: bool = False
    """Was anything tried out for it?"""


@frozen
class Part:
    """Some decisions of a seat in a hand, gone through again."""

    decisions: tuple[Reviewed, ...]
    left: int
    """How many come after them."""


class SlowBrains(Protocol):
    """Levels that are decided beside the event loop, in worker processes.

    It is pickled for every question, so it holds nothing, and its module imports little.
    """

    def prepare(self) -> None:
        """Import what the levels need; called once in a worker, before anybody waits for it."""

    def slow_levels(self) -> Sequence[SlowLevel]:
        """Weakest first; all of them stronger than those of `Brains.levels`."""

    def searches(self, level: str, view: SeatView) -> bool:
        """May a level that searches take its time over this? Asked in the loop: at a glance."""

    def consider(
        self, level: str, view: SeatView, rules: Rules, entropy: bytes, seconds: float
    ) -> Considered:
        """What a bot of a slow level does; one that searches takes no more than `seconds`.

        With no seconds it does not search.
        """

    def hints(self, view: SeatView, rules: Rules) -> Hints:
        """As `Brains.hints`."""

    def review(self, record: str, seat: Seat, hand: int, begin: int, seconds: float) -> Part:
        """What the strongest level would have played in a hand of a finished match.

        The seat's decisions from number `begin` on: one at least, and no more are begun after
        `seconds`. What is found follows from the arguments but for the seconds.
        """


class Fallback(StrEnum):
    """Why a lighter level decided."""

    FULL = "full"
    """Too many were waiting."""
    LATE = "late"
    """It took too long."""
    RAISED = "raised"
    """The policy failed."""
    DEAD = "dead"
    """The worker process died over it, or could not be started."""
    ABSENT = "absent"
    """This node has no such level."""


class Unanswered(Exception):
    """A slow level did not answer; `trace` is the traceback of a policy that failed."""

    def __init__(self, why: Fallback, trace: str = "") -> None:
        super().__init__(why, trace)
        self.why = why
        self.trace = trace

    def __str__(self) -> str:
        return self.why.value
