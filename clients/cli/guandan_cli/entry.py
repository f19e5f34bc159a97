"""Cards as people type them, matched against the hand they hold.

9 9          two nines, whichever the hand misses least, never the wild
s9 h9        these two
99kk         blanks may be left out
w            a wild; x and y (or z): the small and the big joker; 0, t or 10: ten
9 9 =pair-9  with the reading to be taken, should there be several; =2 the second of them
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from attrs import frozen

from guandan_engine.cards import NO_CARDS, Card, Cards, Rank, Suit, card_of, rank_of, wild_of
from guandan_engine.choice import Chooser
from guandan_engine.combos import Combo, Reading, reading
from guandan_engine.errors import NotationError
from guandan_engine.listing import Holding
from guandan_engine.notation import parse_reading
from guandan_engine.options import Rules
from guandan_engine.order import LEVELS
from guandan_engine.patterns import Move, pattern_of

__all__ = [
    "EntryError",
    "Typed",
    "Wanted",
    "ascii_of",
    "choose",
    "declared",
    "is_number",
    "parse",
    "single",
]

_RANKS: Final = {
    **{str(n): Rank(n - 2) for n in range(2, 11)},
    "0": Rank.TEN,
    "t": Rank.TEN,
    "j": Rank.JACK,
    "q": Rank.QUEEN,
    "k": Rank.KING,
    "a": Rank.ACE,
    "x": Rank.SMALL_JOKER,
    "y": Rank.BIG_JOKER,
    "z": Rank.BIG_JOKER,
}
_SUITS: Final = {
    letter: suit for letters in ("shcd", "♠♥♣♦") for letter, suit in zip(letters, Suit, strict=True)
}
_CARD: Final = re.compile(r"(?P<suit>[shcd♠♥♣♦])?(?P<rank>10|[2-9tjqka0])|(?P<other>[wxyz])")
TYPED_MAX: Final = 27
"""A hand; nobody types more on purpose."""


class EntryError(Exception):
    """What was typed cannot be meant; `key` and what belongs to it make the text of that."""

    def __init__(
        self,
        key: str,
        *,
        card: Card | None = None,
        rank: Rank | None = None,
        text: str = "",
        held: int = 0,
        wanted: int = 0,
    ) -> None:
        super().__init__(key, card, rank, text, held, wanted)
        self.key = key
        self.card = card
        self.rank = rank
        self.text = text
        self.held = held
        self.wanted = wanted


FULL_WIDTH: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: " "}
"""Letters, digits and signs as a Chinese input method may write them."""


def ascii_of(line: str) -> str:
    """A line as typed, with such characters as the ordinary ones.

    >>> ascii_of("９９　＝pair-9")
    '99 =pair-9'
    """
    return line.translate(FULL_WIDTH)


def is_number(text: str) -> bool:
    """Digits of ASCII, and few enough to be a choice; other digits are no numbers here."""
    return text.isascii() and text.isdecimal() and len(text) < 4


@frozen
class Wanted:
    """One card as typed: a face, a rank of any suit, or a wild (neither)."""

    rank: Rank | None
    suit: Suit | None = None


@frozen
class Typed:
    """A line of cards, and what stood after `=`."""

    cards: tuple[Wanted, ...]
    reading: str = ""


def parse(line: str) -> Typed | None:
    """The cards that a line asks for; None if it is no line of cards.

    >>> parse("9 s9 =pair-9")
    Typed(cards=(Wanted(rank=<Rank.NINE: 7>, suit=None), Wanted(rank=<Rank.NINE: 7>, \
suit=<Suit.SPADE: 0>)), reading='pair-9')
    >>> parse("help") is None
    True
    """
    text, _, reading_text = line.partition("=")
    words = text.lower().replace(",", " ").split()
    cards: list[Wanted] = []
    for word in words:
        place = 0
        while place < len(word):
            found = _CARD.match(word, place)
            if found is None or len(cards) == TYPED_MAX:
                return None
            cards.append(_wanted(found))
            place = found.end()
    return Typed(tuple(cards), reading_text.strip()) if cards else None


def _wanted(found: re.Match[str]) -> Wanted:
    if found["other"] == "w":
        return Wanted(None)
    rank = _RANKS[found["other"] or found["rank"]]
    return Wanted(rank, _SUITS[found["suit"]] if found["suit"] else None)


def choose(wanted: Sequence[Wanted], hand: Cards, level: Rank) -> Cards:
    """The cards of the hand that are meant; EntryError if it does not hold them.

    Named faces go first. Ranks alone take the naturals that the hand misses least, and five ranks
    in a row not of one suit if the hand can help it; they never take a wild.
    """
    wild = wild_of(level)
    faces = [wild if one.rank is None else _face(one) for one in wanted if _is_face(one)]
    named = NO_CARDS
    for face, count in Counter(faces).items():
        held = hand.count(face)
        if count > held:
            key = "entry.no_wild" if face == wild else "entry.no_card"
            raise EntryError(key, card=face, held=held)
        named += Cards.of([face] * count)
    ranks = [one.rank for one in wanted if one.rank is not None and not _is_face(one)]
    if not ranks:
        return named
    rest = hand - named
    rest -= Cards.of([wild] * rest.count(wild))
    needs = Counter(ranks)
    for rank, count in needs.items():
        held = sum(rank_of(card) is rank for card in rest)
        if count > held:
            spare = (hand - named).count(wild)
            key = "entry.too_few_wild" if spare else "entry.too_few"
            raise EntryError(key, rank=rank, held=held, wanted=count)
    return named + _spared(rest, needs, level, run=_is_run(wanted))


def _is_face(one: Wanted) -> bool:
    return one.rank is None or one.suit is not None or one.rank > Rank.ACE


def _face(one: Wanted) -> Card:
    assert one.rank is not None
    return card_of(one.rank, one.suit or Suit.SPADE)


def _is_run(wanted: Sequence[Wanted]) -> bool:
    """Could five cards as typed be a straight?"""
    ranks = {one.rank for one in wanted if one.rank is not None}
    if len(wanted) != 5 or len(ranks) + sum(one.rank is None for one in wanted) != 5:
        return False
    low_first = (Rank.ACE, *LEVELS)
    return any(ranks <= set(low_first[i : i + 5]) for i in range(10))


def _spared(hand: Cards, needs: Counter[Rank], level: Rank, *, run: bool) -> Cards:
    """Faces for so many of each rank, by the choice that the list of legal plays makes, too."""
    shape = reading(Combo.STRAIGHT if run else Combo.TRIPLE, Rank.ACE)
    packed = sum(count << 4 * rank for rank, count in needs.items())
    move = Move(pattern_of(shape, 0), packed, None)
    return Cards(Chooser(Holding(hand.bits, level, Rules())).choose(move))


def single(wanted: Sequence[Wanted], choices: Sequence[Card], level: Rank) -> Card:
    """The one card that is meant among those that may be given; EntryError if none is."""
    if len(wanted) != 1:
        raise EntryError("entry.one_card")
    (one,) = wanted
    if _is_face(one):
        face = wild_of(level) if one.rank is None else _face(one)
        if face in choices:
            return face
        raise EntryError("entry.not_eligible", card=face)
    for card in choices:
        if rank_of(card) is one.rank and (card != wild_of(level) or len(choices) == 1):
            return card
    raise EntryError("entry.not_eligible_rank", rank=one.rank)


def declared(text: str, able: Sequence[Reading]) -> Reading:
    """The reading that was typed after `=`: a whole one, its type alone, or its number.

    `able` are those that may be played, strongest first. EntryError if none of them is meant.
    """
    if is_number(text):
        if 1 <= int(text) <= len(able):
            return able[int(text) - 1]
        raise EntryError("entry.no_reading", text=text)
    name, _, key = text.replace(" ", "").partition("-")
    name = name.lower()
    whole = name + ("-" + key.upper().replace("10", "T") if key else "")
    try:
        one = parse_reading(whole)
    except NotationError:
        for one in able:
            if one.combo == name and not key:
                return one
    else:
        if one in able:
            return one
    raise EntryError("entry.no_reading", text=text)
