"""`guandan replay`, and where records come from."""

import io
import json
import sys
from pathlib import Path

import pytest

from guandan_cli.replay import told
from guandan_engine.options import rules
from guandan_engine.record import Record, read, write
from tests.clients.commands import Commands, Inside
from tests.clients.scenes import EN, ZH
from tests.engine.walks import walk


@pytest.fixture(scope="module")
def text() -> str:
    """A match played at random, with names that nobody should trust."""
    commands = tuple(step.command for step in walk(rules("house"), 5))
    record = Record(rules("house"), commands, names=("Ann", "", "李明", "Zoë"), preset="house")
    return write(record)


@pytest.fixture
def file(text: str, tmp_path: Path) -> Path:
    path = tmp_path / "match.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_match_in_words(inside: Inside, file: Path, text: str) -> None:
    ended = inside("replay", str(file))
    assert (ended.code, ended.err) == (0, [])
    assert ended.out[0] == "── Hand 1: playing 2 ──"
    assert ended.out[1].startswith("  1 Ann: ")
    assert len(ended.out[1].replace("big joker", "Y").replace("small joker", "X").split()) == 2 + 27
    assert any(line.startswith("══ Match won: ") for line in ended.out)
    hands = text.count("\nhand ")
    assert sum(line.startswith("── Hand over") for line in ended.out) == hands
    assert len([line for line in ended.out if line.startswith("  Hand  ")]) == 1
    assert ended.out[-1].split()[0] == str(hands)


def test_every_play_is_told_once(text: str) -> None:
    lines = [line for _, line in told(read(text), EN)]
    plays = [line for line in text.splitlines() if " = " in line]
    assert (
        len([line for line in lines if line.endswith("left)") or ": ♠" in line]) >= len(plays) // 2
    )
    chinese = [line for _, line in told(read(text), ZH)]
    assert len(chinese) == len(lines)


def test_one_hand(inside: Inside, file: Path) -> None:
    ended = inside("replay", str(file), "--hand", "2")
    assert ended.out[0].startswith("── Hand 2: playing ")
    assert sum(line.startswith("── Hand ") and "over" not in line for line in ended.out) == 1
    none = inside("replay", str(file), "--hand", "999")
    assert none.code == 3
    assert none.out == []
    assert none.err[0].startswith("guandan: The record has hands 1 to ")


def test_as_json(inside: Inside, file: Path) -> None:
    ended = inside("replay", str(file), "--json")
    events = [json.loads(line) for line in ended.out]
    assert events[0]["event"] == "hand_started"
    assert events[-1]["event"] == "hand_ended"
    assert events[-1]["match_won"] is True
    assert [event["hand"] for event in events] == sorted(event["hand"] for event in events)
    second = inside("replay", str(file), "--json", "--hand", "2")
    assert {json.loads(line)["hand"] for line in second.out} == {2}


def test_the_text_itself(inside: Inside, file: Path, text: str) -> None:
    assert inside("replay", str(file), "--raw").out == text.splitlines()


def test_from_standard_input(inside: Inside, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert inside("replay", "-").out[0] == "── Hand 1: playing 2 ──"


@pytest.mark.parametrize(
    ("written", "says"),
    [
        (b"", "line"),
        (b"nonsense\n", "line 1"),
        (b"\xff\xfe", "not UTF-8"),
        (b"guandan-record 2\n", "line 1"),
        (b"guandan-record 1\n\x1b[2J\n", "line 2"),
    ],
)
def test_what_is_no_record(inside: Inside, tmp_path: Path, written: bytes, says: str) -> None:
    file = tmp_path / "broken.txt"
    file.write_bytes(written)
    for command in ("replay", "verify"):
        ended = inside(command, str(file))
        assert (ended.code, ended.out) == (1, [])
        (line,) = ended.err
        assert says in line or written == b""
        assert "\x1b" not in line


def test_a_play_that_the_rules_forbid_ends_the_replay(
    inside: Inside, text: str, tmp_path: Path
) -> None:
    file = tmp_path / "forged.txt"
    first = next(line for line in text.splitlines() if line.startswith("1 "))
    file.write_text(text.replace(first, "1 pass", 1))
    ended = inside("replay", str(file))
    assert ended.code == 1
    assert ended.out[0] == "── Hand 1: playing 2 ──"
    assert "leader_must_play" in ended.err[0]


@pytest.mark.parametrize("command", ["replay", "verify"])
@pytest.mark.parametrize(
    ("source", "code", "says"),
    [
        ("none.txt", 3, "no such file"),
        ("folder/none", 3, "no such file"),
        ("ZZZZZZ", 3, "there is no record of that match"),
        ("http://127.0.0.1:1/r/ZZZZZZ", 5, "No connection to ws://127.0.0.1:1/ws"),
        ("ws://127.0.0.1:1", 2, "no file, and no link to a room"),
        ("!", 2, "neither a room's code nor a link"),
        ("a\x00b", 1, "null"),
    ],
)
def test_a_record_that_cannot_be_had(
    inside: Inside, command: str, source: str, code: int, says: str
) -> None:
    ended = inside(command, source)
    assert (ended.code, ended.out) == (code, [])
    (line,) = ended.err
    assert says in line


def test_a_match_of_the_server_s_is_fetched_replayed_and_verified(commands: Commands) -> None:
    room = commands.run("play", typed="start\no 0.3\nwait match\nquit\n").room
    raw = commands.run("replay", room, "--raw")
    assert raw.code == 0
    assert raw.out[0] == "guandan-record 1"
    told = commands.run("replay", room, "--match", "1")
    assert any(line.startswith("══ Match won: ") for line in told.out)
    verified = commands.run("verify", room)
    assert verified.code == 0
    assert verified.out[0].endswith("fit their seeds; every play is legal.")
    assert commands.run("verify", room, "--match", "2").code == 3
