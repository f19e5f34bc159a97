"""`guandan watch` against a real server."""

from __future__ import annotations

from tests.clients.commands import Commands


def test_a_watcher_sees_the_game_and_no_hand(commands: Commands) -> None:
    with commands.start("play") as player:
        room = player.until("Type start")[0].split()[1]
        with commands.start("watch", room) as watcher:
            arrived = watcher.until("rules: site")
            assert arrived[0] == f"Room {room} · you are watching"
            player.type("start", "o 0.3", "wait hand")
            seen = watcher.until("── Hand over: ")
            watcher.type("record", "quit")
            last = watcher.rest()
            assert watcher.ended() == (0, "")
    assert any(line.startswith("Deal checked: ") for line in seen + last)
    assert not any("Your hand" in line for line in seen)
    assert any(line.startswith("  Hand  Level") for line in last)


def test_without_anybody_at_the_keyboard_it_goes_on(commands: Commands) -> None:
    with commands.start("play") as player:
        room = player.until("Type start")[0].split()[1]
        with commands.start("watch", room) as watcher:
            watcher.until("rules: site")
            assert watcher.process.stdin is not None
            watcher.process.stdin.close()
            player.type("start", "!")
            watcher.until("1 Ann: ")
            watcher.process.terminate()
            assert watcher.ended() == (130, "")


def test_a_room_that_there_is_not(commands: Commands) -> None:
    ended = commands.run("watch", "ZZZZZZ")
    assert (ended.code, ended.out) == (3, [])
    assert ended.err == ["guandan: there is no such room"]
