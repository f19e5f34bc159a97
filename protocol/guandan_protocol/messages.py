"""Every message of `guandan.v1`, as the two ends see it once its bytes have been checked.

    client ─► server   hellos (one, first), actions (numbered, change something), queries (answered)
    server ─► client   Welcome, Update, Done, Refused, answers, Moved, Goodbye

A message carries no seat of its sender: the seat is the session's. Cards are faces of the engine;
on the wire they are text ("S5", "HT", "X"). See `docs/protocol.md` for the bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from attrs import field, frozen

from guandan_engine.cards import Card, Cards
from guandan_engine.combos import Reading
from guandan_engine.seats import Seat
from guandan_engine.views import HandSummary, Private, Public, SeatEvent
from guandan_protocol.codes import (
    CLOSE_BAD_MESSAGE,
    CLOSE_BAD_TOKEN,
    CLOSE_BAD_VERSION,
    CLOSE_GOING_AWAY,
    CLOSE_LEFT,
    CLOSE_MOVED,
    CLOSE_REFUSED,
    CLOSE_REPLACED,
    CLOSE_ROOM_GONE,
    CLOSE_SLOW,
    Close,
    Code,
)
from guandan_protocol.phrases import Phrase
from guandan_protocol.questions import (
    AskHints,
    AskReview,
    FetchRecord,
    Hint,
    Hints,
    ListRooms,
    Ping,
    Pong,
    Preview,
    Previewed,
    ReadingInfo,
    RecordPage,
    Review,
    Reviewed,
    RoomLine,
    Rooms,
    Said,
    Say,
)
from guandan_protocol.roomview import (
    PACES_MS,
    Control,
    Proposal,
    RoomView,
    SeatInfo,
    SeatKind,
    Settings,
    Stage,
    Visibility,
)

__all__ = [
    "CLOSE_BAD_MESSAGE",
    "CLOSE_BAD_TOKEN",
    "CLOSE_BAD_VERSION",
    "CLOSE_GOING_AWAY",
    "CLOSE_LEFT",
    "CLOSE_MOVED",
    "CLOSE_REFUSED",
    "CLOSE_REPLACED",
    "CLOSE_ROOM_GONE",
    "CLOSE_SLOW",
    "CREATE_ID_BYTES",
    "PACES_MS",
    "SUBPROTOCOL",
    "TOKEN_BYTES",
    "VERSION",
    "Action",
    "AddBot",
    "AskHints",
    "AskReview",
    "Autopilot",
    "ClientMessage",
    "Close",
    "Code",
    "Configure",
    "Consent",
    "Decline",
    "Control",
    "Create",
    "Done",
    "FetchRecord",
    "GiveBack",
    "Goodbye",
    "Hello",
    "Hint",
    "Hints",
    "InLobby",
    "Join",
    "Kick",
    "Later",
    "Leave",
    "ListRooms",
    "Lobby",
    "Moved",
    "Pass",
    "Pay",
    "Phrase",
    "Ping",
    "Play",
    "Pong",
    "Preview",
    "Previewed",
    "Proposal",
    "Propose",
    "Query",
    "ReadingInfo",
    "Ready",
    "RecordPage",
    "Refused",
    "RemoveBot",
    "Resume",
    "Review",
    "Reviewed",
    "RoomLine",
    "RoomView",
    "Rooms",
    "Said",
    "Say",
    "SeatInfo",
    "SeatKind",
    "ServerMessage",
    "SetPace",
    "Settings",
    "Sit",
    "Stage",
    "Start",
    "Update",
    "Visibility",
    "Watch",
    "Welcome",
]

# Names and bounds of the protocol.

SUBPROTOCOL: Final = "guandan.v1"
VERSION: Final = 1
TOKEN_BYTES: Final = 32
CREATE_ID_BYTES: Final = 16

# Hellos: the first message of a connection, exactly one.


@frozen
class Create:
    """Open a room and take seat 1."""

    version: int
    name: str
    create_id: bytes
    """16 random bytes: the same ones again give the same room, should the answer be lost."""
    preset: str = "site"
    """Which rules, see `docs/rules.md`."""
    options: Mapping[str, object] = field(factory=dict)
    """What differs from the preset."""
    settings: Settings | None = None
    """None: the defaults, and a clock of 30 s as soon as two people play."""


@frozen
class Join:
    """Take a seat of a room; a bot's seat can be taken at any time, with its cards."""

    version: int
    room: str
    name: str
    seat: Seat | None = None
    """None: any that is empty, or else a bot's."""
    join_id: bytes = b""
    """16 random bytes: the same ones again give the same seat, should the answer be lost."""


@frozen
class Resume:
    """Come back to a seat; an older connection of it is closed."""

    version: int
    room: str
    token: bytes = field(repr=False)
    """From the `Welcome` that gave the seat."""
    seq: int = 0
    """The last entry seen; if the server knows of less, history was lost, and all must be told."""
    epoch: int = 0
    """Of that entry; 0: nothing was seen yet."""


@frozen
class Watch:
    """See what everybody may see."""

    version: int
    room: str


@frozen
class Lobby:
    """No room: `ListRooms` and `FetchRecord` only, which any other connection may ask too."""

    version: int


# Actions: each under a counter that the session raises by one, so that one sent again is known.


@frozen
class Play:
    """Play cards."""

    n: int
    cards: Cards
    reading: Reading | None = None
    """What they are to be taken for; None: the strongest reading that beats the table, unless the
    table wants it declared."""
    turn: int | None = None
    """`Public.turn` as the player saw it: if it is another by now, the action is `stale`."""


@frozen
class Pass:
    """Let the play on the table stand."""

    n: int
    turn: int | None = None


