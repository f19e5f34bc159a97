"""Answers to questions for reviews, as a server gives them: three hands, by seat 1.

parlour.reviews = [reviewed(decision(300)), no(Code.BUSY, 2000), reviewed(), reviewed()]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from guandan_engine.cards import NO_CARDS
from guandan_engine.notation import level_of, parse_cards, parse_reading
from guandan_engine.seats import Seat, Team
from guandan_engine.views import HandSummary
from guandan_protocol import messages as m
from guandan_protocol.messages import Code, Hint, Review, Reviewed

__all__ = ["HANDS", "Answer", "costly_lead", "decision", "hands", "hint", "no", "reviewed"]

HANDS: Final = 3

Answer = Callable[[m.AskReview], m.Review | m.Refused]


def hint(cards: str = "", reading: str = "", reason: str = "") -> Hint:
    """A pass if there are no cards."""
    if not cards:
        return Hint(NO_CARDS, None, reason)
    return Hint(parse_cards(cards), parse_reading(reading), reason)


def decision(lost_milli: int, *, sure: bool = True, **changes: Any) -> Reviewed:
    """A pair of nines on one of eights, where passing does better by so much; below 0 worse."""
    values: dict[str, Any] = {
        "command": 40 + abs(lost_milli),
        "left": 14,
        "top": parse_reading("pair-8"),
        "played": hint("S9 H9", "pair-9"),
        "best": hint(reason="partner_winning"),
        "lost_milli": max(lost_milli, 0),
        "won_milli": max(-lost_milli, 0),
        "error_milli": 190,
        "sure": sure,
        "worlds": 350,
    }
    return Reviewed(**(values | changes))


def costly_lead(lost_milli: int) -> Reviewed:
    """Where the heart of five, a wild at that level, does better than a pair of nines."""
    best = hint("H5", "single-5", "goes_out")
    return decision(lost_milli, top=None, left=2, best=best)


def reviewed(*decisions: Reviewed, left_out: int = 0) -> Answer:
    return lambda ask: Review(ask.id, 1, Seat(1), ask.hand, HANDS, decisions, left_out)


def no(code: Code | str, retry_ms: int | None = None) -> Answer:
    return lambda ask: m.Refused(ask.id, code, "in the server's words", retry_ms)


def hands(*levels: str) -> tuple[HandSummary, ...]:
    """A match whose hands were played at these levels, as the record has them."""
    return tuple(
        [
            HandSummary(
                number=number,
                level=level_of(level),
                owner=Team.ODD,
                finish=(Seat(1), Seat(3), Seat(2), Seat(4)),
                gain=3,
                levels={Team.ODD: level_of(level), Team.EVEN: level_of("2")},
                resisted=(),
                gifts=(),
                returns=(),
                match_won=number == len(levels),
            )
            for number, level in enumerate(levels, start=1)
        ]
    )
