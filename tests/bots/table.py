"""A seat's view written as one says it at the table.

    seat("S9 D9 H3", over="pair-8", by=2, left={2: 1})
    seat("S9 D9 H3 …", returning="C3 D9", gift="4 DA")

Nothing behind it is a whole match: hands may be short, and cards nobody mentions are hidden.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve

from guandan_bots.policy import Choice, Give, Pass
from guandan_engine.cards import NO_CARDS
from guandan_engine.moves import Offer
from guandan_engine.notation import (
    card_text,
    cards_text,
    level_of,
    parse_card,
    parse_cards,
    parse_reading,
    reading_text,
)
from guandan_engine.options import Rules
from guandan_engine.seats import SEATS, Seat, Team
from guandan_engine.tribute import Gift
from guandan_engine.views import NOTHING_LAID, PhaseName, Private, Public, SeatView

__all__ = ["RULES", "cards_of", "said", "seat"]

RULES = Rules()
ME = Seat(1)


def seat(
    hand: str,
    *,
    over: str = "",
    by: int = 4,
    left: Mapping[int, int | None] | None = None,
    level: str = "2",
    played: Mapping[int, str] | None = None,
    paying: str = "",
    returning: str = "",
    gift: str = "4 SA",
) -> SeatView:
    """What seat 1 sees; it leads unless it has to beat the reading `over`, played `by` a seat.

    `left` is what the others hold, 27 cards where it says nothing. `paying` and `returning` are the
    cards it may give, `gift` is who gave it what.
    """
    held = parse_cards(hand)
    counts = dict.fromkeys(SEATS, 27) | {ME: len(held)} | dict(left or {})
    one, two, three, four = (counts[seat] for seat in SEATS)
    shown = {seat: parse_cards((played or {}).get(seat, "")) for seat in SEATS}
    rank = level_of(level)
    donor, _, card = gift.partition(" ")
    public = Public(
        phase=PhaseName.FOLLOWING if over else PhaseName.LEADING,
        turn=7,
        asked=(ME,),
        hand=2,
        level=rank,
        owner=None,
        levels=dict.fromkeys(Team, rank),
        misses=dict.fromkeys(Team, 0),
        counts=(one, two, three, four),
        out=tuple(seat for seat in SEATS if counts[seat] == 0),
        top=parse_reading(over) if over else None,
        by=Seat(by) if over else None,
        leader=Seat(by) if over else None,
        shown=NOTHING_LAID,
        played=(shown[SEATS[0]], shown[SEATS[1]], shown[SEATS[2]], shown[SEATS[3]]),
        drawn=(),
        owing=(),
        resisted=(),
        gifts=(),
        returns=(),
        outcome=None,
        left=None,
    )
    private = Private(held)
    if paying:
        public = evolve(public, phase=PhaseName.PAYING, owing=((ME, Seat(int(donor))),))
        private = evolve(private, pay=tuple(map(parse_card, paying.split())))
    if returning:
        given = Gift(donor=Seat(int(donor)), recipient=ME, card=parse_card(card))
        public = evolve(public, phase=PhaseName.RETURNING, gifts=(given,))
        private = evolve(private, give_back=tuple(map(parse_card, returning.split())))
    return SeatView(seat=ME, public=public, private=private)


def said(choice: Choice) -> str:
    """A choice as one says it: the reading of a play, `pass`, or the card that is given."""
    match choice:
        case Offer(_, reading):
            return reading_text(reading)
        case Pass():
            return "pass"
        case Give(card):
            return card_text(card)


def cards_of(choice: Choice) -> str:
    """The cards of a play."""
    return cards_text(choice.cards if isinstance(choice, Offer) else NO_CARDS)
