"""`guandan play`: open a table, take a seat, or come back to one."""

from __future__ import annotations

import os
import secrets
from typing import Annotated, Literal

from cyclopts import Parameter

from guandan_cli import flags, sitting
from guandan_cli.address import DEFAULT_SERVER, Place
from guandan_cli.arrival import Arrival
from guandan_cli.exits import Exit, Failure, said
from guandan_cli.game import Game
from guandan_cli.kept import Keeper, Kept, state_folder
from guandan_cli.obey import Next, Player
from guandan_cli.passing import AutoPass
from guandan_cli.preferences import PreferenceFile
from guandan_cli.screen import show_table, takes_screen
from guandan_cli.texts import Texts
from guandan_engine.seats import Seat
from guandan_protocol.client import TableClient
from guandan_protocol.messages import (
    CREATE_ID_BYTES,
    TOKEN_BYTES,
    VERSION,
    Code,
    Create,
    Join,
    Resume,
)

__all__ = ["play", "seated"]

SEAT_IS_GONE = frozenset({Code.LEFT, Code.ROOM_GONE, Code.BAD_TOKEN, Code.NO_SUCH_ROOM})
"""Ends after which a stored token opens nothing."""


async def play(
    place: flags.PlaceText = None,
    /,
    *,
    plain: Annotated[
        bool,
        Parameter(
            help="Lines of text instead of the full screen: for screen readers, for scripts, and "
            "wherever there is no terminal."
        ),
    ] = False,
    name: flags.Name = None,
    seat: Annotated[
        Literal[1, 2, 3, 4] | None, Parameter(help="The seat to take, or to come back to.")
    ] = None,
    resume: Annotated[bool, Parameter(help="Come back to a seat that you hold.")] = False,
    rules: flags.Preset = "site",
    option: flags.Options = (),
    public: flags.Public = False,
    clock: flags.Clock = None,
    pace: flags.Pace = None,
    server: flags.Server = None,
    token: Annotated[
        str | None,
        Parameter(
            help="A seat's token in hexadecimal, for one that is not stored here. Other users of "
            "the machine can read a command line: better set GUANDAN_TOKEN."
        ),
    ] = None,
    solo: Annotated[
        bool, Parameter(help="Play against bots of this machine; no server is needed.")
    ] = False,
    go_on: Annotated[
        bool, Parameter(name="--continue", help="Go on with the last solo match.")
    ] = False,
    bots: Annotated[
        str | None, Parameter(help="How well the bots of a solo match play; without it `club`.")
    ] = None,
    bell: Annotated[bool, Parameter(help="Ring when it is your turn.")] = False,
    lang: flags.Language = None,
) -> int:
    """Open a table, or take a seat at the one of CODE or of a link, and play.

    Empty seats are taken by bots when the host starts. Cards are taken by the keys of their ranks,
    `9 9` and Enter plays a pair of nines; `h` shows hints, `p` passes, `?` tells the rest. The seat
    stays yours when the program ends or the connection breaks.

    For example:

        guandan play

        guandan play --solo

        guandan play K7QM2X --name Li

        guandan play https://cards.example/r/K7QM2X

        guandan play K7QM2X --resume

        guandan play --rules house --option advance_double=4 --public
    """
    texts = flags.spoken(lang)
    state = state_folder(os.environ)
    keeper = Keeper(state)
    where = flags.found_place(place, server)
    create = flags.creation(
        name=flags.named(name),
        preset=rules,
        options=option,
        public=public,
        clock_s=clock,
        pace=pace,
    )
    if solo or go_on:
        if place is not None or resume or token is not None or public:
            raise Failure(Exit.USAGE, said("error.solo"))
        flags.refuse_server(server, said("error.solo_server"))
        from guandan_cli.alone import play_alone

        hello_alone = None if go_on else create
        return await play_alone(hello_alone, state, texts, level=bots, plain=plain, bell=bell)
    if bots is not None:
        raise Failure(Exit.USAGE, said("error.bots_solo"))
    hello: Create | Join | Resume
    if resume or token is not None:
        kept = _kept(keeper, where, seat=seat, token=token, texts=texts)
        where = Place(room=kept.room, server=kept.server)
        hello = Resume(version=VERSION, room=kept.room, token=kept.token)
    elif where.room is None:
        hello = create
    else:
        if create.settings is not None or option or rules != "site":
            raise Failure(Exit.USAGE, said("error.new_only"))
        hello = Join(
            version=VERSION,
            room=where.room,
            name=create.name,
            seat=None if seat is None else Seat(seat),
            join_id=secrets.token_bytes(CREATE_ID_BYTES),
        )
    address = where.server or DEFAULT_SERVER
    return await _sit(hello, address, keeper, texts, plain=plain, bell=bell)


def _kept(
    keeper: Keeper, where: Place, *, seat: int | None, token: str | None, texts: Texts
) -> Kept:
    """The seat to come back to; Failure unless it is clear which."""
    if token is not None:
        if where.room is None:
            raise Failure(Exit.USAGE, said("error.token_room"))
        try:
            secret = bytes.fromhex(token)
        except ValueError:
            secret = b""
        if len(secret) != TOKEN_BYTES:
            raise Failure(Exit.USAGE, said("error.token_digits", digits=2 * TOKEN_BYTES))
        server = where.server or DEFAULT_SERVER
        return Kept(server=server, room=where.room, seat=Seat(seat or 1), token=secret)
    found = [kept for kept in keeper.seats(where.room, where.server) if seat in (None, kept.seat)]
    if not found:
        raise Failure(Exit.NOT_FOUND, texts("play.nothing_kept"))
    if where.room is not None and len(found) > 1:
        numbers = ", ".join(sorted({str(kept.seat) for kept in found}))
        raise Failure(Exit.USAGE, texts("play.several", seats=numbers))
    return found[0]


async def _sit(
    hello: Create | Join | Resume,
    server: str,
    keeper: Keeper,
    texts: Texts,
    *,
    plain: bool,
    bell: bool,
) -> int:
    async with TableClient(server, hello) as client:
        arrival = Arrival(client, keeper, server, texts)
        return await seated(client, arrival, server, texts, plain=plain, bell=bell)


async def seated(
    client: TableClient, arrival: Arrival, server: str, texts: Texts, *, plain: bool, bell: bool
) -> int:
    """The sitting, in lines or on the full screen; says at its end how to come back."""
    lines = not takes_screen(plain=plain)
    try:
        if not lines:
            ended, has_left = await show_table(
                client,
                texts,
                server,
                seated=arrival,
                invitation=arrival.invitation,
                bell=bell,
            )
        else:
            ended, has_left = await _in_lines(client, arrival, server, texts)
        if has_left:
            arrival.forget()
            print(texts("play.left"))
        return ended
    finally:
        if client.ended is not None and client.ended.code in SEAT_IS_GONE:
            arrival.forget()
        if arrival.kept is not None:
            print(arrival.how_to_resume())


async def _in_lines(
    client: TableClient, arrival: Arrival, server: str, texts: Texts
) -> tuple[Exit, bool]:
    with sitting.terminal() as console:
        game = Game(client, console, sitting.words_for(texts), server=server, seated=arrival)
        auto_pass = AutoPass(game)
        if console.is_person:  # a script says what it wants
            file = PreferenceFile.of(os.environ)
            game.passes_itself = file.read().auto_pass
            auto_pass = AutoPass(game, keep=file.keep)
        player = Player(game, resume=arrival.how_to_resume, auto_pass=auto_pass)
        ended, how = await sitting.run(game, player)
        return ended, how is Next.LEFT
