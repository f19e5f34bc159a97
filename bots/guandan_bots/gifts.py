"""Tribute and return: which card to give away."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import frozen

from guandan_bots.club.breaking import broken
from guandan_bots.club.grouping import Grouper, Plan
from guandan_bots.club.outlook import outlook_of
from guandan_bots.club.seeing import table_of
from guandan_bots.club.style import ClubStyle
from guandan_bots.reasons import HintReason
from guandan_engine.cards import HALF, LOW, Card, Cards, Rank, minus, rank_of, wild_of
from guandan_engine.order import height
from guandan_engine.seats import partner_of
from guandan_engine.views import SeatView

__all__ = ["Parting", "partings"]

WEIGHED_MAX: Final = 12
"""Cards that are weighed, about 300 µs each: where any card may go back, there are up to 28."""
ALIKE: Final = 0.05
"""Losses that differ by less are the same: what groups are worth is a guess."""
SPARED: Final = 0.2
"""What a better card for the partner may cost more than the most useless one."""


@frozen
class Parting:
    """A card that may be given away, and why."""

    card: Card
    damage: float
    """By how much the hand gets dearer without it; negative if it is better off."""
    reason: HintReason


def partings(view: SeatView, style: ClubStyle) -> tuple[list[Parting], int]:
    """What may be given now, the least loss first, and the place of the best.

    ([], 0) if the seat is asked for no card.
    """
    private = view.private
    if private.pay:
        return _tribute(_weighed(view, style, private.pay)[0]), 0
    if private.give_back:
        # What stands alone is likely to be useless, and of that the low cards.
        allowed = sorted(private.give_back, key=lambda card: _alike(private.hand, card))
        return _return(view, *_weighed(view, style, allowed[:WEIGHED_MAX]))
    return [], 0


def _weighed(
    view: SeatView, style: ClubStyle, cards: Sequence[Card]
) -> tuple[list[tuple[float, Card]], Plan]:
    """What the hand loses with each of some cards, the least loss first; and how it is played now.

    Equal losses stay as the cards came.
    """
    table = table_of(view, style)
    grouper = Grouper(outlook_of(table, style), style)
    hand = view.private.hand.bits

    def plan(bits: int) -> Plan:
        return grouper.plan(bits & LOW, bits >> HALF)

    now = plan(hand)
    weighed = [(plan(minus(hand, 1 << card)).cost - now.cost, card) for card in cards]
    return sorted(weighed, key=lambda pair: pair[0]), now


def _tribute(weighed: list[tuple[float, Card]]) -> list[Parting]:
    """Equal top cards; only straight flushes tell them apart."""
    least, most = weighed[0][0], weighed[-1][0]
    if len(weighed) == 1:
        reason = HintReason.FORCED_GIFT
    elif most - least < ALIKE:
        reason = HintReason.EQUAL_GIFT
    else:
        reason = HintReason.SAVES_FLUSH
    return [
        Parting(card, damage, reason if damage - least < ALIKE else HintReason.BREAKS_BOMB)
        for damage, card in weighed
    ]


def _return(
    view: SeatView, weighed: list[tuple[float, Card]], plan: Plan
) -> tuple[list[Parting], int]:
    """A card of no use: the partner gets the highest of those, an opponent the lowest."""
    if len(weighed) == 1:
        damage, card = weighed[0]
        return [Parting(card, damage, HintReason.FORCED_GIFT)], 0
    level = view.public.level
    donor = next(gift.donor for gift in view.public.gifts if gift.recipient == view.seat)
    to_partner = donor == partner_of(view.seat)
    useless = weighed[0][0] + (SPARED if to_partner else ALIKE)
    found = [
        Parting(
            card,
            damage,
            (HintReason.HELPS_PARTNER if to_partner else HintReason.USELESS_RETURN)
            if damage < useless
            else _loss(plan, card, level),
        )
        for damage, card in weighed
    ]
    spare = [place for place, parting in enumerate(found) if parting.damage < useless]
    heights = [height(rank_of(found[place].card), level) for place in spare]
    wanted = max(heights) if to_partner else min(heights)
    return found, spare[heights.index(wanted)]


def _alike(hand: Cards, card: Card) -> int:
    """How many cards of its rank a hand holds."""
    rank = rank_of(card)
    return sum(rank_of(other) == rank for other in hand)


def _loss(plan: Plan, card: Card, level: Rank) -> HintReason:
    """What a hand loses with a card that it needs."""
    if card == wild_of(level):
        return HintReason.USES_WILD
    return broken(plan.groups, 1 << 4 * rank_of(card)) or HintReason.GIVES_CONTROL
