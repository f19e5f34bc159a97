"""People at a table as others see them: who came and who left, and what they are called."""

from __future__ import annotations

import re
from typing import Final

import pytest
from playwright.async_api import Page, expect

from guandan_cli.texts import texts
from guandan_engine.seats import SEATS
from guandan_server import seating
from tests.web.felt import Player
from tests.web.modules import call, record_text
from tests.web.pages import DESKTOP, LANDSCAPE, PHONE, Pages, Size
from tests.web.test_lobby import at, come, opened
from tests.web.test_replay_page import opened as replayed
from tests.web.test_sizes import OVER
from tests.web.test_table_turn import SETTINGS, off_turn

HASTE: Final = 10.0
SMALL: Final = Size("small", 320, 568)
LONG: Final = "Ottoottoottoottoottootto"
HEBREW: Final = "אברהם יצחק ויעקב מירושלים"[:24]


async def sideways(page: Page) -> list[str]:
    """What reaches beyond the sides of the screen, or of the dialog that it stands in."""
    found: list[str] = await page.evaluate("""
        [...document.querySelectorAll("button, h2, p, b, span, input")].filter((one) => {
          const box = one.getBoundingClientRect();
          const frame = one.closest("dialog")?.getBoundingClientRect();
          const left = frame?.left ?? 0;
          const right = frame?.right ?? innerWidth;
          return box.width && (box.left < left - 1 || box.right > right + 1);
        }).map((one) => `${one.tagName} ${one.className} ${one.textContent.slice(0, 30)}`)
    """)
    return found


async def test_all_hear_that_a_host_has_left_and_who_is_host_now(pages: Pages) -> None:
    host = await opened(pages)
    second = await come(pages, host, "Bea", 2)
    third = await come(pages, host, "Cai", 3)
    await expect(host.locator(".news")).to_contain_text("Cai has sat down.")
    await host.get_by_role("button", name="Leave the table").click()
    await expect(second.locator(".news")).to_contain_text("Ann has left the table.")
    await expect(second.locator(".news")).to_contain_text("You are the host now")
    await expect(third.locator(".news")).to_contain_text("Bea is the host now.")
    await expect(second.get_by_role("button", name="Start with bots")).to_be_visible()


async def test_who_leaves_in_the_middle_of_a_match_is_told_of_and_stands_in_the_log(
    pages: Pages,
) -> None:
    me, other = await off_turn(pages)
    await other.page.get_by_label("Menu").click()
    await other.page.get_by_role("button", name="Leave the table").click()
    await other.page.get_by_role("button", name="Leave", exact=True).click()
    news = me.page.locator(".news")
    await expect(news).to_contain_text(re.compile(r" has left; a bot plays on\."))
    await expect(me.page.locator(".rail .log")).to_contain_text("has left; a bot plays on.")
    await expect(me.page.locator(".hearing")).to_contain_text("has left; a bot plays on.")


@pytest.mark.parametrize("size", [SMALL, PHONE, LANDSCAPE], ids=lambda size: size.name)
async def test_a_name_that_is_one_long_word_breaks_nothing(pages: Pages, size: Size) -> None:
    host = await opened(pages, size=size)
    await come(pages, host, LONG, 2)
    await host.get_by_role("button", name=f"Seat 2, {LONG}: what can be done").click()
    assert await sideways(host) == []
    await host.get_by_role("button", name="Send away").click()
    await pages.shot(host, f"seat-sheet-{size.name}")
    assert await sideways(host) == []
    await host.keyboard.press("Escape")
    assert await sideways(host) == []


async def test_a_name_from_right_to_left_is_cut_at_its_end(pages: Pages) -> None:
    host = await opened(pages, HEBREW, size=PHONE)
    name = at(host, 1).locator("b")
    await expect(name).to_have_text(HEBREW)
    assert await name.evaluate("one => getComputedStyle(one).direction") == "rtl"
    guest = await come(pages, host, "Bea", 3)
    await at(guest, 1).get_by_role("button", name="Ask to swap seats").click()
    # In a sentence it keeps to itself.
    wish = host.get_by_text("would like to swap seats")
    await expect(wish).to_be_visible()
    assert await call(guest, "people.js", "m.named(given[0])", HEBREW) == f"\u2068{HEBREW}\u2069"


async def test_names_are_cut_between_letters_as_people_count_them(pages: Pages) -> None:
    page = await pages.open()
    flag, hand = "\U0001f1e8\U0001f1f3", "\U0001f44b\U0001f3fd"
    for given, kept in [
        (flag * 13, flag * 12),
        ("a" + flag * 12, "a" + flag * 11),
        ("ab" * 11 + "a" + hand, "ab" * 11 + "a"),
        (" 阿\u3000明 ", "阿 明"),
    ]:
        assert await call(page, "names.js", "m.cleanName(given[0])", given) == kept


async def test_the_mark_of_a_player_is_a_whole_letter(pages: Pages) -> None:
    host = await opened(pages, "\U0001f1e8\U0001f1f3 Li")
    await host.get_by_role("button", name="Start with bots").click()
    mark = host.locator('.seat[data-seat="1"] .avatar b')
    await expect(mark).to_have_text("\U0001f1e8\U0001f1f3")


