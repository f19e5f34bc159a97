"""Letting people in, and showing the room to them."""

from __future__ import annotations

import hashlib

from attrs import evolve

from guandan_engine.seats import SEATS, Seat
from guandan_engine.shuffle import commitment
from guandan_protocol import messages as m
from guandan_protocol.messages import Control, SeatInfo, SeatKind
from guandan_server.roomstate import (
    Frame,
    RoomState,
    SeatState,
    derive,
    frame_of,
    same_frame,
)
from guandan_server.seating import free_seat

__all__ = ["Shown", "joined", "line_of", "newcomer", "room_view"]


def newcomer(
    name: str, token: bytes, entropy: bytes, *, pace_ms: int, join: bytes = b""
) -> SeatState:
    """A person who sits down; only the token's digest is kept."""
    return SeatState(
        kind=SeatKind.PERSON,
        name=plain_name(name),
        digest=hashlib.sha256(token).digest(),
        key=derive(entropy, "seat", 8).hex(),
        join=join,
        pace_ms=pace_ms,
    )


def plain_name(name: str) -> str:
    """A name that every screen and every record can show: one line, single blanks.

    >>> plain_name("Ann  \u200dB"), plain_name("阿\u3000明"), plain_name("\u200d")
    ('Ann B', '阿 明', '?')
    """
    shown = "".join([letter if letter.isprintable() else " " for letter in name])
    return " ".join(shown.split()) or "?"


def joined(room: RoomState, hello: m.Join, token: bytes, entropy: bytes) -> tuple[RoomState, Seat]:
    """The room with a newcomer, and where they sit; Refusal if there is no place.

    A bot's seat may be taken over in the middle of a match: its cards are the newcomer's.
    """
    join = hashlib.sha256(hello.join_id).digest() if hello.join_id else b""
    again = [seat for seat in room.people() if join and room.seat(seat).join == join]
    if again:  # the answer to this very hello was lost: the same seat, and a token that works
        digest = hashlib.sha256(token).digest()
        occupant = room.seat(again[0])
        control = Control.SELF if occupant.control is Control.STAND_IN else occupant.control
        changes = {"digest": digest, "control": control, "timeouts": 0, "later": False}
        return room.change_seat(again[0], **changes), again[0]
    seat = free_seat(room, hello.seat)
    person = newcomer(hello.name, token, entropy, pace_ms=room.settings.pace_ms, join=join)
    room = room.with_seat(seat, person)
    return (room if room.host is not None else evolve(room, host=seat)), seat


def room_view(
    room: RoomState,
    *,
    online: frozenset[Seat],
    watchers: int,
    clock_ms: int | None,
    deal_ms: int | None,
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
        deal_ms=deal_ms,
        proposal=room.proposal,
        consents=room.consents,
        swaps=room.swaps,
    )


class Shown:
    """The view of one room, and that it is the very same object while nothing of it changes.

    Play changes the match only; whoever packs a view knows by its identity that it has it already.
    """

    def __init__(self) -> None:
        self._last: tuple[Frame, tuple[object, ...], m.RoomView] | None = None

    def view(
        self,
        room: RoomState,
        *,
        online: frozenset[Seat],
        watchers: int,
        clock_ms: int | None,
        deal_ms: int | None,
    ) -> m.RoomView:
        frame, present = frame_of(room), (online, watchers, clock_ms, deal_ms)
        if self._last is not None:
            last_frame, last_present, view = self._last
            if last_present == present and same_frame(last_frame, frame):
                return view
        view = room_view(room, online=online, watchers=watchers, clock_ms=clock_ms, deal_ms=deal_ms)
        self._last = (frame, present, view)
        return view


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
