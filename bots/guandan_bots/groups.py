"""A hand as groups: which plays it falls into at the least cost.

The search goes over straight flushes first, because only there suits matter; what is left is
counts of ranks, from which runs are taken out one after another; the rest goes rank by rank, with
pairs put under triples and wilds where they gain most. It is bounded, not exact: a plan is a good
way to play the hand, and its cost is compared only with that of other plans found the same way.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from guandan_bots.chances import Chances
from guandan_engine.cards import Rank, Suit, minus
from guandan_engine.combos import Combo, reading
from guandan_engine.listing import Holding
from guandan_engine.options import Rules
from guandan_engine.packed import (
    ORDINARY,
    at_least,
    counts,
    five_in_a_row,
    with_low_ace,
)
from guandan_engine.patterns import Move, Row, move_of, pattern_of

__all__ = ["Arranger", "Plan"]

RUN_COST_MAX: Final = 1.2
"""Runs that make a hand so much dearer are not looked at, although a further one, of what they
leave behind, may make up for it: two straights of five pairs do, with 1.1."""
NODES_MAX: Final = 10
"""Sets of runs that are tried for a hand, promising ones first. Four times as many find plans for
27 cards that are cheaper by 0.04 on average, and take twice the time."""
FLUSHES_MAX: Final = 2
"""Straight flushes that are tried; natural ones come first."""


class Run:
    """A straight, tube or plate as the search takes it out: so many of each rank."""

    __slots__ = ("combo", "each", "key", "ranks")

    def __init__(self, combo: Combo, ranks: tuple[int, ...], each: int) -> None:
        self.combo = combo
        self.key = Rank(ranks[-1])
        self.ranks = ranks
        self.each = each


def _runs(combo: Combo, *, span: int, each: int) -> list[Run]:
    ends = (Rank.ACE, *tuple(Rank)[:13])
    return [Run(combo, ends[i : i + span], each) for i in range(len(ends) - span + 1)]


_STRAIGHTS: Final = Row(_runs(Combo.STRAIGHT, span=5, each=1), bit=0)
_TUBES: Final = Row(_runs(Combo.TUBE, span=3, each=2), bit=3)
_PLATES: Final = Row(_runs(Combo.PLATE, span=2, each=3), bit=3)
_STRAIGHT_WINDOWS: Final = int("1" * 10, 16)
_FLUSH_WINDOWS: Final = 15 * _STRAIGHT_WINDOWS
_TUBE_WINDOWS: Final = 8 * int("1" * 12, 16)
_PLATE_WINDOWS: Final = 8 * int("1" * 13, 16)


class Plan:
    """One way to play a hand: its groups as moves, and what they cost."""

    __slots__ = ("cost", "costs", "loose", "moves")

    cost: float
    moves: tuple[Move, ...]
    costs: tuple[float, ...]
    """Of each move."""
    loose: int
    """The hand without the plan's straight flushes: where the other moves take their cards."""

    def __init__(
        self, moves: tuple[Move, ...], costs: tuple[float, ...], *, cost: float, loose: int
    ) -> None:
        self.moves = moves
        self.costs = costs
        self.cost = cost
        self.loose = loose


class _Flush:
    """A straight flush that a hand can make."""

    __slots__ = ("faces", "key", "suit", "wilds")

    def __init__(self, key: Rank, suit: Suit, faces: int, wilds: int) -> None:
        self.key = key
        self.suit = suit
        self.faces = faces
        """Its naturals, as first copies."""
        self.wilds = wilds


_Found = tuple[float, tuple[Run, ...], tuple[int, ...]]
"""Cost, the runs taken out, and the ranks that wilds joined."""


