"""What is said of one guest: the same thing a few times, and in the end how often it was."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from attrs import frozen

__all__ = ["Kind", "Remarks"]


@frozen
class Kind:
    """Something that a guest may do again and again."""

    total: str
    """All of them in the end, with a place for `{n}`."""
    said_max: int
    """How often it is said as it happens."""


class Remarks:
    """Those about one guest."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._counts: Counter[Kind] = Counter()

    def add(self, kind: Kind, text: str) -> None:
        """It has happened again."""
        self._counts[kind] += 1
        if self._counts[kind] <= kind.said_max:
            self._say(text)

    def close(self) -> None:
        """Nothing more will happen: of what was not said each time, how often it was."""
        for kind, n in self._counts.items():
            if n > kind.said_max:
                self._say(kind.total.format(n=n))
        self._counts.clear()
