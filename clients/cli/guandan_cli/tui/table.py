"""The table: three seats around it, what lies in the middle, and our own last play at the foot."""

from __future__ import annotations

from rich.text import Text

from guandan_cli.tui import seats
from guandan_cli.tui.centre import centre
from guandan_cli.tui.look import centred, clipped, joined, padded, right, spread
from guandan_cli.tui.seen import Seen
from guandan_engine.seats import SEATS

__all__ = ["table"]

SIDE_WIDTH_MAX = 34
MIDDLE_WIDTH = 26
ROUND_WIDTH = 70
"""Narrower tables, and lower ones, have a line for each seat."""
ROUND_HEIGHT = 8


def table(seen: Seen, width: int, height: int) -> list[Text]:
    if width < ROUND_WIDTH or height < ROUND_HEIGHT:
        return _lines(seen, width, height)
    own, next_, partner, previous = seats.around(seen)
    side = min(SIDE_WIDTH_MAX, (width - MIDDLE_WIDTH) // 2)
    middle = width - 2 * side
    top = _top(partner, seen, width)
    foot = _foot(own, seen, width)
    left = seats.block(previous, seen, side)
    right_ = seats.block(next_, seen, side)
    inner = [centred(one, middle) for one in centre(seen, middle)]
    room = height - len(top) - len(foot)
    rows = max(len(left), len(right_), len(inner))
    above = max(0, (room - rows) // 2)
    inner_above = max(0, (min(rows, room) - len(inner)) // 2)
    lines = [*top, *[Text()] * above]
    lines += [
        padded(_row(left, i), side)
        + padded(_row(inner, i - inner_above), middle)
        + padded(_flush_right(right_, i, side), side)
        for i in range(min(rows, room - above))
    ]
    lines += [Text()] * (height - len(foot) - len(lines))
    return [*lines, *foot]


def _row(lines: list[Text], index: int) -> Text:
    return lines[index] if 0 <= index < len(lines) else Text()


def _flush_right(lines: list[Text], index: int, width: int) -> Text:
    """The block at the right edge, its own lines all beginning in one column."""
    block = max((one.cell_len for one in lines), default=0)
    return right(padded(_row(lines, index), min(block + 1, width)), width)


def _top(partner: int, seen: Seen, width: int) -> list[Text]:
    seat = SEATS[partner - 1]
    what, cards = seats.play(seat, seen)
    head = joined([seats.name(seat, seen), seats.role(seat, seen), seats.stand(seat, seen)])
    played = joined([what, Text(" ").join(cards)])
    heard = seats.voice(seat, seen)
    return [centred(head, width), centred(joined([played, heard]), width)]


def _foot(own: int, seen: Seen, width: int) -> list[Text]:
    seat = SEATS[own - 1]
    what, cards = seats.play(seat, seen)
    head = joined([seats.name(seat, seen), seats.role(seat, seen), seats.stand(seat, seen)])
    played = joined([what, Text(" ").join(cards), seats.voice(seat, seen)])
    if head.cell_len + played.cell_len + 4 < width:
        return [clipped(spread(head, played + Text(" "), width), width)]
    return [clipped(Text(" ") + played, width), clipped(head, width)]


def _lines(seen: Seen, width: int, height: int) -> list[Text]:
    """One line a seat, ours last, and the middle in what is left."""
    own, next_, partner, previous = seats.around(seen)
    order = [next_, partner, previous, own]
    found = [clipped(seats.line(seat, seen), width) for seat in order]
    room = max(0, height - len(found))
    inner = centre(seen, width)
    if len(inner) > room:
        inner = [joined(inner)][:room]
    lines = [*found, *[centred(one, width) for one in inner]]
    return lines + [Text()] * (height - len(lines))
