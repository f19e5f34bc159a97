"""The yardsticks of the server do what they say; how fast is not asked here."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from attrs import evolve
from websockets.asyncio.server import serve
from websockets.typing import Subprotocol

from bench import __main__ as entry
from bench import server, thinking
from bench.server_echo import Echo, Sample
from bench.server_rows import Row, table
from bench.server_speed import EchoTable
from guandan_protocol.messages import SUBPROTOCOL
from guandan_server.embedded import EmbeddedStore
from guandan_server.store import Loaded
from guandan_server.store_redis import RedisStore
from tests.server.waiting import until

SAMPLE = Sample(entry=b"entry", snapshot=b"snapshot", update=b"update", action=b"action")


@contextlib.asynccontextmanager
async def echoing(echo: Echo) -> AsyncIterator[str]:
    async with serve(
        echo.serve, "127.0.0.1", 0, subprotocols=[Subprotocol(SUBPROTOCOL)], compression=None
    ) as serving:
        yield f"ws://127.0.0.1:{next(iter(serving.sockets)).getsockname()[1]}"


@contextlib.asynccontextmanager
async def at_table(url: str, *, tells_all: bool) -> AsyncIterator[EchoTable]:
    one = EchoTable(SAMPLE, tells_all=tells_all)
    await one.open(url)
    try:
        yield one
    finally:
        one.close()


@pytest.mark.parametrize("tells_all", [False, True])
async def test_an_echo_answers_one_or_all(*, tells_all: bool) -> None:
    async with (
        echoing(Echo(SAMPLE, None, tell_all=tells_all)) as url,
        at_table(url, tells_all=tells_all) as one,
    ):
        one.go()
        await until(lambda: one.answered > 20)


async def test_a_storing_echo_stores_each_of_its_answers(tmp_path: Path) -> None:
    async with EmbeddedStore(tmp_path / "store") as embedded, RedisStore(embedded.url) as store:
        echo = Echo(SAMPLE, store, tell_all=False)
        async with echoing(echo) as url, at_table(url, tells_all=False) as one:
            one.go()
            await until(lambda: one.answered > 20)
            answered = one.answered
            loaded = await store.load(one.name)
            assert isinstance(loaded, Loaded)
            assert loaded.seq >= answered
            assert loaded.snapshot == SAMPLE.snapshot
            assert (await store.log(one.name, limit=1))[0].body == SAMPLE.entry


def test_a_sample_is_handed_on(tmp_path: Path) -> None:
    SAMPLE.save(tmp_path / "sample")
    assert Sample.read(tmp_path / "sample") == SAMPLE


def test_figures_stand_beside_what_they_should_be() -> None:
    rows = [
        Row("room", 120.0, "KiB", at_most=150),
        Row("share", 0.25, "", at_least=0.5, note="a note"),
        Row("lost", 0, "", at_most=0),
        Row("rate", 1234.5, "/s"),
        Row("time", None, "s", at_most=8),
    ]
    assert [row.holds for row in rows] == [True, False, True, None, None]
    lines = [line.split() for line in table(rows).splitlines()[1:]]
    assert lines == [
        "room 120 KiB ≤ 150 KiB 0.80 of it holds".split(),
        "share 0.25 ≥ 0.50 0.50 of it FALLS SHORT a note".split(),
        "lost 0 ≤ 0 holds".split(),
        "rate 1,234 /s".split(),
        "time not measured ≤ 8 s".split(),
    ]


def test_parts_have_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(server.PARTS) == ["memory", "latency", "ratio", "takeover", "restart"]
    with pytest.raises(SystemExit):
        entry.main(["--server", "--only", "luck"])
    assert "luck" in capsys.readouterr().err
    assert entry.main(["--nonsense"]) == 64


async def test_a_rolling_restart_loses_nothing(tmp_path: Path) -> None:
    tiny = evolve(server.QUICK, lead_s=0.1, restart_rooms=2)
    rows = [row async for row in server.measured(tiny, ["restart"], folder=tmp_path)]
    assert [row.value for row in rows if row.at_most == 0] == [0, 0, 0]
    assert rows[-1].note == "4 of 4"


def test_what_bots_that_think_cost_is_worked_out_from_what_a_node_says() -> None:
    more = {
        ("guandan_decisions", "basic", "no"): 10.0,
        ("guandan_decisions", "club", "no"): 6.0,
        ("guandan_decisions", "expert", "no"): 2.0,
        ("guandan_decisions", "expert", "yes"): 12.0,
        ("guandan_decision_fallbacks", "expert", "full"): 5.0,
        ("guandan_decision_fallbacks", "expert", "late"): 1.0,
        ("guandan_decision_fallbacks", "hints", "late"): 0.0,
    }
    before = {"own_cpu_s": 1.0, "workers_cpu_s": {"7": 3.0}}
    now = {
        "own_cpu_s": 2.0,
        "workers_cpu_s": {"7": 4.0, "8": 0.5},  # one was started meanwhile
        "workers": 2,
        "late_ms": [*range(100, 0, -1)],
    }
    part = thinking.part_of("expert", more, before, now, 2.0)
    assert part.searched == 12 / (2 + 12 + 5 + 1)
    assert part.decisions_per_s == {"basic": 5.0, "club": 3.0, "expert": 7.0}
    assert part.fallbacks == {"expert full": 5, "expert late": 1}
    assert (part.loop_cpu, part.workers_cpu) == (0.5, 0.75)
    assert (part.lag_p50_ms, part.lag_p99_ms, part.lag_max_ms) == (51, 100, 100)
    text = "\n".join(thinking.lines(part))
    assert "expert 7.0" in text
    assert "60%" in text
    assert "2 worker(s) 0.75" in text
