"""The rooms of a node: made, woken from the store, found by code, forgotten when empty."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Final, TypeVar

import structlog
from attrs import evolve, frozen

from guandan_engine.errors import OptionRefused, SnapshotError
from guandan_engine.seats import SEATS, Seat
from guandan_protocol import messages as m
from guandan_protocol.messages import Code, Stage, Visibility
from guandan_server import roomstate
from guandan_server.actor import LOBBY_TTL_S, Actor, Tools
from guandan_server.errors import Fenced, SnapshotCorrupt, StoreError
from guandan_server.frontdesk import line_of, newcomer
from guandan_server.journal import rebuild
from guandan_server.refusals import Elsewhere, Refusal
from guandan_server.room import Room
from guandan_server.roomstate import derive, new_room
from guandan_server.store import ActionMark, Claimed, Created, NoRoom

__all__ = ["CODE_LETTERS", "Made", "Rooms"]

log = structlog.get_logger()

CODE_LETTERS: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Without 0 O 1 I L, which are mistaken for each other when a code is read out."""
CODE_LENGTH: Final = 6
"""Nine hundred million codes: with a limit on wrong ones, nobody finds a room by guessing."""
ROOMS_MAX: Final = 10_000
"""Made here or woken. A room with four connections takes about 100 KiB: a gigabyte, and a full node
says so."""
CREATED_MAX: Final = 1_000
"""Answers to `Create` that are remembered, should a client not have got its own."""
LISTED_MAX: Final = 100
LIST_HOLDS_S: Final = 1.0
"""Reading the list costs a look-up a room; people look at it, they do not count on it."""
LEFT_MAX: Final = 10_000
"""Rooms that were awake here, each a code and two numbers."""


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


