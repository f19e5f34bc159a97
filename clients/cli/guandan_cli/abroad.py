"""A bot of ours at somebody else's platform: what `guandan bot --dialect` does."""

from __future__ import annotations

import signal
import sys
from io import TextIOWrapper
from random import Random, SystemRandom

from guandan_bots.dialect.visiting import Cut, NoAddress, converse, visit
from guandan_bots.dialect.visitor import Visitor
from guandan_bots.policy import Policy
from guandan_cli.exits import Exit, Failure, about, said
from guandan_cli.notes import note
from guandan_engine.options import Rules
from guandan_protocol.errors import Unreachable

__all__ = ["abroad"]


async def abroad(policy: Policy, *, url: str | None, stdio: bool, seed: int | None) -> int:
    """Answer a platform over standard input and output, or at its WebSocket."""
    if stdio == (url is not None):
        raise Failure(Exit.USAGE, said("error.url_or_stdio"))
    rng = SystemRandom() if seed is None else Random(seed)  # noqa: S311 bots have no secrets
    visitor = Visitor(policy, rng, say=note, rules=Rules())
    has_come = True
    try:
        if url is not None:
            await visit(url, visitor)
        elif sys.stdin is not None:
            # Nothing else runs here. Reading holds the loop up, so Ctrl-C must not wait for it.
            signal.signal(signal.SIGINT, signal.default_int_handler)
            if isinstance(sys.stdin, TextIOWrapper):
                sys.stdin.reconfigure(errors="replace")  # a line in another code is a wrong line
            converse(visitor, sys.stdin, sys.stdout)
    except NoAddress as error:
        has_come = False
        raise Failure(Exit.USAGE, about("--url", said("error.node_url", got=error.url))) from error
    except Unreachable as error:
        has_come = False
        why = said("error.unreachable", url=error.url, why=error.why)
        raise Failure(Exit.NO_CONNECTION, about("--url", why)) from error
    except Cut as error:
        raise Failure(Exit.NO_CONNECTION, said("error.platform_closed", why=error)) from error
    finally:
        if has_come:
            note(visitor.summary())
    return Exit.OK
