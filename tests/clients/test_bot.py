"""`guandan bot` against a real server."""

from __future__ import annotations

import signal

from tests.clients.commands import WAIT_S, Commands, type_in, until


def test_bots_join_and_play_a_match(commands: Commands) -> None:
    with commands.start("play") as host:
        room = until(host, "Type start")[0].split()[1]
        with commands.start("bot", "--join", room, "--count", "3", "--level", "random") as bots:
            for number in (1, 2, 3):
                until(host, f"Bot {number}: sits down at seat")
            type_in(host, "start", "o 0.3", "wait match")
            told = until(host, "══ Match won: ")
            assert not any("a bot at seat" in line for line in told)
            bots.send_signal(signal.SIGTERM)
            out, err = bots.communicate(timeout=WAIT_S)
            assert bots.returncode == 130
            assert out == ""
            lines = sorted(err.splitlines())
            assert [line.split()[:4] for line in lines] == [
                ["Bot", str(number), "has", "seat"] for number in (1, 2, 3)
            ]
            # They give their seats up, rather than keep the table waiting.
            for _ in range(3):
                until(host, "is free.")
        host.communicate("quit\n", timeout=WAIT_S)
        assert host.returncode == 0


def test_there_may_be_no_seat(commands: Commands) -> None:
    room = commands.run("play", typed="quit\n").room
    for _ in range(3):
        commands.run("play", room, typed="quit\n")
    ended = commands.run("bot", "--join", room)
    assert (ended.code, ended.out) == (4, [])
    assert ended.err == ["guandan: all four seats are taken; you can watch"]


def test_there_may_be_no_room_and_no_server(commands: Commands) -> None:
    ended = commands.run("bot", "--join", "ZZZZZZ", "--count", "2")
    assert (ended.code, ended.err) == (3, ["guandan: there is no such room"])
    ended = commands.run("bot", "--join", "ZZZZZZ", GUANDAN_SERVER="ws://127.0.0.1:1")
    assert ended.code == 5
    assert ended.err[0].startswith("guandan: No connection to ws://127.0.0.1:1: ")
