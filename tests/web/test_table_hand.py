"""The hand of cards: how it is laid out, and how cards are taken."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

import pytest
from playwright.async_api import expect

from tests.web.deals import stacked
from tests.web.felt import Player
from tests.web.pages import DESKTOP, LANDSCAPE, PHONE, Pages, Size

HASTE = 10.0
SMALL = Size("small", 320, 640)
SHORT = Size("short", 320, 568)
LOW = Size("low", 568, 320)
ALL_SIZES = (SMALL, SHORT, LOW, PHONE, LANDSCAPE, DESKTOP)
ALL = "23456789TJQKA"


def of(card: str, level: str) -> str:
    """The column that a card belongs to."""
    if len(card) == 1:
        return card
    return "W" if card == f"H{level}" else card[1]


def pile(state: dict[str, Any], *, size: int, below: int = 9) -> str:
    """The rank of a column of so many cards."""
    counted = Counter(of(card, state["level"]) for card in state["hand"])
    return next(rank for rank, n in counted.items() if size <= n <= below and rank not in "WXY")


async def test_columns_per_rank_with_wilds_and_jokers_apart(pages: Pages) -> None:
    me = await Player.seated(pages)
    state = await me.state()
    assert set(await me.columns()) == {of(card, "2") for card in state["hand"]}
    order = "YXW2AKQJT9876543"
    assert await me.columns() == [key for key in order if key in await me.columns()]


async def test_a_row_as_an_alternative(pages: Pages) -> None:
    me = await Player.seated(pages, prefer={"layout": "fan"})
    await expect(me.page.locator(".hand .column")).to_have_count(27)


async def test_sorting_goes_round_and_changes_nothing_that_is_taken(pages: Pages) -> None:
    me = await Player.seated(pages)
    await me.my_turn()
    await me.press("g")
    taken = Counter((await me.state())["taken"])
    by_rank = await me.columns()
    await me.press("s")
    assert len(await me.columns()) == 27
    await me.press("s")
    assert await me.columns() != by_rank
    assert Counter((await me.state())["taken"]) == taken
    await me.press("s")
    assert await me.columns() == by_rank


async def test_combinations_are_found_strongest_first(pages: Pages) -> None:
    me = await Player.seated(pages)
    groups = await me.run("""
        const { columnsOf } = await at("sorting");
        const { held } = await at("cards");
        const faces = "S9 S8 S7 S6 S5 H9 DK CK HK SK D3 C4 H2 X Y".split(" ");
        return columnsOf(held(faces), "2", "combo", false).map((c) => c.group ?? c.key);
    """)
    assert groups[:2] == [["straight_flush", "9", 5], ["bomb", "K", 4]]
    assert groups[2:] == ["Y", "X", "W", "9", "4", "3"]


async def test_a_tap_takes_one_more_and_a_full_column_goes_back(pages: Pages) -> None:
    me = await Player.seated(pages, size=PHONE, touch=True)
    state = await me.my_turn()
    rank = pile(state, size=2)
    column = me.column(rank)
    n = sum(of(card, "2") == rank for card in state["hand"])
    box = await column.bounding_box()
    assert box is not None
    for taken in range(1, n + 1):
        await me.tap(column, y=box["height"] - 12, touch=True)
        assert len((await me.state())["taken"]) == taken
        await expect(column.locator(".in")).to_have_text(f"{taken} in")
    await me.tap(column, y=box["height"] - 12, touch=True)
    assert (await me.state())["taken"] == []


async def test_taking_never_takes_the_wild_for_its_rank(pages: Pages) -> None:
    me = await Player.seated(pages)
    await me.my_turn()
    plain = sum(card[-1] == "2" and card != "H2" for card in (await me.state())["hand"])
    await me.press(*["2"] * max(1, plain))
    assert "H2" not in (await me.state())["taken"]
    assert len((await me.state())["taken"]) == plain


async def test_a_click_on_an_index_takes_that_very_card(pages: Pages) -> None:
    me = await Player.seated(pages)
    state = await me.my_turn()
    column = me.column(pile(state, size=3))
    faces = await column.locator(".card").evaluate_all("all => all.map((c) => c.dataset.face)")
    step = await column.locator(".held").nth(1).evaluate("element => element.offsetTop")
    await me.tap(column, y=step * 1.5)
    assert (await me.state())["taken"] == [faces[1]]
    await me.tap(column, y=step * 1.5)
    assert (await me.state())["taken"] == []


async def test_a_taken_card_is_tinted_where_only_its_index_is_seen(pages: Pages) -> None:
    me = await Player.seated(pages)
    await me.my_turn()
    await me.run("""
        const { columns } = await at("hand");
        const { select } = await at("choosing");
        select([columns.value.find(({ cards }) => cards.length > 1).cards[0].id]);
    """)
    ground = "(card) => getComputedStyle(card).backgroundColor"
    taken = me.page.locator(".held.taken > .card")
    others = await me.page.locator(".held:not(.taken) > .card").evaluate_all(
        f"cards => cards.map({ground})"
    )
    assert await taken.evaluate(ground) not in others


async def test_lifting_changes_no_stacking_order(pages: Pages) -> None:
    me = await Player.seated(pages)
    state = await me.my_turn()
    column = me.column(pile(state, size=2))
    before = await column.locator(".held").evaluate_all("all => all.map((c) => c.dataset.id)")
    await column.focus()
    await me.press("ArrowUp")
    await expect(column.locator(".held.taken")).to_have_count(1)
    after = await column.locator(".held").evaluate_all(
        "all => all.map((c) => [c.dataset.id, getComputedStyle(c).zIndex])"
    )
    assert after == [[one, "auto"] for one in before]


async def test_a_swipe_across_takes_one_of_each(pages: Pages) -> None:
    me = await Player.seated(pages, size=LANDSCAPE)
    await me.my_turn()
    first, last = 0, 4
    keys = (await me.columns())[first : last + 1]
    boxes = [await me.column(key).bounding_box() for key in keys]
    mouse = me.page.mouse
    points = [(b["x"] + b["width"] / 2, b["y"] + b["height"] - 8) for b in boxes if b]
    await mouse.move(*points[0])
    await mouse.down()
    for x, y in points[1:]:
        await mouse.move(x, y, steps=4)
    await mouse.up()
    assert sorted(of(card, "2") for card in (await me.state())["taken"]) == sorted(keys)


async def test_a_mouse_that_was_let_go_elsewhere_takes_nothing_when_it_comes_back(
    pages: Pages,
) -> None:
    me = await Player.seated(pages, size=DESKTOP)
    await me.my_turn()
    keys = (await me.columns())[:4]
    boxes = [await me.column(key).bounding_box() for key in keys]
    mouse = me.page.mouse
    points = [(b["x"] + b["width"] / 2, b["y"] + b["height"] - 8) for b in boxes if b]
    await mouse.move(*points[0])
    await mouse.down()
    await mouse.move(points[0][0], 200, steps=6)
    await mouse.up()
    before = (await me.state())["taken"]
    for x, y in points:
        await mouse.move(x, y, steps=4)
    assert (await me.state())["taken"] == before


async def test_a_swipe_down_takes_all_of_a_column(pages: Pages) -> None:
    me = await Player.seated(pages, size=PHONE)
    state = await me.my_turn()
    rank = pile(state, size=3)
    box = await me.column(rank).bounding_box()
    assert box is not None
    x = box["x"] + box["width"] / 2
    await me.page.mouse.move(x, box["y"] + 6)
    await me.page.mouse.down()
    await me.page.mouse.move(x, box["y"] + box["height"] - 6, steps=5)
    await me.page.mouse.up()
    taken = (await me.state())["taken"]
    assert len(taken) == sum(of(card, "2") == rank for card in state["hand"])


async def test_a_long_press_lets_choose_suits(pages: Pages) -> None:
    me = await Player.seated(pages, size=PHONE)
    state = await me.my_turn()
    rank = pile(state, size=2)
    box = await me.column(rank).bounding_box()
    assert box is not None
    await me.page.mouse.move(box["x"] + 10, box["y"] + 8)
    await me.page.mouse.down()
    chooser = me.page.locator(".chooser")
    await expect(chooser).to_be_visible()
    await me.page.mouse.up()
    assert (await me.state())["taken"] == []
    last = chooser.locator("button").last
    face = await last.locator(".card").get_attribute("data-face")
    await last.click()
    assert (await me.state())["taken"] == [face]


async def test_a_double_click_never_plays(pages: Pages) -> None:
    me = await Player.seated(pages)
    state = await me.my_turn()
    for column in (await me.page.locator(".hand .column").all())[:4]:
        await column.dblclick(position={"x": 8, "y": 8})
    assert (await me.state())["turn"] == state["turn"]
    assert (await me.state())["hand"] == state["hand"]
    touch = await me.page.evaluate("getComputedStyle(document.documentElement).touchAction")
    assert touch == "manipulation"


async def test_undo_is_of_the_selection_only(pages: Pages) -> None:
    me = await Player.seated(pages)
    await me.my_turn()
    await me.press("g")
    assert (await me.state())["taken"]
    await me.press("Escape")
    assert (await me.state())["taken"] == []


async def test_of_two_equal_cards_the_one_that_stays_is_not_taken(
    pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    face = "S7"
    stacked(monkeypatch, {1: f"{face} {face}"})
    me = await Player.seated(pages)
    state = await me.my_turn()
    await me.run(
        "const { select, heldAs } = await at('choosing');"
        "select(heldAs([args.face]).map((card) => card.id));",
        face=face,
    )
    await me.when("(await at('readings')).isPlayable.value")
    await me.press("Enter")
    await me.when(f"(await at('table')).table.value.public.turn !== {state['turn']}")
    now = await me.state()
    assert now["hand"].count(face) == state["hand"].count(face) - 1
    assert now["taken"] == []


OUTSIDE = """
    [...document.querySelectorAll(".hand .card, .action, .seat, .strip > *")].filter((one) => {
      const { width, left, right, top, bottom } = one.getBoundingClientRect();
      const isWithin = left >= -1 && right <= innerWidth + 1;
      const isIn = isWithin && top >= 0 && bottom <= innerHeight + 1;
      return width && !isIn;
    }).map((one) => one.className)
