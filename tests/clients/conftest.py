"""A real server for the tests of commands, one for all of them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.commands import GUANDAN, Commands


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a server listens whose bots do not take their time."""
    data = tmp_path_factory.mktemp("data")
    with subprocess.Popen(
        [GUANDAN, "serve", "--port", "0", "--data-dir", data, "--haste", "1000"],
        stdout=subprocess.PIPE,
        stderr=sys.stderr,
        text=True,
    ) as server:
        assert server.stdout is not None
        line = server.stdout.readline()
        assert line.startswith("Serving at http://"), line
        yield line.split()[-1].replace("http://", "ws://")
        server.terminate()


@pytest.fixture
def commands(address: str, tmp_path: Path) -> Commands:
    """The commands of one user of that server."""
    return Commands(address, tmp_path)
