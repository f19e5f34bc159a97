"""What there is to say of a play before it is judged: its traits, each a number.

They speak of the rest of the hand after the play (`Rest`), of the chance that it stands, and of who
is how near to the end (`Standing`).
"""

from __future__ import annotations

from typing import Final

from guandan_bots.club.grouping import SURE, Plan
from guandan_bots.club.outlook import Outlook
from guandan_bots.club.table import (
    NOTHING,
    PLATE,
    SINGLE,
    STRAIGHT,
    TRIPLE,
    TUBE,
    Play,
    Table,
    Word,
    height,
)

__all__ = ["FOLLOW", "LEAD", "Rest", "Standing", "follow_traits", "lead_traits"]

RUN_OUT_COST_MAX: Final = 1.3
"""A hand that costs more has two losers at least."""
NEAR_FROM: Final = 11
"""Cards from which on somebody comes into sight of its end."""
EARLY_FROM: Final = 15
"""It is early while each opponent has so many cards."""
FEW: Final = 5
"""Cards with which a hand is small."""
LOW: Final = 0.05
"""A play that makes the hand cheaper by that much gets rid of something."""
_HAND: Final = 27
_FLUSH_SIZE: Final = 5

LEAD: Final = (
    "lead_stands",
    "lead_damage",
    "lead_nearness",
    "lead_armed",
    "lead_bombs",
    "lead_losses",
    "lead_stands_runs_out",
    "lead_two",
    "lead_junk",
    "lead_nearness_near",
    "lead_single",
    "lead_triple",
    "lead_straight",
    "lead_tube",
    "lead_plate",
    "lead_single_height",
    "lead_single_height_nearness",
    "lead_back",
    "lead_large_near",
    "lead_size_near",
    "lead_too_large",
    "lead_feed",
    "lead_small_joker",
    "lead_stands_alone",
    "lead_cost_alone",
    "lead_bombs_alone",
    "lead_cost_behind",
    "lead_bombs_behind",
    "lead_size_behind",
    "lead_cost_last",
    "lead_threat",
    "lead_bombs_early",
    "lead_stands_next",
    "lead_unarmed_losses",
    "lead_one_stands",
    "lead_one_bomb",
    "lead_one_armed",
    "lead_one_best",
    "lead_two_armed",
    "lead_two_best",
    "lead_single_few",
    "lead_pair_left",
    "lead_winner_first",
    "lead_bomb_first",
    "lead_stands_bombs",
)
"""The figures that the traits of a lead are multiplied with, in their order …"""

FOLLOW: Final = (
    "follow_damage",
    "follow_groups",
    "follow_nearness",
    "follow_armed",
    "follow_bombs",
    "follow_stands_nearness",
    "follow_stands_groups",
    "follow_losses",
    "follow_stands_runs_out",
    "follow_one",
    "follow_two",
    "follow_junk",
    "follow_stands_early",
    "follow_stands_surely",
    "follow_stands_losses",
    "follow_nearness_near",
    "follow_few",
    "follow_small_joker",
    "follow_wild",
    "follow_wild_bomb",
    "follow_threat",
    "follow_pass",
    "follow_pass_bomb",
    "follow_pass_large",
    "follow_pass_stands",
    "follow_pass_owner_two",
    "follow_pass_partner",
    "follow_pass_behind",
    "follow_pass_ahead",
    "follow_pass_runs_out",
    "follow_over_stands",
    "follow_over_partner_near",
    "follow_over_early",
    "follow_over_bomb",
    "follow_bomb",
    "follow_bomb_early",
    "follow_bomb_cost",
    "follow_bomb_losses",
    "follow_bomb_groups",
    "follow_bomb_partner",
    "follow_bomb_armed",
    "follow_bomb_owner_five",
    "follow_bomb_stands",
    "follow_bomb_alone",
    "follow_last_stands",
    "follow_gains",
    "follow_over_single",
    "follow_stands_alone",
    "follow_cost_alone",
    "follow_bombs_alone",
    "follow_cost_behind",
    "follow_bombs_behind",
    "follow_cost_last",
    "follow_bombs_early",
    "follow_unarmed_losses",
)
"""… and those of a play over the table's, or of a pass."""


