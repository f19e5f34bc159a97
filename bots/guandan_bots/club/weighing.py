"""What speaks for each play that a seat could make: its traits, times the figures of the style."""

from __future__ import annotations

from math import fsum
from operator import attrgetter, mul
from typing import Final

from guandan_bots.club.endgame import Endgame
from guandan_bots.club.grouping import SURE, Grouper, Plan
from guandan_bots.club.listing import Lister
from guandan_bots.club.outlook import Outlook, outlook_of
from guandan_bots.club.style import ClubStyle
from guandan_bots.club.table import (
    NOTHING,
    Play,
    Table,
    Word,
    population,
)
from guandan_bots.club.traits import (
    FOLLOW,
    LEAD,
    Rest,
    Standing,
    follow_traits,
    lead_traits,
)

__all__ = ["DECISIVE", "Weighed", "weigh"]

CANDIDATES_MAX: Final = 12
"""Plays that are weighed when following: those that look cheapest …"""
SAME_KIND_MAX: Final = 8
"""… and of these so many of the table's own kind, however cheap the bombs are."""
DECISIVE: Final = 100.0
"""Nothing outweighs going out."""
_lead_figures: Final = attrgetter(*LEAD)
_follow_figures: Final = attrgetter(*FOLLOW)


class Weighed:
    """What a seat could do, with scores, and by what it was judged."""

    __slots__ = ("grouper", "options", "outlook", "plan")

    def __init__(self, options: list[Play]) -> None:
        self.options: list[Play] = options
        """In no order and never empty; a play of kind NOTHING is a pass."""
        self.outlook: Outlook | None = None
        """None where nothing had to be weighed: a last play, or nothing that beats the table."""
        self.plan: Plan | None = None
        """Of the hand as it is; likewise."""
        self.grouper: Grouper | None = None
        """That found it, and the plans of what is left after each option; likewise."""


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
    weighed.grouper = grouper
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
        figures = _follow_figures(self._style)
        for play in found:
            rest = self._rest(play)
            play.damage = rest.damage
            play.runs_out = rest.runs_out > 0 and play.kind != NOTHING
            play.traits = follow_traits(play, rest, self._table, self._standing, self._outlook)
            play.score = fsum(map(mul, play.traits, figures))
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
        figures = _lead_figures(self._style)
        for play in found:
            rest = self._rest(play)
            holds: float = self._outlook.holds(play.kind, play.key, play.size)
            play.damage = rest.damage
            play.runs_out = self.mine.losers <= 1 and holds >= SURE
            play.traits = lead_traits(
                play,
                rest,
                self._table,
                self._standing,
                self._back(play),
                self.mine,
                self._outlook,
            )
            play.score = fsum(map(mul, play.traits, figures))
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
