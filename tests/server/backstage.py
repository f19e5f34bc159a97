"""The hands behind each store, for those who break it under a room."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from urllib.parse import quote, unquote

from redis.asyncio import Redis

from guandan_server.embedded import EmbeddedStore
from guandan_server.keys import room_keys
from guandan_server.store import (
    Store,
)
from guandan_server.store_memory import Fault, MemoryStore, Shelf
from guandan_server.store_redis import RedisStore
from tests.server.waiting import until


class LossyProxy:
    """Passes everything on, but cuts the line instead of giving back some answers."""

    def __init__(self, server: str) -> None:
        self._server = server
        self.losses = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        up_reader, up_writer = await asyncio.open_unix_connection(self._server)
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            while True:
                request = await reader.read(1 << 20)
                if not request:
                    break
                up_writer.write(request)
                reply = await up_reader.read(1 << 20)
                # Scripts may have been loaded for the first time, and that is no loss.
                if self.losses and reply and b"NOSCRIPT" not in reply and b"$40" not in reply:
                    self.losses -= 1
                    break
                writer.write(reply)
        for stream in (writer, up_writer):
            stream.close()
            with suppress(ConnectionError):
                await stream.wait_closed()


@asynccontextmanager
async def lossy(embedded: EmbeddedStore) -> AsyncIterator[tuple[LossyProxy, RedisStore]]:
    path = embedded.data_dir / "lossy.sock"
    proxy = LossyProxy(unquote(embedded.url.removeprefix("unix://")))
    server = await asyncio.start_unix_server(proxy.serve, path)
    try:
        async with RedisStore(f"unix://{quote(str(path))}") as store:
            yield proxy, store
    finally:
        server.close()
        await server.wait_closed()


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

    async def forget_claim(self, room: str, fence: int) -> None:
        self.shelf.rooms[room].fence = fence

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

    async def forget_claim(self, room: str, fence: int) -> None:
        meta = room_keys(room).meta
        beyond = int(await self.admin.hget(meta, "fence") or 0)
        await self.admin.hset(meta, mapping={"fence": fence, "claim": ""})
        await until(lambda: self._is_past(beyond))

    async def _is_past(self, ms: int) -> bool:
        seconds, micros = await self.admin.time()
        return seconds * 1000 + micros // 1000 > ms

    @asynccontextmanager
    async def losing_a_reply(self) -> AsyncIterator[Store]:
        async with lossy(self.embedded) as (proxy, store):
            proxy.losses = 1
            yield store
            assert proxy.losses == 0
