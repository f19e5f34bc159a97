"""Every message of `guandan.v1`, as the two ends see it once its bytes have been checked.

    client ─► server   hellos (one, first), actions (numbered, change something), queries (answered)
    server ─► client   Welcome, Update, Done, Refused, answers, Moved, Goodbye

A message carries no seat of its sender: the seat is the session's. Cards are faces of the engine;
on the wire they are text ("S5", "HT", "X"). See `docs/protocol.md` for the bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum, StrEnum
from typing import Final

from attrs import field, frozen

from guandan_engine.cards import Card, Cards
from guandan_engine.combos import Reading
from guandan_engine.seats import Seat
from guandan_engine.views import HandSummary, Private, Public, SeatEvent

# Names and bounds of the protocol.

SUBPROTOCOL: Final = "guandan.v1"
VERSION: Final = 1
TOKEN_BYTES: Final = 32
CREATE_ID_BYTES: Final = 16
PACES_MS: Final = (300, 500, 1000, 2000, 3000, 4000, 5000)
"""How long a bot, or the autopilot, takes over a move."""


class Code(StrEnum):
    """Why something was refused, beside the engine's reasons (`guandan_engine.Reason`).

    Each member's text under it is for people; clients show their own words by code.
    """

    BAD_MESSAGE = "bad_message"
    """The frame is not a message of this protocol."""
    BAD_VERSION = "bad_version"
    """The server does not speak that version."""
    BAD_OPTION = "bad_option"
    """A rule option or a setting of the table that does not exist."""
    NO_SUCH_ROOM = "no_such_room"
    """There is no room of that code, or it may not be entered."""
    ROOM_GONE = "room_gone"
    """The room has expired or was closed."""
    FULL = "full"
    """No seat is free; watching is possible."""
    SEAT_TAKEN = "seat_taken"
    """A person sits there."""
    BAD_TOKEN = "bad_token"  # noqa: S105 the code of a refusal
    """The token opens no seat of the room."""
    FORBIDDEN = "forbidden"
    """Only the host, or only a seated player, may do that."""
    NOT_NOW = "not_now"
    """The table is not at a point where that can be done."""
    NOT_SEATED = "not_seated"
    """Watchers do not act."""
    STALE_ACTION = "stale_action"
    """The action counter is older than the last one acknowledged."""
    ACTION_CONFLICT = "action_conflict"
    """Another action was sent under the same counter."""
    NO_SUCH_RECORD = "no_such_record"
    """No finished match of that number, or no such page of it."""
    HINTS_OFF = "hints_off"
    """The table forbids hints."""
    TOO_FAST = "too_fast"
    """A limit on messages was passed; retry later."""
    BUSY = "busy"
    """The server takes no more rooms or watchers now; retry later."""
    STORAGE_UNAVAILABLE = "storage_unavailable"
    """The store does not answer; nothing was changed, retry."""
    INTERNAL = "internal"
    """A fault of the server; the room goes on."""
    GOING_AWAY = "going_away"
    """The server stops or restarts; come back. In `Goodbye` only, as are the next three."""
    REPLACED = "replaced"
    """A newer connection holds the seat."""
    LEFT = "left"
    """The seat was left, or taken away by the host."""
    SLOW = "slow"
    """No hello in time, or what was sent was not read."""


class Close(IntEnum):
    """WebSocket close codes."""

    GOING_AWAY = 1012
    """The server restarts: come back after `Goodbye.retry_after_ms`."""
    MOVED = 4307
    """The room lives elsewhere, see `Moved`."""
    BAD_MESSAGE = 4400
    """Too many frames that were no messages, a text frame, or a message at the wrong point."""
    BAD_TOKEN = 4401
    """The token opens no seat of the room: do not come back with it."""
    REFUSED = 4403
    """The hello was refused; `Goodbye` says why, and when to come back if that helps."""
    ROOM_GONE = 4404
    """There is no such room, or none any more: do not come back."""
    SLOW = 4408
    """No hello in time, or a reader too slow: come back."""
    REPLACED = 4409
    """A newer connection holds the seat: do not reconnect by yourself."""
    BAD_VERSION = 4410
    """The server does not speak that version: do not come back with it."""
    LEFT = 4411
    """The seat was left or taken away: do not come back."""


CLOSE_GOING_AWAY: Final = Close.GOING_AWAY
CLOSE_MOVED: Final = Close.MOVED
CLOSE_BAD_MESSAGE: Final = Close.BAD_MESSAGE
CLOSE_BAD_TOKEN: Final = Close.BAD_TOKEN
CLOSE_REFUSED: Final = Close.REFUSED
CLOSE_ROOM_GONE: Final = Close.ROOM_GONE
CLOSE_SLOW: Final = Close.SLOW
CLOSE_REPLACED: Final = Close.REPLACED
CLOSE_BAD_VERSION: Final = Close.BAD_VERSION
CLOSE_LEFT: Final = Close.LEFT


# The table, apart from the match on it.


class Visibility(StrEnum):
    PRIVATE = "private"
    """Entered by its code."""
    PUBLIC = "public"
    """Listed."""


@frozen
class Settings:
    """How a room is run; the rules are apart from it."""

    visibility: Visibility = Visibility.PRIVATE
    clock_s: int | None = None
    """Seconds for a decision, 5..300; None: no clock. Left out at creation: no clock while one
    person plays, see `docs/protocol.md`."""
    pace_ms: int = 1000
    """What bots take over a move: one of `PACES_MS`."""
    grace_s: int = 60
    """Seconds, 5..600, that a disconnected player's seat waits before a bot plays for it."""
    hints: bool = True
    counter: bool = True
    """May clients show what has been played, added up?"""


