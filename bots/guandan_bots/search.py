"""Choices tried out: each in the same worlds with the same chance, played to the end of the hand.

A world is a deal of the unseen cards that fits all that is public (`belief`). In each world every
candidate is played, and after it the rest of the hand (`playout`), so candidates are compared by
paired differences, and a difference counts only beyond two standard errors. The budget is spent in
rounds: after each the worse half goes, but never the choice that the others have to beat.

    try_out(view, rules, choices, budget, rng)           -> Trial
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from math import sqrt
from time import perf_counter
from typing import Final

from attrs import frozen

from guandan_bots import playout
from guandan_bots.belief import Belief
from guandan_bots.club.grouping import Grouper
from guandan_bots.club.outlook import outlook_of
from guandan_bots.club.policy import STYLE
from guandan_bots.club.seeing import table_of
from guandan_bots.playout import Game, Hand, Worlds
from guandan_bots.policy import Choice
from guandan_bots.positions import kind_of, pairs_under, planned, prices_of, top_of
from guandan_engine.cards import HALF, LOW, minus
from guandan_engine.moves import Offer
from guandan_engine.options import Rules
from guandan_engine.views import SeatView

__all__ = ["Budget", "Trial", "try_out"]

SURE_ERRORS: Final = 2.0
"""Standard errors beyond which a difference counts."""
STIRS: Final = 24
"""Exchanges of cards between two worlds: fewer, and they are too much alike."""
STIRS_FIRST: Final = 240
"""And before the first, which begins as any deal."""
SURPRISES_MAX: Final = 3
"""Worlds passed over in which somebody passed who had an easy answer; people do save cards."""
EASY_STANDS: Final = 60
"""An answer is easy that stands in no more cases of a hundred: nobody saves it."""
WIN: Final = 1
"""What coming first is worth besides its levels: a tribute, and the next lead."""
CLOCK_WORLDS: Final = 8
"""Worlds between two looks at the clock."""
_NO_ERROR: Final = 9.0
"""Of what was tried once: nobody knows."""


@frozen
class Budget:
    """What a decision may cost: so many play-outs, and no more time than that, if it is said.

    With play-outs alone a decision is the same on every machine; with a time it is not.
    """

    playouts: int
    seconds: float | None = None


@frozen
class Trial:
    """What the worlds say about some choices; the others have to beat the first of them."""

    choices: tuple[Choice, ...]
    worlds: tuple[int, ...]
    """How many each was tried in."""
    gains: tuple[float, ...]
    """By how much each did better than the first, in levels a hand; coming first is `WIN` more."""
    errors: tuple[float, ...]
    """Standard errors of the gains."""
    handicaps: tuple[float, ...]
    """What each has to gain before it counts as better at all."""
    best: int
    """The place of the best, handicaps counted, of those that were tried to the end."""

    @property
    def overrides(self) -> bool:
        """Is the best better than the first, beyond doubt?"""
        gain = self.gains[self.best] - self.handicaps[self.best]
        return gain > SURE_ERRORS * self.errors[self.best]

    @property
    def choice(self) -> Choice:
        return self.choices[self.best if self.overrides else 0]


@frozen
class _Candidate:
    """The table after a choice; seats are 0..3."""

    hand: Hand
    kind: int
    top: int
    by: int
    out: list[int]


@cache
def _values(seat: int, advance_double: int) -> tuple[int, ...]:
    """What each way to end is worth to a seat, by the code that a play-out ends with."""
    gains = {1: advance_double, 2: 2, 3: 1}
    found = []
    for code in range(256):
        order = [code >> 2 * place & 3 for place in range(4)]
        value = 0
        if len(set(order)) == len(order):
            value = gains[order.index(order[0] ^ 2)] + WIN
            if (order[0] ^ seat) & 1:
                value = -value
        found.append(value)
    return tuple(found)


class _Position:
    """A decision, in the figures of the play-outs."""

    def __init__(self, view: SeatView, rules: Rules, seed: int) -> None:
        public = view.public
        self.bits = view.private.hand.bits
        self.seat = view.seat - 1
        self.level = public.level
        self.kind, self.top, self.by = playout.NOTHING, 0, 0
        if public.top is not None and public.by is not None:
            self.kind, self.top = kind_of(public.top), top_of(public.top, public.level)
            self.by = public.by - 1
        self.out = [seat - 1 for seat in public.out]
        table = table_of(view, STYLE)
        outlook = outlook_of(table, STYLE)
        self.prices = prices_of(outlook, public.level)
        self.grouper = Grouper(outlook, STYLE)
        self.game = Game(self.prices)
        self.game.pairs = pairs_under(jokers=rules.full_house_joker_pair)
        belief = Belief(view)
        self.passed = [seat for seat in belief.passed if (seat ^ self.by) & 1]
        """Opponents of whoever played; partners pass for other reasons."""
        self.worlds = belief.worlds(public.level, self.prices, seed)
        self.worlds.deal()
        self.worlds.stir(STIRS_FIRST)

    def candidate(self, choice: Choice) -> _Candidate:
        if not isinstance(choice, Offer):
            return _Candidate(self._own(self.bits), self.kind, self.top, self.by, self.out)
        one, rest = choice.reading, minus(self.bits, choice.cards.bits)
        return _Candidate(
            self._own(rest),
            kind_of(one),
            top_of(one, self.level),
            self.seat,
            self.out if rest else [*self.out, self.seat],
        )

    def _own(self, bits: int) -> Hand:
        """Its own hand gets a better plan than the others': its candidates are told apart by it."""
        return planned(self.grouper.plan(bits & LOW, bits >> HALF), self.level, self.prices)

    def next_world(self) -> list[Hand]:
        """The others' hands."""
        worlds = self.worlds
        for _ in range(SURPRISES_MAX):
            worlds.stir(STIRS)
            if not self._surprises(worlds):
                break
        return worlds.hands[:4]

    def _surprises(self, worlds: Worlds) -> bool:
        """Has somebody passed who had an easy answer?"""
        if not self.passed or self.kind == playout.BOMB:
            return False
        for seat in self.passed:
            above = self.game.groups(worlds.hands[seat], self.kind) & -(2 * self.top)
            low: int = above & -above
            place = 16 * self.kind + low.bit_length() - 1
            if low and self.prices.stands[place] <= EASY_STANDS:
                return True
        return False


