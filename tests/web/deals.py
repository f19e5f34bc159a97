"""Deals of a test's own choosing, at a server in this process.

stacked(monkeypatch, {1: "X X Y Y"})        # seat 1 gets all jokers, in every hand from here on
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest

from guandan_engine import shuffle
from guandan_engine.cards import FULL_PACK, Cards
from guandan_engine.notation import parse_cards
from guandan_engine.seats import SEATS
from guandan_engine.shuffle import HAND_CARDS

__all__ = ["stacked"]


def stacked(monkeypatch: pytest.MonkeyPatch, wanted: Mapping[int, str]) -> None:
    """Deal these cards to these seats; the others come as they come, but always the same way."""
    given = {seat: parse_cards(text) for seat, text in wanted.items()}
    rest = list(FULL_PACK - Cards.of([card for cards in given.values() for card in cards]))
    Random(1).shuffle(rest)
    hands = []
    for seat in SEATS:
        own = list(given.get(seat, ()))
        hands.append(Cards.of(own + [rest.pop() for _ in range(HAND_CARDS - len(own))]))
    assert not rest
    monkeypatch.setattr(shuffle, "deal", lambda key: tuple(hands))
