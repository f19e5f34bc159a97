"""What the command tells the shell, and the one error that carries it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Final

__all__ = ["Exit", "Failure", "exit_of"]


class Exit(IntEnum):
    """Exit codes; `serve` has those of sysexits besides, which its errors carry."""

    OK = 0
    FAILURE = 1
    USAGE = 2
    NOT_FOUND = 3
    """No such room, or it has expired; no such file."""
    REFUSED = 4
    """Full, a wrong token, not allowed."""
    NO_CONNECTION = 5
    INTERRUPTED = 130


class Failure(Exception):
    """Ends a command with one line on standard error."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(code, message)
        self.exit = code
        self.message = message

    def __str__(self) -> str:
        return self.message


# By the codes of `guandan_protocol.messages.Code`, which is not imported: whoever only asks for the
# help need not wait for it.
_EXITS: Final[Mapping[str, Exit]] = {
    "no_such_room": Exit.NOT_FOUND,
    "room_gone": Exit.NOT_FOUND,
    "no_such_record": Exit.NOT_FOUND,
    "full": Exit.REFUSED,
    "seat_taken": Exit.REFUSED,
    "bad_token": Exit.REFUSED,
    "forbidden": Exit.REFUSED,
    "not_seated": Exit.REFUSED,
    "not_now": Exit.REFUSED,
    "too_fast": Exit.REFUSED,
    "busy": Exit.REFUSED,
    "replaced": Exit.REFUSED,
    "left": Exit.REFUSED,
    "bad_option": Exit.USAGE,
}


def exit_of(code: str) -> Exit:
    """The exit code for a refusal that ends the command."""
    return _EXITS.get(code, Exit.FAILURE)
