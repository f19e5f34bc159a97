"""A figure of the server beside what it should be, and how figures are printed."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

__all__ = ["Row", "table"]


@frozen
class Row:
    name: str
    value: float | None
    """None: it could not be measured."""
    unit: str
    at_most: float | None = None
    """What it should not exceed."""
    at_least: float | None = None
    """What it should reach."""
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """The value as a share of its target."""
        target = self.at_most or self.at_least
        return None if self.value is None or target is None else self.value / target

    @property
    def holds(self) -> bool | None:
        """None where there is no target, or nothing to compare with it."""
        if self.value is None or (self.at_most is None and self.at_least is None):
            return None
        if self.at_most is not None:
            return self.value <= self.at_most
        return self.at_least is None or self.value >= self.at_least


def table(rows: Sequence[Row]) -> str:
    """Figures for people.

    >>> print(table([Row("room", 120.0, "KiB", at_most=150), Row("lost", 0, "", at_most=0)]))
          value       target
    room  120 KiB  ≤ 150 KiB  0.80 of it  holds
    lost  0              ≤ 0              holds
    """
    cells = [("", "value", "target", "", "", "")]
    cells += [
        (
            row.name,
            "not measured" if row.value is None else _quantity(row.value, row.unit),
            _target(row),
            "" if not row.ratio else f"{row.ratio:.2f} of it",
            {None: "", True: "holds", False: "FALLS SHORT"}[row.holds],
            row.note,
        )
        for row in rows
    ]
    widths = [max(len(line[i]) for line in cells) for i in range(len(cells[0]))]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if i == 2 else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in cells
    )


def _quantity(value: float, unit: str) -> str:
    number = f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.2f}"
    return f"{number} {unit}".rstrip()


def _target(row: Row) -> str:
    if row.at_most is not None:
        return f"≤ {_quantity(row.at_most, row.unit)}"
    return "" if row.at_least is None else f"≥ {_quantity(row.at_least, row.unit)}"
