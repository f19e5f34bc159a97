"""Lines in and lines out, without holding up the event loop."""

from __future__ import annotations

import asyncio
import codecs
import os
import select
import shutil
import threading
from collections.abc import AsyncIterator
from typing import Any, Final, Protocol, TextIO

from guandan_cli.editor import END, Editor
from guandan_cli.words import GLYPHS, LETTERS

__all__ = ["Console", "KeyReader", "LineReader", "Terminal", "suits_for"]

PROMPT: Final = "> "
WIPE: Final = "\r\x1b[K"
LINE_CHARS_MAX: Final = 1000
"""No command is longer; the rest of a longer line is thrown away."""
LINES_WAITING_MAX: Final = 64
"""A script's lines that are read ahead; the rest stays in its pipe."""
READ_BYTES: Final = 4096


class Console(Protocol):
    """Where a game is told and orders come from."""

    is_person: bool
    """Somebody types, rather than a script that has written its lines beforehand."""

    def say(self, *lines: str) -> None: ...

    def entitle(self, title: str) -> None:
        """Show this in the title of the window, if there is one."""

    @property
    def is_typing(self) -> bool:
        """Has somebody begun a line?"""
        ...

    def prompt(self) -> None:
        """Show that something may be typed now."""

    def lines(self) -> AsyncIterator[str]:
        """What is typed, until the input ends."""
        ...


class LineReader:
    """Lines of a file descriptor, read by a thread of its own: `with` starts and ends it.

    A thread, because the alternatives fail somewhere: the loop cannot watch a regular file, and
    making standard input non-blocking makes a terminal's output so, too, which then loses text. The
    thread waits in `select`, so that it can be told to end; it never touches `sys.stdin`, whose
    lock a thread still reading would hold while the program ends.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._room = threading.Semaphore(LINES_WAITING_MAX)
        self._wake_read, self._wake_write = os.pipe()
        self._ended = False
        self._thread = threading.Thread(target=self._run, name="lines", daemon=True)

    def __enter__(self) -> LineReader:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended = True
        os.write(self._wake_write, b".")
        self._room.release()
        self._thread.join()
        os.close(self._wake_read)
        os.close(self._wake_write)

    @property
    def waiting(self) -> int:
        """Lines that were read ahead."""
        return self._lines.qsize()

    def __aiter__(self) -> LineReader:
        return self

    async def __anext__(self) -> str:
        line = await self._lines.get()
        if line is None:
            self._lines.put_nowait(None)  # an input that has ended stays so
            raise StopAsyncIteration
        self._room.release()
        return line

    def _run(self) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        line = ""
        while chunk := self._read():
            *whole, line = (line + decoder.decode(chunk)).split("\n")
            for one in whole:
                if not self._pass_on(one):
                    return
            line = line[:LINE_CHARS_MAX]
        line += decoder.decode(b"", final=True)
        if line:
            self._pass_on(line)
        self._post(None)

    def _read(self) -> bytes:
        """The next bytes; nothing at the end of the input, or when told to end."""
        try:
            ready, _, _ = select.select([self._descriptor, self._wake_read], [], [])
            if self._wake_read in ready:
                return b""
            return os.read(self._descriptor, READ_BYTES)
        except (OSError, ValueError):  # a terminal that was hung up; no input at all
            return b""

    def _pass_on(self, line: str) -> bool:
        self._room.acquire()
        if not self._ended:
            self._post(line[:LINE_CHARS_MAX].rstrip("\r"))
        return not self._ended

    def _post(self, line: str | None) -> None:
        if not self._ended:
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)


class KeyReader(LineReader):
    """The same for a terminal whose keys are edited here: it hands on keys, not lines.

    While it reads, the terminal neither echoes nor waits for the end of a line; Ctrl-C stays what
    it is. `with` puts the terminal back.
    """

    def __init__(self, descriptor: int) -> None:
        super().__init__(descriptor)
        self._before: list[Any] = []

    def __enter__(self) -> KeyReader:
        import termios
        import tty

        self._before = termios.tcgetattr(self._descriptor)
        tty.setcbreak(self._descriptor)
        super().__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        import termios

        super().__exit__(*error)
        termios.tcsetattr(self._descriptor, termios.TCSADRAIN, self._before)

    def _run(self) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        while chunk := self._read():
            self._room.acquire()
            if self._ended:
                return
            self._post(decoder.decode(chunk))
        self._post(None)


class Terminal:
    """Standard input and output; with an editor, lines are edited here and can be recalled."""

    def __init__(
        self,
        reader: LineReader,
        out: TextIO,
        *,
        is_person: bool,
        editor: Editor | None = None,
        is_titled: bool = False,
    ) -> None:
        """An `editor` wants a `KeyReader`; `is_titled` is whether the window's title is ours."""
        self.is_person = is_person
        self._editor = editor
        self._reader = reader
        self._out = out
        self._prompted = False
        self._is_titled = is_titled
        self._title = ""

    @property
    def is_typing(self) -> bool:
        return self._editor is not None and bool(self._editor.text)

    def entitle(self, title: str) -> None:
        if self._is_titled and title != self._title:
            self._title = title
            self._out.write(f"\x1b]0;{title}\x07")
            self._out.flush()

    def say(self, *lines: str) -> None:
        if not lines:
            return
        self.wipe_prompt()
        self._out.write("\n".join(lines) + "\n")
        self._out.flush()
        if self._editor is not None and self._editor.text:
            self.prompt()  # what is being typed stands below what was said

    def wipe_prompt(self) -> None:
        """So that a line is a line; what is being typed stays typed."""
        if self._prompted:
            self._prompted = False
            self._out.write("\n" if os.environ.get("TERM") == "dumb" else WIPE)
            self._out.flush()

    def prompt(self) -> None:
        if self.is_person and not self._prompted:
            self._prompted = True
            self._draw()

    def _draw(self, *, over: str = "") -> None:
        """The prompt, and what is typed behind it; `over` wipes what stood there."""
        text, behind = "", 0
        if self._editor is not None:
            width = shutil.get_terminal_size().columns - len(PROMPT) - 1
            text, behind = self._editor.shown(max(1, width))
        self._out.write(f"{over}{PROMPT}{text}" + (f"\x1b[{behind}D" if behind else ""))
        self._out.flush()

    async def lines(self) -> AsyncIterator[str]:
        async for read in self._reader:
            if self._editor is None:
                self._prompted = False
                yield read
                continue
            for line in self._editor.feed(read):
                if line == END:
                    return
                self._out.write(f"{WIPE}{PROMPT}{line}\n")
                self._prompted = False
                yield line
            if self._prompted or self._editor.text:
                self._prompted = True
                self._draw(over=WIPE)


def suits_for(out: TextIO) -> str:
    """The suits that can be written there."""
    try:
        GLYPHS.encode(out.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return LETTERS
    return GLYPHS


def prepare(out: TextIO) -> None:
    """See to it that a name in a script that the terminal lacks becomes `?`, not an error."""
    reconfigure = getattr(out, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")


def is_person(stream: TextIO | None) -> bool:
    """Is that a terminal?"""
    if stream is None:
        return False
    try:
        return stream.isatty()
    except ValueError:  # closed
        return False
