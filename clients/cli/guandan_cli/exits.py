"""What the command tells the shell, and the one error that carries it."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from guandan_protocol.messages import Code

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


_EXITS: Final = {
    Code.NO_SUCH_ROOM: Exit.NOT_FOUND,
    Code.ROOM_GONE: Exit.NOT_FOUND,
    Code.NO_SUCH_RECORD: Exit.NOT_FOUND,
    Code.FULL: Exit.REFUSED,
    Code.SEAT_TAKEN: Exit.REFUSED,
    Code.BAD_TOKEN: Exit.REFUSED,
    Code.FORBIDDEN: Exit.REFUSED,
    Code.NOT_SEATED: Exit.REFUSED,
    Code.NOT_NOW: Exit.REFUSED,
    Code.TOO_FAST: Exit.REFUSED,
    Code.BUSY: Exit.REFUSED,
    Code.REPLACED: Exit.REFUSED,
    Code.LEFT: Exit.REFUSED,
    Code.BAD_OPTION: Exit.USAGE,
}


def exit_of(code: str) -> Exit:
    """The exit code for a refusal that ends the command."""
    return _EXITS.get(Code(code), Exit.FAILURE) if code in set(Code) else Exit.FAILURE
