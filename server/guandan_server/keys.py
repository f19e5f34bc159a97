"""Every key this server writes, in one place.

A room's keys share the hash tag `{ROOM}`, hence one cluster slot, and no script touches a key
outside its room.

    g:{ROOM}:meta        hash    the room's head; its presence *is* the room's existence
        fence            of the last claim: its time in milliseconds, and above the one before;
                         commits under any other are refused
        epoch            rises only when history was rewound
        seq              number of the last entry in the log; 0 before the first
        sum              checksum of the snapshot at `seq`
        node             who claimed it last
        claim            token of the call that wrote `fence`: a call sent twice knows itself
        public           1 if the room may be listed, else 0
        a:<seat key>     "<counter>:<seq>:<digest>" of the last action of that seat
    g:{ROOM}:log         stream  one entry per commit, id <seq>-0, field `e`
    g:{ROOM}:snap        string  the whole state at `seq`
    g:{ROOM}:recs        set     numbers of the finished matches on record
    g:{ROOM}:rec:<n>     string  the record of match n, with a lifetime of its own

    g:public:<shard>     set     codes of public rooms. A hint, never the truth: written outside
                                 of the scripts, checked against `meta` by whoever reads it.

    g:node:<name>        string  where a live node is reached; runs out without its heartbeat
    g:held:<name>        set     codes of rooms that a node has awake, for whoever succeeds it
    g:nodes              set     names of nodes with rooms, the dead included

What was weighed for the list of public rooms: SCAN over `g:{*}:meta` needs no second key, but
walks every key of every room to find a handful, and on a cluster every node as well. One set
per node is no use once the node is dead. A fixed number of shards by room code keeps each set
small and spreads over a cluster; a stale code costs its reader one HGET and is then removed.
"""

from __future__ import annotations

import re
import zlib
from functools import lru_cache

from attrs import frozen

PUBLIC_SHARDS = 16
"""Enough to spread a list over a cluster, few enough to walk. Changing it hides listed rooms
until their next refresh."""

_ROOM = re.compile(r"[0-9A-Za-z_-]{1,32}")


@frozen
class RoomKeys:
    """One room's keys.

    >>> keys = room_keys("K7QM")
    >>> keys.meta, keys.rec(3)
    ('g:{K7QM}:meta', 'g:{K7QM}:rec:3')
    """

    meta: str
    log: str
    snap: str
    recs: str

    def rec(self, match: int) -> str:
        return self.recs.removesuffix("s") + f":{match}"


@lru_cache(maxsize=4096)
def room_keys(room: str) -> RoomKeys:
    """A code with a brace in it would move its keys to another slot, or onto another room's."""
    if not _ROOM.fullmatch(room):
        raise ValueError(f"not a room code: {room!r}")
    tag = f"g:{{{room}}}"
    return RoomKeys(
        meta=f"{tag}:meta",
        log=f"{tag}:log",
        snap=f"{tag}:snap",
        recs=f"{tag}:recs",
    )


def public_shard(room: str) -> int:
    return zlib.crc32(room.encode()) % PUBLIC_SHARDS


def public_key(shard: int) -> str:
    return f"g:public:{shard}"


NODES_KEY = "g:nodes"


def node_key(node: str) -> str:
    return f"g:node:{node}"


def held_key(node: str) -> str:
    return f"g:held:{node}"
