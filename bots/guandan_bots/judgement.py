"""What a seat could play now, each thing weighed: `basic` takes the best, hints show them all.

score = what the hand gets cheaper by        a loser shed is a gain, a control spent a loss
      + what the lead is worth × the chance that the play stands
      + the others: feeding the partner, stopping an opponent who is nearly out
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from guandan_bots.chances import Chances
from guandan_bots.groups import Arranger, Plan
from guandan_bots.reasons import HintReason
from guandan_bots.situation import Situation
from guandan_bots.style import Style
from guandan_engine.cards import Cards, minus
from guandan_engine.combos import Combo, Reading
from guandan_engine.moves import Offer, legal_plays
from guandan_engine.options import Rules
from guandan_engine.packed import counts
from guandan_engine.patterns import Move
from guandan_engine.readings import readings_that_beat
from guandan_engine.views import SeatView

__all__ = ["Judgement", "Option"]

CANDIDATES_MAX: Final = 12
"""Plays that are weighed in full: those that look cheapest. Some 200 µs each, and nobody reads a
longer list of hints."""
SURE: Final = 0.9
"""From that chance on a group counts as a winner."""
RUN_OUT_COST_MAX: Final = 1.3
"""A hand that costs more has two losers at least; its plan need not be looked at."""
HURRY_FROM: Final = 11
"""Cards from which on an opponent comes into sight of its end."""
LAST_PLAY: Final = {1: 1.0, 2: 0.5, 3: 0.35, 5: 0.35, 6: 0.2}
"""By cards left: how likely they are one play. Four are a bomb, and nothing is safe from those."""
ANY_BOMB: Final = 0.85
"""The chance that a bomb stands, while little hangs on it: so the lowest goes first."""
GAIN_MIN: Final = 0.05
"""A play that makes the hand cheaper by that much gets rid of something; others spend strength."""
DECISIVE: Final = 100.0
"""Nothing outweighs going out, the way there, or what must not be done to the partner."""


class Option:
    """A play, or a pass, and what speaks for it."""

    __slots__ = ("damage", "motive", "move", "offer", "score")

    offer: Offer | None
    """None for a pass."""
    move: Move | None
    damage: float
    """By how much the hand gets dearer; negative if it gets rid of a loser."""
    score: float
    motive: HintReason | None
    """What decides, if that is more than the cards themselves."""

    def __init__(
        self,
        offer: Offer | None = None,
        move: Move | None = None,
        *,
        damage: float = 0.0,
        score: float = 0.0,
        motive: HintReason | None = None,
    ) -> None:
        self.offer = offer
        self.move = move
        self.damage = damage
        self.score = score
        self.motive = motive


class Judgement:
    """The options of a seat that has to lead or to follow."""

    options: list[Option]
    """Never empty."""

    def __init__(self, view: SeatView, rules: Rules, style: Style) -> None:
        self._style = style
        self._rules = rules
        self.table = table = Situation(view)
        self._hand = table.hand.bits
        self._plays = legal_plays(table.hand, table.level, rules, table.top)
        self.patterns = self._plays.patterns()
        if not self.patterns:
            self.options = [Option(motive=HintReason.NOTHING_BEATS)]
            return
        last = readings_that_beat(table.hand, table.top, table.level, rules)
        if last:
            offer = Offer(table.hand, last[0])
            self.options = [Option(offer, score=DECISIVE, motive=HintReason.GOES_OUT)]
            return
        self.chances = Chances(table.hidden, table.level, style)
        self._arranger = Arranger(self.chances, table.level, rules)
        self._cost = self._arranger.cost(self._hand)
        top = table.top
        self._plan: Plan | None = None
        self.options = list(self._lead() if top is None else self._follow(top))

    @property
    def best(self) -> Option:
        return max(self.options, key=lambda option: option.score)

    def plan(self) -> Plan:
        """The hand's groups; only where something can be played and does not go out."""
        if self._plan is None:
            self._plan = self._arranger.plan(self._hand)
        return self._plan

    def stands(self, one: Reading) -> float:
        """The chance that a play takes the trick."""
        holds = self.chances.holds(one)
        return holds if one.tier else holds * self.chances.quiet

    def breakage(self, option: Option) -> float:
        """What a play costs beyond itself, because it is no group of the plan."""
        return option.damage + (
            0.0 if option.move is None else self.chances.cost(option.move.reading)
        )

    def threat(self, one: Reading, answering: tuple[int, ...]) -> float:
        """The chance that an opponent, of these cards left, goes out on that play."""
        size = one.size
        if size not in answering:
            return 0.0
        return answering.count(size) * LAST_PLAY.get(size, 0.0) * self.chances.outdone(one)

    def _runs_out(self, rest: int, cost: float) -> bool:
        """Can a hand be played out once it has the lead, losing it with the last group only?"""
        if cost > RUN_OUT_COST_MAX:
            return False
        groups = [move.reading for move in self._arranger.plan(rest).moves]
        return sum([not one.tier and self.chances.holds(one) < SURE for one in groups]) <= 1

    # Following.

    def _follow(self, top: Reading) -> Iterator[Option]:
        table, style = self.table, self._style
        near = max(HURRY_FROM - table.nearest, 0) / (HURRY_FROM - 1)
        lead = style.lead * (1 + style.hurry * near * near)
        passing = -style.danger * self.threat(top, table.to_answer)
        if table.by_partner:
            passing += lead * (self.stands(top) if table.to_answer else 1.0)
        elif table.partner_answers:
            passing += lead * style.trust
        yield Option(score=passing)
        for move in self._candidates():
            cards = self._plays.cards(move)
            rest = minus(self._hand, cards.bits)
            cost = self._arranger.cost(rest)
            damage = cost - self._cost
            runs_out = self._runs_out(rest, cost)
            one = move.reading
            at_ease = not runs_out and table.nearest > style.save_until
            stands = ANY_BOMB if one.tier and at_ease else self.stands(one)
            score = (lead + style.finish * runs_out) * stands - damage
            score -= style.danger * self.threat(one, table.opponents)
            if at_ease:
                score -= self._saving(top, move, damage=damage, cost=cost)
            if table.by_partner and not (
                self._on_partner(top, move, damage) or (runs_out and not one.tier)
            ):
                score -= DECISIVE
            motive = HintReason.RUNS_OUT if runs_out else None
            yield Option(Offer(cards, one), move, damage=damage, score=score, motive=motive)

    def _saving(self, top: Reading, move: Move, *, damage: float, cost: float) -> float:
        """What speaks against a strong play while nobody is near the end; `cost`: of the rest."""
        style = self._style
        if move.reading.tier:
            return max(0.0, cost - style.bomb_rest)
        if damage <= -GAIN_MIN:
            return 0.0
        low = self.chances.holds(top) <= style.low_top
        return style.save_strong if move.wilds or low else 0.0

    def _on_partner(self, top: Reading, move: Move, damage: float) -> bool:
        """May a play go on the partner's, although it does not go out?"""
        table, style = self.table, self._style
        if move.reading.tier:
            return False
        if self.threat(top, table.to_answer):
            return True  # an opponent would go out on it
        return damage <= -style.small and self.stands(top) <= style.weak and not move.wilds

    def _candidates(self) -> list[Move]:
        """For each pattern the move that looks cheapest, and of these the cheapest."""
        packed = counts(self._hand)
        held = [packed >> shift & 15 for shift in range(0, 60, 4)]
        found: list[tuple[float, int, Move]] = []
        for pattern in self.patterns:
            moves = self._plays.moves(pattern)
            seen = [self._first_sight(move, held) for move in moves]
            least = min(seen)
            found.append((least, len(found), moves[seen.index(least)]))
            if len(moves) > 1 and pattern.reading.combo is Combo.FULL_HOUSE:
                # The lowest pair may belong to a tube; the plan knows which ones are free.
                free = self._free_pairs() & ~(15 << 4 * (pattern.reading.key or 0))
                fitting = [pair for pair in zip(seen, moves, strict=True) if pair[1].needs & free]
                if fitting:
                    first, move = min(fitting, key=lambda pair: pair[0])
                    if move is not found[-1][2]:
                        found.append((first, len(found), move))
        found.sort()
        return [move for _, _, move in found[:CANDIDATES_MAX]]

    def _free_pairs(self) -> int:
        """The ranks, a nibble each, whose pairs the plan has alone or under a triple."""
        free = 0
        for move in self.plan().moves:
            combo, key = move.reading.combo, move.reading.key or 0
            if combo is Combo.PAIR:
                free |= 15 << 4 * key
            elif combo is Combo.FULL_HOUSE:
                for shift in range(0, 60, 4):
                    if move.needs >> shift & 15 and shift != 4 * key:
                        free |= 15 << shift
        return free

    def _first_sight(self, move: Move, held: list[int]) -> float:
        """What a move costs if every rank is played by itself."""
        ranks = self.chances.ranks
        damage = -move.wilds * self.chances.wild
        needs, rank = move.needs, 0
        while needs:
            k = needs & 15
            if k:
                row, n = ranks[rank], held[rank]
                damage += row[n - k] - row[n]
            needs >>= 4
            rank += 1
        return damage

    # Leading.

    def _lead(self) -> Iterator[Option]:
        plan = self.plan()
        # Bombs may be bombed, and keep better behind: whoever has one leads the loser first.
        finishing = sum([self.chances.holds(move.reading) < SURE for move in plan.moves]) <= 1
        spare = legal_plays(Cards(plan.loose), self.table.level, self._rules)
        known = set()
        for move, cost in zip(plan.moves, plan.costs, strict=True):
            one = move.reading
            if one in known:
                continue
            known.add(one)
            # Straight flushes have their cards; the others must leave them alone.
            cards = (spare if move.suit is None else self._plays).cards(move)
            if one.combo is Combo.STRAIGHT and Offer(cards, one) not in self._plays:
                continue  # its ranks are held in one suit only
            option = self._weighed(move, cards, damage=-cost, plan=plan)
            if finishing and self.chances.holds(one) >= SURE:
                # Winners first, so that the one loser goes last; bombs after them.
                option.score += DECISIVE if one.tier else 2 * DECISIVE
                option.motive = HintReason.RUNS_OUT
            yield option
        for move in self._splits():
            if move.reading not in known:
                known.add(move.reading)
                cards = self._plays.cards(move)
                damage = self._arranger.cost(minus(self._hand, cards.bits)) - self._cost
                yield self._weighed(move, cards, damage=damage, plan=plan)

    def _weighed(self, move: Move, cards: Cards, *, damage: float, plan: Plan) -> Option:
        table, style = self.table, self._style
        one = move.reading
        stands = self.stands(one)
        score = style.lead * stands - damage + style.shed * max(0, one.size - 3)
        retaking = [
            self.stands(other.reading)
            for other in plan.moves
            if other is not move and other.reading.combo is one.combo
        ]
        score += style.back * (1 - stands) * max(retaking, default=0)
        score -= style.danger * self.threat(one, table.opponents)
        if table.partner == one.size:
            score += style.feed * LAST_PLAY.get(one.size, 0.0) * (1 - stands)
        return Option(Offer(cards, one), move, damage=damage, score=score)

    def _splits(self) -> Iterator[Move]:
        """The lowest and the highest single and pair, though the plan may want them otherwise.

        To feed the partner, and to keep from going out an opponent with a card or two.
        """
        for combo in (Combo.SINGLE, Combo.PAIR):
            of = [one for one in self.patterns if one.reading.combo is combo and not one.wilds]
            for pattern in of[:1] + of[-1:]:
                yield self._plays.moves(pattern)[0]
