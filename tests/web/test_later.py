"""What is fetched later, and a page that begins anew: where that helps, and not over and over."""

from __future__ import annotations

from playwright.async_api import Page, Route, WebSocketRoute, expect

from tests.web.felt import Player
from tests.web.pages import Pages

FAILED = "ERR_FAILED|Failed to fetch"


class Away:
    """Addresses that fail for as long as the server is said to be away."""

    def __init__(self) -> None:
        self.is_away = True
        self.answers = 0

    @classmethod
    async def of(cls, page: Page, *patterns: str) -> Away:
        away = cls()
        for pattern in patterns:
            await page.route(pattern, away._asked)
        return away

    async def _asked(self, route: Route) -> None:
        if self.is_away:
            await route.abort()
            return
        self.answers += 1
        await route.continue_()


def loads(page: Page) -> list[str]:
    """The addresses that a page is loaded from, from here on."""
    found: list[str] = []
    page.on("domcontentloaded", lambda page: found.append(page.url))
    return found


async def test_extras_that_could_not_be_fetched_come_once_the_server_answers(pages: Pages) -> None:
    pages.expect(FAILED)
    me = await Player.seated(pages)
    page = await pages.open("/rules")
    away = await Away.of(page, "**/counter.js", "**/build")
    # Any module will do, and this one is the first of those that the extras are made of.
    async with page.expect_event("requestfailed", lambda one: one.url.endswith("/build")):
        await page.goto(f"/r/{me.code}")
    await expect(page.locator(".seat")).to_have_count(4)
    away.is_away = False
    await expect(page.locator(".tallies")).to_be_visible()
    assert await page.evaluate("sessionStorage.length") == 0


async def test_a_table_whose_connection_is_lost_is_not_loaded_anew(pages: Pages) -> None:
    pages.expect(f"{FAILED}|WebSocket")
    me = await Player.seated(pages)
    page = await pages.open("/rules")
    lines: list[WebSocketRoute] = []
    is_cut = False

    async def connected(line: WebSocketRoute) -> None:
        if is_cut:
            await line.close()
            return
        line.connect_to_server()
        lines.append(line)

    await page.route_web_socket("**/ws", connected)
    extras = await Away.of(page, "**/extras.js")
    build = await Away.of(page, "**/build")
    await page.goto(f"/r/{me.code}")
    await expect(page.locator(".seat")).to_have_count(4)
    is_cut = True
    for line in lines:
        await line.close()
    await expect(page.locator(".table.is-lost")).to_be_visible()
    seen = loads(page)
    build.is_away = False
    async with page.expect_event("requestfinished", lambda one: one.url.endswith("/build")):
        pass
    async with page.expect_event("requestfinished", lambda one: one.url.endswith("/build")):
        pass
    assert seen == []
    await expect(page.locator(".table.is-lost")).to_be_visible()
    extras.is_away = is_cut = False
    await expect(page.locator(".tallies")).to_be_visible()


async def test_a_screen_that_could_not_be_fetched_waits_for_the_server(pages: Pages) -> None:
    pages.expect(FAILED)
    page = await pages.open("/")
    away = await Away.of(page, "**/rules.js", "**/build")
    seen = loads(page)
    async with page.expect_event("requestfailed", lambda one: one.url.endswith("/build")):
        await page.goto("/rules")
    await expect(page.locator("main")).to_have_text("One moment…")
    assert len(seen) == 1
    away.is_away = False
    await expect(page.locator("h1")).to_contain_text("Guandan")
    assert len(seen) <= 2


async def test_a_screen_that_never_comes_is_loaded_anew_for_once(pages: Pages) -> None:
    pages.expect(FAILED)
    page = await pages.open("/")
    await Away.of(page, "**/rules.js")
    seen = loads(page)
    await page.goto("/rules")
    for _ in range(3):
        async with page.expect_event("requestfinished", lambda one: one.url.endswith("/build")):
            pass
    await expect(page.locator("main")).to_have_text("One moment…")
    assert len(seen) == 2


async def test_between_two_builds_a_table_is_loaded_anew_once_and_played_on(pages: Pages) -> None:
    me = await Player.seated(pages)
    seen = loads(me.page)

    own = str(await me.page.locator("html").get_attribute("data-build")).encode()

    async def connected(line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def told(message: str | bytes) -> None:
            assert isinstance(message, bytes)
            line.send(message.replace(own, own[::-1]))  # the build of another server

        server.on_message(told)

    await me.page.route_web_socket("**/ws", connected)
    await me.page.reload()
    await expect(me.page.locator(".tallies")).to_be_visible()
    await expect(me.page.locator(".hand .held").first).to_be_visible()
    await expect(me.page.locator(".actions.mine")).to_be_visible()
    await me.page.keyboard.press("g")
    await expect(me.page.locator(".held.taken, .act-pass.advised").first).to_be_visible()
    assert len(seen) == 2
