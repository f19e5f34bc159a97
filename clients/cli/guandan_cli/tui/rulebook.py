"""The rules and settings of a table, to be looked at, and changed by the host before the match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final, TypeVar

from attrs import evolve, frozen
from rich.cells import cell_len
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Click, Key
from textual.screen import ModalScreen

from guandan_cli import sheets
from guandan_cli.tui.look import FAINT, GOLD, clipped, padded
from guandan_cli.tui.narrow import narrow
from guandan_cli.tui.pane import Pane
from guandan_cli.words import Words
from guandan_engine.options import OPTIONS, PRESETS, options_of
from guandan_protocol.messages import PACES_MS, Configure, Settings

__all__ = ["Draft", "Rulebook"]

V = TypeVar("V")

CLOCKS_S: Final = (None, 10, 15, 20, 30, 45, 60, 90, 120)
GRACES_S: Final = (10, 30, 60, 120, 300, 600)
PRESET_ORDER: Final = (
    "tournament",
    "house",
    *[n for n in PRESETS if n not in ("tournament", "house")],
)
"""The two that everybody asks about first."""


@frozen
class Draft:
    """What the table would be set to."""

    preset: str
    options: Mapping[str, object]
    """All of them, by name."""
    settings: Settings

    @classmethod
    def of(cls, preset: str, changes: Mapping[str, object], settings: Settings) -> Draft:
        usual = options_of(PRESETS.get(preset, PRESETS["site"]))
        return cls(preset, {**usual, **changes}, settings)

    def action(self) -> Configure:
        usual = options_of(PRESETS.get(self.preset, PRESETS["site"]))
        changes = {name: value for name, value in self.options.items() if usual[name] != value}
        return Configure(n=0, preset=self.preset, options=changes, settings=self.settings)

    def turned(self, row: str, step: int) -> Draft:
        """The next value of a row, or the one before it."""
        match row:
            case "preset":
                name = _next(PRESET_ORDER, self.preset, step)
                return Draft.of(name, {}, self.settings)
            case "clock_s":
                value = _next(CLOCKS_S, self.settings.clock_s, step)
                return evolve(self, settings=evolve(self.settings, clock_s=value))
            case "pace_ms":
                pace = _next(PACES_MS, self.settings.pace_ms, step)
                return evolve(self, settings=evolve(self.settings, pace_ms=pace))
            case "grace_s":
                grace = _next(GRACES_S, self.settings.grace_s, step)
                return evolve(self, settings=evolve(self.settings, grace_s=grace))
            case "hints":
                return evolve(self, settings=evolve(self.settings, hints=not self.settings.hints))
            case "counter":
                on = not self.settings.counter
                return evolve(self, settings=evolve(self.settings, counter=on))
            case "phrases":
                on = not self.settings.phrases
                return evolve(self, settings=evolve(self.settings, phrases=on))
            case _:
                value_ = _next(OPTIONS[row], self.options[row], step)
                return evolve(self, options={**self.options, row: value_})


def _next(values: Sequence[V], now: V, step: int) -> V:
    """The neighbour of a value; of one that is not among them the first."""
    if now not in values:
        return values[0]
    return values[(values.index(now) + step) % len(values)]


SETTINGS: Final = ("clock_s", "pace_ms", "grace_s", "hints", "counter", "phrases")
VALUES_WIDTH: Final = 34
"""Of the column of values; narrow screens have one that just fits them."""
ROWS: Final = ("preset", *OPTIONS, *SETTINGS)


class Rulebook(ModalScreen[Draft | None]):
    """Rows of rules and settings: up and down choose a row, left and right its value."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("tab,shift+tab", "nothing", show=False)]

    def __init__(self, draft: Draft, words: Words, *, may_change: bool) -> None:
        super().__init__()
        self._draft = draft
        self._words = words
        self._may_change = may_change
        self._at = 0
        self._first = 0
        self._pane = Pane("dialog", self._draw, self._clicked)

    def compose(self) -> ComposeResult:
        self._pane.border_title = self._words.texts("tui.rules_settings")
        how = "tui.rules_how" if self._may_change else "tui.close_how"
        self._pane.border_subtitle = self._words.texts(how)
        yield self._pane

    def on_mount(self) -> None:
        self._fit()

    def on_resize(self) -> None:
        self._fit()

    def _fit(self) -> None:
        width, height = self.app.size
        self._pane.styles.width = min(width, 78)
        self._pane.styles.height = min(height, len(ROWS) + 2)

    def _draw(self, width: int, height: int) -> list[Text]:
        self._first = max(min(self._first, self._at), self._at - height + 1)
        values = max(cell_len(self._value(row)) for row in ROWS) + 3
        column = VALUES_WIDTH if width > 2 * VALUES_WIDTH else min(VALUES_WIDTH, values)
        rows = [self._row(i, row, width, column) for i, row in enumerate(ROWS)]
        return rows[self._first : self._first + height]

    def _row(self, index: int, row: str, width: int, column: int) -> Text:
        texts = self._words.texts
        is_here = index == self._at and self._may_change
        name = texts("rules.preset") if row == "preset" else self._label(row)
        value = self._value(row)
        text = Text(">" if is_here else " ", style=GOLD)
        style = "bold reverse" if is_here else GOLD
        text.append_text(padded(Text(f" {value}", style=style), column))
        return clipped(text.append(" " + name, style="" if is_here else FAINT), width)

    def _label(self, row: str) -> str:
        texts = self._words.texts
        return texts(f"setting.{row}") if row in SETTINGS else texts(f"rule.{row}")

    def _value(self, row: str) -> str:
        texts, settings = self._words.texts, self._draft.settings
        match row:
            case "preset":
                return narrow(texts.named("preset", self._draft.preset))
            case "clock_s":
                none = texts("settings.no_clock")
                return none if settings.clock_s is None else f"{settings.clock_s} s"
            case "pace_ms":
                return f"{settings.pace_ms / 1000:g} s"
            case "grace_s":
                return f"{settings.grace_s} s"
            case "hints" | "counter" | "phrases":
                return texts("tui.on" if getattr(settings, row) else "tui.off")
            case _:
                value = self._draft.options[row]
                if isinstance(value, bool):
                    return texts("tui.on" if value else "tui.off")
                typed = sheets.option_text(value)
                return narrow(texts.table.get(f"value.{row}.{typed}", typed))

    def _turn(self, step: int) -> None:
        if self._may_change:
            self._draft = self._draft.turned(ROWS[self._at], step)
            self._pane.refresh()

    def _clicked(self, x: int, y: int) -> None:
        del x
        if self._first + y < len(ROWS):
            self._at = self._first + y
            self._turn(1)

    def on_key(self, event: Key) -> None:
        event.stop()
        match event.key:
            case "up" | "down":
                self._at = (self._at + (1 if event.key == "down" else -1)) % len(ROWS)
                self._pane.refresh()
            case "left" | "right":
                self._turn(1 if event.key == "right" else -1)
            case "enter":
                self.dismiss(self._draft if self._may_change else None)
            case "escape":
                self.dismiss(None)
            case _:
                pass

    def on_click(self, event: Click) -> None:
        event.stop()
        self.dismiss(None)

    def action_nothing(self) -> None:
        pass
