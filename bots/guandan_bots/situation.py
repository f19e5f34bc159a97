"""The table as one seat sees it: who sits where, how near they are to going out, what is hidden."""

from __future__ import annotations

from typing import Final

from guandan_bots.chances import Hidden
from guandan_engine.cards import FULL_PACK, Cards, Rank
from guandan_engine.combos import Reading
from guandan_engine.packed import counts
from guandan_engine.seats import Seat, next_seat, partner_of, prev_seat
from guandan_engine.views import SeatView

__all__ = ["Situation"]

HAND_CARDS: Final = 27


class Situation:
    """A view, taken apart once for all questions of a decision."""

    __slots__ = (
        "by_partner",
        "hand",
        "hidden",
        "level",
        "nearest",
        "opponents",
        "partner",
        "partner_answers",
        "to_answer",
        "top",
    )

    hand: Cards
    level: Rank
    top: Reading | None
    """The play to beat; None while leading."""
    by_partner: bool
    opponents: tuple[int, int]
    """Cards left to the opponent who plays after me, and to the one before."""
    nearest: int
    """The fewer of them, of those who still have cards."""
    partner: int
    to_answer: tuple[int, ...]
    """Cards left to the opponents who, if I pass, can still answer the play on the table."""
    partner_answers: bool
    """Can the partner, likewise?"""
    hidden: Hidden

    def __init__(self, view: SeatView) -> None:
        public, seat = view.public, view.seat
        self.hand = view.private.hand
        self.level = public.level
        self.top = public.top
        after, partner, before = next_seat(seat), partner_of(seat), prev_seat(seat)
        self.opponents = _left(view, after), _left(view, before)
        self.nearest = min([n for n in self.opponents if n], default=HAND_CARDS)
        self.partner = _left(view, partner)
        self.by_partner = public.by == partner
        # The turn goes round from the play, so those between me and its owner have not answered it.
        answering: list[Seat] = []
        if public.by is not None:
            other = after
            while other != public.by:
                answering.append(other)
                other = next_seat(other)
        self.partner_answers = partner in answering and self.partner > 0
        self.to_answer = tuple(
            [
                n
                for s, n in zip((after, before), self.opponents, strict=True)
                if s in answering and n
            ]
        )
        packed = counts(FULL_PACK.bits) - counts(self.hand.bits)
        for cards in public.played:
            packed -= counts(cards.bits)
        self.hidden = Hidden(
            ranks=[packed >> shift & 15 for shift in range(0, 60, 4)],
            opponents=self.opponents,
        )


def _left(view: SeatView, seat: Seat) -> int:
    """Cards that a seat still holds. Where the table hides a count, adding up does it, too."""
    shown = view.public.counts[seat - 1]
    return HAND_CARDS - len(view.public.played[seat - 1]) if shown is None else shown
