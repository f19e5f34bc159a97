"""Scenes for a screen: a table of the engine's tests in a room with people and bots.

    scene(Table.deal("1: S5 H5 …", level="7"), seat=1)

Seat 1 is Ann, the host; 2 and 4 are bots; 3 is Li.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import evolve

from guandan_cli.scene import Scene
from guandan_cli.texts import texts
from guandan_cli.words import Words
from guandan_engine.options import options_of
from guandan_engine.seats import Seat
from guandan_engine.state import Match
from guandan_engine.views import HandSummary, private_view, public_view
from guandan_protocol.messages import RoomView, SeatInfo, SeatKind, Settings, Stage
from tests.engine.table import Table

EN = Words(texts("en"))
ZH = Words(texts("zh"))

ANN = SeatInfo(kind=SeatKind.PERSON, name="Ann", online=True)
LI = SeatInfo(kind=SeatKind.PERSON, name="李明", online=True)
FREE = SeatInfo(kind=SeatKind.EMPTY)


def bot(name: str, level: str = "basic") -> SeatInfo:
    return SeatInfo(kind=SeatKind.BOT, name=name, level=level, ready=True)


SEATS_TAKEN = (ANN, bot("Orchid"), LI, bot("Plum"))


def room(match: Match, /, **changes: Any) -> RoomView:
    """A room where that match is on."""
    view = RoomView(
        stage=Stage.PLAYING,
        host=Seat(1),
        seats=SEATS_TAKEN,
        watchers=0,
        match=1,
        preset="site",
        options=options_of(match.rules),
        settings=Settings(),
        commitment=b"",
        clock_ms=None,
        deal_ms=None,
        proposal=None,
        consents=(),
        swaps=(),
    )
    return evolve(view, **changes)


def scene(
    table: Table | Match,
    seat: int | None = 1,
    *,
    record: Sequence[HandSummary] = (),
    **changes: Any,
) -> Scene:
    """What a seat sees, or a watcher; `changes` are the room's."""
    match = table.match if isinstance(table, Table) else table
    own = None if seat is None else Seat(seat)
    return Scene(
        room="K7QM2X",
        seat=own,
        view=room(match, **changes),
        public=public_view(match),
        private=None if own is None else private_view(match, own),
        record=tuple(record),
    )
