"""The log of contests: what is in it is not played again, and a torn line is no harm."""

from __future__ import annotations

from pathlib import Path

import pytest

from guandan_bots import playout
from guandan_bots.contest import Contest, Deal
from guandan_bots.contest_log import ContestLog, LogDamaged

ONE = Contest("basic", "random", "1")
OTHER = Contest("basic", "random", "2")
DEALS = [
    Deal(0, gains=(3, -1), us=((10, 20), (5,)), fallbacks=(0, 0)),
    Deal(1, gains=(1, 2), us=((30,), (7, 9)), fallbacks=(0, 1)),
]


def test_what_was_added_is_there_when_it_is_opened_again(tmp_path: Path) -> None:
    path = tmp_path / "log"
    log = ContestLog(path)
    assert log.deals(ONE) == {}
    log.add(ONE, DEALS[1])
    log.add(OTHER, DEALS[0])
    log.add(ONE, DEALS[0])
    for known in (log, ContestLog(path)):
        assert known.deals(ONE) == {0: DEALS[0], 1: DEALS[1]}
        assert known.deals(OTHER) == {0: DEALS[0]}
    assert len(path.read_text().splitlines()) == 3


def test_a_line_that_was_cut_off_is_taken_away(tmp_path: Path) -> None:
    path = tmp_path / "log"
    ContestLog(path).add(ONE, DEALS[0])
    with path.open("a") as file:
        file.write('{"one": "basic", "oth')
    log = ContestLog(path)
    assert log.deals(ONE) == {0: DEALS[0]}
    log.add(ONE, DEALS[1])
    assert ContestLog(path).deals(ONE) == {0: DEALS[0], 1: DEALS[1]}


@pytest.mark.parametrize(
    ("one", "counts"),
    [("expert", False), ("expert:late=5", False), ("expert:playouts=9", True), ("club", True)],
)
def test_what_expert_played_with_other_play_outs_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, one: str, counts: bool
) -> None:
    path, contest = tmp_path / "log", Contest(one, "basic", "1")
    ContestLog(path).add(contest, DEALS[0])
    monkeypatch.setattr(playout, "kind", lambda: "other")
    log = ContestLog(path)
    assert log.deals(contest) == ({0: DEALS[0]} if counts else {})
    log.add(contest, DEALS[1])
    assert DEALS[1] in ContestLog(path).deals(contest).values()
    monkeypatch.undo()
    assert DEALS[0] in ContestLog(path).deals(contest).values()
    assert (1 in ContestLog(path).deals(contest)) == counts


@pytest.mark.parametrize("line", ["no JSON", "[]", '{"one": "basic"}', '{"one": 1}'])
def test_a_line_that_is_no_deal_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "log"
    ContestLog(path).add(ONE, DEALS[0])
    with path.open("a") as file:
        file.write(line + "\n")
    with pytest.raises(LogDamaged, match="line 2: no deal of a contest") as damaged:
        ContestLog(path)
    assert damaged.value.line == 2


def test_a_file_that_cannot_be_written_is_known_at_once(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        ContestLog(tmp_path / "nowhere" / "log")