@frozen
class _Read:
    """A room as it was found in the store."""

    node: str
    fence: int
    epoch: int
    seq: int
    counters: Mapping[str, ActionMark]
    state: roomstate.RoomState


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
        self._left: OrderedDict[str, tuple[int, int]] = OrderedDict()
        """Epoch and seq of rooms that we had: what the store must not fall behind unnoticed."""
        self._list: tuple[float, tuple[m.RoomLine, ...]] | None = None
        """When the public rooms were read, and what they were."""
        self._partings: set[asyncio.Task[None]] = set()
        self._closed = False

    def recheck(self) -> None:
        """We were silent for so long that others may have taken our rooms: let each find out."""
        for actor in list(self._actors.values()):
            actor.recheck()

    def states(self) -> list[roomstate.RoomState]:
        """The states of the rooms that are awake."""
        # Asked for by the metrics' thread: a list is copied in one go, a dictionary walked is not.
        return [actor.room.state for actor in list(self._actors.values())]

    def __len__(self) -> int:
        return len(self._actors)

    @property
    def levels(self) -> tuple[str, ...]:
        """Of the bots that can be seated, weakest first."""
        return self._tools.levels

    @property
    def build(self) -> str:
        """Of the page that is served."""
        return self._tools.build

    async def create(self, hello: m.Create) -> Made:
        """A new room, its creator at seat 1; the same `create_id` again gives the same room.

        Refusal for unknown options, or where there is no place for another room.
        """
        known = self._created.get(hello.create_id)
        if known is not None:
            return Made(await self.find(known.room), SEATS[0], known.token)
        if hello.create_id not in self._creating:
            self._check_place()
        return await _once(self._creating, hello.create_id, self._create, hello)

    def _check_place(self) -> None:
        """Refusal if no other room can be awake here."""
        awake = len(self._actors) + len(self._waking) + len(self._creating)
        if self._closed or awake >= ROOMS_MAX:
            raise Refusal(Code.BUSY, "no place for another room", retry_ms=60_000)

    async def _create(self, hello: m.Create) -> Made:
        entropy = self._tools.chance.randbytes(32)
        token = derive(entropy, "token")
        state = self._furnished(hello, token, entropy)
        public = state.settings.visibility is Visibility.PUBLIC
        while True:
            code = "".join(self._tools.chance.choices(CODE_LETTERS, k=CODE_LENGTH))
            # Noted before it is ours, here and when one is woken: whoever succeeds us finds it.
            await self._tools.store.hold(self._node, code)
            answer = await self._tools.store.create(
                code,
                node=self._node,
                snapshot=roomstate.dump(state),
                public=public,
                ttl_s=LOBBY_TTL_S,
            )
            if isinstance(answer, Created):
                break
            await self._tools.store.let_go(self._node, code)
        actor = self._wake(
            Room(
                code,
                state,
                epoch=answer.epoch,
                haste=self._haste,
                levels=self.levels,
                build=self.build,
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

    def opens(self, code: str, token: bytes) -> bool:
        """Is a token known to open a seat of a room that is awake here?"""
        actor = self._actors.get(code)
        return actor is not None and actor.room.opens(token)

    async def find(self, code: str) -> Actor:
        """The room of a code, woken if it sleeps; Refusal if there is none."""
        actor = self._actors.get(code)
        if actor is not None:
            return actor
        if not code or not set(code) <= set(CODE_LETTERS):
            raise Refusal(Code.NO_SUCH_ROOM, "there is no such room")
        if self._closed:
            raise Refusal(Code.BUSY, "the server is stopping", retry_ms=2_000)
        if code not in self._waking:
            self._check_place()
        return await _once(self._waking, code, self._load, code)

    async def succeed(self, code: str) -> Actor:
        """Take a dead node's room over if it must not sleep; Refusal if it may, or is another's."""
        try:
            loaded = await self._read(code)
            if loaded.state.stage is not Stage.PLAYING:
                raise Refusal(Code.NOT_NOW, "nothing runs there: a hello wakes it")  # noqa: TRY301  as `find` raises
            self._check_ours(code, loaded.fence)
            actor = await self.find(code)
        except Elsewhere as other:
            await self._let_go(code)
            raise Refusal(Code.NOT_NOW, "another node has it") from other
        except Refusal:
            await self._let_go(code)
            raise
        self._tools.metrics.takeovers.inc()
        return actor

    def _check_ours(self, code: str, fence: int) -> None:
        """Fenced if we have the room awake, but the dead node had taken it from us before."""
        actor = self._actors.get(code)
        if actor is not None and actor.fence < fence:
            actor.recheck()
            raise Fenced(room=code, ours=actor.fence, current=fence)

    async def _load(self, code: str) -> Actor:
        read = await self._read(code)
        await self._check_owner(read.node)
        store = self._tools.store
        # We knew more of it than the store does now: history was lost, and its clients must know.
        known = self._left.get(code)
        rewound = known is not None and known[0] == read.epoch and known[1] > read.seq
        await store.hold(self._node, code)
        claimed = await store.claim(code, node=self._node, expect_fence=read.fence, rewound=rewound)
        if not isinstance(claimed, Claimed):
            await store.let_go(self._node, code)
        else:
            self._left.pop(code, None)
        if not isinstance(claimed, Claimed) or claimed.seq != read.seq:
            raise Refusal(Code.BUSY, "the room is being moved", retry_ms=500)
        room = Room(
            code,
            read.state,
            seq=read.seq,
            epoch=claimed.epoch,
            woken=True,
            marks=read.counters,
            haste=self._haste,
            levels=self.levels,
            build=self.build,
        )
        log.info("room woken", room=code, seq=read.seq, fence=claimed.fence, rewound=rewound)
        return self._wake(room, claimed.fence)

    async def _check_owner(self, node: str) -> None:
        """Elsewhere if the room's owner is another node, and alive."""
        if node in ("", self._node):
            return
        url = await self._tools.store.node_url(node)
        if url is not None:
            raise Elsewhere(url)

    async def _read(self, code: str) -> _Read:
        """The room as it is stored; made from the log if the snapshot is damaged."""
        store = self._tools.store
        try:
            loaded = await store.load(code)
            if isinstance(loaded, NoRoom):
                raise Refusal(Code.NO_SUCH_ROOM, "there is no such room")
            return _Read(
                loaded.node,
                loaded.fence,
                loaded.epoch,
                loaded.seq,
                loaded.counters,
                roomstate.load(loaded.snapshot),
            )
        except SnapshotCorrupt as damage:
            log.warning("snapshot damaged", room=code, seq=damage.seq)
            await self._check_owner(damage.node)  # who has it awake knows better than its log
            state = await self._rebuilt(code, damage.seq)
            return _Read(
                damage.node, damage.fence, damage.epoch, damage.seq, damage.counters, state
            )
        except SnapshotError as error:
            log.exception("room cannot be read", room=code)
            raise Refusal(Code.ROOM_GONE, f"the room cannot be read: {error}") from error

    async def _rebuilt(self, code: str, seq: int) -> roomstate.RoomState:
        """The room at `seq` from its log alone; Refusal if that is damaged too."""
        bodies: list[bytes] = []
        after = 0
        while page := await self._tools.store.log(code, after_seq=after):
            bodies += [entry.body for entry in page if entry.seq <= seq]
            after = page[-1].seq
        try:
            state = rebuild(bodies)
        except SnapshotError as error:
            log.exception("room damaged", room=code)
            raise Refusal(Code.ROOM_GONE, "the room is damaged") from error
        if after < seq:
            log.warning("room damaged: its log is not whole", room=code, seq=seq, ends_at=after)
            raise Refusal(Code.ROOM_GONE, "the room is damaged")
        log.info("room rebuilt from its log", room=code, seq=seq)
        return state

    def _wake(self, room: Room, fence: int) -> Actor:
        actor = Actor(room, fence=fence, node=self._node, tools=self._tools, on_end=self._forget)
        self._actors[room.code] = actor
        return actor

    def _forget(self, actor: Actor) -> None:
        code = actor.room.code
        if self._actors.get(code) is not actor:
            return
        del self._actors[code]
        self._left[code] = (actor.room.epoch, actor.room.seq)
        if len(self._left) > LEFT_MAX:
            self._left.popitem(last=False)
        task = asyncio.create_task(self._release(code, actor.fence))
        self._partings.add(task)
        task.add_done_callback(self._partings.discard)

    async def _release(self, code: str, fence: int) -> None:
        """Tell the others that the room is nobody's; what fails here costs them a few seconds."""
        try:
            await self._tools.store.release(code, fence=fence)
            await self._let_go(code)
        except StoreError as error:
            log.warning("room not released", room=code, why=str(error))

    async def _let_go(self, code: str) -> None:
        """Note that the room is not awake here; unless it is, by now, or is being woken."""
        if code not in self._actors and code not in self._waking:
            await self._tools.store.let_go(self._node, code)

    async def listed(self) -> tuple[m.RoomLine, ...]:
        """Public rooms, those that sleep included; the same for all who ask within a while."""
        now_s = asyncio.get_running_loop().time()
        if self._list is None or now_s - self._list[0] > LIST_HOLDS_S:
            self._list = (now_s, await self._read_list())
        return self._list[1]

    async def _read_list(self) -> tuple[m.RoomLine, ...]:
        page = await self._tools.store.rooms(limit=LISTED_MAX)
        lines = [await self._line(code) for code in page.rooms[:LISTED_MAX]]
        return tuple([line for line in lines if line is not None])

    async def _line(self, code: str) -> m.RoomLine | None:
        actor = self._actors.get(code)
        if actor is not None:
            room = actor.room
            return line_of(code, room.state, watchers=room.view(0).watchers)
        try:
            read = await self._read(code)
        except (Refusal, Elsewhere):
            return None
        return line_of(code, read.state, watchers=0)

    async def stop(self) -> None:
        """Let every room finish what it has been told, and end; the store keeps them."""
        self._closed = True
        # A room that is just being woken is awake before we look which there are.
        coming = [*self._waking.values(), *self._creating.values()]
        await asyncio.gather(*coming, return_exceptions=True)
        await asyncio.gather(*[actor.stop() for actor in list(self._actors.values())])
        await asyncio.gather(*self._partings)


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
