"""Two are left: what is claimed to win does, whatever the other one plays."""

from __future__ import annotations

from random import Random

import pytest

from guandan_bots.club.endgame import Endgame
from guandan_bots.club.seeing import offer_of
from guandan_bots.club.table import NOTHING, Play
from guandan_engine.cards import CARDS, HALF, LOW, Cards, Rank
from guandan_engine.combos import Reading
from guandan_engine.moves import legal_plays
from guandan_engine.notation import parse_cards, parse_reading, reading_text
from guandan_engine.options import Rules
from tests.bots.club.hands import table_with

RULES = Rules()
LEVEL = Rank.TWO


def can_win(hand: Cards, other: Cards, top: Reading | None) -> bool:
    """Is whoever acts out first, by every legal play there is?"""
    plays = legal_plays(hand, LEVEL, RULES, top)
    if any(
        rest.bits == 0 or not can_win(other, rest, move.reading)
        for move in plays
        for rest in [hand - plays.cards(move)]
    ):
        return True
    return top is not None and not can_win(other, hand, None)


def claimed(hand: Cards, other: Cards, top: Reading | None, nodes: int = 10_000) -> Play | None:
    table = table_with(hand, top, LEVEL)
    return Endgame(LEVEL, nodes=nodes).winner(table, other.bits & LOW, other.bits >> HALF)


def split(seed: int) -> tuple[Cards, Cards, Reading | None]:
    """Two hands of few cards and few ranks, so that they meet."""
    chance = Random(seed)
    low = chance.sample(CARDS[8:28] * 2, chance.randint(6, 8))
    half = chance.randint(2, len(low) - 2)
    top = chance.choice((None, "single-4", "pair-4", "triple-3"))
    return Cards.of(low[:half]), Cards.of(low[half:]), parse_reading(top) if top else None


@pytest.mark.parametrize("seed", range(60))
def test_it_wins_when_it_says_so_and_says_so_when_it_can(seed: int) -> None:
    hand, other, top = split(seed)
    play = claimed(hand, other, top)
    assert (play is not None) == can_win(hand, other, top)
    if play is None:
        return
    if play.kind == NOTHING:
        assert not can_win(other, hand, None)
        return
    offer = offer_of(play)
    assert offer in legal_plays(hand, LEVEL, RULES, top)
    rest = hand - offer.cards
    assert not rest or not can_win(other, rest, offer.reading)


def test_it_leads_what_the_other_cannot_answer() -> None:
    play = claimed(parse_cards("S3 C3 H7"), parse_cards("S9 C4"), None)
    assert play is not None
    assert reading_text(offer_of(play).reading) == "pair-3"


def test_it_says_nothing_when_it_takes_too_long() -> None:
    hands = parse_cards("S3 C4 H7 D9 DJ"), parse_cards("S9 C4 DT SQ")
    assert claimed(*hands, None, nodes=2) is None
