"""The page's `catalogue.js`: what the Python sources list, for a page that shows it in words.

python -m tools.web_catalogue             say whether the file is out of date, and fail if it is
python -m tools.web_catalogue --write     write it
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from enum import Enum
from pathlib import Path
from typing import Final

import msgpack

from guandan_bots.reasons import HintReason
from guandan_engine.combos import Combo
from guandan_engine.errors import Reason
from guandan_engine.options import OPTIONS, PRESETS, options_of
from guandan_engine.shuffle import NONCE_BYTES_MAX
from guandan_engine.views import PhaseName
from guandan_protocol import bounds
from guandan_protocol import messages as m
from guandan_protocol.message_fields import CLIENT_RECORDS, SERVER_RECORDS, SETTINGS
from guandan_protocol.view_fields import EVENTS
from guandan_server.inquiries import PHRASE_S, PHRASES_BURST
from guandan_server.rooms import CODE_LENGTH, CODE_LETTERS

__all__ = ["FILE", "render"]

ROOT: Final = Path(__file__).resolve().parent.parent
FILE: Final = ROOT / "clients/web/guandan_web/static/catalogue.js"

HEAD: Final = """\
// What the server's sources list. Written by `python -m tools.web_catalogue --write`; a test keeps
// it up to date, so do not edit it here.
"""

_VALUE: Final = "string | number | boolean | null"


def _values(kind: type[Enum]) -> list[object]:
    return [member.value for member in kind]


def _constants() -> Iterator[tuple[str, str, str, object]]:
    """Name, what it is, its type for the checker, and its value."""
    yield "VERSION", "Of the protocol.", "number", m.VERSION
    yield "SUBPROTOCOL", "Asked for in the handshake.", "string", m.SUBPROTOCOL

    values = f"Readonly<Record<string, readonly ({_VALUE})[]>>"
    yield "OPTIONS", "The values of each rule option, the default first.", values, OPTIONS
    presets = {name: options_of(rules) for name, rules in PRESETS.items()}
    kind = f"Readonly<Record<string, Readonly<Record<string, {_VALUE}>>>>"
    yield "PRESETS", "Every option's value in each preset.", kind, presets
    defaults = msgpack.unpackb(SETTINGS.pack(m.Settings()))
    kind = 'Readonly<import("./types.js").Settings>'
    yield "SETTINGS", "How a table is run unless somebody says otherwise.", kind, defaults

    numbers, texts = "readonly number[]", "readonly string[]"
    yield "PACES", "What bots may take over a move, in ms.", numbers, list(m.PACES_MS)
    yield "PHRASES", "What can be said.", texts, _values(m.Phrase)
    yield "STAGES", "What a room is doing.", texts, _values(m.Stage)
    yield "PHASES", "What a match waits for.", texts, _values(PhaseName)
    yield "SEAT_KINDS", "Who has a seat.", texts, _values(m.SeatKind)
    yield "CONTROLS", "Who decides for a seat.", texts, _values(m.Control)
    yield "VISIBILITIES", "Who finds a room.", texts, _values(m.Visibility)
    yield "PROPOSALS", "What needs everybody's consent.", texts, _values(m.Proposal)
    yield "COMBOS", "The types of play.", texts, _values(Combo)
    yield "EVENTS", "What happens at a table, by `t`.", texts, [one.tag for one in EVENTS]
    told, heard = [one.tag for one in SERVER_RECORDS], [one.tag for one in CLIENT_RECORDS]
    yield "SERVER_MESSAGES", "What the server says, by `t`.", texts, told
    yield "CLIENT_MESSAGES", "What a client can say, by `t`.", texts, heard
    yield "CODES", "Why the server says no, or goodbye.", texts, _values(m.Code)
    yield "REASONS", "Why a move is refused.", texts, _values(Reason)
    yield "HINT_REASONS", "Why something is suggested.", texts, _values(HintReason)
    closes = {close.name: close.value for close in m.Close}
    yield "CLOSES", "What a connection is closed with.", "Readonly<Record<string, number>>", closes

    yield "CODE_LETTERS", "What room codes are made of.", "string", CODE_LETTERS
    limits = {
        "NAME_CHARS": bounds.NAME_CHARS_MAX,
        "CODE_CHARS": CODE_LENGTH,
        "HAND_CARDS": bounds.HAND_CARDS_MAX,
        "NONCE_BYTES": NONCE_BYTES_MAX,
        "CREATE_ID_BYTES": m.CREATE_ID_BYTES,
        "FRAME_BYTES": bounds.FRAME_BYTES_MAX,
        "PHRASES_AT_ONCE": PHRASES_BURST,
        "PHRASE_EVERY_S": PHRASE_S,
    }
    yield "LIMITS", "The most of something that the server takes.", _record(limits), limits


def _record(values: Mapping[str, object]) -> str:
    return "Readonly<{ " + ", ".join(f"{name}: number" for name in values) + " }>"


def _literal(value: object) -> str:
    """The value as JavaScript, with a line for each entry where one line is not enough."""
    flat = json.dumps(value, ensure_ascii=False, default=dict)
    if len(flat) <= 88 or not isinstance(value, dict | list | Mapping):
        return flat
    if isinstance(value, list):
        return "[\n" + "".join(f"  {json.dumps(one, ensure_ascii=False)},\n" for one in value) + "]"
    rows = [
        f"  {json.dumps(name)}: {json.dumps(part, ensure_ascii=False)},\n"
        for name, part in value.items()
    ]
    return "{\n" + "".join(rows) + "}"


def render() -> str:
    parts = [
        f"/** {about} @type {{{kind}}} */\nexport const {name} = {_literal(value)};\n"
        for name, about, kind, value in _constants()
    ]
    return "\n".join([HEAD, *parts])


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="write the file")
    asked = parser.parse_args()
    fresh = render()
    if asked.write:
        FILE.write_text(fresh, encoding="utf-8")
    elif not FILE.exists() or FILE.read_text(encoding="utf-8") != fresh:
        print(f"{FILE.relative_to(ROOT)} is out of date: run it with --write", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
