"""Cards and readings in the figures of `playout`, and back."""

from __future__ import annotations

from typing import Final

from guandan_bots import playout
from guandan_bots.club.grouping import Plan
from guandan_bots.club.outlook import COPIES, Outlook
from guandan_bots.club.table import BOMB, FLUSH, HOUSE, JOKER_BOMB, STRAIGHT, Play
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
_COMBO_PLACES: Final = {combo: place for place, combo in enumerate(Combo)}
_FLUSH_TIER: Final = playout.FLUSH >> 4
_TIER_BOMBS: Final = (  # one for each tier from 1 on: which one makes little difference
    *(Play(BOMB, Rank.EIGHT, size, 0, 0) for size in (4, 5)),
    Play(FLUSH, Rank.NINE, 5, 0, 0),
    *(Play(BOMB, Rank.EIGHT, size, 0, 0) for size in range(6, 11)),
    Play(JOKER_BOMB, 0, 4, 0, 0),
)
_RANKS: Final = tuple({height(rank, level): rank for rank in Rank} for level in LEVELS)


def prices_of(outlook: Outlook, level: Rank) -> Prices:
    """What groups are worth at a moment, as `outlook` judges it."""
    ranks: list[int] = []
    for rank in Rank:
        row = outlook.ranks[rank * COPIES : (rank + 1) * COPIES]
        ranks += [round(100 * cost) for cost in row] + [0] * (playout.ROW - COPIES)
    costs, stands = [0] * 16 * 9, [0] * 16 * 9
    for one in READINGS:
        if not one.tier:
            kind, key = _COMBO_PLACES[one.combo], int(one.key or 0)
            at = 16 * kind_of(one) + top_of(one, level).bit_length() - 1
            costs[at] = round(100 * outlook.cost(Play(kind, key, one.size, 0, 0)))
            stands[at] = round(100 * outlook.stands(kind, key, one.size))
    for bomb in _TIER_BOMBS:
        at = 16 * playout.BOMB + bomb.tier
        costs[at] = round(100 * outlook.cost(bomb))
        stands[at] = round(100 * outlook.holds(bomb.kind, bomb.key, bomb.size))
    return Prices(tuple(ranks), tuple(costs), tuple(stands), round(100 * outlook.flush))


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
    for group in plan.groups:
        if group.tier:
            hand.add_bomb(_bomb_code(group, level), prices)
            continue
        if group.kind >= STRAIGHT:
            hand.add_run(group.kind + 1, 1 << group.key, prices)
            continue
        # Both parts of a full house, or all there is: wilds go where cards are lacking.
        wilds = group.wilds
        for rank in Rank:
            naturals = group.needs >> 4 * rank & 15
            if not naturals and rank != group.key:
                continue
            size = group.size
            if group.kind == HOUSE:
                size = 3 if rank == group.key else 2
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


def _bomb_code(bomb: Play, level: Rank) -> int:
    if bomb.kind == JOKER_BOMB:
        return playout.JOKERS
    if bomb.kind == FLUSH:
        return playout.FLUSH + bomb.key
    return bomb.tier << 4 | height(Rank(bomb.key), level)


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