@frozen
class Pay:
    """Give tribute."""

    n: int
    card: Card
    turn: int | None = None


@frozen
class GiveBack:
    """Return a card for tribute."""

    n: int
    card: Card
    turn: int | None = None


@frozen
class Ready:
    """Ready for the start or the next hand: it begins when all are and no seat is empty."""

    n: int
    ready: bool = True
    nonce: bytes = b""
    """Goes into the shuffle of the next hand, whose seed is already committed to."""


@frozen
class Start:
    """Begin the match; empty seats get bots. The host's, in the lobby."""

    n: int


@frozen
class Sit:
    """Move to an empty seat or a bot's, or ask a person to swap. Not while a match is on.

    The other agrees by asking back; whoever asks for their own seat takes their question back.
    """

    n: int
    seat: Seat


@frozen
class AddBot:
    """Seat a bot, or change a bot's level. The host's, not while a match is on."""

    n: int
    seat: Seat
    level: str


@frozen
class RemoveBot:
    """Empty a bot's seat. The host's, not while a match is on."""

    n: int
    seat: Seat


@frozen
class Configure:
    """Change rules and settings, but not the visibility. The host's, not while a match is on."""

    n: int
    preset: str
    options: Mapping[str, object]
    """What differs from the preset."""
    settings: Settings


@frozen
class Autopilot:
    """Have a bot play your seat, or no longer; any move of your own ends it, too."""

    n: int
    on: bool
    pace_ms: int = 1000
    """What it takes over a move."""


@frozen
class SetPace:
    """Change what bots take over a move. The host's, at any time."""

    n: int
    pace_ms: int


@frozen
class Later:
    """Play on another day; when all want it, or nobody is left, the room pauses."""

    n: int
    later: bool = True
    """False takes it back, and so does `Ready`."""


@frozen
class Propose:
    """A rematch after a won match, or a new game at any time. The host's."""

    n: int
    proposal: Proposal


@frozen
class Consent:
    """Agree, or not, to what is proposed."""

    n: int
    agree: bool


@frozen
class Leave:
    """Give the seat up; a bot plays on if a match is on."""

    n: int


@frozen
class Kick:
    """Free a person's seat, whose token then opens nothing. The host's, not while a match is on."""

    n: int
    seat: Seat


@frozen
class Decline:
    """Say no to a seat that asks to swap: its question is gone."""

    n: int
    seat: Seat


# Queries are answered under the same `id`, change nothing, may be lost with the connection: they
# stand in `questions`.


# Server to client.


@frozen
class Welcome:
    """The answer to every hello that opens a room: everything there is to know."""

    room: str
    seat: Seat | None
    """Yours; None for a watcher."""
    token: bytes = field(repr=False)
    """Opens the seat again; empty for a watcher, and when resuming."""
    counter: int
    """The last action counter that was acknowledged."""
    seq: int
    """The last entry of the room's log that this view contains."""
    epoch: int
    """Rises when history was rewound: forget everything older."""
    view: RoomView
    public: Public
    private: Private | None
    record: tuple[HandSummary, ...]
    """The session's finished hands."""
    levels: tuple[str, ...] = ()
    """Of the bots that this server has, weakest first."""
    build: str = ""
    """Of the page that this server serves, so that an older one can notice; empty without one."""


@frozen
class InLobby:
    """The answer to `Lobby`."""

    version: int
    """That the server speaks."""
    levels: tuple[str, ...] = ()
    """As in `Welcome`."""
    build: str = ""
    """As in `Welcome`."""


@frozen
class Update:
    """What just happened, and the whole view after it."""

    seq: int
    """The last entry of the room's log that this view contains; the same as before if only
    something around the match changed, such as who is online."""
    epoch: int
    events: tuple[SeatEvent, ...]
    """What to show and to tell, in order; often none."""
    view: RoomView
    public: Public
    private: Private | None
    finished: HandSummary | None
    """The hand that has just ended, to be added to the session's record."""
    seat: Seat | None = None
    """Yours now, for `Sit` changes it; None for a watcher."""


@frozen
class Done:
    """An action was accepted and stored."""

    n: int
    seq: int
    """Its entry in the room's log."""


@frozen
class Refused:
    """An action, a query or a hello was refused; nothing changed."""

    ref: int
    """Its counter or id; 0 for a hello or a frame that could not be read. Both come back in this
    one field, so let ids start above any counter, say at 2**32."""
    code: str
    """A `Code` or an engine `Reason`."""
    text: str
    """In English, for whoever writes the client."""
    retry_ms: int | None = None
    """Worth trying again after that; None: not as it stands."""


@frozen
class Moved:
    """The room lives elsewhere: connect there and say hello again."""

    url: str
    """Absolute, or relative to where you are."""


@frozen
class Goodbye:
    """The server closes the connection."""

    code: str
    """Why: a `Code`."""
    retry_after_ms: int | None = None
    """When to come back; None: see what the close code says."""


Hello = Create | Join | Resume | Watch | Lobby
Action = (
    Play
    | Pass
    | Pay
    | GiveBack
    | Ready
    | Start
    | Sit
    | AddBot
    | RemoveBot
    | Configure
    | Autopilot
    | SetPace
    | Later
    | Propose
    | Consent
    | Leave
    | Kick
    | Decline
)
Query = Preview | AskHints | AskReview | Say | ListRooms | FetchRecord | Ping
ClientMessage = Hello | Action | Query
ServerMessage = (
    Welcome
    | InLobby
    | Update
    | Done
    | Refused
    | Previewed
    | Hints
    | Review
    | Said
    | Rooms
    | RecordPage
    | Pong
    | Moved
    | Goodbye
)
