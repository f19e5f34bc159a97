"""Nothing lies over anything else: on small screens, in landscape, with large letters."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.async_api import FilePayload, Page, expect

from tests.web.felt import Player
from tests.web.modules import record_text
from tests.web.pages import DESKTOP, LANDSCAPE, PHONE, Pages, Size

HASTE: Final = 10.0
SHORT: Final = Size("short", 320, 568)
LOW: Final = Size("low", 568, 320)
SIZES: Final = [
    pytest.param(size, is_large, id=size.name + ("-large" if is_large else ""))
    for size, is_large in [
        (SHORT, False),
        (SHORT, True),
        (LOW, False),
        (PHONE, False),
        (PHONE, True),
        (LANDSCAPE, False),
        (LANDSCAPE, True),
        (DESKTOP, False),
        (DESKTOP, True),
    ]
]

_OVERLAPS: Final = """
    const seen = (one) => {
      const { width, height } = one.getBoundingClientRect();
      return width && height && getComputedStyle(one).visibility !== "hidden";
    };
    const all = (what) => [...document.querySelectorAll(what)].filter(seen);
    const box = (one) => one.getBoundingClientRect();
    const meet = (a, b) => {
      const [one, other] = [box(a), box(b)];
      return Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2
        && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 2;
    };
    const name = (one) => `${one.className} ${one.dataset.seat ?? one.dataset.play ?? ""}`;
    const parts = all(args.parts);
    const found = [];
    parts.forEach((one, i) => parts.slice(i + 1).forEach((other) => {
      if (!one.contains(other) && meet(one, other)) found.push(`${name(one)} | ${name(other)}`);
    }));
    for (const one of parts) {
      const { left, right, top, bottom } = box(one);
      if (left < -1 || right > innerWidth + 1 || top < -1 || bottom > innerHeight + 1) {
        found.push(`${name(one)} is outside`);
      }
    }
    return found;
"""
TABLE_PARTS: Final = ".seat, .play .cards, .action, .strip > *:not(.grow), .foot .button, .tribute"

HAND: Final = (
    "Y X H2 S2 C2 SA HA CA DA SK HK SQ SJ HJ ST S9 H9 S8 S7 H7 C7 D7 S7 S6 S5 S4 S3".split()
)
"""As many columns as most hands have, and a high one in each row."""

_HOLD: Final = """
    const { table } = await at("table");
    const now = table.value;
    table.value = { ...now, private: { ...now.private, hand: args.hand } };
"""
_PLAYS: Final = """
    const { table } = await at("table");
    const now = table.value;
    const lay = (faces, reading) => ({ cards: faces.split(" "), reading, shown_as: [] });
    const shown = [
      null,
      lay("S3 S4 S5 S6 S7", ["straight", "7", 5]),
      lay("S8 H8 C8 D9 S9", ["full_house", "8", 5]),
      lay("ST HT CT DT DT ST", ["bomb", "T", 6]),
    ];
    const seats = { top: ["bomb", "T", 6], by: 4, leader: 2, counts: [27, 9, 22, 8] };
    table.value = { ...now, public: { ...now.public, shown, ...seats } };
"""
_TRIBUTE: Final = """
    const { table } = await at("table");
    const now = table.value;
    const none = [null, null, null, null];
    const gifts = [
      { donor: 1, recipient: 2, card: "SA" }, { donor: 3, recipient: 4, card: "HK" },
    ];
    const returns = [{ donor: 2, recipient: 1, card: "S3" }];
    const last = { number: 1, level: "2", owner: null, finish: [2, 4, 1, 3], gain: 3,
      levels: { 13: "2", 24: "5" }, resisted: [], gifts: [], returns: [], match_won: false };
    const seats = { asked: [4], shown: none, played: [[], [], [], []], top: null, by: null };
    const given = { owing: [], gifts, returns };
    const after = { ...now.public, phase: "returning", ...seats, ...given };
    table.value = { ...now, record: [last], public: after };
"""


_DRESSED: Final = """
    () => !matchMedia("(max-width: 17em)").matches
      || [...document.styleSheets].some((one) => one.href?.endsWith("style/large.css"))
"""


async def large(page: Page) -> None:
    """What a browser's setting for larger letters does."""
    tools = await page.context.new_cdp_session(page)
    sizes = {"fontSizes": {"standard": 32, "fixed": 26}}
    await tools.send("Page.setFontSizes", sizes)
    await page.evaluate("dispatchEvent(new Event('visibilitychange'))")
    await page.wait_for_function(_DRESSED)


async def overlaps(player: Player, parts: str) -> list[str]:
    await player.settled()
    found: list[str] = await player.run(_OVERLAPS, parts=parts)
    return found


