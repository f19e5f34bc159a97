"""A match's events as plain data, for other programs: stable keys, cards and readings as text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, assert_never

from guandan_engine.cards import Card
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
from guandan_engine.notation import card_text, rank_text, reading_text
from guandan_engine.seats import SEATS, Team
from guandan_engine.tribute import Gift

__all__ = ["plain"]


def plain(event: Event) -> dict[str, Any]:
    """The event with its name under `event`; everything open, seeds and hands included."""
    match event:
        case HandStarted(number, level, owner, commitment, hands):
            return {
                "event": "hand_started",
                "number": number,
                "level": rank_text(level),
                "owner": owner,
                "commitment": commitment.hex(),
                "hands": {str(s): _cards(h) for s, h in zip(SEATS, hands, strict=True)},
            }
        case OpenerDrawn(drawn):
            turned = [{"card": card_text(card), "seat": seat} for card, seat in drawn]
            return {"event": "opener_drawn", "drawn": turned}
        case TributeResisted(holders):
            return {"event": "tribute_resisted", "holders": list(holders)}
        case GiftChosen(seat, card):
            return {"event": "gift_chosen", "seat": seat, "card": card_text(card)}
        case TributePaid(gifts):
            return {"event": "tribute_paid", "gifts": _gifts(gifts)}
        case ReturnChosen(seat, card):
            return {"event": "return_chosen", "seat": seat, "card": card_text(card)}
        case CardsReturned(returns):
            return {"event": "cards_returned", "returns": _gifts(returns)}
        case TimedOut(seat):
            return {"event": "timed_out", "seat": seat}
        case Played(seat, cards, reading):
            return {
                "event": "played",
                "seat": seat,
                "cards": _cards(cards),
                "reading": reading_text(reading),
            }
        case Passed(seat):
            return {"event": "passed", "seat": seat}
        case WentOut(seat, place):
            return {"event": "went_out", "seat": seat, "place": place}
        case TrickClosed(winner, leader):
            return {
                "event": "trick_closed",
                "winner": winner,
                "leader": leader,
                "jiefeng": event.jiefeng,
            }
        case HandEnded():
            return _ended(event)
        case _:
            assert_never(event)


def _ended(event: HandEnded) -> dict[str, Any]:
    outcome = event.outcome
    return {
        "event": "hand_ended",
        "finish": list(outcome.finish),
        "winner": outcome.winner,
        "gain": outcome.gain,
        "levels": {team: rank_text(outcome.after.levels[team]) for team in Team},
        "misses": {team: outcome.after.misses[team] for team in Team},
        "match_won": outcome.match_won,
        "left": {str(s): _cards(h) for s, h in zip(SEATS, event.left, strict=True)},
        "seed": event.seed.hex(),
        "nonces": [nonce.hex() for nonce in event.nonces],
    }


def _cards(cards: Iterable[Card]) -> list[str]:
    return [card_text(card) for card in cards]


def _gifts(gifts: Iterable[Gift]) -> list[dict[str, Any]]:
    return [
        {"from": gift.donor, "to": gift.recipient, "card": card_text(gift.card)} for gift in gifts
    ]
