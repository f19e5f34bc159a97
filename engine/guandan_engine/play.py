"""Whose turn, the end of a trick, jiefeng, going out (rules 2 rows 30-40, 5).

`lay` and `give_up` are the order of play: they look at shapes and seats, never at hands, so the
machine, the referee and the tests share them.
"""

from __future__ import annotations

from itertools import permutations
from typing import Final

from guandan_engine.errors import IllegalCommand, Reason
from guandan_engine.events import TrickClosed
from guandan_engine.moves import Offer
from guandan_engine.phases import NOTHING_SHOWN, PASSED, Following, Leading, Shown
from guandan_engine.seats import SEATS, Seat, partner_of, seats_from

__all__ = ["check_turn", "give_up", "lay"]

_AFTER: Final = {
    (seat, out): tuple([s for s in seats_from(seat)[1:] if s not in out])
    for seat in SEATS
    for n in range(len(SEATS))
    for out in permutations(SEATS, n)
}
"""Seats with cards that come after a player, by the seats out in their order."""


def check_turn(phase: Leading | Following, seat: Seat) -> None:
    """IllegalCommand unless it is that seat's turn."""
    if seat != phase.turn:
        raise IllegalCommand(
            Reason.NOT_YOUR_TURN, expected=f"seat {phase.turn}", got=f"seat {seat}"
        )


def lay(phase: Leading | Following, offer: Offer, *, emptied: bool) -> Following:
    """The table after the seat to act has played; `emptied`: with its last card.

    The caller asks `scoring.hand_is_over` first where a hand may have ended: then nobody is left to
    answer, and `waiting` of the phase that comes back means nothing.
    """
    seat = phase.turn
    out = (*phase.out, seat) if emptied else phase.out
    leader, shown = seat, NOTHING_SHOWN
    if type(phase) is Following:
        leader, shown = phase.leader, phase.shown
    waiting = _AFTER[seat, out]
    return Following(offer.reading, seat, waiting, out, _with(shown, seat, offer), leader)


def _with(
    shown: tuple[Shown, Shown, Shown, Shown], seat: Seat, one: Shown
) -> tuple[Shown, Shown, Shown, Shown]:
    """What lies before the seats once one of them has done something else."""
    after = list(shown)
    after[seat - 1] = one
    return tuple(after)  # type: ignore[return-value]  # as many as there were


def give_up(phase: Following) -> tuple[Following | Leading, tuple[TrickClosed, ...]]:
    """The table after the seat to act has passed, and the trick if that closed it."""
    waiting = phase.waiting
    if len(waiting) > 1:
        shown = _with(phase.shown, waiting[0], PASSED)
        after = Following(phase.top, phase.by, waiting[1:], phase.out, shown, phase.leader)
        return after, ()
    winner = phase.by
    leader = winner
    if winner in phase.out:
        leader = partner_of(winner)
        # Were the partner out as well, the winner's last card would have ended the hand.
        assert leader not in phase.out, "the wind finds nobody"
    return Leading(turn=leader, out=phase.out), (TrickClosed(winner, leader),)
