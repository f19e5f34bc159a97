"""The WebSocket server that guests come to, and the table that they sit down at.

    bridge = Bridge(Plan(server=…, seats=(1, 3), levels=("basic", "basic")), say=print)
    async with bridge:                 # listens; bridge.port
        winners = await bridge.over()

Each guest is a client of ours at a server of ours, with a seat of its own; so are the bots that
come along. Guests get the seats of the plan in the order in which they connect. There is no way
back for who has left: a bot of the server plays on, as for anybody who gives up a seat.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import secrets
from collections.abc import Callable
from http import HTTPStatus
from typing import Final, Self
from urllib.parse import unquote, urlsplit

from attrs import evolve, frozen
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode
from websockets.http11 import Request, Response

from guandan_bots.dialect.chairs import BotChair, Chair, GuestChair, NotLetIn
from guandan_bots.named import named_policy
from guandan_bots.steady import Steady
from guandan_engine.seats import Seat, Team
from guandan_protocol.bounds import NAME_CHARS_MAX
from guandan_protocol.client import Ended, TableClient
from guandan_protocol.messages import CREATE_ID_BYTES, VERSION, Create, Join

__all__ = ["Bridge", "Plan"]

PATH: Final = "/game/"
FRAME_BYTES_MAX: Final = 4 * 1024
"""The longest answer is `{"actIndex": 4199}`; some bots send more beside it. In docs/bridge.md."""
PING_S: Final = 20
PONG_S: Final = 600
"""A bot that thinks in the thread that reads answers no ping meanwhile; there is no time limit."""
SEATED_S: Final = 30.0
"""For a server to give a seat."""
CLOSE_DONE: Final = 1000
CLOSE_AWAY: Final = 1001
CLOSE_POLICY: Final = 1008
CLOSE_TROUBLE: Final = 1011
REASON_BYTES_MAX: Final = 123
"""What the close frame of a WebSocket has room for."""

# Whoever only knocks at the port is nothing to report; what goes wrong inside, we report ourselves.
_LOGGER: Final = logging.getLogger("guandan_bots.bridge")
_LOGGER.setLevel(logging.CRITICAL)


@frozen
class Plan:
    """Who sits where, at which table, and for how long."""

    server: str
    seats: tuple[Seat, ...]
    """Of the guests, in the order of their coming."""
    levels: tuple[str, ...]
    """Of the bots that come along."""
    bot_seats: tuple[Seat, ...]
    """Theirs; as many."""
    create: Create
    """How to open a table, but for its names; of no use with a room."""
    room: str = ""
    """An open table of somebody's; empty: a new one, at which everybody is waited for."""
    sits_anywhere: bool = False
    """At a room of others guests take any seat that is free, and `seats` only says how many."""
    games: int = 1
    host: str = "127.0.0.1"
    port: int = 23456
    """0 takes any free one."""
    seed: int | None = None
    """Of the bots' whims."""


