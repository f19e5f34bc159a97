"""Which level decides for a seat, at a server that may not have them all."""

from __future__ import annotations

from collections.abc import Collection

from guandan_engine.seats import SEATS, Seat
from guandan_protocol.messages import SeatKind
from guandan_server.brains import QUICK_LEVEL
from guandan_server.roomstate import RoomState
from guandan_server.seating import DEFAULT_LEVEL

__all__ = ["level_for", "staffed"]


def level_for(state: RoomState, seat: Seat, levels: Collection[str]) -> str:
    """A bot's own; for a person, the best that a server of these levels has for that."""
    if state.seat(seat).kind is SeatKind.BOT:
        return state.seat(seat).level
    return DEFAULT_LEVEL if DEFAULT_LEVEL in levels else QUICK_LEVEL


def staffed(state: RoomState, before: RoomState, levels: Collection[str]) -> RoomState:
    """The state with new bots of a level that the server has."""
    if DEFAULT_LEVEL in levels:
        return state
    for seat in SEATS:
        new, old = state.seat(seat), before.seat(seat)
        is_new = new.kind is SeatKind.BOT and old.kind is not SeatKind.BOT
        if is_new and new.level == DEFAULT_LEVEL:
            state = state.change_seat(seat, level=QUICK_LEVEL)
    return state
