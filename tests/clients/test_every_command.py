"""Every command from outside, as a shell or a program has it: a process, its streams, its code.

The processes of a table are started together, for most of their time is a start.
"""

from __future__ import annotations

import json
import re
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import pytest
from attrs import frozen

from guandan_bots.policy import POLICIES
from guandan_cli.main import COMMANDS
from tests.clients.commands import GUANDAN, Commands, Ended
from tests.clients.tui.screens import RECORD

WAIT_S: Final = 120
"""A time-out of waits; the machine may have other things to do."""
AT_ONCE: Final = 4
HANDBOOK: Final = Path(__file__).parents[2] / "docs/terminal.md"
NOBODY: Final = "ws://127.0.0.1:9"
"""Nothing listens there."""
BEGINNER, SECOND, *_ = POLICIES
"""Levels of bots: those that take the least time."""


@frozen
class Case:
    """What is typed, and what comes of it."""

    typed: str
    code: int
    says: str

    @property
    def arguments(self) -> list[str]:
        return self.typed.replace("RECORD", str(RECORD)).replace("HERE", str(HANDBOOK)).split()


FAILURES: Final = [
    # Nobody there: 5
    *[
        Case(f"{typed} --server {NOBODY}", 5, "Connection refused")
        for typed in (
            *("play", "play ABCDEF", "watch ABCDEF", "rooms", "new", "bot --join ABCDEF"),
            *("replay ABCDEF", "verify ABCDEF", "load --rooms 1", "bridge --port 0"),
        )
    ],
    Case("bot --dialect njupt --url ws://127.0.0.1:9/game/x", 5, "Connection refused"),
    # What cannot be an address, or a code: 2
    Case("play http://", 2, "no address of a server"),
    Case("watch !!", 2, "neither a room's code nor a link"),
    Case("rooms --server ftp://x", 2, "no address of a server"),
    Case("new --server :::", 2, "no address"),
    Case("bot --join ?", 2, "neither a room's code nor a link"),
    Case("bridge --server ftp://x", 2, "no address of a server"),
    Case("load --server ftp://x", 2, "no address of a server"),
    Case("replay ftp://x/r/ABCDEF", 2, "no address of a server"),
    # A room that there is not: 3
    *[
        Case(f"{typed} ZZZZZZ", 3, "no such room")
        for typed in ("play", "watch", "watch --json", "bot --join", "bridge --port 0 --room")
    ],
    Case("replay ZZZZZZ", 3, "no record of that match"),
    Case("verify ZZZZZZ", 3, "no record of that match"),
    # A file that is not there, or is another one: 3, 1
    Case("replay nowhere.txt", 3, "no such file"),
    Case("verify nowhere.txt", 3, "no such file"),
    Case("judge nowhere.jsonl", 3, "no such file"),
    Case("replay HERE", 1, "expected guandan-record 1"),
    Case("replay --json HERE", 1, "expected guandan-record 1"),
    Case("verify HERE", 1, "expected guandan-record 1"),
    Case("verify --json HERE", 1, "expected guandan-record 1"),
    Case("replay ./", 1, "irectory"),
    Case("replay RECORD --hand 9", 3, "hands 1 to 2"),
    Case("--config nowhere.toml rooms", 3, "no such file"),
    Case("arena random random --log nowhere/log", 3, "No such file"),
    # Levels that there are not: 2
    *[
        Case(typed, 2, f"{BEGINNER}, {SECOND}")
        for typed in (
            *("arena random godlike", "bot --join ABCDEF --level godlike"),
            *("bridge --level godlike", "play --solo --bots godlike"),
        )
    ],
    # Other wrong usage: 2
    Case("dance", 2, "dance"),
    Case("play --bots basic", 2, "--solo"),
    Case("play ABCDEF --token 12", 2, "hexadecimal"),
    Case("play --option luck=1", 2, "luck"),
    Case("play --pace 7", 2, "--pace"),
    Case("new --rules mine", 2, "--rules"),
    Case("serve --port 99999", 2, "--port"),
    Case("doctor --port x", 2, "--port"),
    Case("completion tcsh", 2, "tcsh"),
    Case("rooms --color sometimes", 2, "--color"),
    Case("load --rooms 0", 2, "--rooms"),
    Case("arena random", 2, "two of them"),
    # Nothing to come back to: 3
    Case("play --resume", 3, "No seat is stored"),
    Case("play --continue", 3, "no solo match"),
]


@pytest.fixture(scope="module")
def user(address: str, tmp_path_factory: pytest.TempPathFactory) -> Commands:
    return Commands(address, tmp_path_factory.mktemp("user"))


