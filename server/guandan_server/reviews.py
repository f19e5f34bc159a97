"""What people could have played in a match that is over: worked out beside the loop, on request.

A hand at a time, in slices that the pool begins while no bot waits for it, and one request at a
time in a room. Nothing of it is stored: whoever loses an answer asks again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

import structlog

from guandan_protocol import messages as m
from guandan_protocol.messages import Code
from guandan_server.brains import Fallback, Unanswered
from guandan_server.errors import StoreError
from guandan_server.items import Conn, LookBack
from guandan_server.pool import Pool
from guandan_server.records import RECORD_BYTES_MAX
from guandan_server.store import Store

__all__ = ["HAND_S_MAX", "RETRY_MS", "Reviews"]

log = structlog.get_logger()

HAND_S_MAX: Final = 15
"""No slice of a hand is begun after that. Most hands take a second, plain play-outs two."""
RETRY_MS: Final = 2_000


class Reviews:
    """One room's, owned by its actor."""

    def __init__(
        self,
        room: str,
        store: Store,
        pool: Pool | None,
        *,
        send: Callable[[Conn, m.ServerMessage], None],
    ) -> None:
        self._room = room
        self._store = store
        self._pool = pool
        self._send = send
        self._task: asyncio.Task[None] | None = None

    def answer(self, ask: LookBack) -> None:
        """Answer the connection, once it is worked out."""
        if self._pool is None:
            refused = m.Refused(ask.id, Code.BUSY, "this server reviews no matches")
            self._send(ask.conn, refused)
        elif self._task is not None and not self._task.done():
            self._send(ask.conn, _busy(ask, "a review is being worked out for this room"))
        else:
            self._task = asyncio.create_task(self._answer(ask, self._pool))

    def close(self) -> None:
        """The room ends: nobody waits for anything any more."""
        if self._task is not None:
            self._task.cancel()

    async def _answer(self, ask: LookBack, pool: Pool) -> None:
        try:
            answer = await self._review(ask, pool)
        except StoreError:
            answer = m.Refused(ask.id, Code.STORAGE_UNAVAILABLE, "try again", RETRY_MS)
        except Unanswered as failure:
            if failure.why in (Fallback.FULL, Fallback.LATE):
                answer = _busy(ask, "bots are thinking; try again")
            else:
                log.exception("review failed", why=failure.why.value, trace=failure.trace)
                answer = m.Refused(ask.id, Code.INTERNAL, "no review of this hand")
        except Exception:
            log.exception("review failed")
            answer = m.Refused(ask.id, Code.INTERNAL, "no review of this hand")
        self._send(ask.conn, answer)

    async def _review(self, ask: LookBack, pool: Pool) -> m.ServerMessage:
        record = await self._store.load_record(
            self._room, ask.match, offset=0, limit=RECORD_BYTES_MAX
        )
        if record is None:
            return m.Refused(ask.id, Code.NO_SUCH_RECORD, "the record of that match is gone")
        text = record.body.decode()
        loop = asyncio.get_running_loop()
        ends = loop.time() + HAND_S_MAX
        found: list[m.Reviewed] = []
        left = 0
        while True:
            try:
                part = await pool.review(text, ask.seat, ask.hand, begin=len(found))
            except Unanswered:
                if not found:
                    raise
                break  # what there is says more than an invitation to begin again
            found += part.decisions
            left = part.left
            if not left or not part.decisions or loop.time() >= ends:
                break
        return m.Review(
            id=ask.id,
            match=ask.match,
            seat=ask.seat,
            hand=ask.hand,
            hands=ask.hands,
            decisions=tuple(found),
            left_out=left,
        )


def _busy(ask: LookBack, why: str) -> m.Refused:
    return m.Refused(ask.id, Code.BUSY, why, RETRY_MS)
