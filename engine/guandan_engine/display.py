"""What each wild of a play stands for, as a table shows it (rules 3.4, last paragraph)."""

from __future__ import annotations

from typing import Final

from guandan_engine.cards import Card, Cards, Rank, Suit, card_of, rank_of, suit_of, wild_of
from guandan_engine.combos import Combo, Reading
from guandan_engine.order import LEVELS

__all__ = ["shown_as"]

_ACE_LOW_FIRST: Final = (Rank.ACE, *LEVELS)
_SHAPES: Final = {
    Combo.STRAIGHT: (5, 1),
    Combo.STRAIGHT_FLUSH: (5, 1),
    Combo.TUBE: (3, 2),
    Combo.PLATE: (2, 3),
}
"""Ranks of a run, and cards a rank."""


def shown_as(cards: Cards, reading: Reading, level: Rank) -> tuple[Card, ...]:
    """One face per wild in `cards`, from the lowest hole of the shape up.

    A wild in its natural place stays itself. Elsewhere it shows the flush's suit in a straight
    flush, another suit than theirs in a plain straight over naturals of one suit, and hearts,
    which it is, otherwise.

    >>> from guandan_engine.notation import cards_text, parse_cards, parse_reading
    >>> run = parse_cards("S5 S6 S7 S9 H2")
    >>> cards_text(shown_as(run, parse_reading("straight_flush-9"), Rank.TWO))
    'S8'
    >>> cards_text(shown_as(run, parse_reading("straight-9"), Rank.TWO))
    'H8'
    """
    wild = wild_of(level)
    wilds = cards.count(wild)
    if not wilds:
        return ()
    naturals = [card for card in cards if card != wild]
    suit = _suit_shown(naturals, reading)
    return tuple([card_of(rank, suit) for rank in _holes(naturals, reading, level, wilds)])


def _suit_shown(naturals: list[Card], reading: Reading) -> Suit:
    suits = {suit_of(card) for card in naturals}
    if len(suits) == 1:
        (suit,) = suits
        if reading.combo is Combo.STRAIGHT_FLUSH:
            return suit
        if reading.combo is Combo.STRAIGHT and suit is Suit.HEART:
            return Suit.SPADE
    return Suit.HEART


def _holes(naturals: list[Card], reading: Reading, level: Rank, wilds: int) -> list[Rank]:
    """The ranks that the wilds fill, lowest first."""
    key = reading.key
    assert key is not None, "jokers take no wilds"
    ranks = [rank_of(card) for card in naturals]
    if reading.combo in _SHAPES:
        span, each = _SHAPES[reading.combo]
        window = _ACE_LOW_FIRST[key + 2 - span : key + 2]
        return [rank for rank in window for _ in range(each - ranks.count(rank))]
    if reading.combo is Combo.FULL_HOUSE:
        triple = [key] * (3 - ranks.count(key))
        pair = next((rank for rank in ranks if rank != key), None)
        if pair is None:  # two wilds are the pair: of their own rank, unless that is the triple's
            pair = level if level != key else next(rank for rank in LEVELS if rank != key)
        return sorted(triple + [pair] * (wilds - len(triple)))
    return [key] * wilds
