"""Measuring: how often a second, of processor time, something can be done."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import TypeVar

from attrs import frozen

__all__ = ["Figure", "beside", "rate", "rate_unseen", "table"]

T = TypeVar("T")
U = TypeVar("U")

ROUNDS = 5
ROUND_S = 0.15
"""Short rounds, of which the best counts: what disturbs a round only ever makes it slower."""


@frozen
class Figure:
    name: str
    rate: float
    """How often a second of processor time."""
    target: float | None = None
    """What it should be, on one idle core of the machine that this was written on."""
    reference: float | None = None
    """The rate of `bench.reference` at the same task."""
    ratio: float | None = None
    """How many times faster than the reference; rounds of both alternate, and the median counts."""
    ratio_target: float | None = None
    note: str = ""


def rate(task: Callable[[T], object], items: Sequence[T]) -> float:
    """How often a second `task` can be done, going through `items` again and again."""
    _pass(task, items)
    return max(_round(task, items) for _ in range(ROUNDS))


def rate_unseen(task: Callable[[T], object], items: Sequence[T]) -> float:
    """The same, but each item once, for the first time."""
    return len(items) / _pass(task, items)


def beside(
    task: Callable[[T], object],
    items: Sequence[T],
    reference: Callable[[U], object],
    reference_items: Sequence[U],
) -> tuple[float, float, float]:
    """Two rates, and the ratio of the first to the second."""
    _pass(task, items)
    rounds = [(_round(task, items), _round(reference, reference_items)) for _ in range(ROUNDS)]
    ratio = median(ours / theirs for ours, theirs in rounds)
    return max(ours for ours, _ in rounds), max(theirs for _, theirs in rounds), ratio


def _round(task: Callable[[T], object], items: Sequence[T]) -> float:
    done, spent = 0, 0.0
    while spent < ROUND_S:
        spent += _pass(task, items)
        done += len(items)
    return done / spent


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
