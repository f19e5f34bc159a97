"""`guandan play`: open a table, take a seat, or come back to one."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from typing import Annotated, Literal

from cyclopts import Parameter

from guandan_cli import flags, sitting
from guandan_cli.address import DEFAULT_SERVER, Place, invitation
from guandan_cli.exits import Exit, Failure
from guandan_cli.game import Game
from guandan_cli.kept import Keeper, Kept, state_folder
from guandan_cli.obey import Next, Player
from guandan_cli.scene import Scene
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
    Stage,
)

__all__ = ["play"]

SEAT_IS_GONE = frozenset({Code.LEFT, Code.ROOM_GONE, Code.BAD_TOKEN, Code.NO_SUCH_ROOM})
"""Ends after which a stored token opens nothing."""


async def play(
    place: flags.PlaceText = None,
    /,
    *,
    plain: Annotated[
        bool, Parameter(help="Lines of text, for any terminal, for screen readers and scripts.")
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
    lang: flags.Language = None,
) -> int:
    """Open a table, or take a seat at the one of CODE or of a link, and play.

    Empty seats are taken by bots when the host types `start`. Cards are played by typing ranks:
    `9 9` is a pair of nines; `h` shows hints, `p` passes, `help` tells the rest. The seat stays
    yours when the program ends or the connection breaks.

    For example:

        guandan play

        guandan play K7QM2X --name Li

        guandan play https://cards.example/r/K7QM2X

        guandan play K7QM2X --resume

        guandan play --rules house --option advance_double=4 --public
    """
    del plain  # there is no other way yet
    texts = flags.spoken(lang)
    keeper = Keeper(state_folder(os.environ))
    where = flags.found_place(place, server)
    create = flags.creation(
        name=flags.named(name),
        preset=rules,
        options=option,
        public=public,
        clock_s=clock,
        pace_ms=pace,
    )
    hello: Create | Join | Resume
    if resume or token is not None:
        kept = _kept(keeper, where, seat=seat, token=token, texts=texts)
        where = Place(room=kept.room, server=kept.server)
        hello = Resume(version=VERSION, room=kept.room, token=kept.token)
    elif where.room is None:
        hello = create
    else:
        if create.settings is not None or option or rules != "site":
            raise Failure(Exit.USAGE, "rules and settings are for a new table: leave out CODE")
        hello = Join(
            version=VERSION,
            room=where.room,
            name=create.name,
            seat=None if seat is None else Seat(seat),
            join_id=secrets.token_bytes(CREATE_ID_BYTES),
        )
    return await _sit(hello, where.server or DEFAULT_SERVER, keeper, texts)


def _kept(
    keeper: Keeper, where: Place, *, seat: int | None, token: str | None, texts: Texts
) -> Kept:
    """The seat to come back to; Failure unless it is clear which."""
    if token is not None:
        if where.room is None:
            raise Failure(Exit.USAGE, "--token needs the CODE of its room")
        try:
            secret = bytes.fromhex(token)
        except ValueError:
            secret = b""
        if len(secret) != TOKEN_BYTES:
            raise Failure(Exit.USAGE, f"--token: {2 * TOKEN_BYTES} hexadecimal digits, please")
        server = where.server or DEFAULT_SERVER
        return Kept(server=server, room=where.room, seat=Seat(seat or 1), token=secret)
    found = [kept for kept in keeper.seats(where.room, where.server) if seat in (None, kept.seat)]
    if not found:
        raise Failure(Exit.NOT_FOUND, texts("play.nothing_kept"))
    if where.room is not None and len(found) > 1:
        numbers = ", ".join(sorted({str(kept.seat) for kept in found}))
        raise Failure(Exit.USAGE, texts("play.several", seats=numbers))
    return found[0]


class _Arrival:
    """What is said when we are let in; stores the seat, so that we can come back."""

    def __init__(self, client: TableClient, keeper: Keeper, server: str, texts: Texts) -> None:
        self._client = client
        self._keeper = keeper
        self._server = server
        self._texts = texts
        self.kept: Kept | None = None

    def __call__(self, scene: Scene) -> Iterator[str]:
        assert scene.seat is not None, "players are welcomed to a seat"
        if self.kept is not None and self.kept.seat == scene.seat:
            return
        first = self.kept is None
        others = self._keeper.seats(scene.room, self._server)
        self.kept = Kept(self._server, scene.room, scene.seat, self._client.token)
        yield self._texts("play.seated", room=scene.room, seat=scene.seat)
        others = [kept for kept in others if kept.token != self.kept.token]
        if first and others:
            yield self._texts("play.also_yours", seat=others[0].seat)
        try:
            self._keeper.keep(self.kept)
        except OSError as error:
            yield self._texts("play.not_kept", why=error.strerror or str(error))
            return
        if first and scene.view.stage is Stage.LOBBY:
            join = sitting.command("play", scene.room, server=self._server)
            yield self._texts("play.invite", command=join)
            yield self._texts("play.link", link=invitation(self._server, scene.room))
        if first:
            yield self.how_to_resume()

    def how_to_resume(self) -> str:
        assert self.kept is not None
        command = sitting.resume_command(self._keeper, self.kept)
        return self._texts("play.resume", command=command)

    def forget(self) -> None:
        if self.kept is not None:
            self._keeper.forget(self.kept)
            self.kept = None


async def _sit(hello: Create | Join | Resume, server: str, keeper: Keeper, texts: Texts) -> int:
    with sitting.terminal() as console:
        async with TableClient(server, hello) as client:
            arrival = _Arrival(client, keeper, server, texts)
            game = Game(client, console, sitting.words_for(texts), server=server, seated=arrival)
            player = Player(game, resume=arrival.how_to_resume)
            try:
                ended, how = await sitting.run(game, player)
                if how is Next.LEFT:
                    arrival.forget()
                    console.say(texts("play.left"))
                return ended
            finally:
                if client.ended is not None and client.ended.code in SEAT_IS_GONE:
                    arrival.forget()
                if arrival.kept is not None:
                    console.say(arrival.how_to_resume())
