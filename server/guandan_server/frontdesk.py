"""Letting people in, and showing the room to them."""

from __future__ import annotations

import hashlib

from attrs import evolve

from guandan_engine.seats import SEATS, Seat
from guandan_engine.shuffle import commitment
from guandan_protocol import messages as m
from guandan_protocol.messages import Control, SeatInfo, SeatKind
from guandan_server.roomstate import RoomState, SeatState, derive
from guandan_server.seating import free_seat

__all__ = ["joined", "line_of", "newcomer", "room_view"]


def newcomer(
    name: str, token: bytes, entropy: bytes, *, pace_ms: int, join: bytes = b""
) -> SeatState:
    """A person who sits down; only the token's digest is kept."""
    return SeatState(
        kind=SeatKind.PERSON,
        name=name,
        digest=hashlib.sha256(token).digest(),
        key=derive(entropy, "seat", 8).hex(),
        join=join,
        pace_ms=pace_ms,
    )


def joined(room: RoomState, hello: m.Join, token: bytes, entropy: bytes) -> tuple[RoomState, Seat]:
    """The room with a newcomer, and where they sit; Refusal if there is no place.

    A bot's seat may be taken over in the middle of a match: its cards are the newcomer's.
    """
    join = hashlib.sha256(hello.join_id).digest() if hello.join_id else b""
    again = [seat for seat in room.people() if join and room.seat(seat).join == join]
    if again:  # the answer to this very hello was lost: the same seat, and a token that works
        digest = hashlib.sha256(token).digest()
        return room.change_seat(again[0], digest=digest), again[0]
    seat = free_seat(room, hello.seat)
    person = newcomer(hello.name, token, entropy, pace_ms=room.settings.pace_ms, join=join)
    room = room.with_seat(seat, person)
    return (room if room.host is not None else evolve(room, host=seat)), seat


def room_view(
    room: RoomState, *, online: frozenset[Seat], watchers: int, clock_ms: int | None
) -> m.RoomView:
    one, two, three, four = (_seat_info(room.seat(s), online=s in online) for s in SEATS)
    return m.RoomView(
        stage=room.stage,
        host=room.host,
        seats=(one, two, three, four),
        watchers=watchers,
        match=room.match_no,
        preset=room.preset,
        options=room.options,
        settings=evolve(room.settings, clock_s=room.clock_s()),
        commitment=commitment(room.pledge) if room.pledge else b"",
        clock_ms=clock_ms,
        proposal=room.proposal,
        consents=room.consents,
        swaps=room.swaps,
    )


def _seat_info(seat: SeatState, *, online: bool) -> SeatInfo:
    person = seat.is_person
    return SeatInfo(
        kind=seat.kind,
        name=seat.name,
        level=seat.level,
        online=online if person else seat.kind is SeatKind.BOT,
        ready=seat.ready,
        control=seat.control if person else Control.SELF,
        later=seat.later,
        pace_ms=seat.pace_ms if seat.control is Control.AUTOPILOT else 0,
    )


def line_of(code: str, room: RoomState, *, watchers: int) -> m.RoomLine:
    """The room in the list of public ones."""
    people = room.people()
    return m.RoomLine(
        room=code,
        stage=room.stage,
        preset=room.preset,
        people=len(people),
        bots=sum(1 for seat in room.seats if seat.kind is SeatKind.BOT),
        watchers=watchers,
        names=tuple([room.seat(seat).name for seat in people]),
    )
