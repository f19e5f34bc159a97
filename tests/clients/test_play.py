"""`guandan play` against a real server."""

from __future__ import annotations

import signal
import stat
import subprocess
from pathlib import Path

import pexpect
import pytest

from guandan_cli.address import invitation
from tests.clients.commands import GUANDAN, WAIT_S, Commands


def test_a_script_plays_a_whole_match(commands: Commands) -> None:
    script = "start\n!\no 0.3\nwait match\nrecord\nquit\n"
    ended = commands.run("play", "--plain", typed=script)
    assert (ended.code, ended.err) == (0, [])
    assert any("══ Match won: " in line for line in ended.out)
    checked = [line for line in ended.out if line.startswith("Deal checked")]
    hands = [line for line in ended.out if line.startswith("── Hand over")]
    assert len(checked) == len(hands) >= 5
    record = ended.out[ended.out.index(next(r for r in ended.out if r.startswith("  Hand  "))) :]
    assert len(record) == 1 + len(hands) + 1
    assert ended.out[-1].startswith(f"Come back at any time with: guandan play {ended.room}")


def test_coming_back_with_the_printed_command(commands: Commands) -> None:
    first = commands.run("play", typed="start\nwait\nquit\n")
    printed = first.out[-1].removeprefix("Come back at any time with: guandan ")
    again = commands.run(*printed.split(), typed="hand\nquit\n")
    assert again.code == 0
    assert again.out[0] == f"Room {first.room} · you have seat 1"

    def hand(lines: list[str]) -> list[str]:
        start = next(i for i, line in enumerate(lines) if line.startswith("Your hand (27)"))
        return lines[start : start + 3]

    assert hand(again.out) == hand(first.out)


def test_no_code_comes_back_to_the_last_seat(commands: Commands) -> None:
    first = commands.run("play", typed="quit\n")
    assert commands.run("play", "--resume", typed="quit\n").room == first.room


def test_the_token_is_in_a_private_file_and_nowhere_else(commands: Commands) -> None:
    ended = commands.run("play", typed="resume\nquit\n")
    (file,) = commands.seats()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    token = file.read_text().split('"token": "')[1][:64]
    assert len(token) == 64
    assert not any(token in line for line in ended.out + ended.err)
    # It can be brought from elsewhere, too.
    file.unlink()
    again = commands.run("play", ended.room, typed="quit\n", GUANDAN_TOKEN=token)
    assert again.out[0] == f"Room {ended.room} · you have seat 1"


def test_a_seat_that_cannot_be_stored_is_said(commands: Commands) -> None:
    blocked = commands.home / "file"
    blocked.write_text("")
    ended = commands.run("play", typed="quit\n", XDG_STATE_HOME=str(blocked))
    assert ended.code == 0
    assert ended.out[1].startswith("The seat's token could not be stored (")


def test_joining_by_code_by_link_and_at_a_seat(commands: Commands) -> None:
    room = commands.run("play", typed="quit\n").room
    second = commands.run("play", room.lower(), "--name", "Bo", typed="table\nquit\n")
    assert second.out[0] == f"Room {room} · you have seat 2"
    assert "You hold seat 1 of this room already; --resume goes back to it." in second.out
    assert second.out[-1].endswith("--resume --seat 2 --server " + commands.address)
    link = invitation(commands.address, room)
    fourth = commands.run(
        "play", link, "--seat", "4", typed="quit\n", GUANDAN_SERVER="ws://nowhere"
    )
    assert fourth.out[0] == f"Room {room} · you have seat 4"
    taken = commands.run("play", room, "--seat", "4")
    assert (taken.code, taken.err) == (4, ["guandan: somebody sits there"])
    third = commands.run("play", room, typed="quit\n")
    assert third.out[0] == f"Room {room} · you have seat 3"
    full = commands.run("play", room)
    assert (full.code, full.err) == (4, ["guandan: all four seats are taken; you can watch"])
    several = commands.run("play", room, "--resume")
    assert several.code == 2
    assert "add --seat N, one of 1, 2, 3" in several.err[0]
    back = commands.run("play", room, "--resume", "--seat", "3", typed="quit\n")
    assert back.out[0] == f"Room {room} · you have seat 3"


def test_another_seat_is_the_one_to_come_back_to(commands: Commands) -> None:
    ended = commands.run("play", typed="sit 3\nstart\nquit\n")
    assert f"Room {ended.room} · you have seat 3" in ended.out
    assert any(line.startswith("Your hand (27)") for line in ended.out)
    back = commands.run("play", ended.room, "--resume", "--seat", "3", typed="quit\n")
    assert back.out[0] == f"Room {ended.room} · you have seat 3"


def test_rules_and_settings_of_a_new_table(commands: Commands) -> None:
    ended = commands.run(
        "play", "--rules", "house", "--option", "a_max_misses=2", "--option", "tribute=false",
        "--clock", "30", "--pace", "0.3", typed="rules\nquit\n",
    )  # fmt: skip
    assert "rules: house · 30 s a move · bots take 0.3 s · private" in ended.out
    differing = [line.split()[0] for line in ended.out if " * " in line and line.startswith("  ")]
    assert differing == ["a_max_misses=2", "tribute=false"]


def test_leaving_gives_the_seat_up(commands: Commands) -> None:
    ended = commands.run("play", typed="start\nleave\nyes\n")
    assert (ended.code, ended.err) == (0, [])
    assert ended.out[-1] == "You have left the table."
    assert commands.seats() == []


def test_whoever_is_sent_away_is_told(commands: Commands) -> None:
    with commands.start("play") as host:
        room = host.until("Type start")[0].split()[1]
        with commands.start("play", room) as guest:
            guest.until("Type ready")
            host.until("sits down at seat 2")
            host.type("kick 2")
            assert guest.ended() == (4, "guandan: the seat was given up or taken away\n")
        assert len(commands.seats()) == 1
        host.type("quit")
        assert host.ended() == (0, "")


