from __future__ import annotations

import pytest

from guandan_server.limits import Bucket
from guandan_server.peers import (
    CONNECTIONS_MAX,
    PEERS_MAX,
    ROOMS_PER_MINUTE,
    WRONG_PER_MINUTE,
    Peers,
)

FAR = "203.0.113.9"


@pytest.fixture
def peers() -> Peers:
    return Peers(trusted_proxies=("127.0.0.1", "10.0.0.1"))


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        (FAR, None, FAR),
        (FAR, "198.51.100.1", FAR),  # not a proxy of ours: its word is nothing
        ("127.0.0.1", "198.51.100.1", "198.51.100.1"),
        ("127.0.0.1", "198.51.100.1, 10.0.0.1", "198.51.100.1"),
        ("127.0.0.1", "6.6.6.6, 198.51.100.1", "198.51.100.1"),  # the client's own invention
        ("127.0.0.1", "", "127.0.0.1"),
        ("", None, ""),
    ],
)
def test_whose_connection_it_is(
    peers: Peers, peer: str, forwarded: str | None, address: str
) -> None:
    assert peers.address(peer, forwarded) == address


def test_the_sixth_room_in_a_minute_is_refused(peers: Peers) -> None:
    assert all(peers.may_create(FAR, 0.0) for _ in range(ROOMS_PER_MINUTE))
    assert not peers.may_create(FAR, 1.0)
    assert peers.may_create("203.0.113.10", 1.0)
    assert peers.may_create(FAR, 13.0)


def test_guesses_run_out_and_come_back(peers: Peers) -> None:
    for _ in range(WRONG_PER_MINUTE):
        assert peers.may_try(FAR, 0.0)
        peers.wrong(FAR, 0.0)
    assert not peers.may_try(FAR, 0.0)
    assert peers.may_try(FAR, 6.1)


def test_connections_of_one_address_are_bounded(peers: Peers) -> None:
    assert all(peers.connected(FAR) for _ in range(CONNECTIONS_MAX))
    assert not peers.connected(FAR)
    peers.disconnected(FAR)
    assert peers.connected(FAR)


def test_programs_of_this_machine_have_no_limit(peers: Peers) -> None:
    for address in ("127.0.0.1", "::1", ""):
        assert all(peers.connected(address) for _ in range(CONNECTIONS_MAX * 2))
        assert all(peers.may_create(address, 0.0) for _ in range(100))


def test_strangers_do_not_fill_the_memory(peers: Peers) -> None:
    for n in range(PEERS_MAX + 100):
        peers.wrong(f"2001:db8:{n:x}::1", 0.0)
    assert len(peers) == PEERS_MAX


def test_a_bucket_fills_with_time() -> None:
    bucket = Bucket(per_s=2, burst=4)
    assert [bucket.take(0.0) for _ in range(5)] == [0, 0, 0, 0, 0.5]
    assert bucket.take(1.0) == 0
    assert not bucket.try_take(1.0)
    assert bucket.try_take(1.5)
