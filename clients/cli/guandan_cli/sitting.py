"""One sitting at a table in plain lines: connection, input and output brought together."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import shlex
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Final

from guandan_cli.address import DEFAULT_SERVER
from guandan_cli.console import KeyReader, LineReader, Terminal, is_person, prepare, suits_for
from guandan_cli.editor import Editor
from guandan_cli.exits import Exit
from guandan_cli.game import Game
from guandan_cli.guard import Guard, guarded
from guandan_cli.kept import Keeper, Kept
from guandan_cli.obey import Next, Player
from guandan_cli.texts import Texts
from guandan_cli.title import has_title, title_kept
from guandan_cli.words import Words

__all__ = ["command", "program", "resume_command", "run", "terminal", "words_for"]

PROGRAM: Final = "guandan"


@contextmanager
def terminal() -> Iterator[Terminal]:
    """Standard input and output as a console."""
    prepare(sys.stdout)
    editor = Editor() if _can_edit() else None
    kind = LineReader if editor is None else KeyReader
    guard = guarded(full_screen=False) if editor is not None else nullcontext(Guard())
    titled = has_title()
    with (
        _input() as descriptor,
        guard as guarding,
        title_kept(is_ours=titled),
        kind(descriptor) as reader,
    ):
        guarding.begin()
        console = Terminal(
            reader, sys.stdout, is_person=is_person(sys.stdin), editor=editor, is_titled=titled
        )
        try:
            yield console
        finally:
            console.wipe_prompt()


def _can_edit() -> bool:
    """Is there a terminal at both ends that lines can be edited on?"""
    return (
        is_person(sys.stdin)
        and is_person(sys.stdout)
        and os.environ.get("TERM", "") not in ("", "dumb")
        and importlib.util.find_spec("termios") is not None
    )


@contextmanager
def _input() -> Iterator[int]:
    """Standard input's descriptor; where it is closed, one that has nothing to say.

    The number of a closed one may by now belong to anything else that this program has opened.
    """
    if sys.stdin is not None:
        yield sys.stdin.fileno()
        return
    nothing = os.open(os.devnull, os.O_RDONLY)
    try:
        yield nothing
    finally:
        os.close(nothing)


def words_for(texts: Texts, *, of_record: bool = False) -> Words:
    return Words(texts, suits_for(sys.stdout), of_record=of_record)


async def run(game: Game, player: Player, *, until_input_ends: bool = True) -> tuple[Exit, Next]:
    """Listen and obey until one of the two is over; Failure if the session ends badly."""
    listening = asyncio.create_task(game.listen(), name="listen")
    obeying = asyncio.create_task(_obey(game, player), name="obey")
    beside = asyncio.create_task(player.beside(), name="beside")
    try:
        await asyncio.wait({listening, obeying, beside}, return_when=asyncio.FIRST_COMPLETED)
        if beside.done() and not listening.done():
            beside.result()  # a fault of ours: it never ends by itself
        if not (until_input_ends or listening.done()) and obeying.result() is Next.INPUT_ENDED:
            await asyncio.wait({listening})
        if listening.done():
            return listening.result(), Next.LEFT if game.is_leaving else Next.QUIT
        return Exit.OK, obeying.result()
    finally:
        for task in (listening, obeying, beside):
            task.cancel()
        await asyncio.gather(listening, obeying, beside, return_exceptions=True)


async def _obey(game: Game, player: Player) -> Next:
    await game.opened()
    return Next.QUIT if game.over else await player.obey_all()


def program() -> str:
    """How this program is called: by its name, or by its path where the name is not found."""
    called = Path(sys.argv[0])
    found = shutil.which(called.name)
    if called.name != PROGRAM or not called.exists():
        return PROGRAM
    if found is not None and Path(found).samefile(called):
        return PROGRAM
    return str(called)


def command(*parts: str, server: str, called: str = PROGRAM) -> str:
    """A command line that others can type; for ourselves, `called` is how we call the program."""
    words = [called, *parts]
    if server != DEFAULT_SERVER:
        words += ["--server", server]
    return shlex.join(words)


def resume_command(keeper: Keeper, kept: Kept) -> str:
    """How to come back to a seat; its number is named where several are kept."""
    seats = keeper.seats(kept.room, kept.server)
    several = ["--seat", str(kept.seat)] if len(seats) > 1 else []
    parts = ("play", kept.room, "--resume", *several)
    return command(*parts, server=kept.server, called=program())
