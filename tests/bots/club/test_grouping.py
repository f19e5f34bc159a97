"""A hand as groups: plans use it up, and are the good ways to play it."""

from __future__ import annotations

from random import Random

import pytest
from attrs import evolve

from guandan_bots.club.grouping import SURE, Grouper, Plan
from guandan_bots.club.outlook import Outlook
from guandan_bots.club.seeing import offer_of
from guandan_bots.club.style import ClubStyle
from guandan_bots.club.table import FLUSH, HEARTS, SINGLE, counts, population
from guandan_engine.cards import FULL_PACK, HALF, LOW, Cards, Rank
from guandan_engine.moves import legal_plays
from guandan_engine.notation import level_of, parse_cards, reading_text
from guandan_engine.options import Rules
from tests.bots.club.hands import STYLE, dealt


def outlook_of(hand: Cards, level: Rank, style: ClubStyle, after: int, before: int) -> Outlook:
    unseen = FULL_PACK - hand
    packed = counts(unseen.bits & LOW) + counts(unseen.bits >> HALF)
    return Outlook(int(level), packed, after, before, style)


def plan_of(hand: Cards, level: Rank = Rank.TWO, style: ClubStyle = STYLE) -> Plan:
    grouper = Grouper(outlook_of(hand, level, style, 27, 27), style)
    return grouper.plan(hand.bits & LOW, hand.bits >> HALF)


def said(plan: Plan) -> set[str]:
    return {reading_text(offer_of(group).reading) for group in plan.groups}


@pytest.mark.parametrize("seed", range(40))
def test_groups_are_the_whole_hand(seed: int) -> None:
    chance = Random(seed)
    level = Rank(chance.randrange(13))
    hand = dealt(chance, chance.choice((27, 16, 9)))
    plan = plan_of(hand, level)
    heart = HEARTS[level]
    low, high = hand.bits & LOW, hand.bits >> HALF
    needs = 0
    for group in plan.groups:
        needs += counts(group.low) if group.kind == FLUSH else group.needs
    assert needs == counts(low & ~heart) + counts(high & ~heart)
    wilds = population(low & heart) + population(high & heart)
    assert sum(group.wilds for group in plan.groups) == wilds
    assert sum(group.size for group in plan.groups) == len(hand)


@pytest.mark.parametrize("seed", range(40))
def test_a_plan_costs_what_its_groups_do(seed: int) -> None:
    chance = Random(f"cost {seed}")
    level = Rank(chance.randrange(13))
    hand = dealt(chance, chance.choice((27, 16, 9)))
    outlook = outlook_of(hand, level, STYLE, chance.randint(1, 27), chance.randint(1, 27))
    plan = Grouper(outlook, STYLE).plan(hand.bits & LOW, hand.bits >> HALF)
    costs = [
        outlook.wild if group.kind == SINGLE and group.wilds else outlook.cost(group)
        for group in plan.groups
    ]
    assert plan.cost == pytest.approx(sum(costs))


@pytest.mark.parametrize("size", [1, 5, 10, 18, 27, 28])
def test_the_groups_of_a_plan_are_legal_plays(size: int) -> None:
    chance = Random(size)
    for _ in range(60):
        level = Rank(chance.randrange(13))
        hand = dealt(chance, size)
        plays = legal_plays(hand, level, Rules())
        readings = {pattern.reading for pattern in plays.patterns()}
        assert {offer_of(group).reading for group in plan_of(hand, level).groups} <= readings


def test_what_is_remembered_of_one_hand_does_not_change_another() -> None:
    hand = dealt(Random(7), 27)
    without = [hand.bits & ~(1 << card) for card in hand.faces()]

    def cost(grouper: Grouper, bits: int) -> float:
        return grouper.plan(bits & LOW, bits >> HALF).cost

    def fresh() -> Grouper:
        return Grouper(outlook_of(hand, Rank.NINE, STYLE, 27, 27), STYLE)

    shared = fresh()
    assert [cost(shared, bits) for bits in without] == [cost(fresh(), bits) for bits in without]


def groups(hand: str, level: str = "2") -> set[str]:
    return said(plan_of(parse_cards(hand), level_of(level)))


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


def test_the_best_grouping_is_found() -> None:
    cards = "S3 C4 D5 H6 C7 S9 D9 HJ CJ CQ"
    assert said(plan_of(parse_cards(cards))) == {"straight-7", "pair-9", "pair-J", "single-Q"}
    assert said(plan_of(parse_cards("S3 S4 S5 S6 S7 C4 D6"))) == {
        "straight_flush-7",
        "single-4",
        "single-6",
    }
    assert said(plan_of(parse_cards("S8 C8 D8 H2 S3 C3"))) == {"bomb-4-8", "pair-3"}


def test_what_is_switched_off_is_not_seen() -> None:
    cards = parse_cards("S3 C4 D5 H6 C7 SJ SQ SK SA ST")
    assert said(plan_of(cards)) == {"straight-7", "straight_flush-A"}
    blind = plan_of(cards, style=evolve(STYLE, nodes=0, flushes=0))
    assert len(blind.groups) == 10


def test_a_plan_counts_bombs_losers_and_what_is_of_no_use() -> None:
    plan = plan_of(parse_cards("S8 C8 D8 H8 Y S3 C4"))
    assert (plan.bombs, plan.losers, plan.junk) == (1, 2, 2)
    assert 2 * SURE < plan.losses + 1 < 3