class Bridge:
    """One table with guests; used once, in `async with`."""

    def __init__(self, plan: Plan, *, say: Callable[[str], None]) -> None:
        """ValueError as in `named_policy` for bots that do not exist."""
        self._plan = plan
        self._say = say
        self._policies = [Steady(named_policy(level), say) for level in plan.levels]
        self._room = plan.room
        self._free = list(plan.seats)
        self._seated: set[Chair] = set()
        self._guests: set[GuestChair] = set()
        self._has_begun = False
        self._won: dict[int, Team] = {}
        self._opening = asyncio.Lock()
        self._result: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._bots: list[asyncio.Task[None]] = []
        self._server: Server | None = None

    # What chairs share

    @property
    def games(self) -> int:
        return self._plan.games

    @property
    def is_complete(self) -> bool:
        return self._has_begun

    @property
    def winners(self) -> list[Team]:
        return list(self._won.values())

    def sat_down(self, chair: Chair) -> None:
        self._seated.add(chair)
        if not self._room:
            self._room = chair.client.room
            self._say(f"the table is {self._room}")
        everybody = len(self._plan.seats) + len(self._plan.bot_seats)
        # At a room of others it is theirs to wait.
        if self._plan.room or len(self._seated) == everybody:
            self._has_begun = True

    def won(self, match: int, team: Team) -> None:
        self._won.setdefault(match, team)

    # What its user does

    @property
    def room(self) -> str:
        """The code of the table; empty before it is opened."""
        return self._room

    @property
    def port(self) -> int:
        assert self._server is not None, "it does not listen yet"
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def __aenter__(self) -> Self:
        """Seat the bots and listen; NotLetIn or OSError if that is not possible."""
        try:
            for number, seat in enumerate(self._plan.bot_seats):
                await self._seat_bot(number, seat)
            self._server = await serve(
                self._greet,
                self._plan.host,
                self._plan.port,
                process_request=self._let_in,
                max_size=FRAME_BYTES_MAX,
                ping_interval=PING_S,
                ping_timeout=PONG_S,
                logger=_LOGGER,
            )
        except BaseException:
            await self._dismiss()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()
        await self._dismiss()

    async def over(self) -> list[Team]:
        """Wait until all matches are won or no guest is left; who won those that were."""
        await self._result
        return self.winners

    async def _dismiss(self) -> None:
        for task in self._bots:
            task.cancel()
        if self._bots:
            await asyncio.wait(self._bots)

    # Sitting down

    async def _seat_bot(self, number: int, seat: Seat) -> None:
        brain = self._policies[number]
        seed = self._plan.seed
        rng = random.SystemRandom() if seed is None else random.Random(seed + number)
        name = f"{brain.name} {number + 1}"[:NAME_CHARS_MAX]
        async with self._opening:
            client = TableClient(self._plan.server, self._hello(name, seat))
            wanted = None if self._plan.room else seat
            chair = BotChair(client, self, brain, rng, wanted=wanted, say=self._voice(name))
            task = asyncio.create_task(self._play_bot(chair))
            self._bots.append(task)
            await self._sits(chair)

    async def _play_bot(self, chair: BotChair) -> None:
        try:
            ended = await chair.run()
        except Exception as error:  # noqa: BLE001  a bot's fault ends the evening, and is told there
            self._fail(error)
            return
        if ended is not None and chair.seated.exception() is None:
            self._fail(NotLetIn(ended.code, ended.text))

    async def _greet(self, socket: ServerConnection) -> None:
        """Hold a seat for one connection, from its coming to its end."""
        if not self._free:  # two came at once for the last one
            await socket.close(CLOSE_AWAY, "all seats are taken")
            return
        seat = self._free.pop(0)
        assert socket.request is not None
        name = _name(socket.request.path)
        voice = self._voice(name)
        chair: GuestChair | None = None
        last_word = CLOSE_TROUBLE, "a fault of the bridge"
        try:
            async with self._opening:
                wanted = None if self._plan.room else seat
                anywhere = bool(self._plan.room) and self._plan.sits_anywhere
                hello = self._hello(name, None if anywhere else seat)
                client = TableClient(self._plan.server, hello)
                chair = GuestChair(client, self, socket, wanted=wanted, say=voice)
                self._guests.add(chair)
                running = asyncio.create_task(chair.run())
                try:
                    await self._sits(chair)
                except NotLetIn as error:
                    if chair.dismissal or socket.close_code is not None:  # its own doing
                        last_word = _last_word(await running, chair, socket, voice)
                        return
                    voice(f"there is no seat: {error}")
                    last_word = CLOSE_TROUBLE, f"there is no seat: {error}"
                    # Where others play it costs one seat, and not their match.
                    if not self._has_begun or self._guests == {chair}:
                        self._fail(error)
                    running.cancel()  # it may still hope for an answer
                    await asyncio.wait([running])
                    return
            voice(f"has seat {chair.client.seat}")
            last_word = _last_word(await running, chair, socket, voice)
        except Exception as error:
            self._fail(error)
            raise
        finally:
            if chair is not None:
                self._guests.discard(chair)
                self._seated.discard(chair)
            if not self._has_begun:
                self._free.append(seat)
                self._free.sort(key=self._plan.seats.index)
            self._look_round()
            await _close(socket, *last_word)

    async def _sits(self, chair: Chair) -> None:
        """Until a chair has its seat; NotLetIn if there is none."""
        try:
            async with asyncio.timeout(SEATED_S):
                await asyncio.shield(chair.seated)
        except TimeoutError as error:
            raise NotLetIn("", "the server gives no seat") from error

    def _hello(self, name: str, seat: Seat | None) -> Create | Join:
        if not self._room:
            return evolve(
                self._plan.create, name=name, create_id=secrets.token_bytes(CREATE_ID_BYTES)
            )
        return Join(
            version=VERSION,
            room=self._room,
            name=name,
            seat=seat,
            join_id=secrets.token_bytes(CREATE_ID_BYTES),
        )

    def _let_in(self, connection: ServerConnection, request: Request) -> Response | None:
        """Refuse what is no guest: another path, somebody's web page, one too many."""
        if not urlsplit(request.path).path.startswith(PATH):
            return connection.respond(HTTPStatus.NOT_FOUND, f"guests come to {PATH}NAME\n")
        origin = request.headers.get("Origin")
        here = urlsplit(f"//{request.headers.get('Host', '')}").hostname
        if origin is not None and urlsplit(origin).hostname != here:
            return connection.respond(HTTPStatus.FORBIDDEN, "no pages of other hosts\n")
        if not self._free:
            return connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, "all seats are taken\n")
        return None

    def _voice(self, name: str) -> Callable[[str], None]:
        return lambda text: self._say(f"{name} {text}")

    # The end

    def _look_round(self) -> None:
        """Is there anybody left to play for?"""
        done = len(self._won) >= self._plan.games
        if not self._guests and (done or self._has_begun) and not self._result.done():
            self._result.set_result(None)

    def _fail(self, error: Exception) -> None:
        if not self._result.done():
            self._result.set_exception(error)


