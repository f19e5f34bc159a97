"""What stands against the cards that a seat has not seen, and what each group is worth by that.

From how many higher plays are to be expected against us follows the chance that a play stands, and
from that what it costs to hold it.

    near 1      only gets played when we have the lead, and loses it
    negative    brings the lead back; bombs do so at any time
"""

from __future__ import annotations

from typing import Final

from guandan_bots.club.style import ClubStyle
from guandan_bots.club.table import (
    BOMB,
    FLUSH,
    HOUSE,
    JOKER_BOMB,
    ODDS,
    PAIR,
    PLACES,
    PLATE,
    RUN_KEY,
    RUN_KIND,
    RUN_RANKS,
    SINGLE,
    STRAIGHT,
    TIERS,
    TRIPLE,
    Play,
    Table,
    Word,
    height,
)

__all__ = ["COPIES", "Outlook", "outlook_of"]

RANKS: Final = 15
COPIES: Final = 11
"""Cards of a rank that a hand can play together, and none: eight, and two wilds."""
_KEYED: Final = (PLATE + 1) * RANKS
_RUNS: Final = len(RUN_KEY)
_LAST: Final[tuple[float, ...]] = (0.0, 1.0, 0.5, 0.35, 0.0, 0.35, 0.2)
"""By cards left: how likely they are one play. Four are a bomb, and nothing is safe from those."""


