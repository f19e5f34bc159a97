"""A line that is being typed: cursor, corrections, and the lines before it.

The keys are those of every shell. It only knows text: who reads keys and draws the line is in
`console`.
"""

from __future__ import annotations

import re
from typing import Final

from rich.cells import cell_len

__all__ = ["END", "Editor"]

HISTORY_MAX: Final = 200
LINE_CHARS_MAX: Final = 1000
END: Final = "\x04"
"""What `feed` gives for the end of the input: Ctrl-D on an empty line."""

_KEY: Final = re.compile(r"\x1b\[[0-9;]*[A-Za-z~]|\x1bO[A-Z]|\x1b.|.|\n", re.DOTALL)
_UNFINISHED: Final = re.compile(r"\x1b(\[[0-9;]*|O)?$")
_NAMES: Final = {
    "\x1b[D": "left", "\x1bOD": "left", "\x02": "left",
    "\x1b[C": "right", "\x1bOC": "right", "\x06": "right",
    "\x1b[A": "before", "\x1bOA": "before", "\x10": "before",
    "\x1b[B": "after", "\x1bOB": "after", "\x0e": "after",
    "\x1b[H": "home", "\x1bOH": "home", "\x1b[1~": "home", "\x01": "home",
    "\x1b[F": "end", "\x1bOF": "end", "\x1b[4~": "end", "\x05": "end",
    "\x7f": "back", "\x08": "back", "\x1b[3~": "delete", "\x04": "delete",
    "\x0b": "cut_end", "\x15": "cut_all", "\x17": "cut_word",
}  # fmt: skip


class Editor:
    """Takes keys as they come, in pieces of any size."""

    def __init__(self) -> None:
        self.text = ""
        self.cursor = 0
        self._history: list[str] = []
        self._at = 0
        """Where in the history the line is; its length for a new one."""
        self._rest = ""
        """The beginning of a key whose end has not come yet."""

    def feed(self, keys: str) -> list[str]:
        """The lines that these keys finish; `END` where the input ends."""
        keys = self._rest + keys
        unfinished = _UNFINISHED.search(keys)
        self._rest = unfinished.group() if unfinished else ""
        found = []
        for key in _KEY.findall(keys[: len(keys) - len(self._rest)]):
            if key in "\r\n":
                found.append(self._finish())
            elif key == END and not self.text:
                found.append(END)
            elif key in _NAMES:
                self._do(_NAMES[key])
            elif key.isprintable() and len(self.text) < LINE_CHARS_MAX:
                self.text = self.text[: self.cursor] + key + self.text[self.cursor :]
                self.cursor += 1
        return found

    def _finish(self) -> str:
        line, self.text, self.cursor = self.text, "", 0
        if line.strip() and self._history[-1:] != [line]:
            self._history = [*self._history, line][-HISTORY_MAX:]
        self._at = len(self._history)
        return line

    def _do(self, name: str) -> None:
        text, at = self.text, self.cursor
        match name:
            case "left":
                self.cursor = max(0, at - 1)
            case "right":
                self.cursor = min(len(text), at + 1)
            case "home":
                self.cursor = 0
            case "end":
                self.cursor = len(text)
            case "back" if at:
                self.text, self.cursor = text[: at - 1] + text[at:], at - 1
            case "delete":
                self.text = text[:at] + text[at + 1 :]
            case "cut_end":
                self.text = text[:at]
            case "cut_all":
                self.text, self.cursor = text[at:], 0
            case "cut_word":
                kept = text[:at].rstrip().rpartition(" ")
                start = len(kept[0] + kept[1])
                self.text, self.cursor = text[:start] + text[at:], start
            case "before" | "after":
                self._recall(-1 if name == "before" else 1)
            case _:
                pass

    def _recall(self, step: int) -> None:
        self._at = max(0, min(self._at + step, len(self._history)))
        new = self._at == len(self._history)
        self.text = "" if new else self._history[self._at]
        self.cursor = len(self.text)

    def shown(self, width: int) -> tuple[str, int]:
        """What of the line has room, and how many columns the cursor stands before its end."""
        before, after = self.text[: self.cursor], self.text[self.cursor :]
        while cell_len(before) > width:
            before = before[1:]
        while cell_len(before) + cell_len(after) > width:
            after = after[:-1]
        return before + after, cell_len(after)
