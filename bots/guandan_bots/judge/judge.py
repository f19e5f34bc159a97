"""The judge: one network for leads, one for answers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from guandan_bots.club.table import NOTHING, Play, Table
from guandan_bots.club.weighing import Weighed
from guandan_bots.judge.inputs import common_inputs, option_inputs
from guandan_bots.judge.network import Network

__all__ = ["Judge"]


class Judge:
    """Says what options are worth."""

    def __init__(self, lead: Network, follow: Network) -> None:
        self.lead = lead
        self.follow = follow

    @classmethod
    def read(cls, folder: Path | Traversable) -> Judge:
        """From the two files of a folder."""
        lead, follow = (
            Network.read((folder / f"{name}.weights").read_bytes()) for name in ("lead", "follow")
        )
        return cls(lead, follow)

    @staticmethod
    @cache
    def learned() -> Judge:
        """The one that comes with the package."""
        return Judge.read(files("guandan_bots.judge"))

    def values(self, table: Table, weighed: Weighed, plays: Sequence[Play]) -> list[float]:
        """Of some of what was weighed, in levels the team will win; only differences say something.

        ValueError where `club` had nothing to weigh.
        """
        if weighed.outlook is None or weighed.plan is None:
            raise ValueError("nothing was weighed")
        network = self.lead if table.kind == NOTHING else self.follow
        begun = network.begun(common_inputs(table, weighed.plan, weighed.outlook))
        return [network.value(begun, option_inputs(play, table, weighed)) for play in plays]
