"""What can go wrong on the server's side, and whose doing it is.

    ServerError
     +- StoreError               the world: the store, as a room meets it
     |   +- StoreUnavailable     it cannot answer now; the same call may be sent again
     |   +- StoreRefused         it will never accept this call: our bug, or its settings
     |   +- SnapshotCorrupt      it answered, but the snapshot is not what was written
     |   +- Fenced               another node owns the room now
     |   +- RoomGone             the room is not in the store any more
     +- StartError               `guandan serve` cannot run, or cannot go on; has an exit status
         +- NoStoreBinary        69  nothing to run, and no URL given
         +- DataDirBusy          73  another server holds the data directory
         +- DataDirUnusable      73  we may not write there, or it is not ours to write in
         +- StoreCrashed         75  the bundled store died too often; starting again may help
         +- StoreWontStart       78  the bundled store refused its data or its settings
         +- StoreUnreachable     69  the given store does not answer
         +- BadStoreUrl          78  the given store's URL cannot be read
         +- CannotListen         73  the address is taken, or not ours to use
         +- NotDurable           78  --require-durable, and the given store is weaker

Fields in, text out: every class is built from values, and `str()` is one line for a person
(log tails excepted, which follow on lines of their own). Exit statuses are those of sysexits.h.
"""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from attrs import define, field

if TYPE_CHECKING:
    from collections.abc import Mapping

    from guandan_server.store import ActionMark, Weakness


class ServerError(Exception):
    """The root; raised as one of its leaves only."""


# -- The store, as a room meets it ------------------------------------------------------------


class StoreError(ServerError):
    """The store did not do what was asked."""


class Trouble(StrEnum):
    """Why the store cannot answer now. The upper half passes by itself; the lower half does not."""

    CONNECTION = "connection"
    TIMEOUT = "timeout"
    LOADING = "loading"
    """It is reading its data after a start."""
    READONLY = "readonly"
    """We talk to a replica: the primary is elsewhere, or about to be."""
    BUSY = "busy"
    """Somebody's script is running for too long."""
    CLUSTER_DOWN = "cluster_down"

    OVERLOADED = "overloaded"
    """Too many calls already wait on our side."""
    OUT_OF_MEMORY = "out_of_memory"
    CANNOT_PERSIST = "cannot_persist"
    """Its disk is full or broken, and it refuses to pretend otherwise (MISCONF)."""
    NO_REPLICAS = "no_replicas"
    FORBIDDEN = "forbidden"
    """Wrong password, or none."""
    CLOSED = "closed"
    """We closed it ourselves."""


@define(kw_only=True)
class StoreUnavailable(StoreError):
    """Whether the call was carried out is unknown; sending it again is always safe."""

    trouble: Trouble
    retry_after_ms: int
    detail: str = ""

    def __str__(self) -> str:
        because = f": {self.detail}" if self.detail else ""
        return f"store unavailable ({self.trouble}){because}; retry in {self.retry_after_ms} ms"


@define(kw_only=True)
class StoreRefused(StoreError):
    """An answer no retry will change: a key of the wrong type, a user who may not do this."""

    detail: str

    def __str__(self) -> str:
        return f"the store refused a call it should accept: {self.detail}"


@define(kw_only=True)
class SnapshotCorrupt(StoreError):
    """The snapshot does not match the checksum its commit wrote.

    Everything else of the room was read, and is here: whoever can rebuild the state from the
    log needs it to go on.
    """

    room: str
    fence: int
    epoch: int
    seq: int
    node: str
    """Who owns it; it may well be awake there."""
    counters: Mapping[str, ActionMark] = field(repr=False)

    def __str__(self) -> str:
        return f"room {self.room}: the snapshot at seq {self.seq} does not match its checksum"


@define(kw_only=True)
class Fenced(StoreError):
    """Ours is an old claim: whatever we still hold of this room is history."""

    room: str
    ours: int
    current: int

    def __str__(self) -> str:
        return f"room {self.room}: fence is {self.current}, ours was {self.ours}"


@define(kw_only=True)
class RoomGone(StoreError):
    """Expired, deleted, or flushed. A room is never brought back by writing to it."""

    room: str

    def __str__(self) -> str:
        return f"room {self.room} is not in the store"


# -- Starting and running `guandan serve` -----------------------------------------------------


class StartError(ServerError):
    """The process ends with `exit_code` and `str(error)` as its last words."""

    exit_code: ClassVar[int]


@define(kw_only=True)
class NoStoreBinary(StartError):
    exit_code = os.EX_UNAVAILABLE

    too_old: tuple[str, ...] = ()
    """Servers that were found but passed over, as "path (version)"."""

    def __str__(self) -> str:
        passed_over = f" (too old: {', '.join(self.too_old)})" if self.too_old else ""
        return (
            f"no store to run{passed_over}: set REDIS_URL to a Redis or Valkey 7.0 or newer, "
            "or install valkey-server"
        )


@define(kw_only=True)
class DataDirBusy(StartError):
    exit_code = os.EX_CANTCREAT

    data_dir: Path
    pid: int | None
    """Who holds it; None if the holder had not written its name yet."""

    def __str__(self) -> str:
        holder = f"process {self.pid}" if self.pid else "another process"
        return f"{self.data_dir} is in use by {holder}; one server per data directory"


@define(kw_only=True)
class DataDirUnusable(StartError):
    exit_code = os.EX_CANTCREAT

    data_dir: Path
    reason: str

    def __str__(self) -> str:
        return f"{self.data_dir} cannot hold the store: {self.reason}"


@define(kw_only=True)
class StoreWontStart(StartError):
    """Most often: the data was written by a newer version or another flavour of server.

    The files are as they were.
    """

    exit_code = os.EX_CONFIG

    data_dir: Path
    why: str
    log_tail: str

    def __str__(self) -> str:
        return f"the store in {self.data_dir} did not start: {self.why}\n{self.log_tail}".rstrip()


@define(kw_only=True)
class StoreCrashed(StartError):
    exit_code = os.EX_TEMPFAIL

    data_dir: Path
    crashes: int
    within_s: int
    log_tail: str

    def __str__(self) -> str:
        return (
            f"the store in {self.data_dir} died {self.crashes} times in {self.within_s} s\n"
            f"{self.log_tail}"
        ).rstrip()


@define(kw_only=True)
class NotDurable(StartError):
    exit_code = os.EX_CONFIG

    weaknesses: tuple[Weakness, ...]

    def __str__(self) -> str:
        return "the store may lose acknowledged actions: " + "; ".join(map(str, self.weaknesses))


@define(kw_only=True)
class StoreUnreachable(StartError):
    exit_code = os.EX_UNAVAILABLE

    why: str

    def __str__(self) -> str:
        return f"the given store does not answer: {self.why}"


@define(kw_only=True)
class BadStoreUrl(StartError):
    """Quotes nothing of the URL: what cannot be read may be half a password."""

    exit_code = os.EX_CONFIG

    reason: str
    """What the URL does wrong, as a predicate."""

    def __str__(self) -> str:
        return (
            f"the store's URL {self.reason}; it is like redis://host:6379/0, unix:///path/to.sock, "
            "redis+cluster://host:7000,host:7001 or redis+sentinel://host:26379,host:26379/name"
        )


@define(kw_only=True)
class CannotListen(StartError):
    exit_code = os.EX_CANTCREAT

    host: str
    port: int
    reason: str

    def __str__(self) -> str:
        return f"cannot listen on {self.host} port {self.port}: {self.reason}"
