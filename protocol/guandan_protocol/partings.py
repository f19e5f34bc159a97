"""What the end of a connection means: come back, go elsewhere, or stay away."""

from __future__ import annotations

from typing import Final
from urllib.parse import urljoin, urlsplit

from attrs import frozen
from websockets.client import process_exception
from websockets.exceptions import InvalidStatus

from guandan_protocol.dialing import retry_after_ms
from guandan_protocol.messages import Close, Code, Goodbye, Moved, Refused

__all__ = ["MOVES_MAX", "Cut", "Ended", "Parting", "closed", "moved", "not_reached"]

# Rooms move when a node stops. One more move in a row already means that two nodes disagree.
MOVES_MAX: Final = 3

_FINAL: Final = {
    Close.BAD_TOKEN: Code.BAD_TOKEN,
    Close.ROOM_GONE: Code.ROOM_GONE,
    Close.REPLACED: Code.REPLACED,
    Close.BAD_VERSION: Code.BAD_VERSION,
    Close.LEFT: Code.LEFT,
}
"""Closes after which one does not come back."""

_SAYS: Final = {
    Code.BAD_TOKEN: "the token opens no seat of the room",
    Code.ROOM_GONE: "the room has expired or was closed",
    Code.REPLACED: "a newer connection holds the seat",
    Code.BAD_VERSION: "the server speaks another version of the protocol",
    Code.LEFT: "the seat was left or taken away",
}

# Refusals over HTTP that pass, beside those that the library knows to.
_PASSING_STATUS: Final = frozenset({408, 425, 429})


@frozen
class Ended:
    """The session is over for good."""

    code: str
    """A `Code`; or `moved` for a room sent in circles, `http_403` and the like or `no_table` for
    an address where no server of this protocol is."""
    text: str
    close_code: int | None
    """What the socket was closed with, if it was."""


@frozen
class Cut:
    """The connection broke off, and the session can be taken up again."""

    why: str
    after_ms: int = 0
    """What the server asks to wait."""


Parting = Ended | Moved | Cut


def not_reached(error: Exception, *, was_inside: bool) -> Parting:
    """There is no connection. Who has been inside knows that the address is right: it will pass."""
    status = error.response.status_code if isinstance(error, InvalidStatus) else None
    passing = process_exception(error) is None or status in _PASSING_STATUS
    why = str(error) or type(error).__name__
    if passing or was_inside:
        return Cut(why, retry_after_ms(error))
    return Ended("no_table" if status is None else f"http_{status}", why, None)


def moved(url: str, target: str, moves: int) -> Parting:
    """At `url` we were sent to `target`, the so-many-th time in a row."""
    onward = urljoin(url, target)
    if moves > MOVES_MAX:
        return Ended("moved", f"the room was moved {moves} times in a row", Close.MOVED)
    if urlsplit(url).scheme == "wss" and urlsplit(onward).scheme != "wss":
        return Ended("moved", "the room was moved to an address without TLS", Close.MOVED)
    return Moved(onward)


def closed(close_code: int | None, last: Goodbye | Refused | None) -> Parting:
    """The socket was closed, and `last` is what was said before: a goodbye, or no to the hello."""
    match last:
        case Refused(code=code, text=text, retry_ms=None):
            return Ended(code, text, close_code)
        case Refused(code=code, text=text, retry_ms=int(after_ms)):
            return Cut(f"{code}: {text}", after_ms)
        case Goodbye(code=code) if code in _SAYS:
            return Ended(code, _SAYS[Code(code)], close_code)
        case _ if close_code in _FINAL:
            final = _FINAL[Close(close_code)]
            return Ended(final, _SAYS[final], close_code)
        case Goodbye(code=code, retry_after_ms=after):
            return Cut(code, after or 0)
        case _:
            return Cut(f"closed with {close_code}")
