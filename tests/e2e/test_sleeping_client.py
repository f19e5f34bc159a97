"""A client that sleeps in a pocket until the server has given it up: it comes back by itself."""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path

import pytest

from guandan_protocol import messages as m
from guandan_protocol.codec import encode
from guandan_server import node as node_module
from guandan_server.config import Config
from guandan_server.node import open_node
from tests.server.test_actor import AnyBrains
from tests.server.test_at_once import done
from tests.server.test_gate import created, dial
from tests.server.test_half_open import until_bob_is


async def test_it_goes_on_without_being_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node_module, "PING_S", 0.3)
    async with (
        open_node(Config(port=0, data_dir=tmp_path, haste=100), AnyBrains()) as node,
        dial(node, ping_interval=None) as host,
    ):
        room = (await created(host)).room
        bot = await asyncio.create_subprocess_exec(
            *(str(Path(sys.executable).with_name("guandan")), "bot", "--join", room),
            *("--server", f"ws://127.0.0.1:{node.port}/ws", "--count", "1"),
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            await until_bob_is(host, online=True)
            await done(host, m.Start(1))
            bot.send_signal(signal.SIGSTOP)
            await until_bob_is(host, online=False)
            bot.send_signal(signal.SIGCONT)
            await until_bob_is(host, online=True)
            # And its seat is played from there again.
            await host.send(encode(m.Autopilot(2, on=True, pace_ms=300)))
            turn = (await until_bob_is(host, online=True)).seats[1]
            assert turn.control is m.Control.SELF
        finally:
            bot.kill()
            await bot.wait()
