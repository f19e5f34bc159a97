"""What a bot is, and which ones there are.

A policy gets what a person at that seat gets, a view and the table's rules, and answers with a
choice. A new level is one new file and its line in `POLICIES`, and its name in `THINKING` if it
takes its time.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Final, Protocol, cast

from attrs import frozen

from guandan_engine.cards import Card
from guandan_engine.moves import Offer
from guandan_engine.options import Rules
from guandan_engine.views import SeatView

__all__ = [
    "POLICIES",
    "THINKING",
    "PASS",
    "Choice",
    "Give",
    "Pass",
    "Policy",
    "UnknownLevel",
    "policy",
]


@frozen
class Pass:
    """Let the others play."""


@frozen
class Give:
    """Give a card, in tribute or in return: the phase says which."""

    card: Card


PASS: Final = Pass()

Choice = Offer | Pass | Give


class Policy(Protocol):
    """Decides for a seat."""

    @property
    def name(self) -> str:
        """Its level, as people choose it."""
        ...

    def choose(self, view: SeatView, rules: Rules, rng: random.Random) -> Choice:
        """What the seat does now; ValueError if nothing is asked of it.

        The same view, rules and state of `rng` always give the same choice, and nothing is kept
        from one call to the next.
        """
        ...


POLICIES: Final[Mapping[str, str]] = {
    "random": "guandan_bots.random_policy:RandomPolicy",
    "basic": "guandan_bots.basic:BasicPolicy",
    "club": "guandan_bots.club.policy:ClubPolicy",
    "expert": "guandan_bots.expert:ExpertPolicy",
}
"""Each level by name, weakest first, and where its class is. Classes are imported when somebody
asks for them, so that a level which needs much costs nothing at a table without it."""

THINKING: Final = frozenset({"club", "expert"})
"""Those that take more than a millisecond over some decisions, up to some tenths of a second.
Whoever has others waiting, as a server has, decides them beside its loop."""


class UnknownLevel(ValueError):
    """There is no bot of that name."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name

    def __str__(self) -> str:
        return f"no bot level {self.name!r}; there are {', '.join(POLICIES)}"


def policy(name: str) -> Policy:
    """The policy of a level; UnknownLevel names those that there are."""
    place = POLICIES.get(name)
    if place is None:
        raise UnknownLevel(name)
    module, _, attribute = place.partition(":")
    make = cast("Callable[[], Policy]", getattr(import_module(module), attribute))
    return make()
