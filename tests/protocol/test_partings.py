"""What the end of a connection means."""

from __future__ import annotations

import ssl

import pytest
from websockets.datastructures import Headers
from websockets.exceptions import InvalidMessage, InvalidStatus, InvalidUpgrade
from websockets.http11 import Response

from guandan_protocol import messages as m
from guandan_protocol.messages import Close, Code, Goodbye, Moved, Refused
from guandan_protocol.partings import MOVES_MAX, Cut, Ended, Parting, closed, moved, not_reached


def http(status: int, retry_after: str | None = None) -> InvalidStatus:
    headers = Headers() if retry_after is None else Headers([("Retry-After", retry_after)])
    return InvalidStatus(Response(status, "", headers))


PASSING = [
    ConnectionRefusedError("refused"),
    TimeoutError(),
    ssl.SSLError("handshake"),
    http(408),
    http(429),
    http(502),
    http(503),
]
WRONG = [
    http(400),
    http(403),
    http(404),
    InvalidUpgrade("Upgrade", None),
    InvalidMessage("no HTTP"),
]


@pytest.mark.parametrize("error", PASSING, ids=repr)
def test_some_failures_pass(error: Exception) -> None:
    for was_inside in (True, False):
        assert isinstance(not_reached(error, was_inside=was_inside), Cut)


@pytest.mark.parametrize("error", WRONG, ids=repr)
def test_some_mean_that_the_address_is_wrong_unless_it_was_right(error: Exception) -> None:
    ended = not_reached(error, was_inside=False)
    assert isinstance(ended, Ended)
    assert ended.code in {"http_400", "http_403", "http_404", "no_table"}
    assert isinstance(not_reached(error, was_inside=True), Cut)


@pytest.mark.parametrize(
    ("header", "after_ms"),
    [("7", 7000), (None, 0), ("soon", 0), ("-1", 0), ("99999", 0), ("7.5", 0), ("²", 0)],
)
def test_a_proxy_may_say_when_to_come_back(header: str | None, after_ms: int) -> None:
    parting = not_reached(http(503, header), was_inside=False)
    assert isinstance(parting, Cut)
    assert parting.after_ms == after_ms


@pytest.mark.parametrize(
    ("url", "target", "onward"),
    [
        ("ws://a:1/ws", "ws://b:2/ws", "ws://b:2/ws"),
        ("wss://a/ws", "/n/b/ws", "wss://a/n/b/ws"),
        ("ws://a/ws", "wss://a/ws", "wss://a/ws"),
    ],
)
def test_moves_are_followed(url: str, target: str, onward: str) -> None:
    for moves in range(1, MOVES_MAX + 1):
        assert moved(url, target, moves) == Moved(onward)


@pytest.mark.parametrize(
    ("url", "target", "moves"),
    [
        ("ws://a/ws", "/ws", MOVES_MAX + 1),
        ("wss://a/ws", "ws://a/ws", 1),
        ("wss://a/ws", "http://a", 1),
    ],
)
def test_some_moves_are_not(url: str, target: str, moves: int) -> None:
    ended = moved(url, target, moves)
    assert isinstance(ended, Ended)
    assert (ended.code, ended.close_code) == ("moved", Close.MOVED)


CLOSED: list[tuple[int | None, Goodbye | Refused | None, Parting]] = [
    (1006, None, Cut("closed with 1006")),
    (None, None, Cut("closed with None")),
    (1000, Goodbye(Code.GOING_AWAY, 5), Cut("going_away", 5)),
    (1012, Goodbye(Code.GOING_AWAY), Cut("going_away")),
    (4408, Goodbye(Code.SLOW), Cut("slow")),
    (4400, Goodbye(Code.TOO_FAST, 9), Cut("too_fast", 9)),
    (4409, Goodbye("elsewhere"), Ended(Code.REPLACED, "a newer connection holds the seat", 4409)),
    (1006, Goodbye(Code.LEFT), Ended(Code.LEFT, "the seat was left or taken away", 1006)),
    (4403, Refused(0, "full", "no seat"), Ended("full", "no seat", 4403)),
    (4403, Refused(0, "busy", "later", 8), Cut("busy: later", 8)),
    (4401, Refused(0, "bad_token", "no"), Ended("bad_token", "no", 4401)),
]


@pytest.mark.parametrize(("code", "last", "parting"), CLOSED)
def test_what_a_close_means(
    code: int | None, last: Goodbye | Refused | None, parting: Parting
) -> None:
    assert closed(code, last) == parting


def test_every_close_is_either_final_or_passes() -> None:
    final = {close for close in Close if isinstance(closed(close, None), Ended)}
    assert final == {
        m.CLOSE_BAD_TOKEN,
        m.CLOSE_ROOM_GONE,
        m.CLOSE_REPLACED,
        m.CLOSE_BAD_VERSION,
        m.CLOSE_LEFT,
    }
