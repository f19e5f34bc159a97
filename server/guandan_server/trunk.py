"""The lines to a cluster: one to each server, and every call on that of its slot.

                        ┌─► line to A ─► answer
    call() ─► by slot ──┼─► line to B ─► MOVED, ASK ─► another line, at once
                ▲       └─► line to C ─► no answer ─┐
                └──── a new map, after a pause ◄────┘  until its caller's deadline

Each line is what `line` says: one connection, one task, one pipeline for all that waits. So every
server has its own group commit, and one that stalls holds up its own rooms and no others. What the
lines of a cluster do not do is send again by themselves, for the slot may have a new owner by then:
that is decided here.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager, suppress

from redis.exceptions import AskError, MovedError, RedisError

from guandan_server.errors import StoreUnavailable, Trouble
from guandan_server.executors import ASKING, Cluster
from guandan_server.keys import NODES_KEY
from guandan_server.line import (
    CALLS_WAITING_MAX,
    RESEND_AFTER_S,
    Call,
    Line,
    Outage,
    end,
    passes,
    too_late,
    translate,
    unavailable,
)
from guandan_server.scripts import Part, Reply
from guandan_server.store_url import Peer

# While servers agree on a slot's new owner, each may name the other. After this many hops a call
# waits for a new map like those without an answer.
REDIRECTS_MAX = 3


class Trunk:
    """What `Line` is to one server, to a cluster."""

    def __init__(self, name: str, cluster: Cluster, *, deadline_s: float) -> None:
        self._name = name
        self._cluster = cluster
        self._deadline_s = deadline_s
        self._lines: dict[Peer, _ClusterLine] = {}
        self._leaving: _ClusterLine | None = None
        self._strayed: list[Call] = []
        self._wake = asyncio.Event()
        self._open = 0
        self._task: asyncio.Task[None] | None = None
        self._closed = False
        self._no_map = Outage(name)

    @property
    def outage(self) -> StoreUnavailable | None:
        """Why nothing gets through just now; None while any part of the cluster works."""
        outages = [line.outage for line in self._lines.values()]
        return self._no_map.now or (outages[0] if outages and all(outages) else None)

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name=f"store-{self._name}")

    async def call(self, command: Sequence[Part]) -> Reply:
        call = Call(command)
        call.tries = call.hops = 0
        call.trouble = None
        if self._closed:
            raise unavailable(Trouble.CLOSED)
        if self._open >= CALLS_WAITING_MAX:
            raise unavailable(Trouble.OVERLOADED)
        self._open += 1
        try:
            self._place(call)
            async with asyncio.timeout(self._deadline_s):
                return await call.answer
        except TimeoutError:
            raise too_late(self._deadline_s, call.trouble) from None
        finally:
            self._open -= 1

    @asynccontextmanager
    async def primaries(self) -> AsyncIterator[Sequence[tuple[str, Line]]]:
        """A line to every server that holds data, by its name if there may be several."""
        await self.call(("EXISTS", NODES_KEY))  # now there is a map, or one clear error
        lines = {
            str(peer): Line(
                f"{self._name} {peer}", self._cluster.node(peer), deadline_s=self._deadline_s
            )
            for peer in sorted(self._cluster.primaries)
        }
        for line in lines.values():
            line.start()
        try:
            yield list(lines.items())
        finally:
            for line in lines.values():
                await line.close()

    # -- Where a call goes ---------------------------------------------------------------------

    def _place(self, call: Call) -> None:
        peer = self._cluster.owner(call.command)
        if peer is None:
            self.stray([call], unavailable(Trouble.CLUSTER_DOWN, "its slot is nobody's"))
        else:
            self._put(call, peer)

    def _put(self, call: Call, peer: Peer) -> None:
        if self._closed:
            call.fail(unavailable(Trouble.CLOSED))
        else:
            self._line(peer).put(call)

    def _line(self, peer: Peer) -> _ClusterLine:
        line = self._lines.get(peer)
        if line is None:
            line = self._lines[peer] = _ClusterLine(
                f"{self._name} {peer}", self, peer, self._cluster, deadline_s=self._deadline_s
            )
            line.start()
        return line

    def redirect(self, call: Call, error: AskError, *, by: Peer) -> None:
        """Send a call to where the server says that its slot is, or is going."""
        _unasked(call)
        peer = Peer(error.host or by.host, error.port)
        call.hops += 1
        if call.hops > REDIRECTS_MAX or error.host == "?":
            self.stray([call], unavailable(Trouble.CLUSTER_DOWN, f"sent on by {by} to {peer}"))
        elif isinstance(error, MovedError):
            self._cluster.moved(error.slot_id, peer)
            self._place(call)
        else:
            call.command = (ASKING, *call.command)
            self._put(call, peer)

    def stray(self, calls: Iterable[Call], trouble: StoreUnavailable | None) -> None:
        """Take calls that nobody has answered; they are placed anew, by a new map."""
        for call in calls:
            _unasked(call)
            if self._closed:
                call.fail(unavailable(Trouble.CLOSED))
                continue
            call.tries += 1
            call.hops = 0
            call.trouble = trouble or call.trouble
            self._strayed.append(call)
        self._wake.set()

    # -- The map -------------------------------------------------------------------------------

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            self._strayed = [call for call in self._strayed if not call.answer.done()]
            if not self._strayed:
                continue
            tries = max(call.tries for call in self._strayed)
            await asyncio.sleep(RESEND_AFTER_S[min(tries, len(RESEND_AFTER_S)) - 1])
            try:
                await self._cluster.survey()
            except (RedisError, OSError) as error:
                self._unmapped(error)
                continue
            except Exception as error:  # noqa: BLE001 - a bug must reach the callers, not end the task
                for call in self._take():
                    call.fail(error)
                continue
            self._no_map.end()
            await self._let_go()
            for call in self._take():
                self._place(call)

    def _take(self) -> list[Call]:
        calls, self._strayed = self._strayed, []
        return calls

    def _unmapped(self, error: RedisError | OSError) -> None:
        failure = translate(error)
        if isinstance(failure, StoreUnavailable):
            self._no_map.meet(failure)
            if passes(failure.trouble):
                self.stray(self._take(), failure)
                return
        for call in self._take():
            call.fail(translate(error))

    async def _let_go(self) -> None:
        """Close the lines to servers that have no slot any more; what they had not done strays.

        One that hangs would keep its calls until the socket's time-out, and they have a place to
        go now.
        """
        for peer in self._lines.keys() - self._cluster.primaries:
            self._leaving = self._lines.pop(peer)
            with suppress(RedisError, OSError):
                await self._leaving.close()
            self._leaving = None

    async def close(self) -> None:
        self._closed = True
        if self._task is not None:
            await end(self._task)
        for line in [self._leaving, *self._lines.values()]:
            if line is not None:
                with suppress(RedisError, OSError):
                    await line.close()
        for call in self._take():
            call.fail(unavailable(Trouble.CLOSED))


class _ClusterLine(Line):
    """A line whose unanswered calls go back to the trunk."""

    def __init__(
        self, name: str, trunk: Trunk, peer: Peer, cluster: Cluster, *, deadline_s: float
    ) -> None:
        super().__init__(name, cluster.node(peer), deadline_s=deadline_s)
        self._trunk = trunk
        self._peer = peer

    def _failed(self, calls: list[Call], error: RedisError | OSError) -> list[Call]:
        if isinstance(error, AskError):  # MOVED is one too
            for call in calls:
                self._trunk.redirect(call, error, by=self._peer)
        else:
            self._trunk.stray(super()._failed(calls, error), self._outage.now)
        return []

    def _give_up(self, calls: Iterable[Call]) -> None:
        self._trunk.stray(calls, None)


def _unasked(call: Call) -> None:
    if call.command[0] == ASKING:
        call.command = call.command[1:]
