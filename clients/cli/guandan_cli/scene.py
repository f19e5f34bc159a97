"""All that a client knows at one moment: what everything on the screen is a function of."""

from __future__ import annotations

from enum import Enum

from attrs import evolve, frozen

from guandan_engine.moves import legal_plays
from guandan_engine.options import Rules, rules
from guandan_engine.seats import Seat, Team, next_seat, partner_of, team_of
from guandan_engine.views import HandSummary, PhaseName, Private, Public
from guandan_protocol.messages import Control, RoomView, SeatInfo, Stage, Update, Welcome

__all__ = ["PLAY_PHASES", "Role", "Scene", "updated", "welcomed"]

PLAY_PHASES = frozenset(
    {PhaseName.PAYING, PhaseName.RETURNING, PhaseName.LEADING, PhaseName.FOLLOWING}
)
"""While somebody is asked for a card."""


class Role(Enum):
    """Who a seat is to the one that looks."""

    YOU = "you"
    NEXT = "next"
    PARTNER = "partner"
    PREVIOUS = "previous"
    STRANGER = "stranger"
    """To a watcher, everybody is."""


@frozen
class Scene:
    """The last view that the server sent, and where we sit in it."""

    room: str
    seat: Seat | None
    """None for a watcher."""
    view: RoomView
    public: Public
    private: Private | None
    record: tuple[HandSummary, ...] = ()

    @property
    def is_asked(self) -> bool:
        """Is a card, or a pass, wanted from us now?"""
        return self.is_live and self.seat in self.public.asked

    @property
    def plays_in_person(self) -> bool:
        """Does the person at our seat decide, rather than a bot for them?"""
        return self.seat is not None and self.info(self.seat).control is Control.SELF

    @property
    def must_pass(self) -> bool:
        """Is there nothing that beats the table? The very list that the referee uses says so."""
        if self.private is None or not self.is_asked:
            return False
        if self.public.phase is not PhaseName.FOLLOWING:
            return False
        public = self.public
        return not legal_plays(self.private.hand, public.level, self.rules, public.top)

    @property
    def is_live(self) -> bool:
        """Is a hand being played?"""
        return self.view.stage is Stage.PLAYING and self.public.phase in PLAY_PHASES

    @property
    def is_host(self) -> bool:
        return self.seat is not None and self.view.host == self.seat

    @property
    def team(self) -> Team | None:
        return None if self.seat is None else team_of(self.seat)

    @property
    def rules(self) -> Rules:
        return rules(self.view.preset, self.view.options)

    def info(self, seat: Seat) -> SeatInfo:
        return self.view.seats[seat - 1]

    def role(self, seat: Seat) -> Role:
        if self.seat is None:
            return Role.STRANGER
        if seat == self.seat:
            return Role.YOU
        if seat == partner_of(self.seat):
            return Role.PARTNER
        return Role.NEXT if seat == next_seat(self.seat) else Role.PREVIOUS


def welcomed(welcome: Welcome) -> Scene:
    """What somebody sees who is let in."""
    return Scene(
        room=welcome.room,
        seat=welcome.seat,
        view=welcome.view,
        public=welcome.public,
        private=welcome.private,
        record=welcome.record,
    )


def updated(before: Scene, update: Update) -> Scene:
    """What is seen after something has happened; an update has all but the finished hands."""
    finished = () if update.finished is None else (update.finished,)
    return evolve(
        before,
        seat=update.seat or before.seat,
        view=update.view,
        public=update.public,
        private=update.private,
        record=(*before.record, *finished),
    )
