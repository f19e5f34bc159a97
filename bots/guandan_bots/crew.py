"""Work spread over processes, which all end when nobody wants the results any more.

However that comes about: a process that loses the one which gave out the work ends by itself.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.connection import wait as wait_for
from typing import Final, TypeVar

__all__ = ["results"]

AHEAD: Final = 2
"""Jobs that wait for each process, so that none of them has to."""

T = TypeVar("T")
R = TypeVar("R")


def results(job: Callable[[T], R], given: Iterable[T], *, workers: int) -> Generator[R, None, None]:
    """What a job makes of each of the given, as they get done; to be closed.

    BrokenProcessPool if a process was killed.
    """
    others = active_children()
    left = iter(given)
    # Spawned, because a fork of a process with threads may hang.
    pool = ProcessPoolExecutor(workers, get_context("spawn"), initializer=_begin)
    running: set[Future[R]] = set()
    try:
        while True:
            for one in left:
                with _deferred_interrupt():  # a process that is being started must not get it
                    running.add(pool.submit(job, one))
                if len(running) >= AHEAD * workers:
                    break
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    finally:
        with _deferred_interrupt():
            if running:  # nobody waits any more
                for process in active_children():
                    if process not in others:
                        process.terminate()
            pool.shutdown(cancel_futures=True)


@contextmanager
def _deferred_interrupt() -> Iterator[None]:
    """Ctrl-C comes through afterwards; processes that are started here never get it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin() -> None:
    """In each process: Ctrl-C is for the one that gives out the work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_parent, daemon=True).start()


def _end_with_the_parent() -> None:
    parent = parent_process()
    assert parent is not None
    wait_for([parent.sentinel])
    os._exit(1)  # nobody is left to be told anything
