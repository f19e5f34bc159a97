"""Which of our own cards are taken: ranks as typed, faces as clicked or hinted."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from guandan_cli import entry
from guandan_cli.entry import Wanted
from guandan_cli.tui import suits
from guandan_engine.cards import NO_CARDS, Card, Cards, Rank, rank_of, suit_of, wild_of
from guandan_engine.options import Rules

__all__ = ["Selection", "shared"]


def shared(some: Cards, others: Cards) -> Cards:
    """The cards that stand in both, copy for copy."""
    return Cards(some.bits & others.bits)


def _of_rank(cards: Cards, rank: Rank, level: Rank) -> int:
    """How many of a rank, wilds apart."""
    wild = wild_of(level)
    return sum(rank_of(card) is rank and card != wild for card in cards)


def _without_rank(cards: Cards, rank: Rank, level: Rank) -> Cards:
    wild = wild_of(level)
    return Cards.of([card for card in cards if rank_of(card) is not rank or card == wild])


@frozen
class Selection:
    """What is taken; every change gives a new one, and none of them holds a card twice.

    Ranks stay ranks until they are asked for as `cards`: five of them in a row are then chosen so
    that they are no straight flush by accident, as everywhere where ranks are typed.
    """

    faces: Cards = NO_CARDS
    """Named ones: clicked, wild, or taken over from a hint."""
    ranks: tuple[Rank, ...] = ()
    """So many of each, in the order in which they were typed."""
    turns: tuple[Cards, ...] = ()
    """What other suits give in turn, what is taken now first; until anything else is changed."""

    def cards(self, hand: Cards, level: Rank) -> Cards:
        """The very cards: of each rank those that the hand misses least, never a wild."""
        if not self.ranks:
            return self.faces
        wanted = [Wanted(rank_of(card), suit_of(card)) for card in self.faces]
        wanted += [Wanted(rank) for rank in self.ranks]
        return entry.choose(wanted, hand, level)

    def press(self, rank: Rank, hand: Cards, level: Rank) -> Selection:
        """One more of a rank; one press past a full column clears it."""
        held = _of_rank(hand, rank, level)
        taken = _of_rank(self.faces, rank, level) + self.ranks.count(rank)
        if taken >= held:
            return self._cleared(rank, level)
        if rank > Rank.ACE:
            return Selection(self.faces + _one_of(hand - self.faces, rank), self.ranks)
        return Selection(self.faces, (*self.ranks, rank))

    def press_wild(self, hand: Cards, level: Rank) -> Selection:
        """One more wild, and after the last one none."""
        wild = wild_of(level)
        taken = self.faces.count(wild)
        if taken < hand.count(wild):
            return Selection(self.faces + Cards.of([wild]), self.ranks)
        return Selection(self.faces - Cards.of([wild] * taken), self.ranks)

    def toggle(self, card: Card, copy: int, hand: Cards, level: Rank) -> Selection:
        """Take or put back one very card; `copy` 0 or 1 is the place among equal ones."""
        now = self.cards(hand, level)
        taken = now.count(card)
        one = Cards.of([card])
        return Selection(now - one if copy < taken else now + one)

    def fill(self, cards: Sequence[Card], hand: Cards, level: Rank) -> Selection:
        """Take all of some cards; if all are taken already, put them back."""
        now = self.cards(hand, level)
        wanted = Cards.of(cards)
        missing = wanted - shared(wanted, now)
        return Selection(now + missing if missing else now - wanted)

    def in_other_suits(self, hand: Cards, level: Rank, rules: Rules) -> Selection | None:
        """The next choice of the same ranks, a straight flush where there is one; None if none.

        With nothing taken: the straight flushes that the hand holds, one after another.
        """
        now = self.cards(hand, level)
        turns = self.turns or tuple(suits.choices(now, hand, level, rules))
        if len(turns) < 2:
            return None
        return Selection(turns[1], turns=(*turns[1:], turns[0]))

    def kept(self, hand: Cards, level: Rank) -> Selection:
        """What of it the hand still holds, after a play."""
        faces = shared(self.faces, hand)
        ranks: list[Rank] = []
        for rank in self.ranks:
            held = _of_rank(hand, rank, level) - _of_rank(faces, rank, level)
            if ranks.count(rank) < held:
                ranks.append(rank)
        return Selection(faces, tuple(ranks))

    def _cleared(self, rank: Rank, level: Rank) -> Selection:
        return Selection(
            _without_rank(self.faces, rank, level),
            tuple([one for one in self.ranks if one is not rank]),
        )


def _one_of(cards: Cards, rank: Rank) -> Cards:
    return Cards.of([next(card for card in cards if rank_of(card) is rank)])
