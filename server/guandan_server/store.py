"""What a room asks of its store, and every answer it may get.

Two numbers guard a room. The *fence* rises with every claim; a commit carries the fence it was
made under, and any but the current one is refused: that is the safety, everything said about
which node is alive is only a hint. No two claims share one, not even of different rooms under the
same code, nor where a failover has lost a claim: it is a time. The
*seq* numbers the entries of the log, from 1, without a gap.

    create ─► claim ─► load ─► commit, commit, commit …      one commit at a time per room

Everything but the answers below is an exception of `errors.StoreError`. `StoreUnavailable`
leaves open whether the call was carried out. Send the same call again: a commit that stands is
answered `Already`, and nothing stands twice.

`store_redis` and `store_memory` implement it, and `tests/server/store_contract.py` holds them to
the same words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Protocol

from attrs import field, frozen

# A log entry is under a kilobyte (a play's events); a page of this many is read in one answer.
LOG_PAGE_ENTRIES = 256
# Codes are listed for a person to read.
ROOMS_PAGE_CODES = 100


def checksum(seq: int, snapshot: bytes) -> str:
    """What tells this snapshot at this seq from any other; it guards against rot, not forgery."""
    return blake2b(snapshot, digest_size=16, salt=seq.to_bytes(16, "big")).hexdigest()


# -- What goes in -----------------------------------------------------------------------------


@frozen
class Action:
    """A seat's own action, so that the same one sent again is recognised.

    Only what a client sent has one: time-outs and bots have no counter.
    """

    seat_key: str
    """Whose counter it is. A newcomer to the seat needs a new key, not the old one's counter."""
    counter: int
    """From the client; above all that this seat had accepted."""
    digest: str
    """Of the action itself: the same counter with another digest is not the same action."""

    @classmethod
    def of(cls, *, seat_key: str, counter: int, body: bytes) -> Action:
        return cls(seat_key, counter, blake2b(body, digest_size=16).hexdigest())


@frozen
class Record:
    """A finished match, as it is kept after its room is gone."""

    match: int
    """Number of the match within its room."""
    body: bytes = field(repr=False)
    ttl_s: int


# -- What comes out ---------------------------------------------------------------------------


@frozen
class Entry:
    seq: int
    body: bytes = field(repr=False)


@frozen
class ActionMark:
    """The last action stored for a seat key, and where in the log it stands."""

    counter: int
    digest: str
    seq: int


@frozen
class Loaded:
    """A whole room; the snapshot is the truth, and no log needs replaying."""

    fence: int
    epoch: int
    seq: int
    node: str
    public: bool
    snapshot: bytes = field(repr=False)
    counters: Mapping[str, ActionMark] = field(repr=False)


@frozen
class RoomPage:
    rooms: tuple[str, ...]
    cursor: str | None
    """For the next page; None after the last. Opaque."""


@frozen
class RecordPage:
    body: bytes = field(repr=False)
    total_bytes: int


@frozen
class Weakness:
    """A setting under which the given store may lose what it acknowledged."""

    setting: str
    found: str
    wanted: str

    def __str__(self) -> str:
        return f"{self.setting} is {self.found}, wanted {self.wanted}"


# -- The answers ------------------------------------------------------------------------------


@frozen
class Created:
    """The room stands at seq 0 and is claimed by its creator."""

    fence: int
    epoch: int


@frozen
class Exists:
    """The code is taken, or records of an earlier room under it are still kept."""


@frozen
class Claimed:
    """The room is ours from here on; everyone else's commits are refused."""

    fence: int
    epoch: int
    seq: int


@frozen
class Lost:
    """Somebody claimed it since the caller looked."""

    fence: int
    node: str


@frozen
class Ok:
    seq: int


@frozen
class Already:
    """This very action, or this very commit, stands in the log at `seq`.

    If `fence` is not the caller's, another node stored it and owns the room now.
    """

    seq: int
    fence: int


@frozen
class Conflict:
    """The seat key already used this counter for another action, or has gone beyond it."""

    counter: int
    seq: int


@frozen
class StaleFence:
    fence: int


@frozen
class BadSeq:
    """Not the entry after `head`.

    If `head` is below what was acknowledged to the caller, the store lost history: after a
    failover, say.
    """

    head: int


@frozen
class NoRoom:
    """Expired, deleted or never made. Nothing was written: a room does not come back."""


@frozen
class Released:
    """Nobody owns the room; the next hello claims it."""


@frozen
class Deleted:
    """Log and snapshot are gone; records stay for their own time."""


