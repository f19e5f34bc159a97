"""Which level is better: duplicate deals in several processes, kept in a log.

    contest = Contest("club", "basic", seed="1")
    for deal in played(contest, range(200), workers=2): ...
    standing(contest, deals)            net levels and first places with their errors, times

All about a deal follows from the contest and the deal's number, whoever plays it and when. A bot
that raises, or chooses what the rules do not allow, is not let off: the clock's move is made for
it, and counted.
"""

from __future__ import annotations

import statistics
from collections.abc import Generator, Iterable, Sequence
from functools import cache
from typing import Any, Final

from attrs import asdict, frozen

from guandan_bots.arena import play_deal
from guandan_bots.crew import results
from guandan_bots.named import named_policy
from guandan_bots.steady import Steady
from guandan_engine.options import Rules

__all__ = [
    "RULES",
    "Contest",
    "Deal",
    "Side",
    "Standing",
    "played",
    "standing",
]

RULES: Final = Rules(first_lead="random")
"""What contests are played by: seat 1 would lead every hand otherwise."""


@frozen
class Contest:
    """Two levels, and the seed of their deals. Levels are named as in `named_policy`."""

    one: str
    other: str
    seed: str

    def play(self, number: int) -> Deal:
        """A deal, played twice with the teams swapped."""
        sides = Steady(_policy(self.one)), Steady(_policy(self.other))
        gains = play_deal(*sides, RULES, self.seed, number)
        return Deal(
            number=number,
            gains=gains,
            us=(tuple(sides[0].times_us), tuple(sides[1].times_us)),
            fallbacks=(sides[0].fallbacks, sides[1].fallbacks),
            faults=(*sides[0].said, *sides[1].said),
        )


@frozen
class Deal:
    """What came of a deal."""

    number: int
    gains: tuple[int, int]
    """Levels that `one` won, or lost, with the odd seats and with the even ones."""
    us: tuple[tuple[int, ...], tuple[int, ...]]
    """Microseconds that each decision took, of `one` and of `other`."""
    fallbacks: tuple[int, int]
    """Decisions that somebody else had to make for them."""
    faults: tuple[str, ...] = ()
    """Why, each once; not kept in a log."""


@frozen
class Side:
    """How one of the two went about it."""

    name: str
    decisions: int
    p50_ms: float
    p95_ms: float
    max_ms: float
    fallbacks: int


@frozen
class Standing:
    """What some deals of a contest say, of `one` against `other`. Errors are standard errors."""

    one: Side
    other: Side
    seed: str
    deals: int
    net_levels: float
    """A hand: what `one` won less what it lost."""
    net_levels_error: float | None
    """None where one deal tells nothing of it."""
    firsts: float
    """Share of hands in which the first to go out was of `one`."""
    firsts_error: float | None

    def plain(self) -> dict[str, Any]:
        return asdict(self)


_policy = cache(named_policy)


def played(
    contest: Contest, numbers: Iterable[int], *, workers: int
) -> Generator[Deal, None, None]:
    """The deals of a contest, as they get done; in their order if one worker plays them."""
    if workers == 1:
        yield from map(contest.play, numbers)
        return
    yield from results(contest.play, numbers, workers=workers)


def standing(contest: Contest, deals: Sequence[Deal]) -> Standing:
    """What deals, at least one, say; whatever the order they came in."""
    nets = [statistics.fmean(deal.gains) for deal in deals]
    firsts = [statistics.fmean([gain > 0 for gain in deal.gains]) for deal in deals]
    return Standing(
        one=_side(contest.one, deals, 0),
        other=_side(contest.other, deals, 1),
        seed=contest.seed,
        deals=len(deals),
        net_levels=statistics.fmean(nets),
        net_levels_error=_error(nets),
        firsts=statistics.fmean(firsts),
        firsts_error=_error(firsts),
    )


def _error(values: Sequence[float]) -> float | None:
    return statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else None


def _side(name: str, deals: Sequence[Deal], place: int) -> Side:
    times = sorted([us for deal in deals for us in deal.us[place]])

    def quantile_ms(share: float) -> float:
        return times[min(int(share * len(times)), len(times) - 1)] / 1000 if times else 0.0

    return Side(
        name=name,
        decisions=len(times),
        p50_ms=quantile_ms(0.5),
        p95_ms=quantile_ms(0.95),
        max_ms=quantile_ms(1.0),
        fallbacks=sum([deal.fallbacks[place] for deal in deals]),
    )