class Arranger:
    """Finds plans for hands of one moment, and remembers what it found."""

    __slots__ = ("_chances", "_level", "_plans", "_ranks", "_rules", "_without_suits")

    def __init__(self, chances: Chances, level: Rank, rules: Rules) -> None:
        self._chances = chances
        self._level = level
        self._rules = rules
        self._ranks = chances.ranks
        self._plans: dict[int, tuple[float, tuple[_Flush, ...]]] = {0: (0.0, ())}
        self._without_suits: dict[int, _Found] = {}

    def cost(self, bits: int) -> float:
        """The cost of the best plan for a hand (see `Cards.bits`)."""
        return self._best(bits)[0]

    def _best(self, bits: int) -> tuple[float, tuple[_Flush, ...]]:
        known = self._plans.get(bits)
        if known is not None:
            return known
        hand = Holding(bits, self._level, self._rules)
        cost = self._suitless(hand.counts, hand.wilds)[0]
        chosen: tuple[_Flush, ...] = ()
        flushes = _flushes(hand)
        for i, first in enumerate(flushes):
            rest = minus(hand.naturals, first.faces)
            wilds = hand.wilds - first.wilds
            found = self._chances.flush + self._suitless(counts(rest), wilds)[0]
            if found < cost:
                cost, chosen = found, (first,)
            for second in flushes[i:]:
                if second.faces & ~rest or second.wilds > wilds:
                    continue
                left = minus(rest, second.faces)
                found = self._suitless(counts(left), wilds - second.wilds)[0]
                found += 2 * self._chances.flush
                if found < cost:
                    cost, chosen = found, (first, second)
        self._plans[bits] = cost, chosen
        return cost, chosen

    def _suitless(self, packed: int, wilds: int) -> _Found:
        key = packed | wilds << 60
        found = self._without_suits.get(key)
        if found is None:
            found = self._without_suits[key] = self._search(packed, wilds)
        return found

    def _search(self, packed: int, wilds: int) -> _Found:
        ranks = self._ranks
        costs = self._chances.costs
        wild = self._chances.wild
        held = [packed >> shift & 15 for shift in range(0, 60, 4)]
        small, big = held[13:]
        del held[13:]
        total = sum([row[n] for row, n in zip(ranks, held, strict=False)]) + wilds * wild
        jokers = ranks[13][small] + ranks[14][big]
        if small == big == 2:
            jokers = min(jokers, self._chances.joker_bomb)
        total += jokers
        cost, joined = self._leaf(held, total, wilds)
        best: _Found = (cost, (), joined)
        nodes = NODES_MAX
        limit = total + RUN_COST_MAX

        def visit(runs: list[Run], total: float, wilds: int, taken: tuple[Run, ...]) -> None:
            nonlocal best, nodes
            if nodes <= 0:
                return
            able: list[tuple[float, int, int]] = []
            for place, run in enumerate(runs):
                each = run.each
                after = total + costs[run.combo][run.key]
                lacking = 0
                for rank in run.ranks:
                    n = held[rank]
                    row = ranks[rank]
                    if n < each:
                        lacking += each - n
                        after -= row[n]
                    else:
                        after += row[n - each] - row[n]
                if lacking:
                    if lacking > wilds or lacking > 1:
                        continue
                    after -= wild
                if after <= limit:
                    able.append((after, place, lacking))
            if not able:
                return
            able.sort()
            left = [runs[place] for _, place, _ in able]
            for i, (after, _, lacking) in enumerate(able):
                if nodes <= 0:
                    return
                nodes -= 1
                run = left[i]
                each = run.each
                before = [held[rank] for rank in run.ranks]
                for rank, n in zip(run.ranks, before, strict=True):
                    held[rank] = n - each if n > each else 0
                cost, joined = self._leaf(held, after, wilds - lacking)
                if cost < best[0]:
                    best = (cost, (*taken, run), joined)
                visit(left[i:], after, wilds - lacking, (*taken, run))
                for rank, n in zip(run.ranks, before, strict=True):
                    held[rank] = n

        runs = _possible_runs(packed, wilds)
        if runs:
            visit(list(runs), total, wilds, ())
        return best

    def _leaf(self, held: list[int], total: float, wilds: int) -> tuple[float, tuple[int, ...]]:
        """The cost once pairs are under triples and wilds have joined ranks; which ranks."""
        ranks = self._ranks
        best = total
        triples = held.count(3)
        if triples:
            best -= self._paired(held, triples)
        if not wilds:
            return best, ()
        joined: tuple[int, ...] = ()
        for rank in self._worth_joining(held):
            n = held[rank]
            held[rank] = n + 1
            after = total - self._chances.wild + ranks[rank][n + 1] - ranks[rank][n]
            cost, more = self._leaf(held, after, wilds - 1)
            held[rank] = n
            if cost < best:
                best, joined = cost, (rank, *more)
        return best, joined

    def _paired(self, held: list[int], triples: int) -> float:
        """What is saved by putting the cheapest pairs under triples."""
        saved = 0.0
        for rank in _pairs(held, triples, self._level):
            saved += max(self._ranks[rank][2], 0)
        return saved

    def _worth_joining(self, held: list[int]) -> list[int]:
        """Ranks for a wild: the one that gains most by itself, and a pair to become a triple."""
        ranks = self._ranks
        best, most = -1, 0.0
        pair = -1
        for rank, n in enumerate(held):
            if n:
                gain = ranks[rank][n] - ranks[rank][n + 1]
                if gain > most:
                    best, most = rank, gain
                if n == 2:
                    pair = rank
        found = [best] if best >= 0 else []
        if pair >= 0 and pair != best:
            found.append(pair)
        return found

    def plan(self, bits: int) -> Plan:
        """The best plan for a hand, its groups in no particular order."""
        cost, flushes = self._best(bits)
        hand = Holding(bits, self._level, self._rules)
        loose, wilds = hand.naturals, hand.wilds
        moves: list[Move] = []
        costs: list[float] = []
        for flush in flushes:
            pattern = pattern_of(reading(Combo.STRAIGHT_FLUSH, flush.key), flush.wilds)
            moves.append(move_of(pattern, flush.faces >> flush.suit, flush.suit))
            costs.append(self._chances.flush)
            loose = minus(loose, flush.faces)
            wilds -= flush.wilds
        packed = counts(loose)
        _, runs, joined = self._suitless(packed, wilds)
        for group, price in self._laid_out(packed, wilds, runs, joined):
            moves.append(group)
            costs.append(price)
        own = bits & ~hand.naturals
        return Plan(tuple(moves), tuple(costs), cost=cost, loose=loose | own)

    def _laid_out(
        self, packed: int, wilds: int, runs: tuple[Run, ...], joined: tuple[int, ...]
    ) -> Iterator[tuple[Move, float]]:
        ranks, costs = self._ranks, self._chances.costs
        held = [packed >> shift & 15 for shift in range(0, 60, 4)]
        for run in runs:
            needs = spent = 0
            for rank in run.ranks:
                n = min(run.each, held[rank])
                held[rank] -= n
                needs += n << 4 * rank
                spent += run.each - n
            wilds -= spent
            yield (
                move_of(pattern_of(reading(run.combo, run.key), spent), needs),
                costs[run.combo][run.key],
            )
        extra = [joined.count(rank) for rank in range(15)]
        wilds -= len(joined)
        if held[13] == held[14] == 2 and self._chances.joker_bomb < ranks[13][2] + ranks[14][2]:
            yield (
                move_of(pattern_of(reading(Combo.JOKER_BOMB), 0), 2 << 4 * 13 | 2 << 4 * 14),
                self._chances.joker_bomb,
            )
            held[13] = held[14] = 0
        whole = [n + more for n, more in zip(held[:13], extra, strict=False)]
        pairs = list(_pairs(whole, whole.count(3), self._level))
        pairs = [rank for rank in pairs if ranks[rank][2] > 0]
        under = set(pairs)
        for rank in range(15):
            n, added = held[rank] + extra[rank], extra[rank]
            row = ranks[rank]
            if not n or rank in under:
                continue
            if n == 3 and pairs:
                pair = pairs.pop(0)
                needs = (3 - added) << 4 * rank | (2 - extra[pair]) << 4 * pair
                pattern = pattern_of(reading(Combo.FULL_HOUSE, Rank(rank)), added + extra[pair])
                yield move_of(pattern, needs), row[3]
                continue
            for part in _parts(row, n):
                spent = min(added, part)
                added -= spent
                yield _alike(Rank(rank), part, spent), row[part]
        for _ in range(wilds):
            yield _alike(Rank(self._level), 1, 1), self._chances.wild


