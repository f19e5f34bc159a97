"""What the networks see of a decision, as numbers that are mostly between 0 and 1.

Some of it is the same for all options (`common_inputs`): how many cards the others have, what the
hand comes to, what is on the table. The rest is each option's own (`option_inputs`): its traits,
what the hand comes to after it, what it is. Networks know inputs by their places, so after any
change here they have to learn again.
"""

from __future__ import annotations

from typing import Final

from guandan_bots.club.grouping import SURE, Plan
from guandan_bots.club.outlook import Outlook
from guandan_bots.club.table import HEARTS, JOKER_BOMB, NOTHING, Play, Table, height, population
from guandan_bots.club.weighing import Weighed

__all__ = [
    "COMMON_FOLLOWING",
    "COMMON_LEADING",
    "PLANNED",
    "common_inputs",
    "option_inputs",
    "planned",
]

_SMALL: Final = 7
"""Hands of fewer cards are told apart one by one."""
_KINDS: Final = JOKER_BOMB + 1
_HEIGHTS: Final = 15
_LEVELS: Final = 12
PLANNED: Final = 10 + _KINDS
"""Numbers that a plan comes to."""
COMMON_LEADING: Final = 3 * (_SMALL + 1) + PLANNED + 3
COMMON_FOLLOWING: Final = COMMON_LEADING + _KINDS + 8


def common_inputs(table: Table, plan: Plan, outlook: Outlook) -> list[float]:
    """What is the same for all options; `plan` is that of the hand before them."""
    found = [
        *_cards(table.after),
        *_cards(table.partner),
        *_cards(table.before),
        *planned(plan, outlook),
        outlook.quiet,
        outlook.large,
        table.level / _LEVELS,
    ]
    if table.kind != NOTHING:
        found += _one_of(table.kind, _KINDS)
        found += [
            height(table.key, table.level) / _HEIGHTS,
            table.size / 6,
            table.tier / 5,
            float(table.by == 1),
            float(table.by == 2),
            float(table.by == 3),
            float(table.after_answers),
            float(table.partner_answers),
        ]
    return found


def option_inputs(play: Play, table: Table, weighed: Weighed) -> list[float]:
    """What is an option's own."""
    assert weighed.outlook is not None
    assert weighed.grouper is not None
    outlook = weighed.outlook
    low, high = table.low & ~play.low, table.high & ~play.high
    low, high = low | high, low & high
    heart = HEARTS[table.level]
    found = [
        *play.traits,
        *planned(weighed.grouper.plan(low, high), outlook),
        *_cards(population(low) + population(high)),
        *_one_of(play.kind if play.kind != NOTHING else _KINDS, _KINDS + 1),
        float((low & heart > 0) + (high & heart > 0)),
    ]
    if play.kind == NOTHING:
        found += [0.0] * 6
    else:
        found += [
            height(play.key, table.level) / _HEIGHTS,
            play.size / 6,
            play.tier / 5,
            float(play.wilds),
            outlook.holds(play.kind, play.key, play.size),
            outlook.stands(play.kind, play.key, play.size),
        ]
    found.append(play.score)
    return found


def planned(plan: Plan, outlook: Outlook) -> list[float]:
    """What a hand comes to."""
    kinds = [0.0] * _KINDS
    best = tiers = sure = 0.0
    for group in plan.groups:
        kinds[group.kind] += 1
        if group.tier:
            tiers += group.tier
            continue
        holds = outlook.holds(group.kind, group.key, group.size)
        best = max(best, holds)
        sure += holds >= SURE
    groups = len(plan.groups)
    return [
        plan.cost,
        float(groups),
        float(plan.bombs),
        tiers,
        plan.losses,
        float(plan.losers),
        float(plan.junk),
        1 / (1 + groups),
        best,
        sure,
        *kinds,
    ]


def _cards(n: int) -> list[float]:
    """How many cards a hand has."""
    return [*_one_of(n, _SMALL), n / 10]


def _one_of(place: int, places: int) -> list[float]:
    found = [0.0] * places
    if place < places:
        found[place] = 1.0
    return found
