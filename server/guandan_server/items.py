"""What a room is told, and what it wants done."""

from __future__ import annotations

from typing import NewType

from attrs import field, frozen

from guandan_engine.cards import Card
from guandan_engine.commands import Command
from guandan_engine.events import Event
from guandan_engine.moves import Offer
from guandan_engine.options import Rules
from guandan_engine.seats import Seat
from guandan_engine.views import HandSummary, SeatView
from guandan_protocol.messages import (
    Action,
    AskHints,
    AskReview,
    Close,
    Goodbye,
    Join,
    Preview,
    Resume,
    Say,
    ServerMessage,
    Watch,
)
from guandan_server.roomstate import RoomState

__all__ = [
    "Act",
    "Ask",
    "Change",
    "Choice",
    "Conn",
    "Drop",
    "Enter",
    "Entering",
    "Gone",
    "Item",
    "LookBack",
    "Output",
    "Suggest",
    "Take",
    "Tell",
    "Think",
    "Thought",
    "Tick",
    "Unload",
]

Conn = NewType("Conn", int)
"""A connection, by a number that is never used twice in a process."""

Choice = Offer | Card | None
"""What a bot decides: a play, a card to give, or a pass."""


# What a room is told.


@frozen
class Enter:
    """A connection said hello to the room."""

    conn: Conn
    hello: Join | Resume | Watch
    peer: str = ""
    """The address behind it, for as long as somebody sent away is kept out; empty: none."""


@frozen
class Take:
    """The connection that made the room takes the seat that was made with it."""

    conn: Conn
    seat: Seat
    token: bytes = field(repr=False)


@frozen
class Gone:
    conn: Conn


@frozen
class Act:
    conn: Conn
    action: Action
    body: bytes = field(repr=False)
    """The frame, which tells the same action sent again from another one."""


@frozen
class Ask:
    conn: Conn
    query: Preview | AskHints | AskReview | Say


@frozen
class Thought:
    """What a bot, or a person's autopilot, came to; `failed` if it could not."""

    seat: Seat
    turn: int
    choice: Choice = field(default=None, repr=False)
    failed: bool = False


@frozen
class Tick:
    """A deadline has come."""


Item = Enter | Take | Gone | Act | Ask | Thought | Tick


# What a room wants done.


@frozen
class Tell:
    conn: Conn
    message: ServerMessage = field(repr=False)


@frozen
class Drop:
    """Close a connection, with its last message."""

    conn: Conn
    close: Close
    goodbye: Goodbye


@frozen
class Think:
    """Ask a policy what a seat does; the answer comes back as a `Thought`."""

    seat: Seat
    turn: int
    level: str
    view: SeatView = field(repr=False)
    rules: Rules


@frozen
class Suggest:
    """Ask for hints; the answer goes to the connection alone."""

    conn: Conn
    id: int
    view: SeatView = field(repr=False)
    rules: Rules


@frozen
class LookBack:
    """Ask what a bot would have played in a match that is over.

    The answer goes to the connection alone.
    """

    conn: Conn
    id: int
    match: int
    seat: Seat
    """Whose decisions."""
    hand: int
    hands: int
    """How many there were."""


@frozen
class Unload:
    """Nobody is here: the room may leave memory."""


Output = Tell | Drop | Think | Suggest | LookBack | Unload


@frozen
class Entering:
    """A connection takes a seat with the change; `token` is new, or empty when resuming."""

    conn: Conn
    seat: Seat
    token: bytes = field(repr=False)


@frozen
class Change:
    """A new state, to be stored before anybody hears of it."""

    state: RoomState = field(repr=False)
    what: str
    seat: Seat | None
    commands: tuple[Command, ...] = field(default=(), repr=False)
    events: tuple[Event, ...] = field(default=(), repr=False)
    act: Act | None = field(default=None, repr=False)
    """The client's action behind it, which is told that it is done."""
    entering: Entering | None = None
    leaving: tuple[Seat, ...] = ()
    """Seats whose person leaves, or is sent away."""
    finished: HandSummary | None = None
    """The hand that ended with it."""
    match_begun: bool = False
