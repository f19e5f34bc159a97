"""What stands, and what groups are worth."""

from __future__ import annotations

import pytest

from guandan_bots.chances import Chances, Hidden
from guandan_bots.style import Style
from guandan_engine.cards import Rank
from guandan_engine.combos import Combo, Reading, reading
from guandan_engine.notation import parse_reading
from guandan_engine.order import height

PACK = [8] * 13 + [2, 2]
STYLE = Style()


def chances(
    ranks: list[int] = PACK, *, opponents: tuple[int, int] = (27, 27), level: Rank = Rank.TWO
) -> Chances:
    return Chances(Hidden(ranks, opponents), level, STYLE)


def without(*ranks: Rank) -> list[int]:
    return [0 if rank in ranks else n for rank, n in enumerate(PACK)]


@pytest.mark.parametrize("combo", [Combo.SINGLE, Combo.PAIR, Combo.TRIPLE, Combo.FULL_HOUSE])
@pytest.mark.parametrize("level", [Rank.TWO, Rank.NINE, Rank.ACE])
def test_higher_stands_better(combo: Combo, level: Rank) -> None:
    known = chances(level=level)
    ordered = sorted(tuple(Rank)[:13], key=lambda rank: height(rank, level))
    held = [known.holds(reading(combo, rank)) for rank in ordered]
    assert held == sorted(held)
    assert len(set(held)) == len(held)
    costs = [known.cost(reading(combo, rank)) for rank in ordered]
    assert costs == sorted(costs, reverse=True)


@pytest.mark.parametrize("combo", [Combo.STRAIGHT, Combo.TUBE, Combo.PLATE])
def test_higher_runs_stand_better(combo: Combo) -> None:
    known = chances()
    held = [known.holds(parse_reading(f"{combo}-{key}")) for key in "56789TJQKA"]
    assert held == sorted(held)
    assert held[-1] == 1


@pytest.mark.parametrize(
    "text",
    ["single-Y", "pair-Y", "triple-2", "full_house-2", "straight-A", "plate-A", "joker_bomb"],
)
def test_what_nothing_can_beat_is_certain(text: str) -> None:
    assert chances().holds(parse_reading(text)) == 1


def test_cards_that_are_gone_beat_nothing() -> None:
    gone = without(Rank.ACE, Rank.TWO, Rank.SMALL_JOKER, Rank.BIG_JOKER)
    king = parse_reading("single-K")
    assert chances(gone).holds(king) == 1 > chances().holds(king)
    assert chances(without(Rank.TEN)).holds(parse_reading("straight-9")) == 1


def test_who_has_too_few_cards_cannot_answer() -> None:
    few = chances(opponents=(1, 2))
    assert few.holds(parse_reading("triple-3")) == 1
    assert few.holds(parse_reading("straight-5")) == 1
    assert few.holds(parse_reading("pair-3")) < 1
    assert few.quiet == 1


def test_who_is_out_answers_nothing() -> None:
    assert chances(opponents=(0, 0)).holds(parse_reading("single-3")) == 1


def test_fewer_opponents_cards_answer_less() -> None:
    nine = parse_reading("pair-9")
    assert chances(opponents=(27, 5)).holds(nine) > chances().holds(nine)


def test_the_partners_cards_beat_nothing() -> None:
    mostly_partner = [n // 2 for n in PACK]
    ace = parse_reading("single-A")
    assert chances(mostly_partner, opponents=(2, 2)).holds(ace) > 0.8


def bombs() -> list[Reading]:
    sizes = ["bomb-4-3", "bomb-4-K", "bomb-5-3", "straight_flush-9", "bomb-6-3", "bomb-8-3"]
    return [parse_reading(text) for text in [*sizes, "joker_bomb"]]


def test_stronger_bombs_are_worth_more() -> None:
    known = chances()
    costs = [known.cost(one) for one in bombs()]
    assert costs == sorted(costs, reverse=True)
    assert max(costs) < 0
    held = [known.holds(one) for one in bombs()]
    assert held == sorted(held)


def test_losers_cost_and_winners_help() -> None:
    known = chances()
    assert known.cost(parse_reading("single-3")) > 0.8
    assert known.cost(parse_reading("single-Y")) == pytest.approx(-STYLE.winner)


def test_a_wild_is_worth_more_than_it_can_take() -> None:
    assert chances().wild < chances().cost(parse_reading("single-2"))


def test_cards_of_a_rank_are_played_in_the_cheapest_way() -> None:
    row = chances().ranks[Rank.NINE]
    assert row[0] == 0
    assert row[8] <= 2 * row[4]
    assert row[7] <= row[4] + row[3]
    assert len(row) == 11
    assert [len(row) for row in chances().ranks[13:]] == [3, 3]


def test_nobody_bombs_when_no_four_are_left() -> None:
    assert chances([3] * 13 + [2, 2]).quiet == 1 > chances().quiet
