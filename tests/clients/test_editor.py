"""A line is typed as in every shell."""

import pytest

from guandan_cli.editor import END, Editor


def typed(*keys: str) -> Editor:
    editor = Editor()
    for one in keys:
        editor.feed(one)
    return editor


UP, DOWN, LEFT, RIGHT = "\x1b[A", "\x1b[B", "\x1b[D", "\x1b[C"


@pytest.mark.parametrize(
    ("keys", "text", "cursor"),
    [
        ("9 9", "9 9", 3),
        ("99\x7f", "9", 1),
        ("\x7f", "", 0),
        ("9k" + LEFT + "w", "9wk", 2),
        ("9k" + LEFT + "\x7f", "k", 0),
        ("9k" + LEFT + LEFT + LEFT + "\x1b[3~", "k", 0),
        ("9k" + LEFT + RIGHT + RIGHT + "w", "9kw", 3),
        ("kk\x01a\x05w", "akkw", 4),
        ("kk\x1b[Ha\x1b[Fw", "akkw", 4),
        ("say hello" + LEFT * 5 + "\x0b", "say ", 4),
        ("say hello" + LEFT * 5 + "\x15", "hello", 0),
        ("say hello\x17", "say ", 4),
        ("say  \x17x", "x", 1),
        ("对家\x7f看", "对看", 2),
        ("a\x1b[5~\x00\tb", "ab", 2),
    ],
)
def test_keys_change_the_line(keys: str, text: str, cursor: int) -> None:
    editor = typed(keys)
    assert (editor.text, editor.cursor) == (text, cursor)
    one_by_one = typed(*keys)
    assert (one_by_one.text, one_by_one.cursor) == (text, cursor), "however they come in pieces"


def test_a_line_is_finished_and_the_next_one_begins() -> None:
    editor = Editor()
    assert editor.feed("9 9\nh\r") == ["9 9", "h"]
    assert editor.text == ""


def test_lines_before_are_recalled() -> None:
    editor = typed("9 9\n", "h\n", "h\n", "\n")
    editor.feed(UP)
    assert editor.text == "h"
    editor.feed(UP + UP)
    assert editor.text == "9 9"
    editor.feed(DOWN)
    assert editor.text == "h"
    editor.feed(DOWN)
    assert editor.text == ""
    assert editor.feed(UP + UP + "k\n") == ["9 9k"]


def test_the_end_is_an_end_on_an_empty_line_only() -> None:
    assert Editor().feed("\x04") == [END]
    editor = typed("ab" + LEFT)
    assert editor.feed("\x04") == []
    assert editor.text == "a"


def test_a_long_line_shows_where_the_cursor_is() -> None:
    editor = typed("0123456789")
    assert editor.shown(4) == ("6789", 0)
    editor.feed("\x01" + RIGHT)
    assert editor.shown(4) == ("0123", 3)
    assert typed("对家看").shown(4) == ("家看", 0)
