"""What a client has said and has no answer to yet; no socket here.

Actions go out one at a time, each under the next counter. One without an answer stays under its
counter over any number of connections: the welcome tells whether it was stored, and if not it is
sent again. Queries change nothing, so they are simply asked again.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator
from typing import Any, Final, cast

from attrs import evolve

from guandan_protocol.messages import Action, Code, Done, Query, Refused, Welcome

__all__ = ["QUERY_ID_FIRST", "Answer", "Pending"]

Answer = Any
"""`Done` or `Refused` for an action, the query's own answer or `Refused` for a query."""

# `Refused` names counters and ids in one field; no session has that many actions.
QUERY_ID_FIRST: Final = 2**32


# The store did not say if it has the action; or it has another one under that counter.
_COUNTER_USED: Final = frozenset({Code.STORAGE_UNAVAILABLE, Code.ACTION_CONFLICT})


class _Said:
    """A message and the future of its answer."""

    def __init__(self, message: Action | Query) -> None:
        self.message = message
        self.answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.was_sent = False
        """Ever."""
        self.is_due = True
        """On this connection."""

    @property
    def was_dropped(self) -> bool:
        """Nobody waits for it any more, and the server never heard of it."""
        return self.answer.cancelled() and not self.was_sent

    def resolve(self, answer: Answer) -> None:
        if not self.answer.done():
            self.answer.set_result(answer)

    def fail(self, error: Exception) -> None:
        if not self.answer.done():
            self.answer.set_exception(error)
            self.answer.exception()  # seen: whoever waited may be gone


class Pending:
    """See the module's docstring."""

    def __init__(self) -> None:
        self.counter = 0
        """The last that was acknowledged."""
        self._next_id = QUERY_ID_FIRST
        self._waiting: deque[_Said] = deque()
        self._action: _Said | None = None
        """The one that has a counter; after a time-out of its caller it may have nobody waiting."""
        self._queries: dict[int, _Said] = {}

    def act(self, action: Action) -> asyncio.Future[Answer]:
        """Queue an action; its own counter is of no account."""
        said = _Said(action)
        self._waiting.append(said)
        return said.answer

    def ask(self, query: Query) -> asyncio.Future[Answer]:
        """Queue a query; its own id is of no account."""
        said = _Said(evolve(query, id=self._next_id))
        self._queries[self._next_id] = said
        self._next_id += 1
        return said.answer

    def due(self) -> Iterator[Action | Query]:
        """What is to be sent now, each once a connection."""
        self._advance()
        for said in [*([self._action] if self._action else []), *self._queries.values()]:
            if said.is_due and not said.was_dropped:
                said.is_due = False
                said.was_sent = True
                yield said.message

    def _advance(self) -> None:
        for number in [n for n, said in self._queries.items() if said.answer.cancelled()]:
            del self._queries[number]
        if self._action is not None and self._action.was_dropped:
            self._action = None
        while self._action is None and self._waiting:
            said = self._waiting.popleft()
            if not said.was_dropped:
                said.message = evolve(cast(Action, said.message), n=self.counter + 1)
                self._action = said

    def welcomed(self, welcome: Welcome) -> None:
        """A new connection stands: what it acknowledges is done, the rest is due again."""
        self.counter = welcome.counter
        if self._action is not None and self._counter_in_flight <= welcome.counter:
            # Its own answer was lost, and so was its number in the log; this one contains it.
            self._close_action(Done(n=self._counter_in_flight, seq=welcome.seq))
        for said in [*([self._action] if self._action else []), *self._queries.values()]:
            said.is_due = True

    @property
    def _counter_in_flight(self) -> int:
        return 0 if self._action is None else cast(Action, self._action.message).n

    def answered(self, answer: Answer) -> None:
        """An answer has come; one that nobody asked for is ignored."""
        match answer:
            case Done(n=n):
                self.counter = max(self.counter, n)
                if n == self._counter_in_flight:
                    self._close_action(answer)
            case Refused(ref=ref):
                self._refused(ref, answer)
            case _:
                said = self._queries.pop(answer.id, None)
                if said is not None:
                    said.resolve(answer)

    def _refused(self, ref: int, refused: Refused) -> None:
        if ref in self._queries:
            self._queries.pop(ref).resolve(refused)
        elif ref and ref == self._counter_in_flight:
            # Its counter stays free, for the next one; unless it may be stored under it after all.
            if refused.code in _COUNTER_USED:
                self.counter = ref
            self._close_action(refused)

    def _close_action(self, answer: Answer) -> None:
        assert self._action is not None
        self._action.resolve(answer)
        self._action = None

    def fail(self, error: Exception) -> None:
        """There will be no more answers."""
        left = [*self._waiting, *self._queries.values()]
        if self._action is not None:
            left.append(self._action)
        for said in left:
            said.fail(error)
        self._waiting.clear()
        self._queries.clear()
        self._action = None
