"""`guandan new`: open a table, to come to it later or from elsewhere."""

from __future__ import annotations

import json
import os
import sys
from typing import Annotated

from cyclopts import Parameter

from guandan_cli import flags, sitting
from guandan_cli.address import DEFAULT_SERVER, invitation
from guandan_cli.exits import Exit, Failure, exit_of
from guandan_cli.kept import Keeper, Kept, state_folder
from guandan_cli.links import qr
from guandan_cli.texts import Texts
from guandan_protocol.client import Ended, Lost, TableClient
from guandan_protocol.messages import Code, Create, Welcome

__all__ = ["new"]


async def new(
    *,
    name: flags.Name = None,
    rules: flags.Preset = "site",
    option: flags.Options = (),
    public: flags.Public = False,
    clock: flags.Clock = None,
    pace: flags.Pace = None,
    json_line: Annotated[bool, Parameter(name="--json", help="One object, for programs.")] = False,
    server: flags.Server = None,
    lang: flags.Language = None,
) -> int:
    """Open a table and print its code, its link, and the command that takes your seat.

    Seat 1 is yours; its token is stored, and `guandan play CODE --resume` sits down.

    For example:

        guandan new --rules tournament --public
    """
    texts = flags.spoken(lang)
    address = flags.found_place(None, server).server or DEFAULT_SERVER
    hello = flags.creation(
        name=flags.named(name),
        preset=rules,
        options=option,
        public=public,
        clock_s=clock,
        pace=pace,
    )
    keeper = Keeper(state_folder(os.environ))
    kept = await _opened(hello, address, texts)
    try:
        keeper.keep(kept)
    except OSError as error:
        why = error.strerror or str(error)
        raise Failure(Exit.FAILURE, texts("play.not_kept", why=why)) from error
    link = invitation(address, kept.room)
    resume = sitting.resume_command(keeper, kept)
    if json_line:
        plain = {"room": kept.room, "seat": kept.seat, "server": address, "link": link}
        print(json.dumps(plain | {"resume": resume}))
        return Exit.OK
    print(texts("new.room", room=kept.room))
    print(texts("play.invite", command=sitting.command("play", kept.room, server=address)))
    print(texts("play.link", link=link))
    print(texts("play.resume", command=resume))
    if sys.stdout is not None and sys.stdout.isatty():
        print(qr(link))
    return Exit.OK


async def _opened(hello: Create, address: str, texts: Texts) -> Kept:
    """The seat of a new room; Failure if there is none to be had."""
    async with TableClient(address, hello) as client:
        async for notice in client:
            match notice:
                case Welcome(room=room, seat=seat, token=token) if seat is not None:
                    return Kept(server=address, room=room, seat=seat, token=token)
                case Lost(why=why):
                    raise Failure(
                        Exit.NO_CONNECTION, texts("play.unreachable", server=address, why=why)
                    )
                case Ended(code=code, text=text):
                    if code in set(Code):
                        raise Failure(exit_of(code), texts.named("code", code))
                    raise Failure(
                        Exit.NO_CONNECTION, texts("play.unreachable", server=address, why=text)
                    )
                case _:
                    pass
    raise Failure(Exit.NO_CONNECTION, texts("play.unreachable", server=address, why="?"))
