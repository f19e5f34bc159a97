"""Where a room is: from a code, an invitation or a server's address, and back."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import SplitResult, urlsplit, urlunsplit

from attrs import frozen

from guandan_cli.exits import Said, said

__all__ = ["DEFAULT_SERVER", "AddressError", "Place", "invitation", "place_of", "server_of"]

DEFAULT_SERVER: Final = "ws://127.0.0.1:8765"
SOCKET_PATH: Final = "/ws"
"""Where a server that also serves a page takes WebSockets."""

_CODE: Final = re.compile(r"[A-Za-z0-9]{3,16}")
_INVITED: Final = re.compile(r"(?P<base>.*)/r/(?P<code>[^/]+)/?")
_SCHEMES: Final = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}
_PAGES: Final = {"ws": "http", "wss": "https"}


class AddressError(ValueError):
    """Text that is neither a room's code nor an address."""

    def __init__(self, why: Said) -> None:
        super().__init__(why)
        self.why = why


@frozen
class Place:
    """A room, or none yet, and the server if the text names one."""

    room: str | None
    server: str | None


def place_of(text: str) -> Place:
    """What `CODE` or a link stands for; AddressError for anything else.

    >>> place_of("k7qm2x")
    Place(room='K7QM2X', server=None)
    >>> place_of("https://cards.example/r/K7QM2X")
    Place(room='K7QM2X', server='wss://cards.example/ws')
    """
    if "://" not in text:
        return Place(room=_code(text), server=None)
    parts = _split(text)
    invited = _INVITED.fullmatch(parts.path)
    if invited is None:
        return Place(room=None, server=server_of(text))
    base = urlunsplit((parts.scheme, parts.netloc, invited["base"] + "/", "", ""))
    return Place(room=_code(invited["code"]), server=server_of(base))


def server_of(text: str) -> str:
    """The address to connect to; a page's address becomes that of its WebSocket.

    >>> server_of("http://127.0.0.1:8765/"), server_of("127.0.0.1:9000")
    ('ws://127.0.0.1:8765/ws', 'ws://127.0.0.1:9000')
    """
    parts = _split(text if "://" in text else f"ws://{text}")
    path = parts.path.rstrip("/")
    if parts.scheme in ("http", "https"):
        path += SOCKET_PATH
    return urlunsplit((_SCHEMES[parts.scheme], parts.netloc, path, "", ""))


def invitation(server: str, room: str) -> str:
    """The link that others open to join.

    >>> invitation("ws://127.0.0.1:8765", "K7QM2X")
    'http://127.0.0.1:8765/r/K7QM2X'
    """
    parts = urlsplit(server)
    path = parts.path.rstrip("/").removesuffix(SOCKET_PATH)
    return urlunsplit((_PAGES[parts.scheme], parts.netloc, f"{path}/r/{room}", "", ""))


def _code(text: str) -> str:
    if not _CODE.fullmatch(text):
        raise AddressError(said("error.no_place", text=repr(text[:40])))
    return text.upper()


def _split(text: str) -> SplitResult:
    try:
        parts = urlsplit(text)
        host = parts.hostname
        _ = parts.port  # raises for a port that is none
    except ValueError as error:
        raise _no_server(text) from error
    if parts.scheme not in _SCHEMES or not host:
        raise _no_server(text)
    return parts


def _no_server(text: str) -> AddressError:
    return AddressError(said("error.no_server", text=repr(text[:80]), example=DEFAULT_SERVER))
