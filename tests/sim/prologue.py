"""Matches that are under way when a world begins: hands that end soon, tribute, a match to win."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Final

from attrs import evolve, field, frozen

from guandan_engine.commands import Command, Pass, Pay, Play, Return
from guandan_engine.events import HandEnded
from guandan_engine.options import PRESETS
from guandan_engine.phases import Paying
from guandan_engine.seats import SEATS, Seat
from guandan_engine.views import PhaseName, asked, seat_view
from guandan_protocol.messages import Settings, Stage
from guandan_server import rounds
from guandan_server.frontdesk import newcomer
from guandan_server.items import Change
from guandan_server.journal import entry_bytes
from guandan_server.roomstate import RoomState, derive, new_room
from tests.sim.moves import any_choice

__all__ = ["NAMES", "PROLOGUES", "Prologue", "prologue"]

PROLOGUES: Final = 8
NAMES: Final = ("Ann", "Bob", "Cid", "Dee")
WEAK: Final = 0.85
"""How often the second team passes when it may: then a match takes some six hands."""


@frozen
class Prologue:
    """A match from its start to its end."""

    tokens: tuple[bytes, ...] = field(repr=False)
    states: tuple[RoomState, ...] = field(repr=False)
    """After each entry of the log."""
    entries: tuple[bytes, ...] = field(repr=False)
    ends: tuple[int, ...]
    """The entries that ended a hand."""


@lru_cache
def prologue(number: int) -> Prologue:
    """One of `PROLOGUES` matches, by one rules or others, played by four people who were there."""
    random = Random(f"prologue {number}")
    preset = sorted(PRESETS)[number % len(PRESETS)]
    settings = Settings(
        clock_s=(None, 5, 10)[number % 3], pace_ms=300, grace_s=(5, 10, 20, 15)[number % 4]
    )
    tokens = []
    room = new_room(preset=preset, options={}, settings=settings, pledge=random.randbytes(32))
    for seat, name in zip(SEATS, NAMES, strict=True):
        entropy = random.randbytes(32)
        tokens.append(derive(entropy, "token"))
        room = room.with_seat(seat, newcomer(name, tokens[-1], entropy, pace_ms=300))
    room = evolve(room, host=SEATS[0])
    start = rounds.start(Change(state=room, what="start", seat=SEATS[0]), seq=1)
    changes = [rounds.pledged(start, random.randbytes(32))]
    entries = [entry_bytes(changes[0], before=room)]
    while changes[-1].state.stage is Stage.PLAYING:
        before = changes[-1].state
        change = rounds.pledged(_next(before, random), random.randbytes(32))
        changes.append(change)
        entries.append(entry_bytes(change, before=before))
    return Prologue(
        tokens=tuple(tokens),
        states=tuple([change.state for change in changes]),
        entries=tuple(entries),
        ends=tuple([i for i, change in enumerate(changes) if _has_ended(change)]),
    )


def _has_ended(change: Change) -> bool:
    return any(isinstance(event, HandEnded) for event in change.events)


def _next(room: RoomState, random: Random) -> Change:
    seats = asked(room.match)
    if not seats:
        for seat in room.people():
            room = room.change_seat(seat, ready=True)
        return rounds.deal(Change(state=room, what="ready", seat=None))
    seat = seats[0]
    change = Change(state=room, what="play", seat=seat)
    change = rounds.moved(change, _command(room, seat, random))
    return rounds.close_hand(change, before=room)


def _command(room: RoomState, seat: Seat, random: Random) -> Command:
    match = room.match
    view = seat_view(match, seat)
    follows = view.public.phase is PhaseName.FOLLOWING
    if follows and seat in (2, 4) and random.random() < WEAK:
        return Pass(seat)
    choice = any_choice(view, match.rules, random)
    if choice is None:
        return Pass(seat)
    if not isinstance(choice, int):
        return Play(seat, choice.cards, choice.reading)
    return Pay(seat, choice) if isinstance(match.phase, Paying) else Return(seat, choice)
