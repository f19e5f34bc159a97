"""Pages of a real browser for tests: what they look like to whom, and every complaint they make.

page = await pages.open("/r/K7QX2M", size=PHONE, locale="zh-CN", touch=True)

What a page complains about (an error in the console, one that nobody caught, a breach of its
policy, a file that is not there) fails the test, unless it was said before that it would come:

pages.expect("ERR_CONNECTION_REFUSED")       # the server is about to be killed
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Literal, Self

from attrs import frozen
from axe_playwright_python.async_playwright import Axe  # type: ignore[import-untyped]  # it has no types
from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Page

__all__ = [
    "DESKTOP",
    "FLAGS",
    "LANDSCAPE",
    "PHONE",
    "SIZES",
    "Pages",
    "Size",
    "browser_path",
    "serious",
]

FLAGS: Final = """
    --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
    --disable-component-update --disable-sync --disable-extensions --mute-audio
""".split()
"""Nothing that goes out to the network, and nothing that a container has not got."""

SCREENSHOTS: Final = Path(__file__).parent / "screenshots"
SCREENSHOTS_ASKED: Final = "GUANDAN_SCREENSHOTS"
"""Set it to anything, and `Pages.shot` keeps pictures in `tests/web/screenshots`."""


@frozen
class Size:
    name: str
    width: int
    height: int


PHONE: Final = Size("phone", 390, 844)
LANDSCAPE: Final = Size("landscape", 844, 390)
DESKTOP: Final = Size("desktop", 1280, 800)
SIZES: Final = (PHONE, LANDSCAPE, DESKTOP)


def browser_path() -> str | None:
    """The browser of this system, as Debian and others name it; None without one."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


class Pages:
    """The pages of one test, each with a storage of its own as if on a machine of its own."""

    def __init__(self, browser: Browser, base_url: str) -> None:
        self.complaints: list[str] = []
        self._browser = browser
        self._base_url = base_url
        self._contexts: list[BrowserContext] = []
        self._expected: list[re.Pattern[str]] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for context in self._contexts:
            await context.close()

    async def open(
        self,
        path: str = "/",
        *,
        size: Size = DESKTOP,
        locale: str = "en-GB",
        touch: bool = False,
        motion: Literal["reduce", "no-preference"] = "reduce",
        **options: Any,
    ) -> Page:
        """A page at `path`, loaded; `options` are the browser context's."""
        context = await self._browser.new_context(
            base_url=self._base_url,
            viewport={"width": size.width, "height": size.height},
            locale=locale,
            has_touch=touch,
            is_mobile=touch,
            reduced_motion=motion,
            **options,
        )
        self._contexts.append(context)
        return await self.another(context, path)

    async def another(self, context: BrowserContext, path: str = "/") -> Page:
        """Another tab beside a page: `page.context` is what the two have in common."""
        page = await context.new_page()
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self._complain(f"{error.name}: {error.message}"))
        await page.goto(path)
        return page

    def expect(self, pattern: str) -> None:
        """Complaints that a regular expression is found in are no fault from here on."""
        self._expected.append(re.compile(pattern))

    async def shot(self, page: Page, name: str) -> None:
        """A picture to look at, where pictures are asked for."""
        if os.environ.get(SCREENSHOTS_ASKED):
            SCREENSHOTS.mkdir(exist_ok=True)
            await page.screenshot(path=SCREENSHOTS / f"{name}.png")

    def _heard(self, message: ConsoleMessage) -> None:
        # Breaches of the policy and files that are not there are errors of the console, too.
        if message.type in ("error", "assert"):
            where = message.location
            self._complain(f"{message.text} ({where.get('url')}:{where.get('lineNumber')})")

    def _complain(self, text: str) -> None:
        if not any(pattern.search(text) for pattern in self._expected):
            self.complaints.append(text)


async def serious(page: Page) -> list[str]:
    """What keeps people who cannot see or use a mouse from using the page, each with its places."""
    results = await Axe().run(page)
    return [
        f"{found['impact']}: {found['help']} ({found['id']}) at "
        + ", ".join([" ".join(map(str, node["target"])) for node in found["nodes"]])
        for found in results.response["violations"]
        if found["impact"] in ("serious", "critical")
    ]
