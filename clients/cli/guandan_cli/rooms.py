"""`guandan rooms`: the public tables of a server."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Any

from attrs import asdict
from cyclopts import Parameter
from rich.cells import cell_len

from guandan_cli import flags
from guandan_cli.address import DEFAULT_SERVER
from guandan_cli.exits import Exit, Failure, exit_of
from guandan_cli.texts import Texts
from guandan_cli.words import padded, printable
from guandan_protocol.errors import QueryRefused, Unreachable
from guandan_protocol.lobby import list_rooms
from guandan_protocol.messages import RoomLine

__all__ = ["rooms", "rows"]


async def rooms(
    *,
    json_lines: Annotated[
        bool, Parameter(name="--json", help="One object a line, for programs.")
    ] = False,
    server: flags.Server = None,
    lang: flags.Language = None,
) -> int:
    """List the tables that anybody may join or watch.

    For example:

        guandan rooms

        guandan rooms --json --server wss://cards.example/ws
    """
    texts = flags.spoken(lang)
    address = flags.found_place(None, server).server or DEFAULT_SERVER
    try:
        found = await list_rooms(address)
    except Unreachable as error:
        raise Failure(
            Exit.NO_CONNECTION, texts("play.unreachable", server=error.url, why=error.why)
        ) from error
    except QueryRefused as error:
        code = error.refused.code
        raise Failure(exit_of(code), texts.named("code", code)) from error
    for line in map(_dumped, found) if json_lines else rows(found, texts):
        print(line)
    return Exit.OK


def _dumped(room: RoomLine) -> str:
    plain: dict[str, Any] = asdict(room)
    return json.dumps(plain, ensure_ascii=False)


def rows(found: Sequence[RoomLine], texts: Texts) -> list[str]:
    """A table of rooms, or a line that there are none."""
    if not found:
        return [texts("rooms.none")]
    names = ("room", "stage", "rules", "people", "bots", "watchers", "names")
    cells = [[texts(f"rooms.{name}") for name in names]]
    cells += [
        [
            printable(room.room),
            texts.named("stage", room.stage),
            printable(room.preset),
            str(room.people),
            str(room.bots),
            str(room.watchers),
            texts("list.comma").join(map(printable, room.names)),
        ]
        for room in found
    ]
    widths = [max(cell_len(row[i]) for row in cells) for i in range(len(names))]
    return [
        "  ".join([padded(c, w) for c, w in zip(row, widths, strict=True)]).rstrip()
        for row in cells
    ]
