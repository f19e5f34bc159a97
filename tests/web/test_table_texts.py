"""The words of the page: each in both languages, and none that is used is missing."""

from __future__ import annotations

import re
from typing import Any, Final

from guandan_bots.reasons import HintReason
from guandan_protocol.messages import Phrase
from guandan_web import static
from tests.web.pages import Pages

_READ: Final = """
    async (files) => {
      const modules = files.map((file) =>
        import(`/a/${document.documentElement.dataset.build}/texts/${file}`));
      return Object.assign({}, ...(await Promise.all(modules)).flatMap((module) =>
        Object.values(module)));
    }
"""
_PLAIN: Final = re.compile(r"\bt\(\s*\"([^\"]+)\"")


async def texts(pages: Pages) -> dict[str, Any]:
    files = [entry.name for entry in (static() / "texts").iterdir() if entry.name.endswith(".js")]
    found: dict[str, Any] = await (await pages.open("/")).evaluate(_READ, files)
    return found


async def test_each_text_is_there_in_both_languages_with_the_same_holes(pages: Pages) -> None:
    known = await texts(pages)
    assert len(known) > 400
    for key, pair in known.items():
        match pair:
            case [str(english), str(chinese)]:
                pass
            case _:
                continue  # prose in a text file of its own
        assert english.strip(), key
        assert chinese.strip(), key
        assert set(re.findall(r"\{\w+\}", chinese)) <= set(re.findall(r"\{\w+\}", english)) | {
            "{rank}"
        }, key


async def test_no_text_that_is_used_is_missing(pages: Pages) -> None:
    known = await texts(pages)
    used = {
        key
        for entry in static().iterdir()
        if entry.name.endswith(".js")
        for key in _PLAIN.findall(entry.read_text(encoding="utf-8"))
    }
    assert len(used) > 100
    assert used - known.keys() == set()


async def test_all_reasons_of_hints_and_all_phrases_have_words(pages: Pages) -> None:
    known = await texts(pages)
    wanted = {f"reason.{reason}" for reason in HintReason} | {f"phrase.{one}" for one in Phrase}
    assert wanted - known.keys() == set()
