"""What a seat knows of the hands that it does not see: of what worlds for its search are made.

How many cards each seat holds is public, or adds up; so is what was exchanged: a gift sits in its
recipient's hand until it is played, and who gave it held nothing higher, wilds aside. How likely
the deals are that fit is for `playout.dealing` to say.
"""

from __future__ import annotations

from typing import Final

from guandan_bots.known import cards_left, holders
from guandan_bots.playout import Prices, Worlds
from guandan_engine.cards import FULL_PACK, Card, Rank, rank_of, wild_of
from guandan_engine.order import height
from guandan_engine.phases import PASSED
from guandan_engine.seats import SEATS
from guandan_engine.views import SeatView

__all__ = ["Belief"]

PULLS: Final = (0, *[25] * 7, 23, 22, 20, 20, 19, 19, 19, 18, 17, 15, 13, 11, 9, 6, 4, 2, *[0] * 5)
"""By cards held, how much likelier a hand is that is cheaper by a hundredth, in thousandths.

Measured: with these, hands as they are held and those dealt for them agree in what they cost, in
bombs and in groups, at every size (docs/tuning.md)."""
_ALL: Final = 15


class Belief:
    """The unseen cards, who may hold which, and how many each seat holds; seats are 0..3."""

    __slots__ = ("cards", "passed", "room", "seats")

    cards: list[int]
    """Bits of first copies; a face of which both are unseen stands twice."""
    seats: list[int]
    """For each card the seats that may hold it, a bit each; the stricter come first."""
    room: list[int]
    passed: tuple[int, ...]
    """The seats that have passed in the open trick."""

    def __init__(self, view: SeatView) -> None:
        public, me = view.public, view.seat
        unseen = FULL_PACK - view.private.hand
        for played in public.played:
            unseen -= played
        self.room = [0 if seat == me else cards_left(view, seat) for seat in SEATS]
        holding = sum([1 << place for place, room in enumerate(self.room) if room])
        known = holders(view)
        able: list[tuple[int, int]] = []
        for card in unseen.faces():
            having = known.get(card, [])
            for copy in range(unseen.count(card)):
                if copy < len(having):
                    seats = 1 << having[copy] - 1
                else:
                    seats = _may_hold(view, card)
                able.append((1 << card, seats & holding or holding))
        able.sort(key=lambda one: one[1].bit_count())
        self.cards = [card for card, _ in able]
        self.seats = [seats for _, seats in able]
        self.passed = tuple([s - 1 for s in SEATS if s != me and public.shown[s - 1] is PASSED])

    def worlds(self, level: Rank, prices: Prices, seed: int) -> Worlds:
        """Deals of the unseen cards, of which none is made yet."""
        pulls = [*[PULLS[n] for n in self.room], 0]
        return Worlds(self.cards, self.seats, self.room, pulls, level, prices, seed)


def _may_hold(view: SeatView, card: Card) -> int:
    """A bit for each seat: a donor has nothing above its gift."""
    public = view.public
    if card == wild_of(public.level):
        return _ALL
    seats = _ALL
    high = height(rank_of(card), public.level)
    for gift in public.gifts:
        if high > height(rank_of(gift.card), public.level):
            seats &= ~(1 << gift.donor - 1)
    return seats
