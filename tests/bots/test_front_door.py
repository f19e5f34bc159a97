"""What the package hands on, and what it keeps for those who ask by name."""

from __future__ import annotations

import subprocess
import sys

import guandan_bots


def test_every_name_is_there() -> None:
    assert all(hasattr(guandan_bots, name) for name in guandan_bots.__all__)
    assert len(set(guandan_bots.__all__)) == len(guandan_bots.__all__)


def test_the_door_brings_neither_sockets_nor_the_arena() -> None:
    code = "import sys, guandan_bots; print(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    brought = set(done.stdout.split())
    assert "guandan_bots.hints" in brought
    assert not brought & {"websockets", "guandan_bots.arena", "guandan_bots.player"}
