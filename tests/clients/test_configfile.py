"""Settings from a file stand below the environment and above the defaults."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from guandan_cli.configfile import Configured, config_path, taken_from
from guandan_cli.exits import Exit, Failure
from guandan_cli.main import COMMANDS, command_line
from tests.clients.commands import Commands


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config.toml"


def bound(file: Path, *arguments: str) -> dict[str, object]:
    app = command_line(arguments[0], Configured.read(file, COMMANDS))
    _, found, _ = app.parse_args(arguments, exit_on_error=False)
    return dict(found.arguments)


def test_what_stands_on_top_is_for_every_command_and_a_table_for_its_own(file: Path) -> None:
    file.write_text(
        'name = "Li"\n[serve]\nport = 9000\ntrusted-proxy = ["10.0.0.1", "10.0.0.2"]\n'
        "require_durable = true\n[play]\npace = 0.5\n"
    )
    assert bound(file, "serve") == {
        "port": 9000,
        "trusted_proxy": ("10.0.0.1", "10.0.0.2"),
        "require_durable": True,
    }
    assert bound(file, "play") == {"name": "Li", "pace": "0.5"}
    assert bound(file, "rooms") == {}


def test_the_command_line_and_the_environment_come_first(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text('name = "Li"\n[serve]\nport = 9000\n')
    monkeypatch.setenv("GUANDAN_PORT", "9001")
    monkeypatch.setenv("GUANDAN_NAME", "Bo")
    assert bound(file, "serve") == {"port": 9001}
    assert bound(file, "serve", "--port", "9002") == {"port": 9002}
    assert bound(file, "play") == {"name": "Bo"}


def test_a_table_before_a_general_setting(file: Path) -> None:
    file.write_text('server = "ws://a"\n[play]\nserver = "ws://b"\n')
    assert bound(file, "play") == {"server": "ws://b"}
    assert bound(file, "rooms") == {"server": "ws://a"}


@pytest.mark.parametrize(
    ("text", "says", "code"),
    [
        ("[dance]\n", "there is no command [dance]", Exit.USAGE),
        ("[serve]\nprot = 1\n", "serve has no option --prot", Exit.USAGE),
        ("port 9000\n", "line 1", Exit.USAGE),
        ('[serve]\nport = "x"\n', "port", Exit.USAGE),
    ],
)
def test_what_is_wrong_with_a_file_is_one_line(
    commands: Commands, file: Path, text: str, says: str, code: int
) -> None:
    file.write_text(text)
    ended = commands.run("serve", "--config", str(file))
    assert (ended.code, len(ended.err)) == (code, 1)
    assert says in ended.err[0]


def test_a_file_that_is_named_must_be_there(commands: Commands, file: Path) -> None:
    for arguments in (["--config", str(file), "rooms"], ["rooms", f"--config={file}"]):
        ended = commands.run(*arguments)
        assert (ended.code, ended.err) == (3, [f"guandan: {file}: no such file"])
    ended = commands.run("rooms", GUANDAN_CONFIG=str(file))
    assert ended.code == 3
    assert commands.run("rooms", "--config").code == 2


def test_the_usual_place_is_read_unasked(commands: Commands, tmp_path: Path) -> None:
    folder = tmp_path / "xdg/guandan"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text('[rooms]\nserver = "ws://127.0.0.1:1"\n')
    del commands.environment["GUANDAN_SERVER"]
    ended = commands.run("rooms", XDG_CONFIG_HOME=str(tmp_path / "xdg"))
    assert ended.code == 5
    assert "ws://127.0.0.1:1" in ended.err[0]


def test_where_the_file_is() -> None:
    assert config_path({"XDG_CONFIG_HOME": "/x"}) == Path("/x/guandan/config.toml")
    assert config_path({"HOME": "/h", "XDG_CONFIG_HOME": "x"}) == Path(
        "/h/.config/guandan/config.toml"
    )


def test_words_behind_two_dashes_are_no_options() -> None:
    here = {"HOME": os.devnull}
    assert taken_from(["judge", "--", "--config"], here) == (["judge", "--", "--config"], None)
    with pytest.raises(Failure, match="which file"):
        taken_from(["judge", "--config"], here)
