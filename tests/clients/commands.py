"""The `guandan` command as a user has it: processes with an environment and files of their own.

ended = commands.run("play", typed="start\nquit\n")
ended.code, ended.out, ended.err
"""

from __future__ import annotations

import contextlib
import os
import queue
import re
import subprocess
import sys
import tempfile
import threading
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path
from unittest.mock import patch

from attrs import frozen

from guandan_cli.main import main

GUANDAN = str(Path(sys.executable).with_name("guandan"))
WAIT_S = 20
"""A time-out of waits."""


@frozen
class Ended:
    """What a command left behind."""

    code: int
    out: list[str]
    err: list[str]

    @property
    def room(self) -> str:
        """The room that it said it was in."""
        found = re.search(r"Room ([A-Z0-9]+)", "\n".join(self.out))
        assert found is not None, self
        return found[1]


class Commands:
    """One user."""

    def __init__(self, address: str, home: Path) -> None:
        self.address = address
        self.home = home
        self.environment = {
            **{name: value for name, value in os.environ.items() if name in ("PATH", "LANG")},
            "HOME": str(home),
            "XDG_STATE_HOME": str(home / "state"),
            "GUANDAN_SERVER": address,
            "GUANDAN_LANG": "en",
            "GUANDAN_NAME": "Ann",
            "PYTHONUTF8": "1",
        }

    def run(self, *arguments: str, typed: str = "", **environment: str) -> Ended:
        """A command from beginning to end, in this very process: ten times as quick."""
        with ExitStack() as stack:
            stack.enter_context(patch.dict(os.environ, self.environment | environment, clear=True))
            script = stack.enter_context(tempfile.TemporaryFile("w+", encoding="utf-8"))
            script.write(typed)
            script.seek(0)
            stack.enter_context(patch.object(sys, "stdin", script))
            out, err = [TextIOWrapper(BytesIO(), encoding="utf-8") for _ in range(2)]
            stack.enter_context(redirect_stdout(out))
            stack.enter_context(redirect_stderr(err))
            code = main(arguments)
            return Ended(code, _lines(out), _lines(err))

    def spawn(self, *arguments: str, typed: str = "", **environment: str) -> Ended:
        """A command from beginning to end, in a process of its own."""
        ran = subprocess.run(
            [GUANDAN, *arguments],
            input=typed,
            capture_output=True,
            text=True,
            timeout=WAIT_S,
            check=False,
            env=self.environment | environment,
        )
        return Ended(ran.returncode, ran.stdout.splitlines(), ran.stderr.splitlines())

    def start(self, *arguments: str) -> Program:
        """A command that goes on, with its input open."""
        return Program([GUANDAN, *arguments], self.environment)

    def seats(self) -> list[Path]:
        """The files of the seats that are kept."""
        folder = self.home / "state" / "guandan" / "seats"
        return sorted(folder.iterdir()) if folder.exists() else []


def _lines(stream: TextIOWrapper) -> list[str]:
    stream.seek(0)
    return stream.read().splitlines()


class Program:
    """A running command: `with` ends it, whatever happens."""

    def __init__(self, arguments: list[str], environment: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            arguments,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(timeout=WAIT_S)
        self._reader.join(timeout=WAIT_S)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            with contextlib.suppress(BrokenPipeError):
                stream.close()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.rstrip("\n"))
        self._lines.put(None)

    def until(self, text: str) -> list[str]:
        """What it prints up to the line with a text in it."""
        lines: list[str] = []
        while True:
            line = self._lines.get(timeout=WAIT_S)
            assert line is not None, f"{text!r} was never printed: {lines}"
            lines.append(line)
            if text in line:
                return lines

    def rest(self) -> list[str]:
        """What it prints until it ends."""
        lines: list[str] = []
        while (line := self._lines.get(timeout=WAIT_S)) is not None:
            lines.append(line)
        return lines

    def type(self, *lines: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("".join([f"{line}\n" for line in lines]))
        self.process.stdin.flush()

    def ended(self) -> tuple[int, str]:
        """How it ends by itself, and its last words."""
        assert self.process.stderr is not None
        return self.process.wait(timeout=WAIT_S), self.process.stderr.read()
