"""Log entries: what was done at a table, as bytes, and the engine commands in them.

An entry names the seat and what it did; where the match moved, it holds the commands that moved
it. Commands are enough: the machine is deterministic, so a log folds to the same states, and a
finished match's log is its record.

    {"v": 1, "what": "play", "seat": 2, "commands": [["play", 2, <15 bytes>, ["pair", 7, 2]]]}
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, assert_never

import msgpack

from guandan_engine.cards import Card, Cards, Rank
from guandan_engine.combos import Combo, Reading, reading
from guandan_engine.commands import Command, Pass, Pay, Play, Return, StartHand, TimeOut
from guandan_engine.errors import SnapshotError
from guandan_engine.seats import Seat

__all__ = ["commands_in", "entry_bytes"]

ENTRY_VERSION: Final = 1
_CARDS_BYTES: Final = 15


def entry_bytes(
    *, what: str, seat: Seat | None, commands: Iterable[Command], **details: object
) -> bytes:
    """An entry of the log."""
    packed: bytes = msgpack.packb(
        {
            "v": ENTRY_VERSION,
            "what": what,
            "seat": seat,
            "commands": [_plain(command) for command in commands],
            **details,
        }
    )
    return packed


def commands_in(entry: bytes) -> tuple[Command, ...]:
    """The engine commands of an entry; SnapshotError if this version cannot read it."""
    try:
        plain = msgpack.unpackb(entry)
        if plain["v"] != ENTRY_VERSION:
            raise SnapshotError(f"log entry version {plain['v']} is not known")
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
