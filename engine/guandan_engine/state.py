"""A match at one moment."""

from __future__ import annotations

from attrs import field, frozen

from guandan_engine.cards import FULL_PACK, NO_CARDS, Card, Cards
from guandan_engine.errors import InvariantBroken
from guandan_engine.options import Rules
from guandan_engine.phases import HandOver, MatchOver, Phase, Waiting
from guandan_engine.scoring import Standing
from guandan_engine.seats import SEATS, Seat
from guandan_engine.tribute import Gift

__all__ = ["NO_DEAL", "NO_HANDS", "Deal", "Hands", "Match", "check", "new_match", "played_by"]

Hands = tuple[Cards, Cards, Cards, Cards]
"""By seat 1..4."""

NO_HANDS: Hands = (NO_CARDS, NO_CARDS, NO_CARDS, NO_CARDS)


@frozen
class Deal:
    """What stays the same from the deal of a hand to its end, once tribute is over."""

    number: int
    """1 for the first hand of a match."""
    seed: bytes = field(repr=False)
    nonces: tuple[bytes, bytes, bytes, bytes]
    hands: Hands = field(repr=False)
    """What each seat began to play with: dealt, and then exchanged."""
    drawn: tuple[tuple[Card, Seat], ...] = ()
    """Cards turned up to find the opener."""
    resisted: tuple[Seat, ...] = ()
    gifts: tuple[Gift, ...] = ()
    returns: tuple[Gift, ...] = ()


NO_DEAL = Deal(number=0, seed=b"", nonces=(b"", b"", b"", b""), hands=NO_HANDS)
"""Before the first hand."""


@frozen
class Match:
    """A match at one moment; `machine.step` makes the next one."""

    rules: Rules
    standing: Standing
    """Changes only when a hand ends."""
    deal: Deal
    hands: Hands = field(repr=False)
    """What each seat holds now."""
    phase: Phase
    turn: int
    """Rises with every accepted command; clocks and clients quote it."""


def new_match(rules: Rules, *, turn: int = 0) -> Match:
    """A match of that table, before its first hand; turns count up from `turn`."""
    return Match(
        rules=rules,
        standing=Standing.start(),
        deal=NO_DEAL,
        hands=NO_HANDS,
        phase=Waiting(),
        turn=turn,
    )


def played_by(match: Match, seat: Seat) -> Cards:
    """What a seat has played in the hand."""
    return match.deal.hands[seat - 1] - match.hands[seat - 1]


def check(match: Match) -> None:
    """InvariantBroken unless 108 cards are where they belong: dealt once, held or played."""
    if match.deal.number == 0:
        return
    # Asked after every play of every table: plain ints where that says the same.
    for seat, begun, held in zip(SEATS, match.deal.hands, match.hands, strict=True):
        if held.bits & ~begun.bits:
            raise InvariantBroken(f"seat {seat} holds cards that it never had")
    one, two, three, four = match.deal.hands
    pack = one + two + three + four
    if pack.bits != FULL_PACK.bits:
        raise InvariantBroken(f"{len(pack)} cards were dealt")
    empty = sum([not hand.bits for hand in match.hands])
    if empty > 2 and not isinstance(match.phase, HandOver | MatchOver):
        raise InvariantBroken(f"{empty} seats are out and the hand goes on")
