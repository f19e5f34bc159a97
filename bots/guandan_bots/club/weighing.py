"""What speaks for each play that a seat could make: a sum over traits, with the style's figures.

The traits of a play are those of the rest of the hand after it (`Rest`), the chance that it stands,
and who is how near to the end. `weigh` is all that the outside needs.
"""

from __future__ import annotations

from typing import Final

from guandan_bots.club.endgame import Endgame
from guandan_bots.club.grouping import SURE, Grouper, Plan
from guandan_bots.club.listing import Lister
from guandan_bots.club.outlook import Outlook, outlook_of
from guandan_bots.club.style import ClubStyle
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
    population,
)

__all__ = ["DECISIVE", "Weighed", "weigh"]

CANDIDATES_MAX: Final = 12
"""Plays that are weighed when following: those that look cheapest …"""
SAME_KIND_MAX: Final = 8
"""… and of these so many of the table's own kind, however cheap the bombs are."""
DECISIVE: Final = 100.0
"""Nothing outweighs going out."""
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
_BIG_JOKER: Final = 14
_SMALL_JOKER_BIT: Final = 1 << 52


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


class Weighed:
    """What a seat could do, with scores, and by what it was judged."""

    __slots__ = ("options", "outlook", "plan")

    def __init__(self, options: list[Play]) -> None:
        self.options: list[Play] = options
        """In no order and never empty; a play of kind NOTHING is a pass."""
        self.outlook: Outlook | None = None
        """None where nothing had to be weighed: a last play, or nothing that beats the table."""
        self.plan: Plan | None = None
        """Of the hand as it is; likewise."""


def weigh(table: Table, style: ClubStyle) -> Weighed:
    """The decision of a seat that has to lead or to follow."""
    lister = Lister(table)
    last = lister.last_plays()
    if last:
        for play in last:
            play.low, play.high = table.low, table.high
            play.score = DECISIVE + play.tier
        return Weighed(last)
    following = table.kind != NOTHING
    if following and not lister.may_beat():
        return Weighed([Play(NOTHING, 0, 0, 0, 0)])
    outlook = outlook_of(table, style)
    grouper = Grouper(outlook, style)
    weigher = _Weigher(table, lister, outlook, grouper, style)
    found = weigher.follow() if following else weigher.lead()
    if style.endgame and table.other_low:
        end = Endgame(table.level, nodes=style.endgame)
        won = end.winner(table, table.other_low, table.other_high)
        if won is not None:
            won.score = DECISIVE
            won.runs_out = True
            found.append(won)
    weighed = Weighed(found)
    weighed.outlook = outlook
    weighed.plan = weigher.mine
    return weighed


