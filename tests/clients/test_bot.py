"""`guandan bot` against a real server."""

from __future__ import annotations

from tests.clients.commands import Commands


def test_bots_join_and_play(commands: Commands) -> None:
    with commands.start("play") as host:
        room = host.until("Type start")[0].split()[1]
        with commands.start("bot", "--join", room, "--count", "3", "--level", "random") as bots:
            for seat in (2, 3, 4):
                host.until(f"sits down at seat {seat}")
            host.type("start", "o 0.3", "wait hand")
            told = host.until("── Hand over: ")
            assert not any("a bot at seat" in line for line in told)
            bots.process.terminate()
            code, err = bots.ended()
            assert (code, bots.rest()) == (130, [])
            assert [line.split()[:4] for line in sorted(err.splitlines())] == [
                ["Bot", str(number), "has", "seat"] for number in (1, 2, 3)
            ]
            # They give their seats up, rather than keep the table waiting.
            for _ in range(3):
                host.until(": a bot at seat ")


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
