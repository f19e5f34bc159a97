"""Which suits the cards of some ranks may have: a hand often holds several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from guandan_engine.cards import Card, Cards, Rank, Suit, card_of, rank_of, suit_of, wild_of
from guandan_engine.combos import Combo
from guandan_engine.moves import legal_plays
from guandan_engine.options import Rules

__all__ = ["choices"]


def choices(now: Cards, hand: Cards, level: Rank, rules: Rules) -> Iterator[Cards]:
    """`now`, and then whatever else of the hand has the same ranks and as many wilds.

    Of several ranks only cards of one suit are meant, for only there the suit makes a difference;
    of one rank all there are. Nothing taken stands for the straight flushes of the hand.
    """
    wild = wild_of(level)
    yield now
    if not now:
        yield from _flushes(hand, level, rules)
        return
    wilds = Cards.of([wild] * now.count(wild))
    ranks = Counter(rank_of(card) for card in now - wilds)
    if not ranks or max(ranks) > Rank.ACE:
        return
    rest = hand - Cards.of([wild] * hand.count(wild))
    found = _of_one_rank(*ranks.popitem(), rest) if len(ranks) == 1 else _of_one_suit(ranks, rest)
    for cards in found:
        if cards + wilds != now:
            yield cards + wilds


def _flushes(hand: Cards, level: Rank, rules: Rules) -> Iterator[Cards]:
    """Without wilds first, and of each the lowest first."""
    plays = legal_plays(hand, level, rules)
    moves = [move for move in plays if move.reading.combo is Combo.STRAIGHT_FLUSH]
    found = dict.fromkeys([plays.cards(move) for move in moves])
    yield from sorted(found, key=lambda cards: cards.count(wild_of(level)))


def _of_one_rank(rank: Rank, count: int, rest: Cards) -> Iterator[Cards]:
    held = sorted([card for card in rest if rank_of(card) is rank], key=_by_suit)
    yield from dict.fromkeys([Cards.of(some) for some in combinations(held, count)])


def _by_suit(card: Card) -> Suit:
    return suit_of(card)


def _of_one_suit(ranks: Counter[Rank], rest: Cards) -> Iterator[Cards]:
    for suit in Suit:
        cards = Cards.of([card_of(rank, suit) for rank in ranks.elements()])
        if all(cards.count(card) <= rest.count(card) for card in cards.faces()):
            yield cards
