"""The plain listing names exactly the plays that the slow referee finds."""

import random
from itertools import product

import pytest

from bench.reference import RANKS, SUITS, Play, follow, lead
from tests.engine.brute import Reading, brute_beats, brute_plays, brute_readings

PACK = [suit + rank for suit in SUITS for rank in RANKS] * 2 + ["X", "X", "Y", "Y"]


def random_hand(rng: random.Random, level: str, *, wilds: int, size: int) -> list[str]:
    """A hand with that many wilds; the others are near each other, so that shapes are common."""
    wild = "H" + level
    start, width = rng.randrange(13), rng.choice([2, 3, 4, 5, 6, 13])
    ranks = {(RANKS * 2)[start + i] for i in range(width)}
    suits = rng.choice([SUITS, SUITS, "SH", "HD", "C", "H"])
    near = [c for c in PACK if c in ("X", "Y") or (c[0] in suits and c[1] in ranks)]
    if rng.random() < 0.8:
        near = [c for c in near if c not in ("X", "Y")]
    near = [c for c in near if c != wild]
    return rng.sample(near, min(size - wilds, len(near))) + [wild] * wilds


def abstract(hand: list[str], level: str, table: Reading | None) -> set[Play]:
    """The referee's plays, forgetting which cards they are made of."""
    return {
        (kind, key, length, wilds)
        for kind, key, length, _, wilds, _ in brute_plays(hand, level, table)
    }


def some_table(rng: random.Random, hand: list[str], level: str) -> Reading:
    """A play to beat: often one of the hand's own readings, so that equals are met."""
    own = [reading[:3] for reading in lead(hand, level)]
    if rng.random() < 0.4 and own:
        return rng.choice(own)
    kind, length = rng.choice(
        [
            ("single", 1),
            ("pair", 2),
            ("triple", 3),
            ("full_house", 5),
            ("straight", 5),
            ("tube", 6),
            ("plate", 6),
            ("straight_flush", 5),
            *(("bomb", n) for n in range(4, 11)),
        ]
    )
    lowest = {"straight": "5", "straight_flush": "5", "tube": "3"}.get(kind, "2")
    keys = RANKS[RANKS.index(lowest) :]
    if length <= 2:
        keys += "XY"
    return kind, rng.choice(keys), length


@pytest.mark.parametrize(
    ("wilds", "sizes", "hands"),
    [
        (0, range(1, 9), 1800),
        (0, range(9, 10), 60),
        (1, range(1, 8), 500),
        (1, range(8, 10), 40),
        (2, range(2, 7), 100),
        (2, range(7, 10), 10),
    ],
)
def test_lead_and_follow(wilds: int, sizes: range, hands: int) -> None:
    rng = random.Random(100 * wilds + sizes.start)
    for _ in range(hands):
        level = rng.choice(RANKS)
        hand = random_hand(rng, level, wilds=wilds, size=rng.choice(sizes))
        every = abstract(hand, level, None)
        listed = lead(hand, level)
        assert sorted(listed, key=repr) == sorted(every, key=repr), (hand, level)
        for _ in range(3):
            table = some_table(rng, hand, level)
            beating = {play for play in every if brute_beats(play[:3], table, level)}
            answers = follow(hand, level, table)
            assert sorted(answers, key=repr) == sorted(beating, key=repr), (hand, level, table)


def test_follow_is_what_the_referee_lets_follow() -> None:
    """The table is asked of the referee itself, too, on fewer hands."""
    rng = random.Random(9)
    for _ in range(150):
        level = rng.choice(RANKS)
        hand = random_hand(rng, level, wilds=rng.choice([0, 0, 1]), size=rng.randint(1, 7))
        table = some_table(rng, hand, level)
        assert set(follow(hand, level, table)) == abstract(hand, level, table)


def test_nothing_follows_the_joker_bomb() -> None:
    assert follow(["S9"] * 2 + ["H9"] * 2 + ["H2"] * 2, "2", ("joker_bomb", None, 4)) == []


def test_every_reading_of_a_set_is_listed() -> None:
    """Sets larger than the referee could take apart: bombs of seven to ten."""
    for naturals, wilds in product(range(5, 9), range(3)):
        cards = [suit + "9" for suit in SUITS for _ in range(2)][:naturals] + ["H2"] * wilds
        for kind, key, length in brute_readings(cards, "2"):
            assert (kind, key, length, wilds) in lead(cards, "2")
            assert (kind, key, length, wilds) in follow(cards, "2", ("bomb", "8", length))


@pytest.mark.parametrize(
    ("table", "lengths"),
    [
        (("bomb", "A", 4), {5, 6, 7}),
        (("bomb", "8", 5), {5, 6, 7}),
        (("bomb", "9", 5), {6, 7}),
        (("straight_flush", "5", 5), {6, 7}),
        (("bomb", "A", 6), {7}),
        (("bomb", "A", 7), set()),
    ],
)
def test_bombs_over_bombs(table: Reading, lengths: set[int]) -> None:
    hand = ["S9", "S9", "H9", "H9", "D9", "H2", "H2", "S3"]
    answers = follow(hand, "2", table)
    assert {length for _, _, length, _ in answers} == lengths
    assert set(answers) == abstract(hand, "2", table)
