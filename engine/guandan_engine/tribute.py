"""Tribute, resistance and return, as values that need no whole hands (rules 2 rows 53-71, 4).

`hands` here is whatever is known of the seats that matter, by seat. Everything is computed on the
new hands at the new level; the exchange itself is `exchanged`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from attrs import frozen

from guandan_engine.cards import Card, Cards, Rank, card_of, rank_of, suit_of, wild_of
from guandan_engine.errors import InvariantBroken
from guandan_engine.options import Rules
from guandan_engine.order import ascending, height
from guandan_engine.seats import Seat, next_seat, partner_of, prev_seat

__all__ = ["Debt", "Gift", "debts", "donors", "eligible", "exchanged", "resisters", "returnable"]

BIG_JOKER: Final = card_of(Rank.BIG_JOKER)


@frozen
class Debt:
    """What a donor owes: one of the `eligible` faces, in suit order, to the recipient."""

    donor: Seat
    recipient: Seat
    eligible: tuple[Card, ...]


@frozen
class Gift:
    """A card that moves, in tribute or in return."""

    donor: Seat
    recipient: Seat
    card: Card


def donors(finish: Sequence[Seat]) -> tuple[Seat, ...]:
    """Who pays after a hand: last, and third too if the first two were partners."""
    first, second, third, last = finish
    return (third, last) if partner_of(first) == second else (last,)


def resisters(finish: Sequence[Seat], hands: Mapping[Seat, Cards]) -> tuple[Seat, ...]:
    """The donors whose big jokers, both of them together, cancel the tribute; () if they do not."""
    holding = [seat for seat in donors(finish) if hands[seat].count(BIG_JOKER)]
    if sum(hands[seat].count(BIG_JOKER) for seat in holding) < 2:
        return ()
    return tuple(holding)


def eligible(hand: Cards, level: Rank) -> tuple[Card, ...]:
    """The faces a donor may give: the highest rank it holds, wilds left out, in suit order."""
    wild = wild_of(level)
    faces = [card for card in hand.faces() if card != wild]
    if not faces:
        raise InvariantBroken("a donor holds nothing but wilds")
    top = max(height(rank_of(card), level) for card in faces)
    return tuple(
        sorted([card for card in faces if height(rank_of(card), level) == top], key=suit_of)
    )


def debts(
    finish: Sequence[Seat], hands: Mapping[Seat, Cards], level: Rank, rules: Rules
) -> tuple[Debt, ...]:
    """Who owes what to whom; first place's donor stands first.

    In a double tribute the higher gift goes to first place. Equal gifts: to first goes that of the
    donor met first from it, forward or backward in turn order (`double_tribute_tie`).
    """
    first, second = finish[0], finish[1]
    paying = donors(finish)
    owed = {seat: eligible(hands[seat], level) for seat in paying}
    if len(paying) == 1:
        return (Debt(paying[0], first, owed[paying[0]]),)
    step = next_seat if rules.double_tribute_tie == "next" else prev_seat
    by_distance = [step(first), partner_of(step(first))]
    # A stable sort: where both are equal, distance decides.
    ahead, behind = sorted(by_distance, key=lambda s: -height(rank_of(owed[s][0]), level))
    return Debt(ahead, first, owed[ahead]), Debt(behind, second, owed[behind])


def returnable(
    hand: Cards, *, gift: Card, level: Rank, rules: Rules, to_partner: bool
) -> tuple[Card, ...]:
    """The faces a recipient may return from `hand`, which holds the gift; lowest first."""
    barred = not rules.return_gift and hand.count(gift) == 1
    faces = ascending(Cards.of(hand.faces()), level)
    faces = [card for card in faces if not (barred and card == gift)]
    if not faces:
        raise InvariantBroken("a recipient holds nothing to return")
    if rules.return_rule == "any" or (rules.return_rule == "le10_to_partner" and not to_partner):
        return tuple(faces)
    wild = wild_of(level)
    low = [
        card
        for card in faces
        if rank_of(card) <= Rank.TEN
        and card != wild
        and (rules.return_level_card or rank_of(card) != level)
    ]
    if low or rules.return_fallback == "any":
        return tuple(low or faces)
    # `ascending` puts wilds last, so the lowest is a wild only where all cards are.
    lowest = height(rank_of(faces[0]), level)
    least = [card for card in faces if height(rank_of(card), level) == lowest and card != wild]
    return tuple(least or faces[:1])


def exchanged(hands: Mapping[Seat, Cards], gifts: Iterable[Gift]) -> dict[Seat, Cards]:
    """The hands after cards moved, all at once."""
    after = dict(hands)
    for gift in gifts:
        after[gift.donor] -= Cards.of([gift.card])
    for gift in gifts:
        after[gift.recipient] += Cards.of([gift.card])
    return after
