"""A player at a table in a real browser: what the page knows, and hands on its cards.

    me = await Player.seated(pages, size=PHONE)     # three bots, the first hand dealt
    await me.my_turn()
    await me.press("g")

What the page knows is read from its own modules; what is done is done with its keys and cards.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any, Final, Self

from playwright.async_api import Locator, Page, expect

from tests.web.pages import DESKTOP, Pages, Size

__all__ = ["PLAY_ON", "WAIT_MS", "Player"]

WAIT_MS: Final = 30_000
"""A limit and no measure: three bots move in a second or two."""

SCRIPT_S: Final = 120
"""Likewise."""

_UP: Final = "#app > *:not(.notice), #app > .notice > .spinner, #app > .ended"
"""A screen that has come up. The start page leaves tables when it does: nothing is done before."""

_STATE: Final = """
    const { hand, isAsked, table, taken, takenCards } = await at("table");
    const now = table.value;
    if (!now) return null;
    return {
      phase: now.public.phase, stage: now.view.stage, asked: isAsked.value, seat: now.seat,
      turn: now.public.turn, hand: hand.value.map((card) => card.face), level: now.public.level,
      taken: takenCards().map((card) => card.face), played: now.public.played,
      hands: now.record.length, resisted: now.public.resisted.length, counts: now.public.counts,
    };
"""

_OPEN: Final = """
    const { enter, act, table } = await at("table");
    const { go } = await at("route");
    const { randomBytes } = await at("wire");
    const { name, preset, options, settings } = args;
    const hello = { t: "create", name, create_id: randomBytes(16), preset, options, settings };
    const room = await new Promise((done, fail) =>
      enter(hello, { name, onIn: done, onRefused: fail }));
    for (const seat of args.bots) await act({ t: "add_bot", seat, level: args.level });
    if (args.begin) await act({ t: "start" });
    go(`/r/${room}`);
    return room;
"""

PLAY_ON: Final = """
    const { act, table } = await at("table");
    await act({ t: "autopilot", on: true, pace_ms: 300 });
    const { effect } = await at("vendor/ui");
    let done = 0;
    effect(() => {
      const now = table.value;
      if (now?.public.phase === "hand_over" && now.public.hand !== done) {
        done = now.public.hand;
        act({ t: "ready", ready: true });
      }
    });
"""
"""The autopilot plays, and whoever is asked whether to go on is ready."""


class Player:
    """One page at one table."""

    def __init__(self, page: Page, code: str = "") -> None:
        self.page = page
        self.code = code
        self._has_pressed = False

    @classmethod
    async def seated(
        cls,
        pages: Pages,
        *,
        size: Size = DESKTOP,
        locale: str = "en-GB",
        prefer: dict[str, Any] | None = None,
        settings: dict[str, Any] | None = None,
        options: dict[str, Any] | None = None,
        bots: tuple[int, ...] = (2, 3, 4),
        begin: bool = True,
        **more: Any,
    ) -> Self:
        """Seat 1 of a new table. `prefer`: what this browser remembers as its settings."""
        page = await pages.open("/", size=size, locale=locale, **more)
        if prefer:
            await page.evaluate(
                f"localStorage.setItem('guandan', {json.dumps(json.dumps(prefer))})"
            )
            await page.reload()
        me = cls(page)
        me.code = await me.run(
            _OPEN,
            name="Ann",
            preset="site",
            options=options or {},
            settings=settings,
            bots=bots,
            level="basic",
            begin=begin,
        )
        if begin:
            await expect(page.locator(".table")).to_be_visible()
            await expect(page.locator(".hand .held")).to_have_count(27)
        return me

    async def run(self, script: str, **args: Any) -> Any:
        """What a piece of script returns; `at("table")` there is the page's own module."""
        await self.page.wait_for_selector(_UP, state="attached", timeout=WAIT_MS)
        # A script has no time-out of its own in a browser.
        async with asyncio.timeout(SCRIPT_S):
            return await self.page.evaluate(
                "async (args) => {"
                " const at = (name) =>"
                "   import(`/a/${document.documentElement.dataset.build}/${name}.js`);"
                f" {script} }}",
                args,
            )

    async def state(self) -> dict[str, Any]:
        found: dict[str, Any] = await self.run(_STATE)
        return found

    async def my_turn(self) -> dict[str, Any]:
        """Wait until something is asked of this player, and its hints are there."""
        await expect(self.page.locator(".actions.mine")).to_be_visible(timeout=WAIT_MS)
        await self.when("(await at('hints')).hints.value !== null")
        return await self.state()

    async def when(self, condition: str) -> None:
        """Wait until an expression is true; `await` is fine in it."""
        await self.run(
            f"const holds = async () => {condition};"
            "const end = performance.now() + args.wait_ms;"
            "while (!(await holds())) {"
            "  if (performance.now() > end) throw new Error(`never came: ${args.condition}`);"
            "  await new Promise((done) => setTimeout(done, 20));"
            "}",
            condition=condition,
            wait_ms=WAIT_MS,
        )

    async def settled(self) -> None:
        """Wait until what was changed is drawn, and nothing moves any more."""
        await self.run(
            "const frame = () => new Promise(requestAnimationFrame);"
            "await frame(); await frame();"
            "const moves = (one) => one.playState === 'running';"
            "while (document.getAnimations().some(moves)) await frame();"
        )

    async def press(self, *keys: str) -> None:
        if not self._has_pressed:
            # Keys are listened to from the frame after the one that shows the table.
            self._has_pressed = True
            await self.run(
                "const frame = () => new Promise(requestAnimationFrame);"
                "await frame(); await frame(); await new Promise((done) => setTimeout(done));"
            )
        for key in keys:
            await self.page.keyboard.press(key)

    def column(self, key: str) -> Locator:
        return self.page.locator(f'[data-column="{key}"]')

    async def columns(self) -> list[str]:
        found: list[str] = await self.run(
            "return (await at('hand')).columns.value.map((c) => c.key);"
        )
        return found

    async def named(self) -> str:
        """What the play button says."""
        return (await self.page.locator(".act-play").inner_text()).strip()

    async def move(self) -> None:
        """Do what is suggested, by keys, and wait until the turn has gone on."""
        before = (await self.my_turn())["turn"]
        await self.press("g")
        advised = await self.page.locator(".act-pass.advised").count()
        if not advised:
            await self.when(
                "(await at('readings')).isPlayable.value || (await at('choosing')).giving.value"
            )
        await self.press("p" if advised else "Enter")
        await self.when(f"(await at('table')).table.value.public.turn !== {before}")

    async def until_hand_is_over(self) -> None:
        while True:
            now = await self.state()
            if now["phase"] in ("hand_over", "match_over"):
                return
            if now["asked"]:
                await self.move()
            else:
                await asyncio.sleep(0.05)  # until others have moved

    async def tap(self, locator: Locator, *, y: float | None = None, touch: bool = False) -> None:
        """In the middle of something, or at a height of it."""
        box = await locator.bounding_box()
        assert box is not None
        at = (box["x"] + box["width"] / 2, box["y"] + (box["height"] / 2 if y is None else y))
        await (self.page.touchscreen.tap(*at) if touch else self.page.mouse.click(*at))
