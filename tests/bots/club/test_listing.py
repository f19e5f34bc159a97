"""Plays as ints, against the engine's own lists of them."""

from __future__ import annotations

from random import Random

import pytest

from guandan_bots.club.grouping import Grouper
from guandan_bots.club.listing import Lister
from guandan_bots.club.outlook import Outlook
from guandan_bots.club.seeing import offer_of
from guandan_bots.club.table import STRAIGHT, Play, Table
from guandan_engine.cards import HALF, Cards, Rank
from guandan_engine.combos import Reading
from guandan_engine.moves import legal_plays
from guandan_engine.notation import cards_text
from guandan_engine.options import Rules
from guandan_engine.readings import readings_that_beat
from tests.bots.club.hands import STYLE, dealt, sitting, table_with, tops

RULES = Rules()


def helped(table: Table) -> tuple[Outlook, Grouper]:
    outlook = Outlook(table.level, table.unseen, table.after, table.before, STYLE)
    return outlook, Grouper(outlook, STYLE)


def readings(hand: Cards, plays: list[Play], top: Reading | None, level: Rank) -> set[Reading]:
    """What the plays are, each of which has to be legal."""
    lister = Lister(table_with(hand, top, level))
    legal = legal_plays(hand, level, RULES, top)
    offers = [offer_of(play) for play in plays if lister.dress(play)]
    assert [offer for offer in offers if offer not in legal] == []
    return {offer.reading for offer in offers}


@pytest.mark.parametrize("seed", range(60))
def test_what_beats_the_table_is_what_the_engine_says(seed: int) -> None:
    chance = Random(seed)
    level = Rank(chance.randrange(13))
    hand, top = dealt(chance, chance.choice((27, 20, 12, 7, 5, 4))), tops(chance)
    table = table_with(hand, top, level)
    lister = Lister(table)
    patterns = legal_plays(hand, level, RULES, top).patterns()
    expected = {pattern.reading for pattern in patterns}
    assert readings(hand, lister.everything(), top, level) == expected
    if top is not None:
        assert readings(hand, lister.beating(*helped(table)), top, level) == expected
        assert lister.may_beat() or not expected
    else:
        assert readings(hand, lister.natural_leads(*helped(table)), top, level) <= expected


@pytest.mark.parametrize("seed", range(60))
def test_a_last_play_is_what_the_engine_says(seed: int) -> None:
    chance = Random(f"last {seed}")
    level = Rank(chance.randrange(13))
    while True:
        hand, top = dealt(chance, chance.choice((1, 2, 3, 4, 5, 6))), tops(chance)
        expected = set(readings_that_beat(hand, top, level, RULES))
        if expected or chance.random() < 0.001:
            break
    plays = Lister(table_with(hand, top, level)).last_plays()
    for play in plays:
        play.low, play.high = hand.bits & ((1 << HALF) - 1), hand.bits >> HALF
    found = {offer_of(play).reading for play in plays}
    # A flush is no plain straight as well; whoever asks takes the higher class anyway.
    assert expected <= found
    assert all(one.combo == "straight" for one in found - expected)


def test_faces_that_no_straight_flush_needs_go_first() -> None:
    table = sitting("S3 S4 S5 S6 S7 C5 D5 H9")
    lister = Lister(table)
    assert lister.dress(play := Play(1, 3, 2, 0, 2 << 12))
    assert cards_text(Cards(play.low | play.high << HALF)) == "C5 D5"


def test_a_straight_is_no_flush_if_the_hand_can_help_it() -> None:
    run = Play(STRAIGHT, Rank.SEVEN, 5, 0, 0x111110)
    assert not Lister(sitting("S3 S4 S5 S6 S7")).dress(run)
    assert Lister(sitting("S3 S4 S5 S6 S7 D6")).dress(run)
    assert cards_text(Cards(run.low)) == "S3 S4 S5 D6 S7"


def test_the_pair_of_a_full_house_is_one_that_the_plan_has_free() -> None:
    table = sitting("S9 H9 C9 S4 H4 S5 H5 C6 D6 SK DK S3 CJ", over="full_house-5")
    houses = Lister(table).beating(*helped(table))
    assert {play.needs for play in houses} == {3 << 28 | 2 << 8, 3 << 28 | 2 << 44}


def test_ends_are_the_lowest_and_the_highest() -> None:
    found = Lister(sitting("S3 C3 H9 SA CA X")).ends
    assert [play.key for play in found(1)] == [Rank.THREE, Rank.SMALL_JOKER]
    assert [play.key for play in found(2)] == [Rank.THREE, Rank.ACE]
