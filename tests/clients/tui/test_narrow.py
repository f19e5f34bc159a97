"""All that the full screen can say has a width that is known."""

import unicodedata

import pytest

from guandan_cli.texts import Lang, texts
from guandan_cli.tui.narrow import narrow, narrowed


@pytest.mark.parametrize("lang", Lang)
def test_every_text_can_be_said_in_narrow_characters(lang: Lang) -> None:
    table = narrowed(texts(lang)).table
    doubtful = {
        char
        for text in table.values()
        for char in text
        if unicodedata.east_asian_width(char) == "A"
    }
    assert doubtful == set()


def test_what_is_narrow_stays_as_it_is() -> None:
    assert narrow("对9：♥9 (2)") == "对9：♥9 (2)"
