"""Kinds of field by themselves: what each takes, and how a fault is placed."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import msgpack
import pytest
from attrs import field, frozen

from guandan_protocol import fields as f
from guandan_protocol.errors import BadMessage


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@frozen
class Inner:
    at: int
    colours: tuple[Colour, ...] = ()


@frozen
class Outer:
    inner: Inner | None
    flags: tuple[bool, ...]
    notes: dict[str, object] = field(factory=dict)


INNER = f.record(Inner, at=f.number(1, 9), colours=f.many(f.choice(Colour), 3))
OUTER = f.record(
    Outer,
    inner=f.optional(INNER),
    flags=f.many(f.FLAG, 2, least=2),
    notes=f.Kind("anything", lambda value: {"read": value}, msgpack.packb),
)

TAKES: list[tuple[f.Kind[Any], list[Any], list[Any]]] = [
    (f.number(2, 5), [2, 5], [1, 6, True, 2.0, "2", None, b"2"]),
    (f.number(), [0, 2**53 - 1], [-1, 2**53]),
    (f.number_of((1, 3)), [1, 3], [2, True, 1.0, "1"]),
    (f.FLAG, [True, False], [0, 1, "true", None]),
    (f.text(1, 3), ["a", "a\nb", "张张张"], ["", "abcd", b"a", 1, None]),
    (
        f.label(1, 3),
        ["a b", "张\u3000三", "👩\u200d🚀"],
        ["", " ", "abcd", "a\nb", "\u202ea", "a\0", b"a"],
    ),
    (f.blob(0, 2), [b"", b"ab"], [b"a", b"abc", "ab", bytearray(2)]),
    (f.blob(most=2), [b"", b"a", b"ab"], [b"abc", None]),
    (f.choice(Colour), [Colour.RED], ["green", "RED", 1, None, ["red"]]),
    (f.optional(f.number()), [None, 0], ["", False]),
    (f.many(f.number(), 2), [(), (1, 2)], [[1, 2, 3], (1,), {"a": 1}, "ab", [None]]),
    (f.many(f.number(), 2, least=2), [(1, 2)], [[1], []]),
    (f.row(f.number(), f.FLAG), [(1, True)], [[1], [True, 1], [1, True, 1], "ab"]),
    (
        f.mapping(Colour, f.number()),
        [{Colour.RED: 1, Colour.BLUE: 2}],
        [
            {"red": 1},
            {"red": 1, "green": 2},
            {"red": 1, "blue": 2, "green": 3},
            {"red": 1, "blue": -1},
        ],
    ),
    (INNER, [Inner(1), Inner(9, (Colour.RED,))], [{}, {"at": 1, "x": 1}, [1], None, {"at": 0}]),
]


def as_wire(kind: f.Kind[Any], value: Any) -> Any:
    return msgpack.unpackb(kind.pack(value))


@pytest.mark.parametrize(("kind", "good", "bad"), TAKES, ids=[row[0].wire for row in TAKES])
def test_a_kind_takes_what_it_packs_and_nothing_else(
    kind: f.Kind[Any], good: list[Any], bad: list[Any]
) -> None:
    for value in good:
        assert kind.read(as_wire(kind, value)) == value
    for value in bad:
        with pytest.raises(BadMessage):
            kind.read(value)


def test_text_keeps_its_blanks_and_labels_lose_them() -> None:
    assert f.text(1, 3).read(" a ") == " a "
    assert f.label(1, 3).read("  a\u3000 ") == "a"


PLACES: list[tuple[Any, str]] = [
    (7, "expected a map, Outer, got 7"),
    ({"flags": [True, True]}, "inner: expected a value, got nothing"),
    ({"inner": {"at": 0}, "flags": []}, "inner.at: expected a whole number 1..9, got 0"),
    (
        {"inner": {"at": 1, "colours": ["red", "green"]}, "flags": []},
        "inner.colours[1]: expected one of red, blue, got 'green'",
    ),
    ({"inner": None, "flags": [True, 1]}, "flags[1]: expected true or false, got 1"),
    ({"inner": None, "flags": [True]}, "flags: expected an array of 2, got an array of 1"),
    ({"inner": None, "flags": [True, True], "z": 1}, "expected fields of Outer only, got 'z'"),
]


@pytest.mark.parametrize(("value", "says"), PLACES)
def test_a_fault_is_placed(value: Any, says: str) -> None:
    with pytest.raises(BadMessage) as caught:
        OUTER.read(value)
    assert str(caught.value) == says


def test_a_fault_in_a_row_and_in_a_mapping_is_placed() -> None:
    with pytest.raises(BadMessage) as caught:
        f.many(f.row(f.number(), f.FLAG), 3).read([[1, True], [1, 2]])
    assert caught.value.path == "[1][1]"
    with pytest.raises(BadMessage) as caught:
        f.mapping(Colour, f.number()).read({"red": 1, "blue": None})
    assert caught.value.path == "blue"


def test_absent_fields_get_their_defaults() -> None:
    assert OUTER.read({"inner": {"at": 3}, "flags": [True, False]}) == Outer(
        Inner(3), (True, False), {}
    )


def test_every_field_is_packed_in_the_order_of_the_class() -> None:
    packed = msgpack.unpackb(OUTER.pack(Outer(None, (True, False))))
    assert list(packed) == ["inner", "flags", "notes"]


def test_a_record_must_name_the_fields_of_its_class() -> None:
    with pytest.raises(AssertionError, match="Inner has the fields"):
        f.record(Inner, at=f.number())
    with pytest.raises(AssertionError, match="Inner has the fields"):
        f.record(Inner, colours=f.many(f.choice(Colour), 3), at=f.number())


def test_remembered_records_pack_the_same() -> None:
    kept = f.remembered(INNER, 2)
    for value in [Inner(1), Inner(2), Inner(1), Inner(1, (Colour.BLUE,))]:
        assert kept.pack(value) == INNER.pack(value)
    assert kept.fields is INNER.fields


def test_tags_tell_records_apart() -> None:
    @frozen
    class Red:
        a: int

    @frozen
    class DarkBlue:
        a: int

    either = f.tagged(
        "a colour",
        f.record(Red, tag=True, a=f.number()),
        f.record(DarkBlue, tag=True, a=f.number()),
    )
    for value in (Red(1), DarkBlue(1)):
        assert either.read(as_wire(either, value)) == value
    assert as_wire(either, DarkBlue(1)) == {"t": "dark_blue", "a": 1}
    no_colours: list[Any] = [{"a": 1}, {"t": "green", "a": 1}, {"t": None, "a": 1}, {"t": {}}, []]
    for plain in no_colours:
        with pytest.raises(BadMessage):
            either.read(plain)
    with pytest.raises(TypeError, match="Inner is not a colour"):
        either.pack(Inner(1))