class _Weigher:
    """One decision."""

    __slots__ = ("_grouper", "_lister", "_outlook", "_standing", "_style", "_table", "mine")

    def __init__(
        self, table: Table, lister: Lister, outlook: Outlook, grouper: Grouper, style: ClubStyle
    ) -> None:
        self._table = table
        self._lister = lister
        self._outlook = outlook
        self._grouper = grouper
        self._style = style
        self._standing = Standing(table)
        self.mine: Plan = grouper.plan(table.low, table.high)

    def follow(self) -> list[Play]:
        skip = Play(NOTHING, 0, 0, 0, 0)
        found: list[Play] = [skip]
        able = self._lister.beating(self._outlook, self._grouper)
        cheapest = self._cheapest(able)
        same_kind = [play for play in cheapest if not play.tier or self._table.tier]
        first = set(same_kind[:SAME_KIND_MAX])
        for play in [*same_kind[:SAME_KIND_MAX], *(one for one in cheapest if one not in first)]:
            if len(found) > CANDIDATES_MAX:
                break
            if self._lister.dress(play):
                found.append(play)
        for play in found:
            rest = self._rest(play)
            play.damage = rest.damage
            play.runs_out = rest.runs_out > 0 and play.kind != NOTHING
            play.score = follow_score(
                play, rest, self._table, self._standing, self._outlook, self._style
            )
        return found

    def lead(self) -> list[Play]:
        found: list[Play] = []
        known: set[tuple[int, int, int]] = set()
        for play in self._groups() + self._lister.ends(1) + self._lister.ends(2):
            if _reading(play) not in known and (play.low or self._lister.dress(play)):
                known.add(_reading(play))
                found.append(play)
        more = self._lister.natural_leads(self._outlook, self._grouper)
        most = len(found) + self._style.leads
        for play in self._cheapest([play for play in more if _reading(play) not in known]):
            if len(found) >= most:
                break
            if self._lister.dress(play):
                found.append(play)
        for play in found:
            rest = self._rest(play)
            holds: float = self._outlook.holds(play.kind, play.key, play.size)
            play.damage = rest.damage
            play.runs_out = self.mine.losers <= 1 and holds >= SURE
            play.score = lead_score(
                play,
                rest,
                self._table,
                self._standing,
                self._back(play),
                self.mine,
                self._outlook,
                self._style,
            )
        return found

    def _groups(self) -> list[Play]:
        """The plan's groups as plays. Straight flushes have their cards; the others leave them."""
        low, high = self._lister.loose(self.mine)
        plays: list[Play] = []
        for group in self.mine.groups:
            play = Play(group.kind, group.key, group.size, group.wilds, group.needs, group.suit)
            if self._lister.dress_from(play, low, high):
                plays.append(play)
        return plays

    def _cheapest(self, plays: list[Play]) -> list[Play]:
        """The plays, those first that look cheapest if every rank is played by itself."""
        packed: Word = self._lister.packed
        seen = [
            (self._outlook.first_sight(play, packed), place) for place, play in enumerate(plays)
        ]
        seen.sort()
        return [plays[place] for _, place in seen]

    def _rest(self, play: Play) -> Rest:
        low: Word = self._table.low & ~play.low
        high: Word = self._table.high & ~play.high
        low, high = low | high, low & high
        left: Word = population(low) + population(high)
        return Rest(self._grouper.plan(low, high), self.mine, left, self._outlook)

    def _back(self, play: Play) -> float:
        """The best chance that another group of a kind takes back what a play loses."""
        low: Word = self._table.low & ~play.low
        high: Word = self._table.high & ~play.high
        best: float = 0.0
        for group in self._grouper.plan(low | high, low & high).groups:
            if group.kind == play.kind:
                best = max(best, self._outlook.stands(group.kind, group.key, group.size))
        return best


def _reading(play: Play) -> tuple[int, int, int]:
    return play.kind, play.key, play.size


def lead_score(
    play: Play,
    rest: Rest,
    table: Table,
    standing: Standing,
    back: float,
    mine: Plan,
    outlook: Outlook,
    style: ClubStyle,
) -> float:
    """What speaks for leading a play, `mine` being the plan of the hand before it."""
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
    return (
        style.lead_stands * stands
        + style.lead_damage * rest.damage
        + style.lead_nearness * rest.nearness
        + style.lead_armed * rest.armed
        + style.lead_bombs * rest.bombs
        + style.lead_losses * rest.losses
        + style.lead_stands_runs_out * stands * rest.runs_out
        + style.lead_two * rest.two
        + style.lead_junk * rest.junk
        + style.lead_nearness_near * rest.nearness * near
        + style.lead_single * single
        + style.lead_triple * triple
        + style.lead_straight * straight
        + style.lead_tube * tube
        + style.lead_plate * plate
        + style.lead_single_height * single * high
        + style.lead_single_height_nearness * single * high * rest.nearness
        + style.lead_back * (1 - stands) * back
        + style.lead_large_near * large * near
        + style.lead_size_near * size * near
        + style.lead_too_large * too_large
        + style.lead_feed * feed
        + style.lead_small_joker * small_joker
        + style.lead_stands_alone * alone * stands
        + style.lead_cost_alone * alone * rest.cost
        + style.lead_bombs_alone * alone * rest.bombs
        + style.lead_cost_behind * behind * rest.cost
        + style.lead_bombs_behind * behind * rest.bombs
        + style.lead_size_behind * behind * size
        + style.lead_cost_last * alone * behind * rest.cost
        + style.lead_threat * threat
        + style.lead_bombs_early * rest.bombs * early
        + style.lead_stands_next * stands * near_after
        + style.lead_unarmed_losses * rest.unarmed_losses
        + style.lead_one_stands * rest.one * stands
        + style.lead_one_bomb * rest.one * bomb
        + style.lead_one_armed * rest.one * rest.armed
        + style.lead_one_best * rest.one * rest.best
        + style.lead_two_armed * rest.two * rest.armed
        + style.lead_two_best * rest.two * rest.best
        + style.lead_single_few * single * rest.few
        + style.lead_pair_left * pair_left
        + style.lead_winner_first * winner_first
        + style.lead_bomb_first * bomb_first
        + style.lead_stands_bombs * stands * rest.bombs
    )


