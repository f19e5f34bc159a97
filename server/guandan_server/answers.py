"""What goes out of a room: updates as each may know them, and refusals."""

from __future__ import annotations

from attrs import field, frozen

from guandan_engine.commands import Command, Pass, Pay, Play, Return, TimeOut
from guandan_engine.events import Event
from guandan_engine.moves import Offer
from guandan_engine.phases import Paying
from guandan_engine.seats import Seat
from guandan_engine.state import Match
from guandan_engine.views import HandSummary, Public, private_view, public_view, redact
from guandan_protocol import messages as m
from guandan_protocol.messages import Code
from guandan_server.items import Conn, Drop, Output, Tell, Thought
from guandan_server.refusals import Refusal

__all__ = ["Announced", "decided", "refused", "turned_away"]


@frozen
class Announced:
    """Something that everybody is told: the same public part, and to each seat its own."""

    seq: int
    epoch: int
    match: Match
    view: m.RoomView
    events: tuple[Event, ...] = field(repr=False)
    finished: HandSummary | None
    public: Public = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "public", public_view(self.match))

    def to(self, seat: Seat | None) -> m.Update:
        """The update for a seat; None is a watcher."""
        return m.Update(
            seq=self.seq,
            epoch=self.epoch,
            events=tuple([redact(event, seat) for event in self.events]),
            view=self.view,
            public=self.public,
            private=None if seat is None else private_view(self.match, seat),
            finished=self.finished,
            seat=seat,
        )


def decided(item: Thought, match: Match) -> Command:
    seat, turn, choice = item.seat, item.turn, item.choice
    if item.failed:
        return TimeOut(seat, turn)
    if isinstance(choice, Offer):
        return Play(seat, choice.cards, choice.reading, turn)
    if choice is None:
        return Pass(seat, turn)
    if isinstance(match.phase, Paying):
        return Pay(seat, choice, turn)
    return Return(seat, choice, turn)


def turned_away(conn: Conn, refusal: Refusal) -> tuple[Output, ...]:
    """What a connection is told whose hello is refused."""
    close = m.CLOSE_BAD_TOKEN if refusal.code is Code.BAD_TOKEN else m.CLOSE_REFUSED
    return (
        Tell(conn, refused(0, refusal)),
        Drop(conn, close, m.Goodbye(refusal.code, refusal.retry_ms)),
    )


def refused(ref: int, refusal: Refusal) -> m.Refused:
    return m.Refused(ref, refusal.code, refusal.text, refusal.retry_ms)
