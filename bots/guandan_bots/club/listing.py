"""Which plays a hand has: what beats the table, what else may be led, and with which faces.

Not every play there is: of each kind and key one, with as few wilds as it takes and the naturals
that the hand misses least. What the hand may do at all is the engine's to say (`policy` asks it).
"""

from __future__ import annotations

from typing import Final

from guandan_bots.club.grouping import Grouper, Plan, without
from guandan_bots.club.outlook import COPIES, Outlook
from guandan_bots.club.table import (
    BOMB,
    FLUSH,
    HEARTS,
    HOUSE,
    JOKER_BOMB,
    NIBBLE,
    NOTHING,
    PAIR,
    PLATE,
    RUN_EACH,
    RUN_KEY,
    RUN_KIND,
    RUN_RANKS,
    STRAIGHT,
    SUITED,
    TIERS,
    TRIPLE,
    TUBE,
    Play,
    Table,
    Word,
    counts,
    height,
    population,
    with_low_ace,
    without_low_ace,
)

__all__ = ["Lister"]

_ONE_SUIT: Final = [0x111111111111111 << suit for suit in range(4)]
_RUNS_OF: Final = {STRAIGHT: (0, 10), TUBE: (10, 22), PLATE: (22, 35)}
_JOKERS: Final = 2 * NIBBLE[13] + 2 * NIBBLE[14]
_NONE: Final = 99.0
"""More than anything costs."""


