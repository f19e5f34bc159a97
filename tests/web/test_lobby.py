"""The table before a match: seats, bots, swaps, the invitation, the rules, and the start."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect

from tests.web.modules import call
from tests.web.pages import DESKTOP, LANDSCAPE, PHONE, Pages, Size, serious

ROOM = re.compile(r"/r/[0-9A-Z]{6}$")
SMALL = Size("small", 320, 640)


async def opened(pages: Pages, name: str = "Ann", **options: Any) -> Page:
    """Somebody at a table of their own."""
    page = await pages.open(**options)
    await page.get_by_label(re.compile("Your name|你的名字")).fill(name)
    await page.get_by_role("button", name=re.compile("New table|新开牌桌")).click()
    await page.get_by_role("button", name=re.compile("Open the table|开桌")).click()
    await page.wait_for_url(ROOM)
    await expect(page.locator(".lobby")).to_be_visible()
    return page


async def come(pages: Pages, host: Page, name: str, seat: int, **options: Any) -> Page:
    """Somebody who came by the link and sat down."""
    page = await pages.open(f"/r/{host.url[-6:]}", **options)
    await page.get_by_label("Your name").fill(name)
    await at(page, seat).get_by_role("button", name="Sit here").click()
    await expect(at(page, seat)).to_contain_text("you")
    return page


def at(page: Page, seat: int) -> Locator:
    return page.locator(f'.lobby [data-seat="{seat}"]')


async def view(page: Page) -> Any:
    return await call(page, "table.js", "m.table.value.view")


async def test_a_friend_comes_by_the_link_and_sits_down(pages: Pages) -> None:
    host = await opened(pages)
    friend = await pages.open(f"/r/{host.url[-6:].lower()}")
    await expect(friend.get_by_text("You are watching.")).to_be_visible()
    await expect(host.get_by_text("1 watching")).to_be_visible()
    await friend.get_by_label("Your name").fill("Bea")
    await at(friend, 3).get_by_role("button", name="Sit here").click()
    await expect(at(host, 3)).to_contain_text("Bea")
    await expect(host.get_by_text("1 watching")).to_have_count(0)
    # Oneself is below, and the partner opposite, once it has been drawn for a seat of one's own.
    await expect(at(friend, 1)).to_contain_text("Partner")
    box, other = await at(friend, 3).bounding_box(), await at(friend, 1).bounding_box()
    assert box is not None
    assert other is not None
    assert box["y"] > other["y"]


async def test_somebody_else_was_faster(pages: Pages) -> None:
    host = await opened(pages)
    slow = await pages.open(f"/r/{host.url[-6:]}")
    await expect(at(slow, 2).get_by_role("button", name="Sit here")).to_be_visible()
    # The slow one sees the seat as it was until they tap it.
    await call(slow, "table.js", "window.before = m.table.value")
    await come(pages, host, "Quick", 2)
    await expect(at(slow, 2)).to_contain_text("Quick")
    await call(slow, "table.js", "m.table.value = window.before")
    await at(slow, 2).get_by_role("button", name="Sit here").click()
    await expect(slow.get_by_role("alert")).to_have_text("Somebody sits there.")
    await expect(at(slow, 2)).to_contain_text("Quick")
    await at(slow, 4).get_by_role("button", name="Sit here").click()
    await expect(at(slow, 4)).to_contain_text("you")
    await expect(slow.get_by_role("alert")).to_have_count(0)


async def test_ready_all_and_it_begins(pages: Pages) -> None:
    host = await opened(pages)
    friend = await come(pages, host, "Bea", 3)
    for seat in (2, 4):
        await at(host, seat).get_by_role("button", name="Add a bot").click()
    await friend.get_by_role("button", name="I am ready").click()
    await expect(at(host, 3)).to_contain_text("Ready")
    await expect(host.get_by_text("1 of 2 people are ready.")).to_be_visible()
    await friend.get_by_role("button", name="Not ready after all").click()
    await expect(host.get_by_text("0 of 2 people are ready.")).to_be_visible()
    await expect(friend.get_by_role("button", name="Start", exact=True)).to_have_count(0)
    await host.get_by_role("button", name="Start").click()
    for page in (host, friend):
        await expect(page.locator(".lobby")).to_have_count(0)
        assert (await view(page))["stage"] == "playing"


async def test_bots_fill_the_empty_seats(pages: Pages) -> None:
    host = await opened(pages)
    await host.get_by_role("button", name="Start with bots").click()
    await expect(host.locator(".lobby")).to_have_count(0)
    assert [one["kind"] for one in (await view(host))["seats"]] == ["person", *["bot"] * 3]


async def test_bots_of_every_strength_for_each_seat(pages: Pages) -> None:
    host = await opened(pages)
    await at(host, 2).get_by_role("button", name="Add a bot").click()
    await expect(at(host, 2)).to_contain_text("bot")
    await host.get_by_role("button", name="Seat 2, Orchid: what can be done").click()
    strengths = host.get_by_role("group", name="Strength").get_by_role("button")
    offered = await call(host, "table.js", "m.table.value.levels")
    await expect(strengths).to_have_count(len(offered))
    lit = host.get_by_role("group", name="Strength").locator("[aria-pressed=true]")
    usual = await call(host, "levels.js", "m.usual(given[0])", offered)
    words = await call(host, "levels.js", "m.levelText(given[0])", usual)
    await expect(lit).to_have_text(words)
    await strengths.last.click()
    await expect(strengths.last).to_have_attribute("aria-pressed", "true")
    assert (await view(host))["seats"][1]["level"] == offered[0]
    await host.get_by_role("button", name="Remove the bot").click()
    await expect(at(host, 2)).to_contain_text("Empty")


async def test_changing_seats(pages: Pages) -> None:
    host = await opened(pages)
    friend = await come(pages, host, "Bea", 2)
    await at(friend, 3).get_by_role("button", name="Move here").click()
    await expect(at(host, 3)).to_contain_text("Bea")
    await at(friend, 1).get_by_role("button", name="Ask to swap seats").click()
    await expect(host.get_by_text("Bea would like to swap seats with you.")).to_be_visible()
    await at(friend, 1).get_by_role("button", name="Take the question back").click()
    await expect(host.get_by_text("would like to swap")).to_have_count(0)
    await at(friend, 1).get_by_role("button", name="Ask to swap seats").click()
    await host.get_by_role("button", name="Swap seats", exact=True).click()
    await expect(at(host, 1)).to_contain_text("Bea")
    await expect(at(host, 3)).to_contain_text("you")
    # Whoever was host is it still, wherever they sit.
    await expect(host.get_by_role("button", name="Start with bots")).to_be_visible()
    await host.get_by_role("button", name="Seat 1, Bea: what can be done").click()
    await host.get_by_role("button", name="Ask to swap seats").click()
    await friend.get_by_role("button", name="Swap seats", exact=True).click()
    await expect(at(host, 1)).to_contain_text("you")


async def test_a_wish_to_swap_can_be_declined_and_whoever_asked_is_told(pages: Pages) -> None:
    host = await opened(pages)
    friend = await come(pages, host, "Bea", 2)
    await at(friend, 1).get_by_role("button", name="Ask to swap seats").click()
    await host.get_by_role("button", name="No, thank you").click()
    await expect(host.get_by_text("would like to swap")).to_have_count(0)
    await expect(friend.locator(".news")).to_contain_text("Ann would rather not swap seats.")
    # Whoever takes the question back is told nothing.
    await at(friend, 1).get_by_role("button", name="Ask to swap seats").click()
    await expect(host.get_by_text("would like to swap")).to_be_visible()
    await at(friend, 1).get_by_role("button", name="Take the question back").click()
    await expect(host.get_by_text("would like to swap")).to_have_count(0)
    told = "m.changes(given[0], { ...given[0], swaps: [] }, 2).length"
    assert await call(friend, "company.js", told, await view(friend)) == 0


async def test_sending_somebody_away_is_asked_twice(pages: Pages) -> None:
    host = await opened(pages)
    guest = await come(pages, host, "Rude", 4)
    await host.get_by_role("button", name="Seat 4, Rude: what can be done").click()
    await host.get_by_role("button", name="Send away").click()
    await host.get_by_role("button", name="Cancel").click()
    await host.get_by_role("button", name="Send away").click()
    await host.get_by_role("dialog").get_by_text("Send Rude away from the table?").wait_for()
    await host.get_by_role("button", name="Send away").click()
    await expect(at(host, 4)).to_contain_text("Empty")
    await expect(guest.get_by_text("The host has sent you away from this table.")).to_be_visible()


async def test_leaving(pages: Pages) -> None:
    host = await opened(pages)
    guest = await come(pages, host, "Bea", 4)
    await guest.get_by_role("button", name="Leave the table").click()
    await expect(at(host, 4)).to_contain_text("Empty")
    await expect(guest.get_by_role("button", name="Play now")).to_be_visible()
    await expect(guest.get_by_role("heading", name="Continue")).to_have_count(0)


async def test_the_invitation(pages: Pages) -> None:
    host = await opened(pages, permissions=["clipboard-read", "clipboard-write"])
    code = host.url[-6:]
    invite = host.get_by_role("region", name="Invite friends")
    await expect(invite).to_contain_text(code)
    picture = invite.get_by_role("img", name=f"QR code of the link to table {code}")
    await expect(picture).to_be_visible()
    assert await picture.evaluate("one => one.complete && one.naturalWidth > 0")
    await invite.get_by_role("button", name="Copy link").click()
    await expect(invite.get_by_role("button", name="Copied")).to_be_visible()
    link = await host.evaluate("navigator.clipboard.readText()")
    assert link.endswith(f"/r/{code}")
    # The link is the one in the picture: the server's own word for where others find it.
    told = await host.evaluate("fetch(`/qr/${location.pathname.slice(3)}.svg`).then(a => a.text())")
    assert f"<title>{link}</title>" in told


async def test_a_phone_shares_the_link_in_its_own_way(pages: Pages) -> None:
    host = await pages.open(size=PHONE, touch=True)
    await host.add_init_script(
        "navigator.share = async (what) => { window.shared = what; };"
        "Object.defineProperty(navigator, 'share', { enumerable: true });"
    )
    await host.reload()
    await host.get_by_role("button", name="New table").tap()
    await host.get_by_role("button", name="Open the table").tap()
    await host.get_by_role("button", name="Share").tap()
    shared = await host.evaluate("window.shared")
    assert shared["url"].endswith(host.url[-9:])
    assert host.url[-6:] in shared["text"]


async def test_the_rules_of_the_table_and_the_hosts_changes(pages: Pages) -> None:
    host = await opened(pages)
    guest = await come(pages, host, "Bea", 3)
    told = guest.get_by_role("region", name="Rules of this table")
    await expect(told).to_contain_text("Must win · tournament")
    await expect(guest.get_by_role("button", name="Change rules")).to_have_count(0)
    await host.get_by_role("button", name="Change rules and settings").click()
    dialog = host.get_by_role("dialog")
    await expect(dialog.get_by_role("group", name="Who can find the table")).to_have_count(0)
    await dialog.get_by_role("button", name="Huai'an").click()
    await host.select_option("#option-tribute_pick", label="The payer picks")
    await dialog.get_by_role("switch", name="Hints allowed").click()
    await host.get_by_role("button", name="Apply").click()
    await expect(dialog).to_have_count(0)
    await expect(told).to_contain_text("Huai'an")
    await expect(told).to_contain_text("Among equal highest cards: The payer picks")
    await expect(told).to_contain_text("No hints")
    await expect(told).to_contain_text("The host has changed the rules or settings.")
    now = await view(host)
    assert (now["preset"], now["options"]) == ("huaian", {"tribute_pick": "payer"})


async def test_after_a_match_there_is_another_if_all_want_one(pages: Pages) -> None:
    host = await opened(pages)
    # The lobby of a match that is over, as the server would tell of it; it knows of none.
    await call(
        host,
        "table.js",
        "m.table.value = {...m.table.value, view: {...m.table.value.view, stage: 'match_over'}}",
    )
    await expect(host.get_by_role("heading", level=1)).to_have_text("The match is over")
    await host.get_by_role("button", name="Play another match").click()
    await expect(host.get_by_role("alert")).to_have_text("Not at this moment.")


async def test_the_shuffle_is_promised_before_the_cards_are_dealt(pages: Pages) -> None:
    host = await opened(pages)
    await host.get_by_text("A fair shuffle").click()
    promised = await host.locator(".fair code").inner_text()
    assert re.fullmatch(r"[0-9a-f]{64}", promised)
    dealt = """new Promise((done) => m.onEvents((events) => {
        const one = events.find((event) => event.t === "dealt");
        if (one) done([...one.commitment]);
    }))"""
    await call(host, "table.js", f"void (window.dealt = {dealt})")
    await host.get_by_role("button", name="Start with bots").click()
    assert bytes(await host.evaluate("window.dealt")).hex() == promised


async def test_a_watcher_takes_a_bots_seat(pages: Pages) -> None:
    host = await opened(pages)
    for seat in (2, 3, 4):
        await at(host, seat).get_by_role("button", name="Add a bot").click()
    guest = await come(pages, host, "Bea", 4)
    await expect(at(host, 4)).to_contain_text("Bea")
    assert (await view(guest))["seats"][3]["kind"] == "person"


@pytest.mark.parametrize("size", [SMALL, PHONE, LANDSCAPE, DESKTOP], ids=lambda size: size.name)
@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
async def test_it_fits_and_can_be_used_by_everybody(pages: Pages, size: Size, locale: str) -> None:
    host = await opened(pages, size=size, locale=locale)
    await pages.shot(host, f"lobby-{size.name}-{locale}")
    assert await host.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert await serious(host) == []


async def test_it_can_be_done_with_keys_alone(pages: Pages) -> None:
    host = await opened(pages)
    add = at(host, 3).get_by_role("button", name="Add a bot")
    await add.focus()
    await host.keyboard.press("Enter")
    await host.get_by_role("button", name="Seat 3, Plum: what can be done").focus()
    await host.keyboard.press("Space")
    dialog = host.get_by_role("dialog")
    await expect(dialog).to_be_visible()
    await host.keyboard.press("Escape")
    await expect(dialog).to_have_count(0)
    await expect(host.get_by_role("button", name="Seat 3, Plum: what can be done")).to_be_focused()
