"""What was refused is seen wherever one is, and the log can be read while it grows."""

from __future__ import annotations

from playwright.async_api import expect

from tests.web.felt import Player
from tests.web.modules import call
from tests.web.pages import PHONE, Pages

_PASSES = "m.append(Array.from({ length: given[0] }, () => ({ t: 'passed', seat: 2 })))"
_IN_SIGHT = "(list) => list.scrollTop + list.clientHeight >= list.scrollHeight - 1"


async def test_of_two_who_want_a_seat_the_slower_is_told_why_not(pages: Pages) -> None:
    me = await Player.seated(pages)
    slow = Player(await pages.open(f"/r/{me.code}", size=PHONE))
    await expect(slow.page.locator(".sit-down button")).to_have_count(3)
    # The slow one sees the seat as it was until they tap it.
    await slow.run("window.before = (await at('table')).table.value;")
    quick = Player(await pages.open(f"/r/{me.code}", size=PHONE))
    await quick.page.locator(".sit-down button").first.click()
    await expect(quick.page.locator(".hand")).to_be_visible()
    await expect(slow.page.locator(".sit-down button")).to_have_count(2)
    await slow.run("(await at('table')).table.value = window.before;")
    await slow.page.locator(".sit-down button").first.click()
    await expect(slow.page.locator(".banner.said")).to_have_text("Somebody sits there.")
    await expect(slow.page.locator(".sit-down button")).to_have_count(2)
    await slow.page.locator(".sit-down button").first.click()
    await expect(slow.page.locator(".hand")).to_be_visible()
    await expect(slow.page.locator(".banner.said")).to_have_count(0)


async def test_a_refusal_is_seen_where_there_is_no_line_for_it(pages: Pages) -> None:
    me = await Player.seated(pages)
    said = me.page.locator(".banner.said")
    await me.my_turn()
    await me.run("(await at('moves')).complain('not_your_turn');")
    await expect(me.page.locator(".line .bad")).to_be_visible()
    await expect(said).to_have_count(0)
    await me.press("Escape", "o")
    await expect(me.page.locator(".banner.autopilot")).to_be_visible()
    await me.run("(await at('moves')).complain('not_your_turn');")
    await expect(said).to_be_visible()


async def test_who_reads_back_in_the_log_is_left_in_peace(pages: Pages) -> None:
    me = await Player.seated(pages)
    await me.my_turn()
    log = me.page.locator(".rail .log")
    await call(me.page, "table.js", _PASSES, 60)
    await me.settled()
    assert await log.evaluate(_IN_SIGHT)
    await log.evaluate("(list) => { list.scrollTop = 40; }")
    await call(me.page, "table.js", _PASSES, 1)
    await me.settled()
    assert await log.evaluate("(list) => list.scrollTop") == 40
    await log.evaluate("(list) => { list.scrollTop = list.scrollHeight; }")
    await call(me.page, "table.js", _PASSES, 3)
    await me.settled()
    assert await log.evaluate(_IN_SIGHT)


async def test_that_a_swap_was_declined_stands_in_the_log(pages: Pages) -> None:
    me = await Player.seated(pages)
    line = await call(me.page, "log.js", "m.eventText({ t: 'declined', name: 'Bea' })")
    assert line == "Bea would rather not swap seats."
