"""What happens in a world, in order, and how it is told to whoever wants to know."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final

from attrs import define

from guandan_protocol import messages as m

__all__ = ["Broken", "Outcome", "Story"]

LINES_KEPT: Final = 40
"""Of the end, for a report."""


class Broken(AssertionError):
    """A promise was broken; the seed is the whole report."""

    def __init__(self, seed: int, complaints: list[str], story: list[str]) -> None:
        super().__init__(seed, complaints)
        self.seed = seed
        self.complaints = complaints
        self.story = story

    def __str__(self) -> str:
        lines = [*self.story, *[f"!! {one}" for one in self.complaints]]
        again = f"python -m tests.sim --seed {self.seed} --verbose"
        return "\n".join([f"seed {self.seed}", *lines, f"again: {again}"])


@define
class Outcome:
    """What a world has been through."""

    seed: int
    entries: int = 0
    frames: int = 0
    """That servers sent, each of them looked at."""
    promises: int = 0
    """Actions that people were told are done."""
    claims: int = 0
    lost: int = 0
    """Entries that the store lost; most of them were put back."""
    rewrites: int = 0
    """Entries that took the place of lost ones under the same epoch: nobody alive knew better."""
    epoch: int = 0
    virtual_s: float = 0.0


class Story:
    """The last things that happened, or all of them to `tell`."""

    def __init__(
        self, now_s: Callable[[], float], *, tell: Callable[[str], None] | None = None
    ) -> None:
        self._now_s = now_s
        self._began_s = now_s()
        self._tell = tell
        self._lines: deque[tuple[float, str, tuple[object, ...]]] = deque(maxlen=LINES_KEPT)

    def note(self, kind: str, *what: object) -> None:
        """Something happened; it is put into words only if somebody wants to read it."""
        line = (self.age_s, kind, what)
        self._lines.append(line)
        if self._tell is not None:
            self._tell(_told(*line))

    @property
    def age_s(self) -> float:
        return self._now_s() - self._began_s

    def lines(self) -> list[str]:
        return [_told(*line) for line in self._lines]


def _told(at_s: float, kind: str, what: tuple[object, ...]) -> str:
    return f"{at_s:9.3f} {kind:8} {' '.join([_brief(one) for one in what])}"


def _brief(message: object) -> str:
    match message:
        case m.Welcome(seat=seat, seq=seq, epoch=epoch):
            return f"welcome to seat {seat} at {epoch}.{seq}"
        case m.Update(seq=seq, epoch=epoch, events=events):
            return f"update {epoch}.{seq} {events or ''}"
        case _:
            return f"{message}"
