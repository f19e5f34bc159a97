"""What a command says beside its data, on standard error; `--quiet` leaves nothing but errors."""

from __future__ import annotations

import os
import sys
from typing import Final

__all__ = ["QUIET_VARIABLE", "note", "shows_progress"]

QUIET_VARIABLE: Final = "GUANDAN_QUIET"


def note(text: str) -> None:
    """A line for people."""
    if not os.environ.get(QUIET_VARIABLE):
        print(text, file=sys.stderr, flush=True)


def shows_progress() -> bool:
    """Is somebody there to see a bar?"""
    return sys.stderr.isatty() and not os.environ.get(QUIET_VARIABLE)
