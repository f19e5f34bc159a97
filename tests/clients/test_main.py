"""How the command line is read, and how every command ends."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from guandan_cli import judge as judging
from guandan_cli.exits import Failure
from guandan_cli.main import COMMANDS, command_line, main
from tests.clients.commands import GUANDAN, Commands


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("guandan 0.")


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"]])
def test_the_help_names_every_command(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 0
    out = capsys.readouterr().out
    assert [name for name in COMMANDS if name not in out] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_help_with_an_example(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([name, "--help"]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    assert f"Usage: guandan {name}" in said.out
    assert "For example:" in said.out
    assert f" guandan {name}" in said.out.split("For example:")[1]


def test_the_help_of_all_imports_none_of_them() -> None:
    code = "import sys; from guandan_cli.main import main; main(['--help']); print(*sys.modules)"
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    modules = set(ran.stdout.splitlines()[-1].split())
    assert not [m for m in modules if m.startswith(("guandan_server", "guandan_engine", "redis"))]
    assert "websockets" not in modules
    assert "textual" not in modules


def test_a_reader_that_has_gone_is_no_fault() -> None:
    read, write = os.pipe()
    os.close(read)
    ran = subprocess.run(
        [GUANDAN, "completion", "bash"],
        stdout=write,
        stderr=subprocess.PIPE,
        timeout=60,
        check=False,
    )
    os.close(write)
    assert (ran.returncode, ran.stderr) == (0, b"")


def test_only_who_shows_the_full_screen_waits_for_it() -> None:
    names = ("play", "watch", "replay", "rooms", "alone", "doctor")
    code = "import sys, " + ", ".join([f"guandan_cli.{name}" for name in names])
    ran = subprocess.run(
        [sys.executable, "-c", f"{code}; print(*sys.modules)"],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert "textual" not in ran.stdout.split()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["dance"], "dance"),
        (["judge"], "FILE"),
        (["judge", "a", "b"], "b"),
        (["judge", "-", "--chek"], "--chek"),
        (["judge", "--chek"], "no such option: --chek"),
        (["serve", "--port", "x"], "--port"),
        (["serve", "--port", "65536"], "--port"),
        (["serve", "--port", "-1"], "--port"),
        (["serve", "--log-level", "loud"], "--log-level"),
        (["watch"], "which table"),
        (["bot"], "--join"),
        (["bot", "--join", "ABCDEF", "--level", "genius"], "genius"),
        (["bot", "--join", "ABCDEF", "--count", "5"], "--count"),
        (["bot", "--join", "ws://127.0.0.1:1"], "--join"),
        (["replay"], "FILE|CODE"),
        (["replay", "x", "--hand", "0"], "--hand"),
        (["verify", "x", "--match", "0"], "--match"),
    ],
)
def test_wrong_usage_is_one_line(commands: Commands, arguments: list[str], says: str) -> None:
    ended = commands.run(*arguments)
    assert (ended.code, ended.out) == (2, [])
    assert len(ended.err) == 1
    assert ended.err[0].startswith("guandan: ")
    assert says in ended.err[0]


def test_a_usage_error_names_the_help_that_helps(capsys: pytest.CaptureFixture[str]) -> None:
    main(["judge"])
    main(["dance"])
    first, second = capsys.readouterr().err.splitlines()
    assert first.endswith("(see guandan judge --help)")
    assert second.endswith("(see guandan --help)")


WHERE = " (-v shows where)"


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> list[BaseException]:
    """What the next `judge` raises."""
    raised: list[BaseException] = []

    def fail(*_: object, **__: object) -> int:
        raise raised.pop()

    monkeypatch.setattr(judging, "_judge_all", fail)
    monkeypatch.setattr(judging, "judged", fail)
    return raised


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (Failure(4, "all seats\nare taken"), 4, "guandan: all seats are taken"),
        (KeyboardInterrupt(), 130, ""),
        (
            ZeroDivisionError("division by zero"),
            1,
            "guandan: a fault of this program: ZeroDivisionError: division by zero" + WHERE,
        ),
    ],
)
def test_whatever_happens_is_one_line_and_a_code(
    failing: list[BaseException],
    capsys: pytest.CaptureFixture[str],
    error: BaseException,
    code: int,
    line: str,
) -> None:
    failing.append(error)
    assert main(["judge", os.devnull]) == code
    assert capsys.readouterr().err.strip() == line


def test_who_wants_to_see_a_fault_can(
    failing: list[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GUANDAN_TRACEBACK", "1")
    failing.append(ZeroDivisionError())
    with pytest.raises(ZeroDivisionError):
        main(["judge", os.devnull])


# Option, environment, default


def bound(*arguments: str) -> dict[str, object]:
    _, found, _ = command_line(arguments[0]).parse_args(arguments, exit_on_error=False)
    return dict(found.arguments)


def test_the_environment_stands_in_for_an_option(monkeypatch: pytest.MonkeyPatch) -> None:
    assert bound("serve") == {}
    monkeypatch.setenv("GUANDAN_PORT", "9000")
    monkeypatch.setenv("GUANDAN_DATA_DIR", "/srv/guandan")
    monkeypatch.setenv("GUANDAN_REQUIRE_DURABLE", "1")
    assert bound("serve") == {
        "port": 9000,
        "data_dir": Path("/srv/guandan"),
        "require_durable": True,
    }
    assert bound("serve", "--port", "9001")["port"] == 9001


def test_a_store_may_be_named_as_everywhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDIS_URL", "redis://there/0")
    assert bound("serve") == {"redis": "redis://there/0"}
    assert bound("serve", "--redis", "redis://here/0") == {"redis": "redis://here/0"}


def test_what_stands_without_a_name_is_not_in_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GUANDAN_FILE", "cases.jsonl")
    monkeypatch.setenv("GUANDAN_CODE", "ABCDEF")
    assert main(["judge"]) == 2
    assert "place" not in bound("play")


def test_options_may_be_repeated() -> None:
    found = bound("play", "--option", "a=1", "--option", "b=2", "ABCDEF")
    assert found == {"option": ("a=1", "b=2"), "place": "ABCDEF"}


def test_the_installed_command_is_this_one() -> None:
    ran = subprocess.run([GUANDAN, "nonsense"], capture_output=True, timeout=60, check=False)
    assert ran.returncode == 2
