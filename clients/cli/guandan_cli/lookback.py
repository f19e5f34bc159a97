"""A look back at our own play in a match that is over: its hands, asked for one after another.

A table has one review worked out at a time, so nothing is asked while nobody waits for it.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from attrs import evolve, frozen

from guandan_cli.judged import Judged, figures, judged_text, own_text
from guandan_cli.scene import Scene
from guandan_cli.words import Words
from guandan_engine.cards import Rank
from guandan_engine.views import HandSummary
from guandan_protocol import messages as m
from guandan_protocol.client import TableClient
from guandan_protocol.errors import SessionEnded
from guandan_protocol.messages import Code, Hint, Refused, Review, Reviewed, Stage

__all__ = ["LookBack", "Looked", "lines"]

SURE_ERRORS: Final = 2
"""From so many standard errors on, a sum is no chance."""


@frozen
class Looked:
    """What is known by now."""

    match: int
    levels: Mapping[int, Rank]
    """Of the hands, by their number."""
    hands: int
    """How many there are."""
    next: int = 1
    """The hand that is asked for next."""
    found: tuple[Review, ...] = ()
    failed: tuple[int, ...] = ()
    """Hands that could not be worked out."""
    is_busy: bool = False
    why: str = ""
    """The code of the refusal that ended it; empty for none."""
    told: str = ""
    """The server's own words for it."""

    @property
    def is_done(self) -> bool:
        return bool(self.why) or self.next > self.hands

    @property
    def decisions(self) -> tuple[tuple[int, Reviewed], ...]:
        """Each with its hand."""
        return tuple([(one.hand, each) for one in self.found for each in one.decisions])

    @property
    def agreed(self) -> int:
        """How many were as the bot plays, but for suits that make no difference."""
        return sum([_agrees(one) for _, one in self.decisions])

    @property
    def worst(self) -> tuple[tuple[int, Reviewed], ...]:
        """Those that surely cost something, the most costly first."""
        sure = [(hand, one) for hand, one in self.decisions if one.sure and one.lost_milli > 0]
        return tuple(sorted(sure, key=lambda pair: (-pair[1].lost_milli, pair[1].command)))


def _agrees(one: Reviewed) -> bool:
    same = one.played.reading == one.best.reading
    return same and (one.played.cards == one.best.cards or not one.sure)


def _levels(record: tuple[HandSummary, ...]) -> dict[int, Rank]:
    """Of the hands of the last match."""
    levels: dict[int, Rank] = {}
    for hand in reversed(record):
        levels[hand.number] = hand.level
        if hand.number == 1:
            break
    return levels


class LookBack:
    """Asks, and keeps what came."""

    def __init__(self, client: TableClient, scene: Scene) -> None:
        self._client = client
        self._is_wanted = False
        self._is_running = False
        self._woken = asyncio.Event()
        levels = _levels(scene.record)
        hands = max([scene.public.hand, *levels])
        self.looked = Looked(match=scene.view.match, levels=levels, hands=hands)

    async def run(self, stage: Stage, tell: Callable[[], None]) -> None:
        """Go on where it stopped; `tell` hears of each step."""
        if stage is not Stage.MATCH_OVER:
            if not self.looked.is_done:
                self._set(tell, why=Code.NOT_NOW)
            return
        # Who could not be answered then may be by now.
        self._set(tell, why="", told="")
        self._is_wanted = True
        if self._is_running:
            self._woken.set()
            return
        self._is_running = True
        try:
            while self._is_wanted and not self.looked.is_done:
                await self._ask(tell)
        except SessionEnded:
            pass  # the screen ends with it
        finally:
            self._is_running = False

    def stop(self) -> None:
        """Nobody waits for it; what was found stays."""
        self._is_wanted = False
        self._woken.set()

    async def _ask(self, tell: Callable[[], None]) -> None:
        hand = self.looked.next
        answer = await self._client.ask(m.AskReview(id=0, hand=hand))
        looked = self.looked
        match answer:
            case Review():
                found = (*looked.found, answer)
                self._set(tell, found=found, hands=answer.hands, next=hand + 1, is_busy=False)
            case Refused(retry_ms=int(retry_ms)):
                self._set(tell, is_busy=True)
                await self._pause(retry_ms / 1000)
            case Refused(code=Code.INTERNAL):
                self._set(tell, failed=(*looked.failed, hand), next=hand + 1, is_busy=False)
            case Refused():
                self._set(tell, why=answer.code, told=answer.text, is_busy=False)

    async def _pause(self, seconds: float) -> None:
        self._woken.clear()
        if not self._is_wanted:
            return
        try:
            async with asyncio.timeout(seconds):
                await self._woken.wait()
        except TimeoutError:
            pass

    def _set(self, tell: Callable[[], None], **changes: object) -> None:
        self.looked = evolve(self.looked, **changes)  # type: ignore[arg-type]  # fields by name
        tell()


