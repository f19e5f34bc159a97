"""Text against forms: what fits is taken, what does not is named by its line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guandan_engine.errors import NotationError
from guandan_engine.lines import Lines, hex_reader
from guandan_engine.notation import parse_card, parse_cards, parse_reading


def test_words_in_capitals_are_taken_and_read() -> None:
    lines = Lines("pay 4 SA\n1 S5 H5 = pair-5\n")
    assert lines.take("pay SEAT CARD") == [4, parse_card("SA")]
    assert lines.take("SEAT CARDS = READING") == [1, parse_cards("S5 H5"), parse_reading("pair-5")]
    assert lines.words == []


def test_a_form_may_bring_its_own_reader() -> None:
    assert Lines("turn 41").take("turn NUMBER", NUMBER=int) == [41]


@given(st.lists(st.sampled_from(["", "  ", "# pass", "\t# 1 S5 = single-5"]), max_size=4))
def test_blank_lines_and_comments_say_nothing(idle: list[str]) -> None:
    lines = Lines("\n".join([*idle, "2 pass  # again", *idle]))
    assert lines.words == ["2", "pass"]
    assert lines.take("SEAT pass") == [2]
    assert lines.words == []


def test_a_name_is_taken_whole() -> None:
    assert Lines("name 1 Ann # two").take("name 1 WORDS") == ["Ann # two"]


@pytest.mark.parametrize(
    ("text", "form", "says"),
    [
        ("pay 4", "pay SEAT CARD", "line 1: expected pay SEAT CARD, got 'pay 4'"),
        ("\n# x\npay 5 SA", "pay SEAT CARD", "line 3: expected a seat, 1..4, got '5'"),
        ("pay 4 S1", "pay SEAT CARD", "expected a card such as S5, HT, X or Y, got 'S1'"),
        ("give 4 SA", "pay SEAT CARD", "got 'give 4 SA'"),
        ("", "end", "line 0: expected end, got ''"),
        ("end\n", "pay SEAT CARD", "line 1: "),
        ("1 = pair-5", "SEAT CARDS = READING", "expected SEAT CARDS = READING"),
    ],
)
def test_what_does_not_fit(text: str, form: str, says: str) -> None:
    with pytest.raises(NotationError) as error:
        Lines(text).take(form)
    assert says in str(error.value)


def test_a_refused_line_stays_at_hand() -> None:
    lines = Lines("2 pass")
    with pytest.raises(NotationError):
        lines.take("end")
    assert lines.take("SEAT pass") == [2]


@given(st.binary(max_size=40))
def test_hex(data: bytes) -> None:
    read = hex_reader(1, 32)
    if 1 <= len(data) <= 32:
        assert read(data.hex()) == read(data.hex().upper()) == data
    else:
        with pytest.raises(NotationError, match="1 to 32 bytes in hex"):
            read(data.hex())


@pytest.mark.parametrize("text", ["0", "0g", "0x00", "é"])
def test_what_is_no_hex(text: str) -> None:
    with pytest.raises(NotationError, match="expected 1 bytes in hex"):
        hex_reader(1, 1)(text)
