"""The parts of `docs/protocol.md` that come from the code, and the golden frames.

    python -m tools.protocol_table             say which parts are out of date, and fail if any is
    python -m tools.protocol_table --write     write them
    python -m tools.protocol_table --golden    write tests/protocol/golden/* anew

A part stands between `<!-- generated: NAME -->` and `<!-- end: NAME -->`. Types come from the
tables that the codec goes by, meanings from the docstrings in the source. Golden frames are written
only when asked: a frame that changes is a change of the protocol.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import inspect
import json
import re
import sys
import textwrap
from collections.abc import Iterable, Mapping
from enum import Enum, StrEnum
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import attrs
import msgpack

from guandan_engine.combos import Combo
from guandan_engine.errors import Reason
from guandan_engine.views import PhaseName
from guandan_protocol import bounds
from guandan_protocol import messages as m
from guandan_protocol.codec import encode
from guandan_protocol.fields import Record
from guandan_protocol.message_fields import (
    CLIENT_RECORDS,
    HINT,
    READING_INFO,
    REVIEWED,
    ROOM_LINE,
    ROOM_VIEW,
    SEAT_INFO,
    SERVER_RECORDS,
    SETTINGS,
)
from guandan_protocol.view_fields import (
    EVENTS,
    GIFT,
    HAND_SUMMARY,
    LAID,
    OUTCOME,
    PRIVATE,
    PUBLIC,
    STANDING,
)
from guandan_server import limits
from tests.protocol import samples

__all__ = ["DOC", "GOLDEN", "golden_files", "render"]

ROOT: Final = Path(__file__).resolve().parent.parent
DOC: Final = ROOT / "docs" / "protocol.md"
GOLDEN: Final = ROOT / "tests" / "protocol" / "golden"

# Where the catalogue of hint reasons may be; the protocol itself knows no bots.
HINT_MODULES: Final = ("guandan_bots.hints", "guandan_bots.reasons")

# Fields that many messages have and that mean the same in all of them.
COMMON: Final = {
    "n": "The action's counter, see [Acting](#acting).",
    "turn": "As in `play`.",
    "id": "The question's number, see [Asking](#asking).",
    "version": "Of the protocol: 1.",
    "room": "Its code.",
    "name": "How the others see you; not an identity.",
    "seq": "The last entry of the room's log that this view contains.",
    "epoch": "Rises when history was rewound: forget everything older.",
    "view": "The room around the match.",
    "public": "The match, as everybody may see it.",
    "private": "What your seat knows besides; nil for a watcher.",
    "options": "What differs from the preset.",
    "preset": "Which rules, see [rules](rules.md).",
    "owner": "The team whose level that is; nil in the first hand of a match.",
    "levels": "Each team's level.",
    "number": "1 for the first hand of a match.",
    "finish": "The seats from first place to last.",
    "gain": "Levels that the places are worth, before the cap at A.",
    "resisted": "The donors whose big jokers cancelled the tribute.",
    "gifts": "The tribute that was paid; that to first place comes first.",
    "returns": "What was given back for it.",
    "match_won": "Did it win the match?",
    "drawn": "The cards turned up, and who holds each; the holder of the last one opens.",
}

# What the name of a field or a member says to us, and not to somebody who has never been here.
MEANINGS: Final = {
    "AddBot.level": "One of the server's; `basic` is always there.",
    "Refused.code": "See [Codes](#codes).",
    "Goodbye.code": "See [Codes](#codes).",
    "Hint.reason": "See [Reasons of hints](#reasons-of-hints).",
    "RoomLine.people": "Seats that people have.",
    "RoomLine.bots": "Seats that bots have.",
    "Public.phase": "What the match is waiting for.",
    "Public.misses": "Each team's failed attempts at A.",
    "Public.out": "Who has played all their cards, in that order; after the hand, all places.",
    "Private.hand": "Your cards.",
    "Gift.donor": "Who gives.",
    "Gift.recipient": "Who gets.",
    "Outcome.winner": "The team of first place.",
    "Outcome.after": "Where the match stands after the hand.",
    "HandSummary.level": "The level it was played at.",
    "Dealt": "A hand was dealt.",
    "Dealt.commitment": "SHA-256 of the seed that it was dealt from.",
    "Dealt.own": "Your cards; nil for a watcher.",
    "TributeResisted.holders": "Who holds them.",
    "Chosen.card": "Which card; nil unless the seat is yours.",
    "Played": "A seat played cards.",
    "Passed": "A seat passed.",
    "WentOut.place": "Its place: 1, 2 or 3.",
    "HandEnded.outcome": "What it came to.",
    "HandEnded.seed": "What it was dealt from, see [Checking a deal](#checking-a-deal).",
    "HandEnded.nonces": "What each seat had added; mostly empty.",
    "PhaseName": "What a match is waiting for.",
    "PhaseName.WAITING": "The first hand has not been dealt.",
    "PhaseName.PAYING": "The seats asked give tribute.",
    "PhaseName.RETURNING": "The seats asked give a card back.",
    "PhaseName.LEADING": "The table is empty, and the seat asked has to play.",
    "PhaseName.FOLLOWING": "The seat asked beats the table or passes.",
    "PhaseName.HAND_OVER": "The hand is over and the match goes on.",
    "PhaseName.MATCH_OVER": "The match has been won.",
    "SeatKind.EMPTY": "Nobody.",
    "SeatKind.PERSON": "A person, who may be away.",
    "SeatKind.BOT": "A bot.",
    "Combo": "The types of play.",
    "Combo.SINGLE": "One card.",
    "Combo.PAIR": "Two of a rank; two equal jokers.",
    "Combo.TRIPLE": "Three of a rank.",
    "Combo.FULL_HOUSE": "A triple and a pair.",
    "Combo.STRAIGHT": "Five ranks in a row, not of one suit; A is high or low.",
    "Combo.TUBE": "Three pairs in a row.",
    "Combo.PLATE": "Two triples in a row.",
    "Combo.BOMB": "Four to ten of a rank.",
    "Combo.STRAIGHT_FLUSH": "Five ranks in a row, of one suit: a bomb between five and six alike.",
    "Combo.JOKER_BOMB": "All four jokers, which nothing beats.",
}


# What the source says


@lru_cache
def _tree(module: str) -> ast.Module:
    found = sys.modules[module]
    return ast.parse(Path(inspect.getfile(found)).read_text(encoding="utf-8"))


def _notes(body: Iterable[ast.stmt]) -> dict[str, str]:
    """What stands as text under each assignment."""
    notes: dict[str, str] = {}
    last = ""
    for node in body:
        match node:
            case ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]):
                last = name
            case ast.Expr(value=ast.Constant(value=str(text))) if last:
                notes[last] = _line(text)
                last = ""
            case _:
                last = ""
    return notes


# How the source names messages, and Python nothing, is not how the wire does.
_ON_THE_WIRE: Final = [
    *[
        (rf"`{one.cls.__name__}(\.\w+)?`", rf"`{one.tag}\1`")
        for one in (*CLIENT_RECORDS, *SERVER_RECORDS)
    ],
    (r"`(?:Public|Match)\.", "`public."),
    (r"`RoomView\.", "`view."),
    (r"`docs/rules.md`", "[rules](rules.md)"),
    (r" \(rules [^)]*\)", ""),
    (r"\bNone\b(?! of)", "nil"),
    (r"\bTrue\b", "true"),
    (r"\bFalse\b", "false"),
    (r"2\*\*32", "2^32"),
]


def _line(text: str) -> str:
    """A docstring in one line, in the words of the wire."""
    told = " ".join(inspect.cleandoc(text).split())
    for ours, theirs in _ON_THE_WIRE:
        told = re.sub(ours, theirs, told)
    return told


def _written(cls: type[Any]) -> tuple[str, Mapping[str, str]]:
    """A class's docstring in one line, and what is said under its fields or members."""
    for node in ast.walk(_tree(cls.__module__)):
        if isinstance(node, ast.ClassDef) and node.name == cls.__name__:
            about = MEANINGS.get(cls.__name__) or _line(ast.get_docstring(node) or "")
            return about, _notes(node.body)
    raise LookupError(cls)


