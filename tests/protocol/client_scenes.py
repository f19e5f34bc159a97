"""What the tests of the client share: a table, and scenes that many of their servers play."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any, TypeVar

from attrs import evolve

from guandan_protocol import messages as m
from guandan_protocol.client import Notice, TableClient
from guandan_protocol.dialing import Backoff
from tests.protocol import samples
from tests.protocol.fake_server import WAIT_S, Peer

T = TypeVar("T", bound=Notice)

AT_ONCE = Backoff(base_ms=0, cap_ms=0)
JOIN = m.Join(m.VERSION, samples.ROOM, "Ann")
CREATE = m.Create(m.VERSION, "Ann", samples.CREATE_ID)
WATCH = m.Watch(m.VERSION, samples.ROOM)
WELCOME = samples.WELCOME
BACK = evolve(WELCOME, token=b"")
WATCHING = evolve(WELCOME, seat=None, token=b"", private=None)


def table(url: str, hello: Any = JOIN, backoff: Backoff = AT_ONCE) -> TableClient:
    return TableClient(url, hello, backoff=backoff, random=Random(1))


async def notice(client: TableClient, kind: type[T]) -> T:
    """The next notice, which must be of that class."""
    async with asyncio.timeout(WAIT_S):
        told = await anext(client)
    assert isinstance(told, kind), told
    return told


async def rest(client: TableClient) -> list[Notice]:
    async with asyncio.timeout(WAIT_S):
        return [told async for told in client]


async def welcomed(peer: Peer) -> None:
    await peer.hears(m.Join)
    await peer.says(WELCOME)


async def resumed(peer: Peer, welcome: m.Welcome = BACK) -> None:
    hello = await peer.hears(m.Resume)
    assert (hello.room, hello.token) == (samples.ROOM, samples.TOKEN)
    await peer.says(welcome)


async def stays(peer: Peer) -> None:
    await welcomed(peer)
    await peer.stays()


async def cut_off(peer: Peer) -> None:
    await welcomed(peer)
    peer.cuts()


async def stays_again(peer: Peer) -> None:
    await resumed(peer)
    await peer.stays()


async def cut_again(peer: Peer) -> None:
    await resumed(peer)
    peer.cuts()
