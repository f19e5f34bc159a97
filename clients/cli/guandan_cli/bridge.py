"""`guandan bridge`: programs that speak the competition dialect, as guests at a table of ours."""

from __future__ import annotations

import json
from typing import Annotated, Literal

from attrs import evolve
from cyclopts import Parameter
from cyclopts.validators import Number

from guandan_bots.dialect.bridge import Bridge, Plan
from guandan_bots.dialect.chairs import NotLetIn
from guandan_bots.policy import POLICIES, UnknownLevel, policy
from guandan_cli import flags
from guandan_cli.address import DEFAULT_SERVER
from guandan_cli.exits import Exit, Failure, exit_of
from guandan_cli.notes import note
from guandan_cli.texts import texts
from guandan_cli.tui.session import opened
from guandan_cli.words import Words
from guandan_engine.seats import SEATS, Seat, Team
from guandan_protocol.client import TableClient
from guandan_protocol.errors import QueryRefused, Unreachable
from guandan_protocol.lobby import list_rooms
from guandan_protocol.messages import VERSION, Code, Settings, Watch

__all__ = ["bridge"]


async def bridge(
    *,
    port: Annotated[
        int,
        Parameter(
            help="Where guests come to; 0 takes any free.", validator=Number(gte=0, lte=65535)
        ),
    ] = 23456,
    host: Annotated[
        str, Parameter(help="Where to listen; 0.0.0.0 lets other machines in.")
    ] = "127.0.0.1",
    level: Annotated[
        tuple[str, ...],
        Parameter(
            help=f"A bot that comes along: {', '.join(POLICIES)}; may be repeated.",
            show_default=False,
        ),
    ] = (),
    seat: Annotated[
        tuple[Literal[1, 2, 3, 4], ...],
        Parameter(
            help="A guest's seat, in the order of their coming; may be repeated. Without it those "
            "that the bots leave, from 1 up.",
            show_default=False,
        ),
    ] = (),
    games: Annotated[int, Parameter(help="How many matches.", validator=Number(gte=1))] = 1,
    room: Annotated[
        str | None,
        Parameter(help="The code or link of a table that is open; without it a new one."),
    ] = None,
    rules: flags.Preset = "site",
    option: flags.Options = (),
    public: flags.Public = False,
    clock: flags.Clock = None,
    pace: Annotated[flags.Pace, Parameter(show_default=lambda ms: f"{ms / 1000:g}")] = 300,
    seed: Annotated[int | None, Parameter(help="Of the bots' whims, to have them again.")] = None,
    as_json: Annotated[
        bool,
        Parameter(
            name="--json", help="The address and the result as an object a line, for programs."
        ),
    ] = False,
    server: flags.Server = None,
) -> int:
    """Let programs that speak the dialect of the NJUPT platform (2020) play at a table.

    They connect to ws://HOST:PORT/game/NAME and get their seats in that order, the first and third
    against the second and fourth; with the last one the match begins. Of a guest that leaves a bot
    plays on. The address and the result go to standard output, remarks and wrong actions to
    standard error. docs/bridge.md says what is different from that platform.

    For example:

        guandan bridge --games 10

        guandan bridge --level club --level club --seat 1 --seat 3
    """
    for name in level:
        try:
            policy(name)
        except UnknownLevel as error:
            raise Failure(Exit.USAGE, f"--level: {error}") from error
    place = flags.found_place(room, server)
    if room is not None and place.room is None:
        raise Failure(Exit.USAGE, "--room: which table? Give its CODE or link")
    guests, bots = _seats(level, seat, is_new=room is None)
    address = place.server or DEFAULT_SERVER
    create = flags.creation(
        name="guest", preset=rules, options=option, public=public, clock_s=clock, pace_ms=pace
    )
    plan = Plan(
        server=address,
        seats=guests,
        levels=level,
        bot_seats=bots,
        # No clock unless it is asked for: the platform has none.
        create=evolve(create, settings=create.settings or Settings()),
        room=place.room or "",
        games=games,
        host=host,
        port=port,
        seed=seed,
    )
    winners = await _played(plan, as_json=as_json)
    won = {team.value: winners.count(team) for team in Team}
    if as_json:
        print(json.dumps({"games": games, "won": won}), flush=True)
    else:
        print(" ".join([f"{team}: {count}" for team, count in won.items()]), flush=True)
    if len(winners) < games:
        raise Failure(Exit.FAILURE, f"all guests have left after {len(winners)} of {games} matches")
    return Exit.OK


def _seats(
    levels: tuple[str, ...], wanted: tuple[int, ...], *, is_new: bool
) -> tuple[tuple[Seat, ...], tuple[Seat, ...]]:
    """Those of the guests and those of the bots; Failure if that does not make four."""
    if len(set(wanted)) < len(wanted):
        raise Failure(Exit.USAGE, "--seat: each seat once, please")
    if len(levels) >= len(SEATS):
        raise Failure(Exit.USAGE, "--level: leave a seat for guests")
    guests = tuple([Seat(seat) for seat in wanted]) or SEATS[: len(SEATS) - len(levels)]
    bots = tuple([seat for seat in SEATS if seat not in guests])
    if is_new and len(bots) != len(levels):
        raise Failure(
            Exit.USAGE, f"--seat, --level: {len(guests)} guests and {len(levels)} bots are not four"
        )
    return guests, bots[: len(levels)]


async def _played(plan: Plan, *, as_json: bool) -> list[Team]:
    """Who won each match; Failure if there is no table or no port to be had."""
    try:
        # Rather now than when the first guest comes.
        await list_rooms(plan.server)
        if plan.room:
            await _seen(plan.server, plan.room)
        async with Bridge(plan, say=note) as bridge:
            address = f"ws://{plan.host}:{bridge.port}/game/NAME"
            told = json.dumps({"guests": address}) if as_json else f"Guests come to {address}"
            print(told, flush=True)
            return await bridge.over()
    except Unreachable as error:
        raise Failure(Exit.NO_CONNECTION, f"no connection to {error}") from error
    except QueryRefused as error:
        raise Failure(exit_of(error.refused.code), f"the server refused: {error}") from error
    except NotLetIn as error:
        code = exit_of(error.code) if error.code in set(Code) else Exit.NO_CONNECTION
        raise Failure(code, f"there is no seat: {error}") from error
    except OSError as error:
        why = error.strerror or str(error)
        raise Failure(
            Exit.FAILURE, f"--port: cannot listen at {plan.host}:{plan.port}: {why}"
        ) from error


async def _seen(server: str, room: str) -> None:
    """A look at the table; Failure if there is none."""
    async with TableClient(server, Watch(version=VERSION, room=room)) as client:
        await opened(client, Words(texts("en")), server)
