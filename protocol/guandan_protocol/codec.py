"""Messages to bytes and back: one msgpack map a frame, told apart by its field `t`.

    decode_client(frame)    what a client sent, or BadMessage      (the server's ear)
    decode_server(frame)    what the server sent, or BadMessage    (the client's ear)
    encode(message)         the one form of a message; other things have no bytes: TypeError

Most of an update is the same for all four seats and the watchers. The server packs that once and
splices it into each audience's message:

    shared = pack_shared(view, public)
    pack_update(seq=…, epoch=…, events=…, shared=shared, private=…, finished=…)   per audience

The bytes are those of `encode(Update(…))`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NoReturn

import msgpack

from guandan_engine.seats import Seat
from guandan_engine.views import HandSummary, Private, Public, SeatEvent
from guandan_protocol.bounds import (
    FRAME_BYTES_MAX,
    HANDS_MAX,
    NUMBER_MAX,
    OPTIONS_MAX,
    RECORD_PAGE_CHARS_MAX,
    SECRET_BYTES_MAX,
    SERVER_FRAME_BYTES_MAX,
)
from guandan_protocol.errors import BadMessage, BadVersion, describe
from guandan_protocol.fields import optional
from guandan_protocol.message_fields import (
    CLIENT_MESSAGE,
    EVENT_LIST,
    MESSAGE,
    ROOM_VIEW,
    SERVER_MESSAGE,
    SESSION_RECORD,
)
from guandan_protocol.messages import VERSION, ClientMessage, RoomView, ServerMessage
from guandan_protocol.pack import map_head, pack_bytes, pack_int, pack_text
from guandan_protocol.view_fields import HAND_SUMMARY, PRIVATE, PUBLIC, SEAT

__all__ = [
    "decode_client",
    "decode_server",
    "encode",
    "pack_shared",
    "pack_update",
    "pack_welcome",
]


def decode_client(frame: bytes) -> ClientMessage:
    """The message of a client; BadMessage for anything else, and for nothing but that.

    Its `ref` is the message's counter or id if that could be read. It is a BadVersion if the
    frame names another version: later versions may say hello in ways that this one cannot read.
    """
    fields = _unpacked(frame, most=FRAME_BYTES_MAX, strings=SECRET_BYTES_MAX, items=OPTIONS_MAX)
    try:
        message: ClientMessage = CLIENT_MESSAGE.read(fields)
    except BadMessage as error:
        version = _number_in(fields, "version")
        if version is not None and version != VERSION:
            raise BadVersion("version", str(VERSION), describe(version), version=version) from error
        error.ref = _number_in(fields, "n") or _number_in(fields, "id") or 0
        raise
    return message


def decode_server(frame: bytes) -> ServerMessage:
    """The message of a server, as strictly; BadMessage for anything else."""
    fields = _unpacked(
        frame,
        most=SERVER_FRAME_BYTES_MAX,
        strings=4 * RECORD_PAGE_CHARS_MAX,
        items=HANDS_MAX,
    )
    message: ServerMessage = SERVER_MESSAGE.read(fields)
    return message


def encode(message: ClientMessage | ServerMessage) -> bytes:
    """The bytes of a message; TypeError for anything that is none."""
    return MESSAGE.pack(message)


# Bytes to plain data


def _unpacked(frame: bytes, *, most: int, strings: int, items: int) -> object:
    if len(frame) > most:
        raise BadMessage("", f"a frame of at most {most} bytes", f"{len(frame)} bytes")
    try:
        return msgpack.unpackb(
            frame,
            strict_map_key=True,
            object_pairs_hook=_map,
            ext_hook=_no_ext,
            max_str_len=strings,
            max_bin_len=SECRET_BYTES_MAX,
            max_array_len=items,
            max_map_len=items,
            max_ext_len=0,
        )
    except (ValueError, msgpack.UnpackException) as error:
        # Its own words stay out: they may repeat what came.
        raise BadMessage("", "one msgpack map", f"{len(frame)} bytes that are none") from error


def _map(pairs: Iterable[tuple[object, object]]) -> dict[str, object]:
    """A map; msgpack by itself takes keys of bytes and lets the last of two equal keys win."""
    found: dict[str, object] = {}
    for key, value in pairs:
        if type(key) is not str:
            raise BadMessage("", "keys of text", describe(key))
        if key in found:
            raise BadMessage("", "each key once", f"{describe(key)} twice")
        found[key] = value
    return found


def _no_ext(code: int, data: bytes) -> NoReturn:
    raise BadMessage("", "plain msgpack", f"an extension of type {code}")


def _number_in(fields: object, name: str) -> int | None:
    value = fields.get(name) if type(fields) is dict else None
    return value if type(value) is int and 0 <= value <= NUMBER_MAX else None


# The part that all audiences share, once


def _slots(*names: str) -> bytes:
    return b"".join([pack_text(name) + b"%b" for name in names])


def _around(tag: str, before: str, after: str) -> bytes:
    """The template of a message, with the shared part between some fields and some others."""
    size = len(("t", *before.split(), "view", "public", *after.split()))
    opening = map_head(size) + pack_text("t") + pack_text(tag)
    return opening + _slots(*before.split()) + b"%b" + _slots(*after.split())


_SHARED: Final = _slots("view", "public")
_UPDATE: Final = _around("update", "seq epoch events", "private finished seat")
_WELCOME: Final = _around("welcome", "room seat token counter seq epoch", "private record")
_PRIVATE: Final = optional(PRIVATE)
_FINISHED: Final = optional(HAND_SUMMARY)
_SEAT: Final = optional(SEAT)


def pack_shared(view: RoomView, public: Public) -> bytes:
    """What every audience is told, to be spliced into the message of each."""
    return _SHARED % (ROOM_VIEW.pack(view), PUBLIC.pack(public))


def pack_update(
    *,
    seq: int,
    epoch: int,
    events: tuple[SeatEvent, ...],
    shared: bytes,
    private: Private | None,
    finished: HandSummary | None,
    seat: Seat | None = None,
) -> bytes:
    """The bytes of an `Update` whose view and public part are in `shared`."""
    return _UPDATE % (
        pack_int(seq),
        pack_int(epoch),
        EVENT_LIST.pack(events),
        shared,
        _PRIVATE.pack(private),
        _FINISHED.pack(finished),
        _SEAT.pack(seat),
    )


def pack_welcome(
    *,
    room: str,
    seat: Seat | None,
    token: bytes,
    counter: int,
    seq: int,
    epoch: int,
    shared: bytes,
    private: Private | None,
    record: tuple[HandSummary, ...],
) -> bytes:
    """The bytes of a `Welcome` whose view and public part are in `shared`."""
    return _WELCOME % (
        pack_text(room),
        _SEAT.pack(seat),
        pack_bytes(token),
        pack_int(counter),
        pack_int(seq),
        pack_int(epoch),
        shared,
        _PRIVATE.pack(private),
        SESSION_RECORD.pack(record),
    )
