"""What each audience may know: the only way out of the state.

A view is built up from what may be seen, never cut down from what may not. The public part is the
same for everyone and holds all that a watcher gets; a seat adds its private part. `redact` does
the same for events and must answer for every class of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import assert_never

from attrs import field, frozen

from guandan_engine import machine
from guandan_engine.cards import Card, Cards, Rank
from guandan_engine.combos import Reading
from guandan_engine.display import shown_as
from guandan_engine.events import (
    CardsReturned,
    Event,
    GiftChosen,
    HandEnded,
    HandStarted,
    OpenerDrawn,
    Passed,
    Played,
    ReturnChosen,
    TimedOut,
    TributePaid,
    TributeResisted,
    TrickClosed,
    WentOut,
)
from guandan_engine.moves import Offer
from guandan_engine.phases import (
    Following,
    HandOver,
    Leading,
    MatchOver,
    Pass,
    Paying,
    Returning,
    Shown,
    Waiting,
    held_back,
)
from guandan_engine.scoring import Outcome
from guandan_engine.seats import SEATS, Seat, Team
from guandan_engine.state import Hands, Match, played_by
from guandan_engine.tribute import Debt, Gift

__all__ = [
    "CardsReturned",
    "Chosen",
    "Dealt",
    "HandEnded",
    "HandSummary",
    "Laid",
    "NOTHING_LAID",
    "OnTable",
    "OpenerDrawn",
    "Passed",
    "PhaseName",
    "Played",
    "Private",
    "Public",
    "SeatEvent",
    "SeatView",
    "TimedOut",
    "TributePaid",
    "TributeResisted",
    "TrickClosed",
    "WentOut",
    "asked",
    "private_view",
    "public_view",
    "redact",
    "seat_view",
    "summary",
]


class PhaseName(StrEnum):
    """Phases as clients know them."""

    WAITING = "waiting"
    PAYING = "paying"
    RETURNING = "returning"
    LEADING = "leading"
    FOLLOWING = "following"
    HAND_OVER = "hand_over"
    MATCH_OVER = "match_over"


@frozen
class Laid:
    """A play as it lies on the table."""

    cards: Cards
    reading: Reading
    shown_as: tuple[Card, ...] = ()
    """What each wild in it stands for; empty without one."""


OnTable = Laid | Pass | None
"""What lies before a seat in the open trick."""

FourOnTable = tuple[OnTable, OnTable, OnTable, OnTable]

NOTHING_LAID: FourOnTable = (None, None, None, None)


@frozen
class Public:
    """What everybody at the table, and anybody watching, may know of a match."""

    phase: PhaseName
    turn: int
    """`Match.turn`: what a command may quote, so that a late one is refused as stale."""
    asked: tuple[Seat, ...]
    """Who must act now; two donors or recipients can be asked at once."""
    hand: int
    """Number of the hand on the table, 0 before the first."""
    level: Rank
    """Of the hand on the table; after its end, of the next one."""
    owner: Team | None
    """Whose level that is."""
    levels: Mapping[Team, Rank]
    misses: Mapping[Team, int]
    counts: tuple[int | None, int | None, int | None, int | None]
    """Cards held by seats 1..4; None where the table hides a count above ten."""
    out: tuple[Seat, ...]
    top: Reading | None
    """The play to beat; None while leading."""
    by: Seat | None
    """Whose play that is."""
    leader: Seat | None
    """Who led the trick that is open; None while leading."""
    shown: FourOnTable
    """What each seat did last in the open trick."""
    played: Hands
    """What each seat has played in this hand."""
    drawn: tuple[tuple[Card, Seat], ...]
    owing: tuple[tuple[Seat, Seat], ...]
    """Donor and recipient of each gift not yet paid."""
    resisted: tuple[Seat, ...]
    gifts: tuple[Gift, ...]
    returns: tuple[Gift, ...]
    outcome: Outcome | None
    """How the hand ended, from its end to the next deal."""
    left: Hands | None
    """What was left in the hands, likewise."""


@frozen
class Private:
    """What one seat knows besides."""

    hand: Cards = field(repr=False)
    pay: tuple[Card, ...] = field(default=(), repr=False)
    """The cards it may give as tribute now."""
    give_back: tuple[Card, ...] = field(default=(), repr=False)
    """The cards it may return now, lowest first."""
    chosen: Card | None = field(default=None, repr=False)
    """Its own choice, held back from the others until all are in."""


@frozen
class SeatView:
    """All that a seat knows: what people, bots and hints decide by."""

    seat: Seat
    public: Public
    private: Private


@frozen
class HandSummary:
    """A finished hand in the record of a session."""

    number: int
    level: Rank
    owner: Team | None
    finish: tuple[Seat, Seat, Seat, Seat]
    gain: int
    levels: Mapping[Team, Rank]
    """After the hand."""
    resisted: tuple[Seat, ...]
    gifts: tuple[Gift, ...]
    returns: tuple[Gift, ...]
    match_won: bool


def asked(match: Match) -> tuple[Seat, ...]:
    """The seats that must act now, by number."""
    phase = match.phase
    match phase:
        case Leading() | Following():
            return (phase.turn,)
        case Paying():
            # Not in the order of the debts: first place's donor, who has the higher card, leads it.
            donors = {debt.donor for debt in phase.debts}
            return tuple([s for s in SEATS if s in donors and held_back(phase, s) is None])
        case Returning():
            recipients = {gift.recipient for gift in phase.gifts}
            return tuple([s for s in SEATS if s in recipients and held_back(phase, s) is None])
        case Waiting() | HandOver() | MatchOver():
            return ()


_NAMES = {
    Waiting: PhaseName.WAITING,
    Paying: PhaseName.PAYING,
    Returning: PhaseName.RETURNING,
    Leading: PhaseName.LEADING,
    Following: PhaseName.FOLLOWING,
    HandOver: PhaseName.HAND_OVER,
    MatchOver: PhaseName.MATCH_OVER,
}


def public_view(match: Match) -> Public:
    """What everyone may know now."""
    phase, deal, standing = match.phase, match.deal, match.standing
    following = phase if isinstance(phase, Following) else None
    ended = phase if isinstance(phase, HandOver | MatchOver) else None
    # A recipient holds 28 between the tribute and its return.
    hide_above = 10 if match.rules.show_counts == "le10" else 28
    sizes = [len(hand) for hand in match.hands]
    counts = [size if size <= hide_above or ended else None for size in sizes]
    one, two, three, four = (played_by(match, seat) for seat in SEATS)
    return Public(
        phase=_NAMES[type(phase)],
        turn=match.turn,
        asked=asked(match),
        hand=deal.number,
        level=standing.active,
        owner=standing.owner,
        levels=standing.levels,
        misses=standing.misses,
        counts=(counts[0], counts[1], counts[2], counts[3]),
        out=phase.out if isinstance(phase, Leading | Following) else _finish(ended),
        top=following.top if following else None,
        by=following.by if following else None,
        leader=following.leader if following else None,
        shown=_on_table(following.shown, standing.active) if following else NOTHING_LAID,
        played=(one, two, three, four),
        drawn=deal.drawn,
        owing=_owing(phase.debts) if isinstance(phase, Paying) else (),
        resisted=deal.resisted,
        gifts=deal.gifts,
        returns=deal.returns,
        outcome=ended.outcome if ended else None,
        left=match.hands if ended else None,
    )


def _on_table(shown: tuple[Shown, Shown, Shown, Shown], level: Rank) -> FourOnTable:
    one, two, three, four = shown
    return _laid(one, level), _laid(two, level), _laid(three, level), _laid(four, level)


def _laid(shown: Shown, level: Rank) -> OnTable:
    if not isinstance(shown, Offer):
        return shown
    return Laid(shown.cards, shown.reading, shown_as(shown.cards, shown.reading, level))


def _finish(ended: HandOver | MatchOver | None) -> tuple[Seat, ...]:
    return ended.outcome.finish if ended else ()


def _owing(debts: tuple[Debt, ...]) -> tuple[tuple[Seat, Seat], ...]:
    # Who pays whom in a double tribute tells whose card is higher before it is shown, so the
    # recipients are named only where there is no doubt about them.
    return tuple([(debt.donor, debt.recipient) for debt in debts]) if len(debts) == 1 else ()


def private_view(match: Match, seat: Seat) -> Private:
    """What a seat knows besides."""
    hand = match.hands[seat - 1]
    match match.phase:
        case Paying(debts=debts) as phase:
            chosen = held_back(phase, seat)
            owed = next((debt.eligible for debt in debts if debt.donor == seat), ())
            return Private(hand=hand, pay=() if chosen is not None else owed, chosen=chosen)
        case Returning() as phase:
            allowed = machine.allowed_returns(match, phase, seat)
            return Private(hand=hand, give_back=allowed, chosen=held_back(phase, seat))
        case _:
            return Private(hand=hand)


def seat_view(match: Match, seat: Seat) -> SeatView:
    return SeatView(seat=seat, public=public_view(match), private=private_view(match, seat))


def summary(match: Match, *, level: Rank, owner: Team | None) -> HandSummary:
    """The hand that has just ended, which was played at `level`; ValueError if none has."""
    phase = match.phase
    if not isinstance(phase, HandOver | MatchOver):
        raise ValueError("no hand has ended")  # noqa: TRY004  the moment is wrong, not the type
    outcome, deal = phase.outcome, match.deal
    return HandSummary(
        number=deal.number,
        level=level,
        owner=owner,
        finish=outcome.finish,
        gain=outcome.gain,
        levels=outcome.after.levels,
        resisted=deal.resisted,
        gifts=deal.gifts,
        returns=deal.returns,
        match_won=outcome.match_won,
    )


@frozen
class Dealt:
    """A hand was dealt; a seat sees its own cards, a watcher none."""

    number: int
    level: Rank
    owner: Team | None
    commitment: bytes
    own: Cards | None = field(repr=False)


@frozen
class Chosen:
    """A donor or recipient has chosen; only that seat sees the card."""

    seat: Seat
    card: Card | None = field(repr=False)


SeatEvent = (
    Dealt
    | Chosen
    | OpenerDrawn
    | TributeResisted
    | TributePaid
    | CardsReturned
    | TimedOut
    | Played
    | Passed
    | WentOut
    | TrickClosed
    | HandEnded
)
"""Events as an audience gets them."""


def redact(event: Event, seat: Seat | None) -> SeatEvent:
    """The event as `seat` may know it; None is a watcher, who knows least."""
    match event:
        case HandStarted():
            return Dealt(
                number=event.number,
                level=event.level,
                owner=event.owner,
                commitment=event.commitment,
                own=None if seat is None else event.hands[seat - 1],
            )
        case GiftChosen() | ReturnChosen():
            return Chosen(event.seat, event.card if event.seat == seat else None)
        case (
            OpenerDrawn()
            | TributeResisted()
            | TributePaid()
            | CardsReturned()
            | TimedOut()
            | Played()
            | Passed()
            | WentOut()
            | TrickClosed()
            | HandEnded()
        ):
            return event
        case _:
            assert_never(event)
