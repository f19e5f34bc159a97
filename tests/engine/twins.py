"""A second world that one audience cannot tell from the first: the law of what a seat may see.

`twin` takes a step of a match and an audience, deals the cards that the audience does not know to
the other seats anew, and changes the seed. The same thing then happens in both worlds, except that
a choice which is held back may be another one. Whatever the audience is shown must be the same.
"""

from __future__ import annotations

import random
from typing import Any

import attrs
from attrs import evolve, frozen

from guandan_engine.cards import Cards
from guandan_engine.combos import Reading
from guandan_engine.commands import Command, Pay, Play, Return, TimeOut
from guandan_engine.machine import allowed_returns
from guandan_engine.phases import Following, HandOver, MatchOver, Paying, Phase, Returning, Waiting
from guandan_engine.seats import SEATS, Seat, partner_of
from guandan_engine.state import Hands, Match, played_by
from guandan_engine.tribute import Debt, Gift, debts, resisters
from tests.engine.walks import Step


@frozen
class Twin:
    before: Match
    command: Command


def twin(one: Step, audience: Seat | None, rng: random.Random) -> Twin | None:
    """The other world; None where nothing can differ, or what differs would have been seen."""
    match, phase = one.before, one.before.phase
    if isinstance(phase, Waiting | HandOver | MatchOver):
        return None  # nothing is hidden
    fixed = {seat for seat in SEATS if seat == audience} | _revealed_seats(one)
    hands = _dealt_anew(match.hands, fixed, _revealed_cards(one), rng)
    begun = [hands[i] + played_by(match, seat) for i, seat in enumerate(SEATS)]
    deal = evolve(
        match.deal, seed=rng.randbytes(32), hands=(begun[0], begun[1], begun[2], begun[3])
    )
    other = evolve(match, hands=hands, deal=deal)
    if isinstance(phase, Paying):
        finish = finish_of(phase.debts)
        by_seat = dict(zip(SEATS, hands, strict=True))
        if resisters(finish, by_seat):
            return None  # nobody would have to pay
        owed = debts(finish, by_seat, match.standing.active, match.rules)
        if _completes(one) and owed != phase.debts:
            return None
        other = evolve(other, phase=Paying(owed, _paid_otherwise(phase, owed, audience, rng)))
    if isinstance(phase, Returning):
        other = evolve(other, phase=_returned_otherwise(other, phase, audience, rng, one))
    return Twin(other, _command(one, other, audience, rng))


def finish_of(owed: tuple[Debt, ...]) -> tuple[Seat, Seat, Seat, Seat]:
    """Places that would lead to these debts."""
    first = owed[0].recipient
    if len(owed) == 2:
        return first, partner_of(first), owed[0].donor, owed[1].donor
    last = owed[0].donor
    rest = [seat for seat in SEATS if seat not in (first, last)]
    rest.sort(key=lambda seat: seat == partner_of(first))
    return first, rest[0], rest[1], last


def _completes(one: Step) -> bool:
    """Does the step show what was held back?"""
    return isinstance(one.before.phase, Paying | Returning) and type(one.after.phase) is not type(
        one.before.phase
    )


def _revealed_seats(one: Step) -> set[Seat]:
    """Seats whose hands the step itself tells about."""
    phase = one.before.phase
    match phase:
        case Paying():
            return {debt.donor for debt in phase.debts} if _completes(one) else set()
        case Returning():
            return {gift.recipient for gift in phase.gifts} if _completes(one) else set()
        case _:  # a clock leads the lowest card that its seat holds
            leads = isinstance(one.command, TimeOut) and not isinstance(phase, Following)
            return {one.command.seat} if leads and isinstance(one.command, TimeOut) else set()


def _revealed_cards(one: Step) -> dict[Seat, Cards]:
    """Cards that the step shows, in the hand that plays them."""
    return {one.command.seat: one.command.cards} if isinstance(one.command, Play) else {}


def _dealt_anew(
    hands: Hands, fixed: set[Seat], kept: dict[Seat, Cards], rng: random.Random
) -> Hands:
    """Hands of the same sizes; those of `fixed` seats, and `kept` cards, stay where they are."""
    own = dict(zip(SEATS, hands, strict=True))
    staying = {s: own[s] if s in fixed else kept.get(s, Cards()) for s in SEATS}
    pool = [card for seat in SEATS for card in own[seat] - staying[seat]]
    rng.shuffle(pool)
    dealt = []
    for seat in SEATS:
        missing = len(own[seat]) - len(staying[seat])
        dealt.append(staying[seat] + Cards.of(pool[:missing]))
        pool = pool[missing:]
    return dealt[0], dealt[1], dealt[2], dealt[3]


def _paid_otherwise(
    phase: Paying, owed: tuple[Debt, ...], audience: Seat | None, rng: random.Random
) -> tuple[Gift, ...]:
    chosen = []
    for gift in phase.chosen:
        debt = next(debt for debt in owed if debt.donor == gift.donor)
        mine = gift.donor == audience or gift.card in debt.eligible
        card = gift.card if mine else rng.choice(debt.eligible)
        chosen.append(Gift(debt.donor, debt.recipient, card))
    return tuple(chosen)


def _returned_otherwise(
    other: Match, phase: Returning, audience: Seat | None, rng: random.Random, one: Step
) -> Phase:
    fresh = Returning(phase.gifts)
    chosen = []
    for gift in phase.chosen:
        allowed = allowed_returns(other, fresh, gift.donor)
        same = gift.donor == audience or _completes(one)
        chosen.append(evolve(gift, card=gift.card if same else rng.choice(allowed)))
    return Returning(phase.gifts, tuple(chosen))


def _command(one: Step, other: Match, audience: Seat | None, rng: random.Random) -> Command:
    """What happens in the other world: the same, but for a choice that stays hidden."""
    command, phase = one.command, other.phase
    if isinstance(command, Pay | Return) and command.seat != audience and not _completes(one):
        if isinstance(phase, Paying):
            debt = next(debt for debt in phase.debts if debt.donor == command.seat)
            return evolve(command, card=rng.choice(debt.eligible))
        if isinstance(phase, Returning):
            return evolve(command, card=rng.choice(allowed_returns(other, phase, command.seat)))
    return command


def packed(value: object) -> bytes:
    """A value as bytes, order and all: what a packer that writes every field would send."""
    kind: Any = type(value)
    match value:
        case Cards():
            return b"C%d." % value.bits
        case Reading():
            return repr(value).encode()
        case tuple() | list():
            return b"(" + b"".join(map(packed, value)) + b")"
        case dict():
            return packed(list(value.items()))
        case _ if attrs.has(kind):
            parts = [getattr(value, field.name) for field in attrs.fields(kind)]
            return packed((kind.__name__, *parts))
        case _:
            return repr(value).encode() + b"."
