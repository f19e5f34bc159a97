"""A room as it is stored: one frozen value, whole, and its bytes.

Whatever a restarted server must know is here, and nothing else: who is connected, how long a
clock has left and what a bot is thinking about are the room's present, not its state.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from operator import attrgetter, is_
from typing import Any, Final

import msgpack
from attrs import evolve, field, fields, frozen

from guandan_engine import snapshot
from guandan_engine.cards import Rank
from guandan_engine.errors import SnapshotError
from guandan_engine.options import rules
from guandan_engine.seats import SEATS, Seat, Team
from guandan_engine.state import Match, new_match
from guandan_engine.tribute import Gift
from guandan_engine.views import HandSummary
from guandan_protocol.messages import Control, Proposal, SeatKind, Settings, Stage, Visibility

__all__ = [
    "EMPTY_SEAT",
    "Frame",
    "RoomState",
    "SeatState",
    "Snapshots",
    "derive",
    "dump",
    "dump_frame",
    "frame_of",
    "load",
    "load_frame",
    "new_room",
    "same_frame",
]

SNAPSHOT_VERSION: Final = 2

Seats = tuple["SeatState", "SeatState", "SeatState", "SeatState"]


@frozen
class SeatState:
    """A seat and its occupant; whoever sits down next gets a new one."""

    kind: SeatKind = SeatKind.EMPTY
    name: str = ""
    level: str = ""
    """The bot's level, for a bot."""
    digest: bytes = field(default=b"", repr=False)
    """SHA-256 of the token that opens the seat."""
    key: str = ""
    """Whose action counter it is: an identity of the occupant, not of the chair."""
    join: bytes = field(default=b"", repr=False)
    """SHA-256 of the id of the hello that took the seat, should its answer have been lost."""
    ready: bool = False
    nonce: bytes = field(default=b"", repr=False)
    control: Control = Control.SELF
    pace_ms: int = 1000
    """Of the autopilot."""
    timeouts: int = 0
    """Clocks run out in a row."""
    later: bool = False

    @property
    def is_person(self) -> bool:
        return self.kind is SeatKind.PERSON

    @property
    def self_played(self) -> bool:
        return self.kind is SeatKind.PERSON and self.control is Control.SELF


EMPTY_SEAT: Final = SeatState()


@frozen
class RoomState:
    """Everything about a room that outlives the process."""

    stage: Stage
    host: Seat | None
    seats: Seats
    preset: str
    options: Mapping[str, object]
    """The options that differ from the preset."""
    settings: Settings
    auto_clock: bool
    """Nobody chose a clock: there is one as soon as two people play."""
    match: Match
    match_no: int
    match_seq: int
    """The log entry with which the match began."""
    pledge: bytes = field(repr=False)
    """Seed of the next hand; its commitment is public."""
    session: tuple[HandSummary, ...] = ()
    proposal: Proposal | None = None
    consents: tuple[Seat, ...] = ()
    swaps: tuple[tuple[Seat, Seat], ...] = ()

    def seat(self, seat: Seat) -> SeatState:
        return self.seats[seat - 1]

    def with_seat(self, seat: Seat, occupant: SeatState) -> RoomState:
        seats = list(self.seats)
        seats[seat - 1] = occupant
        return evolve(self, seats=(seats[0], seats[1], seats[2], seats[3]))

    def with_seats(self, change: Mapping[Seat, SeatState]) -> RoomState:
        room = self
        for seat, occupant in change.items():
            room = room.with_seat(seat, occupant)
        return room

    def change_seat(self, seat: Seat, **changes: Any) -> RoomState:
        """The room with something changed about a seat; itself if it was so already."""
        occupant = self.seat(seat)
        if all(getattr(occupant, name) == value for name, value in changes.items()):
            return self
        return self.with_seat(seat, evolve(occupant, **changes))

    def with_match(self, match: Match) -> RoomState:
        """The room with its match at another moment, as every play makes one."""
        # By hand: `evolve` would look all the fields up first, which takes longer than a play.
        return RoomState(
            stage=self.stage,
            host=self.host,
            seats=self.seats,
            preset=self.preset,
            options=self.options,
            settings=self.settings,
            auto_clock=self.auto_clock,
            match=match,
            match_no=self.match_no,
            match_seq=self.match_seq,
            pledge=self.pledge,
            session=self.session,
            proposal=self.proposal,
            consents=self.consents,
            swaps=self.swaps,
        )

    def people(self) -> tuple[Seat, ...]:
        return tuple([seat for seat in SEATS if self.seat(seat).is_person])

    def clock_s(self) -> int | None:
        """Seconds for a decision; None: no clock."""
        if not self.auto_clock:
            return self.settings.clock_s
        return AUTO_CLOCK_S if len(self.people()) > 1 else None


