"""Kinds of field: how untrusted data becomes a value, and how the value becomes bytes.

    Kind(wire, read, pack)     read: plain data -> T, or BadMessage;  pack: T -> bytes

A message is a table of kinds (`view_fields`, `message_fields`), read from top to bottom by the
decoder, the packer and the documentation alike, so that these three cannot part.

Readers take exact types: `True` is no number, there are no floats, every number, text and array
has bounds. A fault is reported with its place, `cards[3]`; the place is put together on the way
out, so that good messages do not pay for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import lru_cache
from operator import attrgetter
from typing import Any, Final, Generic, TypeVar

import attrs
from attrs import frozen

from guandan_protocol.bounds import NUMBER_MAX
from guandan_protocol.errors import BadMessage, describe
from guandan_protocol.pack import (
    NIL,
    array_head,
    map_head,
    pack_bytes,
    pack_flag,
    pack_int,
    pack_text,
)

__all__ = [
    "FLAG",
    "Kind",
    "Record",
    "blob",
    "choice",
    "label",
    "many",
    "mapping",
    "number",
    "number_of",
    "optional",
    "record",
    "remembered",
    "row",
    "tag_of",
    "tagged",
    "text",
]

T = TypeVar("T")
E = TypeVar("E", bound=StrEnum)


@frozen
class Kind(Generic[T]):
    """A kind of field."""

    wire: str
    """What it is on the wire, for the documentation."""
    read: Callable[[object], T]
    pack: Callable[[T], bytes]


def number(low: int = 0, high: int = NUMBER_MAX) -> Kind[int]:
    """A whole number within bounds."""
    shown = f"from {low}" if high == NUMBER_MAX else f"{low}..{high}"
    expected = f"a whole number {shown}"

    def read(value: object) -> int:
        if type(value) is not int or not low <= value <= high:
            raise BadMessage("", expected, describe(value))
        return value

    return Kind(f"int {shown}", read, pack_int)


def number_of(values: tuple[int, ...]) -> Kind[int]:
    """One of some numbers."""
    expected = "one of " + ", ".join(map(str, values))

    def read(value: object) -> int:
        if type(value) is not int or value not in values:
            raise BadMessage("", expected, describe(value))
        return value

    return Kind("int, " + expected, read, pack_int)


def _read_flag(value: object) -> bool:
    if type(value) is not bool:
        raise BadMessage("", "true or false", describe(value))
    return value


FLAG: Final = Kind("bool", _read_flag, pack_flag)


def text(least: int, most: int) -> Kind[str]:
    """Any text of so many characters."""
    expected = f"text of {least}..{most} characters"

    def read(value: object) -> str:
        if type(value) is not str or not least <= len(value) <= most:
            raise BadMessage("", expected, describe(value))
        return value

    return Kind(f"str, {least}..{most} characters", read, pack_text)


# Emoji are joined by one character that does not print by itself, and Chinese text has a blank
# of its own width. Other characters without a print of their own steer terminals.
_ALSO_IN_NAMES: Final = frozenset("\u200d\u3000")


def label(least: int, most: int) -> Kind[str]:
    """Text for one line of a screen: blanks around it are cut off, control characters refused."""
    expected = f"text of {least}..{most} printable characters"

    def read(value: object) -> str:
        if type(value) is not str or len(value) > 4 * most:
            raise BadMessage("", expected, describe(value))
        shown = value.strip()
        if not least <= len(shown) <= most:
            raise BadMessage("", expected, describe(value))
        if not shown.isprintable() and not all(
            c.isprintable() or c in _ALSO_IN_NAMES for c in shown
        ):
            raise BadMessage("", expected, "text with control characters")
        return shown

    return Kind(f"str, {least}..{most} printable characters", read, pack_text)


def blob(*sizes: int, most: int | None = None) -> Kind[bytes]:
    """Bytes: exactly one of `sizes`, or up to `most`."""
    allowed = f"0..{most}" if most is not None else " or ".join(map(str, sizes))

    def read(value: object) -> bytes:
        if type(value) is bytes and (
            len(value) <= most if most is not None else len(value) in sizes
        ):
            return value
        raise BadMessage("", f"{allowed} bytes", describe(value))

    return Kind(f"bin, {allowed} bytes", read, pack_bytes)


def choice(values: type[E]) -> Kind[E]:
    """A member of an enum, by its value."""
    by_text = {member.value: member for member in values}
    packed = {member: pack_text(member.value) for member in values}

    def read(value: object) -> E:
        member = by_text.get(value) if type(value) is str else None
        if member is None:
            raise BadMessage("", "one of " + ", ".join(by_text), describe(value))
        return member

    return Kind(f"str, `{values.__name__}`", read, packed.__getitem__)


def optional(kind: Kind[T]) -> Kind[T | None]:
    """That, or nil."""
    read_value, pack_value = kind.read, kind.pack

    def read(value: object) -> T | None:
        return None if value is None else read_value(value)

    def pack(value: T | None) -> bytes:
        return NIL if value is None else pack_value(value)

    return Kind(f"{kind.wire}, or nil", read, pack)


def many(kind: Kind[T], most: int, *, least: int = 0) -> Kind[tuple[T, ...]]:
    """An array of one kind."""
    allowed = str(most) if least == most else f"{least}..{most}"
    expected = f"an array of {allowed}"
    read_item, pack_item = kind.read, kind.pack
    empty = array_head(0)

    def read(value: object) -> tuple[T, ...]:
        if type(value) is not list or not least <= len(value) <= most:
            raise BadMessage("", expected, describe(value))
        found = []
        try:
            for item in value:
                found.append(read_item(item))  # noqa: PERF401 its length tells where it failed
        except BadMessage as error:
            error.at(f"[{len(found)}]")
            raise
        return tuple(found)

    def pack(value: tuple[T, ...]) -> bytes:
        if not value:  # most of a view's lists, most of the time
            return empty
        return array_head(len(value)) + b"".join([pack_item(item) for item in value])

    return Kind(f"array of {allowed}: {kind.wire}", read, pack)


def row(*kinds: Kind[Any]) -> Kind[Any]:
    """An array with a kind for each place."""

    def read(value: object) -> Any:
        if type(value) is not list or len(value) != len(kinds):
            raise BadMessage("", f"an array of {len(kinds)}", describe(value))
        found = []
        try:
            for kind, item in zip(kinds, value, strict=True):
                found.append(kind.read(item))
        except BadMessage as error:
            error.at(f"[{len(found)}]")
            raise
        return tuple(found)

    def pack(value: Any) -> bytes:
        parts = [kind.pack(item) for kind, item in zip(kinds, value, strict=True)]
        return array_head(len(kinds)) + b"".join(parts)

    return Kind("array [" + ", ".join(kind.wire for kind in kinds) + "]", read, pack)


def mapping(keys: type[E], kind: Kind[T]) -> Kind[Mapping[E, T]]:
    """A map with one entry for each member of an enum."""
    head = map_head(len(keys))
    heads = [(member, pack_text(member.value)) for member in keys]
    names = {member.value for member in keys}
    shown = " and ".join([f'"{member.value}"' for member in keys])
    expected = f"a map of {shown}"

    def read(value: object) -> Mapping[E, T]:
        if type(value) is not dict or value.keys() != names:
            raise BadMessage("", expected, describe(value))
        found = {}
        for member in keys:
            try:
                found[member] = kind.read(value[member.value])
            except BadMessage as error:
                error.at(member.value)
                raise
        return found

    def pack(value: Mapping[E, T]) -> bytes:
        return head + b"".join([key + kind.pack(value[member]) for member, key in heads])

    return Kind(f"map of {shown}: {kind.wire}", read, pack)


# Records


@frozen
class Record(Kind[T]):
    """A map with a kind for each field of an attrs class, in the class's order."""

    cls: type[T]
    fields: Mapping[str, Kind[Any]]
    tag: str | None
    """What its field `t` says, for one that is told apart by it."""


