"""Hands and matches of a room, one after another: what follows from what.

Pure functions on `Change`, the new state of a room with the engine commands that led there.
"""

from __future__ import annotations

from typing import Final

from attrs import evolve

from guandan_engine.commands import Command, StartHand
from guandan_engine.events import HandEnded
from guandan_engine.machine import step
from guandan_engine.options import rules
from guandan_engine.phases import HandOver
from guandan_engine.seats import SEATS
from guandan_engine.state import check, new_match
from guandan_engine.views import summary
from guandan_protocol.messages import SeatKind, Stage
from guandan_server.items import Change
from guandan_server.roomstate import RoomState, derive
from guandan_server.seating import DEFAULT_LEVEL, bot

__all__ = ["all_ready", "close_hand", "deal", "may_deal", "moved", "pledged", "start"]

SESSION_HANDS_MAX: Final = 500
"""Hands in the record of a session: an evening has thirty. Matches have records of their own."""


def start(change: Change, *, seq: int) -> Change:
    """The change with a match begun from 2 and its first hand dealt; empty seats get bots.

    `seq` is the log entry that this will be. The record of the session stays.
    """
    state = change.state
    for seat in SEATS:
        if state.seat(seat).kind is SeatKind.EMPTY:
            state = state.with_seat(seat, bot(seat, DEFAULT_LEVEL))
    # Turns go on from match to match: what was said of the old one is stale in the new one.
    turn = state.match.turn + 1 if state.match_no else 0
    state = evolve(
        state,
        stage=Stage.PLAYING,
        match=new_match(rules(state.preset, state.options), turn=turn),
        match_no=state.match_no + 1,
        match_seq=seq,
        swaps=(),
    )
    return deal(evolve(change, state=state, match_begun=True, commands=(), events=()))


def deal(change: Change) -> Change:
    """The change with the next hand dealt on top of it."""
    one, two, three, four = (seat.nonce for seat in change.state.seats)
    return moved(change, StartHand(change.state.pledge, (one, two, three, four)))


def moved(change: Change, command: Command) -> Change:
    """The change with an engine command carried out on top of it."""
    match, events = step(change.state.match, command)
    check(match)
    return evolve(
        change,
        state=change.state.with_match(match),
        commands=(*change.commands, command),
        events=change.events + events,
    )


def close_hand(change: Change, *, before: RoomState) -> Change:
    """If a hand has ended with the change: its summary, and people are no longer ready."""
    if not any(isinstance(event, HandEnded) for event in change.events):
        return change
    standing = before.match.standing
    finished = summary(change.state.match, level=standing.active, owner=standing.owner)
    state = change.state
    for seat in state.people():
        state = state.change_seat(seat, ready=False)
    state = evolve(
        state,
        session=(*state.session, finished)[-SESSION_HANDS_MAX:],
        stage=Stage.MATCH_OVER if finished.match_won else state.stage,
    )
    return evolve(change, state=state, finished=finished)


def pledged(change: Change, entropy: bytes) -> Change:
    """Where a hand was dealt, its seed is open to its hand: the next one's takes its place."""
    if not any(isinstance(command, StartHand) for command in change.commands):
        return change
    state = evolve(change.state, pledge=derive(entropy, "pledge"))
    for seat in state.people():
        state = state.change_seat(seat, nonce=b"")
    return evolve(change, state=state)


def may_deal(state: RoomState) -> bool:
    if not isinstance(state.match.phase, HandOver):
        return False
    return all(state.seat(seat).ready for seat in state.people())


def all_ready(state: RoomState) -> bool:
    return all(seat.kind is SeatKind.BOT or (seat.is_person and seat.ready) for seat in state.seats)
