"""The real program in a terminal, against a real server."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.clients.commands import GUANDAN, Commands
from tests.clients.tui.screens import RECORD
from tests.clients.tui.terminal import ENTER, ESCAPE, QUIT, Terminal

LOCAL_FLAGS = 3
"""Where they stand in what `tcgetattr` answers."""


def hand_of(text: str) -> list[str]:
    """The rows of the own hand."""
    rows = text.splitlines()
    return rows[-8:-2]


def test_a_match_is_played_to_its_end(commands: Commands) -> None:
    with Terminal(["play"], commands.environment) as terminal:
        terminal.until("Room ", "[Enter]  Start")
        terminal.type(ENTER)
        terminal.until("YOUR LEAD", "[Enter] Play")
        terminal.type("g")
        terminal.until("suggestion:", "[Enter]  Play: ")
        terminal.type(ENTER)
        terminal.until("2 Orchid", gone="suggestion:")
        terminal.type("o1")
        terminal.until("Match won: ", "[Enter]  Rematch")
        terminal.type("v")
        terminal.until("hands looked at")
        terminal.type(ESCAPE)
        terminal.until("[Enter]  Rematch", gone="hands looked at")
        terminal.type("r")
        terminal.until("Hand  Level", "match")
        terminal.type(ESCAPE + QUIT)
        code, said = terminal.ended()
    assert code == 0
    assert re.search(r"Come back at any time with: \S*guandan play [A-Z0-9]{6} --resume", said)


def title_of(terminal: Terminal) -> str:
    """Of the window; the emulator takes other reports for it, too."""
    titles: list[bytes] = re.findall(rb"\x1b]0;(.*?)\x07", terminal.raw)
    return titles[-1].decode()


def test_the_title_of_the_window_says_whose_turn_it_is(commands: Commands) -> None:
    with Terminal(["play"], commands.environment) as terminal:
        lobby = terminal.until("Room ", "[Enter]  Start")
        room = re.search(r"Room ([A-Z0-9]{6})", lobby)
        assert room is not None
        assert title_of(terminal) == f"Guandan {room[1]}"
        terminal.type(ENTER)
        terminal.until("YOUR LEAD", "[Enter] Play")
        terminal.until_so(lambda: title_of(terminal) == f"* Your turn, Guandan {room[1]}")
        terminal.type("o1")
        terminal.until("Autopilot, 0.3 s a move")
        terminal.until_so(lambda: title_of(terminal) == f"Guandan {room[1]}")
        terminal.type(QUIT)
        terminal.ended()
    kept, titled = terminal.raw.index(b"\x1b[22;0t"), terminal.raw.index(b"\x1b]0;Guandan")
    assert kept < titled < terminal.raw.index(b"\x1b]0;\x07\x1b[23;0t")


def test_whoever_wants_quiet_keeps_the_title(commands: Commands) -> None:
    with Terminal(["play", "--quiet"], commands.environment) as terminal:
        terminal.until("Room ", "[Enter]  Start")
        terminal.type(QUIT)
        assert terminal.ended()[0] == 0
    assert b"\x1b]0;" not in terminal.raw
    assert b"[22;0t" not in terminal.raw
    assert b"[23;0t" not in terminal.raw


def test_two_terminals_and_two_bots_finish_a_match(commands: Commands) -> None:
    with Terminal(["play", "--name", "Ann"], commands.environment) as ann:
        room = re.search(r"Room ([A-Z0-9]{6})", ann.until("Room ", "[Enter]  Start"))
        assert room is not None
        with Terminal(["play", room[1], "--name", "Bea"], commands.environment) as bea:
            ann.until("2  Bea")
            ann.type(ENTER)
            for terminal in (ann, bea):
                terminal.until("27 left", "[?] Help")
                terminal.type("o1")
                terminal.until("Autopilot, 0.3 s a move")
            ends = [one.until("Match won: ", "1st", "last") for one in (ann, bea)]
            finishes = [re.findall(r"(?:1st|2nd|3rd|last) +([1-4]) ", end) for end in ends]
            assert finishes[0] == finishes[1]
            assert sorted(finishes[0]) == ["1", "2", "3", "4"]
            won = ["Match won: us" in end for end in ends]
            assert sorted(won) == [False, True], "they sat against each other"
            for terminal in (bea, ann):
                terminal.type(QUIT)
                assert terminal.ended()[0] == 0


def test_the_terminal_is_resized_while_a_hand_is_played(commands: Commands) -> None:
    with Terminal(["play"], commands.environment) as terminal:
        terminal.until("[Enter]  Start")
        terminal.type(ENTER)
        small = terminal.until("YOUR LEAD", "[?] Help")
        assert "Still out (not played" not in small
        terminal.resize(120, 36)
        terminal.until("YOUR LEAD", "Still out (not played, not yours)", "-- Hand 1: playing 2 --")
        terminal.resize(60, 24)
        narrow = terminal.until("YOUR LEAD", gone="Still out (not played")
        assert max(map(len, narrow.splitlines())) <= 60
        terminal.type(QUIT)
        assert terminal.ended()[0] == 0


def test_a_chinese_locale_makes_a_chinese_table(commands: Commands) -> None:
    del commands.environment["GUANDAN_LANG"]
    environment = {**commands.environment, "LC_ALL": "zh_CN.UTF-8"}
    with Terminal(["play"], environment) as terminal:
        terminal.until("[Enter]  开始", "规则：休闲")
        terminal.type(ENTER)
        text = terminal.until("轮到你先出", "[?] 帮助")
        assert re.search(r"我方 2 +对方 2 +打2", text)
        terminal.type("c")
        terminal.until("还没出现的牌")
        terminal.type(QUIT)
        code, said = terminal.ended()
    assert code == 0
    assert "随时可以回来" in said


@contextmanager
def server(data: Path, port: int = 0) -> Iterator[tuple[subprocess.Popen[str], str]]:
    with subprocess.Popen(
        [GUANDAN, "serve", "--port", str(port), "--data-dir", data, "--log-level", "error"],
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("Serving at "), line
        try:
            yield process, line.split()[-1].replace("http://", "ws://")
        finally:
            process.kill()


def test_a_server_that_was_killed_comes_back_to_the_same_hand(tmp_path: Path) -> None:
    home = Commands("ws://nowhere", tmp_path)
    data = tmp_path / "data"
    with server(data) as (first, address):
        home.environment["GUANDAN_SERVER"] = address
        terminal = Terminal(["play"], home.environment)
        with terminal:
            terminal.until("[Enter]  Start")
            terminal.type(ENTER)
            before = terminal.until("YOUR LEAD", "[?] Help", "ms\n")
            first.send_signal(signal.SIGKILL)
            first.wait()
            terminal.until("Connection lost; trying again in ", "no link")
            with server(data, int(address.rpartition(":")[2])):
                terminal.type(ENTER)
                after = terminal.until("YOUR LEAD", gone="no link")
                assert hand_of(after) == hand_of(before)
                terminal.type("g")
                terminal.until("suggestion:")
                terminal.type(QUIT)
                assert terminal.ended()[0] == 0


@pytest.mark.parametrize(("ending", "code"), [("ctrl-c", 130), ("term", 130)])
def test_however_it_ends_the_terminal_is_given_back(
    commands: Commands, ending: str, code: int
) -> None:
    with Terminal(["play"], commands.environment) as terminal:
        terminal.until("[Enter]  Start")
        if ending == "ctrl-c":
            terminal.type("\x03")
        else:
            terminal.program.kill(signal.SIGTERM)
        status, said = terminal.ended()
        assert (status, b"\x1b[?1049l" in terminal.raw) == (code, True)
        assert "Come back at any time with: " in said


def test_a_seat_that_is_given_up_is_not_come_back_to(commands: Commands) -> None:
    with Terminal(["play"], commands.environment) as terminal:
        terminal.until("[Enter]  Start")
        terminal.type("mv")
        code, said = terminal.ended()
    assert (code, said.strip()) == (0, "You have left the table.")
    assert commands.seats() == []


def test_who_is_not_let_in_gets_one_line_and_no_screen(commands: Commands) -> None:
    with Terminal(["play", "ZZZZZZ"], commands.environment) as terminal:
        code, _ = terminal.ended()
        assert code == 3
        assert terminal.raw.decode().strip() == "guandan: there is no such room"


def test_a_watcher_sees_the_table(commands: Commands) -> None:
    with Terminal(["play"], commands.environment) as player:
        room = re.search(r"Room ([A-Z0-9]{6})", player.until("[Enter]  Start"))
        assert room is not None
        player.type(ENTER)
        player.until("YOUR LEAD")
        with Terminal(["watch", room[1]], commands.environment) as watcher:
            text = watcher.until("1+3 2", "1 Ann leads")
            assert "[Enter]" not in text
            player.type("g")
            player.until("suggestion:")
            player.type(ENTER)
            watcher.until("1 Ann  ", gone="1 Ann   27 left")
            watcher.type(QUIT)
            assert watcher.ended()[0] == 0


def test_a_record_is_gone_through(commands: Commands) -> None:
    with Terminal(["replay", str(RECORD)], commands.environment) as terminal:
        terminal.until("Hand 1 of 2, step 1 of 264")
        terminal.type("\x1b[C")
        terminal.until("step 2 of 264", "1 Ann: ")
        terminal.type("\x1b[6~")
        terminal.until("Hand 2 of 2, step 117 of 264")
        terminal.type("2")
        terminal.until("  W    3*")
        terminal.type(QUIT)
        assert terminal.ended()[0] == 0


def test_a_solo_match_is_gone_on_with(tmp_path: Path) -> None:
    home = Commands("ws://nowhere", tmp_path)
    environment = {**home.environment, "GUANDAN_HASTE": "1000"}
    with Terminal(["play", "--solo"], environment) as terminal:
        before = terminal.until("YOUR LEAD", "[?] Help")
        terminal.type(QUIT)
        code, said = terminal.ended()
    assert code == 0
    assert "play --solo --continue" in said
    with Terminal(["play", "--continue"], environment) as terminal:
        after = terminal.until("YOUR LEAD", "[?] Help")
        assert hand_of(after) == hand_of(before)
        terminal.type("g")
        terminal.until("suggestion:")
        terminal.type(ENTER)
        terminal.until("[?] Help", gone="suggestion:")
        terminal.type(QUIT)
        assert terminal.ended()[0] == 0
    left = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
    assert str(tmp_path) not in left.stdout


def test_without_colours_nothing_is_coloured(commands: Commands) -> None:
    environment = {**commands.environment, "NO_COLOR": "1"}
    with Terminal(["play"], environment) as terminal:
        terminal.until("[Enter]  Start")
        terminal.type(ENTER)
        terminal.until("YOUR LEAD")
        colours = {cell.fg for row in terminal.screen.buffer.values() for cell in row.values()} - {
            "default"
        }
        shades = {tuple(int(one[i : i + 2], 16) for i in (0, 2, 4)) for one in colours}
        assert all(red == green == blue for red, green, blue in shades)
        terminal.type(QUIT)
        terminal.ended()


def test_a_dumb_terminal_gets_lines(commands: Commands) -> None:
    terminal = Terminal(["play"], commands.environment)
    terminal.program.close(force=True)
    environment = {**commands.environment, "TERM": "dumb"}
    ran = subprocess.run(
        ["script", "-qec", f"{GUANDAN} play", os.devnull],
        input="quit\n",
        capture_output=True,
        text=True,
        env=environment,
        timeout=60,
        check=False,
    )
    assert "Type start to deal" in ran.stdout
    assert "\x1b[" not in ran.stdout


# Killed, which leaves no time to tidy up


@pytest.mark.parametrize("arguments", [["--plain"], []])
def test_a_killed_program_leaves_a_terminal_that_can_be_typed_at(
    commands: Commands, arguments: list[str]
) -> None:
    with Terminal(["play", *arguments], commands.environment) as terminal:
        before = termios.tcgetattr(terminal.program.child_fd)
        terminal.until("Room ")
        terminal.until("[Enter]  Start" if not arguments else "\n>")
        during = termios.tcgetattr(terminal.program.child_fd)
        assert not during[LOCAL_FLAGS] & termios.ECHO
        terminal.program.kill(signal.SIGKILL)
        terminal.until_so(lambda: termios.tcgetattr(terminal.program.child_fd) == before)
        if not arguments:
            terminal.until_so(lambda: b"\x1b[?1049l" in terminal.raw)
            assert b"\x1b[?1003l" in terminal.raw, "the mouse is let go"


def test_what_another_program_made_of_the_terminal_is_left_to_it(commands: Commands) -> None:
    with Terminal(["play", "--plain"], commands.environment) as terminal:
        terminal.until("Room ", "\n>")
        # As a shell does that edits its own lines.
        theirs = termios.tcgetattr(terminal.program.child_fd)
        theirs[LOCAL_FLAGS] &= ~termios.ISIG
        guard = terminal.children()
        assert guard, "somebody watches"
        termios.tcsetattr(terminal.program.child_fd, termios.TCSANOW, theirs)
        terminal.program.kill(signal.SIGKILL)
        terminal.until_so(lambda: not any(Path(f"/proc/{pid}").exists() for pid in guard))
        assert termios.tcgetattr(terminal.program.child_fd) == theirs


def test_nobody_is_left_watching_after_an_ordinary_end(commands: Commands) -> None:
    with Terminal(["play", "--plain"], commands.environment) as terminal:
        terminal.until("Room ", "\n>")
        guard = terminal.children()
        terminal.type("quit\r")
        assert terminal.ended()[0] == 0
        assert guard
        assert not any(Path(f"/proc/{pid}").exists() for pid in guard)


def test_how_the_table_is_liked_is_kept_for_the_next_time(commands: Commands) -> None:
    with Terminal(["play"], commands.environment) as terminal:
        terminal.until("[Enter]  Start")
        terminal.type(ENTER)
        terminal.until("YOUR LEAD", "[s] Sort: rank")
        terminal.type("ss")
        terminal.until("[s] Sort: combos")
        terminal.type("mt")
        terminal.until("[s] 理牌：牌型")
        terminal.type(QUIT)
        assert terminal.ended()[0] == 0
    del commands.environment["GUANDAN_LANG"]
    with Terminal(["play"], commands.environment) as terminal:
        terminal.until("[Enter]  开始")
        terminal.type(ENTER)
        terminal.until("轮到你先出", "[s] 理牌：牌型")
        terminal.type(QUIT)
        assert terminal.ended()[0] == 0
