"""Events as plain data for other programs: stable keys, cards and readings as text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, assert_never

from guandan_engine.cards import Card
from guandan_engine.notation import card_text, rank_text, reading_text
from guandan_engine.seats import SEATS, Team
from guandan_engine.tribute import Gift
from guandan_engine.views import (
    CardsReturned,
    Chosen,
    Dealt,
    HandEnded,
    OpenerDrawn,
    Passed,
    Played,
    SeatEvent,
    TimedOut,
    TributePaid,
    TributeResisted,
    TrickClosed,
    WentOut,
)

__all__ = ["cards_plain", "plain"]


def plain(event: SeatEvent) -> dict[str, Any]:
    """The event with its name under `event`, as far as its audience may know it."""
    match event:
        case Dealt(number, level, owner, commitment):
            return {
                "event": "dealt",
                "number": number,
                "level": rank_text(level),
                "owner": owner,
                "commitment": commitment.hex(),
            }
        case Chosen(seat):
            return {"event": "chosen", "seat": seat}
        case OpenerDrawn(drawn):
            turned = [{"card": card_text(card), "seat": seat} for card, seat in drawn]
            return {"event": "opener_drawn", "drawn": turned}
        case TributeResisted(holders):
            return {"event": "tribute_resisted", "holders": list(holders)}
        case TributePaid(gifts):
            return {"event": "tribute_paid", "gifts": _gifts(gifts)}
        case CardsReturned(returns):
            return {"event": "cards_returned", "returns": _gifts(returns)}
        case TimedOut(seat):
            return {"event": "timed_out", "seat": seat}
        case Played(seat, cards, reading):
            return {
                "event": "played",
                "seat": seat,
                "cards": cards_plain(cards),
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
        "left": {str(s): cards_plain(h) for s, h in zip(SEATS, event.left, strict=True)},
        "seed": event.seed.hex(),
        "nonces": [nonce.hex() for nonce in event.nonces],
    }


def cards_plain(cards: Iterable[Card]) -> list[str]:
    return [card_text(card) for card in cards]


def _gifts(gifts: Iterable[Gift]) -> list[dict[str, Any]]:
    return [
        {"from": gift.donor, "to": gift.recipient, "card": card_text(gift.card)} for gift in gifts
    ]
