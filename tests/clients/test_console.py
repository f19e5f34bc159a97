"""Lines in and out of real file descriptors."""

import asyncio
import io
import os
import pty
from collections.abc import Iterator
from pathlib import Path

import pytest

from guandan_cli.console import (
    LINE_CHARS_MAX,
    LINES_WAITING_MAX,
    LineReader,
    Terminal,
    is_person,
    prepare,
    suits_for,
)
from guandan_cli.words import GLYPHS, LETTERS

WAIT_S = 10
"""A time-out of waits."""


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    read, write = os.pipe()
    yield read, write
    for descriptor in (read, write):
        try:
            os.close(descriptor)
        except OSError:
            continue


async def all_lines(descriptor: int) -> list[str]:
    async with asyncio.timeout(WAIT_S):
        with LineReader(descriptor) as reader:
            return [line async for line in reader]


@pytest.mark.parametrize(
    ("written", "lines"),
    [
        (b"", []),
        (b"9 9\n", ["9 9"]),
        (b"9 9\nh\n\np", ["9 9", "h", "", "p"]),
        (b"9 9\r\nh\r\n", ["9 9", "h"]),
        ("不出\n".encode(), ["不出"]),
        (b"\xff\xfe\n", ["\ufffd\ufffd"]),
        ("不".encode()[:2], ["\ufffd"]),
    ],
)
async def test_lines_of_a_pipe(pipe: tuple[int, int], written: bytes, lines: list[str]) -> None:
    read, write = pipe
    os.write(write, written)
    os.close(write)
    assert await all_lines(read) == lines


async def test_lines_of_a_file(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("start\n!\n" * 500)
    with script.open("rb") as file:
        assert await all_lines(file.fileno()) == ["start", "!"] * 500


async def test_lines_of_a_terminal() -> None:
    ours, theirs = pty.openpty()
    try:
        with LineReader(theirs) as reader:
            async with asyncio.timeout(WAIT_S):
                os.write(ours, "9 9\n不出\n".encode())
                assert [await anext(reader), await anext(reader)] == ["9 9", "不出"]
                os.write(ours, b"\x04")  # Ctrl-D on an empty line
                with pytest.raises(StopAsyncIteration):
                    await anext(reader)
    finally:
        os.close(ours)
        os.close(theirs)


async def test_a_line_may_come_in_pieces(pipe: tuple[int, int]) -> None:
    read, write = pipe
    with LineReader(read) as reader:
        line = asyncio.ensure_future(anext(reader))
        for piece in (b"9", b" ", "不".encode()[:1], "不".encode()[1:], b"\n"):
            os.write(write, piece)
            await asyncio.sleep(0)
        async with asyncio.timeout(WAIT_S):
            assert await line == "9 不"


async def test_nobody_waits_for_a_reader_that_is_told_to_end(pipe: tuple[int, int]) -> None:
    read, _ = pipe
    with LineReader(read) as reader:
        waiting = asyncio.ensure_future(anext(reader))
        await asyncio.sleep(0)
        waiting.cancel()
    assert waiting.cancelled() or waiting.cancelling()


async def test_an_ended_input_stays_ended(pipe: tuple[int, int]) -> None:
    read, write = pipe
    os.close(write)
    with LineReader(read) as reader:
        async with asyncio.timeout(WAIT_S):
            for _ in range(3):
                with pytest.raises(StopAsyncIteration):
                    await anext(reader)


async def test_what_cannot_be_read_has_ended() -> None:
    assert await all_lines(100_000) == []  # beyond what `select` can ask for


async def test_a_script_is_not_read_far_ahead(pipe: tuple[int, int]) -> None:
    read, write = pipe
    os.write(write, b"p\n" * (4 * LINES_WAITING_MAX))
    os.close(write)
    with LineReader(read) as reader:
        async with asyncio.timeout(WAIT_S):
            assert await anext(reader) == "p"
            assert reader.waiting <= LINES_WAITING_MAX
            assert len([line async for line in reader]) == 4 * LINES_WAITING_MAX - 1


async def test_an_endless_line_is_cut(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_bytes(b"9" * 1_000_000 + b"\np\n" + b"x" * 100_000)
    with script.open("rb") as file:
        lines = await all_lines(file.fileno())
    assert [len(line) for line in lines] == [LINE_CHARS_MAX, 1, LINE_CHARS_MAX]
    assert lines[1] == "p"


# Out


def console(pipe: tuple[int, int], *, is_person: bool) -> tuple[Terminal, io.StringIO, LineReader]:
    out = io.StringIO()
    reader = LineReader(pipe[0])
    return Terminal(reader, out, is_person=is_person), out, reader


async def test_a_script_sees_no_prompt(pipe: tuple[int, int]) -> None:
    terminal, out, reader = console(pipe, is_person=False)
    with reader:
        terminal.say("one", "two")
        terminal.prompt()
        terminal.say()
        terminal.say("three")
    assert out.getvalue() == "one\ntwo\nthree\n"


async def test_a_prompt_gives_way_to_what_happens(
    pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    terminal, out, reader = console(pipe, is_person=True)
    with reader:
        terminal.prompt()
        terminal.prompt()
        terminal.say("one")
        terminal.say("two")
    assert out.getvalue() == "> \r\x1b[Kone\ntwo\n"


async def test_a_simple_terminal_gets_no_escape_codes(
    pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    terminal, out, reader = console(pipe, is_person=True)
    with reader:
        terminal.prompt()
        terminal.say("one")
    assert out.getvalue() == "> \none\n"


async def test_what_was_typed_ends_the_prompt(pipe: tuple[int, int]) -> None:
    terminal, out, reader = console(pipe, is_person=True)
    with reader:
        terminal.prompt()
        os.write(pipe[1], b"p\n")
        async with asyncio.timeout(WAIT_S):
            assert await anext(aiter(terminal.lines())) == "p"
        terminal.say("one")
    assert out.getvalue() == "> one\n"


@pytest.mark.parametrize(
    ("encoding", "suits"),
    [("utf-8", GLYPHS), ("gb18030", GLYPHS), ("ascii", LETTERS), ("latin-1", LETTERS)],
)
def test_suits_are_letters_where_they_cannot_be_shown(encoding: str, suits: str) -> None:
    assert suits_for(io.TextIOWrapper(io.BytesIO(), encoding=encoding)) == suits


def test_output_never_fails_for_a_character() -> None:
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    prepare(out)
    out.write("李明\n")
    out.flush()
    assert out.buffer.getvalue() == b"??\n"


def test_who_types_is_told_by_the_stream(tmp_path: Path) -> None:
    with (tmp_path / "file").open("w+") as file:
        assert not is_person(file)
    assert not is_person(file)
    assert not is_person(io.StringIO())
