"""Levels that think, with every fault that one can have. Workers import this module."""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

from guandan_engine.options import Rules
from guandan_engine.seats import Seat
from guandan_engine.views import SeatView
from guandan_server.brains import Considered, Hints, Part, SlowLevel
from guandan_server.items import Choice
from tests.server.driver import any_choice

LEVELS = (
    SlowLevel("club", lighter="basic", searches=False),
    SlowLevel("expert", lighter="club", searches=True),
)


@frozen
class Moody:
    """`expert` is as its mood says; `club` and hints always answer."""

    folder: Path = Path()
    """Where it leaves what tests want to know."""
    mood: str = ""

    def prepare(self) -> None:
        self._note("prepared", "")

    def slow_levels(self) -> Sequence[SlowLevel]:
        return LEVELS

    def searches(self, level: str, view: SeatView) -> bool:
        del view
        return level == "expert"

    def consider(
        self, level: str, view: SeatView, rules: Rules, entropy: bytes, seconds: float
    ) -> Considered:
        self._note("pids", str(os.getpid()))
        self._note("seconds", str(seconds))
        if level == "expert":
            self._sulk()
        choice: Choice = any_choice(view, rules, random.Random(entropy))
        return Considered(choice, searched=level == "expert" and seconds > 0)

    def hints(self, view: SeatView, rules: Rules) -> Hints:
        del view, rules
        if self.mood == "no hints":
            raise ZeroDivisionError
        return (), -1

    def review(self, record: str, seat: Seat, hand: int, begin: int, seconds: float) -> Part:
        del record, seat, hand, begin, seconds
        if self.mood == "no reviews":
            raise ZeroDivisionError
        return Part((), 0)

    def _sulk(self) -> None:
        match self.mood:
            case "raises":
                raise ZeroDivisionError("expert")
            case "exits":
                sys.exit(3)
            case "dies":
                os.kill(os.getpid(), signal.SIGKILL)
            case "hangs":
                while True:
                    pass
            case "waits":
                while not (self.folder / "go").exists():
                    time.sleep(0.005)
            case _:
                pass

    def _note(self, what: str, line: str) -> None:
        if self.folder != Path():
            with (self.folder / what).open("a") as notes:
                notes.write(line + "\n")

    def noted(self, what: str) -> list[str]:
        path = self.folder / what
        return path.read_text().split() if path.exists() else []
