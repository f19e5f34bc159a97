"""The page's own modules, called from tests: they run in the browser, where they belong."""

from __future__ import annotations

from typing import Any, Final

from playwright.async_api import Page

from guandan_engine.commands import Command
from guandan_engine.options import rules
from guandan_engine.record import Record, write
from tests.engine.walks import walk

__all__ = ["NAMES", "call", "record_text"]

NAMES: Final = ("Ann", "", "李雷", "Bo")

_CALL: Final = """async ([module, given]) => {
    const build = document.documentElement.dataset.build;
    const m = await import(`/a/${build}/${module}`);
    return (EXPRESSION);
}"""


async def call(page: Page, module: str, expression: str, *given: Any) -> Any:
    """What an expression comes to, in which `m` is a module of the page and `given` is a list."""
    return await page.evaluate(_CALL.replace("EXPRESSION", expression), [module, list(given)])


def record_text(preset: str = "house", seed: int = 7, *, hands_max: int = 40) -> str:
    """The record of a match played at random by a preset, with time-outs in it."""
    options = {"tribute_pick": "payer"} if preset == "house" else {}
    steps = list(walk(rules(preset, options), seed, hands_max=hands_max))
    commands: tuple[Command, ...] = tuple([one.command for one in steps])
    record = Record(rules=steps[0].before.rules, commands=commands, names=NAMES, preset=preset)
    return write(record)
