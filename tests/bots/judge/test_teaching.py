"""Hands are collected and learned from, in small."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from attrs import evolve

from guandan_bots.judge import Judge
from tools.judge.collect import collect
from tools.judge.learn import Lesson, learn
from tools.judge.rows import DEAL

TINY = Lesson((6, 3), epochs=2, batch=8, rate=1e-3, decay=1e-2)


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rows")
    assert collect(folder, seed="a", hands=4) == 4
    return folder


def test_what_is_learned_is_a_judge(rows: Path, tmp_path: Path) -> None:
    learn(rows, tmp_path, deals=TINY, choices=TINY)
    taught, usual = Judge.read(tmp_path), Judge.learned()
    assert taught.lead.inputs == usual.lead.inputs
    assert taught.follow.inputs == usual.follow.inputs
    assert [len(layer.added) for layer in taught.follow.layers] == [6, 3, 1]


def test_it_goes_on_from_what_it_learned(rows: Path, tmp_path: Path) -> None:
    learn(rows, tmp_path, deals=TINY, choices=TINY)
    first = Judge.read(tmp_path)
    still = evolve(TINY, epochs=1, rate=0.0)
    learn(rows, tmp_path, first, deals=TINY, choices=still)
    inputs = [0.5] * first.follow.inputs
    again = Judge.read(tmp_path).follow
    assert again.value(again.begun(inputs), []) == pytest.approx(
        first.follow.value(first.follow.begun(inputs), []), abs=1e-4
    )


def test_choices_may_be_followed_for_longer(rows: Path, tmp_path: Path) -> None:
    collect(tmp_path, seed="a", hands=4, tricks=1)
    longer = (tmp_path / "follow.a.rows").read_bytes()
    assert longer != (rows / "follow.a.rows").read_bytes()
    assert len(longer) == (rows / "follow.a.rows").stat().st_size


def test_a_seed_plays_the_same_hands_again(rows: Path, tmp_path: Path) -> None:
    collect(tmp_path, seed="a", hands=4)
    for path in sorted(rows.glob("*.rows")):
        assert (tmp_path / path.name).read_bytes() == path.read_bytes()


def test_rows_are_whole(rows: Path) -> None:
    assert (rows / "ends.a.rows").stat().st_size % (4 * (1 + DEAL)) == 0
    assert {path.name for path in rows.glob("*.rows")} == {
        "ends.a.rows",
        "follow.a.rows",
        "lead.a.rows",
    }


def test_rows_that_are_not_there_are_named(tmp_path: Path) -> None:
    shown = subprocess.run(
        [sys.executable, "-m", "tools.judge", "learn", tmp_path, tmp_path],
        capture_output=True,
        text=True,
        check=False,
    )
    assert shown.returncode == 1
    assert "no ends.*.rows" in shown.stderr


def test_it_learns_what_it_is_taught(
    rows: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of what it learned by, that is: a few hands say nothing of others."""
    learn(rows, tmp_path, deals=TINY, choices=Lesson((24, 12), 40, 8, 3e-3, 0.0))
    said = capsys.readouterr().err
    for name in ("lead", "follow"):
        shares = re.findall(rf"{name} \d+: explains -?[\d.]+, (-?[\d.]+) of", said)
        assert len(shares) == 40
        assert float(shares[-1]) > 0.5 > float(shares[0])
