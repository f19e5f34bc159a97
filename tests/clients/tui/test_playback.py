"""Going through a record: every key of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from textual.pilot import Pilot

from guandan_cli.exits import Exit
from guandan_cli.tui.playback import PlaybackApp
from tests.clients.scenes import EN
from tests.clients.tui.lounge import SMALL, text_of
from tests.clients.tui.screens import played

STEPS = 264
SECOND_HAND = 116
"""The step, from 0, that deals the second hand of the record."""


@asynccontextmanager
async def replay(hand: int = 1) -> AsyncIterator[tuple[PlaybackApp, Pilot[Exit]]]:
    app = PlaybackApp(played(EN), EN, hand=hand)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause(0)
        yield app, pilot


async def pressed(app: PlaybackApp, pilot: Pilot[Exit], *keys: str) -> str:
    for key in keys:
        await pilot.press(key)
    await pilot.pause(0)
    return "\n".join(text_of(app))


@pytest.mark.parametrize(
    ("keys", "at"),
    [
        (["right", "right", "left"], 1),
        (["left"], 0),
        (["end"], STEPS - 1),
        (["end", "right"], STEPS - 1),
        (["end", "home"], 0),
        (["pagedown"], SECOND_HAND),
        (["pagedown", "pagedown"], STEPS - 1),
        (["pagedown", "pageup"], 0),
    ],
)
async def test_it_goes_to_any_step(keys: list[str], at: int) -> None:
    async with replay() as (app, pilot):
        await pressed(app, pilot, *keys)
        assert app.at == at


async def test_down_and_up_go_from_trick_to_trick() -> None:
    async with replay() as (app, pilot):
        await pressed(app, pilot, "down")
        first = app.at
        assert app.frame.opens_trick
        await pressed(app, pilot, "down", "up")
        assert app.at == first > 1


async def test_it_begins_at_a_hand() -> None:
    async with replay(hand=2) as (app, _):
        assert app.at == SECOND_HAND


async def test_one_eye_or_all_hands_open() -> None:
    async with replay() as (app, pilot):
        assert " 1 Ann      Y  ♠ 2 A K Q J 10 7 6" in await pressed(app, pilot)
        seen = await pressed(app, pilot, "3")
        assert "1 Ann      Y" not in seen
        assert any(line.split()[:2] == ["Y", "X"] for line in seen.splitlines())
        assert " 1 Ann      Y  ♠ 2 A K Q J 10 7 6" in await pressed(app, pilot, "0")


async def test_space_plays_and_pauses_and_signs_change_the_pace() -> None:
    async with replay() as (app, pilot):
        assert "[Space] pause" in await pressed(app, pilot, "plus", "space")
        assert app.is_playing
        assert "[Space] play" in await pressed(app, pilot, "minus", "space")
        assert not app.is_playing


async def test_playing_stops_at_the_end() -> None:
    async with replay() as (app, pilot):
        await pressed(app, pilot, "end", "left", "space")
        app._go_on()  # noqa: SLF001 what its timer does
        app._go_on()  # noqa: SLF001 what its timer does
        assert (app.at, app.is_playing) == (STEPS - 1, False)


@pytest.mark.parametrize(
    ("key", "shows"), [("c", "Still out"), ("r", "Hand  Level"), ("question_mark", "a step")]
)
async def test_sheets_open_and_close(key: str, shows: str) -> None:
    async with replay() as (app, pilot):
        await pressed(app, pilot, "end")
        assert shows in await pressed(app, pilot, key)
        await pressed(app, pilot, "escape")
        assert len(app.screen_stack) == 1


async def test_a_click_on_the_bar_jumps() -> None:
    async with replay() as (app, pilot):
        row = next(line for line in text_of(app) if "step 1 of 264" in line)
        middle = (row.index("[") + row.index("]")) // 2
        await pilot.click("#line", offset=(middle, 0))
        assert STEPS * 0.45 < app.at < STEPS * 0.55


async def test_it_ends_well() -> None:
    async with replay() as (app, pilot):
        await pilot.press("ctrl+q")
        await pilot.pause(0)
        assert app.return_value is Exit.OK
