"""The hands behind each store, for those who break it under a room."""

from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from redis.asyncio import Redis

from guandan_server.embedded import EmbeddedStore
from guandan_server.keys import room_keys
from guandan_server.store import (
    Store,
)
from guandan_server.store_memory import Fault, MemoryStore, Shelf
from guandan_server.store_redis import RedisStore


class MemoryBackstage:
    def __init__(self) -> None:
        self.now_s = 0.0
        self.shelf = Shelf()
        self.store: Store = self.beside()

    def beside(self) -> MemoryStore:
        return MemoryStore(clock=lambda: self.now_s, shelf=self.shelf)

    async def flush(self) -> None:
        self.shelf.flush()

    async def corrupt(self, room: str) -> None:
        self.shelf.corrupt(room)

    async def lives_s(self, room: str) -> float:
        return self.shelf.rooms[room].dies_at_s - self.now_s

    @asynccontextmanager
    async def losing_a_reply(self) -> AsyncIterator[Store]:
        coming = deque([Fault.REPLY_LOST])

        async def faults(method: str, room: str) -> Fault:
            return coming.popleft() if coming else Fault.NONE

        store = self.beside()
        store.faults = faults
        yield store
        assert not coming


class RedisBackstage:
    def __init__(self, embedded: EmbeddedStore, store: RedisStore, admin: Redis) -> None:
        self.embedded = embedded
        self.store: Store = store
        self.redis = store
        self.admin = admin

    async def flush(self) -> None:
        await self.admin.flushall()

    async def corrupt(self, room: str) -> None:
        await self.admin.setrange(room_keys(room).snap, 0, "X")

    async def lives_s(self, room: str) -> float:
        keys = room_keys(room)
        left = {await self.admin.ttl(key) for key in (keys.meta, keys.snap)}
        if await self.admin.exists(keys.log):
            left.add(await self.admin.ttl(keys.log))
        assert len(left) == 1
        return float(left.pop())

    @asynccontextmanager
    async def losing_a_reply(self) -> AsyncIterator[Store]:
        async with lossy(self.embedded) as (proxy, store):
            proxy.losses = 1
            yield store
            assert proxy.losses == 0
