"""What sleeps, wakes and dies as one: the tasks and timers of a node, or of somebody's phone.

Whatever is started inside a process belongs to it, by its context. Asleep it keeps its callbacks
for later, like one that was stopped by a signal; dead it keeps them for ever, and no `finally` is
run: that is what kill -9 means.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextvars import Context, ContextVar
from typing import Any

__all__ = ["HERE", "Process", "Work"]


class Work:
    """A callback of a process."""

    __slots__ = ("args", "callback", "context", "handle", "process")

    handle: asyncio.Handle

    def __init__(
        self,
        process: Process,
        callback: Callable[..., object],
        args: tuple[Any, ...],
        context: Context,
    ) -> None:
        self.process = process
        self.callback = callback
        self.args = args
        self.context = context

    def __call__(self) -> None:
        if self.process.asleep:
            self.process.kept.append(self)
        elif not self.handle.cancelled():  # it may have been, while it was kept
            self.callback(*self.args)


class Process:
    """Something that runs, until it does not."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.asleep = False
        self.dead = False
        self.has_ended = False
        """In order, by itself."""
        self.kept: list[Work] = []
        self._tasks: list[asyncio.Task[Any]] = []
        self._context = Context()
        self._context.run(HERE.set, self)

    def __repr__(self) -> str:
        return self.name

    @property
    def runs(self) -> bool:
        return not self.asleep and not self.dead

    def work(
        self, callback: Callable[..., object], args: tuple[Any, ...], context: Context
    ) -> Work:
        return Work(self, callback, args, context)

    def own(self, task: asyncio.Task[Any]) -> None:
        if len(self._tasks) > 64:
            self._tasks = self.tasks()
        self._tasks.append(task)

    def tasks(self) -> list[asyncio.Task[Any]]:
        """Those that have not ended."""
        return [task for task in self._tasks if not task.done()]

    def start(self, coro: Coroutine[Any, Any, Any], *, name: str) -> asyncio.Task[Any]:
        """Run something inside."""
        loop = asyncio.get_running_loop()
        return loop.create_task(coro, name=name, context=self._context.copy())

    def do(self, what: Callable[..., Any], *args: Any) -> Any:
        """Call something as if from inside: what it starts belongs to the process."""
        return self._context.copy().run(what, *args)

    def sleep(self) -> None:
        self.asleep = True

    def wake(self) -> None:
        if not self.dead:
            self._thaw()

    def kill(self) -> None:
        self.asleep = self.dead = True

    async def bury(self) -> None:
        """Unwind the tasks of a dead process, once nothing that they do has an effect."""
        self._thaw()
        while tasks := self.tasks():
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)

    def _thaw(self) -> None:
        self.asleep = False
        loop = asyncio.get_running_loop()
        kept, self.kept = self.kept, []
        for work in kept:
            loop.call_soon(work, context=work.context)


HERE: ContextVar[Process | None] = ContextVar("HERE", default=None)
