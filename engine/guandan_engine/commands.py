"""Orders to the machine. Chance and time come in here as data, and from nowhere else."""

from __future__ import annotations

from attrs import field, frozen

from guandan_engine.cards import Card, Cards
from guandan_engine.combos import Reading
from guandan_engine.seats import Seat

__all__ = ["Command", "Pass", "Pay", "Play", "Return", "StartHand", "TimeOut"]


@frozen
class StartHand:
    """Shuffle and deal the next hand."""

    seed: bytes = field(repr=False)
    """`shuffle.SEED_BYTES` from the operating system, committed to beforehand."""
    nonces: tuple[bytes, bytes, bytes, bytes] = (b"", b"", b"", b"")
    """What each seat added once it had seen the commitment."""


@frozen
class Play:
    """Play cards, as `reading` if one is declared."""

    seat: Seat
    cards: Cards
    reading: Reading | None = None
    turn: int | None = None
    """The `Match.turn` that the player saw, if they say so: another one makes it stale."""


@frozen
class Pass:
    seat: Seat
    turn: int | None = None


@frozen
class Pay:
    """Give a card as tribute."""

    seat: Seat
    card: Card
    turn: int | None = None


@frozen
class Return:
    """Give a card back for a tribute."""

    seat: Seat
    card: Card
    turn: int | None = None


@frozen
class TimeOut:
    """A seat's clock ran out; the machine acts for it as rules 5 says."""

    seat: Seat
    turn: int


Command = StartHand | Play | Pass | Pay | Return | TimeOut
