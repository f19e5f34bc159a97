"""Hands played to learn from."""

from __future__ import annotations

import random
from array import array
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Final

from guandan_bots.arena import command_of, dealt
from guandan_bots.club.policy import ClubPolicy, Judgement
from guandan_bots.club.table import NOTHING, Play
from guandan_bots.club.weighing import DECISIVE
from guandan_bots.contest import RULES
from guandan_bots.expert import ExpertPolicy, ExpertStyle
from guandan_bots.judge import Judge, common_inputs, option_inputs
from guandan_bots.policy import Choice, Policy
from guandan_engine.machine import step
from guandan_engine.order import LEVELS
from guandan_engine.phases import HandOver, MatchOver
from guandan_engine.seats import Seat, Team, team_of
from guandan_engine.state import Match
from guandan_engine.views import PhaseName, asked, seat_view
from tools.judge.rows import DEAL, whole_deal

__all__ = ["collect"]

AGAINST_CLUB: Final = 0.6
"""Share of the hands in which the even seats are `club`'s."""
STRAYS: Final = 0.05
"""Decisions that go astray, among the first three, so that more is seen than good play."""
TRIED: Final = {PhaseName.LEADING: 0.9, PhaseName.FOLLOWING: 0.6}
"""Share of the decisions that are looked at."""
LEADS: Final = 0.5
"""Share of the leads that are looked at as deals."""
_ENDED: Final = (HandOver, MatchOver)


def collect(
    folder: Path, *, seed: str, seconds: float = 0.0, hands: int = 0, tricks: int = 0
) -> int:
    """Plays so many hands, or for so long, and adds to a folder's files; how many it played."""
    ends = monotonic() + seconds
    collector = _Collector(folder, seed, tricks)
    played = 0
    while played < hands if hands else monotonic() < ends:
        collector.play(played)
        played += 1
    return played


class _Collector:
    def __init__(self, folder: Path, seed: str, tricks: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._files = {name: folder / f"{name}.{seed}.rows" for name in ("ends", "lead", "follow")}
        self._seed = seed
        self._tricks = tricks
        self._chance = random.Random(f"{seed}/collect")  # noqa: S311 no secret, a seed says it all
        self._judge = ExpertPolicy(ExpertStyle(late=0))
        self._club = ClubPolicy()
        self._decisions = 0

    def play(self, number: int) -> None:
        chance = self._chance
        level = LEVELS[number % len(LEVELS)]
        match = dealt(RULES, f"{self._seed}/{number}", level=level)
        against_club = chance.random() < AGAINST_CLUB
        leads: list[tuple[Team, list[float]]] = []
        while not isinstance(match.phase, _ENDED):
            seat = asked(match)[0]
            ours = team_of(seat) is Team.ODD or not against_club
            if seat_view(match, seat).public.phase is PhaseName.LEADING and chance.random() < LEADS:
                leads.append((team_of(seat), whole_deal(match)))
            choice = self._decided(match, seat) if ours else None
            if choice is None:
                choice = self._chosen(match, seat, self._judge if ours else self._club)
            match = step(match, command_of(match, seat, choice))[0]
        for team, deal in leads:
            self._add("ends", [_gain(match, team), *deal])

    def _chosen(self, match: Match, seat: Seat, policy: Policy) -> Choice:
        return policy.choose(seat_view(match, seat), RULES, self._chance)

    def _decided(self, match: Match, seat: Seat) -> Choice | None:
        """Looks at a decision, if there is one; what it does if that goes astray."""
        view = seat_view(match, seat)
        judgement = Judgement(view, RULES)
        options = [(choice, play) for choice, play in judgement if play.traits]
        if len(options) < 2 or options[0][1].score >= DECISIVE:
            return None
        phase = view.public.phase
        if self._chance.random() < TRIED[phase]:
            self._try(match, seat, judgement, options)
        if self._chance.random() < STRAYS:
            return self._chance.choice(options[:3])[0]
        return None

    def _try(
        self,
        match: Match,
        seat: Seat,
        judgement: Judgement,
        options: Sequence[tuple[Choice, Play]],
    ) -> None:
        table, weighed = judgement.table, judgement.weighed
        assert weighed.plan is not None
        assert weighed.outlook is not None
        values = Judge.learned().values(table, weighed, [play for _, play in options[:5]])
        best = sorted(range(len(values)), key=lambda place: -values[place])[:3]
        tried = list(dict.fromkeys([0, 1, *best]))
        others = [place for place in range(len(options)) if place not in tried]
        tried += self._chance.sample(others, min(len(others), 1))
        common = common_inputs(table, weighed.plan, weighed.outlook)
        leading = table.kind == NOTHING
        self._decisions += 1
        for place in tried:
            choice, play = options[place]
            led = self._settled(step(match, command_of(match, seat, choice))[0])
            row = [float(self._decisions), float(place)]
            if isinstance(led.phase, _ENDED):
                row += [_gain(led, team_of(seat)), 1.0, 0.0]
                deal = [0.0] * DEAL
            else:
                ours = team_of(asked(led)[0]) is team_of(seat)
                row += [0.0, 0.0, 1.0 if ours else -1.0]
                deal = whole_deal(led)
            row += [*common, *option_inputs(play, table, weighed), *deal]
            self._add("lead" if leading else "follow", row)

    def _settled(self, match: Match) -> Match:
        """Once the trick is over, and so many more, played on by `club`."""
        left = self._tricks
        while not isinstance(match.phase, _ENDED):
            seat = asked(match)[0]
            if seat_view(match, seat).public.phase is PhaseName.LEADING:
                if not left:
                    break
                left -= 1
            match = step(match, command_of(match, seat, self._chosen(match, seat, self._club)))[0]
        return match

    def _add(self, name: str, row: list[float]) -> None:
        with self._files[name].open("ab") as file:
            array("f", row).tofile(file)


def _gain(match: Match, team: Team) -> float:
    assert isinstance(match.phase, _ENDED)
    outcome = match.phase.outcome
    return float(outcome.gain if outcome.winner is team else -outcome.gain)
