"""Text for cards, readings and plays; `record` writes whole games.

S5 HT DA X Y                  cards: suit S H C D and rank 2..9 T J Q K A; jokers X (small), Y
pair-9  bomb-6-K  joker_bomb  readings: type, size of a bomb, key
S9 H9 = pair-9                a play: cards, and what they are taken to be
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from guandan_engine.cards import CARDS, Card, Cards, Rank
from guandan_engine.combos import READINGS, Combo, Reading
from guandan_engine.errors import NotationError
from guandan_engine.order import LEVELS

__all__ = [
    "card_text",
    "cards_text",
    "level_of",
    "parse_card",
    "parse_cards",
    "parse_reading",
    "rank_text",
    "reading_text",
]

RANK_LETTERS: Final = "23456789TJQKAXY"
SUIT_LETTERS: Final = "SHCD"

_TEXTS: Final = {
    card: RANK_LETTERS[card >> 2]
    if card >> 2 > Rank.ACE
    else SUIT_LETTERS[card & 3] + RANK_LETTERS[card >> 2]
    for card in CARDS
}
_CARDS: Final = {text: card for card, text in _TEXTS.items()}
_RANKS: Final = {letter: rank for rank, letter in zip(Rank, RANK_LETTERS, strict=True)}


def rank_text(rank: Rank) -> str:
    return RANK_LETTERS[rank]


def level_of(text: str) -> Rank:
    """The level that a letter names; NotationError unless it is one of 2..9 T J Q K A."""
    rank = _RANKS.get(text)
    if rank is None or rank not in LEVELS:
        raise NotationError(text, expected="a level, one of 2..9 T J Q K A")
    return rank


def card_text(card: Card) -> str:
    return _TEXTS[card]


def parse_card(text: str) -> Card:
    """The face that `text` names; NotationError if none is."""
    card = _CARDS.get(text)
    if card is None:
        raise NotationError(text, expected="a card such as S5, HT, X or Y")
    return card


def cards_text(cards: Iterable[Card]) -> str:
    """Cards separated by blanks; a `Cards` comes in rank and suit order.

    >>> cards_text(parse_cards("X HA S5 S5"))
    'S5 S5 HA X'
    """
    return " ".join(_TEXTS[card] for card in cards)


def parse_cards(text: str) -> Cards:
    """The multiset that a list of cards names; NotationError for no card or a third copy."""
    try:
        return Cards.of(parse_card(word) for word in text.split())
    except ValueError as error:
        raise NotationError(text, expected="at most two of each face") from error


def reading_text(one: Reading) -> str:
    """`type-key`, with the size of a bomb between the two; `joker_bomb` has no key.

    >>> reading_text(parse_reading("bomb-6-K"))
    'bomb-6-K'
    """
    if one.key is None:
        return one.combo.value
    size = f"{one.size}-" if one.combo is Combo.BOMB else ""
    return f"{one.combo.value}-{size}{RANK_LETTERS[one.key]}"


def parse_reading(text: str) -> Reading:
    """The reading that `text` names; NotationError if none is."""
    one = _READINGS.get(text)
    if one is None:
        raise NotationError(text, expected="a reading such as pair-9, bomb-6-K or joker_bomb")
    return one


_READINGS: Final = {reading_text(one): one for one in READINGS}
