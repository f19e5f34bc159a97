"""Several browsers at one table, to the end of a match."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import expect

from tests.web.felt import PLAY_ON, Player
from tests.web.pages import DESKTOP, LANDSCAPE, PHONE, Pages

HASTE = 40.0
MATCH_MS = 240_000
"""A limit and no measure."""

SIT = """
    const { enter } = await at("table");
    const { go } = await at("route");
    const { randomBytes } = await at("wire");
    const hello = { t: "join", room: args.code, name: args.name, join_id: randomBytes(16) };
    await new Promise((done, fail) =>
      enter(hello, { name: args.name, onIn: done, onRefused: fail }));
    go(`/r/${args.code}`);
"""

GUESTS = (("Bea", PHONE, "zh-CN"), ("Cai", LANDSCAPE, "en-GB"), ("Dan", DESKTOP, "zh-CN"))


@pytest.mark.parametrize("people", [4, 2])
async def test_a_match_of_pages_and_bots_to_its_end(pages: Pages, people: int) -> None:
    bots = tuple(range(people + 1, 5))
    host = await Player.seated(pages, bots=bots, begin=False, options={"a_win_on": "any"})
    everybody = [host]
    for name, size, locale in GUESTS[: people - 1]:
        page = await pages.open("/", size=size, locale=locale)
        guest = Player(page, host.code)
        await guest.run(SIT, code=host.code, name=name)
        everybody.append(guest)
    await host.run("await (await at('table')).act({ t: 'start' });")
    for player in everybody:
        await expect(player.page.locator(".hand .held")).to_have_count(27)

    # The first trick is played by hand: whoever is asked takes what is suggested.
    for _ in everybody:
        asked = [one for one in everybody if (await one.state())["asked"]]
        if asked:
            await asked[0].move()

    await asyncio.gather(*[player.run(PLAY_ON) for player in everybody])
    for player in everybody:
        await expect(player.page.locator(".summary.won h2")).to_be_visible(timeout=MATCH_MS)
    seen = [
        await player.run("const now = (await at('table')).table.value; return now.public;")
        for player in everybody
    ]
    assert all(one == seen[0] for one in seen)
    assert seen[0]["outcome"]["match_won"]
    seats = [(await player.state())["seat"] for player in everybody]
    assert sorted(seats) == list(range(1, people + 1))
