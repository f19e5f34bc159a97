"""What a plan loses with cards that are taken out of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from guandan_bots.club.table import HOUSE, PAIR, PLATE, SINGLE, STRAIGHT, TRIPLE, TUBE, Play
from guandan_bots.reasons import HintReason

__all__ = ["broken"]

_BROKEN: Final = (
    None,
    HintReason.BREAKS_PAIR,
    HintReason.BREAKS_TRIPLE,
    HintReason.BREAKS_RUN,
    HintReason.BREAKS_BOMB,
)
_GRAVE: Final = {SINGLE: 0, PAIR: 1, TRIPLE: 2, HOUSE: 2, STRAIGHT: 3, TUBE: 3, PLATE: 3}


def _touched(groups: Iterable[Play], shift: int, needed: int) -> int:
    """The gravest of the plan's groups that so many cards of a rank must be taken from."""
    holding = sorted(
        (_GRAVE.get(group.kind, 4), group.needs >> shift & 15)
        for group in groups
        if group.needs >> shift & 15
    )
    grave = 0
    for worst, held in holding:
        grave = worst
        needed -= held
        if needed <= 0:
            break
    return grave


def broken(groups: Iterable[Play], needs: int) -> HintReason | None:
    """The gravest of a plan's groups that such packed counts break; None if only singles go."""
    groups, worst = list(groups), 0
    for shift in range(0, 60, 4):
        needed = needs >> shift & 15
        if needed:
            worst = max(worst, _touched(groups, shift, needed))
    return _BROKEN[worst]
