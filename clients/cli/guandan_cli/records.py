"""Where a record comes from: a file, standard input, or the server that the match was played on."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Final

from cyclopts import Parameter
from cyclopts.validators import Number

from guandan_cli import flags
from guandan_cli.address import DEFAULT_SERVER
from guandan_cli.exits import Exit, Failure, Said, about, exit_of, said, system_says
from guandan_cli.texts import Texts
from guandan_protocol.errors import QueryRefused, Unreachable
from guandan_protocol.lobby import fetch_record

__all__ = ["MatchNumber", "Source", "broken", "text_of"]

FILE_BYTES_MAX: Final = 32 * 1024 * 1024
"""A match has some twenty kilobytes."""

Source = Annotated[
    str,
    Parameter(
        name="FILE|CODE",
        help="A record's file, `-` for standard input, or the code or link of the room it was "
        "played in.",
        allow_leading_hyphen=True,
        show_env_var=False,
    ),
]
MatchNumber = Annotated[
    int | None,
    Parameter(
        name="--match",
        help="Which match of the room, without it the first, 1.",
        validator=Number(gte=1),
    ),
]


async def text_of(source: str, *, match: int | None, server: str | None, texts: Texts) -> str:
    """The record's text; Failure if there is none to be had."""
    stored = _read_from_stdin() if source == "-" else _read_file(source)
    if stored is not None:
        _refuse_of_room(source, match=match, server=server)
        return stored
    if "://" not in source and ("." in source or "/" in source):
        raise Failure(Exit.NOT_FOUND, about(source, said("error.no_file")))
    where = flags.found_place(source, server)
    if where.room is None:
        raise Failure(Exit.USAGE, about(source, said("error.no_file_or_link")))
    try:
        return await fetch_record(where.server or DEFAULT_SERVER, where.room, match or 1)
    except Unreachable as error:
        why = texts("play.unreachable", server=error.url, why=error.why)
        raise Failure(Exit.NO_CONNECTION, why) from error
    except QueryRefused as error:
        code = error.refused.code
        raise Failure(exit_of(code), texts.named("code", code)) from error


def _refuse_of_room(source: str, *, match: int | None, server: str | None) -> None:
    """Failure where options speak of a room, and there is none.

    Not where the server is one that is set for all commands.
    """
    why = said("error.from_stdin" if source == "-" else "error.from_file")
    if match is not None:
        raise Failure(Exit.USAGE, said("error.not_here", option="--match", why=why))
    if isinstance(server, flags.Typed):
        raise Failure(Exit.USAGE, said("error.not_here", option="--server", why=why))


def _read_from_stdin() -> str:
    if sys.stdin is None:
        raise Failure(Exit.FAILURE, said("error.stdin_closed"))
    return _decoded(sys.stdin.buffer.read(FILE_BYTES_MAX + 1), said("error.stdin"))


def _read_file(source: str) -> str | None:
    """The text of a file; None if there is none of that name."""
    path = Path(source)
    try:
        if not path.exists() or (path.is_dir() and source.isalnum()):
            return None  # a room's code may be a folder's name
        with path.open("rb") as file:
            return _decoded(file.read(FILE_BYTES_MAX + 1), source)
    except OSError as error:
        raise Failure(Exit.FAILURE, about(source, system_says(error))) from error


def _decoded(record: bytes, name: str | Said) -> str:
    if len(record) > FILE_BYTES_MAX:
        raise Failure(Exit.FAILURE, about(name, said("error.too_large")))
    try:
        return record.decode()
    except UnicodeDecodeError as error:
        raise Failure(Exit.FAILURE, about(name, said("error.not_utf8"))) from error


def broken(source: str, error: Exception) -> Failure:
    """What is there is no record, or one that breaks the rules."""
    name = said("error.stdin") if source == "-" else source
    return Failure(Exit.FAILURE, about(name, said("error.no_record", why=error)))
