"""Scripts that teach a shell our commands."""

import shutil
import subprocess

import pytest

from guandan_cli.main import COMMANDS
from tests.clients.commands import Commands


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_command_and_its_options_are_completed(commands: Commands, shell: str) -> None:
    ended = commands.run("completion", shell)
    assert (ended.code, ended.err) == (0, [])
    script = "\n".join(ended.out)
    assert [name for name in COMMANDS if name not in script] == []
    assert "data-dir" in script


def test_no_other_shell(commands: Commands) -> None:
    assert commands.run("completion", "cmd").code == 2
    assert commands.run("completion").code == 2


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
def test_bash_reads_it(commands: Commands) -> None:
    script = "\n".join(commands.run("completion", "bash").out)
    subprocess.run(["bash", "-n"], input=script, text=True, check=True, timeout=60)
