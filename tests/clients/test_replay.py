"""`guandan replay`, and where records come from."""

import json
from pathlib import Path

import pytest

from guandan_cli.replay import plain, told
from guandan_engine.events import Event, Played, TimedOut, TributePaid, TrickClosed, WentOut
from guandan_engine.notation import parse_cards, parse_reading
from guandan_engine.options import rules
from guandan_engine.record import Record, read, write
from guandan_engine.seats import Seat
from tests.clients.commands import Commands
from tests.clients.scenes import EN, ZH
from tests.engine.table import gift
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


def test_a_match_in_words(commands: Commands, file: Path, text: str) -> None:
    ended = commands.run("replay", str(file))
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
    english = [line for _, line in told(read(text), EN)]
    chinese = [line for _, line in told(read(text), ZH)]
    assert len(english) == len(chinese)
    passes = [line for line in text.splitlines() if line.endswith(" pass")]
    assert sum(line.endswith(": pass") for line in english) >= len(passes)
    assert sum(line.endswith("：不出") for line in chinese) >= len(passes)


def test_one_hand(commands: Commands, file: Path) -> None:
    ended = commands.run("replay", str(file), "--hand", "2")
    assert ended.out[0].startswith("── Hand 2: playing ")
    assert sum(line.startswith("── Hand ") and "over" not in line for line in ended.out) == 1
    none = commands.run("replay", str(file), "--hand", "999")
    assert none.code == 3
    assert none.out == []
    assert none.err[0].startswith("guandan: The record has hands 1 to ")


def test_as_json(commands: Commands, file: Path) -> None:
    ended = commands.run("replay", str(file), "--json")
    events = [json.loads(line) for line in ended.out]
    assert events[0]["event"] == "hand_started"
    assert events[-1]["event"] == "hand_ended"
    assert events[-1]["match_won"] is True
    assert [event["hand"] for event in events] == sorted(event["hand"] for event in events)
    second = commands.run("replay", str(file), "--json", "--hand", "2")
    assert {json.loads(line)["hand"] for line in second.out} == {2}


def test_the_text_itself(commands: Commands, file: Path, text: str) -> None:
    assert commands.run("replay", str(file), "--raw").out == text.splitlines()


def test_from_standard_input(commands: Commands, text: str) -> None:
    assert commands.run("replay", "-", typed=text).out[0] == "── Hand 1: playing 2 ──"


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
def test_what_is_no_record(commands: Commands, tmp_path: Path, written: bytes, says: str) -> None:
    file = tmp_path / "broken.txt"
    file.write_bytes(written)
    for command in ("replay", "verify"):
        ended = commands.run(command, str(file))
        assert (ended.code, ended.out) == (1, [])
        (line,) = ended.err
        assert says in line or written == b""
        assert "\x1b" not in line


def test_a_play_that_the_rules_forbid_ends_the_replay(
    commands: Commands, text: str, tmp_path: Path
) -> None:
    file = tmp_path / "forged.txt"
    first = next(line for line in text.splitlines() if line.startswith("1 "))
    file.write_text(text.replace(first, "1 pass", 1))
    ended = commands.run("replay", str(file))
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
    ],
)
def test_a_record_that_cannot_be_had(
    commands: Commands, command: str, source: str, code: int, says: str
) -> None:
    ended = commands.run(command, source)
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


# Events as plain data

NAMES = {
    *("hand_started", "opener_drawn", "tribute_resisted", "gift_chosen", "tribute_paid"),
    *("return_chosen", "cards_returned", "timed_out", "played", "passed", "went_out"),
    *("trick_closed", "hand_ended"),
}


def test_every_kind_of_event_becomes_json() -> None:
    names = set()
    table = rules("site", {"tribute_pick": "payer", "first_lead": "drawn_card"})
    for seed in range(40):
        for step in walk(table, seed, hands_max=4):
            for event in step.events:
                found = plain(event)
                assert json.loads(json.dumps(found)) == found
                names.add(found["event"])
        if names == NAMES:
            break
    assert names == NAMES


def test_keys_are_stable() -> None:
    play: Event = Played(Seat(2), parse_cards("S9 H9"), parse_reading("pair-9"))
    assert plain(play) == {
        "event": "played",
        "seat": 2,
        "cards": ["S9", "H9"],
        "reading": "pair-9",
    }
    assert plain(TributePaid((gift("4→1 SA"),))) == {
        "event": "tribute_paid",
        "gifts": [{"from": 4, "to": 1, "card": "SA"}],
    }
    assert plain(TrickClosed(Seat(1), Seat(3))) == {
        "event": "trick_closed",
        "winner": 1,
        "leader": 3,
        "jiefeng": True,
    }
    assert plain(TimedOut(Seat(1))) == {"event": "timed_out", "seat": 1}
    assert plain(WentOut(Seat(1), 2)) == {"event": "went_out", "seat": 1, "place": 2}
