"""The rules page: what it says is so, and it says what a table of certain rules does otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from playwright.async_api import expect

from guandan_engine.cases import decide
from guandan_engine.options import OPTIONS, PRESETS, options_of, rules
from guandan_web import static
from tests.web.modules import call
from tests.web.pages import PHONE, SIZES, Pages, Size, serious

Json = dict[str, Any]


def reading_name(one: Json) -> str:
    size = f"{one['len']}-" if one["type"] == "bomb" else ""
    return one["type"] if one["key"] is None else f"{one['type']}-{size}{one['key']}"


def readings(cards: str, level: str) -> list[Json]:
    case = {"kind": "classify", "level": level, "input": {"cards": cards.split()}}
    found: list[Json] = decide(case)["readings"]
    return found


def parts(rules: Json, kind: str) -> Iterator[Json]:
    for section in rules["sections"]:
        for block in section["blocks"]:
            if isinstance(block, dict):
                yield from block.get(kind, [])


async def texts(pages: Pages) -> Json:
    page = await pages.open()
    found: Json = await call(page, "texts/rules_en.js", "m.rules")
    return found


async def test_the_engine_reads_the_examples_as_the_page_does(pages: Pages) -> None:
    told = [one for one in parts(await texts(pages), "examples") if "is" in one]
    assert len(told) > 15
    for one in told:
        found = readings(one["cards"], one.get("level", "2"))
        assert " ".join(map(reading_name, found)) == one["is"], one


async def test_the_engine_agrees_on_what_beats_what(pages: Pages) -> None:
    told = list(parts(await texts(pages), "versus"))
    assert len(told) > 5
    for one in told:
        level = one.get("level", "2")
        table = readings(one["table"], level)[0]
        cards = one["cards"].split()
        case = {"kind": "beats", "level": level, "input": {"table": table, "cards": cards}}
        assert decide(case)["allowed"] is one["beats"], one


async def test_the_engine_agrees_on_tribute(pages: Pages) -> None:
    told = list(parts(await texts(pages), "tributes"))
    assert len(told) > 5
    for one in told:
        hands = {str(seat): one["hands"].get(str(seat), "S3").split() for seat in (1, 2, 3, 4)}
        given = {"finish": one["finish"], "hands": hands}
        found = decide({"kind": "tribute", "level": one["level"], "input": given})
        gifts = [gift.split() for gift in one["gifts"]]
        assert found["leader"] == one["leader"], one
        assert [[str(gift["from"]), str(gift["to"])] for gift in found["gifts"]] == [
            [donor, recipient] for donor, recipient, _ in gifts
        ], one
        for gift, (_, _, card) in zip(found["gifts"], gifts, strict=True):
            assert card in gift["eligible"], one


async def test_the_order_of_bombs(pages: Pages) -> None:
    (chain,) = [
        block["chain"]
        for section in (await texts(pages))["sections"]
        for block in section["blocks"]
        if isinstance(block, dict) and "chain" in block
    ]
    cards = {
        "straight_flush": "S5 S6 S7 S8 S9",
        "joker_bomb": "X X Y Y",
        **{f"bomb-{n}": " ".join(("SK HK CK DK " * 2).split()[:n]) for n in range(4, 9)},
        "bomb-9": "SK HK CK DK SK HK CK DK H2",
        "bomb-10": "SK HK CK DK SK HK CK DK H2 H2",
    }
    for lower, higher in pairwise(chain):
        table = readings(cards[lower], "2")[0]
        given = {"table": table, "cards": cards[higher].split()}
        assert decide({"kind": "beats", "level": "2", "input": given})["allowed"], (lower, higher)


async def test_every_option_is_explained_where_it_matters(pages: Pages) -> None:
    page = await pages.open("/rules")
    await expect(page.locator(".option-note").first).to_be_visible()
    noted = await page.locator(".option-note").evaluate_all(
        "all => all.map(one => one.dataset.option)"
    )
    assert sorted(noted) == sorted(OPTIONS)


@pytest.mark.parametrize("preset", PRESETS)
async def test_what_a_preset_changes_is_marked(pages: Pages, preset: str) -> None:
    page = await pages.open(f"/rules/{preset}")
    await expect(page.locator(".preset-links .lit")).to_have_attribute("href", f"/rules/{preset}")
    basic, own = options_of(rules("site")), options_of(rules(preset))
    changed = sorted(name for name in own if own[name] != basic[name])
    shown = page.locator("[data-change]")
    await expect(shown).to_have_count(len(changed))
    marked = page.locator(".option-note.differs")
    await expect(marked).to_have_count(len(changed))
    for found, attribute in ((shown, "change"), (marked, "option")):
        names = await found.evaluate_all(f"all => all.map(one => one.dataset.{attribute})")
        assert sorted(names) == changed


@pytest.mark.parametrize("size", SIZES, ids=lambda size: size.name)
@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
async def test_it_fits_and_can_be_used_by_everybody(pages: Pages, size: Size, locale: str) -> None:
    page = await pages.open("/rules/huaian", size=size, locale=locale)
    await expect(page.locator("#glossary")).to_be_visible()
    await pages.shot(page, f"rules-{size.name}-{locale}")
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if size is PHONE:
        assert await serious(page) == []


async def test_the_language_changes_on_the_spot(pages: Pages) -> None:
    page = await pages.open("/rules")
    await expect(page.get_by_role("heading", level=1)).to_have_text("How Guandan is played")
    await page.get_by_role("button", name="中文").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("掼蛋怎么打")


async def test_answers_of_worked_hands_are_found_by_asking(pages: Pages) -> None:
    page = await pages.open("/rules#hands")
    first = page.locator(".worked article").first
    await expect(first.locator("details p")).to_be_hidden()
    await first.get_by_text("What would you do?").click()
    await expect(first.locator("details p")).to_be_visible()


def test_nothing_of_it_weighs_on_the_first_visit() -> None:
    main = (static() / "home.js").read_text("utf-8") + (static() / "main.js").read_text("utf-8")
    assert "rules_en" not in main
    assert 'from "./rules.js"' not in main


async def test_what_a_table_changes_beyond_its_preset_is_told_too(pages: Pages) -> None:
    page = await pages.open("/rules/tournament?tribute_pick=%22payer%22&no_such=1")
    await expect(page.locator('[data-change="tribute_pick"]')).to_have_count(1)
    await page.goto("/rules/tournament?tribute_pick=oops")
    await expect(page.locator("[data-change]").first).to_be_visible()
    await expect(page.locator('[data-change="tribute_pick"]')).to_have_count(0)
