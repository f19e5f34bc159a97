"""A match as each audience sees it, step by step, in text: so that a leak is a line of a diff.

After each command stand what the watchers are told, what a seat is told otherwise, and every field
of the public and the private views that has changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Any

import attrs

from guandan_engine.cards import Cards, Rank
from guandan_engine.combos import Reading
from guandan_engine.notation import cards_text, rank_text, reading_text
from guandan_engine.seats import SEATS, Seat
from guandan_engine.views import Private, Public, private_view, public_view, redact
from tests.engine.walks import Step


def text(value: object) -> str:
    """A value with all its fields, secret ones too."""
    kind: Any = type(value)
    match value:
        case Cards():
            return f"[{cards_text(value)}]"
        case Reading():
            return reading_text(value)
        case Rank():
            return rank_text(value)
        case Enum():
            return str(value.value)
        case bytes():
            return value.hex() or "-"
        case tuple():
            return f"({', '.join(map(text, value))})"
        case dict():
            return "{" + ", ".join(f"{text(k)}: {text(v)}" for k, v in value.items()) + "}"
        case _ if attrs.has(kind):
            return f"{kind.__name__}({', '.join(f'{n}={t}' for n, t in fields(value).items())})"
        case _:
            return str(value)


def fields(value: Any) -> dict[str, str]:
    # A card is an int to Python; the fields that hold one are named for it.
    shown = {}
    for field in attrs.fields(type(value)):
        one = getattr(value, field.name)
        if field.name in ("card", "chosen") and one is not None:
            one = Cards.of([one])
        if field.name in ("pay", "give_back"):
            one = Cards.of(one)
        if field.name == "drawn":
            one = tuple((Cards.of([card]), seat) for card, seat in one)
        shown[field.name] = text(one)
    return shown


def playthrough(steps: Iterable[Step]) -> Iterator[str]:
    seen: dict[Seat | None, dict[str, str]] = {audience: {} for audience in (None, *SEATS)}
    for one in steps:
        yield ""
        yield f"> {text(one.command)}"
        for event in one.events:
            told = text(redact(event, None))
            yield f"told: {told}"
            for seat in SEATS:
                otherwise = text(redact(event, seat))
                if otherwise != told:
                    yield f"told {seat}: {otherwise}"
        views: dict[Seat | None, Public | Private] = {None: public_view(one.after)}
        views |= {seat: private_view(one.after, seat) for seat in SEATS}
        for audience, view in views.items():
            now = fields(view)
            who = "all" if audience is None else f"seat {audience}"
            for name, value in now.items():
                if seen[audience].get(name) != value:
                    yield f"{who}: {name} = {value}"
            seen[audience] = now
