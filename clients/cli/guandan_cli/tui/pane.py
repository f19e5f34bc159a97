"""A part of the screen that draws lines, and takes clicks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.text import Text
from textual.events import Click
from textual.widget import Widget

__all__ = ["Pane"]

Draw = Callable[[int, int], Sequence[Text]]
"""Lines for a width and a height."""


class Pane(Widget):
    """Shows what a function draws, and tells another where it was clicked."""

    def __init__(
        self, name: str, draw: Draw, clicked: Callable[[int, int], None] | None = None
    ) -> None:
        super().__init__(id=name)
        self._draw = draw
        self._clicked = clicked

    def render(self) -> Text:
        width, height = self.size
        lines = list(self._draw(width, height))[:height]
        return Text("\n", no_wrap=True, overflow="crop", end="").join(lines)

    def on_click(self, event: Click) -> None:
        if self._clicked is not None:
            event.stop()
            self._clicked(event.x, event.y)
