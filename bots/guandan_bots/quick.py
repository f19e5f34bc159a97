"""The play-outs' own policy in a seat at a table, to see what it is worth; no level for people."""

from __future__ import annotations

import random

from guandan_bots import playout
from guandan_bots.basic import STYLE, BasicPolicy
from guandan_bots.chances import Chances
from guandan_bots.playout import Game, Habits, Hand, Part
from guandan_bots.policy import PASS, Choice
from guandan_bots.positions import (
    arranged,
    kind_of,
    move_of_part,
    pairs_under,
    prices_of,
    reading_of,
    top_of,
)
from guandan_bots.situation import Situation
from guandan_engine.cards import Rank
from guandan_engine.moves import LegalPlays, Offer, legal_plays
from guandan_engine.options import Rules
from guandan_engine.order import height
from guandan_engine.patterns import Move, move_of, pattern_of
from guandan_engine.readings import readings_that_beat
from guandan_engine.views import PhaseName, SeatView

__all__ = ["QuickPolicy"]


class QuickPolicy:
    """Decides as a seat of a play-out does, with its hand arranged anew each time."""

    name = "quick"

    def __init__(self, habits: Habits | None = None) -> None:
        self.habits = habits or Habits()
        self._gifts = BasicPolicy()

    def choose(self, view: SeatView, rules: Rules, rng: random.Random) -> Choice:
        if view.public.phase not in (PhaseName.LEADING, PhaseName.FOLLOWING):
            return self._gifts.choose(view, rules, rng)
        table = Situation(view)
        level, top, seat = table.level, table.top, view.seat - 1
        last = readings_that_beat(table.hand, top, level, rules)
        if last:
            return Offer(table.hand, last[0])
        prices = prices_of(Chances(table.hidden, level, STYLE), level)
        parts: list[Part] = []
        hands = [_hidden(table) for _ in range(4)]
        hands[seat] = arranged(table.hand.bits, level, prices, parts)
        hands[(seat + 1) & 3].cards, hands[(seat + 3) & 3].cards = table.opponents
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
        plays = legal_plays(table.hand, level, rules, top)
        return _offer(plays, parts, level, told >> 2 & 15, told >> 6 & 0x3FFFF, told >> 24)


def _hidden(table: Situation) -> Hand:
    """All that nobody has shown, in each of the other hands."""
    hand = Hand()
    for rank, n in zip(Rank, table.hidden.ranks, strict=True):
        bit = 1 << height(rank, table.level)
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
