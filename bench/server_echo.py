"""The yardsticks of the server: echoes that do what it cannot do without, and nothing else.

    python -m bench.server_echo --sample FILE [--store URL] [--all]

An echo takes a frame and answers with the bytes of an update. With a store it first commits the
bytes of a play, entry and snapshot, through the store's own client and the same script, one commit
at a time per room. With `--all` it tells all connections of the room and not only the one that
asked. The first frame of a connection is the name of its room. No engine, no views, no messages.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import signal
import sys
from pathlib import Path

import msgpack
from attrs import field, frozen
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from guandan_protocol.messages import SUBPROTOCOL
from guandan_server.store import Action, Created, Exists, Ok
from guandan_server.store_redis import RedisStore

__all__ = ["Sample"]

TTL_S = 3600


@frozen
class Sample:
    """The bytes of one play, as a node stores and sends them."""

    entry: bytes = field(repr=False)
    snapshot: bytes = field(repr=False)
    update: bytes = field(repr=False)
    action: bytes = field(repr=False)
    """The client's frame."""

    def save(self, path: Path) -> None:
        path.write_bytes(msgpack.packb([self.entry, self.snapshot, self.update, self.action]))

    @classmethod
    def read(cls, path: Path) -> Sample:
        return cls(*msgpack.unpackb(path.read_bytes()))


class _Room:
    def __init__(self) -> None:
        self.fence = 0
        self.seq = 0
        self.turn = asyncio.Lock()
        self.connections: list[ServerConnection] = []


class Echo:
    """Answers every frame with the sample's update."""

    def __init__(self, sample: Sample, store: RedisStore | None, *, tell_all: bool) -> None:
        self._sample = sample
        self._store = store
        self._tell_all = tell_all
        self._rooms: dict[str, _Room] = {}

    async def serve(self, socket: ServerConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            name = (await socket.recv(decode=False)).decode()
            room = self._rooms.setdefault(name, _Room())
            room.connections.append(socket)
            await self._open(name, room)
            await socket.send(b"welcome")
            async for frame in socket:
                assert isinstance(frame, bytes)
                if self._store is not None:
                    await self._commit(name, room, frame)
                for one in room.connections if self._tell_all else [socket]:
                    await one.send(self._sample.update)

    async def _open(self, name: str, room: _Room) -> None:
        async with room.turn:
            if self._store is None or room.fence:
                return
            made = await self._store.create(
                name, node="echo", snapshot=self._sample.snapshot, public=False, ttl_s=TTL_S
            )
            assert not isinstance(made, Exists), "rooms of echoes have names of their own"
            assert isinstance(made, Created)
            room.fence = made.fence

    async def _commit(self, name: str, room: _Room, frame: bytes) -> None:
        assert self._store is not None
        async with room.turn:
            room.seq += 1
            answer = await self._store.commit(
                name,
                fence=room.fence,
                seq=room.seq,
                entry=self._sample.entry,
                snapshot=self._sample.snapshot,
                ttl_s=TTL_S,
                action=Action.of(seat_key="0123456789abcdef", counter=room.seq, body=frame),
            )
            assert isinstance(answer, Ok), answer


async def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.server_echo")
    parser.add_argument("--sample", type=Path, required=True)
    parser.add_argument("--store")
    parser.add_argument("--all", action="store_true", dest="tell_all")
    options = parser.parse_args(arguments)
    sample = Sample.read(options.sample)
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with contextlib.AsyncExitStack() as stack:
        store = None
        if options.store:
            store = await stack.enter_async_context(RedisStore(options.store))
        echo = Echo(sample, store, tell_all=options.tell_all)
        server = await stack.enter_async_context(
            serve(
                echo.serve,
                "127.0.0.1",
                0,
                subprotocols=[Subprotocol(SUBPROTOCOL)],
                compression=None,
                server_header=None,
                close_timeout=1,
            )
        )
        port = next(iter(server.sockets)).getsockname()[1]
        print(f"Serving at http://127.0.0.1:{port}", flush=True)
        await stop.wait()
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1:])))
