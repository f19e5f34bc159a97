"""Two players are left: whoever's cards are unseen, all of them are known, so count it out.

That is no look ahead into what may be, only the end of what is: who of two is out first. Plays are
those of `Lister`, so a win that is found is one, while one that takes an odd play may be missed.
"""

from __future__ import annotations

from guandan_bots.club.listing import Lister
from guandan_bots.club.table import NOTHING, Play, Table, Word

__all__ = ["Endgame"]


class OutOfNodes(Exception):
    """It takes too long to count."""


class Endgame:
    """Two known hands at a level."""

    __slots__ = ("_known", "_level", "_nodes")

    def __init__(self, level: Word, *, nodes: Word) -> None:
        self._level = level
        self._nodes = nodes
        self._known: dict[tuple[int, int, int, int, int], bool] = {}

    def winner(self, table: Table, other_low: Word, other_high: Word) -> Play | None:
        """A play, or a pass, after which the seat is out first; None if none is found."""
        try:
            for play in self._plays(table):
                if self._wins_by(play, table, other_low, other_high):
                    return play
        except OutOfNodes:
            pass
        return None

    def _plays(self, table: Table) -> list[Play]:
        """Large plays first: they bring the end about."""
        lister = Lister(table)
        last = lister.last_plays()
        if last:
            for play in last[:1]:
                play.low, play.high = table.low, table.high
            return last[:1]
        found = [play for play in lister.everything() if lister.dress(play)]
        found.sort(key=lambda play: (play.tier, -play.size))
        if table.kind != NOTHING:
            found.append(Play(NOTHING, 0, 0, 0, 0))
        return found

    def _wins_by(self, play: Play, table: Table, other_low: Word, other_high: Word) -> bool:
        """Is whoever acts at `table` out first, if that is its play?"""
        low: Word = table.low & ~play.low
        high: Word = table.high & ~play.high
        low, high = low | high, low & high
        if not low:
            return True
        key = (low, high, other_low, other_high, play.kind << 16 | play.key << 8 | play.size)
        known = self._known.get(key)
        if known is None:
            if self._nodes <= 0:
                raise OutOfNodes
            self._nodes -= 1
            then = Table()
            then.level = self._level
            then.low, then.high = other_low, other_high
            then.kind, then.key, then.size, then.tier = play.kind, play.key, play.size, play.tier
            known = self._known[key] = not any(
                self._wins_by(answer, then, low, high) for answer in self._plays(then)
            )
        return known
