"""`guandan verify`."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from guandan_engine.options import rules
from guandan_engine.record import Record, write
from tests.clients.commands import Commands
from tests.engine.walks import walk


@pytest.fixture(scope="module")
def text() -> str:
    commands = tuple(step.command for step in walk(rules("site"), 5, hands_max=3))
    return write(Record(rules("site"), commands))


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str], str]:
    def write_it(text: str) -> str:
        path = tmp_path / "match.txt"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write_it


def test_a_good_record(commands: Commands, file: Callable[[str], str], text: str) -> None:
    ended = commands.run("verify", file(text))
    assert (ended.code, ended.err) == (0, [])
    assert ended.out[0] == "All 3 hands fit their seeds; every play is legal."
    assert ended.out[1].startswith("Not checked, for nothing can prove them: names")
    plain = commands.run("verify", file(text), "--json")
    assert json.loads(plain.out[0]) == {"ok": True, "hands": 3, "problems": []}


def flipped(text: str, word: str) -> str:
    """The text with one bit of the first value after `word` flipped."""
    start = text.index(f"\n{word} ") + len(word) + 2
    digit = format(int(text[start], 16) ^ 1, "x")
    return text[:start] + digit + text[start + 1 :]


@pytest.mark.parametrize("word", ["seed", "commitment"])
def test_a_flipped_bit_is_found(
    commands: Commands, file: Callable[[str], str], text: str, word: str
) -> None:
    ended = commands.run("verify", file(flipped(text, word)))
    assert ended.code == 1
    assert "hand 1: the seed is not the one that was committed to" in ended.out
    assert ended.out[-1].startswith("Problems found: ")
    plain = commands.run("verify", file(flipped(text, word)), "--json")
    assert plain.code == 1
    assert json.loads(plain.out[0])["ok"] is False
