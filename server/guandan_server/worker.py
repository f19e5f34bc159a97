"""The inside of a worker process: it answers one question after another, and outlives nobody.

The server's pipe is its standard input. When the server is gone, even by kill -9, reading from it
ends, and so does the worker. While it thinks it does not read; an alarm of the system's ends it if
that takes too long, and no policy can catch it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import traceback
from collections.abc import Callable
from functools import cache
from typing import Final, TypeVar

from attrs import frozen

__all__ = ["Raised", "work"]

NICE: Final = 10
"""The server's event loop goes first, on whatever core it runs."""

T = TypeVar("T")


@frozen
class Raised:
    """A policy failed. The error itself may be nothing that can be sent."""

    trace: str


def work(hung_s: int, question: Callable[..., T], *given: object) -> T | Raised:
    """The answer; runs in a worker process, and ends it after `hung_s`.

    Whatever is raised is caught, SystemExit included: it would be raised again in the server.
    """
    _settle()
    if hasattr(signal, "alarm"):
        signal.alarm(hung_s)
    try:
        return question(*given)
    except BaseException:  # noqa: BLE001  a fault of a policy is an answer, like any other
        return Raised(traceback.format_exc())
    finally:
        if hasattr(signal, "alarm"):
            signal.alarm(0)


@cache
def _settle() -> None:
    """Make the process a worker, with its first question."""
    # Ctrl-C goes to all processes of a terminal; the server is the one that answers to it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        with contextlib.suppress(OSError):  # it is only a wish
            os.nice(NICE)
