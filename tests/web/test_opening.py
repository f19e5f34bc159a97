"""The page opens: in both languages, without a complaint, and light enough for a phone."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, Response, expect

from guandan_server.assets import Assets
from guandan_web import static
from tests.web.pages import PHONE, SIZES, Pages, Size, serious

WEIGHT_BYTES_MAX = 60 * 1000


@pytest.mark.parametrize(("locale", "lang"), [("en-GB", "en"), ("zh-CN", "zh-CN"), ("de", "en")])
async def test_it_opens_in_the_language_of_the_browser(
    pages: Pages, locale: str, lang: str
) -> None:
    page = await pages.open(locale=locale)
    await expect(page.locator("html")).to_have_attribute("lang", lang)
    await expect(page.locator("#app")).not_to_be_empty()


@pytest.mark.parametrize("size", SIZES, ids=lambda size: size.name)
async def test_nothing_sticks_out_at_any_size(pages: Pages, size: Size) -> None:
    page = await pages.open(size=size)
    await expect(page.locator("#app")).not_to_be_empty()
    await pages.shot(page, f"start-{size.name}")
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")


async def test_it_can_be_used_without_eyes_or_mouse(pages: Pages) -> None:
    page = await pages.open(size=PHONE)
    await expect(page.locator("#app")).not_to_be_empty()
    assert await serious(page) == []


async def weight(pages: Pages, path: str) -> dict[str, int]:
    """What a first visit loads, and how many bytes of each came over the wire."""
    page: Page = await pages.open("about:blank")
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))  # noqa: PLW0108  it marks what it is given, which a built-in does not take
    await page.goto(path, wait_until="networkidle")
    sizes = {}
    for answer in answers:
        sizes[answer.url] = (await answer.request.sizes())["responseBodySize"]
    return sizes


async def test_a_first_visit_is_light(pages: Pages) -> None:
    sizes = await weight(pages, "/")
    assert len(sizes) > 5
    assert sum(sizes.values()) < WEIGHT_BYTES_MAX, sizes


async def test_all_modules_that_a_first_visit_loads_are_told_of_in_the_page(pages: Pages) -> None:
    """One that is not would be found late, when the one that imports it has come."""
    page = Assets.read(static()).page("/")
    assert page is not None
    modules = [url for url in await weight(pages, "/") if url.endswith(".js")]
    assert len(modules) > 5
    for url in modules:
        assert url.partition("/a/")[2] in page.body.decode()


async def test_a_complaint_is_heard(pages: Pages) -> None:
    page = await pages.open("/healthz")
    await page.evaluate("console.error('one')")
    await page.evaluate("setTimeout(() => { throw new TypeError('two') })")
    await page.evaluate(
        """new Promise((done) => {
            const script = document.createElement('script');
            script.onerror = done;
            script.src = 'https://elsewhere.example/three.js';
            document.head.append(script);
        })"""
    )
    told, pages.complaints = pages.complaints, []
    assert len(told) == 3
    assert "one" in told[0]
    assert "TypeError: two" in told[1]
    assert "Content Security Policy" in told[2]
    pages.expect("four")
    await page.evaluate("console.error('four')")