def _meaning(cls: type[Any], name: str) -> str:
    known = MEANINGS.get(f"{cls.__name__}.{name}") or _written(cls)[1].get(name)
    return known or COMMON.get(name, "")


# Plain data for people


def readable(value: Any) -> str:
    """Plain data as JSON, with bytes as h'00ff'."""
    match value:
        case dict():
            pairs = [f"{json.dumps(name)}: {readable(part)}" for name, part in value.items()]
            return "{" + ", ".join(pairs) + "}"
        case list():
            return "[" + ", ".join(map(readable, value)) + "]"
        case bytes():
            return f"h'{value.hex()}'"
        case None:
            return "nil"
        case _:
            return json.dumps(value, ensure_ascii=False)


def _shown(frame: bytes, *, view: bool = True) -> str:
    """A message as readable data, a line for each of its fields if one line is not enough."""
    fields = msgpack.unpackb(frame)
    short = readable(fields)
    if len(short) <= 96:
        return short
    rows = []
    for name, part in fields.items():
        row = f"{json.dumps(name)}: {readable(part)}"
        if name == "view" and not view:
            row = f'"view": … as before, with "clock_ms": {part["clock_ms"]}'
        rows += textwrap.wrap(
            row, 96, initial_indent=" ", subsequent_indent="     ", break_on_hyphens=False
        )
        rows[-1] += ","
    return "\n".join(["{", *rows, "}"])


