"""A full-screen table for tests: the app over a `Parlour`, with a clock that a test sets.

async with seated(parlour) as lounge:
    await lounge.press("9", "9", "enter")
    lounge.screen()            the text on the screen, line by line
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, cast

from textual.app import App
from textual.pilot import Pilot

from guandan_cli.exits import Exit, Failure
from guandan_cli.preferences import Preferences
from guandan_cli.tui.app import TableApp
from guandan_cli.tui.seen import Seen
from guandan_cli.words import Words
from guandan_protocol.client import TableClient
from guandan_protocol.messages import Action, Welcome
from tests.clients.parlour import WAIT_S, Parlour
from tests.clients.scenes import EN

__all__ = ["LARGE", "NARROW", "SMALL", "Lounge", "seated", "text_of"]

SMALL = (80, 24)
LARGE = (120, 36)
NARROW = (60, 20)


def text_of(app: App[Any]) -> list[str]:
    """What stands on the screen, as text."""
    screen = app.screen
    rows = screen._compositor.render_strips()  # noqa: SLF001 the screen has no other door to its text
    return ["".join([segment.text for segment in row]).rstrip() for row in rows]


class Lounge:
    def __init__(self, app: TableApp, pilot: Pilot[Exit | Failure], parlour: Parlour) -> None:
        self.app = app
        self.pilot = pilot
        self.parlour = parlour
        self.now = 1000.0

    @property
    def seen(self) -> Seen:
        return self.app.seen

    def screen(self) -> list[str]:
        return text_of(self.app)

    def text(self) -> str:
        return "\n".join(self.screen())

    async def quiet(self) -> None:
        """Until everything that was told has been drawn."""
        for _ in range(3):
            for _ in range(20):
                await asyncio.sleep(0)
            await self.pilot.pause(0)

    async def attend(self, parlour: Parlour) -> None:
        """Go to another table; quicker than another app."""
        self.parlour = parlour
        self.app.workers.cancel_all()
        while len(self.app.screen_stack) > 1:
            self.app.pop_screen()
        client, welcome = await _let_in(parlour)
        self.app.attend(client, welcome, Preferences())
        self.app.later(self.app.listen())
        self.app.show()

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.pilot.press(key)
            await self.quiet()

    async def click(self, where: str, x: int, y: int = 0) -> None:
        await self.pilot.click(where, offset=(x, y))
        await self.quiet()

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(WAIT_S):
            while not condition():
                await self.pilot.pause()

    @property
    def action(self) -> Action:
        """The last that was done."""
        return self.parlour.acted[-1]

    async def pass_time(self, seconds: float) -> None:
        self.now += seconds
        self.app.session.tick()
        self.app.show()
        await self.quiet()


async def _let_in(parlour: Parlour, **changes: Any) -> tuple[TableClient, Welcome]:
    parlour.welcome(**changes)
    client = cast("TableClient", parlour)
    welcome = await anext(client)
    assert isinstance(welcome, Welcome)
    return client, welcome


@asynccontextmanager
async def seated(
    parlour: Parlour,
    *,
    size: tuple[int, int] = SMALL,
    words: Words = EN,
    preferences: Preferences | None = None,
    keep: Callable[[Mapping[str, object]], None] = lambda _: None,
    **changes: Any,
) -> AsyncIterator[Lounge]:
    """Somebody who has just been let in; `changes` are the welcome's."""
    client, welcome = await _let_in(parlour, **changes)
    lounge: Lounge | None = None
    app = TableApp(
        client,
        welcome,
        words,
        preferences=preferences,
        keep=keep,
        invitation=lambda: ("guandan play K7QM2X", "http://127.0.0.1:8765/r/K7QM2X"),
        now=lambda: 1000.0 if lounge is None else lounge.now,
        pings=False,
    )
    async with app.run_test(size=size) as pilot:
        lounge = Lounge(app, pilot, parlour)
        await lounge.quiet()
        yield lounge
