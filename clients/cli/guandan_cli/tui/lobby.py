"""Before the match: who sits where, how the table is run, how friends get in."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve
from rich.text import Text

from guandan_cli import render
from guandan_cli.scene import Role
from guandan_cli.tui.look import ALERT, FAINT, GOLD, clipped, folded, joined, padded
from guandan_cli.tui.narrow import narrow
from guandan_cli.tui.seen import Seen
from guandan_engine.seats import SEATS, Seat
from guandan_protocol.messages import SeatKind

__all__ = ["lobby", "seat_at"]

TOP = 2
"""Rows over the first seat."""
WIDTH = 56


def lobby(seen: Seen, width: int, height: int, *, invitation: tuple[str, ...] = ()) -> list[Text]:
    scene, words = seen.scene, seen.words
    lines = [
        Text(words.texts("lobby.title", room=scene.room), style=GOLD),
        Text(),
        *[_row(seat, seen) for seat in SEATS],
        Text(),
        Text(words.texts("lobby.teams"), style=FAINT),
        *[
            Text(line, style=FAINT)
            for line in folded(narrow(_situation(seen)), width - 1, indent=7)
        ],
        *_swaps(seen),
    ]
    if invitation:
        lines += [Text(), *[Text(narrow(one)) for one in invitation]]
    block = min(width, max(WIDTH, *[line.cell_len for line in lines]))
    left = (width - block) // 2
    lines = [clipped(Text(" " * left) + line, width) for line in lines][:height]
    return lines + [Text()] * (height - len(lines))


def seat_at(y: int) -> Seat | None:
    """Whose row that is."""
    return SEATS[y - TOP] if TOP <= y < TOP + len(SEATS) else None


def _row(seat: Seat, seen: Seen) -> Text:
    scene, words = seen.scene, seen.words
    texts, info = words.texts, scene.info(seat)
    style = FAINT if info.kind is SeatKind.EMPTY else "bold"
    who = padded(Text(f"{seat}  {words.name(info)}", style=style), 26)
    marks = [texts("role.you")] if scene.role(seat) is Role.YOU else []
    marks += [texts("tag.host")] if scene.view.host == seat else []
    level = texts("tag.bot_level", level=texts.named("strength", info.level))
    tags = f"[{level}]" if info.kind is SeatKind.BOT else render.tags(info, scene, words)
    tags = narrow(tags)
    return joined([who, *[Text(mark, style=GOLD) for mark in marks], Text(tags, style=FAINT)])


def _situation(seen: Seen) -> str:
    """How the table is run, its rules by their name."""
    view, texts = seen.scene.view, seen.words.texts
    name = texts.named("preset", view.preset)
    named = evolve(seen.scene, view=evolve(view, preset=name))
    return render.situation(named, seen.words)


def _swaps(seen: Seen) -> Iterator[Text]:
    scene, words = seen.scene, seen.words
    for asker, other in scene.view.swaps:
        pair = {"a": words.who(asker, scene), "b": words.who(other, scene)}
        text = words.texts("lobby.swap", **pair)
        if other == scene.seat:
            text += "  " + words.texts("tui.swap_how", seat=asker)
        yield Text(text, style=ALERT)
