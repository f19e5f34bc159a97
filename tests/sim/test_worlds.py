"""Two hundred worlds. One that fails prints its seed: that is the whole report."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sim.__main__ import main
from tests.sim.course import run

WORLDS = 200
AT_ONCE = 20
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("first", range(0, WORLDS, AT_ONCE))
def test_every_world_keeps_what_was_promised(first: int) -> None:
    outcomes = [run(seed) for seed in range(first, first + AT_ONCE)]
    # Worlds in which nothing happens would keep everything.
    assert sum(outcome.promises for outcome in outcomes) > 10 * AT_ONCE
    assert sum(outcome.frames for outcome in outcomes) > 50 * AT_ONCE
    assert sum(outcome.claims for outcome in outcomes) > AT_ONCE


def test_a_seed_gives_the_same_world_again() -> None:
    stories: list[list[str]] = [[], []]
    for story in stories:
        run(11, tell=story.append)
    assert len(stories[0]) > 100
    assert stories[0] == stories[1]


def test_a_seed_gives_the_same_world_elsewhere() -> None:
    stories = []
    for hashes in ("1", "2"):
        told = subprocess.run(
            [sys.executable, "-m", "tests.sim", "--seed", "5", "--verbose"],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": hashes},
            capture_output=True,
            text=True,
            check=True,
        )
        stories.append(told.stdout.splitlines()[:-1])  # the last line tells how long it took
    assert len(stories[0]) > 20
    assert stories[0] == stories[1]


def test_worlds_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--seeds", "1..3"]) == 0
    assert capsys.readouterr().out.startswith("3 worlds in ")
