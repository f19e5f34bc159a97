"""What a selection of cards would be before it is played, and which cards are worth a look."""

from __future__ import annotations

from guandan_engine.cards import Card
from guandan_engine.combos import Reading
from guandan_engine.display import shown_as
from guandan_engine.errors import IllegalCommand, Reason
from guandan_engine.moves import legal_plays
from guandan_engine.options import Rules
from guandan_engine.phases import Following, Leading
from guandan_engine.readings import beating, judge, readings
from guandan_engine.seats import Seat
from guandan_engine.state import Match
from guandan_engine.views import PhaseName, SeatView
from guandan_protocol.messages import Preview, Previewed, ReadingInfo

__all__ = ["helpful", "preview"]


def preview(match: Match, seat: Seat, query: Preview) -> Previewed:
    """The readings of some cards of a seat's hand, and why they cannot be played, if so.

    Also answers when it is another's turn, so that people can prepare.
    """
    cards, level, phase = query.cards, match.standing.active, match.phase
    if not cards <= match.hands[seat - 1]:
        return Previewed(query.id, (), Reason.CARDS_NOT_HELD)
    found = readings(cards, level, match.rules)
    top = phase.top if isinstance(phase, Following) else None
    able = beating(found, top, level)
    infos = tuple([ReadingInfo(one, one in able, shown_as(cards, one, level)) for one in found])
    return Previewed(query.id, infos, _why_not(match, seat, query, top))


def _why_not(match: Match, seat: Seat, query: Preview, top: Reading | None) -> str:
    phase = match.phase
    if not isinstance(phase, Leading | Following):
        return Reason.WRONG_PHASE
    try:
        judge(query.cards, None, top, match.standing.active, match.rules)
    except IllegalCommand as illegal:
        return illegal.reason
    return "" if phase.turn == seat else Reason.NOT_YOUR_TURN


def helpful(view: SeatView, rules: Rules) -> tuple[Card, ...]:
    """The faces of a seat's hand that are part of anything that it may do now."""
    public, private = view.public, view.private
    match public.phase:
        case PhaseName.LEADING | PhaseName.FOLLOWING:
            plays = legal_plays(private.hand, public.level, rules, public.top)
            return tuple(plays.faces())
        case PhaseName.PAYING:
            return private.pay
        case PhaseName.RETURNING:
            return private.give_back
        case _:
            return ()
