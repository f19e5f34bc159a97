"""The full screen looks like its golden pictures, and is drawn in characters of known width."""

import os
import unicodedata
from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.clients.tui.screens import LANGUAGES, SIZES, file_of, written

PICTURES = [(language, size) for language in LANGUAGES for size in SIZES]


@pytest.mark.parametrize(("language", "size"), PICTURES)
async def test_the_screens_are_golden(language: str, size: str) -> None:
    text = await written(language, size)
    if os.environ.get("GUANDAN_GOLDEN") == "write":
        file_of(language, size).write_text(text, encoding="utf-8")
    golden = file_of(language, size).read_text(encoding="utf-8")
    assert text.splitlines() == golden.splitlines(), (
        "look at the difference; if it is meant: python -m tests.clients.tui.screens"
    )


@pytest.mark.parametrize(("language", "size"), PICTURES)
def test_no_row_is_wider_than_its_screen(language: str, size: str) -> None:
    width, height = SIZES[size]
    screens = file_of(language, size).read_text(encoding="utf-8").split("\n## ")[1:]
    assert len(screens) > 20
    for screen in screens:
        _title, _, *rows = screen.rstrip("\n").split("\n")
        assert len(rows) <= height
        assert [row for row in rows if cell_len(row) > width] == []


@pytest.mark.parametrize(("language", "size"), PICTURES)
def test_nothing_is_drawn_whose_width_is_in_doubt(language: str, size: str) -> None:
    text = file_of(language, size).read_text(encoding="utf-8")
    doubtful = {
        char for char in text if unicodedata.east_asian_width(char) == "A" and char not in "♠♥♦♣"
    }
    assert doubtful == set()


def test_the_picture_in_the_handbook_is_golden() -> None:
    screens = file_of("en", "80x24").read_text(encoding="utf-8").split("\n## ")
    (shown,) = [one for one in screens if one.startswith("a pair is taken, with a clock\n")]
    picture = shown.partition("\n")[2].strip("\n")
    handbook = Path(__file__).parents[3] / "docs/terminal.md"
    assert f"```\n{picture}\n```\n" in handbook.read_text(encoding="utf-8")
