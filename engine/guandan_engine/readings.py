"""What a set of cards can be taken to be (rules 3.1), strongest first (3.2), and what beats (3.3).

Works from the definitions: for each shape, how many cards its ranks lack, and whether the wilds
make up exactly that. `moves` lists a hand by quite other means; a law ties the two.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Final

from guandan_engine.cards import LOW, Cards, Rank, Suit
from guandan_engine.combos import Combo, Reading, beats, reading, strength
from guandan_engine.errors import IllegalCommand, Reason
from guandan_engine.notation import cards_text, reading_text
from guandan_engine.options import Rules
from guandan_engine.order import LEVELS
from guandan_engine.packed import ONES, counts

__all__ = ["beating", "judge", "readings", "readings_that_beat"]

SIZE_MAX: Final = 10
"""The largest play, a bomb of eight naturals and two wilds."""

_WILD_BITS: Final = tuple(4 * level + Suit.HEART for level in LEVELS)
_TWO_HALVES: Final = 1 | 1 << 60
_SPADES, _HEARTS, _CLUBS, _DIAMONDS = (ONES << suit for suit in Suit)
_JOKERS_ALL: Final = 2 << 4 * Rank.SMALL_JOKER | 2 << 4 * Rank.BIG_JOKER
_ACE_LOW_FIRST: Final = (Rank.ACE, *LEVELS)

_Known = dict[int, tuple[Reading, ...]]

_known: Final[list[list[list[_Known]]]] = [[[{}, {}], [{}, {}]] for _ in LEVELS]
"""Answers by level, joker pairs allowed, plain runs allowed; then by rank counts, wilds and
suitedness. Only sets that are something are kept, so what people send cannot make it grow: about
3,000 entries a table."""


def readings(cards: Cards, level: Rank, rules: Rules) -> tuple[Reading, ...]:
    """Every reading of `cards`, strongest first; empty if they form nothing.

    Wilds stand for any ordinary card. Assignments that give the same type, key and size are one
    reading, so at most six come back.

    >>> from guandan_engine.notation import parse_cards
    >>> from guandan_engine.options import Rules
    >>> readings(parse_cards("SK CK SQ DQ H2"), Rank.TWO, Rules())
    (<full_house-5 KING>, <full_house-5 QUEEN>)
    """
    bits = cards.bits
    wild = _TWO_HALVES << _WILD_BITS[level]
    wilds = (bits & wild).bit_count()
    naturals = bits & ~wild
    signature = counts(naturals) | wilds << 60
    if bits.bit_count() == 5 and _suit_of_all(naturals):
        signature |= 1 << 62
    table = _known[level][rules.full_house_joker_pair][rules.wild_run_plain]
    found = table.get(signature)
    if found is None:
        found = _find(signature, level, rules)
        if found:
            table[signature] = found
    return found


def _suit_of_all(naturals: int) -> bool:
    """Are all of one suit? Second copies stand over first ones, so the low half tells."""
    faces = naturals & LOW
    return not (faces & ~_SPADES and faces & ~_HEARTS and faces & ~_CLUBS and faces & ~_DIAMONDS)


def _find(signature: int, level: Rank, rules: Rules) -> tuple[Reading, ...]:
    held = [signature >> 4 * rank & 15 for rank in Rank]
    wilds = signature >> 60 & 3
    one_suit = bool(signature >> 62)
    found = set(_shapes(held, wilds, level, rules, one_suit=one_suit))
    return tuple(sorted(found, key=lambda one: strength(one, level), reverse=True))


def _shapes(
    held: list[int], wilds: int, level: Rank, rules: Rules, *, one_suit: bool
) -> Iterator[Reading]:
    size = sum(held) + wilds
    if not 1 <= size <= SIZE_MAX:
        return
    ranks = [rank for rank in Rank if held[rank]]
    if not ranks:  # wilds alone are the level's own cards
        yield reading((Combo.SINGLE, Combo.PAIR)[size - 1], level)
        return
    joker = ranks[-1] > Rank.ACE
    if len(ranks) == 1 and not (joker and wilds):
        yield from _same_rank(ranks[0], size)
    if size == 4 and held[Rank.SMALL_JOKER] == held[Rank.BIG_JOKER] == 2:
        yield reading(Combo.JOKER_BOMB)
    if size == 5:
        yield from _full_houses(held, wilds, ranks, rules)
    if joker:
        return
    if size == 5:
        for top in _windows(held, span=5, each=1, wilds=wilds):
            if one_suit:
                yield reading(Combo.STRAIGHT_FLUSH, top)
            if not one_suit or (wilds and rules.wild_run_plain):
                yield reading(Combo.STRAIGHT, top)
    if size == 6:
        for top in _windows(held, span=3, each=2, wilds=wilds):
            yield reading(Combo.TUBE, top)
        for top in _windows(held, span=2, each=3, wilds=wilds):
            yield reading(Combo.PLATE, top)


def _same_rank(rank: Rank, size: int) -> Iterator[Reading]:
    if size <= 2:
        yield reading((Combo.SINGLE, Combo.PAIR)[size - 1], rank)
    elif size == 3:
        yield reading(Combo.TRIPLE, rank)
    else:
        yield reading(Combo.BOMB, rank, size)


def _full_houses(held: list[int], wilds: int, ranks: list[Rank], rules: Rules) -> Iterator[Reading]:
    if len(ranks) == 1:  # three of a rank, and the wilds are the pair
        if held[ranks[0]] == 3 and wilds == 2 and ranks[0] <= Rank.ACE:
            yield reading(Combo.FULL_HOUSE, ranks[0])
    elif len(ranks) == 2:
        for triple, pair in permutations(ranks):
            if triple > Rank.ACE or held[triple] > 3 or held[pair] > 2:
                continue
            if pair <= Rank.ACE or (rules.full_house_joker_pair and held[pair] == 2):
                yield reading(Combo.FULL_HOUSE, triple)


def _windows(held: list[int], *, span: int, each: int, wilds: int) -> Iterator[Rank]:
    """Tops of the runs of `span` ranks, `each` cards a rank, that the set fills exactly."""
    total = sum(held)
    for start in range(len(_ACE_LOW_FIRST) - span + 1):
        window = _ACE_LOW_FIRST[start : start + span]
        inside = [held[rank] for rank in window]
        if sum(inside) == total and max(inside) <= each and total + wilds == span * each:
            yield window[-1]


def beating(found: tuple[Reading, ...], top: Reading | None, level: Rank) -> tuple[Reading, ...]:
    """Those of some readings, in the same order, that may be played on `top` (None: a lead)."""
    if top is None:
        return found
    return tuple([one for one in found if beats(one, top, level)])


def readings_that_beat(
    cards: Cards, top: Reading | None, level: Rank, rules: Rules
) -> tuple[Reading, ...]:
    return beating(readings(cards, level, rules), top, level)


def judge(
    cards: Cards, declared: Reading | None, top: Reading | None, level: Rank, rules: Rules
) -> Reading:
    """What `cards` are when played on `top`; IllegalCommand says why they may not be.

    A declaration selects among the set's own readings and asserts nothing (rules 3.3).
    """
    found = readings(cards, level, rules)
    if not found:
        raise IllegalCommand(Reason.NOT_A_COMBINATION, got=cards_text(cards))
    if declared is not None:
        if declared not in found:
            raise IllegalCommand(
                Reason.NOT_A_READING,
                expected=" or ".join(map(reading_text, found)),
                got=reading_text(declared),
            )
        if top is not None and not beats(declared, top, level):
            raise _does_not_beat(top, declared)
        return declared
    if top is None:
        able = found
    else:
        able = beating(found, top, level)
        if not able:
            raise _does_not_beat(top, found[0])
    if len(able) > 1 and rules.ambiguous_play == "declare":
        raise IllegalCommand(
            Reason.AMBIGUOUS, expected="one declared of " + ", ".join(map(reading_text, able))
        )
    return able[0]


def _does_not_beat(top: Reading, offered: Reading) -> IllegalCommand:
    return IllegalCommand(
        Reason.DOES_NOT_BEAT,
        expected=f"more than {reading_text(top)}",
        got=reading_text(offered),
    )
