"""What a process of this machine uses, read from `/proc`; where there is none, nobody knows."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Final

from attrs import frozen

__all__ = ["Usage", "children", "listening", "usage"]

_PROC: Final = Path("/proc")
_LISTENS: Final = "0A"
"""TCP_LISTEN in the kernel's tables."""


@frozen
class Usage:
    """What a process has used until now."""

    cpu_s: float
    rss_bytes: int


def usage(pid: int) -> Usage | None:
    """Of a process; None if it is gone, or not ours to look at."""
    try:
        # The command's name stands in brackets and may hold anything, brackets too.
        fields = (_PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
        pages = int((_PROC / str(pid) / "statm").read_text().split()[1])
    except (OSError, IndexError, ValueError):
        return None
    ticks = int(fields[11]) + int(fields[12])
    return Usage(ticks / os.sysconf("SC_CLK_TCK"), pages * os.sysconf("SC_PAGE_SIZE"))


def children(pid: int) -> tuple[int, ...]:
    """The processes that it has started and that still run."""
    try:
        text = (_PROC / str(pid) / "task" / str(pid) / "children").read_text()
    except OSError:
        return ()
    return tuple([int(child) for child in text.split()])


def listening(port: int) -> int | None:
    """The process that listens on a TCP port of this machine; None if that cannot be seen."""
    sockets = {f"socket:[{inode}]" for inode in _listeners(port)}
    if not sockets:
        return None
    for process in _PROC.iterdir():
        if process.name.isdecimal() and sockets & _open_sockets(process):
            return int(process.name)
    return None


def _listeners(port: int) -> set[str]:
    """The inodes of the sockets that listen on a port."""
    found = set()
    for table in ("tcp", "tcp6"):
        try:
            lines = (_PROC / "net" / table).read_text().splitlines()[1:]
        except OSError:
            continue
        for line in lines:
            fields = line.split()
            if fields[3] == _LISTENS and int(fields[1].rpartition(":")[2], 16) == port:
                found.add(fields[9])
    return found


def _open_sockets(process: Path) -> set[str]:
    found = set()
    with contextlib.suppress(OSError):  # not ours, or gone
        for link in (process / "fd").iterdir():
            with contextlib.suppress(OSError):  # closed since it was listed
                found.add(str(link.readlink()))
    return found
