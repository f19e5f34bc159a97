"""The table, apart from the match on it: who sits where, and how the room is run."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from attrs import frozen

from guandan_engine.seats import Seat

__all__ = [
    "PACES_MS",
    "Control",
    "Proposal",
    "RoomView",
    "SeatInfo",
    "SeatKind",
    "Settings",
    "Stage",
    "Visibility",
]

PACES_MS: Final = (300, 500, 1000, 2000, 3000, 4000, 5000)
"""How long a bot, or the autopilot, takes over a move."""


class Visibility(StrEnum):
    PRIVATE = "private"
    """Entered by its code."""
    PUBLIC = "public"
    """Listed."""


@frozen
class Settings:
    """How a room is run; the rules are apart from it."""

    visibility: Visibility = Visibility.PRIVATE
    clock_s: int | None = None
    """Seconds for a decision, 5..300; None: no clock. Left out at creation: no clock while one
    person plays, see `docs/protocol.md`."""
    pace_ms: int = 1000
    """What bots take over a move: one of `PACES_MS`."""
    grace_s: int = 60
    """Seconds, 5..600, that a disconnected player's seat waits before a bot plays for it."""
    hints: bool = True
    counter: bool = True
    """May clients show what has been played, added up?"""


class SeatKind(StrEnum):
    EMPTY = "empty"
    PERSON = "person"
    BOT = "bot"


class Control(StrEnum):
    """Who decides for a seat now."""

    SELF = "self"
    AUTOPILOT = "autopilot"
    """Its person asked for it."""
    STAND_IN = "stand_in"
    """Its person is away, or let the clock run out twice in a row."""


@frozen
class SeatInfo:
    """What everybody may know of a seat."""

    kind: SeatKind
    name: str = ""
    """At most 24 characters; not an identity."""
    level: str = ""
    """The bot's level, for a bot."""
    online: bool = False
    ready: bool = False
    """For the next hand, or for the start."""
    control: Control = Control.SELF
    later: bool = False
    """Wants to play on later."""
    pace_ms: int = 0
    """Of this seat's autopilot."""


class Stage(StrEnum):
    """What a room is doing."""

    LOBBY = "lobby"
    """Seats are taken, options set; nothing dealt."""
    PLAYING = "playing"
    """A match is on."""
    PAUSED = "paused"
    """Nobody is left, or all play later: no clock runs, no bot acts."""
    MATCH_OVER = "match_over"


class Proposal(StrEnum):
    """What needs the consent of everybody seated."""

    NEW_GAME = "new_game"
    REMATCH = "rematch"


@frozen
class RoomView:
    """The room around the match, the same for everybody."""

    stage: Stage
    host: Seat | None
    """Who may start, seat bots and change options; None if no person is seated."""
    seats: tuple[SeatInfo, SeatInfo, SeatInfo, SeatInfo]
    watchers: int
    match: int
    """1 for the first match of the room; rises with a rematch or a new game."""
    preset: str
    options: Mapping[str, object]
    """Every option by name, as chosen."""
    settings: Settings
    commitment: bytes
    """SHA-256 of the next hand's seed, until it is dealt; then empty."""
    clock_ms: int | None
    """What is left for the decision asked for; None: no clock runs."""
    proposal: Proposal | None
    consents: tuple[Seat, ...]
    """Who has agreed to the proposal."""
    swaps: tuple[tuple[Seat, Seat], ...]
    """Who asks to change places with whom, in the lobby."""
