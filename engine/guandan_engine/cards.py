"""Faces and multisets of faces.

A pack has 54 faces, each twice. A `Card` is a face, an int that says where its bit stands:

    bit = 4 * rank + suit          suits S H C D = 0..3, ranks 2..A = 0..12
    X (small joker) = 52, Y (big joker) = 56

`Cards` is a multiset of faces, held as one int of two halves: the low `HALF` bits hold first
copies, the high half second copies. A second copy is never there without the first, so a
multiset has exactly one int, "is part of" is one `&`, and taking away is three operations.
A nibble of a half is a rank and its bits are suits: `packed` counts ranks from that directly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import Final, NewType

__all__ = [
    "CARDS",
    "FULL_PACK",
    "HALF",
    "LOW",
    "NO_CARDS",
    "Card",
    "Cards",
    "Rank",
    "Suit",
    "card_of",
    "rank_of",
    "suit_of",
    "wild_of",
]


class Suit(IntEnum):
    """The four suits, in the order that breaks arbitrary choices (rules 1, `tribute_pick`)."""

    SPADE = 0
    HEART = 1
    CLUB = 2
    DIAMOND = 3


class Rank(IntEnum):
    """Ranks in their natural order; the order of a hand depends on its level, see `order`."""

    TWO = 0
    THREE = 1
    FOUR = 2
    FIVE = 3
    SIX = 4
    SEVEN = 5
    EIGHT = 6
    NINE = 7
    TEN = 8
    JACK = 9
    QUEEN = 10
    KING = 11
    ACE = 12
    SMALL_JOKER = 13
    BIG_JOKER = 14


Card = NewType("Card", int)
"""One of the 54 faces, as the place of its bit in a half."""

HALF: Final = 60
"""Bits in a half: 15 nibbles, one per rank."""
LOW: Final = (1 << HALF) - 1


def card_of(rank: Rank, suit: Suit = Suit.SPADE) -> Card:
    """The face of `rank` and `suit`; a joker has no suit and ignores it."""
    return Card(4 * rank + (suit if rank <= Rank.ACE else 0))


_RANKS: Final = tuple(Rank)
_SUITS: Final = tuple(Suit)


def rank_of(card: Card) -> Rank:
    return _RANKS[card >> 2]


def suit_of(card: Card) -> Suit:
    """The suit of an ordinary face; meaningless for jokers, which answer SPADE."""
    return _SUITS[card & 3]


def wild_of(level: Rank) -> Card:
    """The wild face of a hand: the heart of its level (rules 2, row 8)."""
    return card_of(level, Suit.HEART)


CARDS: Final[tuple[Card, ...]] = tuple(
    [card_of(rank, suit) for rank in list(Rank)[:13] for suit in Suit]
    + [card_of(Rank.SMALL_JOKER), card_of(Rank.BIG_JOKER)]
)
"""All 54 faces, by rank and then suit; the shuffle counts on this order."""

_FACES: Final = sum(1 << card for card in CARDS)


class Cards:
    """An immutable multiset of faces, at most two of each.

    >>> from guandan_engine.notation import parse_cards
    >>> hand = parse_cards("S5 S5 H5 X")
    >>> len(hand), hand.count(Card(52)), parse_cards("S5 S5") <= hand
    (4, 1, True)
    """

    __slots__ = ("bits",)

    bits: int
    """The two halves; see the module's docstring."""

    def __init__(self, bits: int = 0) -> None:
        self.bits = bits

    @classmethod
    def of(cls, cards: Iterable[Card]) -> Cards:
        """The multiset of `cards`; ValueError for a third copy or a face that does not exist."""
        bits = 0
        for card in cards:
            if not (0 <= card < HALF and _FACES >> card & 1):
                raise ValueError(f"no such face: {card}")
            first = 1 << card
            if not bits & first:
                bits |= first
            elif not bits & (first << HALF):
                bits |= first << HALF
            else:
                raise ValueError(f"a third copy of face {card}")
        return cls(bits)

    def count(self, card: Card) -> int:
        """How many copies of a face: 0, 1 or 2."""
        return (self.bits >> card & 1) + (self.bits >> (card + HALF) & 1)

    def faces(self) -> Iterator[Card]:
        """Each face once, in the order of `CARDS`."""
        rest = self.bits & LOW
        while rest:
            low = rest & -rest
            yield Card(low.bit_length() - 1)
            rest ^= low

    def __iter__(self) -> Iterator[Card]:
        for card in self.faces():
            yield card
            if self.bits >> (card + HALF) & 1:
                yield card

    def __len__(self) -> int:
        return self.bits.bit_count()

    def __contains__(self, card: object) -> bool:
        return isinstance(card, int) and card >= 0 and bool((self.bits & LOW) >> card & 1)

    def __le__(self, other: Cards) -> bool:
        """Is every card of mine, copy for copy, also there?"""
        return not self.bits & ~other.bits

    def __add__(self, other: Cards) -> Cards:
        """Both together; ValueError where a third copy would arise."""
        a, b = self.bits, other.bits
        a2, b2 = a >> HALF, b >> HALF
        if (a2 & b) | (a & b2):
            raise ValueError("a third copy of a face")
        second = a2 | b2 | (a & b & LOW)
        return Cards(((a | b) & LOW) | second << HALF)

    def __sub__(self, other: Cards) -> Cards:
        """What stays when `other`, which must be part of me, is taken away."""
        return Cards(minus(self.bits, other.bits))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cards) and self.bits == other.bits

    def __hash__(self) -> int:
        return hash(self.bits)

    def __repr__(self) -> str:
        # A hand is a secret and reprs end up in logs and tracebacks; `notation` prints cards.
        return f"<Cards {len(self)}>"


def minus(bits: int, taken: int) -> int:
    """`Cards.__sub__` on plain ints, for code that counts nanoseconds.

    With counts in unary (bit in the low half: at least one; in the high half: two) what
    remains of a face is at least one if either bit is left over, two if both are.
    """
    left = bits & ~taken
    low, high = left & LOW, left >> HALF
    return (low | high) | (low & high) << HALF


NO_CARDS: Final = Cards()
FULL_PACK: Final = Cards(_FACES | _FACES << HALF)
