"""Whose fault it was.

ProtocolError
├── BadMessage         the peer's program: bytes that are no message
│   └── BadVersion     the peer's program is of another version, and no message of this one
├── Unreachable        the world: no server answers there
├── QueryRefused       the question could not be answered; carries the server's `Refused`
└── SessionEnded       the session is over for good, or was closed by ourselves
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from guandan_protocol.messages import Refused

__all__ = [
    "BadMessage",
    "BadVersion",
    "ProtocolError",
    "QueryRefused",
    "SessionEnded",
    "Unreachable",
    "describe",
]

# Enough for a mistyped name of a field. Longer text is told by its length only: nothing that a
# stranger sent is repeated, into a log or a terminal, before it has been checked.
_QUOTED_CHARS_MAX = 24


def describe(value: object) -> str:
    r"""What some unchecked data is, in a few harmless words.

    >>> describe([1, 2]), describe("pllay"), describe("\x1b[2J"), describe(b"secret")
    ('an array of 2', "'pllay'", 'text of 4 characters', '6 bytes')
    """
    match value:
        case None:
            return "nil"
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            return "a float"
        case str():
            plain = value.isascii() and value.replace("-", "_").isidentifier()
            if plain and len(value) <= _QUOTED_CHARS_MAX:
                return f"'{value}'"
            return f"text of {len(value)} characters"
        case bytes():
            return f"{len(value)} bytes"
        case list():
            return f"an array of {len(value)}"
        case dict():
            return f"a map of {len(value)}"
        case _:
            return "something else"


class ProtocolError(Exception):
    """Everything this package raises on purpose."""


class BadMessage(ProtocolError):
    """Bytes that are no message of this protocol."""

    def __init__(self, path: str, expected: str, got: str) -> None:
        super().__init__(path, expected, got)
        self.path = path
        """Where in the message: `cards[3]`, `settings.pace_ms`; empty for the whole of it."""
        self.expected = expected
        self.got = got
        """Harmless, see `describe`."""
        self.ref = 0
        """The counter or id of the message, if that much could be read: for the refusal."""

    def at(self, step: str) -> None:
        """The fault was found within `step`, a field's name or an index in brackets."""
        dot = "." if self.path and not self.path.startswith("[") else ""
        self.path = f"{step}{dot}{self.path}"

    def __str__(self) -> str:
        where = f"{self.path}: " if self.path else ""
        return f"{where}expected {self.expected}, got {self.got}"


class BadVersion(BadMessage):
    """No message of this version, and it says itself that it is of another."""

    def __init__(self, path: str, expected: str, got: str, *, version: int) -> None:
        super().__init__(path, expected, got)
        self.version = version


class Unreachable(ProtocolError):
    """No server of this protocol answers there, or it stopped answering."""

    def __init__(self, url: str, why: str) -> None:
        super().__init__(url, why)
        self.url = url
        self.why = why

    def __str__(self) -> str:
        return f"{self.url}: {self.why}"


class QueryRefused(ProtocolError):
    """The server does not answer that."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(refused)
        self.refused = refused

    def __str__(self) -> str:
        return f"{self.refused.code}: {self.refused.text}"


class SessionEnded(ProtocolError):
    """Nothing more can be done or asked: the session has ended."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(code, text)
        self.code = code
        self.text = text

    def __str__(self) -> str:
        return f"{self.code}: {self.text}"
