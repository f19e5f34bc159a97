"""A hand as groups: which plays it falls into at the least cost.

Straight flushes come first, because only there suits matter; out of what is left, as counts of
ranks, runs are taken one after another; the rest goes rank by rank, with pairs put under triples,
and wilds where they gain most. The search is bounded, not exact: a plan is a
good way to play the hand, and compared only with plans that were found the same way.
"""

from __future__ import annotations

from typing import Final

from guandan_bots.club.outlook import COPIES, Outlook
from guandan_bots.club.style import ClubStyle
from guandan_bots.club.table import (
    BOMB,
    FLUSH,
    HEARTS,
    HOUSE,
    JOKER_BOMB,
    NIBBLE,
    RUN_EACH,
    RUN_KEY,
    RUN_KIND,
    RUN_RANKS,
    SINGLE,
    SUITED,
    Play,
    Word,
    counts,
    nibble_sum,
    population,
    with_low_ace,
    without_low_ace,
)

__all__ = ["JUNK", "SURE", "Flush", "Grouper", "Plan", "flushes", "without"]

SURE: Final = 0.9
"""From that chance on a group counts as a winner."""
JUNK: Final = 0.15
"""With no more chance than that it is of no use."""
DEPTH_MAX: Final = 4
"""Runs of a hand: five have 25 cards at least."""
_ORDINARY: Final = 0x8888888888888
_COUNTED: Final = 0xFFFFFFFFFFFFF
_ONES: Final = 0x1111111111111
_THREES: Final = 0x3333333333333
_FLUSH_WINDOWS: Final = 0xFFFFFFFFFF


class Plan:
    """One way to play a hand."""

    __slots__ = ("bombs", "cost", "groups", "junk", "losers", "losses")

    def __init__(self, cost: float) -> None:
        self.cost: float = cost
        """The sum of what its groups cost."""
        self.groups: list[Play] = []
        self.bombs: Word = 0
        self.losses: float = 0.0
        """How often the lead will be lost, by what stands; bombs aside."""
        self.losers: Word = 0
        """Groups that are no bombs and no winners."""
        self.junk: Word = 0


class Found:
    """How ranks and wilds are best played: the runs taken, and the ranks that wilds joined."""

    __slots__ = ("cost", "joined", "path")

    def __init__(self, cost: float, path: list[int], joined: Word) -> None:
        self.cost: float = cost
        self.path: list[int] = path
        """Twice the number of each run, and one if a wild is in it."""
        self.joined: Word = joined
        """Packed."""


class Flush:
    """A straight flush that a hand can make."""

    __slots__ = ("faces", "key", "suit", "wilds")

    def __init__(self, key: Word, suit: Word, faces: Word, wilds: Word) -> None:
        self.key: Word = key
        self.suit: Word = suit
        self.faces: Word = faces
        """Its naturals, in the low half."""
        self.wilds: Word = wilds


def without(low: Word, high: Word, taken: Word) -> tuple[Word, Word]:
    """A hand less one copy of some faces that are in it."""
    return (low & ~taken) | (low & high & taken), high & ~taken


def flushes(low: Word, wilds: Word, most: Word) -> list[Flush]:
    """Straight flushes of naturals and at most one wild: natural ones first, high ones first."""
    found: list[Flush] = []
    faces: Word = with_low_ace(low)
    b: Word = faces >> 4
    c: Word = faces >> 8
    d: Word = faces >> 12
    e: Word = faces >> 16
    # Two full adders, bit-sliced, count each suit of each window (`packed.five_in_a_row`).
    odd: Word = faces ^ b
    carry: Word = (faces & b) | (c & odd)
    odd = odd ^ c
    last: Word = odd ^ d
    four: Word = carry & ((odd & d) | (e & last)) & _FLUSH_WINDOWS
    natural: Word = four & (last ^ e)
    for spent in range(2 if wilds else 1):
        windows: Word = four & ~natural if spent else natural
        place: Word = 39
        while windows and place >= 0 and len(found) < most:
            if (windows >> place) & 1:
                suit: Word = place & 3
                window: Word = place >> 2
                mask: Word = SUITED[suit] << 4 * window
                held: Word = faces & mask
                found.append(Flush(window + 3, suit, without_low_ace(held), spent))
            place -= 1
    return found


