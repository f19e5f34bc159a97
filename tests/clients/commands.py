"""The `guandan` command as a user has it: processes with an environment and files of their own.

ended = commands.run("play", typed="start\nquit\n")
ended.code, ended.out, ended.err
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from attrs import frozen

GUANDAN = str(Path(sys.executable).with_name("guandan"))
WAIT_S = 60
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
        """A command from beginning to end."""
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

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """A command that goes on, with its input open."""
        return subprocess.Popen(
            [GUANDAN, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=self.environment,
        )

    def seats(self) -> list[Path]:
        """The files of the seats that are kept."""
        folder = self.home / "state" / "guandan" / "seats"
        return sorted(folder.iterdir()) if folder.exists() else []


Inside = Callable[..., Ended]
"""Runs a command in this very process, which is quicker: for how it begins and ends."""


def until(program: subprocess.Popen[str], text: str) -> list[str]:
    """What a program prints up to the line with a text in it."""
    assert program.stdout is not None
    lines: list[str] = []
    for line in program.stdout:
        lines.append(line.rstrip("\n"))
        if text in line:
            return lines
    raise AssertionError(f"{text!r} was never printed: {lines}")


def type_in(program: subprocess.Popen[str], *lines: str) -> None:
    assert program.stdin is not None
    program.stdin.write("".join([f"{line}\n" for line in lines]))
    program.stdin.flush()
