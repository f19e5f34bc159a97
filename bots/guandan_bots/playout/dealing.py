"""Cards that nobody has seen, dealt as they might lie.

Not every deal that fits is equally likely. People part with their losers and keep their bombs, so
what somebody still holds after twenty cards is a far better hand than as many cards at random: with
ten left it is cheaper by nearly two standard deviations. A deal is therefore stirred: two cards of
two hands change places, always if that makes the hands cheaper, and less often the dearer it makes
them (Metropolis' rule), as strongly as a hand of that size is known to be cheaper than chance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from guandan_bots.playout.arranging import arrange
from guandan_bots.playout.figures import CHANCE, Prices
from guandan_bots.playout.hands import Hand

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["Worlds"]

NOBODY: Final = 4
"""The place of cards that nobody holds: none, where all that was dealt is held or played."""
_FALLS: Final[tuple[int, ...]] = tuple(
    [round(32768 * 2.718281828 ** (-i / 16)) for i in range(160)]
)
"""How often of 32768 a step up is taken, by its height in sixteenths."""


class Worlds:
    """The hands of the others, as one deal after another."""

    def __init__(
        self,
        cards: list[int],
        seats: list[int],
        room: list[int],
        pulls: list[int],
        level: i64,
        prices: Prices,
        seed: i64,
    ) -> None:
        self.level: i64 = level
        self.prices = prices
        self.chance: i64 = seed & CHANCE
        self.cards = cards
        """Bits of first copies; whoever holds two of a face holds the bit twice."""
        self.seats = seats
        """For each card the seats that may hold it, a bit each; the stricter come first."""
        self.room = room
        """How many cards each seat holds."""
        self.pulls = pulls
        """How strongly cheap hands are preferred for each seat, and for nobody, in thousandths."""
        self.holders: list[int] = [0] * len(cards)
        self.lows: list[int] = [0, 0, 0, 0]
        self.highs: list[int] = [0, 0, 0, 0]
        self.hands: list[Hand] = [Hand(), Hand(), Hand(), Hand(), Hand()]
        """The last one is nobody's."""
        self.free: i64 = 0
        """Cards before that one stay where they are."""

    def _draw(self, below: i64) -> i64:
        self.chance = (self.chance * 1664525 + 1013904223) & CHANCE
        return (self.chance >> 12) * below >> 19

    def deal(self) -> None:
        """A new deal; each card goes to a seat with as much chance as that has room.

        Which makes all deals that fit equally likely, but for the few cards that are not free.
        """
        left: list[int] = [self.room[0], self.room[1], self.room[2], self.room[3], len(self.cards)]
        seat: i64
        for seat in range(4):
            self.lows[seat] = 0
            self.highs[seat] = 0
            left[NOBODY] -= left[seat]
        i: i64
        self.free = 0
        for i in range(len(self.cards)):
            able: i64 = self.seats[i]
            if not able & (able - 1):
                self.free = i + 1
            elif left[NOBODY]:
                able |= 1 << NOBODY
            total: i64 = self._room_in(left, able)
            if not total:
                able = 31  # nobody else has room for a card of the few
                total = self._room_in(left, able)
            drawn: i64 = self._draw(total)
            seat = 0
            while True:
                if able >> seat & 1:
                    drawn -= left[seat]
                    if drawn < 0:
                        break
                seat += 1
            left[seat] -= 1
            self.holders[i] = seat
            self._give(seat, self.cards[i])
        for seat in range(4):
            self.hands[seat] = self._arranged(seat)

    def _room_in(self, left: list[int], seats: i64) -> i64:
        total: i64 = 0
        seat: i64
        for seat in range(5):
            if seats >> seat & 1:
                total += left[seat]
        return total

    def _give(self, seat: i64, card: i64) -> None:
        if seat == NOBODY:
            return
        low: i64 = self.lows[seat]
        if low & card:
            self.highs[seat] = self.highs[seat] | card
        else:
            self.lows[seat] = low | card

    def _take(self, seat: i64, card: i64) -> None:
        if seat == NOBODY:
            return
        high: i64 = self.highs[seat]
        if high & card:
            self.highs[seat] = high ^ card
        else:
            self.lows[seat] = self.lows[seat] ^ card

    def stir(self, steps: i64) -> None:
        """Tries so many exchanges of two cards."""
        count: i64 = len(self.cards) - self.free
        if count < 2:
            return
        step: i64
        for step in range(steps):  # noqa: B007  declared above, so that it is a machine word
            a: i64 = self.free + self._draw(count)
            b: i64 = self.free + self._draw(count)
            one: i64 = self.holders[a]
            other: i64 = self.holders[b]
            card: i64 = self.cards[a]
            swapped: i64 = self.cards[b]
            if one == other or card == swapped:
                continue
            if not (
                (self.seats[a] | 1 << NOBODY) >> other & 1
                and (self.seats[b] | 1 << NOBODY) >> one & 1
            ):
                continue
            self._swap(one, card, other, swapped)
            first = self._arranged(one)
            second = self._arranged(other)
            rise: i64 = self.pulls[one] * (first.cost - self.hands[one].cost)
            rise += self.pulls[other] * (second.cost - self.hands[other].cost)
            rise = rise * 16 // 1000
            if rise > 0 and (rise > 159 or self._draw(32768) >= _FALLS[rise]):
                self._swap(one, swapped, other, card)
                continue
            self.holders[a] = other
            self.holders[b] = one
            self.hands[one] = first
            self.hands[other] = second

    def _arranged(self, seat: i64) -> Hand:
        if seat == NOBODY:
            return self.hands[NOBODY]
        return arrange(self.lows[seat], self.highs[seat], self.level, self.prices)

    def _swap(self, one: i64, card: i64, other: i64, swapped: i64) -> None:
        self._take(one, card)
        self._take(other, swapped)
        self._give(one, swapped)
        self._give(other, card)
