"""What people were told would not be lost; and what was refused, and therefore may not be there."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Final

from attrs import frozen

from guandan_protocol import messages as m
from guandan_protocol.codec import encode
from guandan_protocol.messages import Code
from guandan_server.store import Action as StoredAction
from tests.sim.history import History, Mark, Moment

__all__ = ["Promises"]

UNSURE: Final = frozenset({Code.STORAGE_UNAVAILABLE})
"""Refusals that do not say whether it was stored."""


@frozen
class _Promise:
    token: bytes
    n: int
    digest: str
    what: str


class Promises:
    """Of one room."""

    def __init__(self, object_: Callable[[str], None]) -> None:
        self._object = object_
        self._heard: set[tuple[bytes, int, str]] = set()
        self._answers: dict[_Promise, m.Done | m.Refused] = {}

    def __len__(self) -> int:
        return sum(1 for answer in self._answers.values() if isinstance(answer, m.Done))

    def heard(self, token: bytes, n: int, frame: bytes) -> None:
        """A server has said, in so many words, that what was sent as `frame` is done."""
        self._heard.add((token, n, _digest(n, frame)))

    def answered(
        self, token: bytes, action: m.Action, answer: m.Done | m.Refused, *, alone: bool
    ) -> None:
        if isinstance(action, m.Leave):
            return  # its counter goes with it
        digest = _digest(action.n, encode(action))
        promise = _Promise(token, action.n, digest, type(action).__name__)
        # A client takes a welcome with its counter for the answer. Where two devices have one seat,
        # that may have been the other's action: only what was said in words counts.
        in_words = alone or (token, action.n, digest) in self._heard
        if isinstance(answer, m.Done) and not in_words:
            return
        if not isinstance(self._answers.get(promise), m.Done):
            self._answers[promise] = answer

    def check(self, history: History) -> None:
        """Is what was promised there, once, in order, and nothing that was refused?"""
        kept = _by_mark(history.moments())
        lost = _by_mark(history.lost_moments())
        keys = _keys(history)
        last: dict[str, tuple[int, int]] = {}
        for promise, answer in self._answers.items():
            key = keys.get(hashlib.sha256(promise.token).digest())
            if key is None:
                self._object(f"{promise.what} {promise.n} was answered to nobody")
                continue
            mark = Mark(key, promise.n, promise.digest)
            found = kept.get(mark, [])
            if isinstance(answer, m.Refused):
                if found and answer.code not in UNSURE:
                    self._object(f"{promise.what} {mark.counter} was refused, and is entry {found}")
                continue
            if len(found) > 1:
                self._object(f"{promise.what} {mark.counter} was done twice: {found}")
            elif found:
                before = last.get(key, (0, 0))
                if promise.n > before[0] and found[0].seq < before[1]:
                    self._object(f"{promise.what} {mark.counter} was done out of order")
                last[key] = max(before, (promise.n, found[0].seq))
            else:
                self._check_lost(promise, lost.get(mark, []), history)

    def _check_lost(self, promise: _Promise, lost: list[Moment], history: History) -> None:
        what = f"{promise.what} {promise.n}"
        if not lost:
            self._object(f"{what} was done, and was never stored")
        for moment in lost[-1:]:
            if moment.epoch == history.epoch and not history.is_excused(moment):
                self._object(f"{what} was done as {moment.seq}, is lost, and nobody was told")


def _digest(n: int, frame: bytes) -> str:
    return StoredAction.of(seat_key="", counter=n, body=frame).digest


def _by_mark(moments: list[Moment]) -> dict[Mark, list[Moment]]:
    found: dict[Mark, list[Moment]] = {}
    for moment in moments:
        if moment.mark is not None:
            found.setdefault(moment.mark, []).append(moment)
    return found


def _keys(history: History) -> dict[bytes, str]:
    """Whose token is whose."""
    return {
        seat.digest: seat.key
        for moment in (*history.lost_moments(), *history.moments())
        for seat in moment.state.seats
        if seat.is_person
    }
