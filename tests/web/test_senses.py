"""The page for eyes, ears and fingers of all kinds: jokers, colours, taps, speech."""

from __future__ import annotations

from typing import Any, Final

import pytest
from playwright.async_api import expect

from tests.web.felt import Player
from tests.web.modules import call
from tests.web.pages import DESKTOP, LANDSCAPE, PHONE, Pages, Size

HASTE: Final = 10.0
SMALL: Final = Size("small", 320, 568)

_HOLD: Final = """
    const { table } = await at("table");
    const { set } = await at("settings");
    set({ sort: args.sort });
    const now = table.value;
    table.value = { ...now, private: { ...now.private, hand: args.cards } };
"""
JOKERS: Final = ["X", "X", "Y", "Y", *[f"S{rank}" for rank in "3456789TJQKA"]]


@pytest.mark.parametrize("size", [SMALL, PHONE, LANDSCAPE, DESKTOP], ids=lambda size: size.name)
@pytest.mark.parametrize("sort", ["rank", "suit"])
@pytest.mark.parametrize(
    ("locale", "words"), [("en-GB", ["JOKER", "Joker"]), ("zh-CN", ["大王", "小王"])]
)
async def test_a_joker_says_what_it_is_where_a_rank_would_be_seen(
    pages: Pages, size: Size, sort: str, locale: str, words: list[str]
) -> None:
    me = await Player.seated(pages, size=size, locale=locale)
    await me.run(_HOLD, cards=JOKERS, sort=sort)
    await me.settled()
    for face, word in zip("YX", words, strict=True):
        cards = me.page.locator(f".hand .joker-{face}")
        await expect(cards).to_have_count(2)
        await expect(cards.first.locator(".rank")).to_have_text(word)
        seen = await cards.first.evaluate("""(card) => {
            const { left, top, right, bottom } = card.getBoundingClientRect();
            const text = document.createRange();
            text.selectNodeContents(card.querySelector(".rank"));
            const word = text.getBoundingClientRect();
            const fits = word.left >= left && word.right <= right && word.bottom <= bottom;
            const size = parseFloat(getComputedStyle(card.querySelector(".rank")).fontSize);
            return { fits, size, part: (word.right - left) / (right - left) };
        }""")
        assert seen["fits"]
        assert seen["size"] >= 8
        assert sort == "rank" or seen["part"] < 0.45  # what a fan leaves to be seen


async def test_a_button_that_was_tapped_does_not_stay_lit(pages: Pages) -> None:
    me = await Player.seated(pages, size=PHONE, touch=True)
    await me.my_turn()
    button = me.page.locator(".act-hint")
    ground = "(one) => getComputedStyle(one).backgroundColor"
    before = await button.evaluate(ground)
    await button.tap()
    await expect(me.page.locator(".line .hint")).to_be_visible()
    assert await button.evaluate("(one) => one.matches(':hover')")
    assert await button.evaluate(ground) == before


async def test_with_the_readers_own_colours_cards_and_states_can_still_be_told(
    pages: Pages,
) -> None:
    me = await Player.seated(pages, size=PHONE, forced_colors="active")
    await me.my_turn()
    await me.press("g")
    await me.settled()
    await pages.shot(me.page, "forced-colors-phone")
    taken = me.page.locator(".held.taken > .card").first
    assert await taken.evaluate("(one) => getComputedStyle(one).outlineStyle") == "solid"
    colours: list[str] = await me.page.evaluate("""
        ["S", "H"].map((suit) =>
          getComputedStyle(document.querySelector(`.hand .suit-${suit}`)).color)
    """)
    assert len(set(colours)) == 2
    await me.run("(await at('panel')).open('settings');")
    chips = me.page.locator(".preferences .chips").first.locator(".chip")
    ground = "(one) => getComputedStyle(one).backgroundColor"
    lit, other = [await chips.nth(i).evaluate(ground) for i in (0, 1)]
    assert lit != other


@pytest.mark.parametrize(
    ("locale", "said"), [("en-GB", "Ann: pass. One. Two!"), ("zh-CN", "Ann: pass。One。Two!")]
)
async def test_what_is_read_aloud_has_the_full_stops_of_its_language(
    pages: Pages, locale: str, said: str
) -> None:
    me = await Player.seated(pages, locale=locale)
    one = "One." if locale == "en-GB" else "One。"
    lines: Any = ["Ann: pass", one, "Two!"]
    assert await call(me.page, "log.js", "m.spoken(given[0])", lines) == said
