"""The transition function: `step(match, command) -> (match, events)`.

Everything that decides which command may come when stands in `TRANSITIONS`; a pair that is not
there is refused. An illegal command raises before anything exists, so a refusal changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from attrs import evolve

from guandan_engine import play, shuffle, tribute
from guandan_engine.cards import Card, Cards, minus
from guandan_engine.commands import Command, Pass, Pay, Play, Return, StartHand, TimeOut
from guandan_engine.errors import IllegalCommand, Reason
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
    WentOut,
)
from guandan_engine.moves import Offer
from guandan_engine.notation import card_text, cards_text
from guandan_engine.order import lowest_single
from guandan_engine.phases import (
    Following,
    HandOver,
    Leading,
    MatchOver,
    Paying,
    Phase,
    Returning,
    Waiting,
    held_back,
)
from guandan_engine.readings import judge
from guandan_engine.scoring import finish_order, hand_is_over, settle
from guandan_engine.seats import SEATS, Seat, partner_of
from guandan_engine.state import Deal, Hands, Match

__all__ = ["TRANSITIONS", "allowed_returns", "step", "tribute_due"]

Step = tuple[Match, tuple[Event, ...]]


def step(match: Match, command: Command) -> Step:
    """The match after a command, and what happened; IllegalCommand if it may not be.

    Which error, if several apply: the phase first, then a passed turn, then the seat, then the
    cards.
    """
    handler = TRANSITIONS.get((type(match.phase), type(command)))
    if handler is None:
        over = isinstance(match.phase, HandOver | MatchOver)
        hand_over = over and isinstance(command, Play | Pass)
        raise IllegalCommand(
            Reason.HAND_OVER if hand_over else Reason.WRONG_PHASE,
            got=f"{type(command).__name__} while {type(match.phase).__name__}",
        )
    return handler(match, match.phase, command)


def _start_hand(match: Match, phase: Waiting | HandOver, command: StartHand) -> Step:
    standing = match.standing
    key = shuffle.hand_key(command.seed, command.nonces)
    hands = shuffle.deal(key)
    deal = Deal(number=match.deal.number + 1, seed=command.seed, nonces=command.nonces, hands=hands)
    started = HandStarted(
        number=deal.number,
        level=standing.active,
        owner=standing.owner,
        commitment=shuffle.commitment(command.seed),
        hands=hands,
    )
    match = Match(match.rules, standing, deal, hands, phase, match.turn + 1)
    match, events = (
        _first_opener(match, key)
        if isinstance(phase, Waiting)
        else tribute_due(match, phase.outcome.finish)
    )
    return match, (started, *events)


def _first_opener(match: Match, key: bytes) -> Step:
    match match.rules.first_lead:
        case "seat1":
            return _to(match, Leading(turn=SEATS[0], out=())), ()
        case "random":
            return _to(match, Leading(turn=shuffle.random_opener(key), out=())), ()
        case "drawn_card":
            drawn = shuffle.draw_opener(key, match.standing.active)
            deal = evolve(match.deal, drawn=drawn)
            opener = drawn[-1][1]
            return evolve(match, deal=deal, phase=Leading(turn=opener, out=())), (
                OpenerDrawn(drawn),
            )


def tribute_due(match: Match, finish: tuple[Seat, ...]) -> Step:
    """What the places of the last hand make of a match whose next hands have been dealt."""
    first = finish[0]
    if not match.rules.tribute:
        return _to(match, Leading(turn=first, out=())), ()
    hands = _by_seat(match.hands)
    holders = tribute.resisters(finish, hands)
    if holders:
        deal = evolve(match.deal, resisted=holders)
        return evolve(match, deal=deal, phase=Leading(turn=first, out=())), (
            TributeResisted(holders),
        )
    debts = tribute.debts(finish, hands, match.standing.active, match.rules)
    if match.rules.tribute_pick == "payer":
        # Also who has no choice is asked: whether one was would tell how many such cards it holds.
        return _to(match, Paying(debts)), ()
    gifts = tuple(tribute.Gift(d.donor, d.recipient, d.eligible[0]) for d in debts)
    return _paid(match, gifts)


def _pay(match: Match, phase: Paying, command: Pay) -> Step:
    _check_stale(match, command.turn, since=len(phase.chosen))
    debt = next((debt for debt in phase.debts if debt.donor == command.seat), None)
    if debt is None or held_back(phase, command.seat) is not None:
        raise IllegalCommand(Reason.NOT_YOUR_TURN, got=f"seat {command.seat}")
    if command.card not in debt.eligible:
        raise _not_eligible(match, command.seat, command.card, debt.eligible)
    chosen = (*phase.chosen, tribute.Gift(debt.donor, debt.recipient, command.card))
    told = GiftChosen(command.seat, command.card)
    if len(chosen) < len(phase.debts):
        return _to(match, evolve(phase, chosen=chosen), turns=1), (told,)
    order = [debt.donor for debt in phase.debts]
    gifts = tuple(sorted(chosen, key=lambda gift: order.index(gift.donor)))
    match, events = _paid(_to(match, phase, turns=1), gifts)
    return match, (told, *events)


def _paid(match: Match, gifts: tuple[tribute.Gift, ...]) -> Step:
    return evolve(
        match,
        hands=_exchange(match.hands, gifts),
        deal=evolve(match.deal, gifts=gifts, hands=_exchange(match.deal.hands, gifts)),
        phase=Returning(gifts),
    ), (TributePaid(gifts),)


def allowed_returns(match: Match, phase: Returning, seat: Seat) -> tuple[Card, ...]:
    """What a recipient may give back, lowest first; () if nothing is asked of the seat."""
    gift = next((gift for gift in phase.gifts if gift.recipient == seat), None)
    if gift is None or held_back(phase, seat) is not None:
        return ()
    return tribute.returnable(
        match.hands[seat - 1],
        gift=gift.card,
        level=match.standing.active,
        rules=match.rules,
        to_partner=partner_of(seat) == gift.donor,
    )


def _return(match: Match, phase: Returning, command: Return) -> Step:
    _check_stale(match, command.turn, since=len(phase.chosen))
    allowed = allowed_returns(match, phase, command.seat)
    if not allowed:
        raise IllegalCommand(Reason.NOT_YOUR_TURN, got=f"seat {command.seat}")
    if command.card not in allowed:
        raise _not_eligible(match, command.seat, command.card, allowed)
    donor = next(gift.donor for gift in phase.gifts if gift.recipient == command.seat)
    chosen = (*phase.chosen, tribute.Gift(command.seat, donor, command.card))
    told = ReturnChosen(command.seat, command.card)
    if len(chosen) < len(phase.gifts):
        return _to(match, evolve(phase, chosen=chosen), turns=1), (told,)
    order = [gift.recipient for gift in phase.gifts]
    returns = tuple(sorted(chosen, key=lambda gift: order.index(gift.donor)))
    return Match(
        rules=match.rules,
        standing=match.standing,
        deal=evolve(match.deal, returns=returns, hands=_exchange(match.deal.hands, returns)),
        hands=_exchange(match.hands, returns),
        phase=Leading(turn=phase.gifts[0].donor, out=()),
        turn=match.turn + 1,
    ), (told, CardsReturned(returns))


def _play(match: Match, phase: Leading | Following, command: Play) -> Step:
    _check_stale(match, command.turn)
    seat, cards = command.seat, command.cards
    play.check_turn(phase, seat)
    hand = match.hands[seat - 1].bits
    if cards.bits & ~hand:
        raise IllegalCommand(Reason.CARDS_NOT_HELD, got=cards_text(cards))
    top = phase.top if type(phase) is Following else None
    reading = judge(cards, command.reading, top, match.standing.active, match.rules)
    left = Cards(minus(hand, cards.bits))
    following = play.lay(phase, Offer(cards, reading), emptied=not left.bits)
    hands = (*match.hands[: seat - 1], left, *match.hands[seat:])
    after = Match(match.rules, match.standing, match.deal, hands, following, match.turn + 1)  # type: ignore[arg-type]  # four hands, one of them new
    told = Played(seat, cards, reading)
    if left.bits:
        return after, (told,)
    went_out = WentOut(seat, len(following.out))
    if not hand_is_over(following.out):
        return after, (told, went_out)
    after, events = _end_hand(after, following.out)
    return after, (told, went_out, *events)


def _end_hand(match: Match, out: tuple[Seat, ...]) -> Step:
    outcome = settle(match.standing, finish_order(out), match.rules)
    return Match(
        rules=match.rules,
        standing=outcome.after,
        deal=match.deal,
        hands=match.hands,
        phase=MatchOver(outcome) if outcome.match_won else HandOver(outcome),
        turn=match.turn,
    ), (HandEnded(outcome, match.hands, match.deal.seed, match.deal.nonces),)


def _pass(match: Match, phase: Following, command: Pass) -> Step:
    _check_stale(match, command.turn)
    play.check_turn(phase, command.seat)
    after, closed = play.give_up(phase)
    return Match(match.rules, match.standing, match.deal, match.hands, after, match.turn + 1), (
        Passed(command.seat),
        *closed,
    )


def _pass_lead(match: Match, phase: Leading, command: Pass) -> Step:
    _check_stale(match, command.turn)
    play.check_turn(phase, command.seat)
    raise IllegalCommand(Reason.LEADER_MUST_PLAY)


def _time_out(match: Match, phase: Phase, command: TimeOut) -> Step:
    """The clock acts for its player (rules 5): pass, lowest single, first gift, lowest return."""
    _check_stale(match, command.turn)
    seat = command.seat
    acted: Command
    match phase:
        case Following():
            acted = Pass(seat)
        case Leading():
            play.check_turn(phase, seat)
            lowest = lowest_single(match.hands[seat - 1], match.standing.active)
            acted = Play(seat, Cards.of([lowest]))
        case Paying():
            owed = next((debt.eligible for debt in phase.debts if debt.donor == seat), ())
            acted = Pay(seat, _first(owed, seat))
        case Returning():
            acted = Return(seat, _first(allowed_returns(match, phase, seat), seat))
        case _:  # the table has no such row
            raise AssertionError(phase)
    after, events = step(match, acted)
    return after, (TimedOut(seat), *events)


def _first(cards: tuple[Card, ...], seat: Seat) -> Card:
    if not cards:
        raise IllegalCommand(Reason.NOT_YOUR_TURN, got=f"seat {seat}")
    return cards[0]


def _to(match: Match, phase: Phase, *, turns: int = 0) -> Match:
    return evolve(match, phase=phase, turn=match.turn + turns)


def _by_seat(hands: Hands) -> dict[Seat, Cards]:
    return dict(zip(SEATS, hands, strict=True))


def _exchange(hands: Hands, gifts: tuple[tribute.Gift, ...]) -> Hands:
    after = tribute.exchanged(_by_seat(hands), gifts)
    one, two, three, four = (after[seat] for seat in SEATS)
    return one, two, three, four


def _check_stale(match: Match, turn: int | None, *, since: int = 0) -> None:
    """IllegalCommand for a turn that has passed.

    `since`: choices made already where two seats are asked at once. The second may quote the turn
    that it was asked in: the other's answer took nothing from it.
    """
    if turn is not None and not match.turn - since <= turn <= match.turn:
        raise IllegalCommand(Reason.STALE, expected=f"turn {match.turn}", got=f"turn {turn}")


def _not_eligible(
    match: Match, seat: Seat, card: Card, allowed: tuple[Card, ...]
) -> IllegalCommand:
    held = card in match.hands[seat - 1]
    return IllegalCommand(
        Reason.NOT_ELIGIBLE if held else Reason.CARDS_NOT_HELD,
        expected=f"one of {cards_text(allowed)}",
        got=card_text(card),
    )


P = TypeVar("P", bound=Phase)
C = TypeVar("C", bound=Command)
_Row = tuple[tuple[type, type], Callable[[Match, Any, Any], Step]]


def row(phase: type[P], command: type[C], handler: Callable[[Match, P, C], Step]) -> _Row:
    """A line of the table; that handler, phase and command fit is checked by type."""
    return (phase, command), handler


TRANSITIONS: Final = dict(
    [
        row(Waiting, StartHand, _start_hand),
        row(Paying, Pay, _pay),
        row(Paying, TimeOut, _time_out),
        row(Returning, Return, _return),
        row(Returning, TimeOut, _time_out),
        row(Leading, Play, _play),
        row(Leading, Pass, _pass_lead),
        row(Leading, TimeOut, _time_out),
        row(Following, Play, _play),
        row(Following, Pass, _pass),
        row(Following, TimeOut, _time_out),
        row(HandOver, StartHand, _start_hand),
    ]
)
"""Which command may come in which phase. `MatchOver` is final: a rematch is a new match."""
