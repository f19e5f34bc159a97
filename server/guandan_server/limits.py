"""Bounds on what one connection may send, each with its reason."""

from __future__ import annotations

from typing import Final

__all__ = [
    "BAD_MESSAGES_MAX",
    "BURST_BYTES",
    "BURST_MESSAGES",
    "BYTES_PER_S",
    "HELLO_MS",
    "INBOX_ITEMS_MAX",
    "MESSAGES_PER_S",
    "OUTBOX_FRAMES_MAX",
    "Bucket",
    "SEND_S",
]

HELLO_MS: Final = 5_000
"""A client says hello in its first packet; who is silent that long holds a socket for nothing."""
BAD_MESSAGES_MAX: Final = 5
"""A client that is wrong now and then is told so; one that is always wrong is not a client."""
MESSAGES_PER_S: Final = 100
"""Swiping over a hand asks for a preview per card, and programs play too. Faster ones are read at
this rate: their own TCP makes them wait."""
BURST_MESSAGES: Final = 200
BYTES_PER_S: Final = 32 * 1024
"""Of one connection, everything included: ten times what a busy client sends. Counted before the
library looks at it, because pings and empty frames cost work, too, and never reach us."""
BURST_BYTES: Final = 256 * 1024
OUTBOX_FRAMES_MAX: Final = 64
"""About half a hand of updates: who is further behind is better served by one whole view."""
SEND_S: Final = 10
"""A frame that the peer does not take in that time is one that it never will."""
INBOX_ITEMS_MAX: Final = 256
"""Four seats and all watchers in a burst; more is refused as too fast."""


class Bucket:
    """A token bucket: `per_s` on average, `burst` at once."""

    def __init__(self, *, per_s: float, burst: float) -> None:
        self._per_s = per_s
        self._burst = burst
        self._level = burst
        self._at: float | None = None

    def take(self, now_s: float, amount: float = 1.0) -> float:
        """Take some; the seconds to wait until it is there, 0 if it is."""
        self._fill(now_s)
        self._level -= amount
        return max(0.0, -self._level / self._per_s)

    def try_take(self, now_s: float) -> bool:
        """Take one if it is there."""
        if not self.has(now_s):
            return False
        self._level -= 1
        return True

    def has(self, now_s: float) -> bool:
        """Is one there?"""
        self._fill(now_s)
        return self._level >= 1

    def wait_s(self, now_s: float) -> float:
        """The seconds until one is there, 0 if it is."""
        self._fill(now_s)
        return max(0.0, 1 - self._level) / self._per_s

    def _fill(self, now_s: float) -> None:
        if self._at is not None:
            self._level = min(self._burst, self._level + (now_s - self._at) * self._per_s)
        self._at = now_s