def test_a_second_terminal_takes_the_seat_over(commands: Commands) -> None:
    with commands.start("play") as first:
        room = first.until("Type start")[0].split()[1]
        second = commands.run("play", room, "--resume", typed="quit\n")
        assert second.code == 0
        assert first.ended() == (4, "guandan: another connection has taken this seat\n")
    assert len(commands.seats()) == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_keeps_the_seat(commands: Commands, number: signal.Signals) -> None:
    with commands.start("play") as program:
        program.until("Type start")
        program.process.send_signal(number)
        assert program.rest()[-1].startswith("Come back at any time with: ")
        assert program.ended() == (130, "")


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["ZZZZZZ"], 3, "there is no such room"),
        (["ZZZZZZ", "--resume"], 3, "No seat is stored for that"),
        (["--resume"], 3, "No seat is stored for that"),
        (["ZZZZZZ", "--token", "00" * 32], 3, "there is no such room"),
        (["ZZZZZZ", "--token", "00"], 2, "64 hexadecimal digits"),
        (["--token", "00" * 32], 2, "--token needs the CODE"),
        (["no/such/place"], 2, "neither a room's code nor a link"),
        (["--server", "ftp://x"], 2, "no address of a server"),
        (["--server", "ws://127.0.0.1:1"], 5, "No connection to ws://127.0.0.1:1"),
        (["--seat", "5"], 2, "--seat"),
        (["--clock", "1"], 2, "--clock"),
        (["--pace", "17"], 2, "--pace"),
        (["--rules", "moon"], 2, "--rules"),
        (["--option", "moon"], 2, "--option"),
        (["--option", "tribute=maybe"], 2, "--option: tribute"),
        (["--option", "must_play=2"], 2, "reserved"),
        (["ABCDEF", "--rules", "house"], 2, "leave out CODE"),
        (["--name", "x" * 25], 2, "--name"),
        (["--name", "a\nb"], 2, "--name"),
        (["--lang", "fr"], 2, "--lang"),
        (["ABCDEF", "more"], 2, "more"),
        (["--wings"], 2, "--wings"),
    ],
)
def test_what_cannot_be_is_one_line_and_a_code(
    commands: Commands, arguments: list[str], code: int, says: str
) -> None:
    ended = commands.run("play", *arguments)
    assert (ended.code, ended.out) == (code, [])
    assert len(ended.err) == 1
    assert ended.err[0].startswith("guandan: ")
    assert says in ended.err[0]


# A person at a terminal


@pytest.fixture
def person(commands: Commands) -> pexpect.spawn[str]:
    environment = {**commands.environment, "TERM": "xterm"}
    return pexpect.spawn(
        GUANDAN,
        ["play", "--plain"],
        env=environment,
        encoding="utf-8",
        timeout=WAIT_S,
        dimensions=(24, 80),
    )


def test_a_person_is_prompted_and_answered(person: pexpect.spawn[str]) -> None:
    person.expect_exact("Type start to deal")
    person.expect_exact("\r\n> ")
    person.sendline("start")
    person.expect_exact("Your lead. Type cards; h gives hints.\r\n> ")
    person.sendline("h")
    person.expect_exact("  1. ")
    person.sendline("!")
    person.expect_exact("you: ")
    person.expect_exact("\r\n> ")
    person.sendeof()
    person.expect(r"Come back at any time with: \S*guandan play ")
    person.expect(pexpect.EOF)
    person.close()
    assert person.exitstatus == 0


def test_a_line_is_corrected_and_one_before_recalled(person: pexpect.spawn[str]) -> None:
    person.expect_exact("\r\n> ")
    person.send("tabble\x1b[D\x1b[D\x1b[D\x7f\r")
    person.expect_exact("1 and 3 play against 2 and 4.")
    person.send("rules\r")
    person.expect_exact("Settings: ")
    person.send("\x1b[A\x1b[A\r")
    person.expect_exact("> table\r\n")
    person.expect_exact("1 and 3 play against 2 and 4.")
    person.sendeof()
    person.expect(pexpect.EOF)
    person.close()
    assert person.exitstatus == 0


def test_a_person_s_interrupt_is_an_orderly_end(person: pexpect.spawn[str]) -> None:
    person.expect_exact("\r\n> ")
    person.sendintr()
    person.expect(r"Come back at any time with: \S*guandan play ")
    person.expect(pexpect.EOF)
    person.close()
    assert person.exitstatus == 130


def test_chinese_by_the_locale(commands: Commands) -> None:
    del commands.environment["GUANDAN_LANG"]
    ended = commands.run("play", typed="帮助\n退出\n", LC_ALL="zh_CN.UTF-8")
    assert ended.code == 0
    assert ended.out[0].startswith("房间")
    assert ended.out[-1].startswith("随时可以回来：guandan play ")


def test_a_closed_input_is_an_ended_one(commands: Commands) -> None:
    ran = subprocess.run(
        ["/bin/sh", "-c", f"'{GUANDAN}' play <&-"], capture_output=True, text=True,
        timeout=WAIT_S, check=False, env=commands.environment,
    )  # fmt: skip
    assert ran.returncode == 0
    assert "Come back at any time" in ran.stdout


def test_files_work_as_input(commands: Commands, tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("start\n!\nquit\n")
    with script.open() as file:
        ran = subprocess.run(
            [GUANDAN, "play"], stdin=file, capture_output=True, text=True,
            timeout=WAIT_S, check=False, env=commands.environment,
        )  # fmt: skip
    assert ran.returncode == 0
    assert "\nyou: " in ran.stdout
