"""How likely a play stands, and so what each group of a hand is worth.

Card memory lives here: what nobody has shown yet, and how much of it the opponents can hold, says
how many higher pairs, straights, bombs … are to be expected against us. From that follows the
chance that a play stands, and from the chance its *cost*:

    near 1      a group that only gets played when we have the lead, and loses it
    negative    a group that brings the lead back; bombs do so at any time

A hand's cost is the sum over its groups: about how many times we still have to lose the lead.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import comb, prod
from typing import Final

from attrs import frozen

from guandan_bots.style import Style
from guandan_engine.cards import Rank
from guandan_engine.combos import Combo, Reading, tier_of
from guandan_engine.order import LEVELS, height

__all__ = ["Chances", "Hidden"]

_DESCENDING: Final = tuple(
    tuple(sorted(range(15), key=lambda rank: -height(Rank(rank), level))) for level in LEVELS
)
_HEIGHTS: Final = tuple(tuple(height(rank, level) for rank in Rank) for level in LEVELS)
_PLACES: Final = 32
"""A hand's share of the hidden cards is rounded to so many parts: few tables serve all."""
_AT_BOTH_ENDS: Final = (Rank.ACE, *LEVELS)
"""Ranks as runs meet them."""
_COPIES_MAX: Final = 10
"""Cards of a rank that a hand can play together: eight, and two wilds."""
_TIERS: Final = tuple(tier_of(Combo.BOMB, size) if size > 3 else 0 for size in range(11))
_FLUSH_TIER: Final = tier_of(Combo.STRAIGHT_FLUSH, 5)
_JOKERS_TIER: Final = tier_of(Combo.JOKER_BOMB, 4)

Odds = tuple[tuple[float, ...], ...]


@frozen
class Hidden:
    """The cards that a seat has not seen, and who may hold them."""

    ranks: Sequence[int]
    """How many of each rank, 2..Y; wilds count as level cards."""
    opponents: tuple[int, int]
    """Cards that each opponent holds; the partner has the others."""


@cache
def _odds(place: int) -> Odds:
    """[k][n]: of n cards, each in a hand with chance `place`/32, how likely k or more are in it."""
    p = place / _PLACES
    return tuple(
        tuple(
            sum(comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k, n + 1)) for n in range(9)
        )
        for k in range(6)
    )


def _runs_above(likely: list[float], *, span: int, hands: int) -> list[float]:
    """By key: how many higher runs are to be expected, if a rank is in a hand as `likely` says."""
    above = [0.0] * 13
    expected = 0.0
    for start in range(len(likely) - span, -1, -1):
        # A run of `span` that starts at place `start` has its top at rank `start + span - 2`.
        above[start + span - 2] = expected
        expected += hands * prod(likely[start : start + span])
    return above


