"""`guandan bot`: bots of this machine at a table, through the protocol like everybody else."""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
from collections.abc import Callable, Iterator
from random import Random, SystemRandom
from typing import Annotated, Final, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

from guandan_bots.player import ChoiceRefused, play_seat
from guandan_bots.policy import POLICIES, Policy
from guandan_bots.steady import Steady
from guandan_cli import flags
from guandan_cli.abroad import abroad
from guandan_cli.address import DEFAULT_SERVER
from guandan_cli.exits import Exit, Failure, Said, about, exit_of, said
from guandan_cli.levels import OWN, named
from guandan_cli.notes import note
from guandan_cli.texts import Texts
from guandan_engine.seats import SEATS
from guandan_protocol.bounds import NAME_CHARS_MAX
from guandan_protocol.client import Ended, Lost, Notice, TableClient
from guandan_protocol.errors import SessionEnded
from guandan_protocol.messages import CREATE_ID_BYTES, VERSION, Code, Join, Leave, Welcome

__all__ = ["bot"]

LEAVE_S: Final = 2.0
"""How long a bot that is sent away waits for its seat to be given up in order."""


async def bot(
    *,
    join: Annotated[str | None, Parameter(help="The table's code or link.")] = None,
    level: Annotated[
        str, Parameter(help=f"How well they play: {', '.join(POLICIES)}; {OWN}.")
    ] = "club",
    count: Annotated[int, Parameter(help="How many.", validator=Number(gte=1, lte=len(SEATS)))] = 1,
    name: Annotated[str, Parameter(help="What the others see.")] = "Bot",
    seed: Annotated[
        int | None, Parameter(help="Of their whims, to have the same ones again.")
    ] = None,
    dialect: Annotated[
        Literal["njupt"] | None,
        Parameter(help="Instead of a table: a platform that speaks this, see docs/bridge.md."),
    ] = None,
    url: Annotated[
        str | None, Parameter(help="That platform, as ws://HOST:23456/game/NAME.")
    ] = None,
    stdio: Annotated[
        bool, Parameter(help="Or its messages on standard input, one a line, answers on output.")
    ] = False,
    json_lines: Annotated[
        bool, Parameter(name="--json", help="Who sits where as an object a line, for programs.")
    ] = False,
    server: flags.Server = None,
    lang: flags.Language = None,
) -> int:
    """Let bots take seats at a table, as people do, and play until it is closed.

    They are ready for every hand and agree to what is proposed. Ctrl-C sends them away; the
    server's own bots then play on. With --dialect one bot plays at somebody else's platform.

    For example:

        guandan bot --join K7QM2X --level basic --count 3

        guandan bot --join K7QM2X --json

        guandan bot --level basic --dialect njupt --url ws://127.0.0.1:23456/game/basic
    """
    if dialect is not None and join is None:
        flags.refuse_server(server, said("error.dialect_server"))
        if count != 1:
            raise _not_here("--count", said("error.dialect_count"))
        if json_lines:
            raise _not_here("--json", said("error.dialect_json"))
        return await abroad(named(level, "--level"), url=url, stdio=stdio, seed=seed)
    if join is None or dialect is not None or url is not None or stdio:
        raise Failure(Exit.USAGE, said("error.join_or_dialect"))
    texts = flags.spoken(lang)
    where = flags.found_place(join, server)
    if where.room is None:
        raise Failure(Exit.USAGE, about("--join", said("error.which_table")))
    names = [
        flags.named(name if count == 1 else f"{name[: NAME_CHARS_MAX - 2]} {i + 1}")
        for i in range(count)
    ]
    players = []
    for number, shown in enumerate(names, start=1):
        hello = Join(
            version=VERSION,
            room=where.room,
            name=shown,
            join_id=secrets.token_bytes(CREATE_ID_BYTES),
        )
        client = _Client(where.server or DEFAULT_SERVER, hello, number, level, texts)
        client.tells = _tell_plainly if json_lines else client.tell
        rng = SystemRandom() if seed is None else Random(seed + number)  # noqa: S311 bots have no secrets
        players.append(_play(client, Steady(named(level, "--level"), note), rng, texts))
    failed: Failure | None = None
    try:
        async with asyncio.TaskGroup() as group:
            for player in players:
                group.create_task(player)
    except* Failure as failures:
        # Raised below: an error that is raised in here would go out in a group again.
        failed = next(one for one in _leaves(failures) if isinstance(one, Failure))
    if failed is not None:
        raise failed
    return Exit.OK


def _leaves(group: BaseExceptionGroup[BaseException]) -> Iterator[BaseException]:
    for one in group.exceptions:
        if isinstance(one, BaseExceptionGroup):
            yield from _leaves(one)
        else:
            yield one


def _not_here(option: str, why: Said) -> Failure:
    return Failure(Exit.USAGE, said("error.not_here", option=option, why=why))


async def _play(client: _Client, brain: Policy, rng: Random, texts: Texts) -> None:
    """Play a seat to the end; Failure if it is a bad one."""
    async with client:
        try:
            ended = await play_seat(client, brain, rng)
        except ChoiceRefused as error:
            raise Failure(Exit.FAILURE, str(error)) from error
        except asyncio.CancelledError:
            # A seat that is merely dropped would keep the table waiting.
            with contextlib.suppress(SessionEnded, TimeoutError):
                async with asyncio.timeout(LEAVE_S):
                    await client.act(Leave(n=0))
            raise
    if ended is not None:
        raise _failure(ended, client.address, texts)


def _failure(ended: Ended, address: str, texts: Texts) -> Failure:
    if ended.code in set(Code):
        return Failure(exit_of(ended.code), texts.named("code", ended.code))
    why = texts("play.unreachable", server=address, why=ended.text or ended.code)
    return Failure(Exit.NO_CONNECTION, why)


def _tell_plainly(where: dict[str, object]) -> None:
    print(json.dumps(where), flush=True)


class _Client(TableClient):
    """Says where it sits, and gives up if it is not let in at first."""

    def __init__(self, address: str, hello: Join, number: int, level: str, texts: Texts) -> None:
        super().__init__(address, hello)
        self.address = address
        self._number = number
        self._level = level
        self._texts = texts
        self._has_seat = False
        self.tells: Callable[[dict[str, object]], None] = self.tell

    def tell(self, where: dict[str, object]) -> None:
        """For people."""
        text = self._texts("bot.joined", n=where["bot"], **where)
        note(text)

    async def __anext__(self) -> Notice:
        notice = await super().__anext__()
        match notice:
            case Welcome(room, seat) if not self._has_seat:
                self._has_seat = True
                self.tells({"bot": self._number, "room": room, "seat": seat, "level": self._level})
            case Lost(why) if not self._has_seat:
                said = self._texts("play.unreachable", server=self.address, why=why)
                raise Failure(Exit.NO_CONNECTION, said)
            case _:
                pass
        return notice
