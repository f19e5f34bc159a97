"""Whose fault it was.

EngineError
├── IllegalCommand     the player: a rule forbids it; carries a `Reason`
├── OptionRefused      whoever made the table: an unknown or reserved rule option
├── NotationError      whoever wrote the text
├── SnapshotError      stored data that this version cannot read
└── InvariantBroken    us
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

__all__ = [
    "EngineError",
    "IllegalCommand",
    "InvariantBroken",
    "NotationError",
    "OptionRefused",
    "Reason",
    "SnapshotError",
]


SHOWN_MAX: Final = 60
"""How much of a wrong text an error repeats: it may be anything, and of any length."""


class Reason(StrEnum):
    """Why a command was refused. A refusal changes nothing."""

    NOT_YOUR_TURN = "not_your_turn"
    """Another seat is asked now."""
    LEADER_MUST_PLAY = "leader_must_play"
    """The table is empty: whoever leads may not pass."""
    NOT_A_COMBINATION = "not_a_combination"
    """The cards form no shape."""
    NOT_A_READING = "not_a_reading"
    """The cards form a shape, but not the declared one."""
    DOES_NOT_BEAT = "does_not_beat"
    """The cards, or the declared reading of them, do not beat the table."""
    AMBIGUOUS = "ambiguous"
    """Several readings would beat the table and the table wants one declared."""
    CARDS_NOT_HELD = "cards_not_held"
    """The seat does not hold these cards."""
    NOT_ELIGIBLE = "not_eligible"
    """The card may not be given as tribute, or not be returned."""
    WRONG_PHASE = "wrong_phase"
    """Nothing of this kind is asked for now."""
    HAND_OVER = "hand_over"
    """The hand has ended."""
    STALE = "stale"
    """The command speaks of a turn that has passed."""


class EngineError(Exception):
    """Everything this package raises on purpose."""


class IllegalCommand(EngineError):
    """A rule forbids the command; the state is as it was."""

    def __init__(self, reason: Reason, *, expected: str = "", got: str = "") -> None:
        super().__init__(reason, expected, got)
        self.reason = reason
        self.expected = expected
        self.got = got

    def __str__(self) -> str:
        expected = f"expected {self.expected}" if self.expected else ""
        got = f"got {self.got}" if self.got else ""
        told = ", ".join(filter(None, [expected, got]))
        return f"{self.reason.value}: {told}" if told else self.reason.value


class OptionRefused(EngineError):
    """A rule option or value that does not exist here, or is known and reserved."""

    def __init__(self, option: str, *, got: object = None, why: str) -> None:
        super().__init__(option, got, why)
        self.option = option
        self.got = got
        self.why = why

    def __str__(self) -> str:
        shown = "" if self.got is None else f" = {self.got!r}"
        return f"{self.option}{shown}: {self.why}"


class NotationError(EngineError):
    """Text that is not what it should be."""

    def __init__(self, text: str, *, expected: str, line: int | None = None) -> None:
        super().__init__(text, expected, line)
        self.text = text
        self.expected = expected
        self.line = line
        """Where in a longer text, from 1."""

    def __str__(self) -> str:
        place = "" if self.line is None else f"line {self.line}: "
        got = self.text if len(self.text) <= SHOWN_MAX else self.text[:SHOWN_MAX] + "…"
        return f"{place}expected {self.expected}, got {got!r}"


class SnapshotError(EngineError):
    """Stored data that this version cannot read."""


class InvariantBroken(EngineError):
    """A bug of ours: something that cannot be, is."""
