"""What happened, in the past tense, whole: seeds and hands included. See `views.redact`."""

from __future__ import annotations

from attrs import field, frozen

from guandan_engine.cards import Card, Cards, Rank
from guandan_engine.combos import Reading
from guandan_engine.scoring import Outcome
from guandan_engine.seats import Seat, Team
from guandan_engine.tribute import Gift

__all__ = [
    "CardsReturned",
    "Event",
    "GiftChosen",
    "HandEnded",
    "HandStarted",
    "OpenerDrawn",
    "Passed",
    "Played",
    "ReturnChosen",
    "TimedOut",
    "TributePaid",
    "TributeResisted",
    "TrickClosed",
    "WentOut",
]


@frozen
class HandStarted:
    """A hand was dealt."""

    number: int
    """1 for the first hand of the match."""
    level: Rank
    owner: Team | None
    commitment: bytes
    hands: tuple[Cards, Cards, Cards, Cards] = field(repr=False)


@frozen
class OpenerDrawn:
    """Cards were turned up; the holder of the last one opens the match."""

    drawn: tuple[tuple[Card, Seat], ...]


@frozen
class TributeResisted:
    """Donors hold both big jokers: no tribute."""

    holders: tuple[Seat, ...]


@frozen
class GiftChosen:
    """A donor has chosen; the card stays hidden until all have."""

    seat: Seat
    card: Card = field(repr=False)


@frozen
class TributePaid:
    """Gifts moved, all at once."""

    gifts: tuple[Gift, ...]


@frozen
class ReturnChosen:
    """A recipient has chosen; the card stays hidden until all have."""

    seat: Seat
    card: Card = field(repr=False)


@frozen
class CardsReturned:
    """Returns moved, all at once."""

    returns: tuple[Gift, ...]


@frozen
class TimedOut:
    """A seat's clock ran out; what it did follows."""

    seat: Seat


@frozen
class Played:
    seat: Seat
    cards: Cards
    reading: Reading


@frozen
class Passed:
    seat: Seat


@frozen
class WentOut:
    """A seat played its last card."""

    seat: Seat
    place: int
    """1, 2 or 3."""


@frozen
class TrickClosed:
    """Everybody else passed."""

    winner: Seat
    leader: Seat
    """Who leads next: the winner, or its partner if the winner is out (jiefeng)."""

    @property
    def jiefeng(self) -> bool:
        return self.winner != self.leader


@frozen
class HandEnded:
    """The places are settled, and the seed is open for anyone to check."""

    outcome: Outcome
    left: tuple[Cards, Cards, Cards, Cards]
    """What was not played, by seat: public now."""
    seed: bytes
    nonces: tuple[bytes, bytes, bytes, bytes]


Event = (
    HandStarted
    | OpenerDrawn
    | TributeResisted
    | GiftChosen
    | TributePaid
    | ReturnChosen
    | CardsReturned
    | TimedOut
    | Played
    | Passed
    | WentOut
    | TrickClosed
    | HandEnded
)
