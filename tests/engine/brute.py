"""A slow referee, written from the plain definitions of the shapes; the oracle of the rules tests.

It shares no line and no idea with the engine. Cards are strings: suit `S H C D` + rank
`2..9 T J Q K A`, small joker `X`, big joker `Y`. The wild card is the heart of `level`.
A reading is a tuple `(type, key, len)`; the joker bomb has no key.

Where the engine counts, this module lists: a wild is really replaced by each of the 52 ordinary
cards in turn, and what comes out is compared with the definition of every shape.

    >>> brute_readings(["S5", "S6", "S7", "S9", "H2"], "2")
    [('straight_flush', '9', 5), ('straight', '9', 5)]
    >>> brute_best(["SK", "CK", "SQ", "DQ", "H2"], ("full_house", "Q", 5), "2").reading
    ('full_house', 'K', 5)
    >>> sorted(brute_plays(["S9", "H9", "X"], "2", ("single", "A", 1)))
    [('single', 'X', 1, ('X',), 0, None)]
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple

Reading = tuple[str, str | None, int]
"""Type, key, number of cards."""

Play = tuple[str, str | None, int, tuple[str, ...], int, str | None]
"""Type, key, number of cards, sorted ranks of the natural cards, wilds used, suit of a flush."""

RANKS = "23456789TJQKA"
SUITS = "SHCD"
JOKERS = "XY"
ORDINARY = [suit + rank for suit in SUITS for rank in RANKS]
FACES = frozenset([*ORDINARY, *JOKERS])

STAND_INS = [
    [
        ("".join(card[1] for card in cards), frozenset(card[0] for card in cards))
        for cards in combinations_with_replacement(ORDINARY, wilds)
    ]
    for wilds in range(3)
]
"""All that no, one or two wilds can stand for: every choice of ordinary cards, ranks and suits."""

RUN_ORDER = "A" + RANKS  # the ace stands at both ends of a run, never in its middle

CLASSES = [
    "ordinary",
    "bomb of 4",
    "bomb of 5",
    "straight flush",
    "bomb of 6",
    "bomb of 7",
    "bomb of 8",
    "bomb of 9",
    "bomb of 10",
    "joker bomb",
]
"""Weakest first: a play of a later class beats every play of an earlier one."""

RUNS = ("straight", "straight_flush", "tube", "plate")
"""Types compared by their last rank in natural order; the others go by level order."""


class Verdict(NamedTuple):
    """The judgement of one play."""

    allowed: bool
    reading: Reading | None
    """What the cards are taken to be; None if refused."""
    beating: list[Reading]
    """Every reading that beats the table, strongest first."""
    reason: str | None
    """Why not; None if allowed."""


def wild_of(level: str) -> str:
    return "H" + level


def rank_of(card: str) -> str:
    """The rank letter; a joker is its own rank."""
    return card if card in JOKERS else card[1]


def level_order(level: str) -> list[str]:
    """Ranks from weakest to strongest single: the level card stands between the ace and X."""
    return [rank for rank in RANKS if rank != level] + [level, *JOKERS]


def windows(length: int) -> list[str]:
    """Every run of that many consecutive ranks, ace low or ace high."""
    return [RUN_ORDER[i : i + length] for i in range(len(RUN_ORDER) - length + 1)]


# --- what natural cards are ----------------------------------------------------------------------


@lru_cache(maxsize=1 << 18)
def _shapes(ranks: str, one_suit: bool, full_house_joker_pair: bool) -> frozenset[Reading]:
    """Every shape of cards that are all what they show; `ranks` is sorted."""
    n = len(ranks)
    same = len(set(ranks)) == 1
    joker = any(rank in JOKERS for rank in ranks)
    found: set[Reading] = set()
    if n == 1:
        found.add(("single", ranks[0], 1))
    if n == 2 and same:
        found.add(("pair", ranks[0], 2))
    if n == 3 and same and not joker:
        found.add(("triple", ranks[0], 3))
    if 4 <= n <= 10 and same and not joker:
        found.add(("bomb", ranks[0], n))
    if ranks == "XXYY":
        found.add(("joker_bomb", None, 4))
    if n == 5:
        for three in RANKS:
            for two in RANKS + (JOKERS if full_house_joker_pair else ""):
                if two != three and ranks == "".join(sorted(three * 3 + two * 2)):
                    found.add(("full_house", three, 5))
        for window in windows(5):
            if ranks == "".join(sorted(window)):
                found.add(("straight_flush" if one_suit else "straight", window[-1], 5))
    if n == 6:
        for window in windows(3):
            if ranks == "".join(sorted(window * 2)):
                found.add(("tube", window[-1], 6))
        for window in windows(2):
            if ranks == "".join(sorted(window * 3)):
                found.add(("plate", window[-1], 6))
    return frozenset(found)


# --- readings ------------------------------------------------------------------------------------


def brute_readings(
    cards: Sequence[str],
    level: str,
    *,
    full_house_joker_pair: bool = False,
    wild_run_plain: bool = True,
) -> list[Reading]:
    """Every reading of `cards`, strongest first; empty if they form nothing.

    ValueError if `cards` is no part of a pack: an unknown card, or a third copy of one.
    """
    for card in cards:
        if card not in FACES:
            raise ValueError(f"expected a card, got {card!r}")
        if cards.count(card) > 2:
            raise ValueError(f"expected at most two copies of a card, got more of {card}")
    naturals = [card for card in cards if card != wild_of(level)]
    found = _readings(
        "".join(sorted(map(rank_of, naturals))),
        frozenset(card[0] for card in naturals),
        len(cards) - len(naturals),
        level,
        full_house_joker_pair,
        wild_run_plain,
    )
    return sorted(found, key=lambda reading: _strength(reading, level), reverse=True)


@lru_cache(maxsize=1 << 16)
def _readings(
    ranks: str,
    suits: frozenset[str],
    wilds: int,
    level: str,
    full_house_joker_pair: bool,
    wild_run_plain: bool,
) -> frozenset[Reading]:
    """Readings of natural cards of these `ranks` and `suits` with `wilds` wild cards.

    Nothing in the definitions asks more of suits than whether there is one, so sets of cards that
    agree in these arguments share an answer and the listing below need not be repeated.
    """
    if not ranks:
        # Wilds among themselves are level cards and nothing else.
        return _shapes(level * wilds, True, full_house_joker_pair)
    shown = {
        ("".join(sorted(ranks + stand_in_ranks)), len(suits | stand_in_suits) == 1)
        for stand_in_ranks, stand_in_suits in STAND_INS[wilds]
    }
    found: set[Reading] = set()
    for shown_ranks, one_suit in shown:
        found |= _shapes(shown_ranks, one_suit, full_house_joker_pair)
    if wilds and not wild_run_plain and len(suits) == 1:
        return frozenset(reading for reading in found if reading[0] != "straight")
    return frozenset(found)


def _class(reading: Reading) -> int:
    kind, _, length = reading
    match kind:
        case "joker_bomb":
            return CLASSES.index("joker bomb")
        case "straight_flush":
            return CLASSES.index("straight flush")
        case "bomb":
            return CLASSES.index(f"bomb of {length}")
        case _:
            return CLASSES.index("ordinary")


def _key_strength(reading: Reading, level: str) -> int:
    kind, key, _ = reading
    if key is None:
        return 0  # there is one joker bomb
    return RANKS.index(key) if kind in RUNS else level_order(level).index(key)


def _strength(reading: Reading, level: str) -> tuple[int, int, str]:
    """Sorts readings of one set of cards; the last part only puts plate before tube."""
    last = {"tube": "a", "plate": "b"}.get(reading[0], "")
    return _class(reading), _key_strength(reading, level), last


# --- the table -----------------------------------------------------------------------------------


def brute_beats(a: Reading, b: Reading, level: str) -> bool:
    """Does `a`, played on `b`, beat it?"""
    if _class(a) != _class(b):
        return _class(a) > _class(b)
    if (a[0], a[2]) != (b[0], b[2]):
        return False
    return _key_strength(a, level) > _key_strength(b, level)


def brute_best(
    cards: Sequence[str],
    table: Reading | None,
    level: str,
    *,
    declare: Reading | None = None,
    ambiguous: str = "auto",
    full_house_joker_pair: bool = False,
    wild_run_plain: bool = True,
) -> Verdict:
    """Judge `cards` on `table` (None when leading), declared as `declare` or left open."""
    if ambiguous not in ("auto", "declare"):
        raise ValueError(f"expected auto or declare, got {ambiguous!r}")
    readings = brute_readings(
        cards,
        level,
        full_house_joker_pair=full_house_joker_pair,
        wild_run_plain=wild_run_plain,
    )
    beating = [r for r in readings if table is None or brute_beats(r, table, level)]
    if not readings:
        return Verdict(False, None, beating, "not_a_combination")
    if declare is not None and declare not in readings:
        return Verdict(False, None, beating, "not_a_reading")
    if not beating or (declare is not None and declare not in beating):
        return Verdict(False, None, beating, "does_not_beat")
    if declare is not None:
        return Verdict(True, declare, beating, None)
    if ambiguous == "declare" and len(beating) > 1:
        return Verdict(False, None, beating, "ambiguous")
    return Verdict(True, beating[0], beating, None)


# --- all plays of a small hand -------------------------------------------------------------------


def brute_plays(
    hand: Sequence[str],
    level: str,
    table: Reading | None,
    *,
    full_house_joker_pair: bool = False,
    wild_run_plain: bool = True,
) -> set[Play]:
    """Every play of `hand` that beats `table` (None when leading); meant for nine cards or fewer.

    Choosing another suit is not another play, except in a straight flush; using a wild instead of
    a natural card is.
    """
    plays: set[Play] = set()
    for size in range(1, len(hand) + 1):
        for cards in set(combinations(sorted(hand), size)):
            for reading in brute_readings(
                cards,
                level,
                full_house_joker_pair=full_house_joker_pair,
                wild_run_plain=wild_run_plain,
            ):
                if table is None or brute_beats(reading, table, level):
                    plays.add(canonical(cards, reading, level))
    return plays


def canonical(cards: Sequence[str], reading: Reading, level: str) -> Play:
    """The play in the form that forgets suits, except the suit of a straight flush."""
    kind, key, length = reading
    naturals = [card for card in cards if card != wild_of(level)]
    suit = naturals[0][0] if kind == "straight_flush" else None
    ranks = tuple(sorted(map(rank_of, naturals)))
    return kind, key, length, ranks, len(cards) - len(naturals), suit
