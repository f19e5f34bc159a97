"""Exit codes."""

import pytest

from guandan_cli import exits
from guandan_cli.exits import Exit, Failure, exit_of
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
