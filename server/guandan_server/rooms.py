"""The rooms of a node: made, woken from the store, found by code, forgotten when empty."""

from __future__ import annotations

import asyncio
import os
import secrets
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar

import structlog
from attrs import evolve, frozen

from guandan_engine.errors import OptionRefused, SnapshotError
from guandan_engine.seats import SEATS, Seat
from guandan_protocol import messages as m
from guandan_protocol.messages import Code, Visibility
from guandan_server import roomstate
from guandan_server.actor import LOBBY_TTL_S, Actor, Tools
from guandan_server.errors import SnapshotCorrupt
from guandan_server.frontdesk import line_of, newcomer
from guandan_server.refusals import Refusal
from guandan_server.room import Room
from guandan_server.roomstate import derive, new_room
from guandan_server.store import Claimed, Created, NoRoom

__all__ = ["CODE_LETTERS", "Made", "Rooms"]

log = structlog.get_logger()

CODE_LETTERS: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Without 0 O 1 I L, which are mistaken for each other when a code is read out."""
CODE_LENGTH: Final = 6
"""Nine hundred million codes: with a limit on wrong ones, nobody finds a room by guessing."""
ROOMS_MAX: Final = 10_000
"""A room with four connections takes about 100 KiB: a gigabyte, and a full node says so."""
CREATED_MAX: Final = 1_000
"""Answers to `Create` that are remembered, should a client not have got its own."""
LISTED_MAX: Final = 100


@frozen
class Made:
    """A room that was created, with the seat and token of its creator."""

    actor: Actor
    seat: Seat
    token: bytes


@frozen
class _Created:
    room: str
    token: bytes


class Rooms:
    """All rooms that are awake here, and the way to those that sleep in the store."""

    def __init__(self, tools: Tools, *, node: str, haste: float = 1.0) -> None:
        self._tools = tools
        self._haste = haste
        self._node = node
        self._actors: dict[str, Actor] = {}
        self._waking: dict[str, asyncio.Task[Actor]] = {}
        self._creating: dict[bytes, asyncio.Task[Made]] = {}
        self._created: OrderedDict[bytes, _Created] = OrderedDict()
        self._closed = False

    def __len__(self) -> int:
        return len(self._actors)

    async def create(self, hello: m.Create) -> Made:
        """A new room, its creator at seat 1; the same `create_id` again gives the same room.

        Refusal for unknown options, or where there is no place for another room.
        """
        known = self._created.get(hello.create_id)
        if known is not None:
            return Made(await self.find(known.room), SEATS[0], known.token)
        return await _once(self._creating, hello.create_id, self._create, hello)

    async def _create(self, hello: m.Create) -> Made:
        if self._closed or len(self._actors) >= ROOMS_MAX:
            raise Refusal(Code.BUSY, "no place for another room", retry_ms=60_000)
        entropy = os.urandom(32)
        token = derive(entropy, "token")
        state = self._furnished(hello, token, entropy)
        public = state.settings.visibility is Visibility.PUBLIC
        while True:
            code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
            answer = await self._tools.store.create(
                code,
                node=self._node,
                snapshot=roomstate.dump(state),
                public=public,
                ttl_s=LOBBY_TTL_S,
            )
            if isinstance(answer, Created):
                break
        actor = self._wake(
            Room(
                code,
                state,
                epoch=answer.epoch,
                haste=self._haste,
                levels=self._tools.brains.levels(),
            ),
            answer.fence,
        )
        self._created[hello.create_id] = _Created(code, token)
        if len(self._created) > CREATED_MAX:
            self._created.popitem(last=False)
        log.info("room created", room=code, preset=state.preset, public=public)
        return Made(actor, SEATS[0], token)

    def _furnished(self, hello: m.Create, token: bytes, entropy: bytes) -> roomstate.RoomState:
        try:
            state = new_room(
                preset=hello.preset,
                options=hello.options,
                settings=hello.settings,
                pledge=derive(entropy, "pledge"),
            )
        except OptionRefused as error:
            raise Refusal(Code.BAD_OPTION, str(error)) from error
        pace_ms = state.settings.pace_ms
        host = newcomer(hello.name, token, entropy, pace_ms=pace_ms)
        return evolve(state.with_seat(SEATS[0], host), host=SEATS[0])

    async def find(self, code: str) -> Actor:
        """The room of a code, woken if it sleeps; Refusal if there is none."""
        actor = self._actors.get(code)
        if actor is not None:
            return actor
        if not code or not set(code) <= set(CODE_LETTERS):
            raise Refusal(Code.NO_SUCH_ROOM, "there is no such room")
        if self._closed:
            raise Refusal(Code.BUSY, "the server is stopping", retry_ms=2_000)
        return await _once(self._waking, code, self._load, code)

    async def _load(self, code: str) -> Actor:
        store = self._tools.store
        try:
            loaded = await store.load(code)
            if isinstance(loaded, NoRoom):
                raise Refusal(Code.NO_SUCH_ROOM, "there is no such room")
            state = roomstate.load(loaded.snapshot)
        except (SnapshotCorrupt, SnapshotError) as error:
            log.exception("room cannot be read", room=code)
            raise Refusal(Code.ROOM_GONE, "the room cannot be read") from error
        claimed = await store.claim(code, node=self._node, expect_fence=loaded.fence)
        if not isinstance(claimed, Claimed) or claimed.seq != loaded.seq:
            raise Refusal(Code.BUSY, "the room is being moved", retry_ms=500)
        room = Room(
            code,
            state,
            seq=loaded.seq,
            epoch=claimed.epoch,
            marks=loaded.counters,
            haste=self._haste,
            levels=self._tools.brains.levels(),
        )
        log.info("room woken", room=code, seq=loaded.seq, fence=claimed.fence)
        return self._wake(room, claimed.fence)

    def _wake(self, room: Room, fence: int) -> Actor:
        actor = Actor(room, fence=fence, tools=self._tools, on_end=self._forget)
        self._actors[room.code] = actor
        return actor

    def _forget(self, actor: Actor) -> None:
        if self._actors.get(actor.room.code) is actor:
            del self._actors[actor.room.code]

    async def listed(self) -> tuple[m.RoomLine, ...]:
        """Public rooms, those that sleep included."""
        page = await self._tools.store.rooms(limit=LISTED_MAX)
        lines = [await self._line(code) for code in page.rooms[:LISTED_MAX]]
        return tuple([line for line in lines if line is not None])

    async def _line(self, code: str) -> m.RoomLine | None:
        actor = self._actors.get(code)
        if actor is not None:
            room = actor.room
            return line_of(code, room.state, watchers=room.view(0).watchers)
        try:
            loaded = await self._tools.store.load(code)
            if isinstance(loaded, NoRoom):
                return None
            return line_of(code, roomstate.load(loaded.snapshot), watchers=0)
        except (SnapshotCorrupt, SnapshotError):
            return None

    async def stop(self) -> None:
        """Let every room finish what it has been told, and end; the store keeps them."""
        self._closed = True
        await asyncio.gather(*[actor.stop() for actor in list(self._actors.values())])


K = TypeVar("K")
A = TypeVar("A")
T = TypeVar("T")


async def _once(
    running: dict[K, asyncio.Task[T]], key: K, work: Callable[[A], Coroutine[Any, Any, T]], on: A
) -> T:
    """The result of `work(on)`, which all who ask for the same key meanwhile share.

    Whoever asked first may go away: the work goes on for the others.
    """
    task = running.get(key)
    if task is None:
        task = running[key] = asyncio.create_task(work(on))
        task.add_done_callback(lambda _: running.pop(key, None))
    return await asyncio.shield(task)