# The 2017 competition gives 40 s for a first card and 20 s after it; one figure between the two.
AUTO_CLOCK_S: Final = 30


Frame = tuple[object, ...]
"""All of a room but its match, which is what play changes."""

_frame_of: Final = attrgetter(*[one.name for one in fields(RoomState) if one.name != "match"])


def frame_of(room: RoomState) -> Frame:
    frame: Frame = _frame_of(room)
    return frame


def same_frame(one: Frame, other: Frame) -> bool:
    """Is every part of the two the very same object?

    States are made from one another, so what was not touched is. A part that was made anew and
    happens to be equal counts as another one.
    """
    return all(map(is_, one, other))


def derive(entropy: bytes, label: str, size: int = 32) -> bytes:
    """Bytes for one purpose from fresh random ones; another label gives unrelated bytes."""
    return hashlib.blake2b(entropy, digest_size=size, person=label.encode()[:16]).digest()


def new_room(
    *, preset: str, options: Mapping[str, object], settings: Settings | None, pledge: bytes
) -> RoomState:
    """An empty room; OptionRefused for a preset or option that does not exist."""
    return RoomState(
        stage=Stage.LOBBY,
        host=None,
        seats=(EMPTY_SEAT, EMPTY_SEAT, EMPTY_SEAT, EMPTY_SEAT),
        preset=preset,
        options=dict(options),
        settings=settings or Settings(),
        auto_clock=settings is None,
        match=new_match(rules(preset, options)),
        match_no=0,
        match_seq=0,
        pledge=pledge,
    )


# -- bytes ------------------------------------------------------------------------------------


def dump(room: RoomState) -> bytes:
    """The room as msgpack, versioned."""
    return _packed(
        {
            "v": SNAPSHOT_VERSION,
            "frame": dump_frame(room),
            "match": snapshot.dump(room.match),
        }
    )


class Snapshots:
    """The bytes of a room's states, one after another: those of `dump`, for less than half of it.

    A play changes the hands, the phase and the turn. The parts that are the same objects as last
    time are not packed again.
    """

    def __init__(self) -> None:
        self._frame: tuple[Frame, bytes] | None = None
        self._parts: dict[str, tuple[object, bytes]] = {}

    def pack(self, room: RoomState) -> bytes:
        frame = frame_of(room)
        if self._frame is None or not same_frame(self._frame[0], frame):
            self._frame = (frame, _packed(dump_frame(room)))
        packed = [_OPENING, self._frame[1], _MATCH_OPENING]
        for name, write in snapshot.PARTS.items():
            value = getattr(room.match, name)
            known = self._parts.get(name)
            if known is None or known[0] is not value:
                known = self._parts[name] = (value, _packed(name) + _packed(write(value)))
            packed.append(known[1])
        return b"".join(packed)


def _packed(plain: object) -> bytes:
    packed: bytes = msgpack.packb(plain)
    return packed


# What stands before the frame, and between it and the parts of the match: see `dump`.
_packer = msgpack.Packer()
_OPENING: Final = b"".join(
    [
        _packer.pack_map_header(3),
        *[_packed(plain) for plain in ("v", SNAPSHOT_VERSION, "frame")],
    ]
)
_MATCH_OPENING: Final = b"".join(
    [
        _packed("match"),
        _packer.pack_map_header(1 + len(snapshot.PARTS)),
        *[_packed(plain) for plain in ("v", snapshot.VERSION)],
    ]
)


def load(data: bytes) -> RoomState:
    """The room in some bytes of `dump`; SnapshotError if this version cannot read them."""
    try:
        plain = msgpack.unpackb(data, strict_map_key=True)
        if plain["v"] not in range(1, SNAPSHOT_VERSION + 1):
            newer = " by a newer version" if plain["v"] > SNAPSHOT_VERSION else ""
            raise SnapshotError(f"room snapshot version {plain['v']} was written{newer}")
        return load_frame(plain["frame"], snapshot.load(plain["match"]))
    except (KeyError, TypeError, ValueError) as error:
        raise SnapshotError(f"not a room snapshot: {error!r}") from error


