"""Where a record comes from: a file, standard input, or the server that the match was played on."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Final

from cyclopts import Parameter
from cyclopts.validators import Number

from guandan_cli import flags
from guandan_cli.address import DEFAULT_SERVER
from guandan_cli.exits import Exit, Failure, exit_of
from guandan_cli.texts import Texts
from guandan_protocol.errors import QueryRefused, Unreachable
from guandan_protocol.lobby import fetch_record

__all__ = ["MatchNumber", "Source", "text_of"]

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
    int,
    Parameter(
        name="--match",
        help="Which match of the room, the first is 1.",
        validator=Number(gte=1),
    ),
]


async def text_of(source: str, *, match: int, server: str | None, texts: Texts) -> str:
    """The record's text; Failure if there is none to be had."""
    stored = _read_from_stdin() if source == "-" else _read_file(source)
    if stored is not None:
        return stored
    if "://" not in source and ("." in source or "/" in source):
        raise Failure(Exit.NOT_FOUND, f"{source}: no such file")
    where = flags.found_place(source, server)
    if where.room is None:
        raise Failure(Exit.USAGE, f"{source}: no file, and no link to a room")
    try:
        return await fetch_record(where.server or DEFAULT_SERVER, where.room, match)
    except Unreachable as error:
        why = texts("play.unreachable", server=error.url, why=error.why)
        raise Failure(Exit.NO_CONNECTION, why) from error
    except QueryRefused as error:
        code = error.refused.code
        raise Failure(exit_of(code), texts.named("code", code)) from error


def _read_from_stdin() -> str:
    if sys.stdin is None:
        raise Failure(Exit.FAILURE, "standard input is closed")
    return _decoded(sys.stdin.buffer.read(FILE_BYTES_MAX + 1), "standard input")


def _read_file(source: str) -> str | None:
    """The text of a file; None if there is none of that name."""
    path = Path(source)
    try:
        if not path.exists() or (path.is_dir() and source.isalnum()):
            return None  # a room's code may be a folder's name
        with path.open("rb") as file:
            return _decoded(file.read(FILE_BYTES_MAX + 1), source)
    except OSError as error:
        raise Failure(Exit.FAILURE, f"{source}: {error.strerror}") from error


def _decoded(record: bytes, name: str) -> str:
    if len(record) > FILE_BYTES_MAX:
        raise Failure(Exit.FAILURE, f"{name}: larger than any record")
    try:
        return record.decode()
    except UnicodeDecodeError as error:
        raise Failure(Exit.FAILURE, f"{name}: no record, for it is not UTF-8") from error
