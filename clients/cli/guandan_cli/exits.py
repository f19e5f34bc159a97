"""What the command tells the shell, and the one error that carries it."""

from __future__ import annotations

import errno
from collections.abc import Mapping
from enum import IntEnum
from typing import Final

from guandan_cli.texts import Texts, texts

__all__ = ["Exit", "Failure", "Said", "about", "exit_of", "said", "system_says"]


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


class Said:
    """A text to be: its key and what is filled in, which may be such texts themselves."""

    def __init__(self, key: str, fields: Mapping[str, object]) -> None:
        self.key = key
        self.fields = fields

    def told(self, words: Texts) -> str:
        filled = {
            name: value.told(words) if isinstance(value, Said) else value
            for name, value in self.fields.items()
        }
        return words(self.key, **filled)

    def __str__(self) -> str:
        return self.told(texts("en"))


def said(key: str, **fields: object) -> Said:
    return Said(key, fields)


def about(what: object, why: Said | str) -> Said:
    """What is said of an option or a file."""
    return Said("error.about", {"what": what, "why": why})


def system_says(error: OSError) -> Said | str:
    """Why the system refuses, where there are words for that in both languages."""
    key = f"errno.{errno.errorcode.get(error.errno or 0, '')}"
    if key in texts("en").table:
        return Said(key, {})
    return error.strerror or str(error)


class Failure(Exception):
    """Ends a command with one line on standard error, in whatever language it is asked for."""

    def __init__(self, code: int, message: str | Said) -> None:
        super().__init__(code, message)
        self.exit = code
        self.message = message

    def told(self, words: Texts) -> str:
        return self.message.told(words) if isinstance(self.message, Said) else self.message

    def __str__(self) -> str:
        return self.told(texts("en"))


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
