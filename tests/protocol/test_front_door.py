"""The front door opens on what the tour says, and brings no sockets."""

from __future__ import annotations

import subprocess
import sys

import guandan_protocol


def test_everything_behind_the_door_is_there() -> None:
    for name in guandan_protocol.__all__:
        assert getattr(guandan_protocol, name) is not None
    assert len(set(guandan_protocol.__all__)) == len(guandan_protocol.__all__)


def test_the_door_brings_no_sockets() -> None:
    # `guandan --help` and the engine's own tools come through here and need none.
    asked = "import guandan_protocol, sys; print('websockets' in sys.modules)"
    found = subprocess.run(
        [sys.executable, "-c", asked], capture_output=True, text=True, check=True, timeout=60
    )
    assert found.stdout.strip() == "False"


def test_messages_hand_on_what_they_are_made_of() -> None:
    from guandan_protocol import codes, messages, roomview

    for module in (codes, roomview):
        for name in module.__all__:
            assert getattr(messages, name) is getattr(module, name)
            assert name in messages.__all__
