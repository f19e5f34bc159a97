"""Ready is who can store something: the store is asked, and no listener has to be trusted."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from redis.asyncio import Redis

from guandan_protocol import messages as m
from guandan_server.config import Config
from guandan_server.embedded import EmbeddedStore
from guandan_server.node import Node, open_node
from tests.server.test_actor import AnyBrains
from tests.server.test_at_once import done
from tests.server.test_gate import created, dial, http
from tests.server.waiting import until

READY = "GET /readyz HTTP/1.1\r\nHost: t\r\n\r\n"
HEALTHY = "GET /healthz HTTP/1.1\r\nHost: t\r\n\r\n"


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[EmbeddedStore]:
    async with EmbeddedStore(tmp_path) as store:
        yield store


@pytest.fixture
async def node(store: EmbeddedStore) -> AsyncIterator[Node]:
    async with open_node(Config(port=0, redis_url=store.url), AnyBrains()) as node:
        yield node


async def status(node: Node, request: str) -> int:
    return (await http(node, request))[0]


async def test_connections_that_the_store_drops_are_made_again(
    node: Node, store: EmbeddedStore
) -> None:
    async with Redis.from_url(store.url) as redis, dial(node) as host:
        await created(host)
        for n in range(1, 11):
            await redis.client_kill_filter(_type="normal", skipme=True)
            assert await done(host, m.SetPace(n, 300 if n % 2 else 500)) == m.Done(n, n)
        assert await status(node, READY) == 200


async def test_while_the_store_is_gone_nobody_is_sent_here(
    node: Node, store: EmbeddedStore
) -> None:
    assert await status(node, READY) == 200
    store._supervisor.cancel()  # noqa: SLF001  nobody starts it again
    os.kill(store.pid, signal.SIGKILL)

    async def is_told() -> bool:
        return await status(node, READY) == 503

    await until(is_told, timeout_s=10)
    assert await status(node, HEALTHY) == 200

    async def is_ready() -> bool:
        return await status(node, READY) == 200

    await store._start()  # noqa: SLF001  now somebody does
    await until(is_ready, timeout_s=10)