_ABSENT: Final = object()


def tag_of(cls: type) -> str:
    """The class's name in snake case.

    >>> class GiveBack: ...
    >>> tag_of(GiveBack)
    'give_back'
    """
    return "".join(["_" + c.lower() if c.isupper() else c for c in cls.__name__]).lstrip("_")


def record(cls: type[T], *, tag: bool = False, **fields: Kind[Any]) -> Record[T]:
    """The kind of a class from the kinds of its fields; AssertionError unless they match."""
    names = [attribute.name for attribute in attrs.fields(cls)]  # type: ignore[arg-type]  # attrs classes all
    assert names == list(fields), f"{cls.__name__} has the fields {names}"
    own_tag = tag_of(cls) if tag else None
    return Record(
        wire=f"map `{cls.__name__}`",
        read=_reader(cls, fields),
        pack=_packer(fields, own_tag),
        cls=cls,
        fields=fields,
        tag=own_tag,
    )


def _default(attribute: attrs.Attribute[Any]) -> Callable[[], object] | None:
    """Makes what stands for an absent field; None for one that must be there."""
    default: Any = attribute.default
    if default is attrs.NOTHING:
        return None
    if isinstance(default, attrs.Factory):  # type: ignore[arg-type]  # a class, which the stub hides
        made: Callable[[], object] = default.factory
        return made
    return lambda: default


