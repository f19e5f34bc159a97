"""The level `basic`: sensible Guandan in well under a millisecond.

It arranges its hand in groups, leads the least, beats what it can without breaking them, leaves its
partner's plays alone and keeps its bombs; it remembers nothing of what has been played. It is the
policy that the play-outs of `expert` are made of, in a seat at a table.
"""

from __future__ import annotations

import random
from typing import Final

from guandan_bots import playout
from guandan_bots.club.outlook import outlook_of
from guandan_bots.club.seeing import table_of
from guandan_bots.club.style import ClubStyle
from guandan_bots.club.table import Table
from guandan_bots.gifts import partings
from guandan_bots.playout import Game, Habits, Hand, Part
from guandan_bots.policy import PASS, Choice, Give
from guandan_bots.positions import (
    arranged,
    kind_of,
    move_of_part,
    pairs_under,
    prices_of,
    reading_of,
    top_of,
)
from guandan_engine.cards import Rank
from guandan_engine.moves import LegalPlays, Offer, legal_plays
from guandan_engine.options import Rules
from guandan_engine.order import height
from guandan_engine.patterns import Move, move_of, pattern_of
from guandan_engine.readings import readings_that_beat
from guandan_engine.views import PhaseName, SeatView

__all__ = ["BasicPolicy"]

STYLE: Final = ClubStyle(memory=0)


class BasicPolicy:
    """Decides as a seat of a play-out does, with its hand arranged anew each time."""

    name = "basic"

    def __init__(self, habits: Habits | None = None) -> None:
        self.habits = habits or Habits()

    def choose(self, view: SeatView, rules: Rules, rng: random.Random) -> Choice:
        match view.public.phase:
            case PhaseName.PAYING | PhaseName.RETURNING:
                found, best = partings(view, STYLE)
                if found:
                    return Give(found[best].card)
            case PhaseName.LEADING | PhaseName.FOLLOWING if view.seat in view.public.asked:
                return self._play(view, rules, rng)
            case _:
                pass
        raise ValueError(f"nothing is asked of seat {view.seat}")

    def _play(self, view: SeatView, rules: Rules, rng: random.Random) -> Choice:
        level, top, hand, seat = (
            view.public.level,
            view.public.top,
            view.private.hand,
            view.seat - 1,
        )
        last = readings_that_beat(hand, top, level, rules)
        if last:
            return Offer(hand, last[0])
        plays = legal_plays(hand, level, rules, top)
        table = table_of(view, STYLE)
        outlook = outlook_of(table, STYLE)
        prices = prices_of(outlook, level)
        parts: list[Part] = []
        hands = [_hidden(table, level) for _ in range(4)]
        hands[seat] = arranged(hand.bits, level, prices, parts)
        hands[(seat + 1) & 3].cards, hands[(seat + 3) & 3].cards = table.after, table.before
        hands[seat ^ 2].cards = table.partner
        game = Game(prices)
        game.habits[seat] = self.habits
        game.pairs = pairs_under(jokers=rules.full_house_joker_pair)
        kind, bit = (playout.NOTHING, 0) if top is None else (kind_of(top), top_of(top, level))
        by = 0 if view.public.by is None else view.public.by - 1
        game.begin(hands, seat, kind, bit, by, [], rng.getrandbits(31))
        game.story = []
        if top is None:
            game.lead(seat, game.hands[seat])
        elif not game.follow(seat, game.hands[seat]):
            return PASS
        told = game.story[0]
        return _offer(plays, parts, level, told >> 2 & 15, told >> 6 & 0x3FFFF, told >> 24)


def _hidden(table: Table, level: Rank) -> Hand:
    """All that it has not in its own hand, in each of the other hands."""
    hand = Hand()
    for rank in Rank:
        n = table.unseen >> 4 * rank & 15
        bit = 1 << height(rank, level)
        hand.single |= bit if n else 0
        hand.pair |= bit if n > 1 else 0
        hand.triple |= bit if n > 2 else 0
    return hand


def _offer(
    plays: LegalPlays, parts: list[Part], level: Rank, kind: int, bit: int, second: int
) -> Offer:
    """The cards of a play that the game has made of these parts."""
    one = reading_of(kind, bit, level)
    if kind == playout.FULL_HOUSE:
        triple, pair = _part(parts, playout.TRIPLE, bit), _part(parts, playout.PAIR, second)
        pattern = pattern_of(one, triple[3] + pair[3])
        return plays.offer(move_of(pattern, triple[2] + pair[2]))
    part = next((part for part in parts if part[0] == kind and part[1] == bit), None)
    move = _split(plays, one.size, bit, parts, level) if part is None else move_of_part(part, level)
    offer = plays.offer(move)
    if offer in plays:
        return offer
    # Its straight is of one suit, because the rest of these ranks went another way.
    return plays.offer(next(move for move in plays if move.reading is one))


def _part(parts: list[Part], kind: int, bit: int) -> Part:
    return next(part for part in parts if part[0] == kind and part[1] == bit)


def _split(plays: LegalPlays, size: int, bit: int, parts: list[Part], level: Rank) -> Move:
    """A single or a pair of what the hand has more of; with a wild only at the wild's own level."""
    part = next(p for p in parts if p[1] == bit and size < p[0] <= playout.TRIPLE)
    rank = next(rank for rank in Rank if part[2] >> 4 * rank & 15 or (part[3] and rank == level))
    naturals = min(size, part[2] >> 4 * rank & 15)
    one = reading_of(size, bit, level)
    return move_of(pattern_of(one, size - naturals), naturals << 4 * rank)
