"""Two nodes as compose.yaml starts them, on one store, behind nginx as it is shipped."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from attrs import frozen

from guandan_server.embedded import EmbeddedStore
from guandan_server.store import Loaded
from guandan_server.store_redis import RedisStore
from tests.deploy.fronts import Front, running
from tests.deploy.shipped import DEPLOY, document
from tests.e2e.serving import Served, free_port


@frozen
class Tables:
    """What stands behind the front."""

    front: Front
    store: RedisStore
    nodes: dict[str, Served]

    async def owner(self, room: str) -> str:
        """The name of the node that has a room."""
        loaded = await self.store.load(room)
        assert isinstance(loaded, Loaded)
        return loaded.node


def node_of_compose(service: str, front: Front, store_url: str, path: Path, port: int) -> Served:
    """A node with the command and the environment of its service."""
    compose: dict[str, Any] = document(DEPLOY / "compose.yaml")["services"][service]
    command = [_here(word, front) for word in compose["command"]]
    assert command[0] == "serve"
    environment = {name: _here(value, front) for name, value in compose["environment"].items()}
    # Names and addresses of the containers' network; there is none here.
    assert {"REDIS_URL", "GUANDAN_TRUSTED_PROXY", "GUANDAN_METRICS_PORT"} <= environment.keys()
    environment["REDIS_URL"] = store_url
    environment["GUANDAN_TRUSTED_PROXY"] = "127.0.0.1"
    environment["GUANDAN_METRICS_PORT"] = str(free_port())
    served = Served(path, *command[1:], **environment)
    served.port = port
    return served


def _here(value: str, front: Front) -> str:
    value, sign, rest = value.partition("${GUANDAN_DOMAIN")
    if sign:
        value += front.place + rest.partition("}")[2]
    if front.certificate is None:
        value = value.replace("wss://", "ws://").replace("https://", "http://")
    return value.replace("0.0.0.0", "127.0.0.1")


@contextlib.asynccontextmanager
async def tables(
    path: Path, *, certificate: tuple[Path, Path] | None = None
) -> AsyncIterator[Tables]:
    """All of it, for the length of a test."""
    front = Front(path / "nginx", (free_port(), free_port()), certificate)
    async with contextlib.AsyncExitStack() as stack:
        embedded = await stack.enter_async_context(EmbeddedStore(path / "store"))
        store = await stack.enter_async_context(RedisStore(embedded.url))
        nodes: dict[str, Served] = {}
        for name, port in zip("ab", front.node_ports, strict=True):
            data_dir = path / f"node-{name}"
            node = node_of_compose(f"node-{name}", front, embedded.url, data_dir, port)
            stack.push_async_callback(node.end)
            await node.start()
            nodes[name] = node
        await stack.enter_async_context(running(front))
        yield Tables(front, store, nodes)