class Standing:
    """Who is how near to the end, the same for all options of a decision."""

    __slots__ = (
        "ahead",
        "alone",
        "behind",
        "early",
        "near",
        "near_after",
        "nearest",
        "partner_near",
    )

    def __init__(self, table: Table) -> None:
        in_play = [n for n in (table.after, table.before) if n]
        self.nearest: Word = min([*in_play, _HAND])
        """The fewest cards that an opponent holds."""
        self.near: float = _near(self.nearest)
        self.near_after: float = _near(table.after)
        """Of the opponent who plays next."""
        self.partner_near: float = _near(table.partner)
        self.early: float = float(self.nearest >= EARLY_FROM)
        self.ahead: float = float(0 < table.partner < self.nearest)
        """Is the partner nearer to the end than both of them?"""
        self.alone: float = float(not table.partner)
        """Is the partner out?"""
        self.behind: float = float(len(in_play) < 2)
        """Is an opponent?"""


def _near(cards: Word) -> float:
    """From 0 with many cards to 1 with the last; 0 for who is out."""
    return (NEAR_FROM - cards) / 10 if 0 < cards < NEAR_FROM else 0.0


class Rest:
    """What a play leaves."""

    __slots__ = (
        "armed",
        "best",
        "bombs",
        "cost",
        "damage",
        "few",
        "groups",
        "junk",
        "left",
        "losses",
        "nearness",
        "one",
        "runs_out",
        "two",
        "unarmed_losses",
    )

    def __init__(self, plan: Plan, mine: Plan, left: Word, outlook: Outlook) -> None:
        groups: Word = len(plan.groups)
        self.left: Word = left
        self.few: float = (FEW + 1 - left) / FEW if left <= FEW else 0.0
        self.groups: float = float(groups)
        self.nearness: float = 1 / (1 + groups)
        self.one: float = float(groups <= 1)
        self.two: float = float(groups <= 2)
        self.cost: float = plan.cost
        self.damage: float = plan.cost - mine.cost
        self.bombs: float = float(plan.bombs)
        self.armed: float = float(plan.bombs > 0)
        self.losses: float = plan.losses
        self.unarmed_losses: float = max(plan.losses - plan.bombs, 0.0)
        self.junk: float = float(plan.junk)
        self.runs_out: float = float(plan.cost <= RUN_OUT_COST_MAX and plan.losers <= 1)
        """Can it be played out once it has the lead, losing that with the last group only?"""
        best: float = 0.0
        for group in plan.groups:
            holds: float = 1.0
            if not group.tier:
                holds = outlook.holds(group.kind, group.key, group.size)
            best = max(best, holds)
        self.best: float = best
        """The chance of its strongest group to stand, bombs being certain."""


def lead_traits(
    play: Play,
    rest: Rest,
    table: Table,
    standing: Standing,
    back: float,
    mine: Plan,
    outlook: Outlook,
) -> list[float]:
    """Of leading a play, `mine` being the plan of the hand before it."""
    kind: Word = play.kind
    holds: float = outlook.holds(kind, play.key, play.size)
    stands: float = outlook.stands(kind, play.key, play.size)
    bomb: float = float(play.tier > 0)
    single: float = float(kind == SINGLE)
    triple: float = float(kind == TRIPLE)
    straight: float = float(kind == STRAIGHT)
    tube: float = float(kind == TUBE)
    plate: float = float(kind == PLATE)
    large: float = float(TRIPLE < kind <= PLATE)
    size: float = 0.0 if play.tier else float(play.size)
    high: float = height(play.key, table.level) / 15
    near: float = standing.near
    near_after: float = standing.near_after
    early: float = standing.early
    alone: float = standing.alone
    behind: float = standing.behind
    too_large: float = float(not play.tier and play.size > standing.nearest)
    feed: float = outlook.fits(play.size, table.partner) * (1 - stands)
    threat: float = outlook.threat(kind, play.key, play.size, table.after, table.before)
    small_joker: float = 0.0 if play.tier else float(_small_jokers(play))
    pair_left: float = float(rest.left == 2)
    sure: float = float(mine.losers <= 1 and holds >= SURE)
    winner_first: float = sure * (1 - bomb)
    bomb_first: float = sure * bomb
    return [
        stands,
        rest.damage,
        rest.nearness,
        rest.armed,
        rest.bombs,
        rest.losses,
        stands * rest.runs_out,
        rest.two,
        rest.junk,
        rest.nearness * near,
        single,
        triple,
        straight,
        tube,
        plate,
        single * high,
        single * high * rest.nearness,
        (1 - stands) * back,
        large * near,
        size * near,
        too_large,
        feed,
        small_joker,
        alone * stands,
        alone * rest.cost,
        alone * rest.bombs,
        behind * rest.cost,
        behind * rest.bombs,
        behind * size,
        alone * behind * rest.cost,
        threat,
        rest.bombs * early,
        stands * near_after,
        rest.unarmed_losses,
        rest.one * stands,
        rest.one * bomb,
        rest.one * rest.armed,
        rest.one * rest.best,
        rest.two * rest.armed,
        rest.two * rest.best,
        single * rest.few,
        pair_left,
        winner_first,
        bomb_first,
        stands * rest.bombs,
    ]


