"""A match against bots, without a server of anybody's: `guandan play --solo`."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from guandan_cli.arrival import Arrival
from guandan_cli.exits import Exit, Failure, about, said
from guandan_cli.kept import Keeper
from guandan_cli.play import seated
from guandan_cli.sitting import program
from guandan_cli.solo import ADDRESS, folder_in, private_server
from guandan_cli.texts import Texts
from guandan_engine.seats import SEATS
from guandan_protocol.client import TableClient
from guandan_protocol.errors import SessionEnded
from guandan_protocol.messages import VERSION, AddBot, Create, Refused, Resume, Start

__all__ = ["play_alone"]

DEAL_S: Final = 30.0


class _Arrival(Arrival):
    """Nobody else can come, and the way back is another one."""

    def invitation(self) -> Sequence[str]:
        return ()

    def how_to_resume(self) -> str:
        return self._texts("play.resume", command=f"{program()} play --solo --continue")


async def play_alone(
    create: Create | None,
    state: Path,
    texts: Texts,
    *,
    level: str | None,
    plain: bool,
    bell: bool,
) -> int:
    """A new match, or without `create` the one that was played last; Failure if there is none."""
    folder = folder_in(state)
    keeper = Keeper(folder)
    hello: Create | Resume
    if create is not None:
        hello = create
    else:
        kept = keeper.seats()
        if not kept:
            raise Failure(Exit.NOT_FOUND, texts("solo.nothing_kept"))
        hello = Resume(version=VERSION, room=kept[0].room, token=kept[0].token)
    async with private_server(folder) as address, TableClient(address, hello) as client:
        arrival = _Arrival(client, keeper, ADDRESS, texts)
        if create is not None:
            await _deal(client, level)
        return await seated(client, arrival, ADDRESS, texts, plain=plain, bell=bell)


async def _deal(client: TableClient, level: str | None) -> None:
    """Bots sit down, and the match begins; Failure if there is no such level."""
    try:
        async with asyncio.timeout(DEAL_S):
            for seat in SEATS[1:] if level is not None else ():
                answer = await client.act(AddBot(n=0, seat=seat, level=level or ""))
                if isinstance(answer, Refused):
                    raise Failure(
                        Exit.USAGE, about("--bots", said("error.no_bot", why=answer.text))
                    )
            await client.act(Start(n=0))
    except (SessionEnded, TimeoutError):
        pass  # whoever plays hears of it, too
