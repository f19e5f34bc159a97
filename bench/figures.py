"""Measuring: how often a second, of processor time, something can be done."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from attrs import frozen

__all__ = ["Figure", "rate", "table"]

T = TypeVar("T")

ROUNDS = 4
"""The best of some rounds is taken: what disturbs a round only ever makes it slower."""
ROUND_S = 0.2


@frozen
class Figure:
    name: str
    rate: float
    """How often a second of processor time."""
    target: float | None = None
    """What issue 2 asks for, on one idle core of the machine that it was written on."""
    reference: float | None = None
    """The rate of `bench.reference` on the same task, in the same run."""
    ratio_target: float | None = None
    """How many times faster than the reference it should be."""
    note: str = ""

    @property
    def ratio(self) -> float | None:
        return None if self.reference is None else self.rate / self.reference


def rate(task: Callable[[T], object], items: Sequence[T], *, warm: bool = True) -> float:
    """How often a second `task` can be done, going through `items` again and again.

    Not `warm`: once only, each item for the first time.
    """
    if not warm:
        return len(items) / _pass(task, items)
    _pass(task, items)
    best = 0.0
    for _ in range(ROUNDS):
        done, spent = 0, 0.0
        while spent < ROUND_S:
            spent += _pass(task, items)
            done += len(items)
        best = max(best, done / spent)
    return best


def _pass(task: Callable[[T], object], items: Sequence[T]) -> float:
    start = time.process_time()
    for item in items:
        task(item)
    return time.process_time() - start


def table(figures: Sequence[Figure]) -> str:
    """Figures for people, beside what they should be."""
    rows = [("", "rate/s", "target", "", "reference/s", "ratio", "")]
    for one in figures:
        ratio = "" if one.ratio is None else f"{one.ratio:.1f}×"
        wanted = "" if one.ratio_target is None else f"≥ {one.ratio_target:.0f}×"
        rows.append(
            (
                one.name,
                f"{one.rate:,.0f}",
                "" if one.target is None else f"{one.target:,.0f}",
                "" if one.target is None else f"{one.rate / one.target:.1f}×",
                "" if one.reference is None else f"{one.reference:,.0f}",
                " ".join(filter(None, [ratio, wanted])),
                one.note,
            )
        )
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = [
        "  ".join(
            cell.ljust(width) if i in (0, 6) else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    return "\n".join(lines)
