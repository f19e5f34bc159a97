"""Tables of `club` from hands as one writes them, and random ones."""

from __future__ import annotations

from random import Random

from guandan_bots.club.style import ClubStyle
from guandan_bots.club.table import Table, counts
from guandan_engine.cards import CARDS, FULL_PACK, HALF, LOW, Cards, Rank
from guandan_engine.combos import READINGS, Combo, Reading
from guandan_engine.notation import level_of, parse_cards, parse_reading

__all__ = ["STYLE", "dealt", "sitting", "table_with", "tops"]

STYLE = ClubStyle()
COMBOS = tuple(Combo)


def sitting(hand: str, *, over: str = "", level: str = "2", left: int = 27) -> Table:
    """A table at which nothing has been played; each of the others holds `left` cards."""
    top = parse_reading(over) if over else None
    return table_with(parse_cards(hand), top, level_of(level), left=left)


def table_with(hand: Cards, top: Reading | None, level: Rank, *, left: int = 27) -> Table:
    table = Table()
    table.level = int(level)
    table.low, table.high = hand.bits & LOW, hand.bits >> HALF
    unseen = FULL_PACK - hand
    table.unseen = counts(unseen.bits & LOW) + counts(unseen.bits >> HALF)
    table.after = table.partner = table.before = left
    if top is not None:
        table.kind, table.key = COMBOS.index(top.combo), int(top.key or 0)
        table.size, table.tier = top.size, top.tier
        table.by, table.after_answers, table.partner_answers = 3, True, True
    return table


def dealt(chance: Random, size: int) -> Cards:
    """A random hand."""
    pack = [*CARDS, *CARDS]
    chance.shuffle(pack)
    return Cards.of(pack[:size])


def tops(chance: Random) -> Reading | None:
    """Anything that may lie on the table, often nothing."""
    return None if chance.random() < 0.2 else chance.choice(READINGS)
