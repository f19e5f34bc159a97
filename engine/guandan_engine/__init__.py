"""The rules of Guandan: plain values and functions, with no clock, chance, I/O or log.

>>> match = new_match(rules("site"))  # what a table plays
>>> match, events = step(match, StartHand(seed=bytes(32)))  # chance is data
>>> plays = legal_plays(match.hands[0], match.standing.active, match.rules)
>>> offer = plays.offer(next(iter(plays)))  # the cheapest lead
>>> match, events = step(match, Play(Seat(1), offer.cards))
>>> notation.reading_text(events[0].reading), seat_view(match, Seat(2)).public.asked
('single-3', (2,))
>>> told = [redact(event, None) for event in events]  # what a watcher learns
>>> assert snapshot.load(snapshot.dump(match)) == match

A refused command raises `IllegalCommand` and changes nothing. `docs/rules.md` is what is played.
"""

from guandan_engine import notation, record, shuffle, snapshot
from guandan_engine.cards import Card, Cards, Rank, Suit
from guandan_engine.combos import Combo, Reading, beats, reading
from guandan_engine.commands import Command, Pass, Pay, Play, Return, StartHand, TimeOut
from guandan_engine.errors import (
    EngineError,
    IllegalCommand,
    InvariantBroken,
    NotationError,
    OptionRefused,
    Reason,
    SnapshotError,
)
from guandan_engine.events import Event
from guandan_engine.machine import step
from guandan_engine.moves import LegalPlays, Offer, legal_plays
from guandan_engine.options import OPTIONS, PRESETS, Rules, rules
from guandan_engine.readings import judge
from guandan_engine.seats import SEATS, Seat, Team
from guandan_engine.state import Match, new_match
from guandan_engine.views import (
    Private,
    Public,
    SeatEvent,
    SeatView,
    public_view,
    redact,
    seat_view,
)

__all__ = [
    # what lies on a table
    "Card",
    "Cards",
    "Rank",
    "Suit",
    "Combo",
    "Reading",
    "reading",
    "beats",
    "SEATS",
    "Seat",
    "Team",
    # what a table plays
    "OPTIONS",
    "PRESETS",
    "Rules",
    "rules",
    # the match
    "Match",
    "new_match",
    "step",
    "Command",
    "StartHand",
    "Play",
    "Pass",
    "Pay",
    "Return",
    "TimeOut",
    "Event",
    # what may be played
    "LegalPlays",
    "Offer",
    "legal_plays",
    "judge",
    # what may be seen
    "Private",
    "Public",
    "SeatEvent",
    "SeatView",
    "public_view",
    "redact",
    "seat_view",
    # what went wrong
    "EngineError",
    "IllegalCommand",
    "InvariantBroken",
    "NotationError",
    "OptionRefused",
    "Reason",
    "SnapshotError",
    # text, storage and chance: modules whose functions want their name
    "notation",
    "record",
    "shuffle",
    "snapshot",
]
