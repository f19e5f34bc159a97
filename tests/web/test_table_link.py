"""A table and its connection: a server that dies, a second window."""

from __future__ import annotations

from playwright.async_api import expect

from tests.e2e.serving import Served
from tests.web.felt import Player
from tests.web.pages import Pages

BACK_MS = 2000
"""So long after the server's return the table is back."""


async def test_the_table_is_back_soon_after_the_server_is(pages: Pages, served: Served) -> None:
    pages.expect("WebSocket connection|ERR_CONNECTION_(REFUSED|RESET)|ERR_EMPTY_RESPONSE")
    me = await Player.seated(pages)
    await me.my_turn()
    await me.press("g")
    before = await me.state()
    await me.page.evaluate("window.sameP = true")
    await served.kill()
    await expect(me.page.locator(".banner.lost")).to_be_visible()
    await expect(me.page.locator(".table.is-lost")).to_be_visible()
    await served.start()
    await expect(me.page.locator(".banner.lost")).to_have_count(0, timeout=BACK_MS)
    assert await me.page.evaluate("window.sameP") is True
    after = await me.state()
    assert after["hand"] == before["hand"]
    assert after["taken"] == before["taken"]
    await me.move()


async def test_a_second_window_takes_the_seat_and_the_first_can_take_it_back(pages: Pages) -> None:
    me = await Player.seated(pages)
    second = Player(await pages.another(me.page.context, f"/r/{me.code}"))
    await expect(second.page.locator(".hand")).to_be_visible()
    ended = me.page.locator(".ended")
    await expect(ended).to_contain_text("This seat is open in another window.")
    await me.page.get_by_role("button", name="Play here").click()
    await expect(me.page.locator(".hand")).to_be_visible()
    await expect(second.page.locator(".ended")).to_be_visible()


async def test_a_table_that_is_not_there(pages: Pages) -> None:
    page = await pages.open("/r/NOSUCH")
    await expect(page.locator(".ended")).to_contain_text("There is no table with this code.")


async def test_coming_back_to_a_seat_after_a_reload(pages: Pages) -> None:
    me = await Player.seated(pages)
    await me.my_turn()
    hand = (await me.state())["hand"]
    await me.page.reload()
    await expect(me.page.locator(".hand .held")).to_have_count(27)
    assert (await me.state())["hand"] == hand
