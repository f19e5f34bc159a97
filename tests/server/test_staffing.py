"""Levels of bots at a server that does not have them all."""

from __future__ import annotations

from guandan_engine.seats import SEATS, Seat
from guandan_protocol import messages as m
from guandan_protocol.messages import SeatKind
from guandan_server.seating import bot
from guandan_server.staffing import level_for, staffed
from tests.server.driver import Driver

ALL = ("random", "basic", "club", "expert")
FEW = ("random", "basic")


def test_a_server_without_thinkers_fills_seats_with_what_it_has() -> None:
    table = Driver.create()
    table.act(table.host, m.Start(1))
    bots = [table.state.seat(seat) for seat in SEATS[1:]]
    assert {(one.kind, one.level) for one in bots} == {(SeatKind.BOT, "basic")}


def test_only_bots_that_are_new_are_changed() -> None:
    """A room may come from a node that has more levels, and go back to it."""
    before = Driver.create().state.with_seat(Seat(2), bot(Seat(2), "club"))
    state = before.with_seat(Seat(3), bot(Seat(3), "club"))
    found = staffed(state, before, FEW)
    assert [found.seat(seat).level for seat in SEATS[1:3]] == ["club", "basic"]
    assert staffed(state, before, ALL) is state


def test_people_are_stood_in_for_by_the_best_there_is() -> None:
    state = Driver.create().state.with_seat(Seat(2), bot(Seat(2), "expert"))
    assert [level_for(state, Seat(1), levels) for levels in (FEW, ALL)] == ["basic", "club"]
    assert [level_for(state, Seat(2), levels) for levels in (FEW, ALL)] == ["expert", "expert"]
