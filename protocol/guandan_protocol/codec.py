"""Messages to bytes and back: one msgpack map a frame, told apart by its field `t`.

    decode_client(frame)    what a client sent, or BadMessage      (the server's ear)
    decode_server(frame)    what the server sent, or BadMessage    (the client's ear)
    encode(message)         the one form of a message; other things have no bytes: TypeError

Most of an update is the same for all four seats and the watchers. The server packs that once and
puts in what each audience is told apart:

    packed = pack_update(seq=…, epoch=…, events=…, view=pack_view(…), public=…, finished=…)
    packed.to(private, seat)                                                      per audience

The bytes are those of `encode(Update(…))`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NoReturn

import msgpack
from attrs import field, frozen

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
)
from guandan_protocol.messages import VERSION, ClientMessage, RoomView, ServerMessage
from guandan_protocol.pack import map_head, pack_int, pack_text
from guandan_protocol.view_fields import HAND_SUMMARY, PRIVATE, PUBLIC, SEAT

__all__ = [
    "PackedUpdate",
    "decode_client",
    "decode_server",
    "encode",
    "pack_update",
    "pack_view",
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


_UPDATE_OPENS: Final = (
    map_head(9)
    + _slots("t") % pack_text("update")
    + _slots(*"seq epoch events view public".split())
    + pack_text("private")
)
_UPDATE_CLOSES: Final = _slots("finished") + pack_text("seat")
_PRIVATE: Final = optional(PRIVATE)
_FINISHED: Final = optional(HAND_SUMMARY)
_SEAT: Final = optional(SEAT)


def pack_view(view: RoomView) -> bytes:
    """The room around the match, which many updates in a row have in common."""
    return ROOM_VIEW.pack(view)


@frozen
class PackedUpdate:
    """An update, packed but for what each audience is told apart."""

    _opening: bytes = field(repr=False)
    _closing: bytes = field(repr=False)

    def to(self, private: Private | None, seat: Seat | None = None) -> bytes:
        """The bytes of the `Update` for a seat; of a watcher's, without arguments."""
        return b"".join([self._opening, _PRIVATE.pack(private), self._closing, _SEAT.pack(seat)])


def pack_update(
    *,
    seq: int,
    epoch: int,
    events: tuple[SeatEvent, ...],
    view: bytes,
    public: Public,
    finished: HandSummary | None,
) -> PackedUpdate:
    """What some audiences of an update have in common; `view` comes from `pack_view`."""
    opening = _UPDATE_OPENS % (
        pack_int(seq),
        pack_int(epoch),
        EVENT_LIST.pack(events),
        view,
        PUBLIC.pack(public),
    )
    return PackedUpdate(opening, _UPDATE_CLOSES % _FINISHED.pack(finished))
