"""`python -m bench --web`: what a finger waits for in the page, in a real browser on loopback.

Two waits, each from its tap to the frame that shows the answer: until the Play button is named
after a card is taken, and until the own table shows a play. The same taps without a server (taking
and putting back a card, nothing asked) stand beside them as the reference, in the same run.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from pathlib import Path
from statistics import quantiles

from playwright.async_api import async_playwright

from guandan_cli.serve import Bots
from guandan_server.assets import Assets
from guandan_server.config import Config
from guandan_server.node import open_node
from guandan_web import static
from tests.web.felt import Player
from tests.web.pages import DESKTOP, FLAGS, Pages, browser_path

TAPS = 60
PLAYS = 30

# A wait ends with the first frame after the page has changed as expected.
_TAPS = """
    const { table, taken, hand } = await at("table");
    const { preview } = await at("readings");
    const frame = () => new Promise((done) => requestAnimationFrame(() => done(performance.now())));
    const named = [], bare = [];
    for (let i = 0; i < args.taps; i += 1) {
      const card = hand.value[i % hand.value.length];
      let began = performance.now();
      taken.value = new Set([card.id]);
      const before = document.querySelector(".actions .primary")?.textContent;
      const end = began + 5000;
      let now = began;
      while (now < end) {
        now = await frame();
        const text = document.querySelector(".actions .primary")?.textContent;
        if (text && text !== before && preview.value?.readings) break;
      }
      named.push(now - began);
      began = performance.now();
      taken.value = new Set();
      bare.push((await frame()) - began);
      await frame();
    }
    return { named, bare };
"""


def _p(values: list[float], percent: int) -> float:
    return quantiles(values, n=100, method="inclusive")[percent - 1]


async def _measured() -> dict[str, list[float]]:
    path = browser_path()
    if path is None:
        raise SystemExit("there is no chromium here")
    page = Assets.read(static())
    with tempfile.TemporaryDirectory() as folder:
        config = Config(port=0, data_dir=Path(folder), haste=30.0)
        async with (
            open_node(config, Bots(), shelf=lambda: page) as node,
            async_playwright() as playwright,
        ):
            browser = await playwright.chromium.launch(executable_path=path, args=FLAGS)
            async with Pages(browser, f"http://127.0.0.1:{node.port}") as pages:
                me = await Player.seated(pages, size=DESKTOP)
                await me.my_turn()
                waits: dict[str, list[float]] = await me.run(_TAPS, taps=TAPS)
                waits["played"] = await _plays(me)
            await browser.close()
    return waits


# Begun before the key is pressed, and asked for after it.
_WATCH_A_PLAY = """
    const { table } = await at("table");
    const { turn } = table.value.public;
    window.played = new Promise((done) => {
      window.addEventListener("keydown", () => {
        const began = performance.now();
        const look = () => {
          const now = performance.now();
          if (table.value.public.turn > turn || now - began > 5000) done(now - began);
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }, { once: true, capture: true });
    });
"""


async def _plays(me: Player) -> list[float]:
    """From the key to the frame after the table has moved on, the own play on it."""
    waits: list[float] = []
    while len(waits) < PLAYS and (await me.state())["phase"] in ("leading", "following"):
        if not (await me.state())["asked"]:
            await me.when(
                "(await at('table')).isAsked.value ||"
                " !['leading', 'following'].includes((await at('table')).table.value.public.phase)"
            )
            continue
        await me.my_turn()
        await me.press("g")
        advised = await me.page.locator(".act-pass.advised").count()
        await me.run(_WATCH_A_PLAY)
        await me.press("p" if advised else "Enter")
        waits.append(await me.run("return await window.played;"))
    return waits


NAMES = {
    "bare": "a card put back, nothing asked (reference)",
    "named": "tap → the Play button is named",
    "played": "play → the own table shows it",
}


def main(arguments: list[str]) -> int:
    waits = asyncio.run(_measured())
    if "--json" in arguments:
        print(json.dumps(waits))
        return 0
    reference = _p(waits["bare"], 50)
    for key, name in NAMES.items():
        values = waits[key]
        if len(values) < 2:
            print(f"{name:45} too few")
            continue
        p50, p95 = _p(values, 50), _p(values, 95)
        print(f"{name:45} p50 {p50:6.1f} ms  p95 {p95:6.1f} ms  {p50 / reference:4.1f} × reference")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