def run(user: Commands, arguments: Sequence[str], **environment: str) -> Ended:
    try:
        ran = subprocess.run(
            [GUANDAN, *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=WAIT_S,
            check=False,
            cwd=user.home,
            env={**user.environment, "GUANDAN_HASTE": "1000", **environment},
        )
    except subprocess.TimeoutExpired:
        return Ended(-1, [], ["it does not end"])
    return Ended(ran.returncode, ran.stdout.splitlines(), ran.stderr.splitlines())


Results = Mapping[tuple[str, ...], Ended]


def all_of(user: Commands, lines: Sequence[Sequence[str]]) -> Results:
    with ThreadPoolExecutor(AT_ONCE) as pool:
        ended = pool.map(lambda arguments: run(user, arguments), lines)
        return dict(zip(map(tuple, lines), ended, strict=True))


# What goes wrong


@pytest.fixture(scope="module")
def failed(user: Commands) -> Results:
    return all_of(user, [case.arguments for case in FAILURES])


@pytest.mark.parametrize("case", FAILURES, ids=[case.typed for case in FAILURES])
def test_what_goes_wrong_is_one_line_and_a_code(failed: Results, case: Case) -> None:
    ended = failed[tuple(case.arguments)]
    assert (ended.code, ended.out) == (case.code, [])
    said = [line for line in ended.err if line.startswith("guandan: ")]
    assert len(said) == 1, ended.err
    assert ended.err[-1] == said[0]
    assert case.says in said[0]
    assert "Errno" not in said[0]
    assert "Traceback" not in "\n".join(ended.err)


def test_a_full_table_refuses(user: Commands) -> None:
    room = json.loads(run(user, ["new", "--json"]).out[0])["room"]
    bots = user.start("bot", "--join", room, "--count", "3", "--json")
    with bots:
        for _ in range(3):
            bots.until('"seat"')
        ended = run(user, ["bot", "--join", room])
        bots.process.send_signal(signal.SIGINT)
        assert bots.ended()[0] == 130
    assert (ended.code, ended.out) == (4, [])
    assert "taken" in ended.err[-1]


def test_a_bad_token_is_refused(user: Commands) -> None:
    room = json.loads(run(user, ["new", "--json"]).out[0])["room"]
    ended = run(user, ["play", room], GUANDAN_TOKEN="00" * 32)
    assert (ended.code, ended.out, len(ended.err)) == (4, [], 1)


# Help


@pytest.fixture(scope="module")
def helped(user: Commands) -> Results:
    return all_of(user, [[name, "--help"] for name in COMMANDS])


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_says_how_it_is_used(helped: Results, name: str) -> None:
    ended = helped[name, "--help"]
    text = "\n".join(ended.out)
    assert (ended.code, ended.err) == (0, [])
    assert f"Usage: guandan {name}" in text
    assert f"guandan {name}" in text.partition("For example:")[2]
    assert "\x1b" not in text, "no colours where nobody sees them"


def test_the_version(user: Commands) -> None:
    ended = run(user, ["--version"])
    assert (ended.code, ended.err) == (0, [])
    assert re.fullmatch(r"guandan \d+\.\d+\.\d+\S*", ended.out[0])


# Data for programs


def promised() -> dict[str, set[str]]:
    """The keys that the handbook names, by command or event."""
    section = HANDBOOK.read_text(encoding="utf-8").partition("## For programs\n")[2]
    section = section.partition("\n## ")[0]
    rows = re.findall(r"^\| `([a-z_ -]+)` \| (.*) \|$", section, re.MULTILINE)
    return {name: set(re.findall(r"`([a-z_0-9]+)`", keys)) for name, keys in rows}


def objects(lines: Sequence[str]) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in lines]
    assert all(isinstance(one, dict) for one in found)
    return found


WHOLE: Final = {
    "new": "new --json --public",
    "rooms": "rooms --json",
    "replay": "replay RECORD --json",
    "verify": "verify RECORD --json",
    "arena": f"arena {BEGINNER} {BEGINNER} --deals 1 --workers 1 --json",
    "arena --round-robin": f"arena --round-robin {BEGINNER} {SECOND} --deals 1 --workers 1 --json",
    "load": "load --json --rooms 1 --rate 5 --seconds 0.2",
    "doctor": "doctor --json --port 0",
}
"""Commands that end by themselves."""


@pytest.fixture(scope="module")
def said(user: Commands) -> Mapping[str, Ended]:
    run(user, ["new", "--public"])  # that there is a room to list
    lines = {name: Case(typed, 0, "").arguments for name, typed in WHOLE.items()}
    results = all_of(user, list(lines.values()))
    return {name: results[tuple(line)] for name, line in lines.items()}


@pytest.mark.parametrize("name", [name for name in WHOLE if name != "replay"])
def test_an_object_has_the_keys_that_the_handbook_names(
    said: Mapping[str, Ended], name: str
) -> None:
    ended = said[name]
    assert ended.code == 0, ended.err
    found = objects(ended.out)
    assert found
    assert all(set(one) == promised()[name] for one in found), found[0].keys()


def test_a_replay_names_its_events(said: Mapping[str, Ended]) -> None:
    ended = said["replay"]
    assert (ended.code, ended.err) == (0, [])
    check_events(objects(ended.out), least=10)


