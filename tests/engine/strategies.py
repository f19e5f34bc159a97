"""What hypothesis draws from: cards, hands, levels, rules, readings, seeds, moments of matches."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from guandan_engine.cards import CARDS, Card, Cards, Rank, wild_of
from guandan_engine.combos import READINGS, Reading
from guandan_engine.options import OPTIONS, PRESETS, Rules, rules
from guandan_engine.order import LEVELS
from guandan_engine.seats import SEATS, Seat
from tests.engine.walks import Step, moments

PACK = sorted(2 * list(CARDS))

levels: st.SearchStrategy[Rank] = st.sampled_from(LEVELS)
seats: st.SearchStrategy[Seat] = st.sampled_from(SEATS)
faces: st.SearchStrategy[Card] = st.sampled_from(CARDS)
readings: st.SearchStrategy[Reading] = st.sampled_from(READINGS)
seeds = st.binary(min_size=32, max_size=32)
nonces = st.tuples(*[st.binary(max_size=32)] * 4)
presets = st.sampled_from(sorted(PRESETS))

options: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {}, optional={name: st.sampled_from(values) for name, values in OPTIONS.items()}
)
rules_drawn: st.SearchStrategy[Rules] = st.builds(rules, presets, options)


def multisets(*, least: int = 0, most: int = 108) -> st.SearchStrategy[list[Card]]:
    """Cards of one pack, in some order."""
    places = st.lists(st.integers(0, len(PACK) - 1), unique=True, min_size=least, max_size=most)
    return places.map(lambda drawn: [PACK[place] for place in drawn])


@st.composite
def close_hands(draw: st.DrawFn, *, level: Rank, least: int, most: int) -> Cards:
    """A hand whose ranks are near each other and that often has wilds: shapes are common in it."""
    wild = wild_of(level)
    wilds = draw(st.sampled_from([0, 0, 1, 1, 2]))
    start = draw(st.integers(0, 12))
    width = draw(st.sampled_from([1, 2, 3, 4, 5, 6, 13]))
    ranks = {(start + i) % 13 for i in range(width)}
    if draw(st.integers(0, 4)) == 0:
        ranks |= {Rank.SMALL_JOKER, Rank.BIG_JOKER}
    suits = draw(st.sampled_from([{0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1}, {2}, {1}]))
    near = [
        card
        for card in PACK
        if card != wild and card >> 2 in ranks and (card >> 2 > 12 or card & 3 in suits)
    ]
    size = draw(st.integers(max(least - wilds, 0), max(most - wilds, 0)))
    places = draw(
        st.lists(
            st.integers(0, max(len(near) - 1, 0)),
            unique=True,
            min_size=0,
            max_size=min(size, len(near)),
        )
    )
    naturals = [near[place] for place in places] if near else []
    return Cards.of([*naturals, *[wild] * wilds])


def steps(*phases: type) -> st.SearchStrategy[Step]:
    """A moment of a match played at random; each phase (of those named) is as likely as another."""
    groups = [steps for phase, steps in moments().items() if not phases or phase in phases]
    return st.integers(0, len(groups) - 1).flatmap(
        lambda group: st.integers(0, len(groups[group]) - 1).map(lambda i: groups[group][i])
    )
