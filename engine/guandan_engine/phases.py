"""What a match is waiting for: one record per phase, with the fields that exist then.

    Waiting ─► Paying ─► Returning ─► Leading ⇄ Following ─► HandOver ─► (Paying …)
       └──────────────────────────────►┘                        └► MatchOver

Dealing is no phase: `StartHand` deals and goes on at once to whatever has to be asked first.
`Leading` and `Following` are the order of play and hold no hands, so that it can be judged alone.
"""

from __future__ import annotations

from enum import Enum

from attrs import field, frozen

from guandan_engine.cards import Card
from guandan_engine.combos import Reading
from guandan_engine.moves import Offer
from guandan_engine.scoring import Outcome
from guandan_engine.seats import Seat
from guandan_engine.tribute import Debt, Gift

__all__ = [
    "NOTHING_SHOWN",
    "PASSED",
    "Following",
    "HandOver",
    "Leading",
    "MatchOver",
    "Paying",
    "Phase",
    "Returning",
    "Shown",
    "Waiting",
    "held_back",
]


class Pass(Enum):
    """The pass that a seat shows until the trick closes."""

    PASSED = "pass"


PASSED = Pass.PASSED

Shown = Offer | Pass | None
"""What lies before a seat in the open trick."""

NOTHING_SHOWN: tuple[Shown, Shown, Shown, Shown] = (None, None, None, None)


@frozen
class Waiting:
    """No hand has been dealt in this match."""


@frozen
class Paying:
    """Donors choose among their equal top cards; a choice is held back until all are in."""

    debts: tuple[Debt, ...]
    chosen: tuple[Gift, ...] = field(default=(), repr=False)


@frozen
class Returning:
    """Recipients choose what goes back; choices are held back until all are in."""

    gifts: tuple[Gift, ...]
    """What was paid, first place's gift first."""
    chosen: tuple[Gift, ...] = field(default=(), repr=False)


@frozen
class Leading:
    """The table is empty: `turn` must lead."""

    turn: Seat
    out: tuple[Seat, ...]
    """Seats that have played all their cards, in that order."""


@frozen
class Following:
    """The table holds a play: the first of `waiting` must beat it or pass."""

    top: Reading
    by: Seat
    waiting: tuple[Seat, ...]
    """Seats with cards that have not passed since that play, in turn order; never empty."""
    out: tuple[Seat, ...]
    shown: tuple[Shown, Shown, Shown, Shown]
    """What each seat did last in this trick, by seat 1..4."""
    leader: Seat
    """Who led this trick."""

    @property
    def turn(self) -> Seat:
        return self.waiting[0]


@frozen
class HandOver:
    """A hand has ended and the match goes on."""

    outcome: Outcome


@frozen
class MatchOver:
    """The match has been won."""

    outcome: Outcome


Phase = Waiting | Paying | Returning | Leading | Following | HandOver | MatchOver


def held_back(phase: Paying | Returning, seat: Seat) -> Card | None:
    """The card that a seat has chosen and the others may not know yet."""
    return next((gift.card for gift in phase.chosen if gift.donor == seat), None)