def follow_traits(
    play: Play, rest: Rest, table: Table, standing: Standing, outlook: Outlook
) -> list[float]:
    """Of a play over the table's, or of a pass."""
    passed: float = float(play.kind == NOTHING)
    stands: float = 0.0
    threat: float = 0.0
    if play.kind == NOTHING:
        answering = table.after if table.after_answers else 0
        threat = outlook.threat(table.kind, table.key, table.size, answering, 0)
    else:
        stands = outlook.stands(play.kind, play.key, play.size)
        threat = outlook.threat(play.kind, play.key, play.size, table.after, table.before)
    by_partner: float = float(table.by == 2)
    bomb: float = float(play.tier > 0)
    passing: float = passed * (1 - by_partner)
    over: float = by_partner * (1 - passed)
    bombing: float = bomb * (1 - by_partner)
    playing: float = (1 - passed) * (1 - bomb) * (1 - by_partner)
    top_holds: float = outlook.holds(table.kind, table.key, table.size)
    top_stands: float = 1.0
    if table.after_answers:
        top_stands = outlook.stands(table.kind, table.key, table.size)
    last: float = float(not table.after_answers)
    top_bomb: float = float(table.tier > 0)
    top_large: float = float(not table.tier and table.size >= _FLUSH_SIZE)
    top_single: float = float(table.kind == SINGLE)
    owner: Word = table.after if table.by == 1 else table.before
    owner_two: float = float(owner <= 2)
    owner_five: float = float(owner <= FEW)
    partner_answers: float = float(table.partner_answers)
    partner_near: float = standing.partner_near
    near: float = standing.near
    early: float = standing.early
    ahead: float = standing.ahead
    alone: float = standing.alone
    behind: float = standing.behind
    gains: float = float(rest.damage < -LOW)
    wilds: float = float(play.wilds)
    small_joker: float = 0.0 if play.tier else float(_small_jokers(play))
    return [
        rest.damage,
        rest.groups,
        rest.nearness,
        rest.armed,
        rest.bombs,
        stands * rest.nearness,
        stands * rest.groups,
        rest.losses,
        stands * rest.runs_out,
        rest.one,
        rest.two,
        rest.junk,
        stands * early,
        stands * stands,
        stands * rest.losses,
        rest.nearness * near,
        rest.few,
        small_joker,
        (1 - bomb) * wilds,
        bomb * wilds,
        threat,
        passing,
        passing * top_bomb,
        passing * top_large,
        passing * top_holds,
        passing * owner_two,
        passing * partner_answers * (1 - top_holds),
        passing * behind,
        passing * ahead,
        passing * rest.runs_out,
        over * top_stands,
        over * partner_near,
        over * early,
        over * bomb,
        bombing,
        bombing * early,
        bombing * rest.cost,
        bombing * rest.losses,
        bombing * rest.groups,
        bombing * partner_answers,
        bombing * rest.armed,
        bombing * owner_five,
        bombing * top_holds,
        bombing * alone,
        playing * last * stands,
        playing * gains,
        playing * top_single,
        alone * stands,
        alone * rest.cost,
        alone * rest.bombs,
        behind * rest.cost,
        behind * rest.bombs,
        alone * behind * rest.cost,
        rest.bombs * early,
        rest.unarmed_losses,
    ]


def _small_jokers(play: Play) -> Word:
    return (play.low >> 52 & 1) + (play.high >> 52 & 1)
