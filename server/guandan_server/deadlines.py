"""The deadlines of a room: which there should be, and how long each is.

Declared anew after every item, never armed or cancelled. A deadline is named by the turn, hand or
seat that it belongs to, so that one of an old turn cannot act in a new one.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from attrs import frozen

from guandan_engine.phases import HandOver, Paying, Returning
from guandan_engine.seats import Seat
from guandan_engine.views import asked
from guandan_protocol.messages import Control, SeatKind, Stage
from guandan_server.presence import Presence
from guandan_server.roomstate import RoomState, derive
from guandan_server.seating import DEFAULT_LEVEL

__all__ = [
    "LATENCY_MS",
    "BotMoves",
    "ClockRunsOut",
    "GraceEnds",
    "HandIsDue",
    "Timer",
    "Unloads",
    "clocks",
    "level_of_seat",
    "wanted",
]

LATENCY_MS: Final = 500
"""A play sent before its deadline may arrive that much after it."""
NEXT_HAND_MS: Final = 30_000
"""How long people who play with others may look at a result."""
NEXT_HAND_BOTS_MS: Final = 3_000
"""How long a result stays when no person is asked to go on."""
UNLOAD_MS: Final = 60_000
"""How long an empty room stays in memory: coming back to it is quicker."""


@frozen
class ClockRunsOut:
    seat: Seat
    turn: int
    """`Match.turn`; in tribute the hand's number, negative: two seats are asked at once there, and
    the answer of one must not restart the other's clock."""


@frozen
class BotMoves:
    seat: Seat
    turn: int


@frozen
class GraceEnds:
    """A person has been away for long enough."""

    seat: Seat


@frozen
class HandIsDue:
    """The result of a hand has been looked at for long enough.

    There are two of these, each from when it began: by people who are asked to go on, and by
    bots alone. Whoever takes a seat back from a bot ends the short one, and the long one goes on.
    """

    hand: int
    is_looked_at: bool
    """By people, who are asked to go on or could be again."""


@frozen
class Unloads:
    """Nobody is here."""


Timer = ClockRunsOut | BotMoves | GraceEnds | HandIsDue | Unloads


def level_of_seat(room: RoomState, seat: Seat) -> str | None:
    """The policy that decides for a seat; None: its person does."""
    occupant = room.seat(seat)
    if occupant.kind is SeatKind.BOT:
        return occupant.level
    return None if occupant.self_played else DEFAULT_LEVEL


def clocks(room: RoomState) -> tuple[ClockRunsOut, ...]:
    """The clocks of whoever is asked now, whether they run or not."""
    match = room.match
    # Turns count up, so a hand's number below zero is nobody's turn.
    turn = -match.deal.number if isinstance(match.phase, Paying | Returning) else match.turn
    return tuple([ClockRunsOut(seat, turn) for seat in asked(match)])


def wanted(
    room: RoomState,
    present: Presence,
    thinking: Collection[tuple[Seat, int]],
    entropy: bytes,
) -> dict[Timer, int]:
    """Each deadline that there should be, with its length in ms from when it began."""
    if room.stage is not Stage.PLAYING:
        if not present:
            return {Unloads(): UNLOAD_MS}
        # Who has been away for long enough need not be asked for a rematch, and is no host.
        return _absences(room, present)
    if not present.online():  # nobody to play for: no clock, no bot, until one is back
        # Where a bot stands in for all of them, nobody else would see that the table is empty.
        grace_ms = room.settings.grace_s * 1000
        return _absences(room, present) or {GraceEnds(s): grace_ms for s in room.people()[:1]}
    return {
        **_turns(room, thinking, entropy),
        **_absences(room, present),
        **_next_hand(room),
    }


def _turns(
    room: RoomState, thinking: Collection[tuple[Seat, int]], entropy: bytes
) -> dict[Timer, int]:
    timers: dict[Timer, int] = {}
    turn, clock_s = room.match.turn, room.clock_s()
    for clock in clocks(room):
        if level_of_seat(room, clock.seat) is not None:
            if (clock.seat, turn) not in thinking:
                timers[BotMoves(clock.seat, turn)] = _pace(room, clock.seat, entropy)
        elif clock_s is not None:
            timers[clock] = clock_s * 1000 + LATENCY_MS
    return timers


def _pace(room: RoomState, seat: Seat, entropy: bytes) -> int:
    """What a bot takes over a move: drawn without a look at its cards, 75 to 125 % of its pace."""
    occupant = room.seat(seat)
    own = occupant.control is Control.AUTOPILOT
    pace_ms = occupant.pace_ms if own else room.settings.pace_ms
    return pace_ms * (75 + derive(entropy, f"pace {seat}", 1)[0] * 50 // 255) // 100


def _absences(room: RoomState, present: Presence) -> dict[Timer, int]:
    online = present.online()
    return {
        GraceEnds(seat): room.settings.grace_s * 1000
        for seat in room.people()
        if seat not in online and room.seat(seat).control is not Control.STAND_IN
    }


def _next_hand(room: RoomState) -> dict[Timer, int]:
    if not isinstance(room.match.phase, HandOver):
        return {}
    waiting = [seat for seat in room.people() if not room.seat(seat).ready]
    hand = room.match.deal.number
    timers: dict[Timer, int] = {}
    if len(room.people()) > 1:
        timers[HandIsDue(hand, is_looked_at=True)] = NEXT_HAND_MS
    if all(level_of_seat(room, seat) is not None for seat in waiting):
        timers[HandIsDue(hand, is_looked_at=False)] = NEXT_HAND_BOTS_MS
    return timers
