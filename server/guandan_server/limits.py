"""Bounds on what one connection may send, each with its reason."""

from __future__ import annotations

from typing import Final

__all__ = [
    "BAD_MESSAGES_MAX",
    "BURST_MESSAGES",
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

    def take(self, now_s: float) -> float:
        """Take one; the seconds to wait until it is there, 0 if it is."""
        if self._at is not None:
            self._level = min(self._burst, self._level + (now_s - self._at) * self._per_s)
        self._at = now_s
        self._level -= 1
        return max(0.0, -self._level / self._per_s)
