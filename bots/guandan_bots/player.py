"""A policy at a real table: it plays a seat over the protocol, like anybody else."""

from __future__ import annotations

import asyncio
import random
from typing import Final, assert_never

from attrs import frozen

from guandan_bots.policy import Choice, Give, Pass, Policy
from guandan_engine.errors import Reason
from guandan_engine.moves import Offer
from guandan_engine.options import Rules, rules
from guandan_engine.seats import Seat
from guandan_engine.views import PhaseName, Public, SeatView
from guandan_protocol import messages
from guandan_protocol.client import Ended, Lost, TableClient
from guandan_protocol.errors import SessionEnded
from guandan_protocol.messages import Action, Code, RoomView, Stage

__all__ = ["ChoiceRefused", "acted", "play_seat"]

OVERTAKEN: Final = frozenset(
    {Reason.STALE, Reason.NOT_YOUR_TURN, Reason.WRONG_PHASE, Reason.HAND_OVER, Code.NOT_NOW}
)
"""Refusals that only say that the table has moved on meanwhile: the next update tells more."""
RETRY_MS_MIN: Final = 50
"""Whatever a server allows, one seat asks no more often than that."""


class ChoiceRefused(Exception):
    """The table refused what the policy chose: one of the two is wrong."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(code, text)
        self.code = code
        self.text = text

    def __str__(self) -> str:
        return f"{self.code}: {self.text}"


async def play_seat(client: TableClient, policy: Policy, rng: random.Random) -> Ended | None:
    """Play the seat of a started client until its session ends; the last word, if there was one.

    It is ready for every hand and agrees to whatever is proposed. While the connection is down the
    client sees to coming back. Raises ChoiceRefused for a choice that the table does not allow.
    """
    epoch = stored = 0  # the log entry that our last action became
    async for notice in client:
        match notice:
            case Ended():
                return notice
            case Lost() | messages.Said():
                continue
            case messages.Welcome() | messages.Update():
                pass
            case _:
                assert_never(notice)
        if client.epoch != epoch:
            epoch, stored = client.epoch, 0
        # Views from before our last action are no reason to do it again.
        while client.seq >= stored and (due := _due(client)) is not None:
            if isinstance(due, Question):
                # In a thread, so that the connection stays alive while a policy thinks.
                choice = await asyncio.to_thread(policy.choose, due.seen, due.rules, rng)
                action = acted(due.seen, choice)
            else:
                action = due
            try:
                answer = await client.act(action)
            except SessionEnded:
                break  # the iteration ends, too, and says why
            match answer:
                case messages.Done(seq=seq):
                    stored = seq
                case messages.Refused(retry_ms=int(retry_ms)):
                    await asyncio.sleep(max(retry_ms, RETRY_MS_MIN) / 1000)
                case messages.Refused(code=code, text=text):
                    if code not in OVERTAKEN:
                        raise ChoiceRefused(code, text)
                    break
                case _:
                    assert_never(answer)
    return None


@frozen
class Question:
    """A decision that the table waits for."""

    seen: SeatView
    rules: Rules


def _due(client: TableClient) -> Action | Question | None:
    """What the table waits for from our seat."""
    room, seen = client.view, client.seat_view()
    if room is None or seen is None:
        return None
    if room.proposal is not None and seen.seat not in room.consents:
        return messages.Consent(n=0, agree=True)
    if _wants_ready(room, seen.public, seen.seat):
        return messages.Ready(n=0)
    if room.stage is not Stage.PLAYING or seen.seat not in seen.public.asked:
        return None
    return Question(seen, rules(room.preset, room.options))


def _wants_ready(room: RoomView, public: Public, seat: Seat) -> bool:
    if room.seats[seat - 1].ready:
        return False
    between = room.stage is Stage.PLAYING and public.phase is PhaseName.HAND_OVER
    return between or room.stage is Stage.LOBBY


def acted(seen: SeatView, choice: Choice) -> Action:
    """The action that carries a choice out; its counter is the client's to set."""
    turn = seen.public.turn
    match choice:
        case Offer(cards, reading):
            return messages.Play(n=0, cards=cards, reading=reading, turn=turn)
        case Pass():
            return messages.Pass(n=0, turn=turn)
        case Give(card) if seen.public.phase is PhaseName.PAYING:
            return messages.Pay(n=0, card=card, turn=turn)
        case Give(card):
            return messages.GiveBack(n=0, card=card, turn=turn)
        case _:
            assert_never(choice)