def _reader(cls: type[T], fields: Mapping[str, Kind[Any]]) -> Callable[[object], T]:
    rows = [
        (attribute.name, fields[attribute.name].read, _default(attribute))
        for attribute in attrs.fields(cls)  # type: ignore[arg-type]  # attrs classes all
    ]

    def read(value: object) -> T:
        if type(value) is not dict:
            raise BadMessage("", f"a map, {cls.__name__}", describe(value))
        found = []
        known = 0
        for name, read_field, default in rows:
            raw = value.get(name, _ABSENT)
            if raw is not _ABSENT:
                known += 1
                try:
                    found.append(read_field(raw))
                except BadMessage as error:
                    error.at(name)
                    raise
            elif default is not None:
                found.append(default())
            else:
                raise BadMessage(name, "a value", "nothing")
        if known < len(value):
            unknown = next(name for name in value if name not in fields)
            raise BadMessage("", f"fields of {cls.__name__} only", describe(unknown))
        return cls(*found)

    return read


def _packer(fields: Mapping[str, Kind[Any]], tag: str | None) -> Callable[[Any], bytes]:
    """A packer that fills one template: the names of the fields are in it from the start.

    Every field is written, those with their default value too: whoever reads needs no defaults.
    """
    opening = map_head(len(fields) + (tag is not None))
    if tag is not None:
        opening += pack_text("t") + pack_text(tag)
    template = opening + b"".join([pack_text(name) + b"%b" for name in fields])
    packs = [kind.pack for kind in fields.values()]
    if len(packs) == 1:
        (name,) = fields
        (pack_only,) = packs
        return lambda value: template % pack_only(getattr(value, name))
    values = attrgetter(*fields)

    def pack(value: Any) -> bytes:
        return template % tuple(
            [pack_field(part) for pack_field, part in zip(packs, values(value), strict=True)]
        )

    return pack


def remembered(kind: Record[T], most: int) -> Record[T]:
    """The kind for values that come again and again: their bytes are kept, of `most` at a time.

    Looking up a frozen record costs a fifth of packing it.
    """
    return attrs.evolve(kind, pack=lru_cache(maxsize=most)(kind.pack))


def tagged(what: str, *records: Record[Any]) -> Kind[Any]:
    """Any of some records, told apart by the field `t`."""
    by_tag = {one.tag: one.read for one in records}
    by_class = {one.cls: one.pack for one in records}

    def read(value: object) -> Any:
        if type(value) is not dict:
            raise BadMessage("", f"a map, {what}", describe(value))
        tag = value.get("t")
        reader = by_tag.get(tag) if type(tag) is str else None
        if reader is None:
            raise BadMessage("t", f"the tag of {what}", describe(tag))
        return reader({name: part for name, part in value.items() if name != "t"})

    def pack(value: Any) -> bytes:
        pack_record = by_class.get(type(value))
        if pack_record is None:
            # Nothing but what is listed has bytes: the state and its events have none.
            raise TypeError(f"{type(value).__name__} is not {what}")
        return pack_record(value)

    return Kind(f"map, {what}", read, pack)
