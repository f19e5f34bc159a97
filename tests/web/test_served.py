"""The page and the command that serves it."""

from __future__ import annotations

from playwright.async_api import expect

from tests.e2e.serving import Served
from tests.web.pages import Pages


async def test_the_page_is_there_again_after_the_server_was_killed(
    pages: Pages, served: Served
) -> None:
    page = await pages.open("/")
    await expect(page.locator("#app")).not_to_be_empty()
    pages.expect("ERR_CONNECTION_|WebSocket")
    await served.kill()
    await served.start()
    await page.reload()
    await expect(page.locator("#app")).not_to_be_empty()
    build = await page.locator("html").get_attribute("data-build")
    assert build == await page.evaluate("fetch('/build').then((answer) => answer.text())")