@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
@pytest.mark.parametrize(("size", "is_large"), SIZES)
async def test_seats_plays_and_buttons_keep_clear_of_each_other(
    pages: Pages, size: Size, is_large: bool, locale: str
) -> None:
    me = await Player.seated(pages, size=size, locale=locale)
    await me.my_turn()
    if is_large:
        await large(me.page)
    await me.run(_HOLD, hand=HAND)
    await me.run(_PLAYS)
    await pages.shot(me.page, f"plays-{size.name}-{is_large}-{locale}")
    assert await overlaps(me, TABLE_PARTS) == []


@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
@pytest.mark.parametrize(("size", "is_large"), SIZES)
async def test_a_double_tribute_leaves_the_seats_at_the_sides_to_be_seen(
    pages: Pages, size: Size, is_large: bool, locale: str
) -> None:
    me = await Player.seated(pages, size=size, locale=locale)
    await me.my_turn()
    if is_large:
        await large(me.page)
    await me.run(_HOLD, hand=HAND)
    await me.run(_TRIBUTE)
    await expect(me.page.locator(".exchange")).to_have_count(2)
    await me.settled()
    await pages.shot(me.page, f"tribute-{size.name}-{is_large}-{locale}")
    parts = ".seat.place-1, .seat.place-3, .tribute, .action, .tribute .card"
    assert await overlaps(me, parts) == []


_RESISTED: Final = """
    const { table } = await at("table");
    const now = table.value;
    const none = [[], [], [], []];
    table.value = {
      ...now, public: { ...now.public, resisted: [2, 4], phase: "leading", played: none },
    };
"""


@pytest.mark.parametrize("size", [SHORT, PHONE, LANDSCAPE, DESKTOP], ids=lambda size: size.name)
async def test_that_nobody_pays_is_said_beside_the_seats(pages: Pages, size: Size) -> None:
    me = await Player.seated(pages, size=size, locale="zh-CN")
    await me.my_turn()
    await me.run(_RESISTED)
    await expect(me.page.locator(".tribute.resisted")).to_be_visible()
    await pages.shot(me.page, f"resisted-{size.name}")
    assert await overlaps(me, ".seat, .tribute, .action") == []


@pytest.mark.parametrize(("size", "is_large"), SIZES)
@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
async def test_the_score_table_shows_all_its_columns(
    pages: Pages, size: Size, is_large: bool, locale: str
) -> None:
    me = await Player.seated(pages, size=size, locale=locale)
    if is_large:
        await large(me.page)
    await me.run(_TRIBUTE)
    await me.run("(await at('panel')).open('score');")
    hands = me.page.locator("dialog .hand-table")
    await expect(hands).to_be_visible()
    await me.settled()
    await hands.scroll_into_view_if_needed()
    await pages.shot(me.page, f"score-{size.name}-{is_large}-{locale}")
    wide = await me.page.locator("dialog, dialog .scroll-x").evaluate_all(
        "(all) => all.map((one) => [one.scrollWidth, one.clientWidth])"
    )
    assert len(wide) == 3
    assert [inner - outer for inner, outer in wide if inner > outer] == []


DRAWERS: Final = ("menu", "log", "counter", "phrases", "settings", "keys", "pace")

_CUT: Final = """
    const all = [...document.querySelectorAll("dialog, dialog *")];
    const found = all.filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 1
      && getComputedStyle(one).display !== "inline" && !one.closest("svg"));
    return found.map((one) => `${args.drawer}: ${one.tagName} ${one.className}`);
"""


@pytest.mark.parametrize("size", [SHORT, PHONE], ids=lambda size: size.name)
@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
async def test_large_letters_in_drawers_are_twice_as_large_and_none_is_cut(
    pages: Pages, size: Size, locale: str
) -> None:
    me = await Player.seated(pages, size=size, locale=locale)
    usual = {drawer: await letters(me, drawer) for drawer in DRAWERS}
    await large(me.page)
    for drawer in DRAWERS:
        assert await letters(me, drawer) >= 1.9 * usual[drawer], drawer
        await me.run("(await at('panel')).open(args.drawer);", drawer=drawer)
        await me.settled()
        await pages.shot(me.page, f"drawer-{drawer}-{size.name}-{locale}")
        assert await me.run(_CUT, drawer=drawer) == []


async def letters(player: Player, drawer: str) -> float:
    """How large the text of a drawer is, in pixels."""
    await player.run("(await at('panel')).open(args.drawer);", drawer=drawer)
    body = player.page.locator("dialog .dialog-body")
    await expect(body).to_be_visible()
    found: float = await body.evaluate("(one) => parseFloat(getComputedStyle(one).fontSize)")
    await player.run("(await at('panel')).close();")
    await expect(body).to_have_count(0)
    return found