def follow_score(
    play: Play, rest: Rest, table: Table, standing: Standing, outlook: Outlook, style: ClubStyle
) -> float:
    """What speaks for a play over the table's, or for a pass."""
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
    return (
        style.follow_damage * rest.damage
        + style.follow_groups * rest.groups
        + style.follow_nearness * rest.nearness
        + style.follow_armed * rest.armed
        + style.follow_bombs * rest.bombs
        + style.follow_stands_nearness * stands * rest.nearness
        + style.follow_stands_groups * stands * rest.groups
        + style.follow_losses * rest.losses
        + style.follow_stands_runs_out * stands * rest.runs_out
        + style.follow_one * rest.one
        + style.follow_two * rest.two
        + style.follow_junk * rest.junk
        + style.follow_stands_early * stands * early
        + style.follow_stands_surely * stands * stands
        + style.follow_stands_losses * stands * rest.losses
        + style.follow_nearness_near * rest.nearness * near
        + style.follow_few * rest.few
        + style.follow_small_joker * small_joker
        + style.follow_wild * (1 - bomb) * wilds
        + style.follow_wild_bomb * bomb * wilds
        + style.follow_threat * threat
        + style.follow_pass * passing
        + style.follow_pass_bomb * passing * top_bomb
        + style.follow_pass_large * passing * top_large
        + style.follow_pass_stands * passing * top_holds
        + style.follow_pass_owner_two * passing * owner_two
        + style.follow_pass_partner * passing * partner_answers * (1 - top_holds)
        + style.follow_pass_behind * passing * behind
        + style.follow_pass_ahead * passing * ahead
        + style.follow_pass_runs_out * passing * rest.runs_out
        + style.follow_over_stands * over * top_stands
        + style.follow_over_partner_near * over * partner_near
        + style.follow_over_early * over * early
        + style.follow_over_bomb * over * bomb
        + style.follow_bomb * bombing
        + style.follow_bomb_early * bombing * early
        + style.follow_bomb_cost * bombing * rest.cost
        + style.follow_bomb_losses * bombing * rest.losses
        + style.follow_bomb_groups * bombing * rest.groups
        + style.follow_bomb_partner * bombing * partner_answers
        + style.follow_bomb_armed * bombing * rest.armed
        + style.follow_bomb_owner_five * bombing * owner_five
        + style.follow_bomb_stands * bombing * top_holds
        + style.follow_bomb_alone * bombing * alone
        + style.follow_last_stands * playing * last * stands
        + style.follow_gains * playing * gains
        + style.follow_over_single * playing * top_single
        + style.follow_stands_alone * alone * stands
        + style.follow_cost_alone * alone * rest.cost
        + style.follow_bombs_alone * alone * rest.bombs
        + style.follow_cost_behind * behind * rest.cost
        + style.follow_bombs_behind * behind * rest.bombs
        + style.follow_cost_last * alone * behind * rest.cost
        + style.follow_bombs_early * rest.bombs * early
        + style.follow_unarmed_losses * rest.unarmed_losses
    )


def _small_jokers(play: Play) -> Word:
    return (play.low >> 52 & 1) + (play.high >> 52 & 1)
