"""Whole hands and matches at the table, and what lies between them."""

from __future__ import annotations

import asyncio
import re
from typing import Final

import pytest
from playwright.async_api import expect

from tests.web.deals import stacked
from tests.web.felt import PLAY_ON, Player
from tests.web.pages import DESKTOP, PHONE, Pages, serious

HASTE = 30.0
MATCH_MS = 120_000
"""A limit and no measure: a match of bots takes some ten seconds here."""


async def next_hand(me: Player) -> None:
    n = (await me.state())["hands"]
    await me.page.locator(".summary .next").click()
    await me.when(
        "['paying', 'returning', 'leading', 'following']"
        ".includes((await at('table')).table.value.public.phase)"
    )
    assert (await me.state())["hands"] == n


async def test_a_whole_hand_by_keyboard_only(pages: Pages) -> None:
    me = await Player.seated(pages)
    await me.until_hand_is_over()
    summary = me.page.locator(".summary")
    await expect(summary).to_be_visible()
    await expect(summary.locator("tbody .plate")).to_have_count(4)
    await expect(summary.locator(".next")).to_be_visible()
    await me.press("Enter")
    await me.when("(await at('table')).table.value.public.phase !== 'hand_over'")
    await expect(summary).to_have_count(0)


async def test_a_whole_hand_by_touch_only(pages: Pages) -> None:
    me = await Player.seated(pages, size=PHONE, touch=True, locale="zh-CN")
    page = me.page
    while (await me.state())["phase"] != "hand_over":
        now = await me.state()
        if not now["asked"]:
            await asyncio.sleep(0.05)  # until others have moved
            continue
        await me.my_turn()
        await page.locator(".act-suggest").tap()
        if await page.locator(".act-pass.advised").count():
            await page.locator(".act-pass").tap()
        else:
            await me.when("(await at('readings')).isPlayable.value")
            await page.locator(".act-play").tap()
        await me.when(f"(await at('table')).table.value.public.turn !== {now['turn']}")
    await expect(page.locator(".summary h2")).to_be_visible()
    await page.locator(".summary .next").tap()
    await me.when("(await at('table')).table.value.public.phase !== 'hand_over'")


async def test_the_summary_says_who_what_and_what_comes_next(pages: Pages) -> None:
    me = await Player.seated(pages)
    await me.until_hand_is_over()
    await expect(me.page.locator(".summary h2")).to_be_visible()
    assert await serious(me.page) == []
    record = await me.run("return (await at('table')).table.value.record.at(-1);")
    rows = me.page.locator(".summary tbody tr:not(.leftover)")
    names = await me.run(
        "return (await at('table')).table.value.view.seats.map((one) => one.name);"
    )
    for row, seat in zip(await rows.all(), record["finish"], strict=True):
        await expect(row).to_contain_text("You" if seat == 1 else names[seat - 1])
        team = "13" if seat % 2 else "24"
        await expect(row.locator(".level-cell b")).to_have_text(record["levels"][team])
    await expect(me.page.locator(".summary .gain")).to_have_text(f"+{record['gain']}")
    partners = record["finish"][0] % 2 == record["finish"][1] % 2
    await expect(me.page.locator(".summary .down")).to_have_count(2 if partners else 0)
    await expect(me.page.locator(".summary .explained")).to_contain_text("Next hand at")
    await expect(me.page.locator(".summary .explained")).to_contain_text("tribute")
    left = await me.run("return (await at('table')).table.value.public.left.flat().length;")
    await expect(me.page.locator(".summary .leftover .card")).to_have_count(left)


async def test_after_a_hand_its_cards_keep_their_level(pages: Pages) -> None:
    """The view speaks of the next hand's level already, at which other cards would be wild."""
    me = await Player.seated(pages)
    await me.until_hand_is_over()
    now = await me.run("return (await at('table')).table.value.public.level;")
    assert now != "2"
    assert await me.run("return (await at('table')).level.value;") == "2"
    await expect(me.page.locator(".now b")).to_have_text("10" if now == "T" else now)
    await expect(me.page.locator(".tallies")).to_have_count(0)