async def test_a_name_is_remembered_as_it_is_typed(pages: Pages) -> None:
    page = await pages.open()
    await page.get_by_label("Your name").press_sequentially("Bea ")
    await expect(page.get_by_label("Your name")).to_have_value("Bea ")
    await page.reload()
    await expect(page.get_by_label("Your name")).to_have_value("Bea")


async def test_who_sits_down_in_the_middle_of_a_match_says_a_name(pages: Pages) -> None:
    me = await Player.seated(pages)
    page = await pages.open(f"/r/{me.code}", size=PHONE)
    await page.get_by_label("Your name").fill("Bea")
    await pages.shot(page, "sit-down-phone")
    assert await sideways(page) == []
    await page.locator(".sit-down button").first.click()
    await expect(me.page.locator('.seat[data-seat="2"] .name')).to_have_text("Bea")


@pytest.mark.parametrize("size", [PHONE, LANDSCAPE, DESKTOP], ids=lambda size: size.name)
async def test_the_clock_of_others_is_on_their_plate(pages: Pages, size: Size) -> None:
    me, other = await off_turn(pages, size, settings={**SETTINGS, "clock_s": 300})
    await expect(me.page.locator('.seat[data-seat="2"] .clock')).to_be_visible()
    await expect(me.page.locator(".actions [role=timer]")).to_have_count(0)
    await pages.shot(me.page, f"clock-{size.name}")
    await expect(other.page.locator(".actions [role=timer]")).to_be_visible()
    await expect(other.page.locator(".seat .clock")).to_have_count(0)


_TOLD: Final = """
    () => [...document.querySelectorAll("body, body *")].flatMap((one) => [
      ...[...one.childNodes].filter((part) => part.nodeType === 3).map((part) => part.data),
      ...["aria-label", "title", "alt", "placeholder"].map((name) => one.getAttribute(name) ?? ""),
    ])
"""
"""Every text of a page, those that are only read out too."""


async def only_in_chinese(page: Page, *names: str) -> None:
    for name in names:
        await expect(page.locator("body")).to_contain_text(name)
    told = await page.evaluate(_TOLD)
    assert [one for one in told if re.search("Bamboo|Orchid|Plum|Chrysanthemum", one)] == []


async def test_bots_are_called_here_what_they_are_called_in_the_terminal(pages: Pages) -> None:
    names = await call(await pages.open(), "people.js", "m.BOT_NAMES")
    assert set(names) == {seating.bot(seat, "club").name for seat in SEATS}
    assert len(set(names.values())) == len(SEATS)
    table = texts("zh").table.items()
    family = "botname."
    assert names == {key.removeprefix(family): word for key, word in table if family in key}


async def test_a_bot_has_its_chinese_name_wherever_the_page_is_chinese(pages: Pages) -> None:
    me = await Player.seated(pages, locale="zh-CN", begin=False)
    page = me.page
    await expect(page.locator(".lobby")).to_be_visible()
    await only_in_chinese(page, "阿兰", "阿梅", "阿菊")
    await page.get_by_role("button", name="2 号位, 阿兰").click()
    await expect(page.locator("dialog")).to_contain_text("阿兰")
    await only_in_chinese(page, "阿兰")
    await me.press("Escape")
    await me.run("await (await at('table')).act({ t: 'start' });")
    await expect(page.locator(".seat .name")).to_have_text(["你", "阿兰", "阿梅", "阿菊"])
    # What they do stands in the log, and is read out.
    await me.move()
    await me.my_turn()
    await me.run(OVER)
    for place in (".rail .log", ".hearing", ".summary"):
        await expect(page.locator(place)).to_contain_text(re.compile("阿[兰梅菊]"))
    await only_in_chinese(page, "阿兰", "阿梅", "阿菊")
    for drawer in ("score", "counter", "menu", "phrases", "settings"):
        await me.run("(await at('panel')).open(args.drawer);", drawer=drawer)
        await expect(page.locator("dialog")).to_be_visible()
        await only_in_chinese(page, "阿兰")
        await me.press("Escape")
        await expect(page.locator("dialog")).to_have_count(0)
    watcher = await pages.open(f"/watch/{me.code}", locale="zh-CN")
    await expect(watcher.locator(".table")).to_be_visible()
    await only_in_chinese(watcher, "阿兰", "阿梅", "阿菊")


async def test_a_bot_has_its_chinese_name_in_a_replay_and_a_person_their_own(pages: Pages) -> None:
    text = record_text().replace("name 3 李雷", "name 3 Plum").replace("name 4 Bo", "name 4 Orchid")
    page = await replayed(pages, text, locale="zh-CN")
    await page.get_by_text("本局过程").click()
    await page.keyboard.press("End")
    await only_in_chinese(page, "阿梅", "阿兰", "Ann")
    await page.get_by_role("button", name="English").click()
    await expect(page.locator("body")).to_contain_text("Plum")
    await expect(page.locator("body")).not_to_contain_text("阿梅")
