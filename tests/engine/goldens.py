"""Writes the golden files of the versions at hand: `python -m tests.engine.goldens`.

Run it when the form of a snapshot or a record changes, after raising its `VERSION`: a file that is
there stays as it is, for what has been written once must be read for ever. Run it, too, when what
audiences see has changed on purpose: the playthrough is written anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from guandan_engine.options import rules
from guandan_engine.phases import Following, HandOver, MatchOver, Paying, Returning
from guandan_engine.record import VERSION as RECORD_VERSION
from guandan_engine.record import Record, write
from guandan_engine.snapshot import VERSION, dump
from guandan_engine.state import Match
from tests.engine.playthrough import playthrough
from tests.engine.walks import walk

FOLDER = Path(__file__).parent / "golden"
PRESET, OPTIONS, SEED = "national-2017", {"tribute_pick": "payer"}, 8


def as_json(plain: Any) -> Any:
    """Plain data with bytes as `{"hex": …}`."""
    match plain:
        case dict():
            return {key: as_json(item) for key, item in plain.items()}
        case list():
            return list(map(as_json, plain))
        case bytes():
            return {"hex": plain.hex()}
        case _:
            return plain


def from_json(value: Any) -> Any:
    match value:
        case {"hex": str(text)}:
            return bytes.fromhex(text)
        case dict():
            return {key: from_json(item) for key, item in value.items()}
        case list():
            return list(map(from_json, value))
        case _:
            return value


def interesting(match: Match) -> bool:
    """Worth keeping: choices held back, a seat out, passes and plays on the table."""
    phase = match.phase
    match phase:
        case Paying() | Returning():
            return bool(phase.chosen)
        case Following():
            return len(phase.out) == 1 and len(set(map(type, phase.shown))) == 3
        case HandOver():
            return match.deal.number > 2
        case _:
            return True


def moments_to_keep() -> Iterator[Match]:
    """A moment of each phase in one match."""
    kept: dict[type, Match] = {}
    for one in walk(rules(PRESET, OPTIONS), SEED):
        for match in (one.before, one.after):
            if interesting(match) and (
                isinstance(match.phase, MatchOver) or match.deal.number != 1
            ):
                kept.setdefault(type(match.phase), match)
    yield from kept.values()


def a_record() -> str:
    """Two hands, with a double tribute, a time-out and nonces, as `record` writes them."""
    steps = walk(rules(PRESET, OPTIONS), SEED, hands_max=2)
    record = Record(
        rules=rules(PRESET, OPTIONS),
        commands=tuple(one.command for one in steps),
        names=("Ann", "", "李雷 # 3", "Bo"),
        preset=PRESET,
    )
    head = (
        "# source: tests.engine.goldens, a match played at random by tests.engine.walks",
        f"# rules: {PRESET}, {OPTIONS}",
        f"# seed: {SEED}",
    )
    return "\n".join([*head, write(record)])


PLAYTHROUGH = FOLDER / "playthrough.txt"
PLAYTHROUGH_SEED, PLAYTHROUGH_STEPS = 15, 24


def a_playthrough() -> str:
    """The second hand of a match from its deal on: tribute by choice, returns, some tricks."""
    steps = list(walk(rules(PRESET, OPTIONS), PLAYTHROUGH_SEED, hands_max=2))
    start = next(i for i, one in enumerate(steps) if one.after.deal.number == 2)
    head = (
        "# source: tests.engine.playthrough, of a match played at random by tests.engine.walks",
        f"# rules: {PRESET}, {OPTIONS}",
        f"# seed: {PLAYTHROUGH_SEED}",
    )
    return "\n".join([*head, *playthrough(steps[start : start + PLAYTHROUGH_STEPS]), ""])


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    # Not of a version: what audiences see may change, and then this file shows how.
    PLAYTHROUGH.write_text(a_playthrough(), "utf-8")
    record_path = FOLDER / f"record-v{RECORD_VERSION}.txt"
    if not record_path.exists():
        record_path.write_text(a_record(), "utf-8")
    for match in moments_to_keep():
        plain = dump(match)
        path = FOLDER / f"snapshot-v{VERSION}-{plain['phase']['name']}.json"
        if path.exists():
            continue
        golden = {
            "source": "tests.engine.goldens: a match played at random by tests.engine.walks",
            "rules": f"{PRESET}, {OPTIONS}",
            "seed": SEED,
            "phase": type(match.phase).__name__,
            "snapshot": as_json(plain),
        }
        path.write_text(json.dumps(golden, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
