"""What lies over the table for a moment: something to read, or something to choose.

Neither does anything by being closed: Esc, or a click beside it, only takes it away.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from attrs import frozen
from rich.cells import cell_len
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Click, Key
from textual.screen import ModalScreen

from guandan_cli.tui.keys import key_of
from guandan_cli.tui.look import FAINT, GOLD, clipped, folded
from guandan_cli.tui.narrow import narrow
from guandan_cli.tui.pane import Pane

__all__ = ["Choices", "Entry", "Sheet"]

BORDER = 4
"""Columns and rows that the frame takes."""
_SECOND_COLUMN = re.compile(r".*\s{3,}(?=\S)")
"""Up to where an explanation begins."""


class _Dialog(ModalScreen[str | None]):
    """A framed pane in the middle of the screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        # Tab would look for something to focus; here is only one thing.
        Binding("tab,shift+tab", "nothing", show=False)
    ]

    def __init__(self, title: str) -> None:
        super().__init__()
        self._heading = narrow(title)
        self._pane = Pane("dialog", self._draw, self._clicked)

    def compose(self) -> ComposeResult:
        self._pane.border_title = self._heading
        yield self._pane

    def on_mount(self) -> None:
        self._fit()

    def on_resize(self) -> None:
        self._fit()

    def _fit(self) -> None:
        lines = self._lines()
        screen_width, screen_height = self.app.size
        widest = max([line.cell_len for line in lines] + [cell_len(self._heading) + 2], default=0)
        self._pane.styles.width = min(screen_width, widest + BORDER)
        self._pane.styles.height = min(screen_height, len(lines) + 2)

    def _lines(self) -> list[Text]:
        raise NotImplementedError

    def _draw(self, width: int, height: int) -> list[Text]:
        return [clipped(line, width) for line in self._lines()][:height]

    def _clicked(self, x: int, y: int) -> None:
        del x, y

    def on_click(self, event: Click) -> None:
        event.stop()
        self.close(None)

    def close(self, value: str | None) -> None:
        """Once: of two keys typed at once, the second may come when we are gone already."""
        if self.is_current:
            self.dismiss(value)

    def action_nothing(self) -> None:
        pass


class Sheet(_Dialog):
    """Something to read; any key but those that scroll closes it."""

    def __init__(self, title: str, lines: Sequence[str], *, how: str = "") -> None:
        """`how` is said where there is more than the screen has rows for."""
        super().__init__(title)
        self._how = narrow(how)
        self._text = [narrow(line) for line in lines]
        self._first = 0

    def retell(self, lines: Sequence[str]) -> None:
        """Other lines in their place; where one has scrolled to stays."""
        self._text = [narrow(line) for line in lines]
        self._fit()
        self._pane.refresh()

    def _lines(self) -> list[Text]:
        """Folded under the second column of those that have two, as the help has."""
        width = self.app.size.width - BORDER
        found: list[str] = []
        for line in self._text:
            second = _SECOND_COLUMN.match(line)
            first = "" if second is None else second[0]
            indent = cell_len(first)
            pieces = folded(line[len(first) :], width - indent, indent=0)
            found += [(first if i == 0 else " " * indent) + piece for i, piece in enumerate(pieces)]
        return [Text(line) for line in found]

    def _fit(self) -> None:
        super()._fit()
        hidden = len(self._lines()) + 2 > self.app.size.height
        self._pane.border_subtitle = self._how if hidden else ""

    def _draw(self, width: int, height: int) -> list[Text]:
        lines = self._lines()
        self._first = max(0, min(self._first, len(lines) - height))
        return [clipped(line, width) for line in lines[self._first : self._first + height]]

    def takes(self, event: Key) -> bool:
        """Has the key another use here than to close it?"""
        del event
        return False

    def on_key(self, event: Key) -> None:
        event.stop()
        if self.takes(event):
            return
        step = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10}.get(event.key)
        if step is None:
            self.close(None)
        else:
            self._first += step
            self._pane.refresh()

    def on_mouse_scroll_down(self) -> None:
        self._first += 3
        self._pane.refresh()

    def on_mouse_scroll_up(self) -> None:
        self._first = max(0, self._first - 3)
        self._pane.refresh()


@frozen
class Entry:
    """One thing to choose, and the key that does so at once."""

    value: str
    text: str
    key: str = ""
    is_now: bool = False
    """It is how things are already."""


class Choices(_Dialog):
    """Something to choose: by its key, by the arrows and Enter, or by a click."""

    def __init__(self, title: str, entries: Sequence[Entry], *, note: str = "") -> None:
        super().__init__(title)
        self._entries = list(entries)
        self._note = narrow(note)
        self._at = next((i for i, one in enumerate(entries) if one.is_now), 0)

    def _lines(self) -> list[Text]:
        lines = []
        for i, entry in enumerate(self._entries):
            line = Text(">" if i == self._at else " ", style=GOLD)
            line.append(f" {entry.key or ' '}  ", style=FAINT)
            line.append(narrow(entry.text), style="bold reverse" if i == self._at else "")
            if entry.is_now:
                line.append(" *", style=GOLD)
            lines.append(line)
        if self._note:
            lines += [Text(), Text(self._note, style=FAINT)]
        return lines

    def _clicked(self, x: int, y: int) -> None:
        if y < len(self._entries):
            self.close(self._entries[y].value)

    def on_key(self, event: Key) -> None:
        event.stop()
        typed = key_of(event.character or "")
        for entry in self._entries:
            if entry.key and typed == entry.key:
                self.close(entry.value)
                return
        match event.key:
            case "up" | "down":
                step = 1 if event.key == "down" else -1
                self._at = (self._at + step) % len(self._entries)
                self._pane.refresh()
            case "enter":
                self.close(self._entries[self._at].value)
            case "escape":
                self.close(None)
            case _:
                pass
