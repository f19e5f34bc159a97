"""Cards, ranks and actions in the words of the dialect, both ways.

    S2 HT SB HR                          cards; the small and the big joker
    ["Straight", "A", ["SA", "H2", …]]   an action: type, rank, cards
    ["PASS", "PASS", "PASS"]

The rank of a run is that of its lowest card, "A" for one that begins with an ace; of a full house
that of the triple; of the four jokers "JOKER". It is always text, for some bots look it up.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final

from guandan_engine.cards import Card, Cards, Rank, card_of, rank_of, suit_of, wild_of
from guandan_engine.combos import READINGS, Combo, Reading
from guandan_engine.display import shown_as
from guandan_engine.errors import NotationError
from guandan_engine.moves import Offer
from guandan_engine.notation import card_text, level_of, parse_card, rank_text
from guandan_engine.order import LEVELS, height
from guandan_engine.seats import Seat

__all__ = [
    "BACK",
    "PASSING",
    "TRIBUTE",
    "TYPES",
    "Action",
    "DialectError",
    "Message",
    "action_of",
    "card_of_word",
    "card_word",
    "cards_of_words",
    "gift_action",
    "gift_of",
    "hand_words",
    "is_pass",
    "level_of_word",
    "level_word",
    "offer_of",
    "pos_of",
    "seat_of",
    "shown",
    "whole",
]

Action = list[Any]
"""Type, rank and cards. Made anew for each message, for bots change what they are given."""
Message = dict[str, Any]

PASSING: Final = "PASS"
TRIBUTE: Final = "tribute"
BACK: Final = "back"
JOKERS: Final = "JOKER"
SHOWN_CHARS_MAX: Final = 80
"""As much of a value as a remark has room for."""

TYPES: Final = {
    Combo.SINGLE: "Single",
    Combo.PAIR: "Pair",
    Combo.TRIPLE: "Trips",
    Combo.TUBE: "ThreePair",
    Combo.FULL_HOUSE: "ThreeWithTwo",
    Combo.PLATE: "TwoTrips",
    Combo.STRAIGHT: "Straight",
    Combo.BOMB: "Bomb",
    Combo.STRAIGHT_FLUSH: "StraightFlush",
    Combo.JOKER_BOMB: "Bomb",
}
"""In the order in which a list of actions has them."""

_SPANS: Final = {
    Combo.STRAIGHT: 5,
    Combo.STRAIGHT_FLUSH: 5,
    Combo.TUBE: 3,
    Combo.PLATE: 2,
}
"""Ranks in a run."""
_ACE_LOW_FIRST: Final = (Rank.ACE, *LEVELS)
_JOKER_WORDS: Final = {
    card_of(Rank.SMALL_JOKER): "SB",
    card_of(Rank.BIG_JOKER): "HR",
}
_JOKER_RANKS: Final = {Rank.SMALL_JOKER: "B", Rank.BIG_JOKER: "R"}
_JOKER_CARDS: Final = {word: card for card, word in _JOKER_WORDS.items()}


class DialectError(ValueError):
    """What a peer said makes no sense in the dialect."""

    def __init__(self, expected: str, got: object) -> None:
        super().__init__(expected, got)
        self.expected = expected
        self.got = got

    def __str__(self) -> str:
        return f"expected {self.expected}, got {shown(self.got)}"


def shown(value: object) -> str:
    """A value of a message in the words of JSON, on one line and of bounded length.

    >>> shown(None), shown("Ü"), shown([1.0, True])
    ('null', '"Ü"', '[1.0, true]')
    """
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return f"a {type(value).__name__}"
    if len(text) > SHOWN_CHARS_MAX:
        text = f"{text[:SHOWN_CHARS_MAX]}…"
    # A terminal obeys some characters, and half a pair of them cannot be written at all.
    return "".join([char if char.isprintable() else f"\\u{ord(char):04x}" for char in text])


def whole(value: object) -> int | None:
    """A whole number, also one that is written 3.0, as some languages do; None for anything else.

    >>> whole(3), whole(3.0), whole(0.5), whole(float("nan")), whole(True), whole("3")
    (3, 3, None, None, None, None)
    """
    if type(value) is float and value.is_integer():
        return int(value)
    return value if type(value) is int else None


def pos_of(seat: Seat) -> int:
    """Their seats count from 0."""
    return seat - 1


def seat_of(pos: object) -> Seat:
    """Our seat; DialectError for none of 0..3."""
    number = whole(pos)
    if number is None or not 0 <= number <= 3:
        raise DialectError("a seat, 0 to 3", pos)
    return Seat(number + 1)


def card_word(card: Card) -> str:
    return _JOKER_WORDS.get(card) or card_text(card)


def card_of_word(word: object) -> Card:
    """The face of a word such as S2 or HR; DialectError for anything else."""
    joker = _JOKER_CARDS.get(word) if isinstance(word, str) else None
    if joker is not None:
        return joker
    if isinstance(word, str) and len(word) == 2:
        try:
            return parse_card(word)
        except NotationError:
            pass
    raise DialectError("a card such as S2, HT, SB or HR", word)


def cards_of_words(words: object) -> Cards:
    """The cards of a list of words, in whatever order; DialectError for anything else."""
    if not isinstance(words, list):
        raise DialectError("a list of cards", words)
    try:
        return Cards.of([card_of_word(word) for word in words])
    except DialectError:
        raise
    except ValueError as error:
        raise DialectError("at most two of each card", words) from error


def level_word(level: Rank) -> str:
    return rank_text(level)


def level_of_word(word: object) -> Rank:
    """The level of a word such as 2 or T; DialectError for anything else."""
    try:
        if isinstance(word, str):
            return level_of("T" if word == "10" else word)
    except NotationError:
        pass
    raise DialectError("a level, one of 2..9 T J Q K A", word)


def _order(card: Card, level: Rank) -> tuple[int, int]:
    return height(rank_of(card), level), suit_of(card)


def hand_words(cards: Iterable[Card], level: Rank) -> list[str]:
    """Cards from low to high, the level's before the jokers; equal ranks in the order S H C D."""
    return [card_word(card) for card in sorted(cards, key=lambda card: _order(card, level))]


