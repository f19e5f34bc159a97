"""Log entries: what was done at a table, as bytes, and the room made again from them.

An entry names the seat and what it did; where the match moved, it holds the commands that moved
it, and where anything else of the room changed, the frame around the match. Commands are enough:
the machine is deterministic, so a log folds to the same states, and a finished match's log is its
record. The entry that begins a match holds the whole room, so that the log alone is enough too.

    {"v": 1, "what": "play", "seat": 2, "commands": [["play", 2, <15 bytes>, ["pair", 7, 2]]]}
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, assert_never

import msgpack
from attrs import evolve

from guandan_engine.cards import Card, Cards, Rank
from guandan_engine.combos import Combo, Reading, reading
from guandan_engine.commands import Command, Pass, Pay, Play, Return, StartHand, TimeOut
from guandan_engine.errors import IllegalCommand, SnapshotError
from guandan_engine.machine import step
from guandan_engine.seats import Seat
from guandan_server import roomstate
from guandan_server.items import Change
from guandan_server.roomstate import RoomState, frame_of, same_frame

__all__ = ["commands_in", "entry_bytes", "rebuild"]

ENTRY_VERSION: Final = 1
_CARDS_BYTES: Final = 15


def entry_bytes(change: Change, *, before: RoomState) -> bytes:
    """The entry of a change to a room that was `before`."""
    plain: dict[str, object] = {
        "v": ENTRY_VERSION,
        "what": change.what,
        "seat": change.seat,
        "commands": [_plain(command) for command in change.commands],
    }
    after = change.state
    if change.match_begun:
        plain["base"] = roomstate.dump(after)
    elif not same_frame(frame_of(before), frame_of(after)):
        plain["frame"] = roomstate.dump_frame(after)
    packed: bytes = msgpack.packb(plain)
    return packed


def commands_in(entry: bytes) -> tuple[Command, ...]:
    """The engine commands of an entry; SnapshotError if this version cannot read it."""
    return _commands(_unpacked(entry))


def rebuild(entries: Iterable[bytes], *, base: RoomState | None = None) -> RoomState:
    """The room after some entries in a row; SnapshotError if they do not tell.

    They must begin with the one that began a match, or else after the room `base`.
    """
    room = base
    try:
        for entry in entries:
            plain = _unpacked(entry)
            if "base" in plain:
                room = roomstate.load(plain["base"])
                continue
            if room is None:
                continue
            match = room.match
            for command in _commands(plain):
                match, _ = step(match, command)
            if "frame" in plain:
                room = roomstate.load_frame(plain["frame"], match)
            else:
                room = evolve(room, match=match)
    except (KeyError, TypeError, ValueError, IllegalCommand) as error:
        raise SnapshotError(f"the log does not fold: {error!r}") from error
    if room is None:
        raise SnapshotError("the log does not hold the beginning of a match")
    return room


def _unpacked(entry: bytes) -> dict[str, Any]:
    try:
        plain: dict[str, Any] = msgpack.unpackb(entry)
        version = plain["v"]
    except (KeyError, TypeError, ValueError) as error:
        raise SnapshotError(f"not a log entry: {error!r}") from error
    if version != ENTRY_VERSION:
        raise SnapshotError(f"log entry version {version} is not known")
    return plain


def _commands(plain: dict[str, Any]) -> tuple[Command, ...]:
    try:
        return tuple([_command(*parts) for parts in plain["commands"]])
    except (KeyError, TypeError, ValueError) as error:
        raise SnapshotError(f"not a log entry: {error!r}") from error


def _plain(command: Command) -> list[object]:
    match command:
        case StartHand(seed, nonces):
            return ["start", 0, seed, list(nonces)]
        case Play(seat, cards, declared):
            return ["play", seat, cards.bits.to_bytes(_CARDS_BYTES, "big"), _reading(declared)]
        case Pass(seat):
            return ["pass", seat]
        case Pay(seat, card):
            return ["pay", seat, int(card)]
        case Return(seat, card):
            return ["return", seat, int(card)]
        case TimeOut(seat, turn):
            return ["clock", seat, turn]
        case _:
            assert_never(command)


def _reading(one: Reading | None) -> list[object] | None:
    if one is None:
        return None
    return [one.combo.value, None if one.key is None else int(one.key), one.size]


def _command(what: str, seat: int, *rest: Any) -> Command:
    match what, rest:
        case "start", [seed, [a, b, c, d]]:
            return StartHand(seed, (a, b, c, d))
        case "play", [bits, declared]:
            cards = Cards.of(Cards(int.from_bytes(bits, "big")))
            return Play(Seat(seat), cards, None if declared is None else _declared(*declared))
        case "pass", []:
            return Pass(Seat(seat))
        case "pay", [card]:
            return Pay(Seat(seat), Card(card))
        case "return", [card]:
            return Return(Seat(seat), Card(card))
        case "clock", [turn]:
            return TimeOut(Seat(seat), turn)
        case _:
            raise ValueError(f"unknown command {what!r}")


def _declared(combo: str, key: int | None, size: int) -> Reading:
    return reading(Combo(combo), None if key is None else Rank(key), size)
