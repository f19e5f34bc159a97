"""compose.yaml: valid by its schema, its pieces fit, and its store keeps what it acknowledges."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import json
import re
import sys
from collections.abc import AsyncIterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema

from guandan_server.embedded import find_binary
from guandan_server.node import DRAIN_S
from guandan_server.store_redis import RedisStore
from tests.deploy.shipped import DEPLOY, document, serve_options
from tests.e2e.serving import START_S, free_port
from tests.server.waiting import until

COMPOSE: dict[str, Any] = document(DEPLOY / "compose.yaml")
SERVICES: dict[str, Any] = COMPOSE["services"]
NODES = {name: one for name, one in SERVICES.items() if name.startswith("node-")}


def seconds(text: str) -> int:
    assert re.fullmatch(r"\d+s", text), text
    return int(text[:-1])


def test_it_is_valid() -> None:
    schema = files("check_jsonschema.builtin_schemas").joinpath("vendor/compose-spec.json")
    jsonschema.validate(COMPOSE, json.loads(schema.read_text(encoding="utf-8")))


def test_every_service_comes_back_and_is_looked_after() -> None:
    assert set(SERVICES) == {"node-a", "node-b", "store", "nginx"}
    for service in SERVICES.values():
        assert service["restart"] == "unless-stopped"
        assert seconds(service["stop_grace_period"]) >= 15
        assert {"test", "interval", "timeout", "retries"} <= service["healthcheck"].keys()
        assert service["logging"]["options"].keys() == {"max-size", "max-file"}
        assert "no-new-privileges:true" in service["security_opt"]


def test_two_nodes_with_names_and_addresses_of_their_own() -> None:
    assert len(NODES) == 2
    for name, service in NODES.items():
        command, environment = service["command"], service["environment"]
        node = name.removeprefix("node-")
        assert command[:3] == ["serve", "--host", "0.0.0.0"]
        assert command[command.index("--node") + 1] == node
        assert command[command.index("--node-url") + 1] == f"wss://${{GUANDAN_DOMAIN}}/n/{node}/ws"
        options = {word for word in command if word.startswith("--")}
        named = {name for name in environment if name.startswith("GUANDAN_")}
        options |= {f"--{name[8:].lower().replace('_', '-')}" for name in named}
        assert options <= serve_options()
        assert environment["GUANDAN_REQUIRE_DURABLE"] == "true"
        assert "ports" not in service  # the way in is nginx; metrics have none
        assert seconds(service["stop_grace_period"]) > DRAIN_S
        assert service["depends_on"]["store"]["condition"] == "service_healthy"


def test_addresses_are_the_ones_that_nginx_and_the_nodes_are_told() -> None:
    (pool,) = COMPOSE["networks"]["tables"]["ipam"]["config"]
    network = ipaddress.ip_network(pool["subnet"])
    at = {name: one["networks"]["tables"]["ipv4_address"] for name, one in NODES.items()}
    front = SERVICES["nginx"]["networks"]["tables"]["ipv4_address"]
    assert len({front, *at.values()}) == 3
    assert all(ipaddress.ip_address(one) in network for one in (front, *at.values()))
    assert dict(one.split(":") for one in SERVICES["nginx"]["extra_hosts"]) == at
    for service in NODES.values():
        assert service["environment"]["GUANDAN_TRUSTED_PROXY"] == front


def test_the_proxy_gets_the_files_that_are_shipped() -> None:
    nginx = SERVICES["nginx"]
    mounts = dict(volume.split(":")[:2] for volume in nginx["volumes"])
    for source, target in mounts.items():
        if source not in ("./tls", "./acme"):  # the operator's own
            assert (DEPLOY / source).exists(), source
        assert target.startswith(("/etc/nginx/", "/var/www/"))
    template = (DEPLOY / "nginx/guandan-tls.conf.template").read_text(encoding="utf-8")
    for place in re.findall(r"(?:include|ssl_certificate(?:_key)?|root) (\S+);", template):
        assert any(place.startswith(target) for target in mounts.values()), place
    assert set(re.findall(r"\$\{(\w+)\}", template)) <= nginx["environment"].keys()


def test_nobody_reaches_the_store() -> None:
    store = SERVICES["store"]
    assert COMPOSE["networks"]["store"]["internal"] is True
    assert list(store["networks"]) == ["store"]
    assert "ports" not in store
    assert store["volumes"] == ["store:/data"]


@contextlib.asynccontextmanager
async def store_of_compose(data: Path, **changed: str) -> AsyncIterator[str]:
    """A server with the arguments of the service, on a port of its own; its URL."""
    program, *arguments = SERVICES["store"]["command"]
    assert program == "valkey-server"
    port = free_port()
    changed = {"--port": str(port), "--dir": str(data), **changed}
    for name, value in changed.items():
        arguments[arguments.index(name) + 1] = value
    process = await asyncio.create_subprocess_exec(
        find_binary(), *arguments, "--bind", "127.0.0.1", stdout=asyncio.subprocess.DEVNULL
    )
    try:
        await until(lambda: _listens(port), timeout_s=START_S)
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        process.terminate()
        await process.wait()


async def _listens(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True


async def test_its_store_keeps_what_it_acknowledges(tmp_path: Path) -> None:
    async with store_of_compose(tmp_path) as url, RedisStore(url) as store:
        assert await store.inspect() == ()


async def test_a_weaker_store_is_refused(tmp_path: Path) -> None:
    weak = {"--appendfsync": "everysec", "--maxmemory-policy": "allkeys-lru"}
    async with store_of_compose(tmp_path, **weak) as url:
        process = await asyncio.create_subprocess_exec(
            Path(sys.executable).with_name("guandan"),
            *("serve", "--port", "0", "--redis", url, "--require-durable"),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        async with asyncio.timeout(START_S):
            out, said = await process.communicate()
    assert process.returncode == 78
    assert out == b""
    last = said.decode().splitlines()[-1]
    assert "appendfsync" in last
    assert "maxmemory-policy" in last
