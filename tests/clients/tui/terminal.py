"""The real program in a terminal of its own: what it draws is read back from an emulator.

with Terminal(["play"], environment) as terminal:
    terminal.until("YOUR LEAD")
    terminal.type("99\\r")
"""

from __future__ import annotations

import re
import signal
import subprocess
import time
from collections.abc import Callable, Mapping

import pexpect
import pyte

from tests.clients.commands import GUANDAN

__all__ = ["ENTER", "ESCAPE", "Terminal"]

WAIT_S = 150
"""A time-out of waits; the machine may have other things to do."""
ENTER = "\r"
ESCAPE = "\x1b"
QUIT = "\x11"
CONTROLS = re.compile(r"\x1b\[[?0-9;]*[a-zA-Z]|\x1b\][^\x07]*\x07")


class Terminal:
    """A program, and the screen that it draws on."""

    def __init__(
        self,
        arguments: list[str],
        environment: Mapping[str, str],
        *,
        size: tuple[int, int] = (80, 24),
    ) -> None:
        columns, rows = size
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self.raw = b""
        """All that was ever written."""
        self.program: pexpect.spawn[bytes] = pexpect.spawn(
            GUANDAN,
            arguments,
            env={**environment, "TERM": "xterm-256color"},
            dimensions=(rows, columns),
            timeout=WAIT_S,
            encoding=None,
        )

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        if self.program.isalive():
            # Killed and waited for: a busy machine may take a while to be rid of it.
            self.program.kill(signal.SIGKILL)
            self.program.wait()
        self.program.close(force=True)

    @property
    def lines(self) -> list[str]:
        return [line.rstrip() for line in self.screen.display]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def _read(self) -> bool:
        """Take in what was written; False at its end."""
        try:
            chunk = self.program.read_nonblocking(65536, timeout=0.2)
        except pexpect.TIMEOUT:
            return True
        except pexpect.EOF:
            return False
        self.raw += chunk
        self._stream.feed(chunk)
        return True

    def look(self) -> str:
        """What stands on the screen now."""
        before = -1
        while before != len(self.raw):
            before = len(self.raw)
            self._read()
        return self.text

    def until(self, *texts: str, gone: str | None = None) -> str:
        """Read until all these texts stand on the screen, and another one does not."""
        end = time.monotonic() + WAIT_S
        is_on = True
        while is_on:
            text = self.text
            if all(one in text for one in texts) and (gone is None or gone not in text):
                return text
            is_on = time.monotonic() < end and self._read()
        raise AssertionError(f"{texts} never stood on the screen:\n{self.text}")

    def until_so(self, condition: Callable[[], bool]) -> None:
        """Read on until something is so."""
        end = time.monotonic() + WAIT_S
        while not condition():
            assert time.monotonic() < end, f"it never is so:\n{self.text}"
            if not self._read():
                time.sleep(0.01)  # nobody writes any more

    def children(self) -> list[int]:
        """The processes that the program has started."""
        listed = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(self.program.pid)],
            capture_output=True,
            text=True,
            check=False,
        )
        return [int(pid) for pid in listed.stdout.split()]

    def type(self, keys: str) -> None:
        self.program.send(keys)

    def resize(self, columns: int, rows: int) -> None:
        self.screen.resize(rows, columns)
        self.program.setwinsize(rows, columns)

    def ended(self) -> tuple[int | None, str]:
        """The exit code, and what was printed after the screen was given back."""
        end = time.monotonic() + WAIT_S
        while self._read():
            assert time.monotonic() < end, f"it does not end:\n{self.text}"
        self.program.close()
        rest = self.raw.rpartition(b"\x1b[?1049l")[2].decode()
        return self.program.exitstatus, CONTROLS.sub("", rest)