class Grouper:
    """Finds plans for hands of one decision, and remembers what it found."""

    __slots__ = (
        "_best",
        "_best_joined",
        "_best_path",
        "_found",
        "_joined",
        "_limit",
        "_nodes",
        "_outlook",
        "_plans",
        "_style",
    )

    def __init__(self, outlook: Outlook, style: ClubStyle) -> None:
        self._outlook: Outlook = outlook
        self._style: ClubStyle = style
        self._plans: dict[tuple[int, int], Plan] = {}
        self._found: dict[int, Found] = {}
        # Of the search that is going on.
        self._best: float = 0.0
        self._best_path: list[int] = []
        self._best_joined: Word = 0
        self._joined: Word = 0
        self._limit: float = 0.0
        self._nodes: Word = 0

    def plan(self, low: Word, high: Word) -> Plan:
        """The best plan for a hand."""
        key = (low, high)
        known = self._plans.get(key)
        if known is None:
            known = self._plans[key] = self._plan(low, high)
        return known

    def _plan(self, low: Word, high: Word) -> Plan:
        outlook = self._outlook
        heart: Word = HEARTS[outlook.level]
        wilds: Word = (1 if low & heart else 0) + (1 if high & heart else 0)
        low &= ~heart
        high &= ~heart
        cost: float = self._suitless(counts(low) + counts(high), wilds).cost
        chosen: list[Flush] = []
        able = flushes(low, wilds, self._style.flushes)
        for place, first in enumerate(able):
            low_1, high_1 = without(low, high, first.faces)
            left: Word = wilds - first.wilds
            found: float = outlook.flush
            found += self._suitless(counts(low_1) + counts(high_1), left).cost
            if found < cost:
                cost, chosen = found, [first]
            for second in able[place:]:
                if second.faces & ~low_1 or second.wilds > left:
                    continue
                low_2, high_2 = without(low_1, high_1, second.faces)
                found = 2 * outlook.flush
                found += self._suitless(counts(low_2) + counts(high_2), left - second.wilds).cost
                if found < cost:
                    cost, chosen = found, [first, second]
        plan = Plan(cost)
        for flush in chosen:
            group = Play(FLUSH, flush.key, 5, flush.wilds, flush.faces >> flush.suit, flush.suit)
            group.low = flush.faces
            self._add(plan, group)
            low, high = without(low, high, flush.faces)
            wilds -= flush.wilds
        self._lay_out(plan, counts(low) + counts(high), wilds)
        return plan

    def _add(self, plan: Plan, group: Play) -> None:
        plan.groups.append(group)
        if group.tier:
            plan.bombs += 1
            return
        holds: float = self._outlook.holds(group.kind, group.key, group.size)
        plan.losses += 1 - holds
        if holds < SURE:
            plan.losers += 1
        if holds < JUNK:
            plan.junk += 1

    def _lay_out(self, plan: Plan, packed: Word, wilds: Word) -> None:
        """The groups of counts and wilds, as the search found them."""
        outlook = self._outlook
        ranks = outlook.ranks
        found = self._suitless(packed, wilds)
        for code in found.path:
            run: Word = code >> 1
            each: Word = RUN_EACH[run]
            needs: Word = 0
            for rank in RUN_RANKS[run]:
                needs += min((packed >> 4 * rank) & 15, each) << 4 * rank
            packed -= needs
            wilds -= code & 1
            size: Word = each * len(RUN_RANKS[run])
            self._add(plan, Play(RUN_KIND[run], RUN_KEY[run], size, code & 1, needs))
        joined: Word = found.joined
        wilds -= nibble_sum(joined)
        small: Word = (packed >> 52) & 15
        big: Word = (packed >> 56) & 15
        two: float = ranks[13 * COPIES + 2] + ranks[14 * COPIES + 2]
        if small == big == 2 and outlook.joker_bomb < two:
            self._add(plan, Play(JOKER_BOMB, 0, 4, 0, 2 * NIBBLE[13] + 2 * NIBBLE[14]))
            small = big = 0
        whole: Word = (packed & _COUNTED) + joined
        held = [(whole >> 4 * rank) & 15 for rank in range(13)]
        pairs = [
            rank
            for rank in _pairs(held, held.count(3), outlook.level)
            if ranks[rank * COPIES + 2] > 0
        ]
        under = set(pairs)
        for rank, n in enumerate(held):
            if not n or (n == 2 and rank in under):
                continue
            added: Word = (joined >> 4 * rank) & 15
            if n == 3 and pairs:
                pair = pairs.pop(0)
                more: Word = (joined >> 4 * pair) & 15
                needs = (3 - added) * NIBBLE[rank] + (2 - more) * NIBBLE[pair]
                self._add(plan, Play(HOUSE, rank, 5, added + more, needs))
                continue
            row: Word = rank * COPIES
            while n > 4 and ranks[row + n] == ranks[row + 4] + ranks[row + n - 4]:
                spent: Word = min(added, 4)
                self._add(plan, _alike(rank, 4, spent))
                added -= spent
                n -= 4
            self._add(plan, _alike(rank, n, added))
        for rank, n in ((13, small), (14, big)):
            if n == 2 and ranks[rank * COPIES + 2] < 2 * ranks[rank * COPIES + 1]:
                self._add(plan, _alike(rank, 2, 0))
            else:
                for _ in range(n):
                    self._add(plan, _alike(rank, 1, 0))
        for _ in range(wilds):
            self._add(plan, Play(SINGLE, outlook.level, 1, 1, 0))

    # The search, over counts of ranks.

    def _suitless(self, packed: Word, wilds: Word) -> Found:
        key: Word = packed | wilds << 60
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._search(packed, wilds)
        return found

    def _search(self, packed: Word, wilds: Word) -> Found:
        outlook = self._outlook
        ranks = outlook.ranks
        total: float = wilds * outlook.wild
        for rank in range(13):
            total += ranks[rank * COPIES + ((packed >> 4 * rank) & 15)]
        small: Word = (packed >> 52) & 15
        big: Word = (packed >> 56) & 15
        jokers: float = ranks[13 * COPIES + small] + ranks[14 * COPIES + big]
        if small == big == 2:
            jokers = min(jokers, outlook.joker_bomb)
        total += jokers
        self._best = self._leaf(packed, total, wilds)
        self._best_joined = self._joined
        self._best_path = []
        self._nodes = self._style.nodes
        self._limit = total + self._style.slack
        runs = _possible(packed, wilds) if self._nodes else []
        if runs:
            self._visit(packed, total, wilds, runs, [])
        return Found(self._best, self._best_path, self._best_joined)

    def _visit(
        self, packed: Word, total: float, wilds: Word, runs: list[int], path: list[int]
    ) -> None:
        """Tries what is left of some runs on top of those in `path`, promising ones first."""
        outlook = self._outlook
        ranks = outlook.ranks
        able: list[tuple[float, int]] = []
        for run in runs:
            each: Word = RUN_EACH[run]
            after: float = total + outlook.runs[run]
            lacking: Word = 0
            for rank in RUN_RANKS[run]:
                n: Word = (packed >> 4 * rank) & 15
                place: Word = rank * COPIES + n
                if n < each:
                    lacking += each - n
                    after -= ranks[place]
                else:
                    after += ranks[place - each] - ranks[place]
            if lacking:
                if lacking > 1 or not wilds:
                    continue
                after -= outlook.wild
            if after <= self._limit:
                able.append((after, run * 2 + lacking))
        able.sort()
        left = [code >> 1 for _, code in able]
        for number, (after, code) in enumerate(able):
            if self._nodes <= 0:
                return
            self._nodes -= 1
            run = code >> 1
            each = RUN_EACH[run]
            rest: Word = packed
            for rank in RUN_RANKS[run]:
                n = (packed >> 4 * rank) & 15
                rest -= (min(each, n)) * NIBBLE[rank]
            spare: Word = wilds - (code & 1)
            cost: float = self._leaf(rest, after, spare)
            longer = [*path, code]
            if cost < self._best:
                self._best = cost
                self._best_path = longer
                self._best_joined = self._joined
            if len(longer) < DEPTH_MAX:
                self._visit(rest, after, spare, left[number:], longer)

    def _leaf(self, packed: Word, total: float, wilds: Word) -> float:
        """The cost with pairs under triples and wilds joined to ranks: `_joined` says which."""
        ranks = self._outlook.ranks
        self._joined = 0
        best: float = total
        other: Word = packed ^ _THREES
        other = (other | other >> 1 | other >> 2 | other >> 3) & _ONES
        triples: Word = population(_ONES & ~other)
        rank: Word = 0
        while triples and rank < 13:
            if (packed >> 4 * rank) & 15 == 2 and rank != self._outlook.level:
                triples -= 1
                best -= max(ranks[rank * COPIES + 2], 0.0)
            rank += 1
        if not wilds:
            return best
        # For a wild: the rank that gains most by itself, and a pair to become a triple.
        most: float = 0.0
        gaining: Word = -1
        pair: Word = -1
        for rank in range(13):
            n: Word = (packed >> 4 * rank) & 15
            if n:
                place: Word = rank * COPIES + n
                gain: float = ranks[place] - ranks[place + 1]
                if gain > most:
                    most, gaining = gain, rank
                if n == 2:
                    pair = rank
        joined: Word = 0
        for rank in (gaining, pair) if pair != gaining else (gaining,):
            if rank < 0:
                continue
            place = rank * COPIES + ((packed >> 4 * rank) & 15)
            after: float = total - self._outlook.wild + ranks[place + 1] - ranks[place]
            cost: float = self._leaf(packed + NIBBLE[rank], after, wilds - 1)
            if cost < best:
                best = cost
                joined = self._joined + NIBBLE[rank]
        self._joined = joined
        return best