def _last_word(
    ended: Ended | None,
    chair: GuestChair,
    socket: ServerConnection,
    voice: Callable[[str], None],
) -> tuple[int, str]:
    """With what a guest's connection is closed, if it still is open; others hear why it ended."""
    if chair.is_over:
        return CLOSE_DONE, ""
    if ended is not None:
        lost = f"has lost its seat: {ended.text or ended.code}"
        voice(lost)
        return CLOSE_TROUBLE, lost
    if chair.dismissal:  # which it has said itself
        return CLOSE_POLICY, chair.dismissal
    sent, came_first = socket.protocol.close_sent, socket.protocol.close_rcvd_then_sent
    if sent is None or came_first:
        voice("has left")
    elif sent.code == CLOSE_AWAY:
        pass  # the bridge ends
    elif sent.code == CloseCode.MESSAGE_TOO_BIG:
        voice(f"sent more than {FRAME_BYTES_MAX:,} bytes in one message: cut off")
    else:
        voice(f"cut off: {sent}")
    return CLOSE_TROUBLE, ""


async def _close(socket: ServerConnection, code: int, reason: str) -> None:
    short = reason.encode()[:REASON_BYTES_MAX].decode(errors="ignore")
    closing = asyncio.create_task(socket.close(code, short))
    # The guest's own farewell stands behind all that it said before, which is read away.
    with contextlib.suppress(ConnectionClosed):
        while True:
            await socket.recv()
    await closing


def _name(path: str) -> str:
    """What a guest is called: the last part of its address."""
    last = unquote(urlsplit(path).path).rstrip("/").rpartition("/")[2]
    shown = "".join([char for char in last if char.isprintable()]).strip()[:NAME_CHARS_MAX]
    return shown or "guest"
