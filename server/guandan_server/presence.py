"""Which connection sits where; the newest of a seat wins, the others watch."""

from __future__ import annotations

from guandan_engine.seats import SEATS, Seat
from guandan_server.items import Conn
from guandan_server.roomstate import RoomState

__all__ = ["Presence"]


class Presence:
    """The connections of one room."""

    def __init__(self) -> None:
        self._seats: dict[Seat, Conn] = {}
        self._conns: dict[Conn, Seat | None] = {}

    def __bool__(self) -> bool:
        return bool(self._conns)

    def __contains__(self, conn: object) -> bool:
        return conn in self._conns

    def everyone(self) -> tuple[tuple[Conn, Seat | None], ...]:
        """Each connection and its seat; None for a watcher."""
        return tuple(self._conns.items())

    def seat_of(self, conn: Conn) -> Seat | None:
        return self._conns.get(conn)

    def conn_of(self, seat: Seat) -> Conn | None:
        return self._seats.get(seat)

    def online(self) -> frozenset[Seat]:
        return frozenset(self._seats)

    def watchers(self) -> int:
        return len(self._conns) - len(self._seats)

    def watch(self, conn: Conn) -> None:
        self._conns[conn] = None

    def place(self, conn: Conn, seat: Seat) -> Conn | None:
        """Seat a connection; the one that sat there before comes back and is forgotten."""
        old = self._seats.get(seat)
        if old == conn:
            return None
        if old is not None:
            del self._conns[old]
        self._seats[seat] = conn
        self._conns[conn] = seat
        return old

    def remove(self, conn: Conn) -> bool:
        """Forget a connection that is gone; False if it was replaced or sent away before."""
        if conn not in self._conns:
            return False
        seat = self._conns.pop(conn)
        if seat is not None:
            del self._seats[seat]
        return True

    def dismiss(self, seat: Seat) -> Conn | None:
        """Forget the connection of a seat, if it has one."""
        conn = self._seats.pop(seat, None)
        if conn is not None:
            del self._conns[conn]
        return conn

    def follow(self, before: RoomState, after: RoomState) -> None:
        """Let connections follow their people where seats were changed."""
        if all(before.seat(seat).key == after.seat(seat).key for seat in self._seats):
            return
        homes = {after.seat(seat).key: seat for seat in SEATS if after.seat(seat).is_person}
        seats = {
            homes[before.seat(seat).key]: conn
            for seat, conn in self._seats.items()
            if before.seat(seat).key in homes
        }
        self._seats = seats
        self._conns = {
            **{conn: None for conn, seat in self._conns.items() if seat is None},
            **{conn: seat for seat, conn in seats.items()},
        }
