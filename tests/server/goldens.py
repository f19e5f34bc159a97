"""Writes the golden rooms of the version at hand: `python -m tests.server.goldens`.

Run it when the form of a stored room or of a log entry changes, after raising `SNAPSHOT_VERSION` or
`ENTRY_VERSION`: a file that is there stays as it is, for what was stored once must be opened for
ever.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgpack
from attrs import field, frozen

from guandan_engine.phases import Following, HandOver, Paying, Returning
from guandan_protocol import messages as m
from guandan_protocol.messages import Settings, Stage
from guandan_server import roomstate
from guandan_server.journal import ENTRY_VERSION
from guandan_server.roomstate import SNAPSHOT_VERSION
from tests.engine.goldens import as_json, from_json
from tests.server.driver import Driver, Sitter

FOLDER = Path(__file__).parent / "golden"
PRESET, OPTIONS, SEED = "national-2017", {"tribute_pick": "payer", "a_win_on": "any"}, 11
SETTINGS = Settings(clock_s=20, pace_ms=500, grace_s=60)
VERSION = f"v{SNAPSHOT_VERSION}.{ENTRY_VERSION}"
"""Of rooms, and of log entries."""


@frozen
class Stored:
    """A room as the store has it."""

    name: str
    seq: int
    snapshot: bytes
    log: tuple[bytes, ...]
    """Since the match began, or ever; of a whole match it would be long, and is left out."""
    tokens: tuple[bytes, ...] = field(repr=False)
    """Of those who sit there, by seat."""


def of(table: Driver, people: list[Sitter], name: str) -> Stored:
    is_over = table.state.stage is Stage.MATCH_OVER
    return Stored(
        name=name,
        seq=table.room.seq,
        snapshot=roomstate.dump(table.state),
        log=() if is_over else tuple(table.entries),
        tokens=tuple([one.token for one in people]),
    )


def furnished() -> tuple[Driver, list[Sitter]]:
    """Ann and Bob, who likes it quick, with two bots to come."""
    table = Driver.create(preset=PRESET, options=OPTIONS, settings=SETTINGS, seed=SEED)
    people = [table.host, table.join("李雷 # 2")]
    table.act(people[1], m.Autopilot(1, on=False, pace_ms=300))
    return table, people


def rooms_to_keep() -> Iterator[Stored]:
    """One of each kind of moment, in the order in which a room comes to them."""
    table, people = furnished()
    yield of(table, people, "lobby")
    table.act(table.host, m.Start(2))

    def reach(condition: Callable[[], bool]) -> None:
        table.play_on(until=condition)

    def phase() -> object:
        return table.state.match.phase

    for sitter in people:
        table.act(sitter, m.Autopilot(3, on=True, pace_ms=300))
    reach(lambda: isinstance(phase(), Following) and table.state.match.turn > 10)
    yield of(table, people, "following")
    reach(lambda: isinstance(phase(), HandOver))
    yield of(table, people, "hand_over")
    reach(lambda: isinstance(phase(), Paying))
    yield of(table, people, "paying")
    reach(lambda: isinstance(phase(), Returning))
    yield of(table, people, "returning")
    table.act(table.host, m.Propose(4, m.Proposal.NEW_GAME))
    yield of(table, people, "proposed")
    for sitter in people:
        table.leave_off(sitter)
    reach(lambda: table.state.stage is Stage.PAUSED)
    yield of(table, people, "paused")
    people = [table.resume(sitter) for sitter in people]
    for sitter in people:
        table.act(sitter, m.Autopilot(5, on=True, pace_ms=300))
    reach(lambda: table.state.stage is Stage.MATCH_OVER)
    yield of(table, people, "match_over")


def read(path: Path) -> Stored:
    golden: dict[str, Any] = from_json(json.loads(path.read_text("utf-8")))
    return Stored(
        name=golden["name"],
        seq=golden["seq"],
        snapshot=msgpack.packb(golden["snapshot"]),
        log=tuple([msgpack.packb(entry) for entry in golden["log"]]),
        tokens=tuple(golden["tokens"]),
    )


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for stored in rooms_to_keep():
        path = FOLDER / f"room-{VERSION}-{stored.name}.json"
        if path.exists():
            continue
        golden = {
            "source": "tests.server.goldens: a room played at random by tests.server.driver",
            "rules": f"{PRESET}, {OPTIONS}",
            "seed": SEED,
            "name": stored.name,
            "seq": stored.seq,
            "tokens": as_json(list(stored.tokens)),
            "snapshot": as_json(msgpack.unpackb(stored.snapshot)),
            "log": [as_json(msgpack.unpackb(entry)) for entry in stored.log],
        }
        path.write_text(json.dumps(golden, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
