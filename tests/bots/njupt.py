"""A platform of the dialect, built from our own machine: guests are functions of a message.

    platform = Platform([guest, guest, guest, guest], rules(), seed="1")
    platform.plays(hands=3)          or until a match is won, without `hands`

What each seat was told stands in `said`, as the text that went over the wire.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from guandan_bots.dialect.telling import Ask, Teller, ask, game_over, game_result
from guandan_bots.policy import Choice
from guandan_engine import commands
from guandan_engine.machine import step
from guandan_engine.options import Rules
from guandan_engine.phases import HandOver, MatchOver
from guandan_engine.seats import SEATS, Seat
from guandan_engine.state import new_match
from guandan_engine.views import SeatView, asked, redact, seat_view
from tests.bots.games import command

__all__ = ["Guest", "Platform", "first", "last"]

Guest = Callable[[Any], Any]
"""Takes a message, gives an answer or None."""


def first(message: Any) -> Any:
    """A guest that always takes the first action."""
    return {"actIndex": 0} if message["type"] == "act" else None


def last(message: Any) -> Any:
    """A guest that always takes the last one: it plays whenever it can."""
    return {"actIndex": message["indexRange"]} if message["type"] == "act" else None


class Platform:
    """One table of four guests."""

    def __init__(self, guests: Sequence[Guest], rules: Rules, *, seed: str) -> None:
        self.match = new_match(rules)
        self.said: dict[Seat, list[str]] = {seat: [] for seat in SEATS}
        self.asked: list[tuple[SeatView, Ask, Choice]] = []
        """Every decision: the true view, the question, and what was chosen."""
        self.heard: Callable[[SeatView, str], None] = lambda view, question: None
        """Called before each question is put."""
        self._guests = dict(zip(SEATS, guests, strict=True))
        self._tellers = {seat: Teller() for seat in SEATS}
        self._chance = Random(seed)

    def plays(self, hands: int | None = None) -> None:
        while not isinstance(self.match.phase, MatchOver) and self.match.deal.number != hands:
            self._does(commands.StartHand(self._chance.randbytes(32)))
            while not isinstance(self.match.phase, HandOver | MatchOver):
                self._asks(asked(self.match)[0])
        if isinstance(self.match.phase, MatchOver):
            for seat in SEATS:
                self._tell(seat, game_over(1, 1))
                self._tell(seat, game_result([self.match.phase.outcome.winner]))

    def _asks(self, seat: Seat) -> None:
        view = seat_view(self.match, seat)
        question = ask(view, self.match.rules)
        text = json.dumps(question.message)
        self.heard(view, text)
        answer = self._tell(seat, question.message)
        choice = question.choices[answer["actIndex"]]
        self.asked.append((view, question, choice))
        self._does(command(view, choice))

    def _does(self, command: commands.Command) -> None:
        self.match, events = step(self.match, command)
        for seat in SEATS:
            seen = [redact(event, seat) for event in events]
            for message in self._tellers[seat].told(seen, seat):
                assert self._tell(seat, message) is None, message

    def _tell(self, seat: Seat, message: Any) -> Any:
        text = json.dumps(message)
        self.said[seat].append(text)
        answer = self._guests[seat](json.loads(text))
        return None if answer is None else json.loads(json.dumps(answer))
