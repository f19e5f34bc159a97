"""`guandan rooms` and `guandan new`."""

import json

import pytest

from guandan_cli.rooms import rows
from guandan_cli.texts import texts
from guandan_protocol.messages import RoomLine, Stage
from tests.clients.commands import Commands

LINES = [
    RoomLine("K7QM2X", Stage.PLAYING, "house", 2, 2, 1, ("Ann", "李明")),
    RoomLine("ABCDEF", Stage.LOBBY, "national-2017", 1, 0, 0, ("a\x1b[2Jb",)),
]


def test_a_list_in_columns() -> None:
    assert rows(LINES, texts("en")) == [
        "Room    Stage    Rules          People  Bots  Watching  Names",
        "K7QM2X  playing  house          2       2     1         Ann, 李明",
        "ABCDEF  lobby    national-2017  1       0     0         a?[2Jb",
    ]
    assert rows(LINES, texts("zh"))[1].startswith("K7QM2X  在打  house")


def test_no_rooms() -> None:
    assert rows([], texts("en")) == ["No public room is open; guandan play --public opens one."]


def test_a_new_public_room_is_in_the_list(commands: Commands) -> None:
    new = commands.run("new", "--public", "--rules", "house")
    assert (new.code, new.err) == (0, [])
    assert new.out[0] == f"Room {new.room}"
    assert new.out[1].endswith(f"guandan play {new.room} --server {commands.address}")
    listed = [json.loads(line) for line in commands.run("rooms", "--json").out]
    (line,) = [line for line in listed if line["room"] == new.room]
    assert list(line) == ["room", "stage", "preset", "people", "bots", "watchers", "names"]
    assert (line["preset"], line["people"], line["names"]) == ("house", 1, ["Ann"])
    assert any(line.startswith(new.room) for line in commands.run("rooms").out)
    private = commands.run("new")
    assert not any(line.startswith(private.room) for line in commands.run("rooms").out)


def test_a_new_room_s_seat_is_ours(commands: Commands) -> None:
    new = json.loads(commands.run("new", "--json").out[0])
    assert list(new) == ["room", "seat", "server", "link", "resume"]
    assert not any("token" in key for key in new)
    back = commands.run(*new["resume"].split()[1:], typed="quit\n")
    assert back.out[0] == f"Room {new['room']} · you have seat 1"


def test_a_seat_that_cannot_be_stored_is_no_success(commands: Commands) -> None:
    blocked = commands.home / "file"
    blocked.write_text("")
    ended = commands.run("new", XDG_STATE_HOME=str(blocked))
    assert ended.code == 1
    assert ended.err[0].startswith("guandan: The seat's token could not be stored (")


@pytest.mark.parametrize("command", ["rooms", "new"])
@pytest.mark.parametrize(
    ("server", "code", "says"),
    [
        ("ws://127.0.0.1:1", 5, "No connection to ws://127.0.0.1:1"),
        ("ftp://127.0.0.1", 2, "no address of a server"),
    ],
)
def test_no_server_is_one_line(
    commands: Commands, command: str, server: str, code: int, says: str
) -> None:
    ended = commands.run(command, "--server", server)
    assert (ended.code, ended.out) == (code, [])
    (line,) = ended.err
    assert says in line
