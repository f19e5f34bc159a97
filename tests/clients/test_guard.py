"""Who watches over the terminal; that it is given back stands in `tui/test_pty.py`."""

from __future__ import annotations

import subprocess

import pytest

from guandan_cli.guard import PUT_BACK, SCRIPT, Guard, guarded


def test_where_there_is_no_terminal_nobody_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    with guarded(full_screen=True) as guard:
        guard.begin()


def watched(said: bytes) -> bytes:
    """What the watcher writes after we have said that; its standard output is no terminal."""
    ran = subprocess.run(
        ["sh", "-c", SCRIPT, "guandan", "0:0", PUT_BACK],
        input=said,
        capture_output=True,
        timeout=60,
        check=False,
    )
    return ran.stdout


def test_the_screen_is_put_back_only_if_we_end_without_a_word() -> None:
    assert watched(b"") == b"", "killed before the screen was ours"
    assert watched(b"state\ndone\n") == b""
    written = watched(b"state\n")
    assert written.startswith(b"\x1b[?1000l\x1b[?1003l")
    assert b"\x1b]0;\x07\x1b[23;0t" in written
    assert b"\x1b[?1049l\x1b[?25h" in written


def test_a_watcher_that_is_gone_is_no_reason_to_end_the_game() -> None:
    with subprocess.Popen(["true"], stdin=subprocess.PIPE) as gone:
        gone.wait()
        guard = Guard("stty", gone)
        guard.begin()
        guard.end()


def test_who_never_began_says_nothing() -> None:
    """A first word would be taken for how the terminal is."""
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as heard:
        Guard("stty", heard).end()
        assert heard.stdout is not None
        assert heard.stdout.read() == b""
