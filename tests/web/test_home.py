"""The start page: one tap to a game, every rule and setting, other people's tables, own seats."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.async_api import Page, WebSocketRoute, expect

from guandan_bots.policy import POLICIES
from guandan_engine.options import OPTIONS, PRESETS
from tests.web.modules import call
from tests.web.pages import PHONE, Pages, Size, serious

ROOM = re.compile(r"/r/[0-9A-Z]{6}$")
SMALL = Size("small", 320, 640)


async def seen(page: Page, expression: str) -> Any:
    """Of the table that a page is at, once it is at one."""
    once = f"new Promise((done) => m.table.subscribe((now) => now && done(now.{expression})))"
    return await call(page, "table.js", once)


async def button(page: Page, name: str) -> None:
    await page.get_by_role("button", name=name).click()


async def test_one_tap_and_the_cards_are_dealt(pages: Pages) -> None:
    page = await pages.open(size=PHONE, touch=True)
    await page.get_by_role("button", name="Play now").tap()
    await page.wait_for_url(ROOM)
    view = await seen(page, "view")
    assert view["stage"] == "playing"
    assert view["preset"] == "tournament"
    assert view["settings"]["visibility"] == "private"
    assert [one["kind"] for one in view["seats"]] == ["person", "bot", "bot", "bot"]
    level = await call(page, "levels.js", "m.usual(given[0])", await seen(page, "levels"))
    assert level in POLICIES
    assert {one["level"] for one in view["seats"][1:]} == {level}
    assert len(await seen(page, "private.hand")) == 27


async def test_the_two_chips_and_which_is_lit(pages: Pages) -> None:
    page = await pages.open()
    chips = page.get_by_role("group", name="At the last level, A").get_by_role("button")
    await expect(chips).to_have_text(["Must win · tournament", "Three misses → back to 2"])
    await expect(chips.nth(0)).to_have_attribute("aria-pressed", "true")
    await chips.nth(1).click()
    await expect(chips.nth(0)).to_have_attribute("aria-pressed", "false")
    await button(page, "Play now")
    await page.wait_for_url(ROOM)
    assert await seen(page, "view.preset") == "house"
    again = await pages.another(page.context)
    chips = again.get_by_role("group", name="At the last level, A").get_by_role("button")
    await expect(chips.nth(1)).to_have_attribute("aria-pressed", "true")


async def test_every_preset_and_option_is_behind_house_rules(pages: Pages) -> None:
    page = await pages.open()
    await button(page, "House rules")
    dialog = page.get_by_role("dialog")
    await expect(dialog.get_by_role("group", name="Rules").get_by_role("button")).to_have_count(
        len(PRESETS)
    )
    for option, values in OPTIONS.items():
        choices = dialog.locator(f"#option-{option} option")
        await expect(choices).to_have_count(len(values))
        assert all(await choices.all_inner_texts()), option


async def test_changed_rules_are_played(pages: Pages) -> None:
    page = await pages.open()
    await button(page, "House rules")
    await button(page, "Nanjing")
    await page.select_option("#option-return_rule", label="Any card")
    await page.select_option("#option-tribute_pick", label="The payer picks")
    await page.select_option("#option-tribute_pick", label="The first by suit")
    await button(page, "Done")
    await expect(page.get_by_role("button", name="Nanjing · 1 change")).to_have_attribute(
        "aria-pressed", "true"
    )
    await button(page, "Play now")
    await page.wait_for_url(ROOM)
    view = await seen(page, "view")
    assert (view["preset"], view["options"]) == ("nanjing", {"return_rule": "any"})


async def test_a_table_of_ones_own(pages: Pages) -> None:
    page = await pages.open()
    await button(page, "New table")
    dialog = page.get_by_role("dialog")
    for group, choice in [
        ("Who can find the table", "Everybody: it is listed"),
        ("Time for a decision", "60 s"),
        ("Bots take", "0.3 s"),
        ("When somebody drops out, a bot plays after", "15 s"),
    ]:
        chosen = dialog.get_by_role("group", name=group).get_by_role("button", name=choice)
        await chosen.first.click()
    for name in ("Hints allowed", "Card counter allowed", "Quick phrases allowed"):
        await dialog.get_by_role("switch", name=name).click()
    await button(page, "Open the table")
    await page.wait_for_url(ROOM)
    assert await seen(page, "view.settings") == {
        "visibility": "public",
        "clock_s": 60,
        "pace_ms": 300,
        "grace_s": 15,
        "hints": False,
        "counter": False,
        "phrases": False,
    }
    assert await seen(page, "view.stage") == "lobby"


async def test_a_private_table_has_a_clock_once_two_people_play(pages: Pages) -> None:
    page = await pages.open()
    await button(page, "New table")
    await button(page, "2 s")
    await button(page, "Open the table")
    await page.wait_for_url(ROOM)
    settings = await seen(page, "view.settings")
    assert (settings["clock_s"], settings["pace_ms"]) == (None, 2000)
    other = await pages.open()
    await join(other, page.url[-6:])
    await page.wait_for_function("() => document.body.innerText.includes('30 s a move')")


async def join(page: Page, code: str) -> None:
    await page.get_by_label("Room code").fill(code)
    await page.get_by_role("button", name="Join").click()


async def test_joining_by_a_code_however_it_is_typed_or_pasted(pages: Pages) -> None:
    host = await pages.open()
    await button(host, "New table")
    await button(host, "Open the table")
    await host.wait_for_url(ROOM)
    code = host.url[-6:]
    for written in (f" {code[:3].lower()}-{code[3:]} ", f"see {host.url}?x=1", code):
        page = await pages.open()
        await join(page, written)
        await page.wait_for_url(f"**/r/{code}")
        assert await seen(page, "seat") in (2, 3, 4)
    late = await pages.open()
    await join(late, code)
    await late.wait_for_url(f"**/watch/{code}")
    assert await seen(late, "seat") is None


async def test_a_code_that_is_none(pages: Pages) -> None:
    page = await pages.open()
    await expect(page.get_by_role("button", name="Join")).to_be_disabled()
    await join(page, "ZZZZZZ")
    await expect(page.get_by_role("alert")).to_have_text("There is no table with this code.")
    await expect(page.get_by_role("button", name="Join")).to_be_enabled()


async def test_a_server_that_is_away_and_comes_back(pages: Pages) -> None:
    page = await pages.open("/rules")
    away = True

    async def route(ws: WebSocketRoute) -> None:
        if away:
            await ws.close()
        else:
            ws.connect_to_server()

    await page.route_web_socket("**/ws", route)
    await page.goto("/")
    public = page.get_by_role("region", name="Public tables")
    await expect(public).to_contain_text("The server cannot be reached. Trying again")
    await button(page, "Play now")
    await expect(page.get_by_role("button", name="Dealing")).to_be_disabled()
    await page.get_by_role("button", name="Cancel").click()
    await expect(page.get_by_role("button", name="Play now")).to_be_enabled()
    await button(page, "Play now")
    away = False
    await page.wait_for_url(ROOM)


async def test_public_tables_are_listed_to_sit_down_at_or_watch(pages: Pages) -> None:
    host = await pages.open(locale="zh-CN")
    await host.get_by_label("你的名字").fill("王五")
    await button(host, "新开牌桌")
    await host.get_by_role("button", name="公开列出").click()
    await button(host, "开桌")
    await host.wait_for_url(ROOM)
    code = host.url[-6:]
    guest = await pages.open()
    line = guest.get_by_role("listitem").filter(has_text="王五")
    await expect(line).to_contain_text("waiting")
    await expect(line).to_contain_text("3 free")
    await line.get_by_role("button", name=f"Sit down at table {code}").click()
    await guest.wait_for_url(f"**/r/{code}")
    assert await seen(guest, "seat") == 2
    watcher = await pages.open()
    await button(watcher, f"Watch table {code}")
    await watcher.wait_for_url(f"**/watch/{code}")
    assert await seen(watcher, "seat") is None


async def test_quick_play_finds_company_or_opens_a_table_that_others_find(pages: Pages) -> None:
    # Whatever tables other tests have left: in the end both sit at one.
    first = await pages.open()
    await button(first, "Quick play")
    await first.wait_for_url(ROOM)
    assert await seen(first, "view.settings.visibility") == "public"
    second = await pages.open()
    await button(second, "Quick play")
    await second.wait_for_url(ROOM)
    view = await seen(second, "view")
    assert [one["kind"] for one in view["seats"]].count("person") >= 2


async def test_a_name_is_never_asked_for_but_kept_once_given(pages: Pages) -> None:
    page = await pages.open()
    name = page.get_by_label("Your name")
    friendly = await name.get_attribute("placeholder")
    assert friendly
    await name.fill("  Ann \u200b  Lee\t ")
    await name.blur()
    await expect(name).to_have_value("Ann Lee")
    await button(page, "Play now")
    await page.wait_for_url(ROOM)
    assert (await seen(page, "view.seats"))[0]["name"] == "Ann Lee"
    again = await pages.another(page.context)
    await expect(again.get_by_label("Your name")).to_have_value("Ann Lee")


@pytest.mark.parametrize(
    ("typed", "name"),
    [("", ""), (" \t ", ""), ("李\n雷", "李雷"), ("x" * 40, "x" * 24), ("\u202eab\u0007", "ab")],
)
async def test_names_that_the_server_takes(pages: Pages, typed: str, name: str) -> None:
    page = await pages.open()
    assert await call(page, "names.js", "m.cleanName(given[0])", typed) == name


async def test_a_seat_that_was_left_open_can_be_come_back_to_or_forgotten(pages: Pages) -> None:
    page = await pages.open()
    await button(page, "Play now")
    await page.wait_for_url(ROOM)
    code = page.url[-6:]
    await seen(page, "seat")
    await page.goto("/")
    await page.get_by_role("link", name=f"Table {code}").click()
    await page.wait_for_url(f"**/r/{code}")
    assert await seen(page, "seat") == 1
    await page.goto("/")
    await button(page, f"Forget table {code}")
    await button(page, "Forget it")
    await expect(page.get_by_role("link", name=f"Table {code}")).to_have_count(0)
    await page.reload()
    await expect(page.get_by_role("heading", name="Guandan in five lines")).to_be_visible()
    await expect(page.get_by_role("link", name=f"Table {code}")).to_have_count(0)


async def test_the_game_in_five_lines_and_where_there_is_more(pages: Pages) -> None:
    page = await pages.open()
    lines = page.get_by_role("region", name="Guandan in five lines").get_by_role("listitem")
    await expect(lines).to_have_count(5)
    await page.get_by_role("link", name="All the rules").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("How Guandan is played")
    await page.go_back()
    await page.get_by_role("link", name="Look at a saved game").click()
    await expect(page.get_by_role("heading", level=2)).to_have_text("Open a record")


async def test_the_language_is_switched_and_kept(pages: Pages) -> None:
    page = await pages.open(locale="zh-CN")
    await expect(page.get_by_role("button", name="马上开始")).to_be_visible()
    await button(page, "English")
    await expect(page.get_by_role("button", name="Play now")).to_be_visible()
    await page.reload()
    await expect(page.get_by_role("button", name="Play now")).to_be_visible()


@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
async def test_dialogs_fit_and_can_be_used_by_everybody(pages: Pages, locale: str) -> None:
    page = await pages.open(size=SMALL, locale=locale)
    for name in ("House rules", "New table") if locale == "en-GB" else ("更多规则", "新开牌桌"):
        await button(page, name)
        await expect(page.get_by_role("dialog")).to_be_visible()
        assert await serious(page) == []
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("dialog")).to_have_count(0)


async def test_a_game_is_begun_with_keys_alone(pages: Pages) -> None:
    page = await pages.open()
    await expect(page.get_by_role("button", name="Play now")).to_be_visible()
    for _ in range(20):
        await page.keyboard.press("Tab")
        if "Play now" in await page.evaluate("document.activeElement.innerText"):
            break
    await page.keyboard.press("Enter")
    await page.wait_for_url(ROOM)


async def test_a_code_typed_with_a_chinese_keyboard_is_understood(pages: Pages) -> None:
    page = await pages.open(locale="zh-CN")
    for typed, code in [
        ("Ｋ７ＱＸ２Ｍ", "K7QX2M"),
        (" ｋ７ｑｘ　２ｍ ", "K7QX2M"),
        ("https://x.example/r/Ｋ７ＱＸ２Ｍ", "K7QX2M"),
        ("k7qx2m", "K7QX2M"),
    ]:
        assert await call(page, "opening.js", "m.codeIn(given[0])", typed) == code


@pytest.mark.parametrize(
    ("locale", "says"), [("en-GB", "There is nothing here"), ("zh-CN", "这里什么也没有")]
)
@pytest.mark.parametrize("path", ["/nonsense", "/nonsense/%zz", "/a/nonsense.js"])
async def test_an_address_that_leads_nowhere_says_so_in_the_pages_own_style(
    pages: Pages, path: str, locale: str, says: str
) -> None:
    pages.expect("404")
    page = await pages.open("about:blank", locale=locale, size=PHONE)
    answer = await page.goto(path)
    assert answer is not None
    assert answer.status == 404
    await expect(page.get_by_role("heading", level=1)).to_have_text(says)
    await pages.shot(page, f"lost-{locale}")
    assert await serious(page) == []
    await page.get_by_role("link").first.click()
    await expect(page.locator(".home")).to_be_visible()


async def test_a_new_bot_is_a_fair_opponent_unless_another_was_chosen(pages: Pages) -> None:
    page = await pages.open()
    for offered, usual in [
        (["random", "basic", "club", "expert"], "club"),
        (["random", "basic", "expert"], "basic"),
        (["random", "basic"], "basic"),
        (["expert"], "expert"),
        ([], "basic"),
    ]:
        assert await call(page, "levels.js", "m.levelFor(given[0])", offered) == usual
    await call(page, "settings.js", "m.set({ bots: 'random' })")
    for offered, chosen in [(["random", "basic", "club"], "random"), (["basic", "club"], "club")]:
        assert await call(page, "levels.js", "m.levelFor(given[0])", offered) == chosen


async def test_a_table_for_friends_without_a_clock_and_with_bots_of_a_chosen_strength(
    pages: Pages,
) -> None:
    page = await pages.open()
    await button(page, "New table")
    dialog = page.get_by_role("dialog")
    clocks = dialog.get_by_role("group", name="Time for a decision")
    await expect(clocks.get_by_role("button").first).to_have_attribute("aria-pressed", "true")
    await clocks.get_by_role("button", name="No clock").click()
    strengths = dialog.get_by_role("group", name="Bots play at").get_by_role("button")
    offered = await call(page, "levels.js", "m.offered.value")
    await expect(strengths).to_have_count(len(offered))
    await strengths.last.click()
    await pages.shot(page, "new-table")
    await button(page, "Open the table")
    await page.wait_for_url(ROOM)
    friend = await pages.open(f"/r/{page.url[-6:]}")
    await friend.get_by_role("button", name="Sit here").first.click()
    await expect(page.get_by_text("0 of 2 people are ready.")).to_be_visible()
    await button(page, "Start with bots")
    await expect(page.locator(".table")).to_be_visible()
    view = await seen(page, "view")
    assert view["settings"]["clock_s"] is None
    assert [one["level"] for one in view["seats"]].count(offered[0]) == 2
