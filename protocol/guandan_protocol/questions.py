"""What a client asks and what it is answered, and what people say to each other on the way.

Questions change nothing and are stored nowhere: one whose answer is lost is simply asked again.
"""

from __future__ import annotations

from attrs import frozen

from guandan_engine.cards import Card, Cards
from guandan_engine.combos import Reading
from guandan_engine.seats import Seat
from guandan_protocol.phrases import Phrase
from guandan_protocol.roomview import Stage

__all__ = [
    "AskHints",
    "AskReview",
    "FetchRecord",
    "Hint",
    "Hints",
    "ListRooms",
    "Ping",
    "Pong",
    "Preview",
    "Previewed",
    "ReadingInfo",
    "RecordPage",
    "Review",
    "Reviewed",
    "RoomLine",
    "Rooms",
    "Said",
    "Say",
]

# From clients


@frozen
class Preview:
    """What would these cards of mine be?"""

    id: int
    cards: Cards


@frozen
class AskHints:
    """What could I play, or pay, or return? Only the seat that is asked may."""

    id: int


@frozen
class AskReview:
    """What would the strongest bot have played in my place, in a hand of the match that is over?

    Only whoever played in it may ask, and a table has one answer at a time worked out.
    """

    id: int
    hand: int
    """1 for the first hand of the match."""


@frozen
class Say:
    """Say a phrase to everybody at the table. Only seats may, and not too many at a time."""

    id: int
    phrase: Phrase


@frozen
class ListRooms:
    """Public rooms of this server."""

    id: int


@frozen
class FetchRecord:
    """A page of a finished match's record."""

    id: int
    room: str
    match: int
    """`RoomView.match` as it was while the match was on."""
    page: int = 0
    """From 0."""


@frozen
class Ping:
    """Is the connection alive, and how fast? Answered at once, whatever the room has to do."""

    id: int


# From the server


@frozen
class ReadingInfo:
    """One reading of a selection."""

    reading: Reading
    beats: bool
    """Would it beat the table now? On an empty table, true."""
    shown_as: tuple[Card, ...]
    """What each wild stands for."""


@frozen
class Previewed:
    """The answer to `Preview`."""

    id: int
    readings: tuple[ReadingInfo, ...]
    """Strongest first."""
    code: str
    """Why the selection cannot be played now; empty if it can."""


@frozen
class Hint:
    """A suggestion: play `cards` as `reading`, give `cards`, or pass (no cards)."""

    cards: Cards
    reading: Reading | None
    reason: str
    """A code of the catalogue in `docs/protocol.md`."""


@frozen
class Hints:
    """The answer to `AskHints`."""

    id: int
    turn: int
    """`Public.turn` that they are for."""
    hints: tuple[Hint, ...]
    """Cheapest first."""
    best: int
    """Index of the recommended one; -1 if there are none."""
    helpful: tuple[Card, ...] = ()
    """The faces of your hand that are part of anything you could play now, or pay, or return: the
    others need not be looked at. Empty if you can only pass."""


@frozen
class Reviewed:
    """A decision of yours to lead or to follow, and what the strongest bot would have played.

    It is judged by what you could see then. Levels are those of a hand, and coming first counts as
    one more.
    """

    command: int
    """How many commands of the match came before it."""
    left: int
    """Cards you held."""
    top: Reading | None
    """The play to beat; None: you led."""
    played: Hint
    """What you did; its `reason` speaks against it, and is empty where none does."""
    best: Hint
    """What the bot plays; its `reason` speaks for it, and is empty where none does."""
    lost_milli: int
    """Thousandths of a level that `best` does better by; 0 if it does not."""
    won_milli: int
    """Thousandths of a level that what you did does better by; 0 if it does not."""
    error_milli: int
    """Standard error of that, in thousandths of a level."""
    sure: bool
    """Is the difference beyond doubt? More than two standard errors, and of no large hand."""
    worlds: int
    """Deals of the cards you could not see that the two were compared in."""


@frozen
class Review:
    """The answer to `AskReview`."""

    id: int
    match: int
    """`RoomView.match` as it was while the match was on."""
    seat: Seat
    """That you played."""
    hand: int
    hands: int
    """How many there were."""
    decisions: tuple[Reviewed, ...]
    """In their order; those in which you had no choice, and those of a clock, are left out."""
    left_out: int
    """Decisions that there was no time for."""


@frozen
class Said:
    """Somebody at the table has said something; to whoever said it, the answer to `Say`."""

    seat: Seat
    phrase: str
    """A `Phrase`, or one that is newer than you."""
    id: int = 0
    """Of your own `Say`; 0 if somebody else said it."""


@frozen
class RoomLine:
    """A public room in the list."""

    room: str
    stage: Stage
    preset: str
    people: int
    bots: int
    watchers: int
    names: tuple[str, ...]
    """Of the people seated."""


@frozen
class Rooms:
    """The answer to `ListRooms`."""

    id: int
    rooms: tuple[RoomLine, ...]


@frozen
class RecordPage:
    """The answer to `FetchRecord`."""

    id: int
    match: int
    page: int
    pages: int
    """How many there are."""
    text: str
    """A part of the record's text; the parts in order make the file."""


@frozen
class Pong:
    """The answer to `Ping`."""

    id: int
