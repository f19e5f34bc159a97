"""`guandan watch` against a real server."""

from __future__ import annotations

from tests.clients.commands import WAIT_S, Commands, type_in, until


def test_a_watcher_sees_a_match_and_no_hand(commands: Commands) -> None:
    with commands.start("play") as player:
        room = until(player, "Type start")[0].split()[1]
        with commands.start("watch", room) as watcher:
            arrived = until(watcher, "rules: site")
            assert arrived[0] == f"Room {room} · you are watching"
            type_in(player, "start", "o 0.3", "wait match", "quit")
            seen = until(watcher, "══ Match won: ")
            out, err = watcher.communicate("record\nquit\n", timeout=WAIT_S)
            assert (watcher.returncode, err) == (0, "")
        player.communicate(timeout=WAIT_S)
    assert any(line.startswith("Deal checked: ") for line in out.splitlines() + seen)
    assert not any("Your hand" in line for line in seen)
    assert any(line.startswith("  Hand  Level") for line in out.splitlines())


def test_without_anybody_at_the_keyboard_it_goes_on(commands: Commands) -> None:
    with commands.start("play") as player:
        room = until(player, "Type start")[0].split()[1]
        with commands.start("watch", room) as watcher:
            until(watcher, "rules: site")
            assert watcher.stdin is not None
            watcher.stdin.close()
            type_in(player, "start", "!", "quit")
            until(watcher, "1 Ann: ")
            watcher.terminate()
            assert watcher.wait(timeout=WAIT_S) == 130
        player.wait(timeout=WAIT_S)


def test_a_room_that_there_is_not(commands: Commands) -> None:
    ended = commands.run("watch", "ZZZZZZ")
    assert (ended.code, ended.out) == (3, [])
    assert ended.err == ["guandan: there is no such room"]
