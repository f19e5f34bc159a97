"""What the judge sees and says."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from guandan_bots.club.policy import STYLE
from guandan_bots.club.seeing import table_of
from guandan_bots.club.table import NOTHING, Table
from guandan_bots.club.weighing import Weighed, weigh
from guandan_bots.judge import Judge, common_inputs, option_inputs
from guandan_bots.judge.inputs import COMMON_FOLLOWING, COMMON_LEADING
from guandan_engine.options import Rules
from guandan_engine.views import PhaseName, SeatView
from tests.bots.games import decisions
from tests.bots.table import seat


def weighed(view: SeatView) -> tuple[Table, Weighed]:
    table = table_of(view, STYLE)
    return table, weigh(table, STYLE)


def situations(seed: str) -> Iterator[tuple[Table, Weighed]]:
    for view in decisions(Rules(), seed, hands=2):
        if view.public.phase in (PhaseName.LEADING, PhaseName.FOLLOWING):
            table, found = weighed(view)
            if found.outlook is not None:
                yield table, found


def test_the_networks_take_what_there_is_to_see() -> None:
    judge = Judge.learned()
    for table, found in situations("widths"):
        assert found.plan is not None
        assert found.outlook is not None
        leading = table.kind == NOTHING
        common = common_inputs(table, found.plan, found.outlook)
        assert len(common) == (COMMON_LEADING if leading else COMMON_FOLLOWING)
        network = judge.lead if leading else judge.follow
        for play in found.options:
            if play.traits:
                own = option_inputs(play, table, found)
                assert len(common) + len(own) == network.inputs


def test_every_option_has_a_value_of_its_own_size() -> None:
    for table, found in situations("values"):
        plays = [play for play in found.options if play.traits]
        values = Judge.learned().values(table, found, plays)
        assert len(values) == len(plays)
        assert all(abs(value) < 12 for value in values)


def test_a_value_does_not_depend_on_what_else_is_asked() -> None:
    table, found = weighed(seat("S3 D3 H9 C9 SK DK CA S6 D7"))
    together = Judge.learned().values(table, found, found.options)
    alone = [Judge.learned().values(table, found, [play])[0] for play in found.options]
    assert together == alone


def test_where_nothing_was_weighed_it_says_nothing() -> None:
    table, found = weighed(seat("S3", over="pair-K"))
    with pytest.raises(ValueError, match="nothing was weighed"):
        Judge.learned().values(table, found, found.options)


def test_it_does_not_lead_singles_to_an_opponent_with_one_card() -> None:
    table, found = weighed(seat("S4 D4 H6 C6 S9 CT", left={2: 1, 3: 12, 4: 9}))
    values = Judge.learned().values(table, found, found.options)
    best = found.options[values.index(max(values))]
    assert best.size > 1


def test_it_leaves_the_trick_to_its_partner() -> None:
    table, found = weighed(
        seat("S4 D5 H6 C8 S9 CT SQ DK HA Y", over="single-K", by=3, left={2: 15, 3: 4, 4: 15})
    )
    values = Judge.learned().values(table, found, found.options)
    assert len(values) > 2
    assert found.options[values.index(max(values))].kind == NOTHING