BOMBS: Final = (
    "SQ HQ HQ CQ CQ DQ DQ",
    "SK SK HK HK CK CK DK DK",
    "SA SA HA HA CA CA DA DA",
    "X X Y Y",
)
"""A hand of them, weakest first: only another bomb of eight cards could beat one."""


async def come_first(pages: Pages, monkeypatch: pytest.MonkeyPatch) -> Player:
    """Somebody who went out with bombs alone."""
    stacked(monkeypatch, {1: " ".join(BOMBS)})
    me = await Player.seated(pages)
    for bomb in BOMBS:
        turn = (await me.my_turn())["turn"]
        await me.run(
            "await (await at('table')).act(args.play);",
            play={"t": "play", "cards": bomb.split(), "reading": None, "turn": turn},
        )
        await me.when(f"(await at('table')).table.value.public.turn !== {turn}")
    await me.until_hand_is_over()
    return me


async def test_tribute_is_told_on_the_felt_and_the_return_is_raised(
    pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    me = await come_first(pages, monkeypatch)
    await next_hand(me)
    now = await me.my_turn()
    assert now["phase"] == "returning"
    await expect(me.page.locator(".tribute .tribute-plate").first).to_have_text("Tribute")
    await me.when("(await at('table')).taken.value.size === 1")
    assert (await me.named()).startswith("Return ")
    bright = await me.page.locator(".column:not(.dim) .card").evaluate_all(
        "all => all.map((c) => c.dataset.face)"
    )
    legal = await me.run("return (await at('table')).table.value.private.give_back;")
    assert legal
    assert set(legal) <= set(bright)
    await me.press("Enter")
    await me.when("(await at('table')).table.value.public.phase !== 'returning'")
    await expect(me.page.locator(".rail .log")).to_contain_text("Return, You to ")


async def test_a_match_is_won_and_another_one_proposed(pages: Pages) -> None:
    me = await Player.seated(pages)
    await me.press("o")
    await me.run('const { act } = await at("table"); await act({ t: "set_pace", pace_ms: 300 });')
    await me.run(PLAY_ON)
    await expect(me.page.locator(".summary.won h2")).to_contain_text(
        "won the match", timeout=MATCH_MS
    )
    await me.page.get_by_role("button", name="Rematch").click()
    await me.when("(await at('table')).table.value.view.match === 2")
    await expect(me.page.locator(".summary")).to_have_count(0)


async def test_at_a_the_tile_counts_attempts_and_a_sentence_says_why_it_is_not_won(
    pages: Pages,
) -> None:
    me = await Player.seated(pages, options={"a_max_misses": 3, "a_win_on": "own"})
    await me.until_hand_is_over()
    await me.run("""
        const { table } = await at("table");
        const now = table.value;
        const levels = { 13: "A", 24: "5" };
        const after = { levels, active: "A", owner: "13", misses: { 13: 1, 24: 0 } };
        const { misses } = after;
        const outcome = {
          finish: [1, 2, 4, 3], winner: "13", gain: 1, missed: ["13"], fallen: [], match_won: false,
          after,
        };
        const [hand] = now.record;
        table.value = {
          ...now,
          public: { ...now.public, levels, misses, outcome, owner: "13" },
          record: [{ ...hand, number: 1, levels }, { ...hand, number: 2, levels }],
        };
    """)
    await expect(me.page.locator(".tile").first).to_contain_text("A2")
    notes = me.page.locator(".summary .explained")
    await expect(notes.first).to_contain_text("the partner was last: that does not win the match")
    await expect(notes.nth(1)).to_contain_text("miss 1 of 3")


async def test_a_watcher_sees_the_table_and_has_no_buttons(pages: Pages) -> None:
    me = await Player.seated(pages)
    watcher = Player(await pages.open(f"/watch/{me.code}", size=DESKTOP))
    await expect(watcher.page.locator(".seat")).to_have_count(4)
    await expect(watcher.page.locator(".actions, .hand, .sit-down")).to_have_count(0)
    await expect(watcher.page.locator(".seat .backs")).to_have_count(4)
    await me.move()
    await watcher.when("(await at('table')).table.value.public.played[0].length > 0")
    await watcher.press("p", "Enter", "9", "g")
    assert await serious(watcher.page) == []


async def test_who_comes_by_the_link_looks_on_and_takes_a_bots_seat(pages: Pages) -> None:
    me = await Player.seated(pages)
    guest = Player(await pages.open(f"/r/{me.code}", size=PHONE))
    await expect(guest.page.locator(".sit-down button")).to_have_count(3)
    await guest.page.locator(".sit-down button").nth(1).click()
    await expect(guest.page.locator(".hand")).to_be_visible()
    assert (await guest.state())["seat"] == 3


async def test_leaving_asks_first(pages: Pages) -> None:
    me = await Player.seated(pages)
    await me.page.locator(".menu-button").click()
    await me.page.get_by_role("button", name="Leave the table").click()
    await expect(me.page.locator("dialog")).to_contain_text("a bot plays on with your cards")
    await me.page.get_by_role("button", name="Leave", exact=True).click()
    await expect(me.page).to_have_url(re.compile(r"\d/$"))


async def test_a_result_stays_to_be_read_while_the_autopilot_plays_on(pages: Pages) -> None:
    me = await Player.seated(pages, size=PHONE)
    await me.run(
        "await (await at('table')).act({ t: 'autopilot', on: true, pace_ms: 300 });"
        "await (await at('later')).fetchExtras();"
    )
    await me.when("(await at('table')).table.value.public.hand === 2")
    result = me.page.locator(".summary.kept")
    await expect(result.locator("tbody .plate")).to_have_count(4)
    await expect(result.locator(".leftover").first).to_be_visible()
    await me.settled()
    await pages.shot(me.page, "result-kept-phone")
    await me.press("Escape")
    await expect(result).to_have_count(0)
    await me.page.get_by_label("Menu").click()
    await me.page.get_by_role("button", name="Result of the last hand").click()
    await expect(result).to_be_visible()
    await result.get_by_role("button", name="Close").click()
    # A page that was loaded since knows it from the record.
    await me.page.reload()
    await me.page.get_by_label("Menu").click()
    await me.page.get_by_role("button", name="Log").click()
    await me.page.get_by_role("button", name="Result of the last hand").click()
    await expect(result.locator("tbody .plate")).to_have_count(4)


async def test_the_browsers_way_back_closes_a_dialog_and_not_the_table(pages: Pages) -> None:
    me = await Player.seated(pages, size=PHONE)
    page, menu = me.page, me.page.get_by_role("dialog", name="Menu")
    await page.get_by_label("Menu").click()
    await expect(menu).to_be_visible()
    await page.go_back()
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await expect(page.locator(".hand .held")).to_have_count(27)
    # From one dialog to the next there is one way back, and none is left when all are closed.
    await page.get_by_label("Menu").click()
    await menu.get_by_role("button", name="Card counter").click()
    await expect(page.get_by_role("dialog", name="Card counter")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await me.when("!history.state?.dialog")
    assert await me.run("return (await at('table')).table.value.code;") == me.code
    await page.get_by_label("Menu").click()
    await menu.get_by_role("button", name="Start page").click()
    await expect(page.locator(".home")).to_be_visible()
    assert await page.evaluate("history.state?.dialog ?? null") is None


async def test_who_loads_the_page_anew_finds_in_the_log_what_was_before(pages: Pages) -> None:
    me = await Player.seated(pages)
    await me.until_hand_is_over()
    await next_hand(me)
    while not (await me.run("return (await at('table')).table.value.public.top;")):
        if (await me.state())["asked"]:
            await me.move()
        await asyncio.sleep(0.02)  # until somebody has led
    await me.run("await (await at('table')).act({ t: 'set_pace', pace_ms: 5000 });")
    await me.page.reload()
    lines = me.page.locator(".rail .log li")
    await expect(lines.first).to_have_text("Result of the last hand")
    await expect(lines.nth(1)).to_have_text("Hand 1, at 2")
    await expect(lines.nth(2)).to_contain_text("Hand over.")
    texts = await lines.all_inner_texts()
    assert any(text.startswith("Hand 2, at ") for text in texts)
    assert any(text.startswith(("Tribute, ", "No tribute")) for text in texts)
    assert not any("Nothing has happened yet" in text for text in texts)