# In words.


def lines(looked: Looked, words: Words) -> Iterator[str]:
    texts = words.texts
    if not looked.is_done:
        key = "review.busy" if looked.is_busy else "review.asking"
        yield texts(key, hand=looked.next, hands=looked.hands)
        if looked.worst:
            yield texts("review.so_far", n=len(looked.worst))
        return
    yield from _outcome(looked, words)
    for number, (hand, one) in enumerate(looked.worst, start=1):
        yield ""
        yield f"{number}.".ljust(6) + _line(hand, one, looked, words)
    if looked.decisions:
        yield ""
        yield from _total(looked, words)
        yield texts("review.note")


def _outcome(looked: Looked, words: Words) -> Iterator[str]:
    texts, expert = words.texts, words.texts("strength.expert")
    if looked.why:
        key = f"review.no_{looked.why}"
        is_known = key in texts.table
        yield texts(key) if is_known else words.refusal(looked.why, looked.told)
        if looked.found:
            yield texts("review.missing", first=looked.next, last=looked.hands)
    decisions, worse, hands = len(looked.decisions), len(looked.worst), len(looked.found)
    if decisions:
        key = "review.looked" if worse else "review.well"
        share = f"{looked.agreed / decisions:.0%}"
        yield texts(key, n=decisions, hands=hands, share=share, expert=expert, worse=worse)
    elif hands:
        yield texts("review.no_choice", hands=hands)
    if looked.failed:
        yield texts("review.failed", hands=texts("list.comma").join(map(str, looked.failed)))
    left_out = sum([one.left_out for one in looked.found])
    if left_out:
        yield texts("review.left_out", n=left_out)


def _line(hand: int, one: Reviewed, looked: Looked, words: Words) -> str:
    level = looked.levels.get(hand)
    best = _play(one.best, level, words)
    judged = Judged(
        hand=hand,
        left=one.left,
        top=one.top,
        done=own_text(_play(one.played, level, words), words),
        best=best,
        gain=one.lost_milli / 1000,
        error=one.error_milli / 1000,
        worlds=one.worlds,
        sure=one.sure,
        outdone=False,
        reason=one.best.reason or None,
        cost=one.played.reason or None,
    )
    return judged_text(judged, words)


def _play(choice: Hint, level: Rank | None, words: Words) -> str | None:
    """In words; None for a pass."""
    if not choice.cards or choice.reading is None:
        return None
    if level is None:
        return words.reading(choice.reading)
    return words.shown(choice.cards, choice.reading, level)


def _total(looked: Looked, words: Words) -> Iterator[str]:
    """What all decisions together gave away, if that is no chance."""
    gain = sum([one.lost_milli - one.won_milli for _, one in looked.decisions]) / 1000
    error = math.hypot(*[one.error_milli for _, one in looked.decisions]) / 1000
    if gain > 0 and gain > SURE_ERRORS * error:
        yield words.texts("review.total", **figures(gain, error))