def _parts(row: list[float], n: int) -> Iterator[int]:
    """How n cards of a rank are played at the least cost."""
    if len(row) == 3 and n == 2 and row[2] == 2 * row[1]:  # jokers one by one
        yield 1
        yield 1
        return
    while n > 4 and row[n] == row[4] + row[n - 4]:
        yield 4
        n -= 4
    if n:
        yield n


def _alike(rank: Rank, n: int, wilds: int) -> Move:
    """Cards of one rank, some of them wilds."""
    combo = (Combo.SINGLE, Combo.PAIR, Combo.TRIPLE, Combo.BOMB)[min(n, 4) - 1]
    return move_of(pattern_of(reading(combo, rank, n), wilds), (n - wilds) << 4 * rank)


def _pairs(held: list[int], triples: int, level: Rank) -> Iterator[int]:
    """The pairs to put under so many triples: the lowest; a pair of the level's own never."""
    place = -1
    while triples:
        try:
            place = held.index(2, place + 1)
        except ValueError:
            return
        if place != level:
            triples -= 1
            yield place


def _possible_runs(packed: int, wilds: int) -> tuple[Run, ...]:
    """Runs that the counts hold, or lack one card of if there is a wild for it."""
    one, two = at_least(packed, 1) & ORDINARY, at_least(packed, 2) & ORDINARY
    three = at_least(packed, 3)
    spare = min(wilds, 1)
    five = five_in_a_row(with_low_ace(one >> 3))[spare]
    pairs = with_low_ace((one + two) >> 3)
    tubes = at_least(pairs + (pairs >> 4) + (pairs >> 8), 6 - spare)
    triples = with_low_ace((one + two + three) >> 3)
    plates = at_least(triples + (triples >> 4), 6 - spare)
    return (
        _TUBES[tubes & _TUBE_WINDOWS]
        + _PLATES[plates & _PLATE_WINDOWS]
        + _STRAIGHTS[five & _STRAIGHT_WINDOWS]
    )


def _flushes(hand: Holding) -> list[_Flush]:
    """The straight flushes of a hand with at most one wild, natural ones first."""
    found: list[_Flush] = []
    natural = hand.flushes[0] & _FLUSH_WINDOWS
    windows = [natural]
    if hand.wilds:
        windows.append(hand.flushes[1] & _FLUSH_WINDOWS & ~natural)
    for wilds, mask in enumerate(windows):
        while mask and len(found) < FLUSHES_MAX:
            place = mask.bit_length() - 1  # highest window first
            mask ^= 1 << place
            window, suit = place & ~3, Suit(place & 3)
            faces = hand.faces & 0x11111 << (window + suit)
            faces = faces >> 4 | (faces & 15) << 4 * Rank.ACE
            found.append(_Flush(Rank(window // 4 + 3), suit, faces, wilds))
    return found