CreateAnswer = Created | Exists
ClaimAnswer = Claimed | Lost | NoRoom
CommitAnswer = Ok | Already | Conflict | StaleFence | BadSeq | NoRoom
ReleaseAnswer = Released | StaleFence | NoRoom
DeleteAnswer = Deleted | StaleFence | NoRoom


class Store(Protocol):
    async def create(
        self, room: str, *, node: str, snapshot: bytes, public: bool, ttl_s: int
    ) -> CreateAnswer:
        """Make a room, owned by `node`, at seq 0.

        If this ends in `StoreUnavailable` the room may exist without an owner who knows of it,
        until `ttl_s` is over: give a short one, the first commit can lengthen it.
        """

    async def claim(
        self, room: str, *, node: str, expect_fence: int, rewound: bool = False
    ) -> ClaimAnswer:
        """Take the room if its fence still is `expect_fence`.

        `rewound` raises the epoch too: say so when a client has seen what the store has not.
        """

    async def load(self, room: str) -> Loaded | NoRoom:
        """The head and the snapshot, read at one instant; `SnapshotCorrupt` if it is damaged."""

    async def commit(
        self,
        room: str,
        *,
        fence: int,
        seq: int,
        entry: bytes,
        snapshot: bytes,
        ttl_s: int,
        action: Action | None = None,
        record: Record | None = None,
        forget: Sequence[str] = (),
        trim_through: int = 0,
    ) -> CommitAnswer:
        """Append `entry` as number `seq` and let `snapshot` stand for the state after it.

        Asked in this order, all in one script:

        1. `NoRoom`: is there a room?
        2. `Already`, `Conflict`: is it the seat's last counter again, with the same action or
           another? Or the commit that stands at the head? Asked before staleness, because
           whoever asks again wants to know if it is stored, not by whom.
        3. `StaleFence`: does the caller own the room?
        4. `BadSeq`: is it the next entry? (Then `Conflict`, if the counter is an older one.)

        `record` is stored in the same script: a match never ends without its record. `forget`
        drops the counters of seat keys that are no longer valid. `trim_through` drops log
        entries up to that seq, once they are on record.
        """

    async def log(
        self, room: str, *, after_seq: int = 0, limit: int = LOG_PAGE_ENTRIES
    ) -> tuple[Entry, ...]:
        """The entries after `after_seq`, in order, at most `limit`; empty at the end."""

    async def refresh(self, room: str, *, ttl_s: int) -> bool:
        """Keep the room for `ttl_s` from now; False if there is none."""

    async def release(self, room: str, *, fence: int) -> ReleaseAnswer:
        """Give a room up, so that another node need not wait for our heartbeat to run out."""

    async def delete(self, room: str, *, fence: int) -> DeleteAnswer:
        """Remove the room, if the caller owns it."""

    async def rooms(self, cursor: str = "", *, limit: int = ROOMS_PAGE_CODES) -> RoomPage:
        """Public rooms, in no order, about `limit` at a time.

        A room made or gone while the pages are read may be missing or listed; one that was there
        all along is listed at least once. `ValueError` for a cursor we never gave.
        """

    async def save_record(self, room: str, record: Record) -> None:
        """Store a record outside of a commit; a second one of the same number replaces it."""

    async def load_record(
        self, room: str, match: int, *, offset: int, limit: int
    ) -> RecordPage | None:
        """At most `limit` bytes of a record from `offset`; None if it is not kept (any more)."""

    async def records(self, room: str) -> tuple[int, ...]:
        """The numbers of the matches on record, ascending; a room that is gone may have some."""

    # Nodes. All of it is hints: safety is the fence's.

    async def beat(self, node: str, url: str, *, ttl_ms: int) -> None:
        """Say that a node is alive, and where it is reached."""

    async def node_url(self, node: str) -> str | None:
        """Where a node is reached; None if it has not said so for too long."""

    async def part(self, node: str) -> None:
        """A node goes, in order: it has no rooms any more, and no heartbeat."""

    async def nodes(self) -> tuple[str, ...]:
        """Every node that may own rooms, the dead included, until `part`."""

    async def hold(self, node: str, room: str) -> None:
        """Note that a node has a room awake, so that it can be found should the node die."""

    async def let_go(self, node: str, room: str) -> None:
        """Note that it has it no more."""

    async def held(self, node: str) -> tuple[str, ...]:
        """The rooms that a node has noted."""

    async def close(self) -> None:
        """Give back connections; calls still waiting end in `StoreUnavailable`."""
