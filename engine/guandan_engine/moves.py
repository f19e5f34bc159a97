"""What may be played, asked: a lazy collection of a hand's legal plays.

    plays = legal_plays(hand, level, rules, top)     # top None: what can I lead?
    bool(plays)                 is there any at all?
    offer in plays              may these cards go as this reading? (the referee's own answer)
    plays.patterns()            one per type, key, size and wilds: what a list shows
    for move in plays: ...      every play once per reading, cheapest first
    plays.faces()               the faces that are part of any
    plays.cards(move)           faces for it, sparing the hand's straight flushes
    len(plays)                  how many moves

Order, for both: see `listing`. Within a pattern: the triple's naturals first, then the pair from
the lowest rank; in runs wilds fill the lowest holes first.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from guandan_engine.cards import LOW, Cards, Rank, Suit
from guandan_engine.choice import Chooser
from guandan_engine.combos import Combo, Reading
from guandan_engine.listing import Holding, follow, lead
from guandan_engine.options import Rules
from guandan_engine.packed import JOKERS, ORDINARY, at_least, fold_suits, with_low_ace
from guandan_engine.patterns import (
    FULL_HOUSE_SPLITS,
    Move,
    Pattern,
    full_house_moves,
    plate_moves,
    same_rank_move,
    straight_flush_moves,
    straight_moves,
    tube_moves,
)
from guandan_engine.readings import readings_that_beat

__all__ = ["LegalPlays", "Offer", "legal_plays"]


@frozen
class Offer:
    """Cards, and what they are offered as."""

    cards: Cards
    reading: Reading


class LegalPlays:
    """The legal plays of one hand on one top; see the module's docstring."""

    __slots__ = ("_chooser", "_hand", "_patterns", "_rules", "top")

    top: Reading | None

    def __init__(self, hand: Cards, level: Rank, rules: Rules, top: Reading | None) -> None:
        self.top = top
        self._hand = Holding(hand.bits, level, rules)
        self._rules = rules
        self._patterns: tuple[Pattern, ...] | None = None
        self._chooser: Chooser | None = None

    def patterns(self) -> tuple[Pattern, ...]:
        """One per type, key, size and wilds spent, in the pinned order."""
        if self._patterns is None:
            top = self.top
            self._patterns = lead(self._hand) if top is None else follow(self._hand, top)
        return self._patterns

    def __bool__(self) -> bool:
        return bool(self.patterns())

    def __iter__(self) -> Iterator[Move]:
        for pattern in self.patterns():
            yield from self.moves(pattern)

    def __len__(self) -> int:
        return sum([len(self.moves(pattern)) for pattern in self.patterns()])

    def __contains__(self, play: object) -> bool:
        match play:
            case Offer(cards, reading):
                held = not cards.bits & ~self._hand.bits
                return held and reading in readings_that_beat(
                    cards, self.top, self._hand.level, self._rules
                )
            case Move():
                return play.pattern in self.patterns() and play in self.moves(play.pattern)
            case _:
                return False

    def moves(self, pattern: Pattern) -> tuple[Move, ...]:
        """The moves of one of `patterns()`; meaningless for another pattern."""
        match pattern.reading.combo:
            case Combo.FULL_HOUSE:
                return self._full_houses(pattern)
            case Combo.STRAIGHT:
                return self._straights(pattern)
            case Combo.STRAIGHT_FLUSH:
                return self._straight_flushes(pattern)
            case Combo.TUBE:
                return tube_moves(pattern, self._held(pattern, span=3, most=2))
            case Combo.PLATE:
                return plate_moves(pattern, self._held(pattern, span=2, most=3))
            case _:
                return (same_rank_move(pattern),)

    def cards(self, move: Move) -> Cards:
        """The faces that play `move`: spare ones first, so that straight flushes stay whole."""
        if self._chooser is None:
            self._chooser = Chooser(self._hand)
        return Cards(self._chooser.choose(move))

    def offer(self, move: Move) -> Offer:
        return Offer(self.cards(move), move.reading)

    def faces(self) -> Cards:
        """Each face of the hand that is part of at least one legal play, once.

        Suits make no difference but in straight flushes: whatever plays one card of a rank can
        play any other of it. That holds for straights, too: where another suit would make one a
        straight flush, that beats the same top.
        """
        hand = self._hand
        if self.top is None:
            return Cards(hand.bits & LOW)  # each card by itself
        needs = flushes = wilds = 0
        for move in self:
            wilds |= move.wilds
            if move.suit is None:
                needs |= move.needs
            else:
                flushes |= move.needs << move.suit
        found = hand.naturals & (fold_suits(needs) * 15 | flushes)
        if wilds:
            found |= hand.bits ^ hand.naturals
        return Cards(found & LOW)

    def _full_houses(self, pattern: Pattern) -> tuple[Move, ...]:
        key = pattern.reading.key
        assert key is not None
        packed = self._hand.counts
        held = packed >> 4 * key & 15
        own = 8 << 4 * key
        found: tuple[Move, ...] = ()
        for triple, pair in FULL_HOUSE_SPLITS[pattern.wilds]:
            if held < triple:
                continue
            pairs = 0
            if pair:
                pairs = at_least(packed, pair) & ORDINARY & ~own
            if pair == 2 and self._hand.joker_pair:
                pairs |= at_least(packed, 2) & JOKERS
            if pairs or not pair:
                found += full_house_moves(pattern, triple, pair, pairs)
        return found

    def _window(self, pattern: Pattern, span: int) -> int:
        assert pattern.reading.key is not None
        return 4 * (pattern.reading.key - span + 2)

    def _held(self, pattern: Pattern, *, span: int, most: int) -> int:
        packed = self._hand.counts
        capped = sum([at_least(packed, k) >> 3 for k in range(1, most + 1)])
        return with_low_ace(capped) >> self._window(pattern, span) & ((1 << 4 * span) - 1)

    def _straights(self, pattern: Pattern) -> tuple[Move, ...]:
        hand = self._hand
        window = hand.faces >> self._window(pattern, 5) & 0xFFFFF
        found = straight_moves(pattern, fold_suits(window))
        if pattern.wilds and not hand.wild_run_plain:
            faces = hand.faces >> 4 | (hand.faces & 15) << 4 * Rank.ACE
            found = tuple([move for move in found if _mixed(faces, move.needs)])
        return found

    def _straight_flushes(self, pattern: Pattern) -> tuple[Move, ...]:
        hand = self._hand
        shift = self._window(pattern, 5)
        windows = hand.flushes[pattern.wilds] >> shift & 15
        found: tuple[Move, ...] = ()
        for suit in Suit:
            if windows >> suit & 1:
                held = hand.faces >> (shift + suit) & 0x11111
                found += straight_flush_moves(pattern, held, suit)
        return found


def _mixed(faces: int, needs: int) -> bool:
    """Do the faces of the needed ranks (one a rank) come in more than one suit?"""
    usable = faces & needs * 15
    return not any(not usable & ~(0x1111111111111 << suit) for suit in Suit)


def legal_plays(hand: Cards, level: Rank, rules: Rules, top: Reading | None = None) -> LegalPlays:
    """What `hand` may play on `top`, or lead if there is none; passing is not listed."""
    return LegalPlays(hand, level, rules, top)
