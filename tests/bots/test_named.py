"""What people type for a player: levels, levels with other figures, classes of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from guandan_bots.club.policy import ClubPolicy
from guandan_bots.contest import Contest, played
from guandan_bots.named import FigureError, FileError, named_policy
from guandan_bots.policy import UnknownLevel

MINE = """
from guandan_bots.random_policy import RandomPolicy

class Mine(RandomPolicy):
    name = "mine"

class Broken:
    def __init__(self):
        raise RuntimeError("not today")

class NoPolicy:
    pass
"""
TYPED = """
from __future__ import annotations
from dataclasses import dataclass
from guandan_bots.random_policy import RandomPolicy

@dataclass
class Mine(RandomPolicy):
    name: str = "{name}"
"""


def test_a_level_may_have_other_figures() -> None:
    changed = named_policy("club:lead_stands=2,endgame=7")
    assert isinstance(changed, ClubPolicy)
    assert (changed.style.lead_stands, changed.style.endgame) == (2.0, 7)
    assert changed.style.lead_two == ClubPolicy().style.lead_two


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("club:luck=1", "club has no figure 'luck'; there are memory, team"),
        ("club:", "club has no figure ''"),
        ("club:memory=0,memory=1", "memory is given twice"),
        ("club:team=high", "team=high: not a whole number"),
        ("club:team=-1", "team=-1: less than nothing"),
        ("expert:margin=nan", "margin=nan: not a number"),
        ("expert:playouts=" + "9" * 5000, "not a whole number"),
        ("expert:margin=1" + "0" * 400, "not a number"),
        ("expert:margin=inf", "margin=inf: not a number"),
        ("random:lead=1", "random has no figures"),
    ],
)
def test_a_wrong_figure_is_told(name: str, says: str) -> None:
    with pytest.raises(FigureError, match=says):
        named_policy(name)


def test_an_unknown_level_is_told() -> None:
    with pytest.raises(UnknownLevel):
        named_policy("godlike:lead=1")


def test_a_policy_in_a_file_meets_the_others_in_every_process(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(MINE)
    assert named_policy(f"{path}:Mine").name == "mine"
    deals = list(played(Contest(f"{path}:Mine", "basic", "file"), range(2), workers=2))
    same = list(played(Contest("random", "basic", "file"), range(2), workers=1))
    assert sorted((one.number, one.gains) for one in deals) == [
        (one.number, one.gains) for one in same
    ]


def test_a_file_is_read_anew_whatever_was_in_it_a_moment_ago(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    for name in ("one", "two"):
        path.write_text(TYPED.format(name=name))
        assert named_policy(f"{path}:Mine").name == name
    assert list(tmp_path.iterdir()) == [path]  # and nothing is left beside it


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("mine.py", r"which class of it\? .*mine\.py:MyPolicy"),
        ("mine.py:Yours", "mine.py has no Yours"),
        ("mine.py:Broken", "Broken: RuntimeError: not today"),
        ("mine.py:NoPolicy", "NoPolicy is no policy"),
        ("gone.py:Mine", "gone.py: FileNotFoundError"),
        ("torn.py:Mine", "torn.py: SyntaxError"),
        ("ends.py:Mine", "ends.py: SystemExit: 3"),
    ],
)
def test_a_file_without_such_a_policy_is_told(tmp_path: Path, name: str, says: str) -> None:
    (tmp_path / "mine.py").write_text(MINE)
    (tmp_path / "torn.py").write_text("class Mine(")
    (tmp_path / "ends.py").write_text("import sys; sys.exit(3)")
    with pytest.raises(FileError, match=says):
        named_policy(str(tmp_path / name))
