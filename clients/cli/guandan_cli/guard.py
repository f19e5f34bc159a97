r"""A terminal that is given back even if this program is killed outright.

What has an end of its own puts the terminal back itself; SIGKILL, or the kernel when memory is
short, leaves no time for that. Then nothing that is typed is seen, and after the full screen the
mouse writes into the command line. Some shells mend half of it, others nothing. So a shell of our
own waits at a pipe that only we hold open: a word from us sends it home, an end without one means
that we are gone. It is in a session of its own, so that neither Ctrl-C nor a signal to all of us
reaches it.

Two other ways were weighed: to say at the next start how to mend it (too late, and nobody could
read it), and to leave it to `reset` (which has to be known, and typed blindly).
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from guandan_cli.console import is_person

__all__ = ["Guard", "guarded"]

SCRIPT: Final = """\
exec 3<&1
read -r ours || exit 0
read -r word && exit 0
[ "$(stty -g <&3)" = "$ours" ] && stty "$1" <&3
printf '%b' "$2"
"""
"""The first line is how the terminal is while we have it. If somebody has changed it since, as a
shell does that edits its own lines, it is theirs; what the screen was told is taken back anyway."""

PUT_BACK: Final = "".join(
    [
        *[f"\\033[?{mode}l" for mode in (1000, 1003, 1015, 1006, 1016, 1004, 2004, 2048)],
        "\\033[<u",  # the keyboard's extended reports
        "\\033]0;\\007\\033[23;0t",  # the window's title
        "\\033[?1049l\\033[?25h\\033[0m",  # the other screen, the cursor, colours
    ]
)
"""Everything that the full screen switches on, off; as `printf` writes it."""

STTY_S: Final = 5.0


class Guard:
    """Knows how the terminal was; one that has no terminal to guard does nothing."""

    def __init__(self, stty: str = "", waiting: subprocess.Popen[bytes] | None = None) -> None:
        self._stty = stty
        self._waiting = waiting
        self._begun = False

    def begin(self) -> None:
        """From now on the terminal is as we have made it."""
        self._begun = True
        self._tell(_state(self._stty) if self._waiting is not None else "")

    def end(self) -> None:
        """The terminal has been put back."""
        if self._begun:  # a first word would be taken for the terminal's state
            self._tell("done")
        if self._waiting is not None and self._waiting.stdin is not None:
            with contextlib.suppress(OSError):
                self._waiting.stdin.close()
            self._waiting.wait()

    def _tell(self, word: str) -> None:
        if self._waiting is not None and self._waiting.stdin is not None:
            # Somebody may have ended it, which is no reason to end the game.
            with contextlib.suppress(OSError):
                self._waiting.stdin.write(f"{word}\n".encode())
                self._waiting.stdin.flush()


@contextmanager
def guarded(*, full_screen: bool) -> Iterator[Guard]:
    """A guard for as long as the terminal is ours; `begin` says from when on it is."""
    guard = _guard(full_screen=full_screen)
    try:
        yield guard
    finally:
        guard.end()


def _guard(*, full_screen: bool) -> Guard:
    shell, stty = shutil.which("sh"), shutil.which("stty")
    if not (shell and stty and is_person(sys.stdin) and is_person(sys.stdout)):
        return Guard()
    try:
        terminal = os.open(os.ttyname(sys.stdin.fileno()), os.O_RDWR | os.O_NOCTTY)
    except OSError:  # a terminal without a name, as in some containers
        return Guard()
    try:
        before = _state(stty)
        if not before:
            return Guard()
        waiting = subprocess.Popen(
            [shell, "-c", SCRIPT, "guandan", before, PUT_BACK if full_screen else ""],
            stdin=subprocess.PIPE,
            stdout=terminal,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError:
        return Guard()
    finally:
        os.close(terminal)
    return Guard(stty, waiting)


def _state(stty: str) -> str:
    """How the terminal is, as `stty` takes it back; nothing if it does not say."""
    try:
        ran = subprocess.run(
            [stty, "-g"],
            stdin=sys.stdin,
            capture_output=True,
            text=True,
            timeout=STTY_S,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return ran.stdout.strip() if ran.returncode == 0 else ""
