"""A look back at our own play, over the table while it is worked out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from textual.events import Key

from guandan_cli.lookback import LookBack, lines
from guandan_cli.tui.dialogs import Sheet
from guandan_cli.tui.keys import key_of
from guandan_protocol.messages import Stage

if TYPE_CHECKING:
    from guandan_cli.tui.app import TableApp

__all__ = ["ReviewSheet"]


class ReviewSheet(Sheet):
    """Asks for as long as it is open; the next match closes it."""

    def __init__(self, table: TableApp, look_back: LookBack) -> None:
        texts = table.words.texts
        super().__init__(texts("review.title"), [], how=texts("tui.more_how"))
        self._table = table
        self._look_back = look_back
        self._came_in = table.seen.scene.view.stage

    def on_mount(self) -> None:
        self.follow()
        self._table.later(self._look_back.run(self._came_in, self.follow))

    def on_unmount(self) -> None:
        self._look_back.stop()

    def follow(self) -> None:
        """Show what is known by now, and go when a match begins."""
        if not self.is_current:
            return
        is_on = self._table.seen.scene.view.stage is Stage.PLAYING
        if is_on and self._came_in is not Stage.PLAYING:
            self.close(None)
        else:
            self.retell(list(self._told()))

    def _told(self) -> Iterator[str]:
        seen = self._table.seen
        if seen.retry_s is not None or seen.scene.view.proposal is not None:
            yield from (self._table.banner(), "")
        yield from lines(self._look_back.looked, self._table.words)

    def takes(self, event: Key) -> bool:
        """What is proposed meanwhile is answered without closing it."""
        key = key_of(event.character or "")
        if self._table.seen.scene.view.proposal is None or key not in ("+", "-"):
            return False
        self._table.press(key)
        return True
