"""The files between collecting and learning: rows of 32-bit floats.

ends         what a lead was worth in the end, and what the four hands came to (`whole_deal`)
lead, follow one row for each choice that was tried at a decision:
             number of the decision, place in `club`'s order, what it led to if the hand ended,
             whether it did, whose lead it is (1 ours, -1 theirs), the judge's inputs, the deal
"""

from __future__ import annotations

from typing import Final

from guandan_bots.club.grouping import Grouper
from guandan_bots.club.outlook import outlook_of
from guandan_bots.club.policy import STYLE
from guandan_bots.club.seeing import table_of
from guandan_bots.club.table import HEARTS, counts, height
from guandan_bots.judge.inputs import PLANNED, planned
from guandan_engine.seats import SEATS, next_seat
from guandan_engine.state import Match
from guandan_engine.views import asked, seat_view

__all__ = ["DEAL", "HEAD", "whole_deal"]

_HEIGHTS: Final = 16
_SEAT: Final = PLANNED + _HEIGHTS + 5
DEAL: Final = len(SEATS) * _SEAT + 2
"""Numbers of a deal."""
HEAD: Final = 5
"""Numbers of a choice before the judge's inputs."""


def whole_deal(match: Match) -> list[float]:
    """What the four hands come to, from the seat that is to lead on; nobody at a table sees it."""
    found: list[float] = []
    seat = asked(match)[0]
    for _ in SEATS:
        view = seat_view(match, seat)
        out = view.public.out
        if seat in out:
            found += [*[0.0] * (_SEAT - 2), 1.0, float(out.index(seat))]
        else:
            table = table_of(view, STYLE)
            outlook = outlook_of(table, STYLE)
            found += planned(Grouper(outlook, STYLE).plan(table.low, table.high), outlook)
            row = [0.0] * _HEIGHTS
            packed = counts(table.low) + counts(table.high)
            for rank in range(15):
                row[height(rank, table.level)] = float(packed >> 4 * rank & 15)
            heart = HEARTS[table.level]
            wilds = (table.low & heart > 0) + (table.high & heart > 0)
            cards = len(view.private.hand)
            found += [*row, float(wilds), cards / 10, 1 / cards, 0.0, 0.0]
        seat = next_seat(seat)
    return [*found, float(len(view.public.out)), view.public.level / 12]
