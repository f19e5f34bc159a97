"""The figures of play-outs: hands played to their end, and what comes before.

In this process they are as they are installed, compiled or plain; beside them stand the plain ones,
from a copy of the sources in a process of its own, so that the ratio says what compiling is worth.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

from bench.figures import Figure, rate
from guandan_bots import playout
from guandan_bots.club.outlook import Outlook
from guandan_bots.club.policy import STYLE
from guandan_bots.positions import prices_of
from guandan_engine.cards import CARDS, HALF, LOW, Cards, Rank

__all__ = ["figures"]

DEALS = 100
TARGETS = {"plain": 2_000, "compiled": 40_000}
RATIO_TARGET = 15

Halves = list[tuple[int, int]]


def deals() -> list[Halves]:
    """The four hands of a deal, each in two halves."""
    chance, found = Random(1), []
    for _ in range(DEALS):
        pack = chance.sample(2 * CARDS, 108)
        hands = [Cards.of(pack[27 * seat : 27 * seat + 27]).bits for seat in range(4)]
        found.append([(bits & LOW, bits >> HALF) for bits in hands])
    return found


class Table:
    """Play-outs from the opening of a hand at level 2."""

    def __init__(self) -> None:
        unseen = sum([n << 4 * rank for rank, n in enumerate([6] * 13 + [2, 2])])
        self.prices = prices_of(Outlook(Rank.TWO, unseen, 27, 27, STYLE), Rank.TWO)
        self.game = playout.Game(self.prices)

    def arranged(self, halves: Halves) -> list[playout.Hand]:
        return [playout.arrange(low, high, 0, self.prices) for low, high in halves]

    def play(self, hands: list[playout.Hand]) -> int:
        self.game.begin(hands, 0, playout.NOTHING, 0, 0, [], 7)
        return self.game.play()

    def whole(self, halves: Halves) -> int:
        return self.play(self.arranged(halves))


def measured() -> dict[str, float]:
    """How often a second, by what is done."""
    table, dealt = Table(), deals()
    arranged = [table.arranged(halves) for halves in dealt]
    return {
        "play-outs from an opening": rate(table.whole, dealt),
        "… of hands that are arranged": rate(table.play, arranged),
        "arranging four hands": rate(table.arranged, dealt),
    }


PLAIN = """
import json, sys
sys.path.insert(0, {folder!r})
import guandan_bots
guandan_bots.__path__.insert(0, {folder!r} + "/guandan_bots")
from bench.playouts import measured
print(json.dumps(measured()))
"""


def plain() -> dict[str, float]:
    """The same of the sources alone."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "guandan_bots" / "playout"
        target.mkdir(parents=True)
        for path in Path(playout.__file__).parent.glob("*.py"):
            shutil.copy(path, target)
        shown = subprocess.run(
            [sys.executable, "-c", PLAIN.format(folder=folder)],
            check=True,
            capture_output=True,
            text=True,
        )
        found: dict[str, float] = json.loads(shown.stdout)
        return found


def figures() -> Iterator[Figure]:
    """Each figure; of compiled play-outs beside the plain ones."""
    kind = playout.kind()
    beside = plain() if kind == "compiled" else {}
    for name, often in measured().items():
        whole = name == "play-outs from an opening"
        yield Figure(
            f"{name}, {kind}",
            often,
            target=TARGETS[kind] if whole else None,
            reference=beside.get(name),
            ratio=often / beside[name] if beside else None,
            ratio_target=RATIO_TARGET if beside and whole else None,
            note="reference: plain" if beside else "`make fast` compiles them" if whole else "",
        )
