"""A hand as groups."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from guandan_bots.chances import Chances, Hidden
from guandan_bots.groups import Arranger, Plan
from guandan_bots.style import Style
from guandan_engine.cards import CARDS, FULL_PACK, Cards, Rank
from guandan_engine.moves import Offer, legal_plays
from guandan_engine.notation import level_of, parse_cards, reading_text
from guandan_engine.options import Rules
from guandan_engine.packed import counts

RULES = Rules()


def arranger(hand: Cards, level: Rank) -> Arranger:
    packed = counts((FULL_PACK - hand).bits)
    hidden = Hidden([packed >> shift & 15 for shift in range(0, 60, 4)], (27, 27))
    return Arranger(Chances(hidden, level, Style()), level, RULES)


def plan(hand: str, level: str = "2") -> Plan:
    cards = parse_cards(hand)
    return arranger(cards, level_of(level)).plan(cards.bits)


def groups(hand: str, level: str = "2") -> set[str]:
    return {reading_text(move.reading) for move in plan(hand, level).moves}


@pytest.mark.parametrize(
    ("hand", "level", "found"),
    [
        ("", "2", ""),
        ("S9", "2", "single-9"),
        ("S9 D9", "2", "pair-9"),
        ("S9 D9 C9 S4 H4", "2", "full_house-9"),
        ("S9 D9 C9 S4 H4 SK CK", "2", "full_house-9 pair-K"),
        ("S3 D4 H5 C6 S7", "2", "straight-7"),
        ("SA D2 H3 C4 S5", "9", "straight-5"),
        ("S3 D3 H4 C4 S5 D5", "2", "tube-5"),
        ("S3 D3 C3 H4 C4 D4", "2", "plate-4"),
        ("S3 S4 S5 S6 S7", "2", "straight_flush-7"),
        ("S3 S4 S5 S6 S7 D7 C7", "2", "straight_flush-7 pair-7"),
        ("S3 D3 C4 D4 C5 D5 H6 D6 S7 H7", "2", "straight-7"),
        ("S8 H8 C8 D8", "2", "bomb-4-8"),
        ("S8 S8 H8 H8 C8 C8 D8 D8", "2", "bomb-4-8"),
        ("X X Y Y", "2", "joker_bomb"),
        ("X Y", "2", "single-X single-Y"),
        # Wilds: to a triple before a pair, into a hole, to a flush, else kept.
        ("H2 S7 C7 D7 S9 D9", "2", "bomb-4-7 pair-9"),
        ("H2 S3 D4 H6 C7", "2", "straight-7"),
        ("H2 S3 S4 S6 S7", "2", "straight_flush-7"),
        ("H2 S9", "2", "single-2 single-9"),
        ("H2 H2 S7 C7 D7 S9 C9 D9", "2", "bomb-4-7 bomb-4-9"),
    ],
)
def test_groups_are_found(hand: str, level: str, found: str) -> None:
    assert groups(hand, level) == set(found.split())


def test_a_straight_is_not_worth_four_pairs() -> None:
    assert groups("S3 D3 C4 D4 C5 D5 H6 D6 S7") == {"tube-6", "pair-3", "single-7"} or groups(
        "S3 D3 C4 D4 C5 D5 H6 D6 S7"
    ) == {"tube-5", "pair-6", "single-7"}


def test_the_levels_own_pair_is_not_wasted_under_a_triple() -> None:
    assert groups("S9 D9 C9 S4 D4 SK CK", "4") == {"full_house-9", "pair-4"}


def hands(seed: int, size: int, count: int) -> list[tuple[Cards, Rank]]:
    chance = Random(seed)
    pack = [card for card in CARDS for _ in range(2)]
    return [(Cards.of(chance.sample(pack, size)), Rank(chance.randrange(13))) for _ in range(count)]


@pytest.mark.parametrize("size", [1, 5, 10, 18, 27, 28])
def test_a_plan_is_the_whole_hand_in_legal_plays(size: int) -> None:
    for hand, level in hands(size, size, 60):
        found = arranger(hand, level).plan(hand.bits)
        plays = legal_plays(hand, level, RULES)
        wilds = sum(move.wilds for move in found.moves)
        needs: Counter[int] = Counter()
        for move in found.moves:
            offer = plays.offer(move)
            assert offer in plays, (hand, move)
            for rank in range(15):
                needs[rank] += move.needs >> 4 * rank & 15
        packed = counts(hand.bits)
        held = {rank: packed >> 4 * rank & 15 for rank in Rank}
        held[level] -= wilds
        assert {rank: n for rank, n in needs.items() if n} == {r: n for r, n in held.items() if n}


@pytest.mark.parametrize("size", [5, 14, 27])
def test_a_plan_costs_what_its_groups_cost(size: int) -> None:
    for hand, level in hands(100 + size, size, 40):
        found = arranger(hand, level)
        assert found.plan(hand.bits).cost == pytest.approx(sum(found.plan(hand.bits).costs))
        assert found.plan(hand.bits).cost == found.cost(hand.bits)


def test_flushes_keep_their_own_cards() -> None:
    hand = parse_cards("S3 S4 S5 S6 S7 D7 C7 H5 D5")
    found = arranger(hand, Rank.TWO).plan(hand.bits)
    assert Cards(found.loose) == parse_cards("D7 C7 H5 D5")
    plays = legal_plays(hand, Rank.TWO, RULES)
    flush = next(move for move in found.moves if move.suit is not None)
    assert plays.offer(flush) == Offer(parse_cards("S3 S4 S5 S6 S7"), flush.reading)


def test_more_cards_are_never_planned_better_by_chance() -> None:
    """What is remembered from one hand does not change what is found for another."""
    hand = hands(7, 27, 1)[0][0]
    fresh = [arranger(hand, Rank.NINE).cost(hand.bits & ~(1 << card)) for card in hand.faces()]
    shared = arranger(hand, Rank.NINE)
    assert [shared.cost(hand.bits & ~(1 << card)) for card in hand.faces()] == fresh
