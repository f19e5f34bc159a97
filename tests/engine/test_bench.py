"""The bench measures the same questions every time, and says what it has measured."""

from __future__ import annotations

import pytest

from bench import figures as module
from bench.engine import forget, plain, play_hands, questions
from bench.figures import Figure, beside, rate, rate_unseen, table
from guandan_engine.combos import Combo
from guandan_engine.machine import step
from tests.engine.test_listing import plain as plain_patterns


@pytest.fixture(autouse=True)
def _short_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ROUND_S", 0.0001)


def test_rates_are_positive() -> None:
    items = list(range(200))
    assert rate(str, items) > 0
    assert rate_unseen(str, items) > 0
    assert min(beside(str, items, repr, items)) > 0


def test_both_sides_answer_the_same_questions() -> None:
    for asked in (questions(1, 20, combo=Combo.PAIR), questions(2, 20, wilds=2)):
        for one in asked:
            assert plain_patterns(one.ours()) == sorted(plain(one).theirs(), key=repr)
    assert questions(1, 5, combo=Combo.PAIR) == questions(1, 5, combo=Combo.PAIR)


def test_forgetting_changes_no_answer() -> None:
    asked = questions(2, 20, wilds=2)
    known = [one.ours() for one in asked]
    forget()
    assert [one.ours() for one in asked] == known


def test_hands_are_played_by_the_rules() -> None:
    turns = play_hands(4, 2)
    assert len(turns) > 100
    for turn in turns:
        step(turn.match, turn.command)


def test_the_table() -> None:
    text = table(
        [
            Figure("lead", 90_000.4, target=45_000, reference=6_000, ratio=15, ratio_target=12),
            Figure("choose", 5.0, note="a note"),
        ]
    )
    _, lead, choose = text.splitlines()
    assert lead.split() == ["lead", "90,000", "45,000", "2.0×", "6,000", "15.0×", "≥", "12×"]
    assert choose.split() == ["choose", "5", "a", "note"]
