"""The title of the terminal's window: whose turn it is, for who looks at another one meanwhile."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from guandan_cli.console import is_person
from guandan_cli.notes import QUIET_VARIABLE
from guandan_cli.scene import Scene
from guandan_cli.words import Words, printable

__all__ = ["has_title", "title_kept", "title_of"]

KEPT: Final = "\x1b[22;0t"
PUT_BACK: Final = "\x1b]0;\x07\x1b[23;0t"
"""To a stack of the terminal, and from it; where there is none, no title is left."""


def has_title() -> bool:
    """Is there a window whose title we may say something in?"""
    return (
        is_person(sys.stdout)
        and os.environ.get("TERM", "") not in ("", "dumb")
        and not os.environ.get(QUIET_VARIABLE)
    )


def title_of(scene: Scene, words: Words) -> str:
    is_ours = scene.is_asked and scene.plays_in_person
    key = "tui.window_turn" if is_ours else "tui.window"
    return words.texts(key, room=printable(scene.room))


@contextmanager
def title_kept(*, is_ours: bool) -> Iterator[None]:
    """The window's title, put back at the end by terminals that know how to."""
    if not is_ours:
        yield
        return
    print(KEPT, end="", flush=True)
    try:
        yield
    finally:
        print(PUT_BACK, end="", flush=True)
