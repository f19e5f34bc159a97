"""Two people at a table: the next hand that begins by itself, and what was missed on a bad line."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.async_api import WebSocketRoute, expect

from tests.web.felt import Player
from tests.web.pages import PHONE, Pages

HASTE: Final = 3.0
"""A result stays for ten seconds."""

_WATCH_MOTION: Final = """
    window.moved = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, timing) {
      const { delay = 0, duration } = timing;
      window.moved.push({ at: this.closest("[data-play]")?.dataset.play, ends: delay + duration });
      return animate.call(this, frames, timing);
    };
"""


class Line:
    """The connection of a page, to be cut for a while."""

    def __init__(self) -> None:
        self._open: list[WebSocketRoute] = []
        self.is_cut = False

    @classmethod
    async def of(cls, player: Player) -> Line:
        line = cls()
        await player.page.route_web_socket("**/ws", line._connected)
        await player.page.reload()
        await expect(player.page.locator(".hand .held")).to_have_count(27)
        return line

    async def _connected(self, route: WebSocketRoute) -> None:
        if self.is_cut:
            await route.close()
            return
        route.connect_to_server()
        self._open.append(route)

    async def cut(self) -> None:
        self.is_cut = True
        for route in self._open:
            await route.close()

    def mend(self) -> None:
        self.is_cut = False


async def two(pages: Pages, **more: object) -> tuple[Player, Player]:
    me = await Player.seated(pages, **more)  # type: ignore[arg-type]  # passed on as they are
    guest = Player(await pages.open(f"/r/{me.code}", size=PHONE))
    await guest.page.locator(".sit-down button").nth(1).click()
    await expect(guest.page.locator(".hand .held").first).to_be_visible()
    # The keyboard is listened to once the table stands, and long before its extras are there.
    await guest.when("(await at('later')).extras.value !== null")
    return me, guest


async def test_a_ring_shows_when_the_next_hand_begins_by_itself(pages: Pages) -> None:
    me, guest = await two(pages, motion="no-preference")
    await guest.press("o")
    await expect(guest.page.locator(".banner.autopilot")).to_be_visible()
    await me.until_hand_is_over()
    ring = me.page.locator(".summary .next .ring-timer circle")
    await expect(ring).to_be_visible()
    # Who is played for is not waited for.
    await expect(me.page.locator(".summary [role=status]")).to_have_text("All others are ready.")
    runs_s = await ring.evaluate(
        "(circle) => parseFloat(getComputedStyle(circle).animationDuration)"
    )
    assert 0 < runs_s <= 10
    await guest.press("o")  # and who is back is
    await expect(me.page.locator(".summary [role=status]")).to_contain_text("Waiting for")
    await expect(ring).to_be_visible()
    await me.when("(await at('table')).table.value.public.hand === 2")


async def until_it_plays(player: Player, other: Player) -> None:
    """Until a player is about to play cards, so that the trick goes on to the next ones."""
    while True:
        if (await player.state())["asked"]:
            await player.my_turn()
            if await player.run(
                "const { hints } = (await at('hints'));"
                "return hints.value.hints[hints.value.best].cards.length > 0"
            ):
                return
            await player.move()
        elif (await other.state())["asked"]:
            await other.move()


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
async def test_what_was_played_while_the_line_was_cut_is_shown_in_its_order(
    pages: Pages, motion: str
) -> None:
    pages.expect("WebSocket")
    me, guest = await two(pages, motion=motion)
    line = await Line.of(me)
    await until_it_plays(guest, me)
    await me.when("(await at('later')).extras.value !== null")
    await line.cut()
    await expect(me.page.locator(".table.is-lost")).to_be_visible()
    await me.run(_WATCH_MOTION)
    await guest.move()
    await guest.when("(await at('table')).table.value.public.asked[0] === 1")
    shown = await guest.run("return (await at('table')).table.value.public.shown")
    line.mend()
    await me.run("(await at('table')).hurry()")
    await me.my_turn()
    if motion == "reduce":
        assert await me.page.evaluate("window.moved") == []
        return
    await me.page.wait_for_function("window.moved.some((one) => one.at)")
    moved = [one for one in await me.page.evaluate("window.moved") if one["at"]]
    assert {one["at"] for one in moved} >= {"3", "4"} & {str(i + 1) for i in range(4) if shown[i]}
    assert [one["ends"] for one in moved] == sorted([one["ends"] for one in moved])
    assert moved[-1]["ends"] <= 2000
