"""Which of the actions that a platform offers is the one that a policy has chosen."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from attrs import frozen

from guandan_bots.dialect.words import DialectError, gift_of, is_pass, offer_of
from guandan_bots.policy import Choice, Give, Pass
from guandan_engine.cards import Card, Cards, rank_of
from guandan_engine.moves import Offer

__all__ = ["Fit", "Match", "match_of"]


class Fit(StrEnum):
    """How well an action of the list fits the choice."""

    EXACT = "exact"
    SUITS = "suits"
    """The same type and rank, with other cards."""
    READING = "reading"
    """The same cards, taken for something else."""
    NEAR = "near"
    """Another play of that type, or another gift of that rank."""
    NONE = "none"
    """Nothing like it: a pass if that is possible, or else the first action."""


@frozen
class Match:
    """A place in the list."""

    index: int
    fit: Fit


def match_of(choice: Choice, actions: Sequence[object]) -> Match:
    """The best match. Actions that make no sense are passed over; 0 if the list is empty."""
    match choice:
        case Pass():
            fitting = [place for place, action in enumerate(actions) if is_pass(action)]
            return Match(fitting[0], Fit.EXACT) if fitting else Match(0, Fit.NONE)
        case Give(card):
            return _gift(card, actions)
        case Offer():
            return _play(choice, actions)


def _gift(card: Card, actions: Sequence[object]) -> Match:
    near: int | None = None
    for place, action in enumerate(actions):
        try:
            other = gift_of(action)
        except DialectError:
            continue
        if other == card:
            return Match(place, Fit.EXACT)
        if near is None and rank_of(other) == rank_of(card):
            near = place
    return Match(0, Fit.NONE) if near is None else Match(near, Fit.NEAR)


def _play(wanted: Offer, actions: Sequence[object]) -> Match:
    found: dict[Fit, tuple[tuple[int, int], int]] = {}
    passing = 0
    for place in range(len(actions) - 1, -1, -1):  # of equals the first one stays
        action = actions[place]
        if is_pass(action):
            passing = place
            continue
        try:
            offer = offer_of(action)
        except DialectError:
            continue
        fit = _fit(wanted, offer)
        if fit is Fit.EXACT:
            return Match(place, fit)
        if fit is Fit.NONE:
            continue
        merit = _shared(wanted.cards, offer.cards), -_apart(wanted, offer)
        if fit not in found or merit >= found[fit][0]:
            found[fit] = merit, place
    for fit in (Fit.SUITS, Fit.READING, Fit.NEAR):
        if fit in found:
            return Match(found[fit][1], fit)
    return Match(passing, Fit.NONE)


def _fit(wanted: Offer, offer: Offer) -> Fit:
    if offer.reading == wanted.reading:
        return Fit.EXACT if offer.cards == wanted.cards else Fit.SUITS
    if offer.cards == wanted.cards:
        return Fit.READING
    same = offer.reading.combo is wanted.reading.combo and len(offer.cards) == len(wanted.cards)
    return Fit.NEAR if same else Fit.NONE


def _shared(one: Cards, other: Cards) -> int:
    return (one.bits & other.bits).bit_count()


def _apart(one: Offer, other: Offer) -> int:
    if one.reading.key is None or other.reading.key is None:
        return 0
    return abs(one.reading.key - other.reading.key)
