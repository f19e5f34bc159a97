"""The figures that `basic` and the hints weigh with, each with its reason."""

from __future__ import annotations

from attrs import frozen,field
from guandan_engine.combos import Combo

__all__ = ["Style"]


@frozen
class Style:
    """How much one thing counts against another; the unit is one loss of the lead.

    Tuned by duplicate matches of one style against another (`arena.compare`).
    """

    # What a group is worth.

    winner: float = 0.35
    """A sure winner is worth that much less than nothing: it brings back a lead lost elsewhere,
    but only when its own type is led, so it does not make up for a whole loser."""
    bomb: float = 0.8
    """A bomb of four takes the lead whenever it is needed: nearly one loser made good."""
    bomb_step: float = 0.12
    """What each class of bomb above that adds; a fifth card is worth no more than a good single."""
    wild: float = 0.35
    """A wild left alone counts that much more than a level card, because it can still become
    a bomb: groups have to gain more than that to get it."""

    # How often others answer: each higher group that opponents are to be expected to hold.

    answer_single: float = 0.25
    """They hold many higher singles and spare most of them."""
    answer_pair: float = 0.5
    answer_triple: float = 0.5
    answer_run: float = 1.0
    """Straights, tubes and plates are rare, and whoever holds one is glad to get rid of it."""
    answer_bomb: float = 0.12
    """Bombs are saved: few plays are worth one."""

    # What the lead is worth.

    lead: float = 1.0
    """The next loser can be led at once."""
    finish: float = 1.0
    """More than that if the rest can then be played out."""
    hurry: float = 1.2
    """So much more often when an opponent is about to go out: losing the lead may be the end."""
    trust: float = 0.3
    """The partner takes the trick about that often when it has yet to answer."""

    # The others' last cards.

    danger: float = 1.5
    """An opponent's going out costs about that many losses of the lead."""
    feed: float = 1.2
    """And the partner's going out is worth that."""

    slope: float = 0.0
    reserve: float = 0.0
    control: float = 0.0
    shed: float = 1.0
    over_top: float = 0.35
    over_damage: float = 0.4
    res_cost: float = 1.0
    res_from: float = 1.0
    res_near: float = 10
    over_free: float = 0
    keep: float = 1.0
    danger_lead: float = 1.5
    hurry_pow: float = 2
    answer_run_: float = 0
