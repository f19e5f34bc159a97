"""A node among others: its heartbeat, and what becomes of the rooms of the dead.

Liveness is a hint, the fence is the safety. A node writes a heartbeat that runs out by itself; a
room whose owner has none may be claimed by anyone, and an owner that only slept finds out with its
next commit. Rooms are claimed lazily, by the hello that asks for one, and by the sweeper, because
clocks must run where nobody says hello. Sweepers wait a random while, so that two nodes do not run
for the same rooms; if they do, the claim decides.

    beat  ─ every BEAT_MS ─►  g:node:<name>, for BEAT_TTL_MS
    sweep ─ every SWEEP_MS ─► nodes without a heartbeat ─► wake their rooms here
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Final

import structlog

from guandan_protocol.messages import Code
from guandan_server.errors import StoreError
from guandan_server.refusals import Refusal
from guandan_server.store import Store

__all__ = ["House"]

log = structlog.get_logger()

BEAT_MS: Final = 750
BEAT_TTL_MS: Final = 3_000
"""Four beats may be missed; then the node is dead to the others, and must be so to itself."""
PART_S: Final = 1
"""For a last word to the store: without it the others wait until our heartbeat has run out."""
SWEEP_MS: Final = 1_000
SWEEP_JITTER_MS: Final = 500
WAKE_AT_ONCE: Final = 32
"""Rooms woken side by side: a dead node's five hundred take a second, and hellos get through."""


class House:
    """The standing of one node among all."""

    def __init__(
        self,
        store: Store,
        *,
        node: str,
        url: str,
        on_return: Callable[[], None] = lambda: None,
        chance: random.Random | None = None,
    ) -> None:
        """`on_return`: called when we have been dead to the others, and are back."""
        self.node = node
        self.url = url
        self._store = store
        self._on_return = on_return
        self._chance = chance or random.SystemRandom()
        self._loop = asyncio.get_running_loop()
        self._beaten_at: float | None = None
        self._sweeps_from = 0.0
        """Before that nobody is called dead: where the store was away, nobody could beat."""
        self._parting = False

    @property
    def alive(self) -> bool:
        """Do the others see us? Safe to say from our side, as the key outlives the last beat."""
        if self._beaten_at is None:
            return False
        silent_s = self._loop.time() - self._beaten_at
        return silent_s * 1000 < BEAT_TTL_MS

    @property
    def silent_s(self) -> float:
        """Seconds since the last heartbeat was written."""
        begun = self._beaten_at
        return 0.0 if begun is None else self._loop.time() - begun

    async def beat(self) -> None:
        """Write one heartbeat."""
        sent_at = self._loop.time()
        await self._store.beat(self.node, self.url, ttl_ms=BEAT_TTL_MS)
        was_dead = self._beaten_at is not None and not self.alive
        self._beaten_at = sent_at
        if was_dead:
            log.warning("back among the living", node=self.node)
            self._sweeps_from = self._loop.time() + BEAT_TTL_MS / 1000
            self._on_return()

    async def live(self) -> None:
        """Beat for ever."""
        while True:
            try:
                async with asyncio.timeout(BEAT_TTL_MS / 1000):
                    await self.beat()
            except (StoreError, TimeoutError) as error:
                # The store may be down for everybody: then no one can claim anything either, and
                # `alive` says no. Commits decide who owns what when it is back.
                log.warning("heartbeat not written", why=str(error) or "no answer")
            await asyncio.sleep(BEAT_MS / 1000)

    async def sweep(self, wake: Callable[[str], Awaitable[object]]) -> None:
        """Take over from dead nodes for ever; `wake` opens a room here.

        The first of them is the node of our own name that was here before us.
        """
        has_resumed = False
        while True:
            jitter_ms = self._chance.uniform(0, SWEEP_JITTER_MS)
            await asyncio.sleep((SWEEP_MS + jitter_ms) / 1000)
            try:
                if not has_resumed:
                    await self._resume(wake)
                    has_resumed = True
                if self._loop.time() >= self._sweeps_from:
                    await self._sweep_once(wake)
            except StoreError as error:
                log.warning("no sweep", why=str(error))

    async def _sweep_once(self, wake: Callable[[str], Awaitable[object]]) -> None:
        for node in await self._store.nodes():
            if node == self.node or not await self._is_dead(node):
                continue
            rooms = await self._store.held(node)
            log.warning("taking over", dead=node, rooms=len(rooms))
            for i in range(0, len(rooms), WAKE_AT_ONCE):
                batch = rooms[i : i + WAKE_AT_ONCE]
                await asyncio.gather(*[self._succeed(node, room, wake) for room in batch])
            if not await self._store.held(node) and await self._is_dead(node):
                await self._store.part(node)

    async def _resume(self, wake: Callable[[str], Awaitable[object]]) -> None:
        """Wake what was awake here when we died: nobody else will, now that we beat again."""
        rooms = await self._store.held(self.node)
        for i in range(0, len(rooms), WAKE_AT_ONCE):
            batch = rooms[i : i + WAKE_AT_ONCE]
            await asyncio.gather(*[self._wake_own(room, wake) for room in batch])

    async def _wake_own(self, room: str, wake: Callable[[str], Awaitable[object]]) -> None:
        try:
            await wake(room)
        except Refusal as refusal:
            log.info("not resumed", room=room, code=refusal.code)
        except StoreError:
            raise
        except Exception:
            log.exception("cannot be woken", room=room)  # a room that breaks us breaks no node

    async def _succeed(
        self, node: str, room: str, wake: Callable[[str], Awaitable[object]]
    ) -> None:
        try:
            await wake(room)
        except Refusal as refusal:
            if refusal.code is Code.BUSY:
                return  # no place here: another node may have one, or we the next time
            # Gone, or taken by another node meanwhile: either way no longer the dead one's.
            log.info("not taken over", room=room, code=refusal.code)
        except StoreError:
            raise
        except Exception:
            log.exception(
                "cannot be woken", room=room
            )  # or else it would end one node after another
            return
        if await self._is_dead(node):  # or else it had only missed some beats, and has its rooms
            await self._store.let_go(node, room)

    async def _is_dead(self, node: str) -> bool:
        return await self._store.node_url(node) is None

    async def part(self) -> None:
        """Leave in order: the others need not wait for the heartbeat to run out."""
        try:
            async with asyncio.timeout(PART_S):
                await self._store.part(self.node)
        except (StoreError, TimeoutError):
            log.warning("left without a word: the store does not answer")
