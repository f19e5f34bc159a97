"""Exit codes."""

import errno
import os

import pytest

from guandan_cli import exits
from guandan_cli.exits import Exit, Failure, Said, about, exit_of, said, system_says
from guandan_cli.texts import texts
from guandan_protocol.messages import Code


@pytest.mark.parametrize(
    ("code", "end"),
    [
        (Code.NO_SUCH_ROOM, 3),
        (Code.ROOM_GONE, 3),
        (Code.NO_SUCH_RECORD, 3),
        (Code.FULL, 4),
        (Code.BAD_TOKEN, 4),
        (Code.SEAT_TAKEN, 4),
        (Code.BUSY, 4),
        (Code.REPLACED, 4),
        (Code.BAD_OPTION, 2),
        (Code.INTERNAL, 1),
        ("unheard_of", 1),
    ],
)
def test_a_refusal_ends_with_its_code(code: str, end: int) -> None:
    assert exit_of(code) == end


def test_only_codes_that_there_are_have_ends_of_their_own() -> None:
    assert set(exits._EXITS) <= set(Code)  # noqa: SLF001 the table is the subject


def test_a_failure_is_its_message() -> None:
    failure = Failure(Exit.REFUSED, "all seats are taken")
    assert (str(failure), failure.exit) == ("all seats are taken", 4)


def test_a_failure_may_be_told_in_two_languages() -> None:
    failure = Failure(Exit.USAGE, about("--room", said("error.which_table")))
    assert str(failure) == "--room: which table? Give its CODE or link"
    assert failure.told(texts("zh")) == "--room：哪一桌？请给出房间码或链接"


def test_what_a_system_says_is_in_words_that_both_languages_have() -> None:
    full = system_says(OSError(errno.ENOSPC, "whatever it says"))
    assert isinstance(full, Said)
    assert str(full) == os.strerror(errno.ENOSPC)
    assert full.told(texts("zh")) == "磁盘已满"
    assert system_says(OSError(errno.EXDEV, "Cross-device link")) == "Cross-device link"
    assert system_says(OSError("no number")) == "no number"


def test_the_english_of_a_system_s_errors_is_its_own() -> None:
    for key, text in texts("en").table.items():
        family, _, name = key.partition(".")
        if family == "errno":
            assert text == os.strerror(getattr(errno, name))