class Chances:
    """What stands and what it costs, as one seat can judge by what it has seen."""

    __slots__ = (
        "_above",
        "_holds",
        "_large",
        "costs",
        "flush",
        "joker_bomb",
        "quiet",
        "ranks",
        "wild",
    )

    ranks: list[list[float]]
    """[rank][n]: what n cards of a rank cost, played in the cheapest way."""
    costs: dict[Combo, list[float]]
    """By combo and key, of all but bombs, for which `ranks` and `flush` speak."""
    wild: float
    """The cost of a wild that is left alone."""
    quiet: float
    """The chance that nobody bombs a play that is no bomb."""

    def __init__(self, hidden: Hidden, level: Rank, style: Style) -> None:
        unseen = hidden.ranks
        total = max(sum(unseen), 1)
        # By size of a play: how many opponents have the cards for it, and the odds of what those
        # hold.
        hands, odds = [], []
        for size in range(7):
            able = [n for n in hidden.opponents if n >= max(size, 1)]
            share = sum(able) / len(able) / total if able else 0
            hands.append(len(able))
            odds.append(_odds(round(share * _PLACES)))
        two, three, four, five = (odds[k][k] for k in range(2, 6))
        share = sum(hidden.opponents) / total
        # How many singles, pairs … above each rank are to be expected against us.
        singles, pairs, triples, bombs = ([0.0] * 15 for _ in range(4))
        ones = twos = threes = fours = 0.0
        for rank in _DESCENDING[level]:
            singles[rank], pairs[rank], triples[rank], bombs[rank] = ones, twos, threes, fours
            n = unseen[rank]
            if n:
                ones += n
                twos += hands[2] * two[n]
                threes += hands[3] * three[n]
                fours += hands[4] * four[n]
        fives = sum([hands[5] * five[n] for n in unseen if n > 4])
        run_1, run_2, run_3 = (
            [row[unseen[rank]] for rank in _AT_BOTH_ENDS]
            for row in (odds[5][1], odds[6][2], odds[6][3])
        )
        straights = _runs_above(run_1, span=5, hands=hands[5])
        tubes = _runs_above(run_2, span=3, hands=hands[6])
        plates = _runs_above(run_3, span=2, hands=hands[6])
        self._above = [n / total for n in singles]
        triple = [1 / (1 + style.answer_group * n) for n in triples]
        self._holds = {
            Combo.SINGLE: [1 / (1 + style.answer_single * share * n) for n in singles],
            Combo.PAIR: [1 / (1 + style.answer_group * n) for n in pairs],
            Combo.TRIPLE: triple,
            Combo.FULL_HOUSE: triple,
            Combo.STRAIGHT: [1 / (1 + style.answer_run * n) for n in straights],
            Combo.TUBE: [1 / (1 + style.answer_run * n) for n in tubes],
            Combo.PLATE: [1 / (1 + style.answer_run * n) for n in plates],
            Combo.BOMB: [1 / (1 + style.answer_bomb * (n + fives)) for n in bombs],
        }
        self.quiet = 1 / (1 + style.answer_bomb * (fours + fives))
        self._large = 1 / (1 + style.answer_bomb * fives)
        gain = 1 + style.winner
        self.costs = {
            combo: [1 - gain * chance for chance in holds] for combo, holds in self._holds.items()
        }
        self._price(level, style)

    def _price(self, level: Rank, style: Style) -> None:
        """What cards of one rank cost, bombs included."""
        single, pair = self.costs[Combo.SINGLE], self.costs[Combo.PAIR]
        triple = self.costs[Combo.TRIPLE]
        bombs = [-style.bomb - style.bomb_step * (tier - 1) for tier in _TIERS]
        self.flush = -style.bomb - style.bomb_step * (_FLUSH_TIER - 1)
        self.joker_bomb = -style.bomb - style.bomb_step * (_JOKERS_TIER - 1)
        heights = _HEIGHTS[level]
        self.ranks = []
        for rank in range(13):
            # Of two bombs of a size the higher one is a little better.
            small = -heights[rank] * style.bomb_step / 16
            row = [0.0, single[rank], pair[rank], triple[rank]]
            row += [bomb + small for bomb in bombs[4:]]
            for n in range(5, _COPIES_MAX + 1):  # a bomb and the rest may be better than one bomb
                row[n] = min(row[n], row[4] + row[n - 4])
            self.ranks.append(row)
        for rank in (Rank.SMALL_JOKER, Rank.BIG_JOKER):
            self.ranks.append([0.0, single[rank], min(pair[rank], 2 * single[rank])])
        self.wild = single[level] - style.wild

    def holds(self, reading: Reading) -> float:
        """The chance that no opponent answers with more of the same; 1 is certain.

        Of bombs it is the chance that no higher one falls on them.
        """
        match reading.combo:
            case Combo.JOKER_BOMB:
                return 1.0
            case Combo.STRAIGHT_FLUSH:
                return self._large
            case Combo.BOMB if reading.size > 4:
                return self._large
            case combo:
                return self._holds[combo][reading.key or 0]

    def outdone(self, one: Reading) -> float:
        """The chance that a last play of the same type is a higher one: nothing is spared then."""
        if one.tier or one.is_run:
            return 1 - self.holds(one)
        return self._above[one.key or 0]

    def cost(self, one: Reading) -> float:
        """What a group costs."""
        key = one.key or 0
        match one.combo:
            case Combo.JOKER_BOMB:
                return self.joker_bomb
            case Combo.STRAIGHT_FLUSH:
                return self.flush
            case Combo.BOMB:
                return self.ranks[key][one.size]
            case combo:
                return self.costs[combo][key]
