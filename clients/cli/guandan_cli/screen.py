"""Full screen or lines? And the full screen itself, which is loaded only when it is wanted."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from attrs import evolve

from guandan_cli import sitting
from guandan_cli.console import is_person
from guandan_cli.exits import Exit, Failure
from guandan_cli.guard import guarded
from guandan_cli.preferences import PreferenceFile
from guandan_cli.title import has_title, title_kept

if TYPE_CHECKING:
    from guandan_cli.frames import Frame
    from guandan_cli.scene import Scene
    from guandan_cli.texts import Texts
    from guandan_cli.words import Words
    from guandan_protocol.client import TableClient

__all__ = ["show_replay", "show_table", "takes_screen"]


def takes_screen(*, plain: bool) -> bool:
    """Is there a terminal that can be drawn on, and nobody who wants lines?"""
    return (
        not plain
        and is_person(sys.stdin)
        and is_person(sys.stdout)
        and os.environ.get("TERM", "") not in ("", "dumb")
    )


async def show_replay(frames: Sequence[Frame], words: Words, *, hand: int | None) -> Exit:
    """A finished match; `hand` is where to begin, Failure if there is no such hand."""
    from guandan_cli.tui.playback import PlaybackApp

    hands = max((frame.scene.public.hand for frame in frames), default=0)
    if hand is not None and hand > hands:
        raise Failure(Exit.NOT_FOUND, words.texts("replay.no_hand", n=hands))
    with guarded(full_screen=True) as guard:
        app = PlaybackApp(frames, words, hand=hand or 1, begun=guard.begin)
        return _exit_of(await app.run_async(), app.return_code)


async def show_table(
    client: TableClient,
    texts: Texts,
    server: str,
    *,
    seated: Callable[[Scene], Iterable[str]],
    invitation: Callable[[], Sequence[str]] = tuple,
    bell: bool = False,
) -> tuple[Exit, bool]:
    """The table until it is left: how the command ends, and whether the seat was given up.

    Failure if we are not let in, or are shown out.
    """
    from guandan_cli.tui.app import TableApp
    from guandan_cli.tui.session import opened

    words = sitting.words_for(texts)
    welcome = await opened(client, words, server)
    file = PreferenceFile.of(os.environ)
    kept = file.read()
    # The language has been decided already: the one that is kept is the last to be asked.
    is_titled = has_title()
    with guarded(full_screen=True) as guard, title_kept(is_ours=is_titled):
        app = TableApp(
            client,
            welcome,
            words,
            preferences=evolve(kept, lang=None, bell=bell or kept.bell),
            keep=file.keep,
            seated=seated,
            invitation=invitation,
            begun=guard.begin,
            is_titled=is_titled,
        )
        ended = await app.run_async()
    if isinstance(ended, Failure):
        raise ended
    return _exit_of(ended, app.return_code), app.has_left


def _exit_of(ended: Exit | None, code: int | None) -> Exit:
    """How an app has ended: None stands for a signal, or for a fault, which has a code."""
    if ended is not None:
        return ended
    return Exit.FAILURE if code else Exit.INTERRUPTED
