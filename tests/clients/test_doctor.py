"""The doctor finds what is missing, and says so in lines and in JSON."""

from __future__ import annotations

import json
import os
import resource
import socket
import stat
from pathlib import Path

import pytest

from guandan_bots import playout
from guandan_cli import doctor as practice
from guandan_cli import gauge
from guandan_cli.doctor import Health
from guandan_server.errors import NoStoreBinary
from tests.clients.commands import Commands
from tests.clients.tui.terminal import Terminal


def findings(commands: Commands, *arguments: str, **environment: str) -> dict[str, tuple[str, str]]:
    ended = commands.run("doctor", "--json", *arguments, **{"GUANDAN_PORT": "0"} | environment)
    assert ended.err == []
    found = [json.loads(line) for line in ended.out]
    assert all(list(one) == ["check", "health", "text"] for one in found)
    assert ended.code == int(any(one["health"] == "fail" for one in found))
    return {one["check"]: (one["health"], one["text"]) for one in found}


def test_a_sound_machine(commands: Commands) -> None:
    found = findings(commands, "--data-dir", str(commands.home / "data"))
    assert list(found) == [
        "versions", "store", "port", "data", "state", "clock", "play-outs", "config", "terminal",
    ]  # fmt: skip
    del found["play-outs"]  # which may be plain on a sound machine, too
    assert {check for check, (health, _) in found.items() if health != "ok"} == {"terminal"}
    assert "guandan-table " in found["versions"][1]
    assert "own store: version 9" in found["store"][1]


@pytest.mark.parametrize(("kind", "health"), [("compiled", "ok"), ("plain", "warn")])
def test_which_play_outs_are_in_use(
    commands: Commands, monkeypatch: pytest.MonkeyPatch, kind: str, health: str
) -> None:
    monkeypatch.setattr(playout, "kind", lambda: kind)
    found, text = findings(commands)["play-outs"]
    assert found == health
    assert text.startswith(kind)
    assert ("make fast" in text) is (kind == "plain")


def test_lines_are_for_people(commands: Commands) -> None:
    ended = commands.run("doctor", "--port", "0")
    assert ended.code == 0
    assert ended.out[0].startswith("ok    versions   Python 3.")


def test_a_taken_port(commands: Commands) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        health, text = findings(commands, "--port", str(port))["port"]
    assert health == "warn"
    assert f"127.0.0.1:{port}: " in text
    assert "is a server running?" in text


def test_no_store_at_all(commands: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    def find() -> Path:
        raise NoStoreBinary

    monkeypatch.setattr(practice, "find_binary", find)
    assert findings(commands)["store"][0] == "fail"


@pytest.mark.parametrize("url", ["redis://127.0.0.1:1/0", "nonsense://x"])
def test_a_store_that_does_not_answer(commands: Commands, url: str) -> None:
    assert findings(commands, REDIS_URL=url)["store"][0] == "fail"


def test_a_data_folder_that_others_can_read(commands: Commands) -> None:
    folder = commands.home / "data"
    folder.mkdir()
    folder.chmod(0o755)
    health, text = findings(commands, "--data-dir", str(folder))["data"]
    assert (health, "chmod 700" in text) == ("warn", True)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o755, "it only looks"


def test_a_data_folder_that_is_a_file(commands: Commands) -> None:
    file = commands.home / "file"
    file.write_text("")
    assert findings(commands, "--data-dir", str(file / "data"))["data"][0] == "fail"


def test_a_folder_without_room_is_a_fault_as_it_is_for_serve(
    commands: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = commands.home / "data"
    folder.mkdir()
    folder.chmod(0o755)  # which is only a warning, and must not hide it
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with monkeypatch.context() as patch:
        patch.setattr(practice, "FIRST_BYTES", 8192)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
        try:
            health, text = findings(commands, "--data-dir", str(folder))["data"]
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert health == "fail"
    assert text == f"{folder}: nothing can be written there: File too large"
    assert list(folder.iterdir()) == []
    assert findings(commands, "--data-dir", str(folder))["data"][0] == "warn"


def test_a_folder_with_little_room_is_a_warning(
    commands: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(practice, "FREE_BYTES_MIN", 2**80)
    assert findings(commands, "--data-dir", str(commands.home))["data"][0] == "warn"


def test_a_terminal_is_measured(commands: Commands) -> None:
    with Terminal(["doctor", "--port", "0"], commands.environment, size=(70, 20)) as terminal:
        # The emulator does not answer; a real terminal says how wide it draws.
        code, said = terminal.ended()
    assert code == 0
    assert "70 x 20, TERM=xterm-256color; the table is made for 80 x 24 and more" in " ".join(
        said.split()
    )
    assert "the terminal does not say how wide it draws" in " ".join(said.split())


def test_a_terminal_s_answer_is_read() -> None:
    ours, theirs = os.openpty()
    os.write(ours, b"x\x1b[12;3R\n")
    assert gauge.answer(theirs) == 3
    os.close(ours)
    os.close(theirs)


def test_the_healths_are_words() -> None:
    assert list(Health) == ["ok", "warn", "fail"]
