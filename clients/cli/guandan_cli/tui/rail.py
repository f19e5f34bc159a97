"""The right rail of a wide screen: what happened, and what is still out."""

from __future__ import annotations

from typing import Final

from rich.text import Text

from guandan_cli import sheets
from guandan_cli.tui.look import FAINT, clipped, folded
from guandan_cli.tui.narrow import narrow
from guandan_cli.tui.seen import Seen
from guandan_cli.words import padded

__all__ = ["RAIL_WIDTH", "WIDE", "counter", "log"]

WIDE: Final = 120
"""From this width of the screen on the rail is shown."""
RAIL_WIDTH: Final = 38

PER_ROW: Final = 8


def counter(seen: Seen, width: int) -> list[Text]:
    """How many of each rank are still out, under the keys that take them."""
    scene, texts = seen.scene, seen.words.texts
    if not scene.view.settings.counter:
        return [Text(" " + line) for line in folded(texts("counter.off"), width - 2)]
    lines = [Text(" " + texts("tui.counter_title"), style="bold")]
    cells = sheets.still_out(scene)
    cell = max(3, min(5, (width - 2) // PER_ROW))
    for start in range(0, len(cells), PER_ROW):
        row = cells[start : start + PER_ROW]
        lines.append(Text(" " + "".join([padded(key, cell) for key, _ in row]), style=FAINT))
        counts = Text(" ")
        for _, n in row:
            counts.append(padded(str(n) if n else "-", cell), style="bold" if n else FAINT)
        lines.append(counts)
    return [clipped(line, width) for line in lines]


def log(seen: Seen, width: int, height: int) -> list[Text]:
    """The newest lines at the foot."""
    lines: list[Text] = []
    for entry in reversed(seen.log):
        pieces = folded(narrow(entry), width - 2)
        style = "bold" if entry.startswith(("──", "══")) else ""
        shown = [Text(" " + piece, style=style) for piece in pieces]
        if len(lines) + len(shown) > height:
            break
        lines = [*shown, *lines]
    return [*lines, *[Text()] * (height - len(lines))]
