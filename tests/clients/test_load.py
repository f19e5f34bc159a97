"""`guandan load` against a real server: few rooms, a moment, and no word on how fast it was."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import signal
from pathlib import Path
from typing import Any

import pytest

from guandan_bots.load import Plan, Swarm
from guandan_bots.load_report import Latency, Report
from guandan_bots.processes import children, listening, usage
from guandan_cli.load import table
from guandan_protocol.client import TableClient
from guandan_protocol.messages import VERSION, SeatKind, Watch
from tests.clients.commands import WAIT_S, Commands
from tests.e2e.serving import serving
from tests.server.waiting import until

QUICK = ("--rooms", "3", "--rate", "60", "--seconds", "1")


def report_of(lines: list[str]) -> dict[str, Any]:
    (line,) = lines
    report: dict[str, Any] = json.loads(line)
    return report


def test_four_people_at_each_table(commands: Commands) -> None:
    ended = commands.run("load", *QUICK, "--json")
    assert ended.code == 0
    assert "all 3 rooms play" in ended.err
    report = report_of(ended.out)
    assert list(report) == list(Report.__annotations__)
    assert (report["rooms"], report["people"], report["rate_wanted"]) == (3, 4, 60.0)
    assert report["actions"] > 0
    assert list(report["latency_ms"]) == ["p50", "p90", "p99", "max"]
    for kind in ("latency_ms", "done_ms"):
        ranks = list(report[kind].values())
        assert ranks == sorted(ranks)
        assert ranks[0] > 0
    # Nobody is told before it is stored, so the last seat is not told before the first.
    assert report["latency_ms"]["max"] >= report["done_ms"]["p50"]
    assert report["errors"] == {}
    assert [report[name] for name in ("reconnects", "lost", "timed_out", "unanswered")] == [0] * 4
    assert report["server_use"]["rss_mib"] > 0
    assert not report["interrupted"]


def test_one_person_and_three_bots_for_people_to_read(commands: Commands) -> None:
    ended = commands.run("load", *QUICK, "--people", "1")
    assert ended.code == 0
    rows = dict(line.split("  ", 1) for line in ended.out)
    assert rows["rooms"].split(",")[0].strip() == "3"
    assert rows["refusals and ends"].strip() == "none"


async def test_nobody_is_left_at_the_tables(address: str) -> None:
    async with Swarm(Plan(servers=(address,), rooms=2, rate=50, seconds=0.1)) as swarm:
        await swarm.open()
        await swarm.run()
        await swarm.leave()
        assert swarm.report().errors == {}
        for one in swarm.tables:
            async with TableClient(address, Watch(VERSION, one.chairs[0].room)) as client:
                await until(lambda: client.view is not None)
                assert client.view is not None
                assert {seat.kind for seat in client.view.seats} == {SeatKind.BOT}


def test_ctrl_c_ends_it_with_the_figures_so_far(commands: Commands) -> None:
    arguments = ("--rooms", "2", "--rate", "50", "--seconds", "600", "--json")
    with commands.start("load", *arguments) as running:
        assert running.process.stderr is not None
        assert any("all 2 rooms play" in line for line in running.process.stderr)
        running.process.send_signal(signal.SIGINT)
        report = report_of(running.rest())
        assert running.ended()[0] == 130
    assert report["interrupted"]
    assert report["seconds"] < 600


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--rooms", "0"], "--rooms"),
        (["--rooms", "1000000"], "--rooms"),
        (["--rooms", "two"], "--rooms"),
        (["--rate", "0"], "--rate"),
        (["--rate", "-1"], "--rate"),
        (["--rate", "inf"], "--rate"),
        (["--rooms", "2", "--rate", "201"], "--rate: at most 200 with 2 rooms"),
        (["--seconds", "0"], "--seconds"),
        (["--seconds", "86400"], "--seconds"),
        (["--rooms", "2500", "--rate", "50000", "--seconds", "3600"], "5,000,000 actions"),
        (["--people", "3"], "--people"),
        (["--pid", "0"], "--pid"),
        (["--server", "ftp://127.0.0.1"], "no address of a server"),
    ],
)
def test_what_makes_no_sense_is_refused(
    commands: Commands, arguments: list[str], says: str
) -> None:
    ended = commands.run("load", *arguments)
    assert (ended.code, ended.out) == (2, [])
    (line,) = ended.err
    assert says in line


def test_no_server_is_one_line(commands: Commands) -> None:
    ended = commands.run("load", "--server", "ws://127.0.0.1:1")
    assert (ended.code, ended.out) == (5, [])
    (line,) = ended.err
    assert line.startswith("guandan: no connection to ws://127.0.0.1:1: ")


def test_other_machines_are_warned_about(commands: Commands) -> None:
    # A spelling of this machine that does not look like it.
    ended = commands.run("load", "--server", "ws://127.1:1")
    assert ended.code == 5
    assert ended.err[0] == "ws://127.1:1 is not this machine: is it yours? It will feel this"


def test_too_few_open_files_are_one_line(commands: Commands) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (200, hard))
        assert commands.run("load", "--rooms", "50", "--server", "ws://127.0.0.1:1").code == 5
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == 264
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_limit_that_may_not_be_raised(
    commands: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (200, 200))

    def refuse(*_: object) -> None:
        raise ValueError("not allowed to raise maximum limit")

    monkeypatch.setattr(resource, "setrlimit", refuse)
    ended = commands.run("load", "--rooms", "50")
    assert (ended.code, ended.out) == (2, [])
    assert "264 open files and this shell allows 200" in ended.err[0]


async def test_a_server_that_dies_under_it_loses_nothing(tmp_path: Path) -> None:
    async with serving(tmp_path / "data") as served:
        plan = Plan(servers=(served.url,), rooms=3, rate=60, seconds=WAIT_S)
        async with Swarm(plan) as swarm:
            await swarm.open()
            running = asyncio.create_task(swarm.run())
            await until_acted(swarm, 10)
            await served.kill()
            before = {table: table.acknowledged_s for table in swarm.tables}
            await served.start()
            await until(
                lambda: all(one.acknowledged_s != at_s for one, at_s in before.items()),
                timeout_s=WAIT_S,
            )
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
            report = swarm.report()
    assert report.reconnects >= 4 * plan.rooms
    assert (report.lost, report.timed_out, report.errors) == (0, 0, {})
    assert report.interrupted


async def until_acted(swarm: Swarm, actions: int) -> None:
    await until(lambda: len(swarm.tally.done_s) >= actions, timeout_s=WAIT_S)


async def test_one_hand_follows_another(address: str) -> None:
    plan = Plan(servers=(address,), rooms=2, rate=None, seconds=WAIT_S)
    async with Swarm(plan) as swarm:
        await swarm.open()
        running = asyncio.create_task(swarm.run())
        await until(lambda: swarm.tally.hands, timeout_s=WAIT_S)
        await until_acted(swarm, len(swarm.tally.done_s) + 50)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        assert swarm.report().errors == {}


def test_figures_for_people() -> None:
    none = Latency(None, None, None, None)
    report = Report(
        server="ws://127.0.0.1:8765",
        rooms=2,
        people=4,
        rate_wanted=10.0,
        seconds=5.0,
        actions=49,
        rate=9.8,
        latency_ms=Latency(1.0, 2.0, 3.0, 4.04),
        done_ms=none,
        errors={"busy": 2, "stale": 1},
        reconnects=0,
        lost=0,
        timed_out=0,
        unanswered=0,
        behind=0,
        hands=0,
        matches=0,
        open_s=0.5,
        swarm_cpu_s=0.1,
        server_use=None,
        interrupted=False,
    )
    rows = dict(line.split("  ", 1) for line in table(report))
    assert rows["until the last seat sees it"].strip() == "p50 1.0, p90 2.0, p99 3.0, max 4.0 ms"
    assert rows["until it is acknowledged"].strip() == "nothing to measure"
    assert rows["refusals and ends"].strip() == "busy 2, stale 1"
    assert rows["the server's process"].strip() == "could not be looked at"


def test_processes_are_found_by_their_port(address: str) -> None:
    server = listening(int(address.rpartition(":")[2]))
    assert server is not None
    assert server in children(os.getpid())
    used = usage(server)
    assert used is not None
    assert used.rss_bytes > 0
    assert listening(1) is None
    assert usage(2**22 + 1) is None
