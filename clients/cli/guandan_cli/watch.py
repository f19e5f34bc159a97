"""`guandan watch`: see what everybody may see."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from cyclopts import Parameter

from guandan_cli import flags, sitting
from guandan_cli.address import DEFAULT_SERVER
from guandan_cli.exits import Exit, Failure
from guandan_cli.game import Game
from guandan_cli.obey import Player
from guandan_cli.scene import Scene
from guandan_cli.screen import show_table, takes_screen
from guandan_protocol.client import TableClient
from guandan_protocol.messages import VERSION, Watch

__all__ = ["watch"]


async def watch(
    place: flags.PlaceText = None,
    /,
    *,
    plain: Annotated[
        bool,
        Parameter(
            help="Lines of text instead of the full screen, as wherever there is no terminal."
        ),
    ] = False,
    server: flags.Server = None,
    lang: flags.Language = None,
) -> int:
    """Watch the table of CODE or of a link: everything but the hands.

    In lines, `table`, `record` and `counter` show more, and `quit` ends it. Without anybody at the
    keyboard it goes on until the table is closed.

    For example:

        guandan watch K7QM2X

        guandan watch K7QM2X --lang zh > match.txt < /dev/null &
    """
    texts = flags.spoken(lang)
    where = flags.found_place(place, server)
    if where.room is None:
        raise Failure(Exit.USAGE, "which table? Give its CODE or link")
    address = where.server or DEFAULT_SERVER

    def seated(scene: Scene) -> Iterator[str]:
        yield texts("play.watching", room=scene.room)

    def again() -> str:
        return texts("play.resume", command=sitting.command("watch", room, server=address))

    room = where.room
    hello = Watch(version=VERSION, room=room)
    async with TableClient(address, hello) as client:
        if takes_screen(plain=plain):
            ended, _ = await show_table(client, texts, address, seated=seated)
            print(again())
            return ended
        with sitting.terminal() as console:
            game = Game(client, console, sitting.words_for(texts), server=address, seated=seated)
            player = Player(game, resume=again)
            ended, _ = await sitting.run(game, player, until_input_ends=console.is_person)
            return ended
