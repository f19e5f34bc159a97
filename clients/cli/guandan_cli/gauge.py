"""How wide a terminal draws a character: it is drawn, and the terminal is asked where it stands."""

from __future__ import annotations

import os
import re
import select
import sys
import time
from typing import Final

__all__ = ["answer", "width"]

ASK: Final = "\x1b[6n"
ANSWER: Final = re.compile(rb"\x1b\[\d+;(\d+)R")
WAIT_S: Final = 0.5


def width(char: str) -> int | None:
    """The columns that it takes; None if the terminal does not say."""
    try:
        import termios
        import tty
    except ImportError:  # no such terminals on this system
        return None
    if sys.stdin is None or not sys.stdin.isatty():
        return None
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    try:
        tty.setcbreak(descriptor)
        sys.stdout.write(f"\r{char}{ASK}")
        sys.stdout.flush()
        column = answer(descriptor)
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
        sys.stdout.write("\r\x1b[K")
        sys.stdout.flush()
    return None if column is None else column - 1


def answer(descriptor: int) -> int | None:
    """The column that the terminal names; None if it stays silent."""
    heard = b""
    until = time.monotonic() + WAIT_S
    while (left := until - time.monotonic()) > 0:
        ready, _, _ = select.select([descriptor], [], [], left)
        if not ready:
            return None
        heard += os.read(descriptor, 64)
        found = ANSWER.search(heard)
        if found is not None:
            return int(found[1])
    return None
