"""An event loop whose clock jumps: nothing waits, and no file or socket is looked at."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Mapping
from contextvars import Context, copy_context
from typing import Any, Final, NoReturn, TypeVarTuple, Unpack

from tests.sim.process import HERE

__all__ = ["Stuck", "VirtualLoop"]

TURNS_MAX: Final = 20_000
"""Turns of the loop at one instant; beyond this, somebody runs in circles."""


Args = TypeVarTuple("Args")


class Stuck(Exception):
    """Nothing is due, ever; or work goes on and on, and time does not."""


class VirtualLoop(asyncio.SelectorEventLoop):
    """Time passes when everybody waits, and then at once, to the next timer.

    A callback that belongs to a `Process` is run by it: it may be asleep, or dead.
    """

    def __init__(self) -> None:
        self._now_s = 1_000.0
        self._turns = 0
        self.on_stuck: Callable[[str], None] = _raise
        """Asked once to bring it to an end; the second time it is an error."""
        super().__init__(_Jumps(self._jump))
        self.set_task_factory(_in_process)

    def time(self) -> float:
        return self._now_s

    def _jump(self, timeout_s: float | None) -> None:
        if timeout_s is None:
            self._stuck("everybody waits, and for nothing")
        elif timeout_s > 0:
            self._now_s += timeout_s
            self._turns = 0
        self._turns += 1
        if self._turns > TURNS_MAX:
            self._turns = 0
            self._stuck("somebody runs in circles, and time stands still")

    def _stuck(self, why: str) -> None:
        on_stuck, self.on_stuck = self.on_stuck, _raise
        on_stuck(why)

    def call_soon(
        self,
        callback: Callable[[Unpack[Args]], object],
        *args: *Args,
        context: Context | None = None,
    ) -> asyncio.Handle:
        if context is None:
            context = copy_context()
        process = context.get(HERE)
        if process is None:
            return super().call_soon(callback, *args, context=context)
        work = process.work(callback, args, context)
        work.handle = super().call_soon(work, context=context)
        return work.handle

    def call_at(
        self,
        when: float,
        callback: Callable[[Unpack[Args]], object],
        *args: *Args,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        if context is None:
            context = copy_context()
        process = context.get(HERE)
        if process is None:
            return super().call_at(when, callback, *args, context=context)
        work = process.work(callback, args, context)
        handle = super().call_at(when, work, context=context)
        work.handle = handle
        return handle


def _raise(why: str) -> NoReturn:
    raise Stuck(why)


def _in_process(
    loop: asyncio.AbstractEventLoop,
    coro: Any,
    *,
    context: Context | None = None,
    **rest: Any,
) -> asyncio.Task[Any]:
    task: asyncio.Task[Any] = asyncio.Task(coro, loop=loop, context=context, **rest)
    process = HERE.get(None) if context is None else context.get(HERE)
    if process is not None:
        process.own(task)
    return task


class _Jumps(selectors.BaseSelector):
    """Says that no file is ready, and lets the time pass that it was given to wait."""

    def __init__(self, jump: Callable[[float | None], None]) -> None:
        self._jump = jump
        self._keys: dict[int, selectors.SelectorKey] = {}

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        number = fileobj if isinstance(fileobj, int) else fileobj.fileno()
        key = self._keys[number] = selectors.SelectorKey(fileobj, number, events, data)
        return key

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        return self._keys.pop(fileobj if isinstance(fileobj, int) else fileobj.fileno())

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        self._jump(timeout)
        return []

    def get_map(self) -> Mapping[Any, selectors.SelectorKey]:
        return self._keys