class SeatKind(StrEnum):
    EMPTY = "empty"
    PERSON = "person"
    BOT = "bot"


class Control(StrEnum):
    """Who decides for a seat now."""

    SELF = "self"
    AUTOPILOT = "autopilot"
    """Its person asked for it."""
    STAND_IN = "stand_in"
    """Its person is away, or let the clock run out twice in a row."""


@frozen
class SeatInfo:
    """What everybody may know of a seat."""

    kind: SeatKind
    name: str = ""
    """At most 24 characters; not an identity."""
    level: str = ""
    """The bot's level, for a bot."""
    online: bool = False
    ready: bool = False
    """For the next hand, or for the start."""
    control: Control = Control.SELF
    later: bool = False
    """Wants to play on later."""
    pace_ms: int = 0
    """Of this seat's autopilot."""


class Stage(StrEnum):
    """What a room is doing."""

    LOBBY = "lobby"
    """Seats are taken, options set; nothing dealt."""
    PLAYING = "playing"
    """A match is on."""
    PAUSED = "paused"
    """Nobody is left, or all play later: no clock runs, no bot acts."""
    MATCH_OVER = "match_over"


class Proposal(StrEnum):
    """What needs the consent of everybody seated."""

    NEW_GAME = "new_game"
    REMATCH = "rematch"


@frozen
class RoomView:
    """The room around the match, the same for everybody."""

    stage: Stage
    host: Seat | None
    """Who may start, seat bots and change options; None if no person is seated."""
    seats: tuple[SeatInfo, SeatInfo, SeatInfo, SeatInfo]
    watchers: int
    match: int
    """1 for the first match of the room; rises with a rematch or a new game."""
    preset: str
    options: Mapping[str, object]
    """Every option by name, as chosen."""
    settings: Settings
    commitment: bytes
    """SHA-256 of the next hand's seed, until it is dealt; then empty."""
    clock_ms: int | None
    """What is left for the decision asked for; None: no clock runs."""
    proposal: Proposal | None
    consents: tuple[Seat, ...]
    """Who has agreed to the proposal."""
    swaps: tuple[tuple[Seat, Seat], ...]
    """Who asks to change places with whom, in the lobby."""


# Hellos: the first message of a connection, exactly one.


@frozen
class Create:
    """Open a room and take seat 1."""

    version: int
    name: str
    create_id: bytes
    """16 random bytes: the same ones again give the same room, should the answer be lost."""
    preset: str = "site"
    options: Mapping[str, object] = field(factory=dict)
    settings: Settings | None = None


