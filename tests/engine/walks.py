"""Matches played at random, from a seed: each step with what came before and after it.

The walks are made once a run and shared, so that a law can draw a moment out of some thousands
without playing up to it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from functools import lru_cache

from attrs import evolve, frozen

from guandan_engine.commands import Command, Pass, Pay, Play, Return, StartHand, TimeOut
from guandan_engine.events import Event
from guandan_engine.machine import allowed_returns, step
from guandan_engine.moves import legal_plays
from guandan_engine.options import OPTIONS, PRESETS, Rules, rules
from guandan_engine.phases import (
    Following,
    HandOver,
    Leading,
    MatchOver,
    Paying,
    Returning,
    Waiting,
    held_back,
)
from guandan_engine.state import Match, new_match


@frozen
class Step:
    before: Match
    command: Command
    after: Match
    events: tuple[Event, ...]


def some_command(match: Match, rng: random.Random) -> Command | None:
    """A command that the rules allow now; None when the match is over."""
    phase = match.phase
    match phase:
        case MatchOver():
            return None
        case Waiting() | HandOver():
            nonces = tuple(rng.randbytes(rng.choice([0, 16])) for _ in range(4))
            return StartHand(rng.randbytes(32), (nonces[0], nonces[1], nonces[2], nonces[3]))
        case Paying(debts=debts):
            debt = rng.choice([d for d in debts if held_back(phase, d.donor) is None])
            if rng.random() < 0.1:
                return TimeOut(debt.donor, match.turn)
            return Pay(debt.donor, rng.choice(debt.eligible))
        case Returning(gifts=gifts):
            gift = rng.choice([g for g in gifts if held_back(phase, g.recipient) is None])
            if rng.random() < 0.1:
                return TimeOut(gift.recipient, match.turn)
            return Return(gift.recipient, rng.choice(allowed_returns(match, phase, gift.recipient)))
        case Leading() | Following():
            return _some_play(match, phase, rng)


def _some_play(match: Match, phase: Leading | Following, rng: random.Random) -> Command:
    seat = phase.turn
    top = phase.top if isinstance(phase, Following) else None
    if rng.random() < 0.02:
        return TimeOut(seat, match.turn)
    plays = legal_plays(match.hands[seat - 1], match.standing.active, match.rules, top)
    patterns = plays.patterns()
    if top is not None and (not patterns or rng.random() < 0.3):
        return Pass(seat, turn=match.turn if rng.random() < 0.5 else None)
    offer = plays.offer(rng.choice(plays.moves(rng.choice(patterns))))
    return Play(seat, offer.cards, offer.reading)


def walk(table: Rules, seed: int, *, hands_max: int = 1000) -> Iterator[Step]:
    """A match played at random to its end, or until `hands_max` hands are over."""
    rng = random.Random(seed)
    match = new_match(table)
    while (command := some_command(match, rng)) is not None:
        if isinstance(command, StartHand) and match.deal.number == hands_max:
            return
        after, events = step(match, command)
        yield Step(match, command, after, events)
        match = after


def some_rules(seed: int) -> Rules:
    """Rules with every option drawn at random."""
    rng = random.Random(seed)
    return rules("site", {name: rng.choice(values) for name, values in OPTIONS.items()})


@lru_cache
def walks() -> tuple[tuple[Step, ...], ...]:
    """Matches of every preset, twice, and of options drawn at random: one whole, others short."""
    tables = [
        *PRESETS.values(),
        *(evolve(preset, tribute_pick="payer") for preset in PRESETS.values()),
        *map(some_rules, range(8)),
    ]
    whole = tuple(walk(rules("site"), 100))
    return (whole, *(tuple(walk(table, i, hands_max=4)) for i, table in enumerate(tables)))


@lru_cache
def moments() -> Mapping[type, tuple[Step, ...]]:
    """All steps of all walks, by the phase they begin in."""
    found: dict[type, list[Step]] = {}
    for steps in walks():
        for one in steps:
            found.setdefault(type(one.before.phase), []).append(one)
    return {phase: tuple(steps) for phase, steps in found.items()}


def last_states() -> tuple[Match, ...]:
    """Where the walks end."""
    return tuple(steps[-1].after for steps in walks())