def try_out(
    view: SeatView,
    rules: Rules,
    choices: Sequence[Choice],
    budget: Budget,
    rng: random.Random,
    handicaps: Sequence[float] = (),
) -> Trial:
    """Tries what a seat that has to lead or to follow could do; see the module's docstring."""
    handicaps = handicaps or [0.0] * len(choices)
    begun = perf_counter()
    chance = random.Random(rng.getrandbits(64))
    position = _Position(view, rules, chance.getrandbits(31))
    game, seat = position.game, position.seat
    values = _values(seat, int(rules.advance_double))
    candidates = [position.candidate(choice) for choice in choices]
    tally = _Tally(handicaps)
    active = list(range(len(choices)))
    rounds = max((len(choices) - 1).bit_length(), 1)
    after = (seat + 1) & 3
    late = False
    while len(active) > 1 and rounds and not late:
        spent = sum(tally.worlds)
        for number in range(max((budget.playouts - spent) // (rounds * len(active)), 1)):
            if number % CLOCK_WORLDS == 0 and budget.seconds is not None:
                late = perf_counter() - begun > budget.seconds
                if late:
                    break
            hands = position.next_world()
            seed = chance.getrandbits(31)
            first = 0
            for place in active:
                one = candidates[place]
                hands[seat] = one.hand
                game.begin(hands, after, one.kind, one.top, one.by, one.out, seed)
                value = values[game.play()]
                if place == 0:
                    first = value
                tally.add(place, value - first)
        rounds -= 1
        if not late:
            active = tally.better_half(active)
    gains = [tally.gain(place) for place in range(len(choices))]
    return Trial(
        choices=tuple(choices),
        worlds=tuple(tally.worlds),
        gains=tuple(gains),
        errors=tuple([tally.error(place) for place in range(len(choices))]),
        handicaps=tuple(handicaps),
        best=max(active, key=lambda place: (gains[place] - handicaps[place], -place)),
    )


class _Tally:
    """Differences to the first candidate, summed up."""

    def __init__(self, handicaps: Sequence[float]) -> None:
        self._handicaps = handicaps
        self.worlds = [0] * len(handicaps)
        self._sums = [0] * len(handicaps)
        self._squares = [0] * len(handicaps)

    def add(self, place: int, difference: int) -> None:
        self.worlds[place] += 1
        self._sums[place] += difference
        self._squares[place] += difference * difference

    def gain(self, place: int) -> float:
        return self._sums[place] / max(self.worlds[place], 1)

    def _lead(self, place: int) -> float:
        return self.gain(place) - self._handicaps[place]

    def error(self, place: int) -> float:
        n = self.worlds[place]
        if n < 2:
            return _NO_ERROR
        return sqrt(max(self._squares[place] / n - self.gain(place) ** 2, 0) / (n - 1))

    def better_half(self, active: list[int]) -> list[int]:
        """The first, and the better half of the others, but none that is surely worse."""
        rivals = [
            place
            for place in active[1:]
            if self._lead(place) + SURE_ERRORS * self.error(place) >= 0
        ]
        rivals.sort(key=lambda place: (-self._lead(place), place))
        return [0, *sorted(rivals[: len(active) // 2])]
