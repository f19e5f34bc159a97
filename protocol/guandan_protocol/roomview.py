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
    """Who finds a room."""

    PRIVATE = "private"
    """Whoever knows its code."""
    PUBLIC = "public"
    """It is listed, too."""


@frozen
class Settings:
    """How a room is run; the rules are apart from it."""

    visibility: Visibility = Visibility.PRIVATE
    clock_s: int | None = None
    """Seconds for a decision; None: no clock."""
    pace_ms: int = 1000
    """What bots take over a move, give or take a quarter."""
    grace_s: int = 60
    """Seconds that a disconnected player's seat waits before a bot plays for it."""
    hints: bool = True
    """May players ask for hints?"""
    counter: bool = True
    """May clients show what has been played, added up?"""
    phrases: bool = True
    """May players say phrases to each other?"""


class SeatKind(StrEnum):
    """Who has a seat."""

    EMPTY = "empty"
    PERSON = "person"
    BOT = "bot"


class Control(StrEnum):
    """Who decides for a seat now."""

    SELF = "self"
    """Its person; or the bot whose seat it is."""
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
    """Is its person connected? A bot always is."""
    ready: bool = False
    """For the next hand, or for the start."""
    control: Control = Control.SELF
    later: bool = False
    """Wants to play on later."""
    pace_ms: int = 0
    """Of this seat's autopilot, while it is on."""


class Stage(StrEnum):
    """What a room is doing."""

    LOBBY = "lobby"
    """Seats are taken, options set; nothing dealt."""
    PLAYING = "playing"
    """A match is on."""
    PAUSED = "paused"
    """Nobody is left, or all play later: no clock runs, no bot acts."""
    MATCH_OVER = "match_over"
    """The match has been won; seats and rules can change before the next one."""


class Proposal(StrEnum):
    """What needs the consent of everybody seated."""

    NEW_GAME = "new_game"
    """Give this match up and begin another at 2."""
    REMATCH = "rematch"
    """Another match after a won one."""


@frozen
class RoomView:
    """The room around the match, the same for everybody."""

    stage: Stage
    host: Seat | None
    """Who may start, seat bots and change options; None if no person is seated."""
    seats: tuple[SeatInfo, SeatInfo, SeatInfo, SeatInfo]
    """Seats 1, 2, 3 and 4."""
    watchers: int
    """How many people watch."""
    match: int
    """1 for the first match of the room, 0 before it; rises with a rematch or a new game."""
    preset: str
    """The rules it began with, see `docs/rules.md`."""
    options: Mapping[str, object]
    """Those that differ from the preset, by name."""
    settings: Settings
    commitment: bytes
    """SHA-256 of the next hand's seed, known before the hand; empty if there is none yet."""
    clock_ms: int | None
    """What is left for the decision asked for; None: no clock runs."""
    deal_ms: int | None
    """What is left until the next hand is dealt by itself; None: not before all are ready."""
    proposal: Proposal | None
    """What everybody is asked to agree to."""
    consents: tuple[Seat, ...]
    """Who has agreed to the proposal."""
    swaps: tuple[tuple[Seat, Seat], ...]
    """Who asks to change places with whom, in the lobby."""