def dump_frame(room: RoomState) -> dict[str, object]:
    """Everything but the match, as plain data."""
    return {
        "stage": room.stage.value,
        "host": room.host,
        "seats": [_dump_seat(seat) for seat in room.seats],
        "preset": room.preset,
        "options": dict(room.options),
        "settings": _dump_settings(room.settings),
        "auto_clock": room.auto_clock,
        "match_no": room.match_no,
        "match_seq": room.match_seq,
        "pledge": room.pledge,
        "session": [_dump_summary(one) for one in room.session],
        "proposal": room.proposal and room.proposal.value,
        "consents": list(room.consents),
        "swaps": [list(swap) for swap in room.swaps],
    }


def load_frame(plain: Mapping[str, Any], match: Match) -> RoomState:
    """The room of a frame around a match; KeyError, TypeError or ValueError if it is none."""
    one, two, three, four = (_load_seat(seat) for seat in plain["seats"])
    return RoomState(
        stage=Stage(plain["stage"]),
        host=plain["host"],
        seats=(one, two, three, four),
        preset=plain["preset"],
        options=plain["options"],
        settings=_load_settings(plain["settings"]),
        auto_clock=plain["auto_clock"],
        match=match,
        match_no=plain["match_no"],
        match_seq=plain["match_seq"],
        pledge=plain["pledge"],
        session=tuple([_load_summary(one) for one in plain["session"]]),
        proposal=None if plain["proposal"] is None else Proposal(plain["proposal"]),
        consents=tuple(plain["consents"]),
        swaps=tuple([(a, b) for a, b in plain["swaps"]]),
    )


def _dump_seat(seat: SeatState) -> list[object]:
    return [
        seat.kind.value,
        seat.name,
        seat.level,
        seat.digest,
        seat.key,
        seat.join,
        seat.ready,
        seat.nonce,
        seat.control.value,
        seat.pace_ms,
        seat.timeouts,
        seat.later,
    ]


def _load_seat(plain: list[Any]) -> SeatState:
    kind, name, level, digest, key, join, ready, nonce, control, pace_ms, timeouts, later = plain
    return SeatState(
        kind=SeatKind(kind),
        name=name,
        level=level,
        digest=digest,
        key=key,
        join=join,
        ready=ready,
        nonce=nonce,
        control=Control(control),
        pace_ms=pace_ms,
        timeouts=timeouts,
        later=later,
    )


def _dump_settings(settings: Settings) -> list[object]:
    return [
        settings.visibility.value,
        settings.clock_s,
        settings.pace_ms,
        settings.grace_s,
        settings.hints,
        settings.counter,
        settings.phrases,
    ]


def _load_settings(plain: list[Any]) -> Settings:
    visibility, clock_s, pace_ms, grace_s, hints, counter, *later = plain
    (phrases,) = later or [True]  # since version 2
    return Settings(
        visibility=Visibility(visibility),
        clock_s=clock_s,
        pace_ms=pace_ms,
        grace_s=grace_s,
        hints=hints,
        counter=counter,
        phrases=phrases,
    )


def _dump_gifts(gifts: tuple[Gift, ...]) -> list[list[int]]:
    return [[gift.donor, gift.recipient, gift.card] for gift in gifts]


def _load_gifts(plain: list[Any]) -> tuple[Gift, ...]:
    return tuple([Gift(donor, recipient, card) for donor, recipient, card in plain])


def _dump_summary(one: HandSummary) -> list[object]:
    return [
        one.number,
        int(one.level),
        one.owner and one.owner.value,
        list(one.finish),
        one.gain,
        [int(one.levels[team]) for team in Team],
        list(one.resisted),
        _dump_gifts(one.gifts),
        _dump_gifts(one.returns),
        one.match_won,
    ]


def _load_summary(plain: list[Any]) -> HandSummary:
    number, level, owner, finish, gain, levels, resisted, gifts, returns, match_won = plain
    return HandSummary(
        number=number,
        level=Rank(level),
        owner=None if owner is None else Team(owner),
        finish=tuple(finish),
        gain=gain,
        levels={team: Rank(rank) for team, rank in zip(Team, levels, strict=True)},
        resisted=tuple(resisted),
        gifts=_load_gifts(gifts),
        returns=_load_gifts(returns),
        match_won=match_won,
    )
