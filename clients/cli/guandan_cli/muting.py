"""Whose phrases a player does not want to hear."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from guandan_cli.scene import Role, Scene
from guandan_engine.seats import SEATS, Seat
from guandan_protocol.messages import SeatKind

__all__ = ["Muted", "speakers"]


def speakers(scene: Scene) -> Iterator[Seat]:
    """The others who can say something: people, for bots are silent."""
    for seat in SEATS:
        if scene.info(seat).kind is SeatKind.PERSON and scene.role(seat) is not Role.YOU:
            yield seat


@frozen
class Muted:
    """People by their seat and name: whoever sits there after them is heard."""

    people: frozenset[tuple[Seat, str]] = frozenset()

    def has(self, seat: Seat, scene: Scene) -> bool:
        return (seat, scene.info(seat).name) in self.people

    def toggled(self, seat: Seat, scene: Scene) -> Muted:
        return Muted(self.people ^ {(seat, scene.info(seat).name)})
