"""What a server says no with, and what it closes with."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import Final

__all__ = [
    "CLOSE_BAD_MESSAGE",
    "CLOSE_BAD_TOKEN",
    "CLOSE_BAD_VERSION",
    "CLOSE_GOING_AWAY",
    "CLOSE_LEFT",
    "CLOSE_MOVED",
    "CLOSE_REFUSED",
    "CLOSE_REPLACED",
    "CLOSE_ROOM_GONE",
    "CLOSE_SLOW",
    "Close",
    "Code",
]


class Code(StrEnum):
    """Why something was refused, beside the engine's reasons (`guandan_engine.Reason`).

    Each member's text under it is for people; clients show their own words by code.
    """

    BAD_MESSAGE = "bad_message"
    """The frame is not a message of this protocol."""
    BAD_VERSION = "bad_version"
    """The server does not speak that version."""
    BAD_OPTION = "bad_option"
    """A rule option or a setting of the table that does not exist."""
    NO_SUCH_ROOM = "no_such_room"
    """There is no room of that code, or it may not be entered."""
    ROOM_GONE = "room_gone"
    """The room has expired or was closed."""
    FULL = "full"
    """No seat is free; watching is possible."""
    SEAT_TAKEN = "seat_taken"
    """A person sits there."""
    BAD_TOKEN = "bad_token"  # noqa: S105 the code of a refusal
    """The token opens no seat of the room."""
    FORBIDDEN = "forbidden"
    """Only the host, or only a seated player, may do that."""
    NOT_NOW = "not_now"
    """The table is not at a point where that can be done."""
    NOT_SEATED = "not_seated"
    """Watchers do not act."""
    STALE_ACTION = "stale_action"
    """The action counter is older than the last one acknowledged."""
    ACTION_CONFLICT = "action_conflict"
    """Another action was sent under the same counter."""
    NO_SUCH_RECORD = "no_such_record"
    """No finished match of that number, or no such page of it."""
    HINTS_OFF = "hints_off"
    """The table forbids hints."""
    TOO_FAST = "too_fast"
    """A limit on messages was passed; retry later."""
    BUSY = "busy"
    """The server takes no more rooms or watchers now; retry later."""
    STORAGE_UNAVAILABLE = "storage_unavailable"
    """The store does not answer. An action may be stored after all: send it again, as it was."""
    INTERNAL = "internal"
    """A fault of the server; the room goes on."""
    GOING_AWAY = "going_away"
    """The server stops or restarts; come back. In `Goodbye` only, as are the next three."""
    REPLACED = "replaced"
    """A newer connection holds the seat."""
    LEFT = "left"
    """The seat was left, or taken away by the host."""
    SLOW = "slow"
    """No hello in time, or what was sent was not read."""


class Close(IntEnum):
    """WebSocket close codes."""

    GOING_AWAY = 1012
    """The server restarts: come back after `Goodbye.retry_after_ms`."""
    MOVED = 4307
    """The room lives elsewhere, see `Moved`."""
    BAD_MESSAGE = 4400
    """Too many frames that were no messages, a text frame, or a message at the wrong point."""
    BAD_TOKEN = 4401
    """The token opens no seat of the room: do not come back with it."""
    REFUSED = 4403
    """The hello was refused; `Goodbye` says why, and when to come back if that helps."""
    ROOM_GONE = 4404
    """There is no such room, or none any more: do not come back."""
    SLOW = 4408
    """No hello in time, or a reader too slow: come back."""
    REPLACED = 4409
    """A newer connection holds the seat: do not reconnect by yourself."""
    BAD_VERSION = 4410
    """The server does not speak that version: do not come back with it."""
    LEFT = 4411
    """The seat was left or taken away: do not come back."""


CLOSE_GOING_AWAY: Final = Close.GOING_AWAY
CLOSE_MOVED: Final = Close.MOVED
CLOSE_BAD_MESSAGE: Final = Close.BAD_MESSAGE
CLOSE_BAD_TOKEN: Final = Close.BAD_TOKEN
CLOSE_REFUSED: Final = Close.REFUSED
CLOSE_ROOM_GONE: Final = Close.ROOM_GONE
CLOSE_SLOW: Final = Close.SLOW
CLOSE_REPLACED: Final = Close.REPLACED
CLOSE_BAD_VERSION: Final = Close.BAD_VERSION
CLOSE_LEFT: Final = Close.LEFT
