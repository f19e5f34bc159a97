"""What a table costs before its first card is seen."""

from __future__ import annotations

import gzip
import re
from typing import Final

import pytest
from playwright.async_api import expect

from guandan_server.node import Node
from tests.server.test_gate import http
from tests.web.felt import Player
from tests.web.pages import Pages

TABLE_BYTES_MAX: Final = 60_000
"""On a slow phone network, about half a second."""

_LOADED: Final = """
    const up = performance.getEntriesByName("table")[0].startTime;
    return performance.getEntriesByType("resource").filter((one) => one.startTime < up)
      .map((one) => new URL(one.name).pathname);
"""


async def _body(node: Node, path: str) -> bytes:
    """What goes over the wire for an address."""
    head = "Host: table.example\r\nAccept-Encoding: gzip\r\n"
    status, _, body = await http(node, f"GET {path} HTTP/1.1\r\n{head}\r\n")
    assert (path, status) == (path, 200)
    return body


async def _named(node: Node, path: str) -> set[str]:
    """The files that a page is made of, as its own text names them."""
    page = gzip.decompress(await _body(node, path)).decode()
    return set(re.findall(r'(?:href|src)="(/a/[^"]+)"', page))


async def test_a_table_is_light(node: Node) -> None:
    page = len(await _body(node, "/r/K7QX2M"))
    files = {name: len(await _body(node, name)) for name in await _named(node, "/r/K7QX2M")}
    assert len(files) > 20
    assert page + sum(files.values()) < TABLE_BYTES_MAX, sorted(files.items(), key=lambda f: f[1])


@pytest.mark.parametrize("path", ["/r/{}", "/watch/{}"])
async def test_a_table_is_up_with_the_files_that_its_page_names(
    pages: Pages, node: Node, path: str
) -> None:
    me = await Player.seated(pages)
    guest = Player(await pages.open(path.format(me.code)))
    await expect(guest.page.locator(".table")).to_be_visible()
    loaded = {name for name in await guest.run(_LOADED) if name.startswith("/a/")}
    assert loaded - await _named(node, f"/r/{me.code}") == set()
    await expect(guest.page.locator(".tallies")).to_be_visible()  # what came later
