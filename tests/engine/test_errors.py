"""Errors make their text from their fields."""

from __future__ import annotations

import pytest

from guandan_engine.errors import (
    EngineError,
    IllegalCommand,
    InvariantBroken,
    NotationError,
    OptionRefused,
    Reason,
    SnapshotError,
)


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (IllegalCommand(Reason.STALE), "stale"),
        (IllegalCommand(Reason.STALE, expected="turn 4"), "stale: expected turn 4"),
        (IllegalCommand(Reason.STALE, got="turn 3"), "stale: got turn 3"),
        (
            IllegalCommand(Reason.STALE, expected="turn 4", got="turn 3"),
            "stale: expected turn 4, got turn 3",
        ),
        (OptionRefused("tribute", got=0, why="no such value"), "tribute = 0: no such value"),
        (OptionRefused("colour", why="no such option"), "colour: no such option"),
        (NotationError("S1", expected="a card"), "expected a card, got 'S1'"),
        (NotationError("S1", expected="a card", line=3), "line 3: expected a card, got 'S1'"),
        (SnapshotError("turn: expected a count"), "turn: expected a count"),
        (InvariantBroken("107 cards"), "107 cards"),
    ],
)
def test_texts(error: EngineError, text: str) -> None:
    assert isinstance(error, EngineError)
    assert str(error) == text


def test_a_long_text_is_cut() -> None:
    error = NotationError("S" * 5000, expected="a card")
    assert len(str(error)) < 100
    assert error.text == "S" * 5000


def test_reasons_are_their_own_codes() -> None:
    assert [reason.value for reason in Reason] == [reason.name.lower() for reason in Reason]
