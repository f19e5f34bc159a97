"""Where the people of a room come from, and who is kept out for a while."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from guandan_protocol.messages import Code
from guandan_server.items import Conn
from guandan_server.refusals import Refusal

__all__ = ["Guests"]

BARRED_MS: Final = 10 * 60_000
"""How long somebody sent away stays out: long enough to start without them."""


class Guests:
    """Addresses, by connection and by seat key; empty where there is none worth keeping."""

    def __init__(self) -> None:
        self._by_conn: dict[Conn, str] = {}
        self._by_key: dict[str, str] = {}
        self._barred: dict[str, int] = {}
        """Addresses of people sent away, and until when they stay out."""

    def came(self, conn: Conn, address: str) -> None:
        self._by_conn[conn] = address

    def sat_down(self, conn: Conn, key: str) -> None:
        """Note where the person of a seat is, also for when the connection is gone."""
        self._by_key[key] = self._by_conn.get(conn, "")

    def went(self, conn: Conn) -> None:
        self._by_conn.pop(conn, None)

    def keep(self, keys: Collection[str]) -> None:
        """Forget people who have no seat any more."""
        if len(self._by_key) > len(keys):
            self._by_key = {key: at for key, at in self._by_key.items() if key in keys}

    def bar(self, key: str, now: int) -> None:
        """Keep somebody out who could come back through the link at once."""
        address = self._by_key.get(key, "")
        if address:
            self._barred[address] = now + BARRED_MS

    def check(self, address: str, now: int) -> None:
        """Refusal for an address that somebody was sent away from."""
        self._barred = {one: until for one, until in self._barred.items() if until > now}
        if address in self._barred:
            left_ms = self._barred[address] - now
            raise Refusal(Code.FORBIDDEN, "the host has sent you away", retry_ms=left_ms)
