"""What a server's process uses while a swarm is at it, if it may be looked at."""

from __future__ import annotations

from attrs import frozen

from guandan_bots.processes import Usage, children, usage

__all__ = ["Meter", "ServerUse"]

KIB = 1024
MIB = 1024 * KIB


@frozen
class ServerUse:
    """What the server used."""

    pid: int
    cpu_s: float
    """While the load ran."""
    actions_per_cpu_s: float | None
    rss_mib: float
    """At the end."""
    rss_kib_per_room: float
    """How much it grew since before the first room, connections and all."""
    store_cpu_s: float
    """Of the processes that it started: its own store, if it has one."""


class Meter:
    """Reads a process before the first room, and at both ends of the load."""

    def __init__(self, pid: int | None) -> None:
        self._pid = pid
        self._empty = self._read()
        self._begun = self._ended = self._empty
        self._store_begun_s = self._store_ended_s = 0.0

    def begin(self) -> None:
        self._begun, self._store_begun_s = self._read(), self._read_store_s()

    def end(self) -> None:
        self._ended, self._store_ended_s = self._read(), self._read_store_s()

    def use(self, *, actions: int, rooms: int) -> ServerUse | None:
        """What was read; None if the process could not be looked at, or is gone."""
        empty, begun, ended = self._empty, self._begun, self._ended
        if self._pid is None or empty is None or begun is None or ended is None:
            return None
        cpu_s = ended.cpu_s - begun.cpu_s
        return ServerUse(
            pid=self._pid,
            cpu_s=round(cpu_s, 3),
            actions_per_cpu_s=round(actions / cpu_s, 1) if cpu_s else None,
            rss_mib=round(ended.rss_bytes / MIB, 1),
            rss_kib_per_room=round((ended.rss_bytes - empty.rss_bytes) / KIB / rooms, 1),
            store_cpu_s=round(self._store_ended_s - self._store_begun_s, 3),
        )

    def _read(self) -> Usage | None:
        return None if self._pid is None else usage(self._pid)

    def _read_store_s(self) -> float:
        uses = [] if self._pid is None else [usage(child) for child in children(self._pid)]
        return sum([use.cpu_s for use in uses if use is not None])
