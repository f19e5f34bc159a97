"""`guandan bridge`: programs that speak the competition dialect, as guests at a table of ours."""

from __future__ import annotations

import json
from typing import Annotated, Final, Literal

from attrs import evolve
from cyclopts import Parameter
from cyclopts.validators import Number

from guandan_bots.dialect.bridge import Bridge, Plan
from guandan_bots.dialect.chairs import NotLetIn
from guandan_bots.policy import POLICIES
from guandan_cli import flags
from guandan_cli.address import DEFAULT_SERVER
from guandan_cli.exits import Exit, Failure, about, exit_of, said, system_says
from guandan_cli.levels import OWN, named
from guandan_cli.notes import note
from guandan_cli.texts import texts
from guandan_cli.tui.session import opened
from guandan_cli.words import Words
from guandan_engine.seats import SEATS, Seat, Team
from guandan_protocol.client import TableClient
from guandan_protocol.errors import QueryRefused, Unreachable
from guandan_protocol.lobby import list_rooms
from guandan_protocol.messages import VERSION, Code, SeatKind, Settings, Watch

__all__ = ["bridge"]

DEFAULT_PACE: Final = "0.3"
"""Of bots that fill in: programs would only wait for them."""


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
            help=f"A bot that comes along: {', '.join(POLICIES)}; {OWN}; may be repeated.",
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
    pace: Annotated[
        flags.Pace,
        Parameter(
            help=f"Seconds that bots take over a move at the new table; without it {DEFAULT_PACE}."
        ),
    ] = None,
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
        named(name, "--level")
    place = flags.found_place(room, server)
    if room is not None and place.room is None:
        raise Failure(Exit.USAGE, about("--room", said("error.which_table")))
    if room is not None and (
        option or public or rules != "site" or clock is not None or pace is not None
    ):
        raise Failure(Exit.USAGE, about("--room", said("error.new_only")))
    guests, bots = _seats(level, seat, is_new=room is None)
    address = place.server or DEFAULT_SERVER
    create = flags.creation(
        name="guest",
        preset=rules,
        options=option,
        public=public,
        clock_s=clock,
        pace=pace or DEFAULT_PACE,
    )
    plan = Plan(
        server=address,
        seats=guests,
        levels=level,
        bot_seats=bots,
        # No clock unless it is asked for: the platform has none.
        create=evolve(create, settings=create.settings or Settings()),
        room=place.room or "",
        sits_anywhere=not seat,
        games=games,
        host=host,
        port=port,
        seed=seed,
    )
    winners = await _played(plan, as_json=as_json)
    won = {team.value: winners.count(team) for team in Team}
    if as_json:
        print(json.dumps({"games": games, "won": won}), flush=True)
    elif winners:
        print(" ".join([f"{team}: {count}" for team, count in won.items()]), flush=True)
    if len(winners) < games:
        left = said("error.guests_left", done=len(winners), games=games)
        raise Failure(Exit.FAILURE, left)
    return Exit.OK


def _seats(
    levels: tuple[str, ...], wanted: tuple[int, ...], *, is_new: bool
) -> tuple[tuple[Seat, ...], tuple[Seat, ...]]:
    """Those of the guests and those of the bots; Failure if that does not make four."""
    if len(set(wanted)) < len(wanted):
        raise Failure(Exit.USAGE, said("error.each_seat_once"))
    if len(levels) >= len(SEATS):
        raise Failure(Exit.USAGE, said("error.seat_for_guests"))
    guests = tuple([Seat(seat) for seat in wanted]) or SEATS[: len(SEATS) - len(levels)]
    bots = tuple([seat for seat in SEATS if seat not in guests])
    if is_new and len(bots) != len(levels):
        wrong = said("error.not_four", guests=len(guests), bots=len(levels))
        raise Failure(Exit.USAGE, wrong)
    return guests, bots[: len(levels)]


async def _played(plan: Plan, *, as_json: bool) -> list[Team]:
    """Who won each match; Failure if there is no table or no port to be had."""
    try:
        # Rather now than when the first guest comes.
        await list_rooms(plan.server)
        if plan.room:
            plan = _fitted(plan, await _taken(plan.server, plan.room))
        async with Bridge(plan, say=note) as bridge:
            address = f"ws://{plan.host}:{bridge.port}/game/NAME"
            told = json.dumps({"guests": address}) if as_json else f"Guests come to {address}"
            print(told, flush=True)
            return await bridge.over()
    except Unreachable as error:
        gone = said("error.unreachable", url=error.url, why=error.why)
        raise Failure(Exit.NO_CONNECTION, gone) from error
    except QueryRefused as error:
        refused = said(
            "error.server_refused", why=flags.coded(error.refused.code, error.refused.text)
        )
        raise Failure(exit_of(error.refused.code), refused) from error
    except NotLetIn as error:
        code = exit_of(error.code) if error.code in set(Code) else Exit.NO_CONNECTION
        raise Failure(
            code, said("error.no_seat", why=flags.coded(error.code, str(error)))
        ) from error
    except BrokenPipeError:
        raise  # nobody reads what we print: no trouble of the port's
    except OSError as error:
        why = system_says(error)
        wrong = said("error.cannot_listen", host=plan.host, port=plan.port, why=why)
        raise Failure(Exit.FAILURE, about("--port", wrong)) from error


async def _taken(server: str, room: str) -> set[Seat]:
    """The seats of people at a table; Failure if there is none."""
    async with TableClient(server, Watch(version=VERSION, room=room)) as client:
        seats = (await opened(client, Words(texts("en")), server)).view.seats
    taken = [one.kind is SeatKind.PERSON for one in seats]
    return {seat for seat, is_taken in zip(SEATS, taken, strict=True) if is_taken}


def _fitted(plan: Plan, taken: set[Seat]) -> Plan:
    """With seats for the bots that nobody else needs; Failure if somebody will not have one."""
    wanted = () if plan.sits_anywhere else plan.seats
    if taken.intersection(wanted):
        raise _no_seat(Code.SEAT_TAKEN)
    left = [seat for seat in SEATS if seat not in taken and seat not in wanted]
    if len(left) < len(plan.levels) + (not wanted):
        raise _no_seat(Code.FULL)
    return evolve(plan, bot_seats=tuple(left[: len(plan.levels)]))


def _no_seat(code: Code) -> Failure:
    return Failure(exit_of(code), said("error.no_seat", why=flags.coded(code, code)))