_LETTERS: Final = """
    const all = [...document.querySelectorAll(args.parts)];
    return all.map((one) => parseFloat(getComputedStyle(one).fontSize));
"""


@pytest.mark.parametrize(
    ("size", "times"), [(SHORT, 1.2), (PHONE, 1.45)], ids=lambda one: getattr(one, "name", "")
)
async def test_large_letters_on_the_table_itself_are_larger(
    pages: Pages, size: Size, times: float
) -> None:
    """As far as there is room: the cards take two thirds of such a screen."""
    me = await Player.seated(pages, size=size)
    await me.my_turn()
    await me.run(_HOLD, hand=HAND)
    await me.run(_PLAYS)
    parts = ".name, .caption, .count, .tally b, .tile b, .action, .line p, .foot span"
    usual = await me.run(_LETTERS, parts=parts)
    await large(me.page)
    await me.settled()
    grown = await me.run(_LETTERS, parts=parts)
    assert len(grown) == len(usual) > 15
    assert min([after / before for before, after in zip(usual, grown, strict=True)]) >= times
    # What they say is still whole, but for names.
    whole = ".caption, .count, .tally, .tile, .action, .foot span, .line p"
    cut = await me.page.locator(whole).evaluate_all(
        "(all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1"
        " || one.scrollHeight > one.clientHeight + 3).map((one) => one.outerHTML)"
    )
    assert cut == []


OVER: Final = """
    const { table } = await at("table");
    const now = table.value;
    const levels = { 13: "5", 24: "2" };
    const after = { levels, active: "5", owner: "13", misses: { 13: 0, 24: 0 } };
    const outcome = {
      finish: [1, 3, 2, 4], winner: "13", gain: 3, missed: [], fallen: [], match_won: false, after,
    };
    const last = { number: 1, level: "2", owner: null, finish: [1, 3, 2, 4], gain: 3, levels,
      resisted: [], gifts: [], returns: [], match_won: false };
    const left = [[], ["S3", "S4", "ST"], [], ["S3", "H4", "S5", "S6", "D6", "ST", "SA", "X"]];
    const over = { phase: "hand_over", asked: [], outcome, left };
    table.value = {
      ...now, record: [last], public: { ...now.public, ...over },
      private: { ...now.private, hand: [] },
    };
"""


@pytest.mark.parametrize(("size", "is_large"), SIZES)
async def test_the_end_of_a_hand_shows_every_level_and_how_to_go_on(
    pages: Pages, size: Size, is_large: bool
) -> None:
    me = await Player.seated(pages, size=size)
    await me.my_turn()
    if is_large:
        await large(me.page)
    await me.run(OVER)
    summary = me.page.locator(".summary")
    await expect(summary).to_be_visible()
    await me.settled()
    await pages.shot(me.page, f"over-{size.name}-{is_large}")
    assert await summary.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    box = await summary.bounding_box()
    assert box is not None
    levels = await me.page.locator(".level-cell").all()
    assert len(levels) == 4
    for cell in [*levels, *await summary.locator("p").all()]:
        inner = await cell.bounding_box()
        assert inner is not None
        assert inner["x"] + inner["width"] <= box["x"] + box["width"]
    await expect(me.page.get_by_role("button", name="Next hand")).to_be_in_viewport(ratio=0.9)


@pytest.mark.parametrize(
    ("size", "is_large"),
    [(SHORT, False), (LOW, False), (PHONE, True), (LANDSCAPE, True)],
    ids=["short", "low", "phone-large", "landscape-large"],
)
async def test_the_controls_of_a_replay_fit_and_leave_room_for_the_cards(
    pages: Pages, size: Size, is_large: bool
) -> None:
    page = await pages.open("/replay", size=size)
    if is_large:
        await large(page)
    file = FilePayload(name="a.txt", mimeType="text/plain", buffer=record_text().encode())
    await page.set_input_files("input[type=file]", file)
    controls = page.locator(".rp-controls")
    await expect(controls).to_be_visible()
    await pages.shot(page, f"replay-{size.name}-{is_large}")
    all_controls = await controls.locator("button, select, input").all()
    assert len(all_controls) == 10
    for control in all_controls:
        box = await control.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size.width
    step = controls.get_by_role("button", name="One step on")
    box, all_of_it = await step.bounding_box(), await controls.bounding_box()
    assert box is not None
    assert all_of_it is not None
    assert box["y"] + box["height"] <= size.height
    assert all_of_it["y"] > size.height * 0.6
