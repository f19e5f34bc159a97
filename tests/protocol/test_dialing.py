"""Waiting before the next attempt, and a socket that is set up as the protocol wants it."""

from __future__ import annotations

import logging
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guandan_protocol import dialing
from guandan_protocol.bounds import SERVER_FRAME_BYTES_MAX
from guandan_protocol.dialing import Backoff, dial
from tests.protocol.fake_server import FakeServer, Peer


def test_the_first_attempt_comes_at_once() -> None:
    assert Backoff().delay_ms(0, Random(1)) == 0


@given(attempt=st.integers(1, 100_000), seed=st.integers())
@settings(deadline=None)
def test_waits_double_up_to_a_cap_and_jitter_by_half(attempt: int, seed: int) -> None:
    backoff = Backoff(base_ms=500, cap_ms=15_000)
    ceiling = min(15_000, 500 * 2 ** min(attempt - 1, 10))
    assert ceiling // 2 <= backoff.delay_ms(attempt, Random(seed)) <= ceiling


async def test_the_socket_is_plain_bounded_and_beats() -> None:
    async def scene(peer: Peer) -> None:
        await peer.stays()

    async with FakeServer(scene) as server:
        socket = await dial(server.url)
        assert socket.subprotocol == "guandan.v1"
        assert socket.protocol.extensions == []
        assert socket.protocol.max_message_size == SERVER_FRAME_BYTES_MAX
        assert socket.ping_interval is not None
        assert socket.ping_interval + (socket.ping_timeout or 0) <= 25
        await socket.close()


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.1.2.3", "::1"])
async def test_no_proxy_leads_to_this_machine(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    assert dialing.is_here(host)


def test_elsewhere_is_not_here() -> None:
    for host in ("table.example", "10.0.0.1", "localhost.example"):
        assert not dialing.is_here(host)


def test_frames_are_never_logged() -> None:
    # At DEBUG the library prints them, and the first one of a connection carries its token.
    assert logging.getLogger("guandan_protocol.socket").level >= logging.INFO
