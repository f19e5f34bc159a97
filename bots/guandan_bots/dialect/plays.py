"""Everything that may be played, as concrete cards: what a list of actions holds.

Which of several equal faces go is left to the engine everywhere else, and here it is not: bots of
this dialect work out a set of cards and look for that very set in the list. So there is every set
of faces that the referee allows, once for each of its readings: some 300 in a hand of 27 without
wilds, 2,100 with two of them, 4,200 at most in 150 hands of that kind.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Final

from guandan_bots.dialect.words import TYPES
from guandan_engine.cards import Card, Cards, Rank, Suit, card_of, wild_of
from guandan_engine.combos import Combo, Reading, strength
from guandan_engine.moves import Offer, legal_plays
from guandan_engine.options import Rules
from guandan_engine.patterns import Move
from guandan_engine.readings import readings

__all__ = ["every_play"]

_TYPE_ORDER: Final = {combo: place for place, combo in enumerate(TYPES)}


def every_play(hand: Cards, level: Rank, rules: Rules, top: Reading | None) -> list[Offer]:
    """All plays on `top`, or leads without one: by class, type and rank, naturals before wilds."""
    plays = legal_plays(hand, level, rules, top)
    wild = wild_of(level)
    found = [
        (_place(move, level), number, offer)
        for move in plays
        for number, offer in enumerate(_offers(move, hand, wild, level, rules))
    ]
    found.sort(key=lambda one: one[:2])
    return [offer for _, _, offer in found]


def _place(move: Move, level: Rank) -> tuple[int, int, int, int, int]:
    one = move.reading
    return one.tier, _TYPE_ORDER[one.combo], strength(one, level), move.wilds, move.needs


def _offers(move: Move, hand: Cards, wild: Card, level: Rank, rules: Rules) -> Iterator[Offer]:
    one = move.reading
    wilds = [wild] * move.wilds
    for naturals in _naturals(move, hand, wild):
        cards = Cards.of([*naturals, *wilds])
        # A move leaves suits open, and one suit can make of a straight what it is not.
        if one.combo is not Combo.STRAIGHT or one in readings(cards, level, rules):
            yield Offer(cards, one)


def _naturals(move: Move, hand: Cards, wild: Card) -> Iterator[list[Card]]:
    ranks = [(rank, move.needs >> 4 * rank & 15) for rank in Rank]
    if move.suit is not None:
        yield [card_of(rank, move.suit) for rank, need in ranks if need]
        return
    choices = []
    for rank, need in ranks:
        if need:
            faces = (card_of(rank, suit) for suit in (Suit if rank <= Rank.ACE else (Suit.SPADE,)))
            held = tuple([0 if face == wild else hand.count(face) for face in faces])
            choices.append([(rank, taken) for taken in _ways(held, need)])
    for picked in product(*choices):
        yield [
            card_of(rank, Suit(suit))
            for rank, taken in picked
            for suit, count in enumerate(taken)
            for _ in range(count)
        ]


@cache
def _ways(held: tuple[int, ...], need: int) -> tuple[tuple[int, ...], ...]:
    """How `need` cards come from so many of each suit, the first suits first; few hundred keys."""
    if not held:
        return ((),) if need == 0 else ()
    return tuple(
        [
            (count, *rest)
            for count in range(min(held[0], need), -1, -1)
            for rest in _ways(held[1:], need - count)
        ]
    )
