"""Typed messages and their bytes: what clients and server say to each other.

>>> frame = encode(messages.Pass(n=7, turn=40))
>>> frame.hex(" ")
'83 a1 74 a4 70 61 73 73 a1 6e 07 a4 74 75 72 6e 28'
>>> decode_client(frame)
Pass(n=7, turn=40)
>>> decode_client(b"no message")
Traceback (most recent call last):
guandan_protocol.errors.BadMessage: expected one msgpack map, got 10 bytes that are none

`messages` has every message, `codec` their bytes, `bounds` all limits; `docs/protocol.md` says it
for other languages. Two more doors are used by name, for they bring the sockets: `client` is the
one client (`TableClient`), `lobby` asks without a room (`list_rooms`, `fetch_record`).
"""

from guandan_protocol import bounds, messages
from guandan_protocol.codec import (
    PackedUpdate,
    decode_client,
    decode_server,
    encode,
    pack_update,
    pack_view,
)
from guandan_protocol.codes import Close, Code
from guandan_protocol.errors import (
    BadMessage,
    BadVersion,
    ProtocolError,
    QueryRefused,
    SessionEnded,
    Unreachable,
)
from guandan_protocol.messages import (
    SUBPROTOCOL,
    VERSION,
    Action,
    ClientMessage,
    Hello,
    Query,
    ServerMessage,
)
from guandan_protocol.roomview import RoomView, SeatInfo, Settings

__all__ = [
    # messages, as a module: some have the names of the engine's commands
    "messages",
    "ClientMessage",
    "ServerMessage",
    "Hello",
    "Action",
    "Query",
    "SUBPROTOCOL",
    "VERSION",
    "Code",
    "Close",
    # the room around the match
    "RoomView",
    "SeatInfo",
    "Settings",
    # bytes
    "encode",
    "decode_client",
    "decode_server",
    "PackedUpdate",
    "pack_update",
    "pack_view",
    "bounds",
    # what went wrong
    "ProtocolError",
    "BadMessage",
    "BadVersion",
    "QueryRefused",
    "SessionEnded",
    "Unreachable",
]
