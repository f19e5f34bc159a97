"""A table that is spoken to in notation, so that a test of play reads like the game.

    t = Table.deal("1: S5 H5 S3", "2: S4 C4 …", level="2")
    t.play(1, "S5 H5").refused(2, "S4 C4", Reason.DOES_NOT_BEAT).pass_(2)

A deal is a whole one all the same: 108 cards, 27 of them each seat's. A seat that is named holds
the cards named; with "…" also the lowest of those left over, to make it 27; what it lacks otherwise
counts as played. A seat that is not named holds 27 of what is left over, the highest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeVar

import pytest
from attrs import evolve

from guandan_engine.cards import FULL_PACK, NO_CARDS, Cards
from guandan_engine.commands import Command, Pass, Pay, Play, Return, StartHand, TimeOut
from guandan_engine.errors import IllegalCommand, Reason
from guandan_engine.events import Event
from guandan_engine.machine import step, tribute_due
from guandan_engine.notation import level_of, parse_card, parse_cards, parse_reading
from guandan_engine.options import rules
from guandan_engine.phases import Following, Leading, Phase
from guandan_engine.scoring import Standing
from guandan_engine.seats import SEATS, Seat, Team, team_of
from guandan_engine.state import Deal, Hands, Match, check
from guandan_engine.tribute import Gift

SEED: Final = bytes(range(32))

E = TypeVar("E")


def hands_of(*lines: str) -> tuple[Hands, Hands]:
    """What the seats hold, and what they were dealt."""
    named = {int(seat): text for seat, text in (line.split(":") for line in lines)}
    own = {s: parse_cards(named.get(s, "").replace("…", "")) for s in SEATS}
    pack = FULL_PACK
    for cards in own.values():
        pack -= cards
    rest = list(pack)
    held, dealt = dict(own), dict(own)
    # The low cards go to those who want some more, the high ones to whom nobody speaks of.
    for seat in sorted(SEATS, key=lambda s: (s not in named, "…" not in named.get(s, ""))):
        missing = 27 - len(own[seat])
        fill, rest = Cards.of(rest[:missing]), rest[missing:]
        dealt[seat] = own[seat] + fill
        if seat not in named or "…" in named[seat]:
            held[seat] = dealt[seat]
    return _in_order(held), _in_order(dealt)


def _in_order(hands: Mapping[Seat, Cards]) -> Hands:
    one, two, three, four = (hands[seat] for seat in SEATS)
    return one, two, three, four


class Table:
    """A match, and the events of the last command."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.events: tuple[Event, ...] = ()
        check(match)

    @classmethod
    def deal(
        cls,
        *hands: str,
        level: str = "2",
        leader: int = 1,
        out: Sequence[int] = (),
        finish: Sequence[int] | None = None,
        levels: Mapping[str, str] | None = None,
        misses: Mapping[str, int] | None = None,
        preset: str = "site",
        **options: object,
    ) -> Table:
        """A hand at `level`, to be led by `leader`; with `finish`, from its tribute on.

        The level's owner is the team that won the last hand: the first of `finish`, or the leader.
        """
        held, dealt = hands_of(*hands)
        owner = team_of(Seat(finish[0] if finish else leader))
        standing = Standing(
            levels={Team(t): level_of((levels or {}).get(t, level)) for t in Team},
            active=level_of(level),
            owner=owner,
            misses={Team(t): (misses or {}).get(t, 0) for t in Team},
        )
        match = Match(
            rules=rules(preset, options),
            standing=standing,
            deal=Deal(number=2, seed=SEED, nonces=(b"", b"", b"", b""), hands=dealt),
            hands=held,
            phase=Leading(turn=Seat(leader), out=tuple(map(Seat, out))),
            turn=7,
        )
        if finish is None:
            return cls(match)
        match, events = tribute_due(match, tuple(map(Seat, finish)))
        table = cls(match)
        table.events = events
        return table

    # What is said at the table.

    def do(self, command: Command) -> Table:
        self.match, self.events = step(self.match, command)
        check(self.match)
        return self

    def play(self, seat: int, text: str) -> Table:
        return self.do(self.command(seat, text))

    def pass_(self, *seats: int) -> Table:
        for seat in seats:
            self.do(Pass(Seat(seat)))
        return self

    def pay(self, seat: int, card: str) -> Table:
        return self.do(Pay(Seat(seat), parse_card(card)))

    def give_back(self, seat: int, card: str) -> Table:
        return self.do(Return(Seat(seat), parse_card(card)))

    def clock(self, seat: int) -> Table:
        return self.do(TimeOut(Seat(seat), self.match.turn))

    def start(self, seed: bytes = SEED) -> Table:
        return self.do(StartHand(seed))

    def refused(self, seat: int, text: str, reason: Reason, *, turn: int | None = None) -> Table:
        """The command is refused for that reason, and nothing has changed."""
        before = self.match
        unchanged = evolve(before)
        with pytest.raises(IllegalCommand) as refusal:
            step(self.match, self.command(seat, text, turn))
        assert refusal.value.reason is reason, str(refusal.value)
        assert self.match == unchanged
        return self

    def command(self, seat: int, text: str, turn: int | None = None) -> Command:
        """`pass`, `pay SA`, `return S3`, `clock`, or cards with or without a reading."""
        who = Seat(seat)
        match text.split():
            case ["pass"]:
                return Pass(who, turn)
            case ["clock"]:
                return TimeOut(who, self.match.turn if turn is None else turn)
            case ["pay", card]:
                return Pay(who, parse_card(card), turn)
            case ["return", card]:
                return Return(who, parse_card(card), turn)
            case _:
                cards, _, reading = text.partition("=")
                declared = parse_reading(reading.strip()) if reading else None
                return Play(who, parse_cards(cards), declared, turn)

    # What is seen at it.

    @property
    def phase(self) -> Phase:
        return self.match.phase

    @property
    def turn(self) -> int:
        """The seat to act, while cards are played."""
        assert isinstance(self.match.phase, Leading | Following)
        return self.match.phase.turn

    def hand(self, seat: int) -> Cards:
        return self.match.hands[seat - 1]

    def event(self, kind: type[E]) -> E:
        """The one event of that kind in the last command."""
        (found,) = [event for event in self.events if isinstance(event, kind)]
        return found

    def happened(self, kind: type[Any]) -> bool:
        return any(isinstance(event, kind) for event in self.events)


def gift(text: str) -> Gift:
    """`4→1 SA` as a gift."""
    seats, card = text.split()
    donor, recipient = seats.split("→")
    return Gift(Seat(int(donor)), Seat(int(recipient)), parse_card(card))


def gifts(text: str) -> tuple[Gift, ...]:
    return tuple(gift(part) for part in text.split(","))


__all__ = ["NO_CARDS", "SEED", "Table", "gift", "gifts", "hands_of"]