@frozen
class Join:
    """Take a seat of a room: the given one, or any that is free or held by a bot before play."""

    version: int
    room: str
    name: str
    seat: Seat | None = None
    join_id: bytes = b""
    """16 random bytes: the same ones again give the same seat, should the answer be lost."""


@frozen
class Resume:
    """Come back to a seat."""

    version: int
    room: str
    token: bytes = field(repr=False)


@frozen
class Watch:
    """See what everybody may see."""

    version: int
    room: str


@frozen
class Lobby:
    """No room yet: queries only (`ListRooms`, `FetchRecord`)."""

    version: int


# Actions: each under a counter that the session raises by one, so that one sent again is known.


@frozen
class Play:
    n: int
    cards: Cards
    reading: Reading | None = None
    turn: int | None = None
    """`Public.turn` as the player saw it."""


@frozen
class Pass:
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
    """Ready for the start or the next hand; `nonce` (at most 32 bytes) goes into the shuffle."""

    n: int
    ready: bool = True
    nonce: bytes = b""


@frozen
class Start:
    """Begin the match; empty seats get bots. The host's."""

    n: int


@frozen
class Sit:
    """Move to a free seat, or to a bot's; a person is asked, and agrees by asking back. Lobby."""

    n: int
    seat: Seat


@frozen
class AddBot:
    """The host's, in the lobby; on a bot's seat it changes the level."""

    n: int
    seat: Seat
    level: str


@frozen
class RemoveBot:
    n: int
    seat: Seat


@frozen
class Configure:
    """Change rules and settings. The host's, in the lobby."""

    n: int
    preset: str
    options: Mapping[str, object]
    settings: Settings


@frozen
class Autopilot:
    n: int
    on: bool
    pace_ms: int = 1000


@frozen
class SetPace:
    """What bots take over a move from now on. The host's, at any time."""

    n: int
    pace_ms: int


@frozen
class Later:
    """Play on another day; when all want it, or nobody is left, the room pauses."""

    n: int
    later: bool = True


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
    """Free a person's seat; its token opens nothing from then on. The host's, in the lobby."""

    n: int
    seat: Seat


# Queries: answered under the same `id`, change nothing, may be lost with the connection.


@frozen
class Preview:
    """What would these cards of mine be?"""

    id: int
    cards: Cards


@frozen
class AskHints:
    """What could I play, cheapest first; or pay, or return."""

    id: int


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
    page: int = 0


# Server to client.


@frozen
class Welcome:
    """The answer to every hello that opens a room: everything there is to know."""

    room: str
    seat: Seat | None
    """None for a watcher."""
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


@frozen
class InLobby:
    """The answer to `Lobby`."""

    version: int


@frozen
class Update:
    """What just happened, and the whole view after it."""

    seq: int
    epoch: int
    events: tuple[SeatEvent, ...]
    view: RoomView
    public: Public
    private: Private | None
    finished: HandSummary | None
    """The hand that has just ended, to be added to the session's record."""


@frozen
class Done:
    """An action was accepted and stored."""

    n: int
    seq: int


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
class ReadingInfo:
    """One reading of a selection."""

    reading: Reading
    beats: bool
    """Would it beat the table now? On an empty table, true."""
    shown_as: tuple[Card, ...]
    """What each wild stands for."""


@frozen
class Previewed:
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
    id: int
    turn: int
    hints: tuple[Hint, ...]
    """Cheapest first."""
    best: int
    """Index of the recommended one; -1 if there are none."""


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


@frozen
class Rooms:
    id: int
    rooms: tuple[RoomLine, ...]


@frozen
class RecordPage:
    id: int
    match: int
    page: int
    pages: int
    text: str
    """A part of the record's text; the parts in order make the file."""


@frozen
class Moved:
    """The room lives elsewhere: connect there."""

    url: str


@frozen
class Goodbye:
    """The server closes the connection, and why."""

    code: str
    retry_after_ms: int | None = None


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
)
Query = Preview | AskHints | ListRooms | FetchRecord
ClientMessage = Hello | Action | Query
ServerMessage = (
    Welcome
    | InLobby
    | Update
    | Done
    | Refused
    | Previewed
    | Hints
    | Rooms
    | RecordPage
    | Moved
    | Goodbye
)
