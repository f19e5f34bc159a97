"""One terminal, one browser and two bots at a table, to the end of a match."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Browser, async_playwright, expect

from tests.clients.commands import Commands
from tests.clients.tui.terminal import ENTER, QUIT, Terminal
from tests.e2e.serving import serving
from tests.web.felt import PLAY_ON, Player
from tests.web.pages import FLAGS, PHONE, Pages, browser_path
from tests.web.test_together import MATCH_MS, SIT

HASTE = "40"
WAIT_MS = 30_000
"""A time-out of waits, like all of them here."""
BY_HAND_S = 120
"""Likewise, until both have moved by hand; the first trick or two are enough for that."""


@asynccontextmanager
async def a_browser() -> AsyncIterator[Browser]:
    path = browser_path()
    if path is None:
        pytest.skip("there is no chromium here: tests in a browser are left out")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        await browser.close()


class Seated:
    """Somebody at the terminal; its waits do not hold up the browser."""

    def __init__(self, terminal: Terminal) -> None:
        self.terminal = terminal

    async def until(self, *texts: str, gone: str | None = None) -> str:
        return await asyncio.to_thread(self.terminal.until, *texts, gone=gone)

    async def is_asked(self) -> bool:
        text = await asyncio.to_thread(self.terminal.look)
        return "YOUR LEAD" in text or "YOUR TURN" in text or "YOUR CHOICE" in text

    async def move(self) -> None:
        """Do what is suggested, by keys."""
        self.terminal.type("g")
        await self.until("suggestion:", "[Enter]  ")
        self.terminal.type(ENTER)
        await self.until("[?] Help", gone="suggestion:")


async def test_a_terminal_and_a_browser_finish_a_match_with_two_bots(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", "--haste", HASTE) as served, a_browser() as browser:
        home = Commands(served.url, tmp_path)
        arguments = ["play", "--option", "a_win_on=any"]
        with Terminal(arguments, home.environment) as terminal:
            async with Pages(browser, f"http://127.0.0.1:{served.port}") as pages:
                ann = Seated(terminal)
                room = re.search(r"Room ([A-Z0-9]{6})", await ann.until("[Enter]  Start"))
                assert room is not None
                page = await pages.open("/", size=PHONE, locale="zh-CN")
                await expect(page.locator(".home")).to_be_visible(timeout=WAIT_MS)
                bea = Player(page, room[1])
                await bea.run(SIT, code=room[1], name="Bea")
                await ann.until("2  Bea")
                terminal.type(ENTER)
                await expect(page.locator(".hand .held")).to_have_count(27, timeout=WAIT_MS)
                await by_hand(ann, bea)

                terminal.type("o1")
                await ann.until("Autopilot, 0.3 s a move")
                await bea.run(PLAY_ON)
                won, _ = await asyncio.gather(
                    ann.until("Match won: ", "[Enter]  Rematch"),
                    expect(page.locator(".summary.won h2")).to_be_visible(timeout=MATCH_MS),
                )
                public = await bea.run("return (await at('table')).table.value.public;")
                assert public["outcome"]["match_won"]
                ours = public["outcome"]["winner"] == "13"
                assert f"Match won: {'us' if ours else 'them'}" in won
                finish = re.findall(r"(?:1st|2nd|3rd|last) +([1-4]) ", won)
                assert [int(seat) for seat in finish] == public["outcome"]["finish"]
                assert pages.complaints == []
            terminal.type(QUIT)
            code, said = await asyncio.to_thread(terminal.ended)
        assert code == 0
        assert f"guandan play {room[1]} --resume" in said


async def by_hand(ann: Seated, bea: Player) -> None:
    """Play until each of the two has moved."""
    waiting = {"terminal", "browser"}
    async with asyncio.timeout(BY_HAND_S):
        while waiting:
            if (await bea.state())["asked"]:
                await bea.move()
                waiting.discard("browser")
            elif await ann.is_asked():
                await ann.move()
                waiting.discard("terminal")
