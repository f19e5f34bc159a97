"""Seats that this user holds: their tokens, one private file each, so that one can come back.

    $XDG_STATE_HOME/guandan/seats/<ROOM>-<mark>.json        0600 in a folder of 0700

A token opens a seat, so it never stands on a command line, where other users could read it. The
mark is made from server and token: two seats of one room, played from one machine, do not meet.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from attrs import field, frozen

from guandan_engine.seats import SEATS, Seat
from guandan_protocol.messages import TOKEN_BYTES

__all__ = ["Kept", "Keeper", "state_folder"]

FILES_MAX: Final = 200
"""More seats than one person comes back to; beyond it the oldest files go."""
FILE_BYTES_MAX: Final = 4096
_ROOM: Final = re.compile(r"[A-Z0-9]{3,16}")


@frozen
class Kept:
    """A seat that can be come back to."""

    server: str
    room: str
    seat: Seat
    token: bytes = field(repr=False)


def state_folder(environment: Mapping[str, str]) -> Path:
    """Where programs keep what is theirs alone; the XDG rule, which ignores a relative path."""
    named = environment.get("XDG_STATE_HOME", "")
    if named.startswith("/"):
        return Path(named) / "guandan"
    home = environment.get("HOME", "")
    return (Path(home) if home.startswith("/") else Path.home()) / ".local/state/guandan"


class Keeper:
    """Reads and writes the files. OSError says why a seat could not be kept."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "seats"

    def _file(self, kept: Kept) -> Path:
        mark = hashlib.sha256(kept.server.encode() + b"\0" + kept.token).hexdigest()[:12]
        return self._folder / f"{kept.room}-{mark}.json"

    def keep(self, kept: Kept) -> None:
        """Write the file whole or not at all; the newest seat of a room is the one kept last."""
        if not _ROOM.fullmatch(kept.room):
            raise OSError(f"no room's code: {kept.room[:20]!r}")
        for folder in (self._folder.parent, self._folder):  # `parents` would ignore the mode
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        plain = {
            "server": kept.server,
            "room": kept.room,
            "seat": kept.seat,
            "token": kept.token.hex(),
        }
        # mkstemp opens with 0600, so the token is at no moment readable by others.
        handle, name = tempfile.mkstemp(dir=self._folder, prefix=".", suffix=".part")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(plain, file)
            Path(name).replace(self._file(kept))
        except OSError:
            Path(name).unlink(missing_ok=True)
            raise
        for old in self._files()[FILES_MAX:]:
            old.unlink(missing_ok=True)

    def forget(self, kept: Kept) -> None:
        """Drop a seat that its token opens no more."""
        self._file(kept).unlink(missing_ok=True)

    def seats(self, room: str | None = None, server: str | None = None) -> list[Kept]:
        """The seats kept, newest first: of one room, on one server, or all."""
        found = [_read(path) for path in self._files()]
        return [
            kept
            for kept in found
            if kept is not None and room in (None, kept.room) and server in (None, kept.server)
        ]

    def _files(self) -> list[Path]:
        """Newest first."""
        dated = []
        try:
            for path in self._folder.iterdir():
                # Another program of ours may take a file away meanwhile.
                with contextlib.suppress(FileNotFoundError):
                    if path.suffix == ".json":
                        dated.append((path.stat().st_mtime_ns, path))
        except OSError:
            return []
        return [path for _, path in sorted(dated, reverse=True)]


def _read(path: Path) -> Kept | None:
    """The seat in a file; None if it is none of ours, or damaged."""
    try:
        with path.open(encoding="utf-8") as file:
            plain: Any = json.loads(file.read(FILE_BYTES_MAX))
        server, room, seat = plain["server"], plain["room"], plain["seat"]
        token = bytes.fromhex(plain["token"])
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None
    if not (isinstance(server, str) and isinstance(room, str) and len(token) == TOKEN_BYTES):
        return None
    return Kept(server=server, room=room, seat=Seat(seat), token=token) if seat in SEATS else None