class Outlook:
    """Chances and costs of one decision."""

    __slots__ = (
        "above",
        "bombs",
        "costs",
        "flush",
        "holds_of",
        "joker_bomb",
        "large",
        "level",
        "quiet",
        "ranks",
        "runs",
        "wild",
    )

    def __init__(
        self, level: Word, unseen: Word, after: Word, before: Word, style: ClubStyle
    ) -> None:
        """`unseen` as in `Table`; `after` and `before` are the opponents' cards."""
        self.level: Word = level
        self.holds_of: list[float] = [0.0] * _KEYED
        """[kind * 15 + key] the chance that no opponent answers with more of the same."""
        self.bombs: list[float] = [0.0] * RANKS
        """By rank: the chance that nothing falls on a bomb of four."""
        self.large: float = 1.0
        """The same of any larger one."""
        self.quiet: float = 1.0
        """The chance that nobody bombs a play that is no bomb."""
        self.above: list[float] = [0.0] * RANKS
        """By rank: the share of higher cards in what is unseen."""
        self.costs: list[float] = [0.0] * _KEYED
        """[kind * 15 + key] what such a group costs."""
        self.ranks: list[float] = [0.0] * (RANKS * COPIES)
        """[rank * COPIES + n] what n cards of a rank cost, played in the cheapest way."""
        self.runs: list[float] = [0.0] * _RUNS
        """By run, the same as in `costs`."""
        self.wild: float = 0.0
        """The cost of a wild that is left alone."""
        self.flush: float = 0.0
        self.joker_bomb: float = 0.0
        self._look(unseen, after, before, style)
        self._price(style)

    def _look(self, unseen: Word, after: Word, before: Word, style: ClubStyle) -> None:
        held = [(unseen >> 4 * rank) & 15 for rank in range(RANKS)]
        total = max(sum(held), 1)
        # By size of a play: how many opponents have the cards for it, and where in ODDS they are.
        hands: list[float] = []
        places: list[int] = []
        for size in range(7):
            least = size if size > 0 else 1
            able = (1 if after >= least else 0) + (1 if before >= least else 0)
            cards = (after if after >= least else 0) + (before if before >= least else 0)
            hands.append(float(able))
            places.append(round(cards / able / total * PLACES) * 54 if able else 0)
        self._look_at_ranks(held, hands, places, (after + before) / total, style)
        for first, last, size, each in ((0, 10, 5, 1), (10, 22, 6, 2), (22, _RUNS, 6, 3)):
            base = places[size] + each * 9
            expected = 0.0
            for run in range(last - 1, first - 1, -1):
                place = RUN_KIND[run] * RANKS + RUN_KEY[run]
                self.holds_of[place] = 1 / (1 + style.answer_run * expected)
                likely = hands[size]
                for rank in RUN_RANKS[run]:
                    likely *= ODDS[base + held[rank]]
                expected += likely

    def _look_at_ranks(
        self,
        held: list[int],
        hands: list[float],
        places: list[int],
        share: float,
        style: ClubStyle,
    ) -> None:
        level = self.level
        descending = [14, 13, level] + [rank for rank in range(12, -1, -1) if rank != level]
        twos, threes, fours, fives = (places[k] + k * 9 for k in range(2, 6))
        large = sum([hands[5] * ODDS[fives + n] for n in held if n > 4])
        singles = pairs = triples = bombs = 0.0
        total = max(sum(held), 1)
        holds = self.holds_of
        for rank in descending:
            holds[SINGLE * RANKS + rank] = 1 / (1 + style.answer_single * share * singles)
            holds[PAIR * RANKS + rank] = 1 / (1 + style.answer_pair * pairs)
            triple = 1 / (1 + style.answer_triple * triples)
            holds[TRIPLE * RANKS + rank] = holds[HOUSE * RANKS + rank] = triple
            self.bombs[rank] = 1 / (1 + style.answer_bomb * (bombs + large))
            self.above[rank] = singles / total
            n = held[rank]
            if n:
                singles += n
                pairs += hands[2] * ODDS[twos + n]
                triples += hands[3] * ODDS[threes + n]
                bombs += hands[4] * ODDS[fours + n]
        self.quiet = 1 / (1 + style.answer_bomb * (bombs + large))
        self.large = 1 / (1 + style.answer_bomb * large)

    def _price(self, style: ClubStyle) -> None:
        gain = 1 + style.winner
        costs = self.costs = [1 - gain * chance for chance in self.holds_of]
        self.runs = [costs[RUN_KIND[run] * RANKS + RUN_KEY[run]] for run in range(_RUNS)]
        bombs = [-style.bomb - style.bomb_step * (tier - 1) for tier in TIERS]
        self.flush = -style.bomb - style.bomb_step * 2
        self.joker_bomb = -style.bomb - style.bomb_step * 8
        ranks: list[float] = []
        for rank in range(13):
            row = [0.0, costs[rank], costs[PAIR * RANKS + rank], costs[TRIPLE * RANKS + rank]]
            # Of two bombs of a size the higher one is a little better.
            small = height(rank, self.level) * style.bomb_step / 16
            row += [bomb - small for bomb in bombs[4:]]
            for n in range(5, COPIES):  # a bomb and the rest may be better than one bomb
                row[n] = min(row[n], row[4] + row[n - 4])
            ranks += row
        for rank in (13, 14):
            single, pair = costs[rank], costs[PAIR * RANKS + rank]
            ranks += [0.0, single, min(pair, 2 * single)] + [0.0] * (COPIES - 3)
        self.ranks = ranks
        self.wild = costs[self.level] - style.wild

    def holds(self, kind: Word, key: Word, size: Word) -> float:
        """The chance that no opponent answers with more of the same; 1 is certain.

        Of bombs it is the chance that no higher one falls on them.
        """
        if kind < BOMB:
            return self.holds_of[kind * RANKS + key]
        if kind == JOKER_BOMB:
            return 1.0
        if kind == FLUSH or size > 4:
            return self.large
        return self.bombs[key]

    def stands(self, kind: Word, key: Word, size: Word) -> float:
        """The chance that a play takes the trick."""
        holds = self.holds(kind, key, size)
        return holds if kind >= BOMB else holds * self.quiet

    def cost(self, play: Play) -> float:
        """What a group costs."""
        if play.kind < BOMB:
            return self.costs[play.kind * RANKS + play.key]
        if play.kind == JOKER_BOMB:
            return self.joker_bomb
        if play.kind == FLUSH:
            return self.flush
        return self.ranks[play.key * COPIES + play.size]

    def first_sight(self, play: Play, packed: Word) -> float:
        """What a play costs a hand of such counts if every rank is played by itself."""
        ranks = self.ranks
        cost: float = -play.wilds * self.wild
        needs: Word = play.needs
        row: Word = 0
        while needs:
            k: Word = needs & 15
            if k:
                n: Word = packed & 15
                cost += ranks[row + n - k] - ranks[row + n]
            needs >>= 4
            packed >>= 4
            row += COPIES
        return cost

    def threat(self, kind: Word, key: Word, size: Word, after: Word, before: Word) -> float:
        """The chance that an opponent, of those with so many cards, goes out on a play."""
        able = (1 if after == size else 0) + (1 if before == size else 0)
        if not able or size > 6:
            return 0.0
        if kind < STRAIGHT:  # a last card or two are not spared
            return able * _LAST[size] * self.above[key]
        return able * _LAST[size] * (1 - self.holds(kind, key, size))

    def fits(self, size: Word, left: Word) -> float:
        """How likely it is that somebody's last cards are a play of that size."""
        return _LAST[size] if left == size and size < len(_LAST) else 0.0


def outlook_of(table: Table, style: ClubStyle) -> Outlook:
    """The outlook of a seat."""
    return Outlook(table.level, table.unseen, table.after, table.before, style)
