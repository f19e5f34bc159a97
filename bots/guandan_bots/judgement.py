"""What a seat could do now, each thing weighed: `basic` takes the best, hints show them all.

    score = what the hand's cost falls by            a loser shed is a gain, a control spent a loss
          + what the lead is worth × the chance that the play stands
          + the others: feeding the partner, stopping an opponent who is nearly out
"""

from __future__ import annotations

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
from guandan_engine.patterns import Move, Pattern
from guandan_engine.readings import readings_that_beat
from guandan_engine.views import SeatView

__all__ = ["Judgement", "Rated"]

CANDIDATES_MAX: Final = 14
"""Plays that are weighed in full; those that look cheapest at first sight."""
SHED: Final = {Combo.FULL_HOUSE: .1, Combo.STRAIGHT: .1, Combo.TUBE: .15, Combo.PLATE: .15}
SURE: Final = 0.9
"""From that chance on a group counts as a winner."""
LAST_GROUP: Final = {1: 1.0, 2: 0.5, 3: 0.35, 5: 0.35, 6: 0.2}
"""By cards left: how likely those are a single play of the size."""
DECISIVE: Final = 100.0
"""Going out, and running out: nothing outweighs them."""


class Rated:
    """A play, or a pass (no offer), and what speaks for it."""

    __slots__ = ("damage", "motive", "move", "offer", "score")

    def __init__(
        self,
        offer: Offer | None,
        move: Move | None,
        *,
        damage: float,
        score: float,
        motive: HintReason | None,
    ) -> None:
        self.offer = offer
        self.move = move
        self.damage = damage
        """By how much the hand gets dearer; negative if it gets rid of something."""
        self.score = score
        self.motive = motive
        """What decided it, if that is more than the cards themselves."""


