"""`guandan arena`: few deals, played in earnest."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import signal
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from guandan_bots import playout
from guandan_bots.contest import Contest, Side, Standing
from guandan_bots.contest_log import ContestLog
from guandan_bots.processes import children
from guandan_cli import arena as command
from guandan_cli.arena import crosstable, report
from tests.clients.commands import GUANDAN, Commands, Ended
from tests.server.waiting import until

FEW = ("--deals", "3", "--workers", "1")
PLAY = Contest.play


@pytest.fixture
def guandan(tmp_path: Path) -> Commands:
    return Commands("ws://127.0.0.1:1", tmp_path)  # nobody is asked


CHANGED = "club:memory=0"
"""A level with a figure of its own."""


def plain(ended: Ended) -> dict[str, Any]:
    (line,) = ended.out
    found: dict[str, Any] = json.loads(line)
    return found


def timeless(found: dict[str, Any]) -> dict[str, Any]:
    """The same without what another run measures anew."""
    return {
        name: {kind: value for kind, value in part.items() if not kind.endswith("_ms")}
        if isinstance(part, dict)
        else part
        for name, part in found.items()
    }


def test_two_levels_for_programs(guandan: Commands) -> None:
    ended = guandan.run("arena", "basic", "random", *FEW, "--json")
    assert ended.code == 0
    assert ended.err == []
    found = plain(ended)
    assert found.pop("playouts") == playout.kind()
    assert list(found) == list(Standing.__annotations__)
    assert list(found["one"]) == list(Side.__annotations__)
    assert (found["one"]["name"], found["other"]["name"]) == ("basic", "random")
    assert (found["deals"], found["seed"], found["firsts"]) == (3, "1", 1.0)
    assert found["net_levels"] > 2
    assert 0 < found["one"]["p50_ms"] <= found["one"]["p95_ms"] <= found["one"]["max_ms"]
    assert found["one"]["fallbacks"] == found["other"]["fallbacks"] == 0


def test_which_play_outs_are_in_use_is_told_where_one_searches(guandan: Commands) -> None:
    one = ("expert:playouts=10", "random", "--deals", "1", "--workers", "1")
    (told,) = guandan.run("arena", *one).err
    assert told.startswith(f"play-outs: {playout.kind()}")


def test_compiled_modules_that_are_older_than_their_sources_are_told(
    guandan: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playout, "kind", lambda: "compiled")
    monkeypatch.setattr(command, "changed_since", lambda: ("club/weighing.py", "judge/inputs.py"))
    (told,) = guandan.run("arena", "club", "random", "--deals", "1", "--workers", "1").err
    assert told == "compiled, but club/weighing.py, judge/inputs.py changed since: make fast"


def test_quiet_leaves_data_and_errors(guandan: Commands) -> None:
    told = guandan.run("arena", "basic", "random", *FEW, "--json", "--quiet")
    assert (told.code, told.err) == (0, [])
    assert plain(told)["deals"] == 3
    refused = guandan.run("--quiet", "arena", "basic")
    assert refused.code == 2
    assert len(refused.err) == 1


def test_two_levels_for_people(guandan: Commands) -> None:
    ended = guandan.run("arena", "basic", "random", *FEW, "--seed", "xyz")
    assert ended.code == 0
    rows = dict(line.split("  ", 1) for line in ended.out)
    assert rows["basic v random"].strip() == "3 deals, seed xyz"
    assert rows["first to go out"].strip() == "100.0% ± 0.0%"
    assert rows["decisions of basic"].endswith("0 fallbacks")


def test_the_seed_decides_and_the_workers_do_not(guandan: Commands) -> None:
    other = ("arena", "basic", CHANGED, "--deals", "4", "--json")
    alone = plain(guandan.run(*other, "--workers", "1"))
    together = plain(guandan.run(*other, "--workers", "2"))
    assert timeless(alone) == timeless(together)
    elsewhere = plain(guandan.run(*other, "--workers", "1", "--seed", "2"))
    assert timeless(elsewhere) != timeless(alone)


def test_it_goes_on_where_the_log_ended(
    guandan: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "arena.jsonl"
    both = ("arena", "basic", "random", "--workers", "1", "--json", "--log", str(log))
    guandan.run(*both, "--deals", "2")
    numbers: list[int] = []

    def counted(self: Contest, number: int) -> Any:
        numbers.append(number)
        return PLAY(self, number)

    monkeypatch.setattr(Contest, "play", counted)
    at_length = plain(guandan.run(*both, "--deals", "4"))
    assert numbers == [2, 3]
    assert len(log.read_text().splitlines()) == 4
    again = plain(guandan.run(*both, "--deals", "4"))
    assert numbers == [2, 3]
    assert again == at_length
    assert plain(guandan.run(*both, "--deals", "3"))["deals"] == 3
    assert numbers == [2, 3]
    guandan.run(*both, "--deals", "1", "--seed", "2")
    assert numbers == [2, 3, 0]


def test_each_against_each(guandan: Commands) -> None:
    levels = ("random", "basic", CHANGED)
    ended = guandan.run("arena", "--round-robin", *levels, *FEW)
    assert ended.code == 0
    head, *rows = [line.split() for line in ended.out[:-1]]
    assert ended.out[-1] == "deals of each pair: 3; seed 1"
    assert head == list(levels)
    assert [row[0] for row in rows] == list(levels)
    assert rows[0][2:6] == ["0.0%", "-3.00", "±", "0.00"]
    assert rows[1][1:5] == ["100.0%", "+3.00", "±", "0.00"]
    pairs = plain(guandan.run("arena", "--round-robin", *levels, *FEW, "--json"))["pairs"]
    assert len(pairs) == 3


def interrupted(self: Contest, number: int) -> Any:
    if number == 2:
        raise KeyboardInterrupt
    return PLAY(self, number)


def test_what_was_played_is_told_when_it_is_interrupted(
    guandan: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Contest, "play", interrupted)
    ended = guandan.run("arena", "basic", "random", "--deals", "9", "--workers", "1", "--json")
    assert ended.code == 130
    assert plain(ended)["deals"] == 2


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_sees_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = Terminal()
    monkeypatch.setattr(sys, "stderr", seen)
    assert command.arena("basic", "random", deals=2, workers=1) == 0
    assert "basic v random [##########..........] 1/2 +3.00" in seen.getvalue()
    assert "[####################] 2/2" in seen.getvalue()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["basic"], "two of them"),
        (["basic", "random", "basic"], "two of them"),
        (["basic", "godlike"], "godlike"),
        (["basic", "club:luck=1"], "luck"),
        (["basic", "random:luck=1"], "no figures"),
        (["basic", "random", "--deals", "0"], "--deals"),
        (["basic", "random", "--workers", "0"], "--workers"),
        (["--round-robin", "basic"], "--round-robin"),
        (["--round-robin", "basic", "basic"], "--round-robin"),
    ],
)
def test_wrong_usage_is_one_line(guandan: Commands, arguments: list[str], says: str) -> None:
    ended = guandan.run("arena", *arguments)
    assert (ended.code, ended.out, len(ended.err)) == (2, [], 1)
    assert says in ended.err[0]


@pytest.mark.parametrize(
    ("text", "says", "code"),
    [("no log\n", "line 1: no deal", 1), (None, "No such file or directory", 3)],
)
def test_a_log_that_is_none(
    guandan: Commands, tmp_path: Path, text: str | None, says: str, code: int
) -> None:
    log = tmp_path / ("log" if text else "nowhere/log")
    if text:
        log.write_text(text)
    ended = guandan.run("arena", "basic", "random", "--log", str(log))
    assert (ended.code, ended.out, len(ended.err)) == (code, [], 1)
    assert says in ended.err[0]


def test_figures_that_one_deal_leaves_open() -> None:
    side = Side("a", decisions=1, p50_ms=1, p95_ms=1, max_ms=1, fallbacks=0)
    found = Standing(
        side, side, "1", 1, net_levels=-1, net_levels_error=None, firsts=0, firsts_error=None
    )
    assert report(found)[1].endswith("-1.000 ± ?")
    assert crosstable([]) == []


def test_what_comes_to_nothing_has_no_sign() -> None:
    side = Side("a", decisions=1, p50_ms=1, p95_ms=1, max_ms=1, fallbacks=0)
    found = Standing(side, side, "1", 2, -0.0004, 0.5, firsts=0.5, firsts_error=0.1)
    assert report(found)[1].endswith("+0.000 ± 0.500")


def test_a_background_job_of_a_shell_can_be_told_to_end(guandan: Commands) -> None:
    """Shells start those with Ctrl-C ignored; SIGTERM still ends them."""
    typed = f"{GUANDAN} arena expert random --deals 100000 --workers 1 --json & echo $!"
    with subprocess.Popen(
        ["sh", "-c", f"{typed}; wait $!; echo $?"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=guandan.environment,
    ) as shell:
        assert shell.stdout is not None
        assert shell.stderr is not None
        job = int(shell.stdout.readline())
        assert "play-outs" in shell.stderr.readline()
        os.kill(job, signal.SIGTERM)
        assert shell.stdout.read().splitlines()[-1] == "130"


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="only there does one see processes")
async def test_of_one_that_was_killed_no_process_is_left(guandan: Commands) -> None:
    arguments = ["arena", "club", "basic", "--deals", "100000", "--workers", "2"]
    killed = await asyncio.create_subprocess_exec(
        GUANDAN, *arguments, stdout=asyncio.subprocess.PIPE, env=guandan.environment
    )
    # Two that play, and one of Python's own that looks after what they share.
    await until(lambda: len(children(killed.pid)) == 3, timeout_s=60)
    left = children(killed.pid)
    killed.kill()
    said, _ = await killed.communicate()  # all that could write there are gone
    assert said == b""
    await until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in left), timeout_s=60)


def test_why_a_bot_failed_is_told_once(guandan: Commands, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "import sys\n\nclass Mine:\n    name = 'mine'\n\n"
        "    def choose(self, view, rules, rng):\n        sys.exit(0)\n"
    )
    ended = guandan.run("arena", f"{path}:Mine", "random", "--deals", "2", "--workers", "2")
    assert ended.code == 0
    assert ended.err == ["mine failed: SystemExit: 0"]
    assert not ended.out[3].endswith(" 0 fallbacks")


def test_a_log_that_cannot_be_written_any_more_loses_no_result(
    guandan: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: ContestLog, contest: Contest, deal: object) -> None:
        del self, contest, deal
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(ContestLog, "add", full)
    log = tmp_path / "arena.jsonl"
    ended = guandan.run("arena", "basic", "random", *FEW, "--log", str(log))
    assert ended.code == 1
    assert ended.err == [f"guandan: {log}: No space left on device"]
    assert ended.out[0].endswith("1 deal, seed 1")
