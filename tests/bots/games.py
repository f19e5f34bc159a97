"""Decisions as they come up in whole matches, for laws that must hold at all of them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from attrs import evolve

from guandan_bots.policy import Choice, Give, Pass, policy
from guandan_engine import commands
from guandan_engine.machine import step
from guandan_engine.moves import Offer, legal_plays
from guandan_engine.options import PRESETS, Rules
from guandan_engine.phases import HandOver, MatchOver, Waiting
from guandan_engine.state import new_match
from guandan_engine.views import PhaseName, SeatView, asked, seat_view

__all__ = ["TABLES", "allowed", "decisions"]

TABLES: dict[str, Rules] = {
    **PRESETS,
    # What presets leave out: donors choose, anything may go back, readings are declared.
    "free": evolve(
        PRESETS["huaian"],
        tribute_pick="payer",
        ambiguous_play="declare",
        wild_run_plain=False,
        return_gift=True,
    ),
    "strict": evolve(
        PRESETS["site"],
        tribute_pick="payer",
        return_rule="le10_to_partner",
        return_fallback="any",
        return_level_card=True,
        a_win_on="any",
        show_counts="le10",
    ),
}


def decisions(rules: Rules, seed: str, *, hands: int) -> Iterator[SeatView]:
    """What the seats that are asked see, through some hands played by different policies.

    Seats 1 and 4 play sensibly, 2 and 3 anything, so that both common and strange
    situations come up, and both teams pay tribute now and then.
    """
    chance = Random(seed)
    policies = [policy(name) for name in ("basic", "random", "random", "basic")]
    match = new_match(rules)
    while not isinstance(match.phase, MatchOver):
        if isinstance(match.phase, Waiting | HandOver):
            if match.deal.number == hands:
                return
            match, _ = step(match, commands.StartHand(chance.randbytes(32)))
            continue
        seat = asked(match)[0]
        view = seat_view(match, seat)
        yield view
        choice = policies[seat - 1].choose(view, rules, chance)
        match, _ = step(match, command(view, choice))


def command(view: SeatView, choice: Choice) -> commands.Command:
    match choice:
        case Offer(cards, reading):
            return commands.Play(view.seat, cards, reading)
        case Pass():
            return commands.Pass(view.seat)
        case Give(card) if view.public.phase is PhaseName.PAYING:
            return commands.Pay(view.seat, card)
        case Give(card):
            return commands.Return(view.seat, card)


def allowed(view: SeatView, rules: Rules, choice: Choice) -> bool:
    """Do the rules allow a choice? By the engine's own judges, not by the bots'."""
    public, private = view.public, view.private
    match choice:
        case Offer():
            return choice in legal_plays(private.hand, public.level, rules, public.top)
        case Pass():
            return public.phase is PhaseName.FOLLOWING
        case Give(card) if public.phase is PhaseName.PAYING:
            return card in private.pay
        case Give(card):
            return public.phase is PhaseName.RETURNING and card in private.give_back
