"""`guandan load`: many tables at once, played by this process, to see what a server bears."""

from __future__ import annotations

import asyncio
import json
import resource
from typing import Annotated, Final, Literal
from urllib.parse import urlsplit

from cyclopts import Parameter
from cyclopts.validators import Number

from guandan_bots.load import ACTIONS_MAX, RATE_MAX_PER_ROOM, ROOMS_MAX, SECONDS_MAX, Plan, Swarm
from guandan_bots.load_report import Latency, Report
from guandan_bots.processes import listening
from guandan_cli import flags
from guandan_cli.address import DEFAULT_SERVER
from guandan_cli.exits import Exit, Failure, about, exit_of, said
from guandan_cli.notes import note
from guandan_protocol.dialing import is_here
from guandan_protocol.errors import SessionEnded, Unreachable

__all__ = ["load", "table"]

SPARE_FILES: Final = 64
"""Open files that are no connections: the program itself has a dozen."""
HTTP_PORTS: Final = {"ws": 80, "wss": 443}


async def load(
    *,
    rooms: Annotated[
        int, Parameter(help="How many tables.", validator=Number(gte=1, lte=ROOMS_MAX))
    ] = 10,
    rate: Annotated[
        float, Parameter(help="Actions a second over all of them.", validator=Number(gt=0))
    ] = 10.0,
    seconds: Annotated[
        float,
        Parameter(help="How long, once all tables play.", validator=Number(gt=0, lte=SECONDS_MAX)),
    ] = 10.0,
    people: Annotated[
        Literal[4, 1], Parameter(help="Connections of each table; the server's bots fill it up.")
    ] = 4,
    as_json: Annotated[
        bool, Parameter(name="--json", help="One object, for programs, instead of a table.")
    ] = False,
    pid: Annotated[
        int | None,
        Parameter(
            help="The server's process, to read its processor time and memory (Linux); without it "
            "the one that listens on the server's port, if it is on this machine.",
            validator=Number(gte=1),
        ),
    ] = None,
    seed: Annotated[int, Parameter(help="Of what is played, and when.")] = 0,
    server: flags.Server = None,
) -> int:
    """Play at many tables at once, and measure how long the others wait to see a move.

    The tables are new and private, without a clock; in the end all seats are given up. Moves are
    legal and nothing more, and come at random times, so many a second on average. The latency is
    that from sending a move to the moment when the last seat has the view with it. Progress goes to
    standard error, the figures to standard output. Ctrl-C ends it early, with the figures so far.

    A server limits what one address may do, unless the address is its own machine's. Point it at
    nothing but your own servers.

    For example:

        guandan load --rooms 500 --rate 200 --seconds 30

        guandan load --rooms 50 --rate 20 --seconds 60 --people 1 --json
    """
    address = flags.found_place(None, server).server or DEFAULT_SERVER
    _check(rooms=rooms, rate=rate, seconds=seconds)
    _allow_files(rooms * people + SPARE_FILES)
    if not is_here(urlsplit(address).hostname or ""):
        note(f"{address} is not this machine: is it yours? It will feel this")
    plan = Plan(
        servers=(address,),
        rooms=rooms,
        rate=rate,
        seconds=seconds,
        people=people,
        seed=seed,
        server_pid=pid or _found(address),
    )
    report = await _measured(plan)
    print(json.dumps(report.plain()) if as_json else "\n".join(table(report)), flush=True)
    return Exit.INTERRUPTED if report.interrupted else Exit.OK


def _check(*, rooms: int, rate: float, seconds: float) -> None:
    """Failure for what could only measure the limits of a connection, or of this program."""
    if rate > rooms * RATE_MAX_PER_ROOM:
        most = rooms * RATE_MAX_PER_ROOM
        wrong = said("error.rate", most=most, rooms=rooms, each=RATE_MAX_PER_ROOM)
        raise Failure(Exit.USAGE, about("--rate", wrong))
    if rate * seconds > ACTIONS_MAX:
        wrong = said("error.actions", most=f"{ACTIONS_MAX:,}")
        raise Failure(Exit.USAGE, about("--rate, --seconds", wrong))


def _allow_files(needed: int) -> None:
    """Raise this process's own limit of open files; Failure if that is not allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))
    except (OSError, ValueError) as error:
        wrong = said("error.open_files", needed=needed, allowed=hard)
        raise Failure(Exit.USAGE, about("--rooms", wrong)) from error


def _found(address: str) -> int | None:
    """The server's process, if it is on this machine."""
    parts = urlsplit(address)
    here = is_here(parts.hostname or "")
    return listening(parts.port or HTTP_PORTS[parts.scheme]) if here else None


async def _measured(plan: Plan) -> Report:
    try:
        async with Swarm(plan, progress=note) as swarm:
            await swarm.open()
            try:
                await swarm.run()
            except asyncio.CancelledError:  # Ctrl-C; a second one ends the leaving, too
                note("interrupted")
            await swarm.leave()
            return swarm.report()
    except Unreachable as error:
        gone = said("error.unreachable", url=error.url, why=error.why)
        raise Failure(Exit.NO_CONNECTION, gone) from error
    except SessionEnded as error:
        none = said("error.no_table_opened", why=flags.coded(error.code, str(error)))
        raise Failure(exit_of(error.code), none) from error
    except TimeoutError as error:
        raise Failure(Exit.NO_CONNECTION, said("error.table_late")) from error


def table(report: Report) -> list[str]:
    """The figures for people."""
    rows = [
        (
            "rooms",
            f"{report.rooms}, {report.people} connections each, open in {report.open_s:.1f} s",
        ),
        ("actions", f"{report.actions} in {report.seconds:.1f} s, {report.rate:g} a second"),
        ("until the last seat sees it", _milliseconds(report.latency_ms)),
        ("until it is acknowledged", _milliseconds(report.done_ms)),
        ("hands, matches finished", f"{report.hands}, {report.matches}"),
        ("refusals and ends", _listed(report.errors)),
        ("connections that came back", str(report.reconnects)),
        ("acknowledged and then lost", str(report.lost)),
        ("clocks run out", str(report.timed_out)),
        ("not answered in time", str(report.unanswered)),
        ("due with no table waiting", str(report.behind)),
        ("this program's processor time", f"{report.swarm_cpu_s:.1f} s"),
    ]
    use = report.server_use
    if use is None:
        rows.append(("the server's process", "could not be looked at"))
    else:
        per_cpu_s = use.actions_per_cpu_s
        speed = "" if per_cpu_s is None else f", {per_cpu_s:.0f} actions per second of it"
        rows += [
            ("the server's processor time", f"{use.cpu_s:.1f} s{speed}"),
            ("its store's", f"{use.store_cpu_s:.1f} s"),
            ("its memory", f"{use.rss_mib:.0f} MiB, {use.rss_kib_per_room:.0f} KiB more per room"),
        ]
    width = max(len(name) for name, _ in rows)
    return [f"{name.ljust(width)}  {value}" for name, value in rows]


def _milliseconds(latency: Latency) -> str:
    if latency.p50 is None:
        return "nothing to measure"
    named = (("p50", latency.p50), ("p90", latency.p90), ("p99", latency.p99), ("max", latency.max))
    return ", ".join([f"{name} {value:.1f}" for name, value in named]) + " ms"


def _listed(errors: dict[str, int]) -> str:
    return ", ".join([f"{code} {count}" for code, count in errors.items()]) or "none"
