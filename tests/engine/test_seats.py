"""Four seats, two teams, one direction."""

from __future__ import annotations

import pytest

from guandan_engine.seats import (
    SEATS,
    Seat,
    Team,
    next_seat,
    partner_of,
    prev_seat,
    seats_from,
    team_of,
)
from tests.engine import brute_table


@pytest.mark.parametrize("seat", SEATS)
def test_a_seat_and_its_neighbours(seat: Seat) -> None:
    assert next_seat(seat) == brute_table.seat_after(seat)
    assert prev_seat(seat) == brute_table.seat_before(seat)
    assert partner_of(seat) == brute_table.partner_of(seat)
    assert team_of(seat).value == brute_table.team_of(seat)
    assert prev_seat(next_seat(seat)) == partner_of(partner_of(seat)) == seat
    assert seats_from(seat) == (
        seat,
        next_seat(seat),
        partner_of(seat),
        prev_seat(seat),
    )


@pytest.mark.parametrize("team", Team)
def test_a_team_and_the_other(team: Team) -> None:
    assert [team_of(seat) for seat in team.seats] == [team, team]
    assert "".join(map(str, team.seats)) == team.value
    assert team.other is not team
    assert team.other.other is team
