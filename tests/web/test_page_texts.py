"""Every word of the page is there, in both languages, and says the same in both."""

from __future__ import annotations

import re
from typing import Any, Final

import pytest_asyncio

from guandan_bots.policy import POLICIES
from guandan_engine.options import OPTIONS, PRESETS
from guandan_engine.record import value_text
from guandan_web import static
from tests.web.modules import call
from tests.web.pages import Pages

SOURCES: Final = {
    entry.name: entry.read_text("utf-8")
    for entry in static().iterdir()
    if entry.name.endswith(".js")
}
TABLES: Final = sorted(
    entry.name
    for entry in (static() / "texts").iterdir()
    if entry.name.endswith(".js") and not entry.name.startswith("rules_")
)
# `t("a.b")` and `t(condition ? "a.b" : "c.d")`, up to the first comma or bracket.
CALL: Final = re.compile(r"\bt\(([^(){},]*)[,)]")
KEY: Final = re.compile(r'"(\w[\w.]*)"')
FAMILY: Final = re.compile(r"\bt\(`([\w.]+\.)\$\{")


@pytest_asyncio.fixture(loop_scope="session")
async def texts(pages: Pages) -> dict[str, list[str]]:
    page = await pages.open()
    found: dict[str, list[str]] = {}
    for table in TABLES:
        parts = await call(page, f"texts/{table}", "Object.values(m)")
        for part in parts:
            again = found.keys() & part.keys()
            assert not again, f"{table} says again: {sorted(again)}"
            found |= part
    return found


async def test_every_key_that_is_used_has_a_text(texts: dict[str, list[str]]) -> None:
    missing = {
        f"{name}: {key}"
        for name, source in SOURCES.items()
        for given in CALL.findall(source)
        for key in KEY.findall(re.sub(r'[!=]==? "[^"]*"', "", given))
        if key not in texts
    }
    assert missing == set()
    families = {family for source in SOURCES.values() for family in FAMILY.findall(source)}
    assert families
    for family in families:
        assert any(key.startswith(family) for key in texts), family


async def test_both_languages_say_something_with_the_same_parameters(
    texts: dict[str, list[str]],
) -> None:
    for key, pair in texts.items():
        assert len(pair) == 2, key
        english, chinese = pair
        assert english, key
        assert chinese, key
        in_both = [sorted(set(re.findall(r"\{\w+\}", one))) for one in (english, chinese)]
        assert in_both[0] == in_both[1], key


async def test_every_preset_option_and_value_has_a_name(texts: dict[str, list[str]]) -> None:
    for preset in PRESETS:
        assert f"preset.{preset}" in texts
        assert f"preset.{preset}.why" in texts
    for option, values in OPTIONS.items():
        assert f"opt.{option}" in texts
        assert f"opt.{option}.why" in texts
        for value in values:
            if not isinstance(value, bool):
                assert f"opt.{option}.{value_text(value)}" in texts


async def test_every_strength_of_bots_has_a_name(texts: dict[str, list[str]]) -> None:
    for level in POLICIES:
        assert f"level.{level}" in texts
        assert f"bot.{level}" in texts


async def test_the_two_chips_say_exactly_this(texts: dict[str, list[str]]) -> None:
    assert texts["preset.tournament"][0] == "Must win · tournament"
    assert texts["preset.house"][0] == "Three misses → back to 2"


def shape(value: Any, key: str = "") -> Any:
    """What must be alike in both languages: everything but the words."""
    if isinstance(value, dict):
        return {name: shape(part, name) for name, part in value.items()}
    if isinstance(value, list):
        return [shape(part, key) for part in value]
    if isinstance(value, str) and key not in ("cards", "table", "is", "level", "id", "gifts"):
        return re.findall(r"\{[SHCDXY][^}]*\}", value)
    return value


async def test_the_rules_have_the_same_parts_and_cards_in_both_languages(pages: Pages) -> None:
    page = await pages.open()
    english, chinese = [
        await call(page, f"texts/rules_{lang}.js", "m.rules") for lang in ("en", "zh")
    ]
    assert shape(english["sections"]) == shape(chinese["sections"])
    rows = [[row[:2] for row in one["glossary"]["rows"]] for one in (english, chinese)]
    assert rows[0] == rows[1]
