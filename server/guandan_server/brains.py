"""What the server asks of whoever decides for bots: policies stay outside, and are wired in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from guandan_engine.options import Rules
from guandan_engine.views import SeatView
from guandan_protocol.messages import Hint
from guandan_server.items import Choice

__all__ = ["Brains"]


class Brains(Protocol):
    """Policies by level, and hints. They see what a seat sees and nothing else."""

    def levels(self) -> Sequence[str]:
        """The names of the levels that a bot can have, weakest first."""

    def choose(self, level: str, view: SeatView, rules: Rules, entropy: bytes) -> Choice:
        """What a bot of that level does; deterministic in its arguments."""

    def hints(self, view: SeatView, rules: Rules) -> tuple[tuple[Hint, ...], int]:
        """Suggestions, cheapest first, and the index of the recommended one (-1: none)."""
