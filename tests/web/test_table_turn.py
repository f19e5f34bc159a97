"""A turn at the table: what the selection is called, what would do, and what is said about it."""

from __future__ import annotations

from typing import Any, Final

import pytest
from playwright.async_api import expect

from guandan_protocol.messages import Code, Refused
from guandan_server.items import Suggest
from guandan_server.thoughts import Thoughts
from tests.web.deals import stacked
from tests.web.felt import Player
from tests.web.pages import DESKTOP, LANDSCAPE, PHONE, Pages, Size, serious

HASTE = 10.0
SETTINGS: Final[dict[str, Any]] = {
    "visibility": "private",
    "clock_s": None,
    "pace_ms": 1000,
    "grace_s": 60,
    "hints": True,
    "counter": True,
    "phrases": True,
}
SLOW: Final = {**SETTINGS, "pace_ms": 5000}
"""Bots that one can watch."""


async def two_people(
    pages: Pages, size: Size = DESKTOP, settings: dict[str, Any] | None = None
) -> tuple[Player, Player]:
    """Two people and two bots; the first of them leads, and the second comes next."""
    me = await Player.seated(pages, size=size, bots=(3, 4), begin=False, settings=settings)
    page = await pages.open(f"/r/{me.code}")
    other = Player(page, me.code)
    await page.locator('.lobby-seat[data-seat="2"] button').first.click()
    await other.when("(await at('table')).mySeat.value === 2")
    await me.run("await (await at('table')).act({ t: 'start' });")
    return me, other


async def off_turn(
    pages: Pages, size: Size = DESKTOP, settings: dict[str, Any] | None = None
) -> tuple[Player, Player]:
    """Two people and two bots: the first has played, the second thinks for as long as one likes."""
    me, other = await two_people(pages, size, settings)
    await me.move()
    await other.when("(await at('table')).isAsked.value")
    return me, other


async def with_two_readings(pages: Pages, monkeypatch: pytest.MonkeyPatch) -> Player:
    """Somebody who holds a wild and two pairs: KKQQ and the wild are two full houses."""
    stacked(monkeypatch, {1: "H2 SK DK SQ DQ"})
    me = await Player.seated(pages, settings=SLOW)
    await me.my_turn()
    await me.run("""
        const { heldAs, select } = await at("choosing");
        select(heldAs(["H2", "SK", "DK", "SQ", "DQ"]).map((card) => card.id));
    """)
    return me


async def test_the_play_button_names_the_selection(pages: Pages) -> None:
    me = await Player.seated(pages)
    await me.my_turn()
    assert await me.named() == "Play"
    state = await me.state()
    rank = next(card[1] for card in state["hand"] if len(card) == 2 and card[1] != "2")
    await me.press("0" if rank == "T" else rank.lower())
    await me.when("(await at('readings')).isPlayable.value")
    assert await me.named() == ("10" if rank == "T" else rank)
    await expect(me.page.locator(".act-play")).to_have_attribute("aria-disabled", "false")


