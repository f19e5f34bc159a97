"""`guandan arena`: bots against each other, to see which level is better and by how much."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from itertools import combinations
from pathlib import Path
from typing import Annotated, Final

from cyclopts import Parameter
from cyclopts.validators import Number

from guandan_bots import playout
from guandan_bots.compiled import changed_since
from guandan_bots.contest import (
    Contest,
    Deal,
    Side,
    Standing,
    played,
    standing,
)
from guandan_bots.contest_log import ContestLog, LogDamaged
from guandan_bots.policy import POLICIES
from guandan_cli.cores import processors
from guandan_cli.exits import Exit, Failure, about, said, system_says
from guandan_cli.levels import OWN, named
from guandan_cli.notes import note, shows_progress

__all__ = ["arena", "crosstable", "report"]

BAR_CHARS: Final = 20


def arena(
    *levels: Annotated[
        str,
        Parameter(
            name="LEVEL",
            help=f"Who plays: {', '.join(POLICIES)}. `LEVEL:NAME=VALUE,…` has other figures; "
            f"{OWN}.",
            show_env_var=False,
        ),
    ],
    deals: Annotated[
        int, Parameter(help="How many, each played twice.", validator=Number(gte=1, lte=1_000_000))
    ] = 200,
    seed: Annotated[str, Parameter(help="Of the deals.")] = "1",
    round_robin: Annotated[
        bool, Parameter(help="Each level against each other: those named, or all there are.")
    ] = False,
    workers: Annotated[
        int | None,
        Parameter(
            help="Processes that play; without it one for each processor.",
            validator=Number(gte=1, lte=256),
        ),
    ] = None,
    log: Annotated[
        Path | None,
        Parameter(
            help="A file that gets a line for each deal. What it has of this contest already is "
            "not played again."
        ),
    ] = None,
    as_json: Annotated[
        bool, Parameter(name="--json", help="One object, for programs, instead of a table.")
    ] = False,
) -> int:
    """Let two levels of bots play each other, and measure which one is better.

    Every deal is played twice, with the teams swapped, and deals go through all levels from 2 to A.
    The result follows from the seed, whatever the number of workers; only the times do not.
    (`expert` tries more where it is compiled; `expert:playouts=1000` is the same everywhere.) Net
    levels are what the first level wins a hand less what it loses, with the standard error over
    deals. Fallbacks are decisions that a bot failed to make. Which play-outs are in use is said on
    standard error if one of them searches. Ctrl-C ends it with what has been played. A log knows
    levels by their names: begin a new one when you have changed what is behind them.

    For example:

        guandan arena club basic --deals 400

        guandan arena --round-robin --deals 100 --log ladder.jsonl

        guandan arena club club:memory=0 --json

        guandan arena mine.py:MyPolicy club --deals 50
    """
    kind, changed = playout.kind(), changed_since()
    contests = [Contest(one, other, seed) for one, other in _pairs(levels, round_robin=round_robin)]
    kept = None if log is None else _opened(log)
    if any(_searches(level) for one in contests for level in (one.one, one.other)):
        note(f"play-outs: {kind if kind == 'compiled' else f'{kind}; make fast compiles them'}")
    if kind == "compiled" and changed:
        note(f"compiled, but {', '.join(changed)} changed since: make fast")
    standings: list[Standing] = []
    told: set[str] = set()
    interrupted = False
    failure: Failure | None = None
    for place, contest in enumerate(contests, start=1):
        known = {} if kept is None else kept.deals(contest)
        found = {number: deal for number, deal in known.items() if number < deals}
        title = f"{contest.one} v {contest.other}"
        if len(contests) > 1:
            title = f"{place}/{len(contests)} {title}"
        try:
            # Closed at once, so that no process plays on while we tell the result.
            missing = [number for number in range(deals) if number not in found]
            with closing(played(contest, missing, workers=workers or processors())) as playing:
                for deal in _shown(title, playing, found, deals):
                    found[deal.number] = deal
                    for fault in deal.faults:
                        if fault not in told:
                            told.add(fault)
                            note(fault)
                    if kept is not None and log is not None:
                        _keep(kept, log, contest, deal)
        except KeyboardInterrupt:
            interrupted = True
        except Failure as wrong:
            failure = wrong
        except BrokenProcessPool:
            why = said("error.killed")
            advice = why if log is not None else said("error.killed_log", why=why)
            failure = Failure(Exit.FAILURE, advice)
        if found:
            standings.append(standing(contest, [found[number] for number in sorted(found)]))
        if interrupted or failure is not None:
            break
    if round_robin:
        text = crosstable(standings)
        plain = {"playouts": kind, "pairs": [one.plain() for one in standings]}
    else:
        text = report(standings[0]) if standings else []
        plain = {"playouts": kind, **(standings[0].plain() if standings else {})}
    if as_json or text:
        print(json.dumps(plain) if as_json else "\n".join(text), flush=True)
    if failure is not None:
        raise failure
    return Exit.INTERRUPTED if interrupted else Exit.OK


def _keep(kept: ContestLog, path: Path, contest: Contest, deal: Deal) -> None:
    """Failure if it cannot be written."""
    try:
        kept.add(contest, deal)
    except OSError as error:
        raise Failure(Exit.FAILURE, about(path, system_says(error))) from error


def _pairs(levels: Sequence[str], *, round_robin: bool) -> list[tuple[str, str]]:
    """Who plays whom; Failure if that cannot be."""
    if round_robin:
        levels = levels or tuple(POLICIES)
        if len(set(levels)) < len(levels) or len(levels) < 2:
            raise Failure(Exit.USAGE, said("error.round_robin"))
    elif len(levels) != 2:
        raise Failure(Exit.USAGE, said("error.two_levels", n=len(levels)))
    for level in levels:
        named(level)
    return list(combinations(levels, 2))


def _opened(path: Path) -> ContestLog:
    try:
        return ContestLog(path)
    except LogDamaged as error:
        raise Failure(Exit.FAILURE, about(path, said("error.no_log", why=error))) from error
    except OSError as error:
        is_missing = isinstance(error, FileNotFoundError | NotADirectoryError)
        code = Exit.NOT_FOUND if is_missing else Exit.FAILURE
        raise Failure(code, about(path, system_says(error))) from error


def _shown(
    title: str, playing: Iterator[Deal], found: dict[int, Deal], deals: int
) -> Iterator[Deal]:
    """The same deals, with a bar on standard error if somebody is there to see it."""
    if not shows_progress():
        yield from playing
        return
    try:
        for deal in playing:
            yield deal  # after which it is in `found`
            gains = [sum(one.gains) for one in found.values()]
            done = BAR_CHARS * len(found) // deals
            bar = f"[{'#' * done}{'.' * (BAR_CHARS - done)}] {len(found)}/{deals}"
            mean = sum(gains) / (2 * len(gains))
            print(f"\r{title} {bar} {mean:+.2f}\x1b[K", end="", file=sys.stderr, flush=True)
    finally:
        print(file=sys.stderr)


def report(found: Standing) -> list[str]:
    """The figures of two levels for people."""
    rows = [
        (f"{found.one.name} v {found.other.name}", f"{_deals(found.deals)}, seed {found.seed}"),
        ("net levels a hand", _with_error(found.net_levels, found.net_levels_error, "+.3f")),
        ("first to go out", _with_error(found.firsts, found.firsts_error, ".1%")),
        *[(f"decisions of {side.name}", _times(side)) for side in (found.one, found.other)],
    ]
    return _table(rows)


def _deals(n: int) -> str:
    return f"{n} deal{'s' * (n != 1)}"


def _searches(level: str) -> bool:
    return hasattr(getattr(named(level), "style", None), "playouts")


def _with_error(value: float, error: float | None, shape: str) -> str:
    text = format(value, shape)
    if not set(text) & set("123456789"):
        text = text.replace("-", "+")
    return f"{text} ± {'?' if error is None else format(error, shape.lstrip('+'))}"


def _times(side: Side) -> str:
    return (
        f"{side.decisions}, p50 {side.p50_ms:.2f}, p95 {side.p95_ms:.2f}, "
        f"max {side.max_ms:.1f} ms, {side.fallbacks} fallbacks"
    )


def crosstable(standings: Sequence[Standing]) -> list[str]:
    """Each level against each other: the row's share of first places, and its net levels.

    Nothing if none has met another.
    """
    if not standings:
        return []
    names = list(dict.fromkeys([name for one in standings for name in _names(one)]))
    found = {_names(one): one for one in standings}
    rows = [["", *names]]
    for row in names:
        cells = [row]
        for column in names:
            if (row, column) in found:
                one, sign, firsts = found[row, column], 1, found[row, column].firsts
            elif (column, row) in found:
                one, sign, firsts = found[column, row], -1, 1 - found[column, row].firsts
            else:
                cells.append("-")
                continue
            error = one.net_levels_error
            cells.append(f"{firsts:.1%} {_with_error(sign * one.net_levels, error, '+.2f')}")
        rows.append(cells)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    counts = sorted({one.deals for one in standings})
    each = " to ".join(map(str, dict.fromkeys([counts[0], counts[-1]])))
    return [
        *[
            "  ".join([cell.ljust(width) for cell, width in zip(row, widths, strict=True)]).rstrip()
            for row in rows
        ],
        f"deals of each pair: {each}; seed {standings[0].seed}",
    ]


def _names(one: Standing) -> tuple[str, str]:
    return one.one.name, one.other.name


def _table(rows: Sequence[tuple[str, str]]) -> list[str]:
    width = max([len(name) for name, _ in rows])
    return [f"{name.ljust(width)}  {value}" for name, value in rows]
