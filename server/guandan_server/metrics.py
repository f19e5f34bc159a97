"""The catalogue of metrics: every name this server exports, with its meaning, in one place.

Counters and histograms are counted where things happen; gauges are read off the node when somebody
asks. Labels have few values, all of them ours: never a room, a name or an address.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from typing import Final, Protocol

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Metric,
    ProcessCollector,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from guandan_engine.seats import SEATS
from guandan_protocol.messages import Code, SeatKind, Stage
from guandan_server.errors import Trouble
from guandan_server.roomstate import RoomState

__all__ = ["Gauges", "Metrics", "Observed"]

_FAST: Final = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 3.0, 10.0)
"""Buckets in seconds: a commit takes about a millisecond, and three are the longest wait."""


class Metrics:
    """One process's metrics, in a registry of their own."""

    def __init__(self) -> None:
        registry = self.registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self.actions = Counter(
            "guandan_actions",
            "Changes stored, by what was done; bots' and clocks' included.",
            ["what"],
            registry=registry,
        )
        self.refusals = Counter(
            "guandan_refusals",
            "Hellos, actions and queries refused, by code.",
            ["code"],
            registry=registry,
        )
        self.commit_seconds = Histogram(
            "guandan_commit_seconds",
            "From a change to the store's answer.",
            buckets=_FAST,
            registry=registry,
        )
        self.broadcast_seconds = Histogram(
            "guandan_broadcast_seconds",
            "Packing a stored change for everybody and handing it to their connections.",
            buckets=_FAST,
            registry=registry,
        )
        self.fences_lost = Counter(
            "guandan_fences_lost",
            "Rooms that turned out to be another node's when we wanted to store something.",
            registry=registry,
        )
        self.takeovers = Counter(
            "guandan_takeovers",
            "Rooms taken over from dead nodes by the sweeper.",
            registry=registry,
        )
        self.store_errors = Counter(
            "guandan_store_errors",
            "Commits that the store did not answer.",
            ["trouble"],
            registry=registry,
        )
        self.loop_lag_seconds = Histogram(
            "guandan_loop_lag_seconds",
            "How much later than asked the event loop ran something.",
            buckets=_FAST,
            registry=registry,
        )
        self.bot_failures = Counter(
            "guandan_bot_failures",
            "Decisions that a policy failed to make; a lighter one's or the clock's move was made.",
            ["level"],
            registry=registry,
        )
        self.decisions = Counter(
            "guandan_decisions",
            "Decisions of bots, by the level that made them, and whether it searched.",
            ["level", "searched"],
            registry=registry,
        )
        self.fallbacks = Counter(
            "guandan_decision_fallbacks",
            "Decisions, and hints, that were left to a lighter level or to the loop, and why.",
            ["level", "reason"],
            registry=registry,
        )
        self.thinking_seconds = Histogram(
            "guandan_thinking_seconds",
            "From asking a level that thinks beside the loop to its answer, the queue included.",
            ["level"],
            buckets=_FAST,
            registry=registry,
        )
        self.thinking_waiting = Gauge(
            "guandan_thinking_waiting",
            "Questions that no worker has begun to answer.",
            registry=registry,
        )
        self.messages_bad = Counter(
            "guandan_messages_bad", "Frames that were no messages.", registry=registry
        )
        # There from the start: a rate does not see the first appearance of a counter.
        for code in Code:
            self.refusals.labels(code.value)
        for trouble in Trouble:
            self.store_errors.labels(trouble.value)
        build = Gauge("guandan_build_info", "Which version runs.", ["version"], registry=registry)
        build.labels(version("guandan-table")).set(1)


class Observed(Protocol):
    """What the gauges are read off."""

    def room_states(self) -> Iterable[RoomState]:
        """The rooms that are awake here."""

    def connections(self) -> int: ...

    def silent_s(self) -> float:
        """Seconds since the last heartbeat was written."""


class Gauges(Collector):
    """Gauges, read when they are asked for."""

    def __init__(self, observed: Observed) -> None:
        self._observed = observed

    def collect(self) -> Iterator[Metric]:
        states = list(self._observed.room_states())
        rooms = GaugeMetricFamily(
            "guandan_rooms", "Rooms awake on this node, by stage.", labels=["stage"]
        )
        stages = Tally(state.stage for state in states)
        for stage in Stage:
            rooms.add_metric([stage.value], stages[stage])
        yield rooms
        seats = GaugeMetricFamily(
            "guandan_seats", "Seats in those rooms, by who sits there.", labels=["kind"]
        )
        kinds = Tally(state.seat(seat).kind for state in states for seat in SEATS)
        for kind in SeatKind:
            seats.add_metric([kind.value], kinds[kind])
        yield seats
        yield GaugeMetricFamily(
            "guandan_connections", "Open connections.", value=self._observed.connections()
        )
        yield GaugeMetricFamily(
            "guandan_heartbeat_age_seconds",
            "Since this node's last heartbeat was written.",
            value=self._observed.silent_s(),
        )
