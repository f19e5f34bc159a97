"""The title of the window."""

import io
import os
import pty

import pytest

from guandan_cli.console import LineReader, Terminal
from guandan_cli.notes import QUIET_VARIABLE
from guandan_cli.title import has_title, title_kept, title_of
from tests.clients.parlour import Evening, Parlour
from tests.clients.scenes import EN, ZH, scene
from tests.clients.tui.screens import pair_of_nines


def test_a_terminal_has_a_title_unless_it_is_simple_or_quiet_is_wanted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w") as out:
        monkeypatch.setattr("sys.stdout", out)
        monkeypatch.delenv(QUIET_VARIABLE, raising=False)
        for term, has in (("xterm", True), ("dumb", False), ("", False)):
            monkeypatch.setenv("TERM", term)
            assert has_title() is has
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.setenv(QUIET_VARIABLE, "1")
        assert not has_title()
    os.close(ours)


def test_a_pipe_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stdout", io.StringIO())
    assert not has_title()


def test_it_says_whose_turn_it_is() -> None:
    assert title_of(scene(pair_of_nines()), EN) == "* Your turn, Guandan K7QM2X"
    assert title_of(scene(pair_of_nines()), ZH) == "* 轮到你，掼蛋 K7QM2X"
    assert title_of(scene(pair_of_nines(), seat=2), EN) == "Guandan K7QM2X"
    assert title_of(scene(pair_of_nines(), seat=None), EN) == "Guandan K7QM2X"


def test_it_is_put_back(capsys: pytest.CaptureFixture[str]) -> None:
    with title_kept(is_ours=True):
        assert capsys.readouterr().out == "\x1b[22;0t"
    assert capsys.readouterr().out == "\x1b]0;\x07\x1b[23;0t"
    with title_kept(is_ours=False):
        pass
    assert capsys.readouterr().out == ""


async def test_the_plain_table_says_it_turn_by_turn() -> None:
    parlour = Parlour(pair_of_nines().match)
    parlour.others_act = False
    async with Evening(parlour) as evening:
        await evening.type("hand")
        await evening.type("p")
        assert parlour.console.titles == ["* Your turn, Guandan K7QM2X", "Guandan K7QM2X"]


async def test_only_a_console_whose_title_is_ours_writes_it() -> None:
    read, write = os.pipe()
    try:
        for is_titled, written in ((True, "\x1b]0;a\x07\x1b]0;b\x07"), (False, "")):
            out = io.StringIO()
            reader = LineReader(read)
            with reader:
                terminal = Terminal(reader, out, is_person=True, is_titled=is_titled)
                for title in ("a", "a", "b"):
                    terminal.entitle(title)
            assert out.getvalue() == written
    finally:
        os.close(read)
        os.close(write)
