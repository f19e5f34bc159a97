"""Seats 1..4 in turn order, and the two teams (rules 2, rows 2 and 3)."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NewType

__all__ = ["SEATS", "Seat", "Team", "next_seat", "partner_of", "prev_seat", "seats_from", "team_of"]

Seat = NewType("Seat", int)
"""1, 2, 3 or 4; the turn goes 1 → 2 → 3 → 4 → 1."""

SEATS: Final = (Seat(1), Seat(2), Seat(3), Seat(4))

_NEXT: Final = (Seat(0), Seat(2), Seat(3), Seat(4), Seat(1))
_PREV: Final = (Seat(0), Seat(4), Seat(1), Seat(2), Seat(3))
_PARTNER: Final = (Seat(0), Seat(3), Seat(4), Seat(1), Seat(2))


class Team(StrEnum):
    """The two fixed teams, named by their seats."""

    ODD = "13"
    EVEN = "24"

    @property
    def seats(self) -> tuple[Seat, Seat]:
        return (Seat(1), Seat(3)) if self is Team.ODD else (Seat(2), Seat(4))

    @property
    def other(self) -> Team:
        return Team.EVEN if self is Team.ODD else Team.ODD


def next_seat(seat: Seat) -> Seat:
    return _NEXT[seat]


def prev_seat(seat: Seat) -> Seat:
    return _PREV[seat]


def partner_of(seat: Seat) -> Seat:
    return _PARTNER[seat]


def team_of(seat: Seat) -> Team:
    return Team.ODD if seat & 1 else Team.EVEN


def seats_from(seat: Seat) -> tuple[Seat, Seat, Seat, Seat]:
    """All four seats in turn order, beginning with `seat`."""
    second = _NEXT[seat]
    third = _NEXT[second]
    return seat, second, third, _NEXT[third]