def is_pass(action: object) -> bool:
    return isinstance(action, list) and bool(action) and action[0] == PASSING


def gift_action(kind: str, card: Card) -> Action:
    """`TRIBUTE` or `BACK` of a card."""
    return [kind, kind, [card_word(card)]]


def gift_of(action: object) -> Card:
    """The card that such an action gives; DialectError for anything else."""
    match action:
        case [str(), str(), [word]]:
            return card_of_word(word)
        case _:
            raise DialectError("tribute or back of one card", action)


def action_of(offer: Offer, level: Rank) -> Action:
    """A play. Its cards stand as the play is read: runs from their lowest rank up, triple first.

    A wild stands in the place that it fills.

    >>> from guandan_engine.notation import parse_cards, parse_reading
    >>> play = Offer(parse_cards("S5 D6 S8 C9 H7"), parse_reading("straight-9"))
    >>> action_of(play, Rank.TWO)
    ['Straight', '5', ['S5', 'D6', 'H7', 'S8', 'C9']]
    """
    return [TYPES[offer.reading.combo], _rank_word(offer.reading), _in_order(offer, level)]


def _rank_word(one: Reading) -> str:
    if one.key is None:
        return JOKERS
    span = _SPANS.get(one.combo)
    if span is not None:
        return rank_text(_window(one.key, span)[0])
    return _JOKER_RANKS.get(one.key) or rank_text(one.key)


def _window(top: Rank, span: int) -> tuple[Rank, ...]:
    return _ACE_LOW_FIRST[top + 2 - span : top + 2]


def _in_order(offer: Offer, level: Rank) -> list[str]:
    cards, one = offer.cards, offer.reading
    span = _SPANS.get(one.combo)
    if span is None and one.combo is not Combo.FULL_HOUSE:
        return hand_words(cards, level)
    wild = wild_of(level)
    placed = [(rank_of(card), card) for card in cards if card != wild]
    placed += [(rank_of(shown), wild) for shown in shown_as(cards, one, level)]
    if span is None:
        ranks = [rank for rank, _ in placed]
        first = [one.key, *[rank for rank in ranks if rank != one.key]]
    else:
        assert one.key is not None
        first = list(_window(one.key, span))
    placed.sort(key=lambda pair: (first.index(pair[0]), _order(pair[1], level)))
    return [card_word(card) for _, card in placed]


_READINGS: Final[dict[tuple[str, str, int], Reading]] = {
    (TYPES[one.combo], _rank_word(one), one.size): one for one in READINGS
}


def offer_of(action: object) -> Offer:
    """The cards of an action, and what they are said to be; DialectError for no play.

    Newer platforms have other words for the four jokers, which are always these four cards.
    """
    match action:
        case [str(kind), rank, words]:
            cards = cards_of_words(words)
        case _:
            raise DialectError("an action [type, rank, cards]", action)
    if len(cards) == 4 and all(rank_of(card) > Rank.ACE for card in cards):
        kind, rank = TYPES[Combo.JOKER_BOMB], JOKERS
    word = str(rank)
    one = _READINGS.get((kind, "T" if word == "10" else word, len(cards)))
    if one is None:
        raise DialectError("a type and rank that so many cards can be", action)
    return Offer(cards, one)