class Judgement:
    """The options of a seat that has to lead or to follow."""

    def __init__(self, view: SeatView, rules: Rules, style: Style) -> None:
        self.style = style
        self.rules = rules
        self.table = table = Situation(view)
        self.hand = table.hand.bits
        self.plays = legal_plays(table.hand, table.level, rules, table.top)
        self.patterns = self.plays.patterns()
        self.options: list[Rated] = []
        near = min([n for n in (table.next, table.prev) if n], default=27)
        self._near=near
        near_ = (max(11 - near, 0) / 10) ** style.hurry_pow
        self._hurry = 1 + style.hurry * near_
        if not self.patterns:
            self._add_pass(0.0, HintReason.NOTHING_BEATS)
            return
        self.chances = Chances(table.hidden, table.level, style)
        self.arranger = Arranger(self.chances, table.level, rules)
        self.plan = self.arranger.plan(self.hand)
        packed = counts(self.hand)
        self._held = [packed >> shift & 15 for shift in range(0, 60, 4)]
        self._wild_rank = table.level
        self._go_out()
        if table.top is None:
            self._lead()
        else:
            self._follow(table.top)

    @property
    def best(self) -> Rated:
        return max(self.options, key=lambda option: option.score)

    def _add_pass(self, score: float, motive: HintReason | None) -> None:
        self.options.append(Rated(None, None, damage=0, score=score, motive=motive))

    def _go_out(self) -> None:
        table = self.table
        for one in readings_that_beat(table.hand, table.top, table.level, self.rules)[:1]:
            offer = Offer(table.hand, one)
            self.options.append(
                Rated(offer, None, damage=-self.plan.cost, score=2*DECISIVE,
                      motive=HintReason.GOES_OUT)
            )

    # Following.

    def _follow(self, top: Reading) -> None:
        table, style = self.table, self.style
        lead = style.lead * self._hurry
        threat = self._threat(top, table.to_answer)
        if table.by_partner:
            keeps = self._stands(top) if table.to_answer else 1.0
            passing = lead * keeps - style.danger * threat
        else:
            passing = (lead * style.trust if table.partner_answers else 0.0) - style.danger * threat
        self._add_pass(passing, None)
        for move in self._candidates():
            self._weigh_follow(move)

    def _weigh_follow(self, move: Move) -> None:
        cards = self.plays.cards(move)
        rest = minus(self.hand, cards.bits)
        if not rest:
            return
        one = move.reading
        cost = self.arranger.cost(rest)
        damage = cost - self.plan.cost
        table, style = self.table, self.style
        if table.by_partner and not self._may_beat_partner(one, damage):
            return
        stands = self._stands(one)
        motive = None
        lead = style.lead * self._hurry * max(0.2, 1 + style.slope * (2 - cost))
        if cost < 1.3 and self._runs_out(rest):
            lead += style.finish
            motive = HintReason.RUNS_OUT
        threat = self._threat(one, (table.next, table.prev))
        score = -damage + lead * stands - style.danger * threat
        if one.tier and motive is None:
            score -= style.reserve
            if self._near > style.res_near:
                score -= style.res_cost * max(0.0, cost - style.res_from)
        elif damage > 0:
            if self._near > style.res_near:
                score -= style.control
        self.options.append(
            Rated(Offer(cards, one), move, damage=damage, score=score, motive=motive)
        )

    def _may_beat_partner(self, one: Reading, damage: float) -> bool:
        if one.tier or damage > -self.style.over_damage:
            return False
        top = self.table.top
        assert top is not None
        return self._stands(top) < self.style.over_top

    def _stands(self, one: Reading) -> float:
        holds = self.chances.holds(one)
        return holds if one.tier else holds * self.chances.quiet

    def _threat(self, one: Reading, answering: tuple[int, ...]) -> float:
        threat = 0.0
        for left in answering:
            if left == one.size:
                threat += LAST_GROUP.get(left, 0.0) * (1 - self.chances.holds(one))
        return threat

    def _runs_out(self, rest: int) -> bool:
        return self._losers(self.arranger.plan(rest)) <= 1

    def _losers(self, plan: Plan) -> int:
        return sum([self.chances.holds(move.reading) < SURE for move in plan.moves])

    def _candidates(self) -> list[Move]:
        found = []
        for place, pattern in enumerate(self.patterns):
            first, move = min(
                [(self._first_sight(move), move) for move in self.plays.moves(pattern)],
                key=lambda pair: pair[0],
            )
            found.append((first, place, move))
        found.sort()
        return [move for _, _, move in found[:CANDIDATES_MAX]]

    def _first_sight(self, move: Move) -> float:
        rows, held = self.chances.ranks, self._held
        damage = -move.wilds * self.chances.wild
        needs, rank = move.needs, 0
        while needs:
            k = needs & 15
            if k:
                row, n = rows[rank], held[rank]
                damage += row[n - k] - row[n]
            needs >>= 4
            rank += 1
        return damage

    # Leading.

    def _lead(self) -> None:
        plan = self.plan
        losers = self._losers(plan)
        spare = legal_plays(Cards(plan.loose), self.table.level, self.rules)
        seen = set()
        for move, cost in zip(plan.moves, plan.costs, strict=True):
            one = move.reading
            if one in seen:
                continue
            seen.add(one)
            cards = self.plays.cards(move) if move.suit is not None else spare.cards(move)
            if cards.bits == self.hand:
                continue
            motive = None
            extra = 0.0
            if losers <= 1 and self.chances.holds(one) >= SURE:
                extra = DECISIVE + (0 if one.tier else 1)
                motive = HintReason.RUNS_OUT
            self._weigh_lead(move, cards, -cost, extra, motive)
        for move in self._splits():
            if move.reading not in seen:
                cards = self.plays.cards(move)
                rest = minus(self.hand, cards.bits)
                if rest:
                    damage = self.arranger.cost(rest) - plan.cost
                    self._weigh_lead(move, cards, damage, 0.0, None)

    def _splits(self) -> list[Move]:
        found = []
        for combo in (Combo.SINGLE, Combo.PAIR):
            of = [p for p in self.patterns if p.reading.combo is combo and not p.wilds]
            if of:
                found += [self.plays.moves(of[0])[0], self.plays.moves(of[-1])[0]]
        return found

    def _weigh_lead(self, move, cards, damage, extra, motive) -> None:
        table, style = self.table, self.style
        lead = style.keep
        one = move.reading
        stands = self._stands(one)
        score = -damage + lead * stands + extra
        score += style.shed * SHED.get(one.combo, 0.0)
        score -= style.danger_lead * self._threat(one, (table.next, table.prev))
        if table.partner == one.size:
            score += style.feed * LAST_GROUP.get(one.size, 0.0) * (1 - stands)
        self.options.append(
            Rated(Offer(cards, one), move, damage=damage, score=score, motive=motive)
        )
