"""What is public about the other hands: how many cards each holds, and which ones surely."""

from __future__ import annotations

from typing import Final

from guandan_engine.cards import Card, Rank, card_of
from guandan_engine.seats import Seat
from guandan_engine.views import SeatView

__all__ = ["HAND_CARDS", "cards_left", "holders"]

HAND_CARDS: Final = 27
_BIG_JOKER: Final = card_of(Rank.BIG_JOKER)


def cards_left(view: SeatView, seat: Seat) -> int:
    """Cards that a seat still holds. Where the table hides a count, adding up does it, too."""
    shown = view.public.counts[seat - 1]
    return HAND_CARDS - len(view.public.played[seat - 1]) if shown is None else shown


def holders(view: SeatView) -> dict[Card, list[Seat]]:
    """The cards of which it is known who else holds them, as often as they do."""
    public, me = view.public, view.seat
    back = {(gift.donor, gift.card) for gift in public.returns}
    given = [(gift.card, gift.recipient) for gift in public.returns]
    given += [(g.card, g.recipient) for g in public.gifts if (g.recipient, g.card) not in back]
    given += public.drawn
    if public.resisted:
        each = 2 // len(public.resisted)
        given += [(_BIG_JOKER, seat) for seat in public.resisted for _ in range(each)]
    known: dict[Card, list[Seat]] = {}
    for card, seat in given:
        having = known.setdefault(card, [])
        # What it has played of that face may be the very card.
        if seat != me and having.count(seat) + public.played[seat - 1].count(card) < given.count(
            (card, seat)
        ):
            having.append(seat)
    return known
