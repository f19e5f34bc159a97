"""`guandan watch`: see what everybody may see."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated, Any

from cyclopts import Parameter

from guandan_cli import flags, sitting
from guandan_cli.address import DEFAULT_SERVER
from guandan_cli.event_objects import plain
from guandan_cli.exits import Exit, Failure, exit_of, said
from guandan_cli.game import Game
from guandan_cli.notes import note
from guandan_cli.obey import Player
from guandan_cli.scene import Scene
from guandan_cli.screen import show_table, takes_screen
from guandan_cli.texts import Texts
from guandan_cli.tui.session import opened
from guandan_protocol.client import Ended, Lost, TableClient
from guandan_protocol.messages import VERSION, Code, Update, Watch

__all__ = ["watch"]


async def watch(
    place: flags.PlaceText = None,
    /,
    *,
    plain_lines: Annotated[
        bool,
        Parameter(
            name="--plain",
            help="Lines of text instead of the full screen, as wherever there is no terminal.",
        ),
    ] = False,
    json_lines: Annotated[
        bool, Parameter(name="--json", help="One event a line, for programs.")
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

        guandan watch K7QM2X --json
    """
    texts = flags.spoken(lang)
    where = flags.found_place(place, server)
    if where.room is None:
        raise Failure(Exit.USAGE, said("error.which_table"))
    address = where.server or DEFAULT_SERVER

    def seated(scene: Scene) -> Iterator[str]:
        yield texts("play.watching", room=scene.room)

    def again() -> str:
        return texts("play.resume", command=sitting.command("watch", room, server=address))

    room = where.room
    hello = Watch(version=VERSION, room=room)
    async with TableClient(address, hello) as client:
        if json_lines:
            return await _in_objects(client, address, texts)
        if takes_screen(plain=plain_lines):
            ended, _ = await show_table(client, texts, address, seated=seated)
            print(again())
            return ended
        with sitting.terminal() as console:
            game = Game(client, console, sitting.words_for(texts), server=address, seated=seated)
            player = Player(game, resume=again)
            ended, _ = await sitting.run(game, player, until_input_ends=console.is_person)
            return ended


async def _in_objects(client: TableClient, address: str, texts: Texts) -> Exit:
    """A line for every event, until the table is closed; Failure if we are not let in."""
    words = sitting.words_for(texts)
    welcome = await opened(client, words, address)
    hand, stage = welcome.public.hand, welcome.view.stage
    _say({"event": "watching", "room": welcome.room, "stage": stage, "hand": hand})
    async for notice in client:
        match notice:
            case Update():
                hand = notice.public.hand
                for event in notice.events:
                    _say({**plain(event), "hand": hand})
                if notice.view.stage is not stage:
                    stage = notice.view.stage
                    _say({"event": "stage", "stage": stage, "hand": hand})
            case Lost():
                note(texts("link.lost"))
            case Ended(code=code, text=text):
                known = code in set(Code)
                raise Failure(exit_of(code), texts.named("code", code) if known else text)
            case _:
                pass
    return Exit.OK


def _say(what: dict[str, Any]) -> None:
    print(json.dumps(what, ensure_ascii=False), flush=True)
