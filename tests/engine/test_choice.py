"""Which of several equal faces go: those that leave the hand's straight flushes whole."""

from __future__ import annotations

import random
from itertools import combinations, product

import pytest

from guandan_engine.cards import Card, Cards, Rank, Suit, card_of, wild_of
from guandan_engine.combos import Combo
from guandan_engine.moves import LegalPlays, legal_plays
from guandan_engine.notation import cards_text, parse_cards, parse_reading
from guandan_engine.options import Rules
from guandan_engine.order import LEVELS
from guandan_engine.patterns import Move
from tests.engine.test_listing import whole_hand
from tests.engine.test_patterns import RUN_ORDER, naturals


def flushes(hand: Cards, level: Rank, *, wilds: int) -> set[tuple[Suit, tuple[Card, ...]]]:
    """Each window of a suit that natural cards and `wilds` fill, and the faces it has there."""
    found = set()
    for suit, start in product(Suit, range(10)):
        window = [card_of(rank, suit) for rank in RUN_ORDER[start : start + 5]]
        held = tuple(card for card in window if card in hand and card != wild_of(level))
        if len(held) + wilds >= 5:
            found.add((suit, held))
    return found


def ways(move: Move, hand: Cards, level: Rank) -> list[Cards]:
    """Every choice of natural faces for a move, suits left open."""
    wanted = naturals(move)
    per_rank = []
    for rank in sorted(set(wanted)):
        copies = [card for card in hand if card >> 2 == rank and card != wild_of(level)]
        per_rank.append(sorted(set(combinations(copies, wanted.count(rank)))))
    return [Cards.of(card for part in parts for card in part) for parts in product(*per_rank)]


@pytest.mark.parametrize("wilds", [0, 1, 2])
def test_a_flush_stays_whole_if_it_can(wilds: int) -> None:
    """Of singles, pairs, triples and small bombs without wilds: all choices are tried."""
    rng = random.Random(wilds)
    spared = 0
    for _ in range(40):
        level = rng.choice(LEVELS)
        hand = whole_hand(rng, level, wilds=wilds)
        before = flushes(hand, level, wilds=wilds)
        plays = legal_plays(hand, level, Rules())
        for pattern in plays.patterns():
            if pattern.wilds or pattern.reading.combo not in (
                Combo.SINGLE,
                Combo.PAIR,
                Combo.TRIPLE,
                Combo.BOMB,
            ):
                continue
            (move,) = plays.moves(pattern)
            able = {
                flushes(hand - way, level, wilds=wilds) == before for way in ways(move, hand, level)
            }
            chosen = flushes(hand - plays.cards(move), level, wilds=wilds) == before
            assert chosen == (True in able), cards_text(hand)
            spared += len(able) == 2  # some ways break a flush and some do not
    assert spared > 20


def chosen(hand: str, reading: str, top: str = "", *, wilds: int = 0) -> str:
    plays = legal_plays(parse_cards(hand), Rank.TWO, Rules(), parse_reading(top) if top else None)
    move = next(
        move for move in plays if move.reading is parse_reading(reading) and move.wilds == wilds
    )
    return cards_text(plays.cards(move))


def test_the_flush_survives() -> None:
    hand = "S5 S6 S7 S8 S9 H7 C7 D7"
    assert chosen(hand, "single-7") == "H7"
    assert chosen(hand, "pair-7") == "H7 C7"
    assert chosen(hand, "triple-7") == "H7 C7 D7"
    assert chosen(hand, "bomb-4-7") == "S7 H7 C7 D7"


def test_a_flush_with_wilds_survives_too() -> None:
    assert chosen("S5 S6 S8 H6 H2 H2 D8", "single-6") == "H6"
    assert chosen("S5 S6 S8 H6 H2 H2 D8", "single-8") == "D8"
    assert chosen("S5 S6 H6 H2", "single-6") == "S6"  # two of a suit are no flush


def test_a_second_copy_is_spare() -> None:
    assert chosen("S5 S6 S7 S7 S8 S9 H5", "single-7") == "S7"
    assert chosen("S5 S6 S7 S7 S8 S9 H7", "pair-7") == "S7 H7"


def test_the_aces_flush_at_either_end() -> None:
    assert chosen("SA S3 S4 S5 S6 HA", "single-A") == "SA"
    assert chosen("SA S2 S3 S4 S5 HA", "single-A") == "HA"
    assert chosen("SA SK SQ SJ ST HA", "single-A") == "HA"


def test_a_flush_takes_its_own_suit() -> None:
    hand = "S5 S6 S7 S8 S9 C5 C6 C7 C8 C9"
    plays: LegalPlays = legal_plays(parse_cards(hand), Rank.TWO, Rules())
    flush = parse_reading("straight_flush-9")
    both = [cards_text(plays.cards(move)) for move in plays if move.reading is flush]
    assert both == ["S5 S6 S7 S8 S9", "C5 C6 C7 C8 C9"]


def test_a_plain_straight_is_no_flush() -> None:
    assert chosen("S5 S6 S7 S8 S9 H7", "straight-9") == "S5 S6 H7 S8 S9"
    assert chosen("S5 S6 S7 S8 S9 S9 H9", "straight-9") == "S5 S6 S7 S8 H9"
    assert chosen("S5 S6 S7 S8 H2", "straight-9", wilds=1) == "H2 S5 S6 S7 S8"


def test_wilds_go_where_they_are_due() -> None:
    assert chosen("S9 H2 H2", "triple-9", wilds=2) == "H2 H2 S9"
    assert chosen("S2 H2 H2", "pair-2", wilds=1) == "S2 H2"
    assert chosen("S2 H2 H2", "pair-2", wilds=2) == "H2 H2"


def test_naturals_are_no_wilds() -> None:
    """Two wilds and nothing else of their rank: a pair with one of them does not exist."""
    plays = legal_plays(parse_cards("H2 H2"), Rank.TWO, Rules())
    assert [(move.reading.size, move.wilds) for move in plays] == [(1, 1), (2, 2)]
