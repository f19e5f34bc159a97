"""Which level is better: duplicate deals in several processes, kept in a log.

    contest = Contest("club", "basic", seed="1")
    for deal in played(contest, range(200), workers=2): ...
    standing(contest, deals)            net levels and first places with their errors, times

All about a deal follows from the contest and the deal's number, whoever plays it and when. A bot
that raises, or chooses what the rules do not allow, is not let off: the clock's move is made for
it, and counted.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable, Generator, Iterable, Sequence
from functools import cache
from time import perf_counter_ns
from typing import Any, Final, cast

from attrs import asdict, evolve, fields_dict, frozen

from guandan_bots.arena import play_deal
from guandan_bots.crew import results
from guandan_bots.policy import PASS, Choice, Give, Pass, Policy, policy
from guandan_engine.cards import Cards
from guandan_engine.moves import Offer, legal_plays
from guandan_engine.options import Rules
from guandan_engine.order import lowest_single
from guandan_engine.readings import readings_that_beat
from guandan_engine.views import PhaseName, SeatView

__all__ = [
    "RULES",
    "Contest",
    "Deal",
    "FigureError",
    "Side",
    "Standing",
    "Steady",
    "named_policy",
    "played",
    "standing",
]

RULES: Final = Rules(first_lead="random")
"""What contests are played by: seat 1 would lead every hand otherwise."""


class FigureError(ValueError):
    """A level has no such figure to change, or it cannot be that."""


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


class Steady:
    """A policy under a clock; where it fails, what the clock of a table would do is done."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self.name = policy.name
        self.times_us: list[int] = []
        self.fallbacks = 0

    def choose(self, view: SeatView, rules: Rules, rng: random.Random) -> Choice:
        begun = perf_counter_ns()
        choice: Choice | None
        try:
            choice = self._policy.choose(view, rules, rng)
        except Exception:  # noqa: BLE001 whatever it is, the bot could not answer
            choice = None
        self.times_us.append((perf_counter_ns() - begun) // 1000)
        if choice is not None and _allowed(view, rules, choice):
            return choice
        self.fallbacks += 1
        return _clock_move(view, rules)


def _allowed(view: SeatView, rules: Rules, choice: Choice) -> bool:
    public, private = view.public, view.private
    match choice:
        case Offer():
            return choice in legal_plays(private.hand, public.level, rules, public.top)
        case Pass():
            return public.phase is PhaseName.FOLLOWING
        case Give(card):
            return card in (private.pay or private.give_back)


def _clock_move(view: SeatView, rules: Rules) -> Choice:
    """What is done for a player whose clock has run out (rules 5)."""
    public, private = view.public, view.private
    match public.phase:
        case PhaseName.LEADING:
            cards = Cards.of([lowest_single(private.hand, public.level)])
            return Offer(cards, readings_that_beat(cards, None, public.level, rules)[0])
        case PhaseName.FOLLOWING:
            return PASS
        case _:
            return Give((private.pay or private.give_back)[0])


def named_policy(name: str) -> Policy:
    """A level, or one with other figures: `club`, or `club:memory=0,danger=2`.

    UnknownLevel for a level that there is not, FigureError for a figure.
    """
    level, _, changes = name.partition(":")
    plain = policy(level)
    if not changes:
        return plain
    style = getattr(plain, "style", None)
    if style is None:
        raise FigureError(f"{level} has no figures to change")
    known = fields_dict(type(style))
    figures = {}
    for change in changes.split(","):
        figure, _, value = change.partition("=")
        if figure not in known:
            raise FigureError(f"{level} has no figure {figure!r}; there are {', '.join(known)}")
        kind = type(getattr(style, figure))
        try:
            figures[figure] = kind(value)
        except ValueError:
            wanted = "a whole number" if kind is int else "a number"
            raise FigureError(f"{figure}={value}: not {wanted}") from None
        if kind is int and figures[figure] < 0:
            raise FigureError(f"{figure}={value}: less than nothing")
    make = cast("Callable[[object], Policy]", type(plain))
    return make(evolve(style, **figures))


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