class Lister:
    """The plays of one hand at one table."""

    __slots__ = ("_flush_tier", "_high", "_low", "_table", "packed", "wilds")

    def __init__(self, table: Table) -> None:
        heart: Word = HEARTS[table.level]
        self._table = table
        self._low: Word = table.low & ~heart
        self._high: Word = table.high & ~heart
        self._flush_tier = Play(FLUSH, 0, 5, 0, 0).tier
        self.wilds: Word = (1 if table.low & heart else 0) + (1 if table.high & heart else 0)
        self.packed: Word = counts(self._low) + counts(self._high)
        """Of the naturals."""

    # What beats the table.

    def may_beat(self) -> bool:
        """False if nothing does; cheap, for a seat has nothing to say half of the time."""
        table = self._table
        if table.kind == HOUSE:
            top: Word = height(table.key, table.level)
            for rank in range(13):
                n: Word = self._held(rank)
                if n and n + self.wilds > 2 and height(rank, table.level) > top:
                    return True
        return bool(self._bombs() or self._same_kind())

    def beating(self, outlook: Outlook, grouper: Grouper) -> list[Play]:
        """Plays that beat the table, without faces."""
        if self._table.kind == HOUSE:
            top: Word = height(self._table.key, self._table.level)
            return self._houses(outlook, self._free_pairs(grouper), top) + self._bombs()
        return self._same_kind() + self._bombs()

    def _held(self, rank: Word) -> Word:
        return (self.packed >> 4 * rank) & 15

    def _same_kind(self) -> list[Play]:
        """All but full houses, which take an outlook to choose their pairs."""
        table = self._table
        if table.kind <= TRIPLE:
            return self._alike(table.kind + 1, height(table.key, table.level))
        found: list[Play] = []
        if table.kind in _RUNS_OF:
            first, last = _RUNS_OF[table.kind]
            for run in range(first, last):
                if RUN_KEY[run] > table.key:
                    self._run(found, run, self.wilds)
        return found

    def _alike(self, size: Word, top: Word) -> list[Play]:
        """Singles, pairs or triples above a height."""
        level: Word = self._table.level
        found: list[Play] = []
        for rank in range(15):
            if height(rank, level) <= top:
                continue
            n: Word = self._held(rank)
            if n >= size:
                found.append(Play(size - 1, rank, size, 0, size * NIBBLE[rank]))
            elif rank < 13 and size - n <= self.wilds and (n or (rank == level and size < 3)):
                found.append(Play(size - 1, rank, size, size - n, n * NIBBLE[rank]))
        return found

    def _run(self, found: list[Play], run: Word, wilds: Word) -> None:
        each: Word = RUN_EACH[run]
        needs: Word = 0
        lacking: Word = 0
        for rank in RUN_RANKS[run]:
            n: Word = self._held(rank)
            if n >= each:
                n = each
            else:
                lacking += each - n
                if lacking > wilds:
                    return
            needs += n * NIBBLE[rank]
        size: Word = each * len(RUN_RANKS[run])
        found.append(Play(RUN_KIND[run], RUN_KEY[run], size, lacking, needs))

    def _houses(self, outlook: Outlook, free: set[int], top: Word) -> list[Play]:
        """Full houses above a height, each with the pair that is missed least.

        At first sight, that is, and if a plan has pairs free for it, with the best of these, too.
        """
        found: list[Play] = []
        for rank in range(13):
            n: Word = self._held(rank)
            if not n or n + self.wilds < 3 or height(rank, self._table.level) <= top:
                continue
            lacking: Word = max(3 - n, 0)
            best: float = _NONE
            best_free: float = _NONE
            pair: Word = -1
            free_pair: Word = -1
            for other in range(13):
                m: Word = self._held(other)
                spent: Word = 0 if m > 1 else 1
                if other == rank or not m or lacking + spent > self.wilds:
                    continue
                place: Word = other * COPIES + m
                loss: float = outlook.ranks[place - 2 + spent] - outlook.ranks[place]
                loss -= spent * outlook.wild
                if loss < best:
                    best, pair = loss, other
                if not spent and other in free and loss < best_free:
                    best_free, free_pair = loss, other
            triple: Word = (3 - lacking) * NIBBLE[rank]
            if pair >= 0:
                two: Word = min(self._held(pair), 2)
                needs: Word = triple + two * NIBBLE[pair]
                found.append(Play(HOUSE, rank, 5, lacking + 2 - two, needs))
            if free_pair not in (-1, pair):
                found.append(Play(HOUSE, rank, 5, lacking, triple + 2 * NIBBLE[free_pair]))
        return found

    def _free_pairs(self, grouper: Grouper) -> set[int]:
        """The ranks whose pairs the plan has alone or under a triple."""
        free: set[int] = set()
        for group in grouper.plan(self._table.low, self._table.high).groups:
            if group.kind == PAIR and group.key < 13:
                free.add(group.key)
            elif group.kind == HOUSE:
                free |= {
                    rank
                    for rank in range(13)
                    if rank != group.key and (group.needs >> 4 * rank) & 15
                }
        return free

    def _bombs(self) -> list[Play]:
        """All that beat the table."""
        table = self._table
        found: list[Play] = []
        for rank in range(13):
            n: Word = self._held(rank)
            if not n:
                continue
            for size in range(4, min(n + self.wilds, 10) + 1):
                higher = table.kind == BOMB and size == table.size
                if TIERS[size] > table.tier or (
                    higher and height(rank, table.level) > height(table.key, table.level)
                ):
                    spent: Word = max(size - n, 0)
                    found.append(Play(BOMB, rank, size, spent, (size - spent) * NIBBLE[rank]))
        if table.tier <= self._flush_tier:
            found += [
                flush
                for flush in self._flushes()
                if table.tier < self._flush_tier or flush.key > table.key
            ]
        if self.packed & _JOKERS == _JOKERS:
            found.append(Play(JOKER_BOMB, 0, 4, 0, _JOKERS))
        return found

    def _flushes(self) -> list[Play]:
        faces: Word = with_low_ace(self._low)
        found: list[Play] = []
        for window in range(10):
            part: Word = (faces >> 4 * window) & 0xFFFFF
            for suit in range(4):
                held: Word = part & SUITED[suit]
                spent: Word = 5 - population(held)
                if spent <= self.wilds:
                    held = (held >> suit) << 4 * window
                    needs: Word = without_low_ace(held)
                    found.append(Play(FLUSH, window + 3, 5, spent, needs, suit))
        return found

    # What else may be led.

    def natural_leads(self, outlook: Outlook, grouper: Grouper) -> list[Play]:
        """Everything without wilds but bombs."""
        found: list[Play] = []
        for size in (1, 2, 3):
            found += [play for play in self._alike(size, -1) if play.key < 13 and not play.wilds]
        for run in range(len(RUN_KEY)):
            self._run(found, run, 0)
        houses = self._houses(outlook, self._free_pairs(grouper), -1)
        return found + [play for play in houses if not play.wilds]

    def ends(self, size: Word) -> list[Play]:
        """The lowest and the highest single or pair, wilds aside."""
        level: Word = self._table.level
        held = [rank for rank in range(15) if self._held(rank) >= size]
        held.sort(key=lambda rank: height(rank, level))
        return [Play(size - 1, rank, size, 0, size * NIBBLE[rank]) for rank in held[:1] + held[-1:]]

    def everything(self) -> list[Play]:
        """What may be played without an outlook: of full houses, each pair."""
        if self._table.kind != NOTHING:
            houses: list[Play] = []
            if self._table.kind == HOUSE:
                top: Word = height(self._table.key, self._table.level)
                houses = self._all_houses(top)
            return houses + self._same_kind() + self._bombs()
        found = self._bombs() + self._all_houses(-1)
        for size in (3, 2, 1):
            found += self._alike(size, -1)
        for run in range(len(RUN_KEY)):
            self._run(found, run, self.wilds)
        return found

    def _all_houses(self, top: Word) -> list[Play]:
        found: list[Play] = []
        for rank in range(13):
            n: Word = self._held(rank)
            if not n or n + self.wilds < 3 or height(rank, self._table.level) <= top:
                continue
            lacking: Word = max(3 - n, 0)
            for other in range(13):
                m: Word = min(self._held(other), 2)
                if other != rank and m and lacking + 2 - m <= self.wilds:
                    needs: Word = (3 - lacking) * NIBBLE[rank] + m * NIBBLE[other]
                    found.append(Play(HOUSE, rank, 5, lacking + 2 - m, needs))
        return found

    # The hand as a whole.

    def last_plays(self) -> list[Play]:
        """The hand as one play, whatever that may be read as; in no order."""
        table = self._table
        packed: Word = self.packed
        size: Word = population(table.low) + population(table.high)
        held = [rank for rank in range(15) if self._held(rank)]
        found: list[Play] = []
        if size > 10:
            return found
        if not held:
            found.append(Play(size - 1, table.level, size, size, 0))
        elif len(held) == 1 and (held[0] < 13 or not self.wilds):
            kind: Word = size - 1 if size < 4 else BOMB
            found.append(Play(kind, held[0], size, self.wilds, packed))
        elif packed == _JOKERS and not self.wilds:
            found.append(Play(JOKER_BOMB, 0, 4, 0, packed))
        elif size == 5:
            found += [flush for flush in self._flushes() if flush.needs << flush.suit == self._low]
            if len(held) == 2 and held[1] < 13:
                found += [
                    Play(HOUSE, rank, 5, self.wilds, packed)
                    for rank, other in (held, held[::-1])
                    if self._held(rank) <= 3 and self._held(other) <= 2
                ]
        if size in (5, 6) and held:
            for run in range(10) if size == 5 else range(10, len(RUN_KEY)):
                runs: list[Play] = []
                self._run(runs, run, self.wilds)
                found += [play for play in runs if play.needs == packed]
        return [play for play in found if self._beats(play)]

    def _beats(self, play: Play) -> bool:
        table = self._table
        if table.kind == NOTHING:
            return True
        if play.tier != table.tier:
            return play.tier > table.tier
        if play.kind != table.kind or play.kind == JOKER_BOMB:
            return False
        if play.kind in _RUNS_OF or play.kind == FLUSH:
            return play.key > table.key
        return height(play.key, table.level) > height(table.key, table.level)

    # Faces.

    def dress(self, play: Play) -> bool:
        """Chooses the faces of a play; False if the hand has none that make it what it is."""
        return self.dress_from(play, self._low, self._high)

    def loose(self, plan: Plan) -> tuple[Word, Word]:
        """The naturals that a plan's straight flushes leave."""
        low: Word = self._low
        high: Word = self._high
        for group in plan.groups:
            if group.kind == FLUSH:
                low, high = without(low, high, group.low)
        return low, high

    def dress_from(self, play: Play, low: Word, high: Word) -> bool:
        """The same out of some of the naturals: spare ones first, so that flushes stay whole."""
        if play.suit >= 0:
            play.low = play.needs << play.suit
            play.high = 0
        else:
            self._spare(play, low, high)
            if play.kind == STRAIGHT and not self._mix(play, low):
                return False
        heart: Word = HEARTS[self._table.level]
        if play.wilds:
            play.low |= heart
            if play.wilds > 1:
                play.high |= heart
        return True

    def _spare(self, play: Play, low: Word, high: Word) -> None:
        flush: Word = self._in_flushes(low)
        play.low = play.high = 0
        for rank in range(15):
            need: Word = (play.needs >> 4 * rank) & 15
            if not need:
                continue
            once: Word = (low >> 4 * rank) & 15
            twice: Word = (high >> 4 * rank) & 15
            wanted: Word = (flush >> 4 * rank) & 15
            # A copy is spare if its face is in no flush, or if another copy of the face stays.
            copies = [
                (bool(wanted >> suit & 1) and copy == last, suit)
                for suit in range(4)
                if once >> suit & 1
                for last in [twice >> suit & 1]
                for copy in range(last + 1)
            ]
            copies.sort()
            for _, suit in copies[:need]:
                bit: Word = 1 << (4 * rank + suit)
                play.high |= play.low & bit
                play.low |= bit

    def _in_flushes(self, low: Word) -> Word:
        """The faces that a straight flush could need, with a wild where the hand has one."""
        faces: Word = with_low_ace(low)
        needed: Word = 0
        for window in range(10):
            part: Word = (faces >> 4 * window) & 0xFFFFF
            for suit in range(4):
                held: Word = part & SUITED[suit]
                if population(held) >= (4 if self.wilds else 5):
                    needed |= held << 4 * window
        return without_low_ace(needed)

    def _mix(self, play: Play, low: Word) -> bool:
        """Sees to it that a straight is no flush."""
        if play.wilds or all(play.low & ~suit for suit in _ONE_SUIT):
            return True
        for rank in range(13):
            taken: Word = play.low & (15 * NIBBLE[rank])
            other: Word = low & (15 * NIBBLE[rank]) & ~taken
            if taken and other:
                play.low ^= taken | (other & -other)
                return True
        return False
