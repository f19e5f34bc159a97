"""Readers of plain data take what is right as it is, and nothing that is only alike."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guandan_engine.cards import FULL_PACK, Card, Cards
from guandan_engine.errors import SnapshotError
from guandan_engine.notation import level_of, parse_reading
from guandan_engine.plain import (
    CARDS_BYTES,
    INT_MAX,
    read_bytes,
    read_card,
    read_cards,
    read_count,
    read_fields,
    read_items,
    read_level,
    read_reading,
    read_row,
    read_seat,
    read_seats,
    read_team,
    read_text,
)
from guandan_engine.seats import Team
from tests.engine.strategies import multisets

Read = Callable[[Any, str], object]

RIGHT: list[tuple[Read, object, object]] = [
    (read_count, 0, 0),
    (read_count, INT_MAX, INT_MAX),
    (read_text, "a", "a"),
    (read_level, "T", level_of("T")),
    (read_card, "Y", 56),
    (read_reading, "pair-9", parse_reading("pair-9")),
    (read_seat, 4, 4),
    (read_seats, [4, 1], (4, 1)),
    (read_team, "24", Team.EVEN),
    (partial(read_row, size=2), [1, None], [1, None]),
    (partial(read_items, read=read_seat), [1, 1], (1, 1)),
    (partial(read_fields, names="a b"), {"b": 2, "a": 1}, {"a": 1, "b": 2}),
    (partial(read_bytes, least=1, most=2), b"ab", b"ab"),
]

WRONG: list[tuple[Read, object, str]] = [
    *((read_count, value, "a count") for value in (-1, INT_MAX + 1, True, 1.0, "1", None)),
    *((read_text, value, "text") for value in (b"a", 1, None)),
    *((read_level, value, "") for value in ("X", "1", 5, b"5")),
    *((read_card, value, "") for value in ("S1", 5, "")),
    *((read_reading, value, "") for value in ("pair", 2, ["pair-9"])),
    *((read_cards, value, "15 bytes") for value in (b"", bytes(14), bytes(16), "0" * 15, 0)),
    (read_cards, (1 << 53).to_bytes(15, "big"), "faces of the pack"),
    (read_cards, (1 << 60).to_bytes(15, "big"), "second copies only over first ones"),
    *((read_seat, value, "a seat") for value in (0, 5, True, "1", 1.0, [1])),
    *((read_seats, value, "each seat once") for value in ([1, 1],)),
    *((read_seats, value, "a list") for value in ((1, 2), {1: 2}, None)),
    *((read_team, value, "a team") for value in ("1", 13, None, Team.ODD, ["13"])),
    (partial(read_row, size=2), [1], "a list of 2"),
    (partial(read_row, size=2), (1, 2), "a list of 2"),
    (partial(read_fields, names="a b"), {"a": 1}, "b is missing"),
    (partial(read_fields, names="a"), {"a": 1, "b": 1}, "a field beside a"),
    (partial(read_fields, names="a"), [("a", 1)], "an object"),
    (partial(read_bytes, least=1, most=2), b"", "1 to 2 bytes"),
    (partial(read_bytes, least=2, most=2), b"abc", "expected 2 bytes"),
    (partial(read_bytes, least=0, most=9), bytearray(2), "bytes"),
]


@pytest.mark.parametrize(("read", "plain", "value"), RIGHT, ids=map(str, range(len(RIGHT))))
def test_what_is_right(read: Read, plain: object, value: object) -> None:
    assert read(plain, "here") == value


@pytest.mark.parametrize(("read", "plain", "says"), WRONG, ids=map(str, range(len(WRONG))))
def test_what_is_only_alike(read: Read, plain: object, says: str) -> None:
    with pytest.raises(SnapshotError) as error:
        read(plain, "here")
    assert str(error.value).startswith("here")
    assert says in str(error.value)


def test_an_item_is_named_by_its_place() -> None:
    with pytest.raises(SnapshotError, match=r"out\[1\]: expected a seat"):
        read_items([1, 7], "out", read_seat)


@given(multisets())
def test_cards_and_back(drawn: list[Card]) -> None:
    cards = Cards.of(drawn)
    assert read_cards(cards.bits.to_bytes(CARDS_BYTES, "big"), "hand") == cards


@given(st.binary(min_size=CARDS_BYTES, max_size=CARDS_BYTES))
def test_other_bytes_are_no_cards(plain: bytes) -> None:
    try:
        cards = read_cards(plain, "hand")
    except SnapshotError:
        return
    assert cards <= FULL_PACK
    assert Cards.of(cards) == cards


def test_errors_do_not_repeat_what_stands_there() -> None:
    """It may be somebody's hand."""
    for read in (read_card, read_reading, read_level, read_text, read_count):
        with pytest.raises(SnapshotError) as error:
            read(["SECRET"], "hands[2]")
        assert "SECRET" not in str(error.value)
    with pytest.raises(SnapshotError) as error:
        read_card("SECRET", "hands[2]")
    assert "SECRET" not in str(error.value)
