"""The list of actions holds what the referee allows, all of it and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from guandan_bots.dialect.plays import every_play
from guandan_bots.dialect.words import action_of, offer_of
from guandan_engine.cards import Cards, Rank
from guandan_engine.combos import Reading
from guandan_engine.moves import Offer, legal_plays
from guandan_engine.notation import cards_text, parse_cards, parse_reading
from guandan_engine.options import Rules
from guandan_engine.readings import readings_that_beat
from guandan_engine.views import PhaseName
from tests.bots.games import TABLES, decisions
from tests.bots.table import RULES
from tests.engine.strategies import close_hands, levels, readings

TABLES_OF_SHAPES = [
    Rules(full_house_joker_pair=pair, wild_run_plain=plain)
    for pair in (False, True)
    for plain in (True, False)
]
tops = st.none() | readings


def parts(hand: Cards) -> Iterator[Cards]:
    """Every set of cards that a hand has in it."""
    faces = list(hand.faces())
    for taken in product(*[range(hand.count(face) + 1) for face in faces]):
        cards = [face for face, count in zip(faces, taken, strict=True) for _ in range(count)]
        yield Cards.of(cards)


def allowed(hand: Cards, level: Rank, rules: Rules, top: Reading | None) -> set[Offer]:
    """By the referee, asked about each of them."""
    return {
        Offer(cards, one)
        for cards in parts(hand)
        for one in readings_that_beat(cards, top, level, rules)
    }


@given(st.data(), levels, st.sampled_from(TABLES_OF_SHAPES), tops)
@settings(max_examples=150, deadline=None)
def test_every_set_of_cards_in_every_reading_that_the_referee_allows(
    data: st.DataObject, level: Rank, rules: Rules, top: Reading | None
) -> None:
    hand = data.draw(close_hands(level=level, least=1, most=9))
    found = every_play(hand, level, rules, top)
    assert len(set(found)) == len(found), "nothing stands twice"
    assert set(found) == allowed(hand, level, rules, top), cards_text(hand)


@pytest.mark.parametrize("name", ["site", "free"])
def test_at_every_decision_of_whole_hands_nothing_is_missing_and_nothing_is_too_much(
    name: str,
) -> None:
    rules, looked_at = TABLES[name], 0
    for view in decisions(rules, "plays", hands=2):
        public, hand = view.public, view.private.hand
        if public.phase not in (PhaseName.LEADING, PhaseName.FOLLOWING):
            continue
        looked_at += 1
        plays = legal_plays(hand, public.level, rules, public.top)
        found = every_play(hand, public.level, rules, public.top)
        assert all(offer in plays for offer in found)
        assert {plays.offer(move) for move in plays} <= set(found), "the choices that spare flushes"
        if len(hand) <= 10:
            assert set(found) == allowed(hand, public.level, rules, public.top)
        actions = [action_of(offer, public.level) for offer in found]
        assert [offer_of(action) for action in actions] == found
    assert looked_at > 100


def words(hand: str, *, level: Rank = Rank.TWO, top: str = "", rules: Rules = RULES) -> list[str]:
    found = every_play(parse_cards(hand), level, rules, parse_reading(top) if top else None)
    return [
        " ".join([kind, rank, *cards]) for kind, rank, cards in (action_of(o, level) for o in found)
    ]


def test_equal_ranks_are_listed_by_suits_since_bots_look_for_their_very_cards() -> None:
    assert words("S9 H9 C9", top="pair-8") == [
        "Pair 9 S9 H9",
        "Pair 9 S9 C9",
        "Pair 9 H9 C9",
    ]


def test_the_order_is_by_class_and_type_and_rank_and_naturals_go_before_wilds() -> None:
    assert words("S3 S4 D4 H2 X") == [
        *("Single 3 S3", "Single 4 S4", "Single 4 D4", "Single 2 H2", "Single B SB"),
        *("Pair 3 S3 H2", "Pair 4 S4 D4", "Pair 4 S4 H2", "Pair 4 D4 H2"),
        "Trips 4 S4 D4 H2",
    ]
    assert words("S9 C9 D9 D9 S5 S6 S7 S8", top="straight-K") == [
        "Bomb 9 S9 C9 D9 D9",
        "StraightFlush 5 S5 S6 S7 S8 S9",
    ]


def test_the_same_cards_stand_once_for_each_reading() -> None:
    run = words("S5 S6 S7 S9 H2", top="straight-8")
    assert run == ["Straight 5 S5 S6 S7 H2 S9", "StraightFlush 5 S5 S6 S7 H2 S9"]


def test_one_suit_is_no_plain_straight() -> None:
    assert "Straight 5 S5 S6 S7 S8 S9" not in words("S5 S6 S7 S8 S9 D9")
    assert "Straight 5 S5 S6 S7 S8 D9" in words("S5 S6 S7 S8 S9 D9")
    strict = evolve(RULES, wild_run_plain=False)
    assert words("S5 S6 S7 S9 H2", top="straight-8", rules=strict) == [
        "StraightFlush 5 S5 S6 S7 H2 S9"
    ]
