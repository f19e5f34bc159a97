"""Where a visitor reads and writes."""

from __future__ import annotations

import asyncio
import io
import json
from random import Random
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve

from guandan_bots.dialect.visiting import Cut, NoAddress, converse, visit
from guandan_bots.dialect.visitor import Visitor
from guandan_bots.policy import policy
from guandan_protocol.errors import Unreachable
from tests.bots.table import RULES
from tests.bots.test_njupt_visitor import FOLLOWING, LEADING

WAIT_S = 20
RESULT = {"type": "notify", "stage": "gameResult", "victoryNum": [1, 0, 1, 0], "draws": [0] * 4}


def visitor(said: list[str] | None = None) -> Visitor:
    remarks = [] if said is None else said
    return Visitor(policy("basic"), Random(1), say=remarks.append, rules=RULES)


def test_one_line_comes_out_for_each_question_and_none_for_a_notice() -> None:
    said: list[str] = []
    out = io.StringIO()
    lines = [json.dumps(FOLLOWING), "", json.dumps(RESULT), "not json", json.dumps(LEADING)]
    converse(visitor(said), [line + "\n" for line in lines], out)
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [set(answer) for answer in answers] == [{"actIndex"}] * 2
    assert said == ['no message: "not json"']


class Place:
    """A platform that says what a test wants, and keeps the answers."""

    def __init__(self, *script: Any) -> None:
        self.answers: list[Any] = []
        self.path = ""
        self._script = script

    async def __call__(self, socket: ServerConnection) -> None:
        assert socket.request is not None
        self.path = socket.request.path
        for message in self._script:
            await socket.send(json.dumps(message))
            if message["type"] == "act":
                self.answers.append(json.loads(await socket.recv()))

    async def visited(self, guest: Visitor) -> None:
        async with serve(self, "127.0.0.1", 0) as server, asyncio.timeout(WAIT_S):
            port = server.sockets[0].getsockname()[1]
            await visit(f"ws://127.0.0.1:{port}/game/ours", guest)


async def test_it_plays_until_the_result_is_told() -> None:
    place, guest = Place(FOLLOWING, LEADING, RESULT), visitor()
    await place.visited(guest)
    assert place.path == "/game/ours"
    assert [set(answer) for answer in place.answers] == [{"actIndex"}] * 2
    assert (guest.answers, guest.is_over) == (2, True)


async def test_a_platform_that_closes_before_is_reported() -> None:
    with pytest.raises(Cut):
        await Place(FOLLOWING).visited(visitor())


async def test_a_platform_that_is_not_there_is_reported() -> None:
    url = "ws://127.0.0.1:1/game/ours"
    with pytest.raises(Unreachable) as refused:
        await visit(url, visitor())
    assert refused.value.url == url


@pytest.mark.parametrize(
    "url",
    [
        *("http://127.0.0.1:1", "nowhere", "", "ws://", "ws:///game/ours", "ws://[::1/"),
        *("ws://127.0.0.1:99999/", "ws://127.0.0.1:x/", f"ws://{'a' * 64}.example/"),
    ],
)
async def test_what_is_no_address_of_a_platform_is_told_from_one_that_is_away(url: str) -> None:
    with pytest.raises(NoAddress) as refused:
        await visit(url, visitor())
    assert refused.value.url == url
    assert str(refused.value) == f"expected a ws:// or wss:// address, got {url}"