async def test_reading_chips_for_an_ambiguous_wild(
    pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    me = await with_two_readings(pages, monkeypatch)
    chips = me.page.locator(".reading-chips .chip")
    await expect(chips).to_have_count(2)
    strongest, other = await chips.all_inner_texts()
    assert await me.named() == strongest
    await me.press("Tab")
    assert await me.named() == other
    await me.press("Shift+Tab")
    assert await me.named() == strongest
    await me.press("Tab")
    await me.press("Enter")
    await expect(me.page.locator('[data-play="1"] .as')).to_have_count(1)
    await expect(me.page.locator(".rail .log .own")).to_have_text(f"You: {other}")


async def test_hints_go_from_the_cheapest_to_the_strongest_and_play_nothing(pages: Pages) -> None:
    me = await Player.seated(pages)
    state = await me.my_turn()
    hints = await me.run(
        "const { hints } = (await at('hints')).hints.value;"
        "return hints.filter((hint) => hint.cards.length).map((hint) => hint.cards);"
    )
    await me.press("h")
    assert (await me.state())["taken"] == hints[0]
    await expect(me.page.locator(".line .hint")).to_contain_text(f"Hint 1/{len(hints)}: ")
    await me.press("h")
    assert sorted((await me.state())["taken"]) == sorted(hints[1 % len(hints)])
    await me.press("Shift+H")
    assert (await me.state())["taken"] == hints[0]
    assert (await me.state())["turn"] == state["turn"]


@pytest.mark.parametrize(("locale", "word"), [("en-GB", "Suggestion: "), ("zh-CN", "建议：")])
async def test_a_suggestion_is_selected_and_explained_and_not_submitted(
    pages: Pages, locale: str, word: str
) -> None:
    me = await Player.seated(pages, locale=locale)
    state = await me.my_turn()
    await me.press("g")
    line = await me.page.locator(".line .hint").inner_text()
    assert line.startswith(word)
    assert len(line) > len(word) + 8
    assert (await me.state())["taken"]
    assert (await me.state())["turn"] == state["turn"]


async def test_a_table_without_hints_has_no_hint_buttons(pages: Pages) -> None:
    me = await Player.seated(pages, settings={**SETTINGS, "hints": False, "counter": False})
    await expect(me.page.locator(".actions.mine")).to_be_visible()
    await expect(me.page.locator(".act-hint, .act-suggest, .tallies")).to_have_count(0)
    await me.press("h")
    await expect(me.page.locator(".line .bad")).to_have_text("This table plays without hints.")
    await me.press("c")
    await expect(me.page.locator(".counter")).to_have_count(0)


async def test_columns_that_cannot_help_are_dimmed_and_can_still_be_taken(pages: Pages) -> None:
    me = await Player.seated(pages)
    await me.my_turn()
    await expect(me.page.locator(".column.dim")).to_have_count(0)
    while True:
        await me.move()
        await me.my_turn()
        if await me.page.locator(".column.dim").count():
            break
    worth = await me.run("return [...(await at('hints')).worth.value];")
    shown = await me.page.locator(".column:not(.dim) .card").evaluate_all(
        "all => all.map((c) => c.dataset.face)"
    )
    assert set(worth) <= set(shown)
    dim = me.page.locator(".column.dim").first
    await dim.focus()
    await me.press("ArrowUp")
    assert len((await me.state())["taken"]) == 1
    await me.run("(await at('settings')).set({ dim: false });")
    await expect(me.page.locator(".column.dim")).to_have_count(0)


async def test_a_refusal_says_why_and_keeps_the_selection(pages: Pages) -> None:
    me = await Player.seated(pages)
    state = await me.my_turn()
    two = sorted({card[1] for card in state["hand"] if len(card) == 2 and card[1] != "2"})[:2]
    await me.press(*["0" if rank == "T" else rank.lower() for rank in two])
    await me.when("(await at('readings')).preview.value !== null")
    await me.press("Enter")
    await expect(me.page.locator(".line .bad")).to_have_text("These cards form no combination.")
    assert len((await me.state())["taken"]) == 2
    await expect(me.page.locator(".hearing")).to_contain_text("These cards form no combination.")


async def test_off_turn_the_row_stays_and_a_selection_is_named(pages: Pages) -> None:
    me, other = await off_turn(pages)
    row = me.page.locator(".actions")
    await expect(row).to_be_visible()
    assert await row.locator("[aria-disabled=false]").count() == 0
    await expect(me.page.locator(".line")).to_contain_text("is thinking")
    rank = next(card[1] for card in (await me.state())["hand"] if card[1:] not in ("", "2"))
    await me.press("0" if rank == "T" else rank.lower())
    await me.when("(await at('readings')).reading.value !== null")
    assert await me.named() != "Play"
    await me.press("Enter")
    await expect(me.page.locator(".line .bad")).to_have_text("It is not your turn.")
    assert (await other.state())["asked"]


async def test_whose_turn_it_is_is_seen_heard_and_in_the_title(pages: Pages) -> None:
    me, other = await off_turn(pages)
    await expect(me.page.locator('.seat[data-seat="2"].asked')).to_be_visible()
    await expect(me.page.locator(".seat.asked")).to_have_count(1)
    await expect(other.page.locator(".hearing")).to_contain_text("Your turn")
    hidden = "Object.defineProperty(document, 'hidden', { value: true, configurable: true })"
    await me.page.evaluate(hidden)
    assert not (await me.page.title()).startswith("●")
    await other.move()
    await me.my_turn()
    assert await me.page.title() == "● Your turn"


async def test_each_seat_keeps_its_last_play_until_the_trick_closes(pages: Pages) -> None:
    me, other = await off_turn(pages)
    top = me.page.locator(".play.top")
    await expect(top).to_have_count(1)
    await expect(top).to_have_attribute("data-play", "1")
    await expect(top.locator(".caption")).not_to_be_empty()
    await expect(me.page.locator('.seat[data-seat="1"] .led')).to_be_visible()
    await other.when("(await at('hints')).hints.value !== null")
    await other.press("p")
    await expect(me.page.locator('[data-play="2"]')).to_have_text("Pass")
    await expect(top).to_have_attribute("data-play", "1")


async def test_tallies_count_what_is_neither_played_nor_held(pages: Pages) -> None:
    me = await Player.seated(pages)
    await me.my_turn()
    await me.move()
    state = await me.my_turn()
    seen = [card for seat in state["played"] for card in seat] + state["hand"]
    wanted = [
        2 - seen.count("Y"),
        2 - seen.count("X"),
        2 - seen.count("H2"),
        6 - sum(card[-1] == "2" and card != "H2" for card in seen),
    ]
    shown = await me.page.locator(".tally b").all_inner_texts()
    assert [int(text) for text in shown] == wanted
    await me.press("c")
    sums = await me.page.locator(".dialog .counter .sum").all_inner_texts()
    assert sum(map(int, sums)) == 108 - len(seen)


async def test_counts_from_ten_down_are_called_out(pages: Pages) -> None:
    me = await Player.seated(pages, options={"show_counts": "le10"})
    await me.my_turn()
    await expect(me.page.locator('.seat[data-seat="2"] .count')).to_have_text("10+")
    while not await me.page.locator(".seat .count.few").count():
        await me.move()
        if (await me.state())["phase"] == "hand_over":
            break
        await me.my_turn()
    few = await me.page.locator(".seat .count.few").first.inner_text()
    assert int(few) <= 10


async def test_passing_by_itself_happens_only_if_wanted_and_not_at_once(
    pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    stacked(monkeypatch, {1: "X X Y Y"})
    me, other = await two_people(pages)
    await other.run("""
        window.waits = [];
        const later = window.setTimeout;
        window.setTimeout = (then, ms, ...more) => {
          if (String(then).includes("pass")) window.waits.push(ms);
          return later(then, ms, ...more);
        };
    """)
    await me.my_turn()
    await me.press("x", "x", "z", "z")
    await me.when("(await at('readings')).isPlayable.value")
    await me.press("Enter")
    await other.when("(await at('hints')).onlyPass.value")
    assert await other.page.evaluate("window.waits") == []
    await other.run("(await at('settings')).set({ autoPass: true });")
    (wait,) = await other.page.evaluate("window.waits")
    assert wait >= 700
    passed = "({ event }) => event.t === 'passed' && event.seat === 2"
    await me.when(f"(await at('table')).log.value.some({passed})")
    assert len((await other.state())["hand"]) == 27


async def test_autopilot_has_a_banner_and_its_paces_and_ends_with_one_tap(pages: Pages) -> None:
    me = await Player.seated(pages, size=PHONE, touch=True)
    await me.my_turn()
    await me.page.locator(".foot button").nth(2).tap()
    banner = me.page.locator(".banner.autopilot")
    await expect(banner.locator(".chip")).to_have_count(7)
    await banner.locator(".chip").last.tap()
    await me.when("(await at('autopilot')).autopilot.value.pace_ms === 5000")
    await banner.locator(".primary").tap()
    await expect(banner).to_have_count(0)


async def test_the_host_sets_the_pace_of_bots(pages: Pages) -> None:
    me = await Player.seated(pages)
    await me.page.locator(".menu-button").click()
    await me.page.get_by_role("button", name="Pace of the bots").click()
    await me.page.get_by_role("button", name="0.3 s").click()
    await me.when("(await at('table')).table.value.view.settings.pace_ms === 300")


async def test_phrases_are_shown_at_the_seat_and_can_be_muted(pages: Pages) -> None:
    me, other = await off_turn(pages)
    await other.press("/")
    await other.page.locator("dialog [data-phrase=well_played]").click()
    await expect(me.page.locator('.seat[data-seat="2"] .bubble')).to_have_text("Well played.")
    await me.press("/")
    await me.page.locator(".dialog .toggle").click()
    await me.press("Escape")
    await other.press("/")
    await other.page.locator("dialog [data-phrase=hello]").click()
    await expect(other.page.locator(".seat .bubble")).to_have_text("Hello everybody.")
    await me.when("(await at('table')).log.value.some(({ event }) => event.phrase === 'hello')")
    await expect(me.page.locator('.seat[data-seat="2"] .bubble')).not_to_have_text(
        "Hello everybody."
    )


async def test_nothing_sounds_before_the_first_tap(pages: Pages) -> None:
    page = await pages.open("/")
    await page.add_init_script("""
        window.made = 0;
        const Real = window.AudioContext;
        window.AudioContext = class extends Real { constructor() { super(); window.made += 1; } };
    """)
    await page.reload()
    me = Player(page)
    await me.run("await (await at('opening')).playNow();")
    await me.my_turn()
    await me.when("(await at('later')).extras.value !== null")
    assert await page.evaluate("window.made") == 0
    await page.mouse.click(5, 300)
    assert await page.evaluate("window.made") == 1


async def test_a_tap_skips_what_moves(pages: Pages) -> None:
    me = await Player.seated(pages, motion="no-preference")
    flies = "document.getAnimations().filter((one) => one.constructor === Animation).length"
    await me.when(f"{flies} > 0")
    await me.page.mouse.click(5, 200)
    assert await me.page.evaluate(flies) == 0


async def test_nothing_moves_for_who_does_not_want_it(pages: Pages) -> None:
    me = await Player.seated(pages, motion="reduce")
    await me.my_turn()
    await me.move()
    assert (
        await me.page.evaluate(
            "document.getAnimations().filter((one) => one.effect.getTiming().duration > 20).length"
        )
        == 0
    )


async def test_a_four_colour_deck(pages: Pages) -> None:
    me = await Player.seated(pages, prefer={"fourColour": True})
    colours = await me.page.evaluate("""
        [..."SHCD"].map((suit) =>
          getComputedStyle(document.querySelector(`.hand .suit-${suit}`)).color)
    """)
    assert len(set(colours)) == 4


async def test_teams_are_told_by_shape_and_place_too(pages: Pages) -> None:
    me = await Player.seated(pages)
    shapes = await me.page.locator(".seat .avatar > svg:first-child > *").evaluate_all(
        "all => all.map((one) => one.tagName)"
    )
    assert shapes == ["circle", "path", "circle", "path"]
    boxes = [
        await me.page.locator(f'.seat[data-seat="{seat}"]').bounding_box() for seat in (1, 2, 3, 4)
    ]
    own, right, partner, left = [box for box in boxes if box]
    assert left["x"] < partner["x"] < right["x"]
    assert partner["y"] < right["y"] < own["y"]


async def test_columns_are_buttons_that_say_how_many(pages: Pages) -> None:
    me = await Player.seated(pages)
    await me.my_turn()
    columns = me.page.locator(".hand button")
    assert await columns.evaluate_all("all => all.filter((one) => one.tabIndex === 0).length") == 1
    first = columns.first
    await first.focus()
    await me.press("ArrowUp")
    label = await first.get_attribute("aria-label")
    assert label is not None
    assert label.endswith("in hand, 1 taken")
    await me.press("ArrowRight")
    assert await columns.nth(1).evaluate("one => one === document.activeElement")


@pytest.mark.parametrize("size", [PHONE, LANDSCAPE, DESKTOP], ids=lambda one: one.name)
@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
async def test_the_table_can_be_used_without_eyes(pages: Pages, size: Size, locale: str) -> None:
    me = await Player.seated(pages, size=size, locale=locale)
    await me.my_turn()
    await me.press("g")
    assert await serious(me.page) == []
    await me.move()
    await me.my_turn()
    assert await serious(me.page) == []
    for panel in ("menu", "counter", "phrases", "settings", "keys"):
        await me.run("(await at('panel')).open(args.panel);", panel=panel)
        await expect(me.page.locator("dialog[open]")).to_be_visible()
        assert await serious(me.page) == []


async def test_the_clock_stands_still_and_grey_while_the_link_is_lost(pages: Pages) -> None:
    me = await Player.seated(pages, settings={**SETTINGS, "clock_s": 300})
    await me.my_turn()
    clock = me.page.locator(".clock")
    await expect(clock).to_have_attribute("role", "timer")
    await me.run(
        "const { link } = await at('table');"
        "const retryAt = performance.now() + 60000;"
        "link.value = { ...link.value, state: 'lost', retryAt };"
    )
    await expect(me.page.locator(".clock.frozen")).to_be_visible()
    await expect(me.page.locator(".banner.lost")).to_contain_text("Trying again in")
    shown = await clock.inner_text()
    assert await clock.inner_text() == shown
    assert await me.page.locator(".actions [aria-disabled=false]").count() == 0


async def test_the_order_of_the_hand_is_nobody_elses_business(pages: Pages) -> None:
    """Others play, and no column moves."""
    me, other = await off_turn(pages)
    await me.press("s", "s")
    before = await me.columns()
    await other.move()
    await me.my_turn()
    assert await me.columns() == before


async def test_the_last_trick_can_be_seen_again(pages: Pages) -> None:
    me = await Player.seated(pages)
    await me.my_turn()
    await me.press("l")
    await expect(me.page.locator(".line .hint")).to_have_text("No trick has closed yet.")
    while not await me.run("return (await at('trick')).lastTrick.value !== null;"):
        await me.move()
        await me.my_turn()
    await me.my_turn()
    await me.press("l")
    await me.when("(await at('trick')).onTable.value.isPast")
    assert await me.page.locator(".play.past .card").count() > 0
    # Of another table nothing lies on the felt, and nothing is to be seen again.
    await me.run("(await at('table')).leaveQuietly(); (await at('route')).go('/');")
    await me.run("await (await at('opening')).playNow();")
    await me.when(f"((await at('table')).table.value?.code ?? '{me.code}') !== '{me.code}'")
    assert await me.run("return (await at('trick')).lastTrick.value;") is None


async def test_hints_that_the_server_had_no_time_for_are_asked_for_again(
    pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    suggest = Thoughts.suggest
    asked: list[Suggest] = []

    def busy_at_first(self: Thoughts, ask: Suggest) -> None:
        asked.append(ask)
        if len(asked) < 3:
            self._send(ask.conn, Refused(ask.id, Code.BUSY, "try again", 200))
        else:
            suggest(self, ask)

    monkeypatch.setattr(Thoughts, "suggest", busy_at_first)
    me = await Player.seated(pages, settings=SLOW)
    await me.when("(await at('table')).isAsked.value")
    await me.when("(await at('hints')).hints.value !== null")
    assert len(asked) == 3
    assert {ask.view.public.turn for ask in asked} == {asked[0].view.public.turn}


async def test_who_leaves_by_the_menu_is_offered_the_seat_no_more(pages: Pages) -> None:
    me = await Player.seated(pages)
    await me.my_turn()
    saved = "return (await at('settings')).savedSeats().length;"
    assert await me.run(saved) == 1
    await me.page.get_by_role("button", name="Menu").click()
    await me.page.get_by_role("button", name="Leave the table").click()
    await me.page.get_by_role("button", name="Leave", exact=True).click()
    await expect(me.page.locator(".table")).to_have_count(0)
    assert await me.run(saved) == 0
