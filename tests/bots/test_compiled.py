"""Compiled and plain, the bots play the same games."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

GAMES = """
import json
from random import Random
import guandan_bots.playout as playout

def games(seeds):
    found = []
    for seed in seeds:
        chance = Random(seed)
        level = seed % 13
        ranks = tuple(chance.randint(-90, 90) for _ in range(15 * playout.ROW))
        costs = tuple(chance.randint(-100, 100) for _ in range(144))
        stands = tuple(chance.randint(0, 100) for _ in range(144))
        prices = playout.Prices(ranks, costs, stands, -104)
        cards = [1 << 4 * rank + suit for rank in range(13) for suit in range(4)]
        cards += [1 << 52, 1 << 56]
        seats = [15] * 108
        worlds = playout.Worlds(2 * cards, seats, [27] * 4, [9, 9, 9, 9, 0], level, prices, seed)
        worlds.deal()
        worlds.stir(60)
        game = playout.Game(prices)
        game.story = []
        game.begin(worlds.hands[:4], seed & 3, 0, 0, 0, [], seed)
        found.append([game.play(), worlds.lows, worlds.highs, game.story])
    return found

print(json.dumps([playout.kind(), games(range(40))]))
"""

CHOICES = """
import json
from random import Random
import guandan_bots.club.weighing as weighing
import guandan_bots.judge.network as network
from guandan_bots.arena import command_of, dealt
from guandan_bots.expert import ExpertPolicy, ExpertStyle
from guandan_engine.machine import step
from guandan_engine.options import Rules
from guandan_engine.order import LEVELS
from guandan_engine.phases import HandOver
from guandan_engine.views import asked, seat_view

expert, rules, told = ExpertPolicy(ExpertStyle(playouts=60)), Rules(), []
for number in range(6):
    match, chance = dealt(rules, str(number), level=LEVELS[2 * number]), Random(number)
    while not isinstance(match.phase, HandOver):
        seat = asked(match)[0]
        choice = expert.choose(seat_view(match, seat), rules, chance)
        told.append(repr(choice))
        match, _ = step(match, command_of(match, seat, choice))

kinds = [module.__file__.endswith(".py") for module in (weighing, network)]
print(json.dumps([kinds, told]))
"""


def told(folder: Path, script: str) -> list[object]:
    """What a process says that finds the packages in a folder."""
    shown = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(folder)!r})\n{script}"],
        check=True,
        capture_output=True,
        text=True,
    )
    found: list[object] = json.loads(shown.stdout)
    return found


def lacking() -> str:
    """What compiling lacks on this machine; empty if nothing."""
    if not shutil.which((sysconfig.get_config_var("CC") or "cc").split()[0]):
        return "there is no C compiler"
    if not (Path(sysconfig.get_path("include")) / "Python.h").exists():
        return "Python's headers are not installed"
    if importlib.util.find_spec("setuptools") is None:
        return "there is no setuptools"
    return ""


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The packages as they are, and compiled."""
    if lacking():
        pytest.skip(f"what is compiled is left out: {lacking()}")
    fast = tmp_path_factory.mktemp("compiled") / "fast"
    subprocess.run([sys.executable, ROOT / "tools" / "fast.py", fast, "0"], check=True)
    plain = fast.with_name("plain")
    shutil.copytree(fast, plain, ignore=shutil.ignore_patterns("*.so", "*.pyd"))
    return plain, fast


def test_play_outs_are_the_same(folders: tuple[Path, Path]) -> None:
    one, other = (told(folder, GAMES) for folder in folders)
    assert (one[0], other[0]) == ("plain", "compiled")
    assert one[1] == other[1]


def test_choices_are_the_same(folders: tuple[Path, Path]) -> None:
    one, other = (told(folder, CHOICES) for folder in folders)
    assert (one[0], other[0]) == ([True, True], [False, False])
    assert one[1] == other[1]
