"""Patterns of whole hands against the plain listing, and the order they come in."""

from __future__ import annotations

import random

import pytest

from bench.reference import follow, lead
from guandan_engine.cards import CARDS, Cards, Rank, wild_of
from guandan_engine.combos import READINGS, Combo, Reading, beats, reading
from guandan_engine.listing import others
from guandan_engine.moves import legal_plays
from guandan_engine.notation import cards_text, parse_cards, parse_reading, rank_text, reading_text
from guandan_engine.options import Rules, rules
from guandan_engine.order import LEVELS, height
from guandan_engine.patterns import Pattern
from tests.engine.test_combos import to_brute

TYPES = [
    Combo.SINGLE,
    Combo.PAIR,
    Combo.TRIPLE,
    Combo.FULL_HOUSE,
    Combo.STRAIGHT,
    Combo.TUBE,
    Combo.PLATE,
]


def whole_hand(rng: random.Random, level: Rank, *, wilds: int) -> Cards:
    """27 cards, with that many wilds."""
    rest = [card for card in 2 * CARDS if card != wild_of(level)]
    return Cards.of([*rng.sample(rest, 27 - wilds), *[wild_of(level)] * wilds])


def plain(patterns: tuple[Pattern, ...]) -> list[tuple[str, str | None, int, int]]:
    told = [(*to_brute(pattern.reading), pattern.wilds) for pattern in patterns]
    assert len(set(told)) == len(told)
    return sorted(told, key=repr)


@pytest.mark.parametrize("wilds", [0, 1, 2])
def test_whole_hands_are_listed_as_the_plain_listing_does(wilds: int) -> None:
    rng = random.Random(wilds)
    for _ in range(120):
        level = rng.choice(LEVELS)
        hand = whole_hand(rng, level, wilds=wilds)
        cards = cards_text(hand).split()
        found = legal_plays(hand, level, Rules()).patterns()
        assert plain(found) == sorted(lead(cards, rank_text(level)), key=repr)
        own = [pattern.reading for pattern in found]
        for top in [*rng.sample(READINGS, 3), *rng.sample(own, 3)]:
            answers = legal_plays(hand, level, Rules(), top).patterns()
            expected = follow(cards, rank_text(level), to_brute(top))
            assert plain(answers) == sorted(expected, key=repr), reading_text(top)


def test_small_hands_too() -> None:
    """Where little is held, nothing must be looked for outside it."""
    rng = random.Random(3)
    for _ in range(1500):
        level = rng.choice(LEVELS)
        hand = Cards.of(rng.sample(sorted(2 * CARDS), rng.randint(0, 12)))
        cards = cards_text(hand).split()
        assert plain(legal_plays(hand, level, Rules()).patterns()) == sorted(
            lead(cards, rank_text(level)), key=repr
        )


def price(pattern: Pattern, level: Rank) -> tuple[int, ...]:
    """Where a pattern stands in the order that a hint wants."""
    one = pattern.reading
    kind = TYPES.index(one.combo) if one.tier == 0 else len(TYPES) + one.tier
    key = 0 if one.key is None else int(one.key) if one.is_run else height(one.key, level)
    return kind, key > 13, pattern.wilds, key


@pytest.mark.parametrize(
    "table", [Rules(), Rules(full_house_joker_pair=True, wild_run_plain=False)]
)
def test_cheapest_first(table: Rules) -> None:
    rng = random.Random(4)
    for wilds in (0, 1, 2) * 20:
        level = rng.choice(LEVELS)
        hand = whole_hand(rng, level, wilds=wilds)
        for top in (None, *rng.sample(READINGS, 4)):
            prices = [price(p, level) for p in legal_plays(hand, level, table, top).patterns()]
            assert prices == sorted(prices)


@pytest.mark.parametrize(
    "table", [Rules(), Rules(full_house_joker_pair=True, wild_run_plain=False)]
)
def test_what_follows_are_the_leads_that_beat(table: Rules) -> None:
    rng = random.Random(5)
    for wilds in (0, 1, 2) * 10:
        level = rng.choice(LEVELS)
        hand = whole_hand(rng, level, wilds=wilds)
        leads = legal_plays(hand, level, table).patterns()
        for top in rng.sample(READINGS, 30):
            beating = tuple(p for p in leads if beats(p.reading, top, level))
            assert legal_plays(hand, level, table, top).patterns() == beating


def texts(hand: str, top: str = "", **options: bool) -> list[str]:
    """The patterns of a hand at level 2; a star for each wild."""
    table = rules("site", options)
    plays = legal_plays(parse_cards(hand), Rank.TWO, table, parse_reading(top) if top else None)
    return [f"{reading_text(p.reading)}{'*' * p.wilds}" for p in plays.patterns()]


def test_examples() -> None:
    assert texts("S9 C9 H2 X X") == [
        "single-9",
        "single-2*",
        "single-X",
        "pair-9",
        "pair-9*",
        "pair-X",
        "triple-9*",
    ]
    assert texts("S9 C9 S2 H2", "pair-A") == ["pair-2*"]
    assert texts("X X Y Y S3", "bomb-10-A") == ["joker_bomb"]
    assert texts("S3 H3 C3 D3", "straight-A") == ["bomb-4-3"]


def test_options_in_the_listing() -> None:
    jokers = "S9 C9 D9 X X"
    assert "full_house-9" not in texts(jokers)
    assert "full_house-9" in texts(jokers, full_house_joker_pair=True)
    run = "S5 S6 S7 S9 H2"
    assert "straight-9*" in texts(run)
    assert "straight-9*" not in texts(run, wild_run_plain=False)
    assert "straight_flush-9*" in texts(run, wild_run_plain=False)
    mixed = "S5 C5 S6 S7 S9 H2"
    assert "straight-9*" in texts(mixed, wild_run_plain=False)


def test_nothing_beats_four_jokers() -> None:
    assert texts("S9 H9 C9 D9 S9 H9 C9 D9 H2 H2", "joker_bomb") == []


def test_others() -> None:
    def bits(*ranks: int) -> int:
        return sum(8 << 4 * rank for rank in ranks)

    assert others(0, bits(3, 5)) == 0
    assert others(bits(3), bits(3, 5)) == bits(5)
    assert others(bits(3, 5), bits(3, 5)) == bits(3, 5)


def test_every_reading_is_listed_by_some_hand() -> None:
    """A pack of a rank and its neighbours has each shape; nothing is forgotten at an end."""
    found: set[Reading] = set()
    for level in (Rank.TWO, Rank.EIGHT):
        for start in range(13):
            near = {LEVELS[(start + i) % 13] for i in range(5)}
            cards = [c for c in 2 * CARDS if c >> 2 in near and c != wild_of(level)]
            hand = Cards.of([*cards, *[wild_of(level)] * 2, *2 * CARDS[-2:]])
            found |= {p.reading for p in legal_plays(hand, level, Rules()).patterns()}
    assert found == set(READINGS)
    assert reading(Combo.BOMB, Rank.TWO, 10) in found
