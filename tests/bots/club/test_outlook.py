"""What stands: by counting what is unseen, and by nothing else; and what groups cost by that."""

from __future__ import annotations

import pytest
from attrs import evolve

from guandan_bots.club.outlook import COPIES, Outlook
from guandan_bots.club.table import BOMB, FLUSH, JOKER_BOMB, PAIR, SINGLE, Play, Table
from guandan_engine.cards import Rank
from guandan_engine.combos import Combo, Reading, reading
from guandan_engine.notation import parse_reading
from guandan_engine.order import height
from tests.bots.club.hands import STYLE, sitting

COMBOS = tuple(Combo)
PACK = [8] * 13 + [2, 2]


def outlook_of(table: Table) -> Outlook:
    return Outlook(table.level, table.unseen, table.after, table.before, STYLE)


class Chances:
    """The outlook on readings instead of figures."""

    def __init__(self, ranks: list[int], opponents: tuple[int, int], level: Rank) -> None:
        unseen = sum([n << 4 * rank for rank, n in enumerate(ranks)])
        self.outlook = Outlook(int(level), unseen, *opponents, STYLE)
        self.quiet = self.outlook.quiet

    def holds(self, one: Reading) -> float:
        return self.outlook.holds(COMBOS.index(one.combo), int(one.key or 0), one.size)

    def cost(self, one: Reading) -> float:
        return self.outlook.cost(Play(COMBOS.index(one.combo), int(one.key or 0), one.size, 0, 0))


def chances(
    ranks: list[int] = PACK, *, opponents: tuple[int, int] = (27, 27), level: Rank = Rank.TWO
) -> Chances:
    return Chances(ranks, opponents, level)


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
    assert chances().outlook.wild < chances().cost(parse_reading("single-2"))


def test_cards_of_a_rank_are_played_in_the_cheapest_way() -> None:
    row = chances().outlook.ranks[Rank.NINE * COPIES :][:COPIES]
    assert row[0] == 0
    assert row[8] <= 2 * row[4]
    assert row[7] <= row[4] + row[3]


def test_nobody_bombs_when_no_four_are_left() -> None:
    assert chances([3] * 13 + [2, 2]).quiet == 1 > chances().quiet


def test_higher_is_better_and_the_highest_stands() -> None:
    outlook = outlook_of(sitting("Y S3 C3 S9"))
    singles = [outlook.holds(SINGLE, rank, 1) for rank in (1, 8, 12, 0, 13, 14)]
    assert singles == sorted(singles)
    assert singles[-2] < 1 == singles[-1] == outlook.holds(JOKER_BOMB, 0, 4)
    assert outlook_of(sitting("Y Y S3")).holds(SINGLE, 14, 1) == 1.0


def test_bombs_are_worth_more_the_higher_their_class() -> None:
    outlook = outlook_of(sitting("S3"))
    four, five, six = (outlook.ranks[7 * 11 + n] for n in (4, 5, 6))
    assert 0 > four > five > outlook.flush > six > outlook.joker_bomb
    assert outlook.holds(BOMB, 7, 4) < outlook.holds(FLUSH, 7, 5)


def test_last_cards_are_a_threat() -> None:
    outlook = outlook_of(sitting("S3 S9 C9"))
    assert outlook.threat(SINGLE, 1, 1, 2, 3) == 0.0
    one = outlook.threat(SINGLE, 1, 1, 1, 3)
    assert outlook.threat(SINGLE, 1, 1, 1, 1) == 2 * one > 0
    assert outlook.threat(SINGLE, 14, 1, 1, 1) == 0.0
    assert outlook.threat(PAIR, 1, 2, 2, 9) > outlook.threat(PAIR, 12, 2, 2, 9)


def test_what_may_be_someones_last_play() -> None:
    outlook = outlook_of(sitting("S3"))
    assert outlook.fits(1, 1) == 1.0
    assert outlook.fits(1, 2) == 0.0
    assert 0 < outlook.fits(2, 2) < 1.0
    assert outlook.fits(7, 7) == 0.0


def test_figures_say_how_often_others_answer() -> None:
    table = sitting("SK S9")
    bold = evolve(STYLE, answer_single=2 * STYLE.answer_single)
    usual = outlook_of(table).holds(SINGLE, 11, 1)
    assert Outlook(0, table.unseen, 27, 27, bold).holds(SINGLE, 11, 1) < usual
