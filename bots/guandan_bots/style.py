"""The figures that `basic` and the hints weigh with, each with its reason."""

from __future__ import annotations

from attrs import frozen

__all__ = ["Style"]


@frozen
class Style:
    """How much one thing counts against another; the unit is one loss of the lead.

    Found by duplicate matches of one style against another (`arena.compare`), 100 to 300 deals
    each. Most figures stand on a plateau. Four do not: raising `lead`, `trust`, `bomb` or `winner`
    by half or more costs a quarter of a level a hand, so try these again when the rest changes.
    """

    # What a group is worth.

    winner: float = 0.35
    """A sure winner is worth that much more than nothing: it brings back a lead lost elsewhere,
    but only when its own type is led, so it does not make up for a whole loser."""
    bomb: float = 0.8
    """A bomb of four takes the lead whenever it is needed: nearly a loser made good."""
    bomb_step: float = 0.12
    """What each class of bomb adds: more than a good single, less than a bad one."""
    wild: float = 0.4
    """A wild left alone counts that much more than a level card, because it can still make a bomb
    of a triple; whatever else wants it has to gain more."""

    # How often others answer: for each higher group that is to be expected against us.

    answer_single: float = 0.25
    """They hold many higher singles and spare most of them."""
    answer_group: float = 0.5
    """Pairs, triples and full houses are fewer, and every second one is spared."""
    answer_run: float = 1.0
    """Straights, tubes and plates are rare, and whoever holds one is glad to be rid of it."""
    answer_bomb: float = 0.12
    """Bombs are saved: few plays are worth one."""

    # What the lead is worth.

    lead: float = 1.0
    """Whoever leads gets rid of a loser. A style that thinks a third of that of the lead gives it
    up too often, and loses by a whole level a hand."""
    hurry: float = 1.2
    """How much more it is worth when an opponent is about to go out: losing it may be the end."""
    finish: float = 1.0
    """How much more when the rest can then be played out."""
    trust: float = 0.3
    """How often the partner takes the trick if it has yet to answer."""
    back: float = 0.15
    """To lead what another group of ours can take back later."""
    shed: float = 0.2
    """For each card beyond three of a group led: big groups are hard to be rid of otherwise."""

    # What is saved, and for whom.

    save_until: int = 10
    """Strength is saved until an opponent has no more cards than that, or the rest runs out."""
    bomb_rest: float = 1.0
    """Meanwhile a bomb has to leave a rest that is so cheap: the lead should lead somewhere."""
    save_strong: float = 0.6
    """Meanwhile wilds cost that much more, and on low plays all that is strong …"""
    low_top: float = 0.12
    """… where low is what stands with no more chance than that: somebody else will beat it, too."""
    small: float = 0.6
    """A play of no less cost is small: it may go on the partner's …"""
    weak: float = 0.5
    """… if the partner's play stands with no more chance than that."""

    # The others' last cards.

    danger: float = 1.0
    """An opponent's going out is as bad as that many losses of the lead."""
    feed: float = 1.2
    """And the partner's going out is as good as that."""