def _hex(data: bytes, width: int = 32) -> list[str]:
    return [data[at : at + width].hex(" ") for at in range(0, len(data), width)]


# Tables


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(cell.replace("|", r"\|") for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def _default(record: Record[Any], attribute: attrs.Attribute[Any]) -> str:
    default: Any = attribute.default
    # The server leaves nothing out, so only what clients send is worth a word.
    if default is attrs.NOTHING or record not in (*CLIENT_RECORDS, SETTINGS):
        return ""
    value = default.factory() if isinstance(default, attrs.Factory) else default  # type: ignore[arg-type]  # a class, which the stub hides
    plain = msgpack.unpackb(record.fields[attribute.name].pack(value))
    return f"`{readable(plain)}`"


def _fields(record: Record[Any]) -> str:
    rows = []
    for attribute in attrs.fields(record.cls):
        name, meaning = attribute.name, _meaning(record.cls, attribute.name)
        rows.append((f"`{name}`", record.fields[name].wire, _default(record, attribute), meaning))
    if any(row[2] for row in rows):
        return _table(("field", "type", "if absent", "meaning"), rows)
    return _table(("field", "type", "meaning"), [(row[0], row[1], row[3]) for row in rows])


def _records(records: Iterable[Record[Any]]) -> str:
    parts = []
    for record in records:
        title = f"`{record.tag}`" if record.tag else f"`{record.cls.__name__}`"
        parts.append(f"#### {title}\n\n{_written(record.cls)[0]}\n\n{_fields(record)}")
    return "\n\n".join(parts)


def _members(cls: type[Enum]) -> Iterable[tuple[str, str]]:
    return [(f"`{member.value}`", _meaning(cls, member.name)) for member in cls]


def _enums(*enums: type[StrEnum]) -> str:
    parts = []
    for cls in enums:
        table = _table((f"`{cls.__name__}`", "meaning"), _members(cls))
        parts.append(f"{_written(cls)[0]}\n\n{table}")
    return "\n\n".join(parts)


def _constants(module: ModuleType) -> Iterable[tuple[str, int, str]]:
    """Each whole number that a module names, with the comment above or the text below it."""
    source = Path(inspect.getfile(module)).read_text(encoding="utf-8")
    notes = _notes(ast.parse(source).body)
    pattern = re.compile(r"((?:^#.*\n)*)^([A-Z][A-Z_]+): Final = ", re.MULTILINE)
    for comment, name in pattern.findall(source):
        value = getattr(module, name)
        if isinstance(value, int):
            why = " ".join(line.lstrip("# ") for line in comment.splitlines())
            yield name, value, _line(why) or notes.get(name, "")


def _limits(module: ModuleType) -> str:
    rows = [(f"`{name}`", f"{value:,}", why) for name, value, why in _constants(module)]
    return _table(("limit", "value", "why"), rows)


def _hint_reasons() -> str:
    for name in HINT_MODULES:
        try:
            catalogue = importlib.import_module(name).HintReason
        except (ImportError, AttributeError):
            continue
        return _table(("reason", "what to say"), _members(catalogue))
    return "*(no catalogue yet)*"


# The session


def _session() -> str:
    parts: list[str] = []
    for who, said, message in samples.SESSION:
        frame = encode(message)
        seen = any('"view"' in part for part in parts)
        lines = _hex(frame)
        if len(lines) > 6:
            lines = [*lines[:2], f"… {len(frame)} bytes in all"]
        hexed = "\n".join(lines)
        parts.append(f"{said}\n\n```\n{who}  {_shown(frame, view=not seen)}\n\n{hexed}\n```")
    return "\n\n".join(parts)


def _of(kind: Any) -> list[Record[Any]]:
    return [one for one in (*CLIENT_RECORDS, *SERVER_RECORDS) if one.cls in kind.__args__]


def blocks() -> dict[str, str]:
    """Every generated part by its name."""
    return {
        "hellos": _records(_of(m.Hello)),
        "actions": _records(_of(m.Action)),
        "queries": _records(_of(m.Query)),
        "server messages": _records(SERVER_RECORDS),
        "parts of messages": _records((READING_INFO, HINT, REVIEWED, ROOM_LINE)),
        "room view": _records((ROOM_VIEW, SEAT_INFO, SETTINGS)),
        "match views": _records((PUBLIC, PRIVATE, LAID, GIFT, OUTCOME, STANDING, HAND_SUMMARY)),
        "events": _records(EVENTS),
        "enums": _enums(m.Stage, PhaseName, m.SeatKind, m.Control, m.Visibility, m.Proposal, Combo),
        "phrases": _enums(m.Phrase),
        "codes": _table(("code", "meaning"), _members(m.Code)),
        "reasons": _table(("code", "meaning"), _members(Reason)),
        "closes": _table(("close", "meaning"), _members(m.Close)),
        "hint reasons": _hint_reasons(),
        "limits": _limits(bounds),
        "server limits": _limits(limits),
        "session": _session(),
    }


def render(document: str) -> str:
    """The document with every generated part as the code has it now; LookupError for a lost one."""
    for name, text in blocks().items():
        begin, end = f"<!-- generated: {name} -->", f"<!-- end: {name} -->"
        before, found, rest = document.partition(begin)
        _, found_end, after = rest.partition(end)
        if not (found and found_end):
            raise LookupError(f"{DOC.name} has no part {name!r}")
        document = f"{before}{begin}\n\n{text}\n\n{end}{after}"
    return document


# Golden frames


def _as_json(value: Any) -> Any:
    """Plain data for readers in any language: bytes, which JSON has not, are {"hex": "00ff"}."""
    match value:
        case dict():
            return {name: _as_json(part) for name, part in value.items()}
        case list():
            return [_as_json(part) for part in value]
        case bytes():
            return {"hex": value.hex()}
        case _:
            return value


def golden_files() -> dict[str, str]:
    """File name and text of one frame for every message, and of the index of them all."""
    files = {}
    index = []
    clients = {one.tag for one in CLIENT_RECORDS}
    messages = [*samples.CLIENT, *samples.SERVER]
    names = [(one.tag or "") for one in (*CLIENT_RECORDS, *SERVER_RECORDS)]
    for name, message in [*zip(names, messages, strict=True), ("events", samples.EVERY_EVENT)]:
        frame = encode(message)
        about = _written(type(message))[0]
        if name == "events":
            about = "An update that holds one event of every kind."
        head = [
            f"{name}: {about}",
            "From tests/protocol/samples.py; written by `python -m tools.protocol_table --golden`.",
            "",
            *_shown(frame).splitlines(),
        ]
        lines = [f"# {line}".rstrip() for line in head]
        files[f"{name}.hex"] = "\n".join([*lines, "", *_hex(frame), ""])
        index.append(
            {
                "name": name,
                "from": "client" if name in clients else "server",
                "frame": frame.hex(),
                "message": _as_json(msgpack.unpackb(frame)),
            }
        )
    files["index.json"] = json.dumps(index, ensure_ascii=False, indent=1) + "\n"
    return files


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="write the parts into the document")
    parser.add_argument("--golden", action="store_true", help="write the golden frames anew")
    asked = parser.parse_args()
    if asked.golden:
        for old in GOLDEN.iterdir():
            old.unlink()
        for name, text in golden_files().items():
            (GOLDEN / name).write_text(text, encoding="utf-8")
    document = DOC.read_text(encoding="utf-8")
    fresh = render(document)
    if asked.write:
        DOC.write_text(fresh, encoding="utf-8")
    elif fresh != document:
        print(f"{DOC.relative_to(ROOT)} is out of date: run it with --write", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
