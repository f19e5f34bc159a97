"""One browser for all tests of the page, one server for each of their modules.

Playwright belongs to the loop that it was started in, so everything here shares one loop; tests
need no mark for that.

A module that needs a server to kill takes `served` instead of `node`: a process of its own. `HASTE`
in a module says how much faster than people bots are to be there; 10 if it says nothing.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright, expect

from guandan_cli.serve import Bots
from guandan_server.assets import Assets
from guandan_server.config import Config
from guandan_server.node import Node, open_node
from guandan_web import static
from tests.e2e.serving import Served, serving
from tests.web.pages import FLAGS, Pages, browser_path

HERE: Final = Path(__file__).parent
HASTE: Final = 10.0
WAIT_MS: Final = 10_000
"""How long a page may take over something that it does at once on an idle machine."""

expect.set_options(timeout=WAIT_MS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    together = pytest.mark.asyncio(loop_scope="session")
    for item in items:
        if HERE in item.path.parents and pytest_asyncio.is_async_test(item):
            item.add_marker(together, append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    path = browser_path()
    if path is None:
        pytest.skip("there is no chromium here: tests in a browser are left out")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        await browser.close()


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def node(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Node]:
    """A server in this process, with its own store."""
    config = Config(
        port=0,
        data_dir=tmp_path_factory.mktemp("web"),
        haste=getattr(request.module, "HASTE", HASTE),
    )
    page = Assets.read(static())
    async with open_node(config, Bots(), shelf=lambda: page) as node:
        yield node


@pytest_asyncio.fixture(loop_scope="session")
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    """`guandan serve` in a process of its own, which can be killed and started again."""
    async with serving(tmp_path / "data", "--haste", str(HASTE)) as served:
        yield served


@pytest.fixture
def base_url(request: pytest.FixtureRequest) -> str:
    """Where the page is: on the server that the test has asked for."""
    if "served" in request.fixturenames:
        served: Served = request.getfixturevalue("served")
        return f"http://127.0.0.1:{served.port}"
    node: Node = request.getfixturevalue("node")
    return f"http://127.0.0.1:{node.port}"


@pytest_asyncio.fixture(loop_scope="session")
async def pages(browser: Browser, base_url: str) -> AsyncIterator[Pages]:
    async with Pages(browser, base_url) as pages:
        yield pages
        assert pages.complaints == []
