"""What connections ask of a room, and what people say in it: nothing of it is ever stored."""

from __future__ import annotations

from typing import Final

from guandan_engine.seats import SEATS, Seat
from guandan_engine.views import asked, seat_view
from guandan_protocol import messages as m
from guandan_protocol.messages import Code, Stage
from guandan_server.answers import refused
from guandan_server.items import Ask, LookBack, Output, Suggest, Tell
from guandan_server.limits import Bucket
from guandan_server.presence import Presence
from guandan_server.previews import preview
from guandan_server.refusals import Refusal
from guandan_server.roomstate import RoomState

__all__ = ["PHRASES_BURST", "PHRASE_S", "Inquiries"]

PHRASES_BURST: Final = 3
"""A greeting, an answer and a joke are a conversation; more at once is noise."""
PHRASE_S: Final = 4
"""After that, one in so many seconds: about as often as somebody plays."""


class Inquiries:
    """One room's; it remembers how much each of its people has said lately."""

    def __init__(self) -> None:
        self._said: dict[str, Bucket] = {}
        """By seat key, so that a new connection is no new voice."""
        self._players: tuple[int, tuple[str, ...]] | None = None
        """A match that is over, and the keys of those who sat there when it ended."""

    def answer(
        self, item: Ask, state: RoomState, present: Presence, now: int
    ) -> tuple[Output, ...]:
        """What the connection is told, and the others where it speaks to them."""
        try:
            seat = present.seat_of(item.conn)
            if seat is None:
                raise Refusal(Code.NOT_SEATED, "watchers have no hand and no voice")  # noqa: TRY301  answered below
            match item.query:
                case m.Preview():
                    return (Tell(item.conn, preview(state.match, seat, item.query)),)
                case m.AskHints(number):
                    return (self._suggest(item, number, seat, state),)
                case m.AskReview(number, hand):
                    return (self._look_back(item, number, hand, seat, state),)
                case m.Say():
                    return self._say(item, item.query, seat, state, present, now)
        except Refusal as refusal:
            return (Tell(item.conn, refused(item.query.id, refusal)),)

    def follow(self, state: RoomState) -> None:
        """Forget people who have no seat any more; remember who played a match that is over."""
        self._note_players(state)
        keys = {seat.key for seat in state.seats}
        if len(self._said) > len(keys):
            self._said = {key: bucket for key, bucket in self._said.items() if key in keys}

    def _suggest(self, item: Ask, number: int, seat: Seat, state: RoomState) -> Output:
        if not state.settings.hints:
            raise Refusal(Code.HINTS_OFF, "this table plays without hints")
        if seat not in asked(state.match):
            raise Refusal(Code.NOT_NOW, "nothing is asked of you")
        return Suggest(item.conn, number, seat_view(state.match, seat), state.match.rules)

    def _note_players(self, state: RoomState) -> None:
        """Once a match: afterwards people may change seats.

        A room that was woken only then knows no better than who sits where by now.
        """
        if state.stage is not Stage.MATCH_OVER:
            return
        if self._players is None or self._players[0] != state.match_no:
            self._players = state.match_no, tuple([seat.key for seat in state.seats])

    def _look_back(self, item: Ask, number: int, hand: int, seat: Seat, state: RoomState) -> Output:
        self._note_players(state)
        if state.stage is not Stage.MATCH_OVER or self._players is None:
            raise Refusal(Code.NOT_NOW, "no match is over here")
        match, keys = self._players
        key = state.seat(seat).key
        if key not in keys:
            raise Refusal(Code.FORBIDDEN, "you did not play in that match")
        hands = state.match.deal.number
        if hand > hands:
            raise Refusal(Code.NO_SUCH_RECORD, f"the match had {hands} hands")
        played = SEATS[keys.index(key)]
        return LookBack(item.conn, number, match, played, hand, hands)

    def _say(
        self,
        item: Ask,
        say: m.Say,
        seat: Seat,
        state: RoomState,
        present: Presence,
        now: int,
    ) -> tuple[Output, ...]:
        if not state.settings.phrases:
            raise Refusal(Code.FORBIDDEN, "this table plays without phrases")
        new = Bucket(per_s=1 / PHRASE_S, burst=PHRASES_BURST)
        bucket = self._said.setdefault(state.seat(seat).key, new)
        if not bucket.try_take(now / 1000):
            wait_ms = int(bucket.wait_s(now / 1000) * 1000) + 1
            raise Refusal(Code.TOO_FAST, "too many phrases at once", retry_ms=wait_ms)
        heard = m.Said(seat, say.phrase)
        own = m.Said(seat, say.phrase, say.id)
        return tuple(
            [Tell(conn, own if conn == item.conn else heard) for conn, _ in present.everyone()]
        )
