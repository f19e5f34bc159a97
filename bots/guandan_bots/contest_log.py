"""The log of contests: one JSON line per deal, so that a contest goes on where it ended.

    {"one": "club", "other": "basic", "seed": "1", "playouts": "plain", "deal": 0, "gains": …}

A log may hold several contests. What a level is may have changed since, which nothing here can
know, but for one thing: `expert` has more compiled play-outs than plain ones, so deals that it
played with the others do not count, unless its figures say how many. A line that was cut off,
because the program was killed while it wrote, is taken away before the next one is appended.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from guandan_bots import playout
from guandan_bots.contest import Contest, Deal

__all__ = ["ContestLog", "LogDamaged"]


_SEARCHES: Final = "expert"
_NUMBER: Final = "playouts="


class LogDamaged(ValueError):
    """A line of a log is none."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(line, reason)
        self.line = line
        self.reason = reason

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"


class ContestLog:
    """A file of deals. Opening it reads it: OSError, or LogDamaged."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._deals: dict[Contest, dict[int, Deal]] = {}
        text = path.read_bytes() if path.exists() else b""
        whole, _, torn = text.rpartition(b"\n")
        for number, line in enumerate(whole.splitlines(), start=1):
            contest, deal, kind = _read(number, line)
            if kind == playout.kind() or not _differs_by_kind(contest):
                self._deals.setdefault(contest, {})[deal.number] = deal
        if torn:
            with path.open("r+b") as file:
                file.truncate(len(text) - len(torn))
        path.touch()  # to learn now that it cannot be written

    def deals(self, contest: Contest) -> dict[int, Deal]:
        """What it has of a contest, by number."""
        return dict(self._deals.get(contest, {}))

    def add(self, contest: Contest, deal: Deal) -> None:
        self._deals.setdefault(contest, {})[deal.number] = deal
        plain = {
            "one": contest.one,
            "other": contest.other,
            "seed": contest.seed,
            "playouts": playout.kind(),
            "deal": deal.number,
            "gains": deal.gains,
            "us": deal.us,
            "fallbacks": deal.fallbacks,
        }
        with self._path.open("a", encoding="ascii") as file:
            file.write(json.dumps(plain, separators=(",", ":")) + "\n")


def _differs_by_kind(contest: Contest) -> bool:
    levels = [name.partition(":") for name in (contest.one, contest.other)]
    return any(level == _SEARCHES and _NUMBER not in figures for level, _, figures in levels)


def _read(number: int, line: bytes) -> tuple[Contest, Deal, str]:
    try:
        plain: Any = json.loads(line)
        contest = Contest(*[_text(plain[name]) for name in ("one", "other", "seed")])
        first, second = plain["us"]
        deal = Deal(
            number=int(plain["deal"]),
            gains=_two(plain["gains"]),
            us=(tuple(map(int, first)), tuple(map(int, second))),
            fallbacks=_two(plain["fallbacks"]),
        )
        kind = _text(plain.get("playouts", playout.kind()))
    except (ValueError, TypeError, KeyError) as error:
        raise LogDamaged(number, f"no deal of a contest: {type(error).__name__} {error}") from error
    return contest, deal, kind


def _text(plain: Any) -> str:
    if not isinstance(plain, str):
        raise TypeError("a name is text")
    return plain


def _two(plain: Any) -> tuple[int, int]:
    first, second = plain
    return int(first), int(second)