"""


@pytest.mark.parametrize("size", [SMALL, PHONE, LANDSCAPE, DESKTOP], ids=lambda one: one.name)
@pytest.mark.parametrize("sort", ["rank", "suit", "combo"])
async def test_portrait_and_landscape_show_the_whole_hand(
    pages: Pages, size: Size, sort: str
) -> None:
    me = await Player.seated(pages, size=size, prefer={"sort": sort})
    await me.my_turn()
    await me.settled()
    await pages.shot(me.page, f"table-{size.name}-{sort}")
    assert await me.page.evaluate(OUTSIDE) == []
    narrow = await me.page.evaluate("""
        (() => {
          const columns = [...document.querySelectorAll(".hand .column")];
          const boxes = columns.map((one) => one.getBoundingClientRect());
          const pitches = boxes.slice(1).map((box, i) => box.left - boxes[i].left);
          return Math.min(...pitches.filter((pitch) => pitch > 0));
        })()
    """)
    assert narrow >= (38 if sort != "suit" and size is PHONE else 18)


async def test_the_line_and_the_buttons_stay_where_they_are(pages: Pages) -> None:
    me = await Player.seated(pages, size=PHONE)
    await me.my_turn()
    place = "document.querySelector('.act-play').getBoundingClientRect().top"
    before = await me.page.evaluate(place)
    await me.press("Enter")
    await expect(me.page.locator(".line .bad")).to_be_visible()
    assert await me.page.evaluate(place) == before
    await me.press("g")
    assert await me.page.evaluate(place) == before


EXTREME: Final = {
    "one suit": [f"D{rank}" for rank in "3456789TJQKA"] * 2 + ["H2", "X", "Y"],
    "two suits": [f"S{rank}" for rank in "3456789TJQKA"]
    + [f"D{rank}" for rank in ALL]
    + ["X", "Y"],
    "four of each kind": [f"{suit}{rank}" for rank in "AKQJT9" for suit in "SHCD"]
    + ["H2", "X", "Y"],
    "eight of each kind": [f"{suit}{rank}" for rank in "AKQ" for suit in "SHCD"] * 2 + ["S3"] * 3,
    "one of each kind": [f"S{rank}" for rank in ALL]
    + ["H2", "X", "Y", *["CA", "CA", "DA", "DA", "HA", "HA", "SA"], "C3", "C4", "C5", "C6"],
    "all singles": [f"{suit}{rank}" for rank in "3579JKA468TQ2" for suit in "SC"] + ["Y"],
}
"""Hands that hardly anybody is ever dealt."""


@pytest.mark.parametrize("size", ALL_SIZES, ids=lambda one: one.name)
async def test_any_hand_fits_in_any_order(pages: Pages, size: Size) -> None:
    me = await Player.seated(pages, size=size)
    await me.my_turn()
    wrong = {}
    for name, cards in EXTREME.items():
        assert len(cards) == 27
        for sort in ("rank", "suit", "combo"):
            for layout in ("columns", "fan"):
                await me.run(
                    """
                    const { table } = await at("table");
                    const { set } = await at("settings");
                    set({ sort: args.sort, layout: args.layout });
                    const now = table.value;
                    table.value = { ...now, private: { ...now.private, hand: args.cards } };
                    """,
                    cards=cards,
                    sort=sort,
                    layout=layout,
                )
                await me.settled()
                found = await me.page.evaluate(OUTSIDE)
                assert await me.page.locator(".hand .held").count() == 27
                if found:
                    wrong[name, sort, layout] = found
                    await pages.shot(me.page, f"hand-{size.name}-{name}-{sort}-{layout}")
    assert wrong == {}
