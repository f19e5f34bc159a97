"""What a run of a swarm came to, and how it is counted."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence

from attrs import asdict, frozen

from guandan_bots.load_meter import ServerUse

__all__ = ["Latency", "Report", "Tally", "latency"]


@frozen
class Latency:
    """Milliseconds; None where there was nothing to measure."""

    p50: float | None
    p90: float | None
    p99: float | None
    max: float | None


def latency(seconds: Sequence[float]) -> Latency:
    """Percentiles by the nearest rank.

    >>> latency([0.004, 0.001, 0.002, 0.003])
    Latency(p50=2.0, p90=4.0, p99=4.0, max=4.0)
    >>> latency([]).p50 is None
    True
    """
    ordered = sorted(seconds)
    if not ordered:
        return Latency(None, None, None, None)

    def rank(percent: int) -> float:
        return round(1000 * ordered[-(-len(ordered) * percent // 100) - 1], 3)

    return Latency(rank(50), rank(90), rank(99), rank(100))


@frozen
class Report:
    """One run, as `guandan load --json` prints it."""

    server: str
    rooms: int
    people: int
    """Connections of each room; bots of the server have the other seats."""
    rate_wanted: float | None
    """Actions a second over all rooms; None: as many as go."""
    seconds: float
    """How long the load ran."""
    actions: int
    """That were acknowledged."""
    rate: float
    latency_ms: Latency
    """From sending an action to the last seat's view with it."""
    done_ms: Latency
    """From sending an action to its `done`."""
    errors: dict[str, int]
    """Refusals, and ends of sessions, by code."""
    reconnects: int
    lost: int
    """How often a server had forgotten what it had acknowledged."""
    timed_out: int
    """Clocks that ran out."""
    unanswered: int
    """Actions that were still on their way when the time was up."""
    behind: int
    """Actions that were due while no room was waiting for one."""
    hands: int
    matches: int
    """That were finished."""
    open_s: float
    """What it took until all rooms played."""
    swarm_cpu_s: float
    """Of this process: near `seconds` it is the swarm that is slow, not the server."""
    server_use: ServerUse | None
    interrupted: bool

    def plain(self) -> dict[str, object]:
        return asdict(self)


class Tally:
    """What a swarm counts as it goes."""

    def __init__(self) -> None:
        self.latencies_s = array("d")
        self.done_s = array("d")
        self.errors: Counter[str] = Counter()
        self.reconnects = 0
        self.lost = 0
        self.timed_out = 0
        self.behind = 0
        self.hands = 0
        self.matches = 0

    def clear(self) -> None:
        """Forget all of it: what comes now is what counts."""
        self.__init__()  # type: ignore[misc]  # the one place that says what there is
