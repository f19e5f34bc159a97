"""The door between views, cards and readings, and the ints that `club` judges by."""

from __future__ import annotations

from typing import Final

from guandan_bots.club.style import ClubStyle
from guandan_bots.club.table import JOKER_BOMB, Play, Table, counts
from guandan_bots.known import HAND_CARDS, cards_left, holders
from guandan_engine.cards import FULL_PACK, HALF, LOW, Cards, Rank
from guandan_engine.combos import Combo, reading
from guandan_engine.moves import Offer
from guandan_engine.seats import next_seat, partner_of, prev_seat
from guandan_engine.views import SeatView

__all__ = ["offer_of", "table_of"]

_COMBOS: Final = tuple(Combo)
_PACK: Final = counts(FULL_PACK.bits & LOW) + counts(FULL_PACK.bits >> HALF)


def offer_of(play: Play) -> Offer:
    """A play as the engine knows it."""
    combo = _COMBOS[play.kind]
    key = None if play.kind == JOKER_BOMB else Rank(play.key)
    return Offer(Cards(play.low | play.high << HALF), reading(combo, key, play.size))


def table_of(view: SeatView, style: ClubStyle) -> Table:
    """What a seat knows, in ints; less of it where the style forgets."""
    public, me = view.public, view.seat
    seats = (next_seat(me), partner_of(me), prev_seat(me))
    table = Table()
    table.level = int(public.level)
    table.low = view.private.hand.bits & LOW
    table.high = view.private.hand.bits >> HALF
    table.unseen = _PACK - counts(table.low) - counts(table.high)
    if style.memory:
        for cards in public.played:
            table.unseen -= counts(cards.bits & LOW) + counts(cards.bits >> HALF)
        table.unseen -= _known_of_partner(view)
    table.after, table.partner, table.before = (cards_left(view, seat) for seat in seats)
    if public.top is not None and public.by is not None:
        top = public.top
        table.kind = _COMBOS.index(top.combo)
        table.key = int(top.key or 0)
        table.size = top.size
        table.tier = top.tier
        table.by = 1 + seats.index(public.by)
        # The turn goes round from the play: those between me and its owner have not answered it.
        table.after_answers = table.by > 1 and table.after > 0
        table.partner_answers = table.by > 2 and table.partner > 0
    if style.memory and not table.partner and bool(table.after) != bool(table.before):
        other = FULL_PACK - view.private.hand
        for cards in public.played:
            other -= cards
        table.other_low, table.other_high = other.bits & LOW, other.bits >> HALF
    if not style.team:
        table.partner = HAND_CARDS if table.partner else 0
        table.partner_answers = False
        table.by = 3 if table.by == 2 else table.by
    return table


def _known_of_partner(view: SeatView) -> int:
    """Packed counts of what the partner surely holds: no threat, so it counts as seen."""
    partner = partner_of(view.seat)
    return sum(
        [seats.count(partner) << (card & ~3) for card, seats in holders(view).items()], start=0
    )
