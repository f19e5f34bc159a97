"""The own hand: columns under the keys that take their cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import frozen
from rich.cells import cell_len
from rich.text import Text

from guandan_cli.tui.columns import Column
from guandan_cli.tui.look import FAINT, GOLD, face, style_of
from guandan_cli.tui.seen import Seen
from guandan_engine.cards import Card

__all__ = ["Spot", "hand", "height", "spot"]

CELL: Final = 4
"""A mark, and a face of three columns at most."""
CELL_WIDE: Final = 5
HEADS: Final = 2
"""Rows over the cards: how many are taken, and the key. Where rows are short, the key alone."""
TAKEN: Final = ">"
"""Stands before a card that is taken, which is shown in reverse besides."""
MARGIN: Final = 1


@frozen
class Spot:
    """Where in the hand somebody clicked: a column, and a card in it unless it was its heading."""

    column: Column
    row: int | None


def _rows_of(columns: Sequence[Column], width: int) -> tuple[list[Sequence[Column]], int]:
    """The columns in one row, or two if they do not fit, and how wide each is."""
    room = max(1, width - 2 * MARGIN)
    if len(columns) * CELL_WIDE <= room:
        return [columns], CELL_WIDE
    per_row = max(1, room // CELL)
    count = max(1, -(-len(columns) // per_row))
    even = -(-len(columns) // count) if columns else 1
    return [columns[i : i + even] for i in range(0, len(columns), even)] or [columns], CELL


def _tallest(columns: Sequence[Column]) -> int:
    return max((len(one.cells) for one in columns), default=0)


def height(seen: Seen, width: int, room: int) -> int:
    """The rows that the hand takes of `room`."""
    rows, _ = _rows_of(seen.columns, width)
    return min(room, sum(_heads(rows, room) + _tallest(row) for row in rows))


def _heads(rows: Sequence[Sequence[Column]], room: int) -> int:
    needed = sum(HEADS + _tallest(row) for row in rows)
    return HEADS if needed <= room else HEADS - 1


def hand(seen: Seen, width: int, room: int) -> list[Text]:
    """The rows, the counts of taken cards on top of each column."""
    rows, cell = _rows_of(seen.columns, width)
    heads = _heads(rows, room)
    lines: list[Text] = []
    for columns in rows:
        lines += _drawn(columns, seen, cell)[HEADS - heads :]
    return lines


def _drawn(columns: Sequence[Column], seen: Seen, cell: int) -> list[Text]:
    lines = [Text(" " * MARGIN) for _ in range(HEADS + _tallest(columns))]
    left = {card: seen.taken.count(card) for card in seen.taken.faces()}
    for column in columns:
        dim = seen.is_dim(column)
        taken = [_take(card, left) for card in column.cells]
        count = sum(taken)
        _cell(lines[0], f"+{count}" if count else "", GOLD, cell)
        heading = f"({column.heading})" if dim and seen.is_exchange else f" {column.heading}"
        _cell(lines[1], heading, FAINT if dim else "bold underline", cell, head=True)
        for row, card in enumerate(column.cells):
            _card(lines[HEADS + row], card, seen, cell, taken=taken[row], dim=dim)
        for line in lines[HEADS + len(column.cells) :]:
            line.append(" " * cell)
    return lines


def _take(card: Card | None, left: dict[Card, int]) -> bool:
    """Is this one taken? Of two equal cards the upper one is taken first."""
    if card is None or not left.get(card):
        return False
    left[card] -= 1
    return True


def _cell(line: Text, text: str, style: str, cell: int, *, head: bool = False) -> None:
    if head and text.startswith(" "):
        line.append(" ")
        text = text[1:]
        cell -= 1
    elif not head:
        line.append(" ")
        cell -= 1
    line.append(text, style=style)
    line.append(" " * (cell - cell_len(text)))


def _card(line: Text, card: Card | None, seen: Seen, cell: int, *, taken: bool, dim: bool) -> None:
    if card is None:
        line.append(" " * cell)
        return
    style = style_of(card, seen.scene.public.level, seen.words)
    if taken:
        style += " reverse"
    elif dim:
        style = FAINT
    line.append(TAKEN if taken else " ", style=GOLD)
    text = face(card, seen.words)
    line.append(text, style=style)
    line.append(" " * (cell - 1 - cell_len(text)))


def spot(seen: Seen, width: int, room: int, x: int, y: int) -> Spot | None:
    """What is drawn at a place of the hand."""
    rows, cell = _rows_of(seen.columns, width)
    heads = _heads(rows, room)
    for columns in rows:
        tall = heads + _tallest(columns)
        if y >= tall:
            y -= tall
            continue
        index = (x - MARGIN) // cell
        if x < MARGIN or index >= len(columns):
            return None
        column, row = columns[index], y - heads
        if row < 0:
            return Spot(column, None)
        if row < len(column.cells) and column.cells[row] is not None:
            return Spot(column, row)
        return Spot(column, None)
    return None
