"""Cards and readings in the figures of `playout`, and back."""

from __future__ import annotations

from typing import Final

from guandan_bots import playout
from guandan_bots.chances import Chances
from guandan_bots.groups import Plan
from guandan_bots.playout import Hand, Part, Prices
from guandan_engine.cards import HALF, LOW, Rank, Suit
from guandan_engine.combos import READINGS, Combo, Reading, reading
from guandan_engine.order import LEVELS, height
from guandan_engine.patterns import Move, move_of, pattern_of

__all__ = [
    "arranged",
    "kind_of",
    "move_of_part",
    "pairs_under",
    "planned",
    "prices_of",
    "reading_of",
    "top_of",
]

_KINDS: Final = {
    Combo.SINGLE: playout.SINGLE,
    Combo.PAIR: playout.PAIR,
    Combo.TRIPLE: playout.TRIPLE,
    Combo.FULL_HOUSE: playout.FULL_HOUSE,
    Combo.STRAIGHT: playout.STRAIGHT,
    Combo.TUBE: playout.TUBE,
    Combo.PLATE: playout.PLATE,
    Combo.BOMB: playout.BOMB,
    Combo.STRAIGHT_FLUSH: playout.BOMB,
    Combo.JOKER_BOMB: playout.BOMB,
}
_COMBOS: Final = {kind: combo for combo, kind in _KINDS.items() if kind != playout.BOMB}
_FLUSH_TIER: Final = playout.FLUSH >> 4
_BOMBS: Final = (  # one for each tier from 1 on: which one makes little difference
    *(reading(Combo.BOMB, Rank.EIGHT, size) for size in (4, 5)),
    reading(Combo.STRAIGHT_FLUSH, Rank.NINE),
    *(reading(Combo.BOMB, Rank.EIGHT, size) for size in range(6, 11)),
    reading(Combo.JOKER_BOMB),
)
_RANKS: Final = tuple({height(rank, level): rank for rank in Rank} for level in LEVELS)


def prices_of(chances: Chances, level: Rank) -> Prices:
    """What groups are worth at a moment, as `chances` judges it."""
    ranks: list[int] = []
    for row in chances.ranks:
        ranks += [round(100 * cost) for cost in row] + [0] * (playout.ROW - len(row))
    costs, stands = [0] * 16 * 9, [0] * 16 * 9
    for one in READINGS:
        if not one.tier:
            at = 16 * kind_of(one) + top_of(one, level).bit_length() - 1
            costs[at] = round(100 * chances.cost(one))
            stands[at] = round(100 * chances.holds(one) * chances.quiet)
    for one in _BOMBS:
        at = 16 * playout.BOMB + one.tier
        costs[at] = round(100 * chances.cost(one))
        stands[at] = round(100 * chances.holds(one))
    return Prices(tuple(ranks), tuple(costs), tuple(stands), round(100 * chances.flush))


def pairs_under(*, jokers: bool) -> int:
    """Heights that a full house takes its pair from."""
    return 0xFFFF if jokers else playout.NO_JOKERS


def arranged(bits: int, level: Rank, prices: Prices, parts: list[Part] | None = None) -> Hand:
    """`playout.arrange` of a hand in the form of `Cards.bits`."""
    return playout.arrange(bits & LOW, bits >> HALF, level, prices, parts)


def planned(plan: Plan, level: Rank, prices: Prices) -> Hand:
    """A hand in the groups of a plan, which are better ones than `arrange` finds in its hurry."""
    hand = Hand()
    alike, mixed = [0] * 16, 0
    for move in plan.moves:
        one, wilds = move.reading, move.wilds
        if one.tier:
            hand.add_bomb(top_of(one, level), prices)
            continue
        if one.is_run:
            hand.add_run(kind_of(one), top_of(one, level), prices)
            continue
        # Both parts of a full house, or all there is: wilds go where cards are lacking.
        for rank in Rank:
            naturals = move.needs >> 4 * rank & 15
            if not naturals and rank != one.key:
                continue
            size = one.size
            if one.combo is Combo.FULL_HOUSE:
                size = 3 if rank == one.key else 2
            added = min(wilds, size - naturals)
            wilds -= added
            place = height(rank, level)
            alike[place] += naturals + added
            if added and rank != level:
                mixed |= 1 << place
    # What a plan has twice of a rank is one group after all.
    for place, n in enumerate(alike):
        if n > 3:
            hand.add_bomb(playout.TIERS[n] << 4 | place, prices)
        elif n:
            hand.add_alike(n, 1 << place, prices)
    hand.fixed |= mixed
    return hand


def kind_of(one: Reading) -> int:
    return _KINDS[one.combo]


def top_of(one: Reading, level: Rank) -> int:
    """The bit of a play, or the code of a bomb."""
    if one.key is None:
        return playout.JOKERS
    if one.combo is Combo.BOMB:
        return one.tier << 4 | height(one.key, level)
    if one.combo is Combo.STRAIGHT_FLUSH:
        return playout.FLUSH + one.key
    return 1 << (one.key if one.is_run else height(one.key, level))


def reading_of(kind: int, bit: int, level: Rank) -> Reading:
    """The play of a kind and its bit or code."""
    if kind == playout.BOMB:
        tier, key = bit >> 4, bit & 15
        if bit == playout.JOKERS:
            return reading(Combo.JOKER_BOMB)
        if tier == _FLUSH_TIER:
            return reading(Combo.STRAIGHT_FLUSH, Rank(key))
        return reading(Combo.BOMB, _RANKS[level][key], tier + (3 if tier < _FLUSH_TIER else 2))
    place = bit.bit_length() - 1
    return reading(_COMBOS[kind], Rank(place) if kind >= playout.STRAIGHT else _RANKS[level][place])


def move_of_part(part: Part, level: Rank) -> Move:
    """A group as the engine's move."""
    kind, bit, needs, wilds, suit = part
    pattern = pattern_of(reading_of(kind, bit, level), wilds)
    return move_of(pattern, needs, None if suit < 0 else Suit(suit))