def _alike(rank: Word, n: Word, wilds: Word) -> Play:
    """Cards of one rank, some of them wilds."""
    return Play(n - 1 if n < 4 else BOMB, rank, n, wilds, (n - wilds) * NIBBLE[rank])


def _pairs(held: list[int], triples: Word, level: Word) -> list[int]:
    """The pairs to put under so many triples: the lowest; a pair of the level's own never."""
    return [rank for rank, n in enumerate(held) if n == 2 and rank != level][:triples]


def _possible(packed: Word, wilds: Word) -> list[int]:
    """Runs that the counts hold, or lack one card of if there is a wild for it."""
    spare: Word = 1 if wilds else 0
    packed &= _COUNTED
    one: Word = ((packed + 7 * _ONES) & _ORDINARY) >> 3
    two: Word = ((packed + 6 * _ONES) & _ORDINARY) >> 3
    three: Word = ((packed + 5 * _ONES) & _ORDINARY) >> 3
    found: list[int] = []
    pairs: Word = _counts_with_low_ace(one + two)
    held: Word = pairs + (pairs >> 4) + (pairs >> 8)
    found += [10 + i for i in range(12) if (held >> 4 * i) & 15 >= 6 - spare]
    triples: Word = _counts_with_low_ace(one + two + three)
    held = triples + (triples >> 4)
    found += [22 + i for i in range(13) if (held >> 4 * i) & 15 >= 6 - spare]
    singles: Word = _counts_with_low_ace(one)
    held = singles + (singles >> 4) + (singles >> 8) + (singles >> 12) + (singles >> 16)
    found += [i for i in range(10) if (held >> 4 * i) & 15 >= 5 - spare]
    return found


def _counts_with_low_ace(packed: Word) -> Word:
    return packed << 4 | packed >> 48
