"""Plain data read with suspicion: each reader takes what stands at a place and gives its value.

Plain data are dicts with text keys, lists, text, bytes, ints, bools and None. It comes out of a
store, so a wrong type is damage and never a spelling: nothing is converted. SnapshotError names the
place and what belongs there, and not what stands there, for that may be somebody's hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from guandan_engine.cards import FULL_PACK, HALF, LOW, Card, Cards, Rank
from guandan_engine.combos import Reading
from guandan_engine.errors import NotationError, SnapshotError
from guandan_engine.notation import level_of, parse_card, parse_reading
from guandan_engine.seats import SEATS, Seat, Team

__all__ = [
    "CARDS_BYTES",
    "Plain",
    "read_bytes",
    "read_card",
    "read_cards",
    "read_count",
    "read_fields",
    "read_items",
    "read_level",
    "read_reading",
    "read_row",
    "read_seat",
    "read_seats",
    "read_team",
    "read_text",
    "wrong",
]

Plain = Any
"""Plain data that nobody has checked."""

INT_MAX: Final = (1 << 63) - 1
"""What msgpack and every language that reads it can hold in a signed word."""
CARDS_BYTES: Final = 2 * HALF // 8
"""A multiset is one big-endian int of that size."""

T = TypeVar("T")


def wrong(place: str, expected: str) -> SnapshotError:
    """The error of a place where something else belongs."""
    return SnapshotError(f"{place}: expected {expected}")


def read_fields(plain: Plain, place: str, names: str) -> Mapping[str, Plain]:
    """An object with exactly the fields in `names`, which are separated by blanks."""
    if not isinstance(plain, Mapping):
        raise wrong(place, "an object")
    known = names.split()
    for name in known:
        if name not in plain:
            raise SnapshotError(f"{place}: {name} is missing")
    if len(plain) > len(known):
        raise SnapshotError(f"{place}: there is a field beside {', '.join(known)}")
    return plain


def read_items(plain: Plain, place: str, read: Callable[[Plain, str], T]) -> tuple[T, ...]:
    """A list, with each item read by `read`."""
    if type(plain) is not list:
        raise wrong(place, "a list")
    return tuple([read(item, f"{place}[{i}]") for i, item in enumerate(plain)])


def read_row(plain: Plain, place: str, size: int) -> list[Plain]:
    """A list of `size` items of any kind."""
    if type(plain) is not list or len(plain) != size:
        raise wrong(place, f"a list of {size}")
    return plain


def read_count(plain: Plain, place: str) -> int:
    # `type is`, here and below: True is an int to isinstance.
    if type(plain) is not int or not 0 <= plain <= INT_MAX:
        raise wrong(place, "a count")
    return plain


def read_text(plain: Plain, place: str) -> str:
    if type(plain) is not str:
        raise wrong(place, "text")
    return plain


def read_bytes(plain: Plain, place: str, *, least: int, most: int) -> bytes:
    if type(plain) is not bytes or not least <= len(plain) <= most:
        raise wrong(place, f"{least} to {most} bytes" if least < most else f"{least} bytes")
    return plain


def read_level(plain: Plain, place: str) -> Rank:
    return _read_notation(plain, place, level_of)


def read_card(plain: Plain, place: str) -> Card:
    return _read_notation(plain, place, parse_card)


def read_reading(plain: Plain, place: str) -> Reading:
    return _read_notation(plain, place, parse_reading)


def _read_notation(plain: Plain, place: str, parse: Callable[[str], T]) -> T:
    try:
        return parse(read_text(plain, place))
    except NotationError as error:
        raise wrong(place, error.expected) from None


def read_cards(plain: Plain, place: str) -> Cards:
    bits = int.from_bytes(read_bytes(plain, place, least=CARDS_BYTES, most=CARDS_BYTES), "big")
    if bits & ~FULL_PACK.bits or bits >> HALF & ~bits & LOW:
        raise wrong(place, "faces of the pack, and second copies only over first ones")
    return Cards(bits)


def read_seat(plain: Plain, place: str) -> Seat:
    if type(plain) is not int or plain not in SEATS:
        raise wrong(place, "a seat, 1..4")
    return Seat(plain)


def read_seats(plain: Plain, place: str) -> tuple[Seat, ...]:
    """Seats in some order, none of them twice."""
    seats = read_items(plain, place, read_seat)
    if len(set(seats)) < len(seats):
        raise wrong(place, "each seat once")
    return seats


def read_team(plain: Plain, place: str) -> Team:
    for team in Team:
        if type(plain) is str and plain == team.value:
            return team
    raise wrong(place, "a team, 13 or 24")