def check_events(found: Sequence[dict[str, Any]], *, least: int) -> None:
    keys = promised()
    for one in found:
        assert set(one) - {"event", "hand"} == keys[one["event"]], one
        assert {"event", "hand"} <= set(one)
    assert len({one["event"] for one in found}) >= least


def test_a_judge_answers_each_case(user: Commands) -> None:
    case = {"id": "A1", "op": "readings", "level": "2", "cards": "S9 H9"}
    file = user.home / "cases.jsonl"
    file.write_text(json.dumps(case) + "\n")
    ended = run(user, ["judge", str(file)])
    (answer,) = objects(ended.out)
    assert set(answer) <= promised()["judge"]
    assert answer["id"] == "A1"


def test_a_watcher_gets_every_event_and_ends_with_the_signal(user: Commands) -> None:
    room = json.loads(run(user, ["new", "--json"]).out[0])["room"]
    with user.start("watch", room, "--json") as watcher:
        watcher.until('"watching"')
        typed = "start\nautopilot 0.3\nwait hand\nquit\n"
        player = user.spawn("play", room, "--resume", "--plain", typed=typed)
        assert player.code == 0
        lines = watcher.until('"hand_ended"')
        watcher.process.send_signal(signal.SIGINT)
        assert watcher.ended() == (130, "")
    found = objects(lines)
    check_events(found, least=4)
    assert not any("own" in one or "hands" in one for one in found), "a watcher sees no hand"


@pytest.mark.parametrize("name", ["bot", "bridge"])
def test_what_goes_on_says_where_and_ends_with_the_signal(user: Commands, name: str) -> None:
    arguments = {
        "bot": ["--join", json.loads(run(user, ["new", "--json"]).out[0])["room"]],
        "bridge": ["--port", "0"],
    }
    with user.start(name, *arguments[name], "--json") as program:
        (line,) = program.until("{")
        assert set(json.loads(line)) == promised()[name]
        program.process.send_signal(signal.SIGINT)
        assert program.ended() == (130, "")


# Streams


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_player_in_lines_who_is_stopped_is_told_the_way_back(
    user: Commands, stop: signal.Signals
) -> None:
    with user.start("play", "--plain") as program:
        program.until("Type start to deal")
        program.process.send_signal(stop)
        rest = program.rest()
        assert program.ended() == (130, "")
    assert re.search(r"play [A-Z0-9]+ --resume", rest[-1])


LONG: Final = ("replay RECORD --json", "replay RECORD", "completion bash", "doctor --json --port 0")


@pytest.mark.parametrize("typed", LONG)
def test_a_reader_that_has_seen_enough_is_no_fault(user: Commands, typed: str) -> None:
    with subprocess.Popen(
        [GUANDAN, *Case(typed, 0, "").arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=user.environment,
    ) as program:
        assert program.stdout is not None
        assert program.stderr is not None
        program.stdout.readline()
        program.stdout.close()
        assert program.stderr.read() == b""
        assert program.wait(timeout=WAIT_S) == 0


def test_a_closed_standard_output_is_no_fault(user: Commands) -> None:
    ran = subprocess.run(
        ["sh", "-c", f"{GUANDAN} verify {RECORD} >&-; echo $?"],
        capture_output=True,
        text=True,
        env=user.environment,
        timeout=WAIT_S,
        check=False,
    )
    assert (ran.stdout, ran.stderr) == ("0\n", "")


@pytest.mark.parametrize(
    ("arguments", "environment", "coloured"),
    [
        (["--help"], {}, False),
        (["--help", "--color", "always"], {}, True),
        (["--color=always", "rooms", "--help"], {"NO_COLOR": "1"}, True),
        (["--help", "--color=never"], {"FORCE_COLOR": "1"}, False),
    ],
)
def test_colours_are_as_they_are_asked_for(
    user: Commands, arguments: list[str], environment: dict[str, str], *, coloured: bool
) -> None:
    ended = run(user, arguments, TERM="xterm-256color", **environment)
    assert ended.code == 0
    assert bool(re.search(r"\x1b\[[0-9;]*3\dm", "\n".join(ended.out))) is coloured


def test_a_record_may_come_through_a_pipe(user: Commands) -> None:
    ran = subprocess.run(
        ["bash", "-c", f"{GUANDAN} verify <(cat {RECORD}) --json"],
        capture_output=True,
        text=True,
        env=user.environment,
        timeout=WAIT_S,
        check=False,
    )
    assert (ran.returncode, json.loads(ran.stdout)["ok"]) == (0, True)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[subprocess.Popen[str]]:
    data = tmp_path_factory.mktemp("served")
    with subprocess.Popen(
        [GUANDAN, "serve", "--port", "0", "--data-dir", data, "--log-level", "error"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def test_a_server_says_where_it_is_and_ends_well_when_it_is_told_to(
    served: subprocess.Popen[str],
) -> None:
    assert served.stdout is not None
    assert served.stdout.readline().startswith("Serving at http://127.0.0.1:")
    served.send_signal(signal.SIGTERM)
    assert served.wait(timeout=WAIT_S) == 0
