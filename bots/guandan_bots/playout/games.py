"""The rest of a hand, played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from guandan_bots.playout.figures import (
    BOMB,
    BOMB_SIZES,
    CHANCE,
    FIRSTS,
    FULL_HOUSE,
    LAST_PLAY,
    NO_JOKERS,
    NOTHING,
    PAIR,
    PLACES,
    PLATE,
    SINGLE,
    SIZES,
    STRAIGHT,
    SURE,
    TRIPLE,
    TUBE,
    Habits,
    Prices,
)
from guandan_bots.playout.hands import Hand

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["Game"]

RUN_OUT_GROUPS: Final = 6
"""With more groups there are two losers, nearly always."""
RUN_OUT_COST_MAX: Final = 130
LOSERS_SEEN: Final = 5
"""With more losers not even triples take enough pairs with them."""
ANY_BOMB: Final = 85
"""The chance that a bomb stands while little hangs on it: so the lowest goes first."""


class Game:
    """A hand in play. Seats are 0..3; the table is empty if `kind` is NOTHING."""

    def __init__(self, prices: Prices) -> None:
        self.hands: list[Hand] = [Hand(), Hand(), Hand(), Hand()]
        self.habits: list[Habits] = [Habits(), Habits(), Habits(), Habits()]
        self.pairs: i64 = NO_JOKERS
        """Heights that a full house takes its pair from."""
        self.turn: i64 = 0
        self.kind: i64 = 0
        self.top: i64 = 0
        """The bit of the play to beat, or a bomb's code."""
        self.by: i64 = 0
        self.placed: i64 = 0
        self.places: i64 = 0
        """Who is out, two bits each, the first lowest."""
        self.chance: i64 = 0
        self.prices = prices
        # Of the decision at hand: the opponents' cards, what the lead is worth, the best so far.
        self.after: i64 = 0
        self.near: i64 = 0
        self.worth: i64 = 0
        self.best: i64 = 0
        self.choice: i64 = 0
        self.choice_bit: i64 = 0
        self.story: list[int] | None = None
        """Gets a number for each decision, if somebody wants to know: see `told`."""

    def begin(
        self, hands: list[Hand], turn: i64, kind: i64, top: i64, by: i64, out: list[int], seed: i64
    ) -> None:
        """Sets a table up; `out` are those who have gone out, in order. The hands are copied."""
        i: i64
        for i in range(4):
            self.hands[i].become(hands[i])
        self.turn = turn
        self.kind = kind
        self.top = top
        self.by = by
        self.placed = 0
        self.places = 0
        for seat in out:
            self._place(seat)
        self.chance = seed & CHANCE

    def _place(self, seat: i64) -> None:
        self.places |= seat << 2 * self.placed
        self.placed += 1

    def play(self) -> i64:
        """Plays on to the end; who comes first in the lowest two bits, and so on."""
        hands = self.hands
        seat: i64 = self.turn
        if self._is_over():
            return self._finish()
        while True:
            hand = hands[seat]
            if self.kind and seat == self.by:
                self.kind = NOTHING
                if not hand.cards:
                    seat ^= 2  # jiefeng
                    continue
            if not hand.cards:
                seat = (seat + 1) & 3
                continue
            if self.kind:
                if not self.follow(seat, hand):
                    seat = (seat + 1) & 3
                    continue
            else:
                self.lead(seat, hand)
            self.by = seat
            if not hand.cards:
                self._place(seat)
                if self._is_over():
                    return self._finish()
            seat = (seat + 1) & 3

    def _is_over(self) -> bool:
        """Are three out, or both partners?"""
        return self.placed > 2 or (self.placed == 2 and not (self.places ^ self.places >> 2) & 1)

    def _finish(self) -> i64:
        """The places, with those who still hold cards in turn order after the last one out."""
        if self.placed == 4:
            return self.places
        last: i64 = self.places >> 2 * (self.placed - 1) & 3
        i: i64
        for i in range(1, 4):
            seat: i64 = (last + i) & 3
            if self.hands[seat].cards:
                self._place(seat)
        return self.places

    # What a decision does to hand and table.

    def _put(self, seat: i64, hand: Hand, kind: i64, bit: i64, second: i64) -> None:
        """Plays; what is no group of its own is split off a pair or a triple."""
        costs = self.prices.costs
        loses = self.prices.loses
        size: i64 = SIZES[kind]
        place: i64 = 0
        if kind == BOMB:
            above: i64 = hand.bombs
            below: i64 = 0
            shift: i64 = 0
            while (above & 255) != bit:
                below |= (above & 255) << shift
                above >>= 8
                shift += 8
            hand.bombs = below | above >> 8 << shift
            hand.groups -= 1
            hand.cost -= costs[16 * BOMB + (bit >> 4)]
            size = BOMB_SIZES[bit >> 4]
        else:
            place = PLACES[bit % 61]
            if kind == SINGLE and not hand.single & bit:
                if hand.pair & bit:
                    hand.pair ^= bit
                    hand.single |= bit
                    hand.cost += costs[16 * SINGLE + place] - costs[16 * PAIR + place]
                    hand.losers += loses[16 * SINGLE + place] - loses[16 * PAIR + place]
                else:
                    hand.triple ^= bit
                    hand.pair |= bit
                    hand.cost += costs[16 * PAIR + place] - costs[16 * TRIPLE + place]
                    hand.losers += loses[16 * PAIR + place] - loses[16 * TRIPLE + place]
            elif kind == PAIR and not hand.pair & bit:
                hand.triple ^= bit
                hand.single |= bit
                hand.cost += costs[16 * SINGLE + place] - costs[16 * TRIPLE + place]
                hand.losers += loses[16 * SINGLE + place] - loses[16 * TRIPLE + place]
            else:
                hand.groups -= 1
                hand.cost -= costs[16 * kind + place]
                hand.losers -= loses[16 * kind + place]
                if kind == SINGLE:
                    hand.single ^= bit
                elif kind == PAIR:
                    hand.pair ^= bit
                elif kind == TRIPLE:
                    hand.triple ^= bit
                elif kind == FULL_HOUSE:
                    hand.triple ^= bit
                    hand.pair ^= second
                    hand.groups -= 1
                    hand.cost -= costs[16 * PAIR + PLACES[second % 61]]
                    hand.losers -= loses[16 * PAIR + PLACES[second % 61]]
                elif kind == STRAIGHT:
                    hand.straight ^= bit << 16 if hand.straight & bit << 16 else bit
                elif kind == TUBE:
                    hand.tube ^= bit << 16 if hand.tube & bit << 16 else bit
                else:
                    hand.plate ^= bit << 16 if hand.plate & bit << 16 else bit
        hand.cards -= size
        self.kind = kind
        self.top = bit
        if self.story is not None:
            self.story.append(seat | kind << 2 | bit << 6 | second << 24)

    def _draw(self) -> i64:
        """Fifteen bits of chance."""
        self.chance = (self.chance * 1664525 + 1013904223) & CHANCE
        return self.chance >> 16

    def _under(self, hand: Hand) -> i64:
        """The pair that should go under a triple; 0 if none."""
        pair: i64 = hand.pair & self.pairs & self.prices.cheap
        return pair & -pair

    def _look_round(self, seat: i64) -> None:
        """How near the opponents are to their end, and so what the lead is worth."""
        habits = self.habits[seat]
        after: i64 = self.hands[(seat + 1) & 3].cards
        before: i64 = self.hands[(seat + 3) & 3].cards
        near: i64 = after if after and (after < before or not before) else before
        self.after = after
        self.near = near
        self.worth = habits.lead
        if near <= 10:
            self.worth += habits.lead * habits.hurry * (11 - near) * (11 - near) // 10000

    def _threat(self, weight: i64, size: i64, stands: i64) -> i64:
        """What it counts that somebody goes out on a play which is as large as their hand."""
        return weight * LAST_PLAY[size] * (100 - stands) // 10000

    # Leading.

    def lead(self, seat: i64, hand: Hand) -> None:
        """Plays the group that should go now."""
        if hand.groups == 1 or (
            hand.groups == 2 and hand.cards == 5 and hand.triple and hand.pair & self.pairs
        ):
            self._lead_last(seat, hand)
            return
        if not (hand.single | hand.pair | hand.triple | hand.straight | hand.tube | hand.plate):
            self._put(seat, hand, BOMB, hand.bombs & 255, 0)
            return
        if hand.groups <= RUN_OUT_GROUPS and self._run_out(seat, hand):
            return
        self._look_round(seat)
        draw: i64 = self._draw()
        self.best = -10000
        low: i64 = hand.single & -hand.single
        if low:
            self._weigh(seat, SINGLE, low, draw)
            if self.near == 1:
                self._weigh(seat, SINGLE, highest(hand.single), draw)
        elif self.hands[seat ^ 2].cards == 1:
            low = hand.pair & ~hand.fixed
            if low:
                self._weigh(seat, SINGLE, low & -low, 0)  # split for the partner's last card
        low = hand.pair & -hand.pair
        if low:
            self._weigh(seat, PAIR, low, draw >> 3)
        pair: i64 = 0
        low = hand.triple & -hand.triple
        if low:
            pair = self._under(hand)
            self._weigh(seat, FULL_HOUSE if pair else TRIPLE, low, draw >> 6)
        low = hand.straight & -hand.straight & FIRSTS
        if low:
            self._weigh(seat, STRAIGHT, low, draw >> 9)
        low = hand.tube & -hand.tube & FIRSTS
        if low:
            self._weigh(seat, TUBE, low, draw >> 4)
        low = hand.plate & -hand.plate & FIRSTS
        if low:
            self._weigh(seat, PLATE, low, draw >> 5)
        self._put(
            seat, hand, self.choice, self.choice_bit, pair if self.choice == FULL_HOUSE else 0
        )

    def _weigh(self, seat: i64, kind: i64, bit: i64, draw: i64) -> None:
        """Is that the best lead so far?"""
        habits = self.habits[seat]
        at: i64 = 16 * kind + PLACES[bit % 61]
        stands: i64 = self.prices.stands[at]
        size: i64 = SIZES[kind]
        points: i64 = habits.lead * stands // 100 + self.prices.costs[at]
        points += draw % 8 * habits.noise // 8
        if size > 3:
            points += habits.shed * (size - 3)
        if self.hands[seat ^ 2].cards == size:
            points += self._threat(habits.feed, size, stands)
        if self.hands[(seat + 1) & 3].cards == size:
            points -= self._threat(habits.danger, size, stands)
        if self.hands[(seat + 3) & 3].cards == size:
            points -= self._threat(habits.danger, size, stands)
        if points > self.best:
            self.best = points
            self.choice = kind
            self.choice_bit = bit

    def _lead_last(self, seat: i64, hand: Hand) -> None:
        """The whole hand is one play."""
        if hand.groups == 2:
            self._put(seat, hand, FULL_HOUSE, hand.triple, hand.pair)
        elif hand.single:
            self._put(seat, hand, SINGLE, hand.single, 0)
        elif hand.pair:
            self._put(seat, hand, PAIR, hand.pair, 0)
        elif hand.triple:
            self._put(seat, hand, TRIPLE, hand.triple, 0)
        elif hand.straight:
            self._put(seat, hand, STRAIGHT, hand.straight, 0)
        elif hand.tube:
            self._put(seat, hand, TUBE, hand.tube, 0)
        elif hand.plate:
            self._put(seat, hand, PLATE, hand.plate, 0)
        else:
            self._put(seat, hand, BOMB, hand.bombs, 0)

    def _run_out(self, seat: i64, hand: Hand) -> bool:
        """Leads a winner if no more than one group can lose the lead; else nothing.

        Tubes and plates count as winners, as hardly anybody has a higher one.
        """
        a = self.hands[(seat + 1) & 3]
        b = self.hands[seat ^ 2]
        c = self.hands[(seat + 3) & 3]
        triples: i64 = a.triple | b.triple | c.triple
        pairs: i64 = a.pair | b.pair | c.pair | triples
        singles: i64 = hand.single & ~_below(a.single | b.single | c.single | pairs)
        pairs = hand.pair & ~_below(pairs)
        triples = hand.triple & ~_below(triples)
        runs: i64 = hand.straight & FIRSTS
        straights: i64 = runs & ~_below((a.straight | b.straight | c.straight) & FIRSTS)
        # Each kind's losers apart from the others': bits of their own, so that two show.
        losers: i64 = (hand.single ^ singles) | (hand.pair ^ pairs) << 16
        more: i64 = (hand.triple ^ triples) | (runs ^ straights) << 16
        if losers & (losers - 1) or more & (more - 1) or (losers and more):
            return False
        if hand.straight >> 16 & (runs ^ straights):
            return False
        if singles:
            self._put(seat, hand, SINGLE, singles & -singles, 0)
        elif triples:
            pair: i64 = self._under(hand)
            self._put(seat, hand, FULL_HOUSE if pair else TRIPLE, triples & -triples, pair)
        elif pairs:
            self._put(seat, hand, PAIR, pairs & -pairs, 0)
        elif straights:
            self._put(seat, hand, STRAIGHT, straights & -straights, 0)
        else:
            return False
        return True

    # Following.

    def follow(self, seat: i64, hand: Hand) -> bool:
        """Plays on the table, or passes: then the answer is False."""
        if self._answer(seat, hand):
            return True
        if self.story is not None:
            self.story.append(seat)
        return False

    def _answer(self, seat: i64, hand: Hand) -> bool:
        kind: i64 = self.kind
        if kind == BOMB:
            if self.by == seat ^ 2:
                return hand.groups == 1 and self._bomb(seat, hand, self.top)
            return self._bomb_if_worth(seat, hand, self.top)
        above: i64 = self.groups(hand, kind) & -(self.top + self.top)
        pair: i64 = 0
        if kind == FULL_HOUSE and above:
            pair = self._under(hand)
            if not pair and hand.cards == 5:
                pair = hand.pair & self.pairs
            if not pair:
                above = 0
        if above and hand.cards == SIZES[kind]:
            self._put(seat, hand, kind, above, pair)
            return True
        self._look_round(seat)
        if self.by == seat ^ 2:
            if above:
                return self._on_mate(seat, hand, above, pair)
            return hand.groups == 1 and self._bomb(seat, hand, 0)
        self.best = self._passing(seat) + self._draw() % 8 * self.habits[seat].noise // 8
        self.choice_bit = 0
        if above:
            self._try_groups(seat, hand, above, pair)
        if kind <= PAIR:
            self._try_splits(seat, hand)
        if hand.bombs and self._bomb_points(seat, hand, hand.bombs & 255) > self.best:
            return self._bomb(seat, hand, 0)
        if not self.choice_bit:
            return False
        self._put(seat, hand, kind, self.choice_bit, pair)
        return True

    def groups(self, hand: Hand, kind: i64) -> i64:
        """The mask of a hand's groups of a kind."""
        if kind == SINGLE:
            return hand.single
        if kind == PAIR:
            return hand.pair
        if kind <= FULL_HOUSE:
            return hand.triple
        if kind == STRAIGHT:
            return hand.straight & FIRSTS
        if kind == TUBE:
            return hand.tube & FIRSTS
        return hand.plate & FIRSTS

    def _passing(self, seat: i64) -> i64:
        """What a pass is worth: the partner may take the trick, an opponent may go out."""
        if self.by != (seat + 3) & 3:
            return 0
        habits = self.habits[seat]
        points: i64 = 0
        if self.hands[seat ^ 2].cards:
            points = self.worth * habits.trust // 100
        size: i64 = SIZES[self.kind]
        if self.kind < BOMB and self.after == size:
            stands: i64 = self.prices.stands[16 * self.kind + PLACES[self.top % 61]]
            points -= self._threat(habits.danger, size, stands)
        return points

    def _try_groups(self, seat: i64, hand: Hand, above: i64, pair: i64) -> None:
        """The lowest group above the table, and the highest if somebody could go out on it."""
        costs = self.prices.costs
        free: i64 = costs[16 * PAIR + PLACES[pair % 61]] if pair else 0
        base: i64 = 16 * self.kind
        low: i64 = above & -above
        self._try(seat, hand, low, costs[base + PLACES[low % 61]] + free)
        if above != low and self.after == SIZES[self.kind]:
            low = highest(above)
            self._try(seat, hand, low, costs[base + PLACES[low % 61]] + free)

    def _try_splits(self, seat: i64, hand: Hand) -> None:
        """A single or a pair of a triple, a single of a pair."""
        costs = self.prices.costs
        kind: i64 = self.kind
        able: i64 = -(self.top + self.top) & ~hand.fixed
        bit: i64 = hand.triple & able
        place: i64
        if bit:
            bit &= -bit
            place = PLACES[bit % 61]
            left: i64 = costs[16 * PAIR + place] if kind == SINGLE else costs[16 * SINGLE + place]
            self._try(seat, hand, bit, costs[16 * TRIPLE + place] - left)
        bit = hand.pair & able
        if kind == SINGLE and bit:
            bit = highest(bit) if self.after == 1 else bit & -bit
            place = PLACES[bit % 61]
            self._try(seat, hand, bit, costs[16 * PAIR + place] - costs[16 * SINGLE + place])

    def _try(self, seat: i64, hand: Hand, bit: i64, gain: i64) -> None:
        """Is that the best answer so far? `gain`: what the hand gets cheaper by."""
        habits = self.habits[seat]
        at: i64 = 16 * self.kind + PLACES[bit % 61]
        stands: i64 = self.prices.stands[at]
        points: i64 = self.worth * stands // 100 + gain
        if hand.losers <= LOSERS_SEEN and self._runs_out(
            hand, hand.cost - gain, hand.losers - self.prices.loses[at]
        ):
            points += habits.finish * stands // 100
        elif self.near > habits.save_until and gain < 5:
            table: i64 = self.prices.stands[16 * self.kind + PLACES[self.top % 61]]
            if table <= habits.low_top or hand.fixed & bit:
                points -= habits.save_strong
        size: i64 = SIZES[self.kind]
        if self.after == size:
            points -= self._threat(habits.danger, size, stands)
        if points > self.best:
            self.best = points
            self.choice_bit = bit

    def _runs_out(self, hand: Hand, cost: i64, losers: i64) -> bool:
        """Can a hand be played out once it has the lead, losing it with its last group only?"""
        pair: i64 = hand.pair & self.pairs & self.prices.cheap
        triple: i64 = hand.triple
        while pair and triple:
            cost -= self.prices.costs[16 * PAIR + PLACES[(pair & -pair) % 61]]
            losers -= 1
            pair &= pair - 1
            triple &= triple - 1
        return losers <= 1 and cost <= RUN_OUT_COST_MAX

    def _bomb_points(self, seat: i64, hand: Hand, code: i64) -> i64:
        """What a bomb on an opponent's play is worth."""
        habits = self.habits[seat]
        at: i64 = 16 * BOMB + (code >> 4)
        stands: i64 = self.prices.stands[at]
        gain: i64 = self.prices.costs[at]
        rest: i64 = hand.cost - gain
        if self._runs_out(hand, rest, hand.losers):
            return (self.worth + habits.finish) * stands // 100 + gain
        if self.near <= habits.save_until:
            return self.worth * stands // 100 + gain
        pair: i64 = hand.pair & self.pairs & self.prices.cheap
        triple: i64 = hand.triple
        while pair and triple:
            rest -= self.prices.costs[16 * PAIR + PLACES[(pair & -pair) % 61]]
            pair &= pair - 1
            triple &= triple - 1
        if rest > habits.bomb_rest:
            gain -= rest - habits.bomb_rest
        return self.worth * ANY_BOMB // 100 + gain

    def _bomb_if_worth(self, seat: i64, hand: Hand, top: i64) -> bool:
        """An answer to an opponent's bomb."""
        bombs: i64 = hand.bombs
        while bombs and (bombs & 255) <= top:
            bombs >>= 8
        if not bombs:
            return False
        self._look_round(seat)
        if self._bomb_points(seat, hand, bombs & 255) <= self._passing(seat):
            return False
        self._put(seat, hand, BOMB, bombs & 255, 0)
        return True

    def _on_mate(self, seat: i64, hand: Hand, above: i64, pair: i64) -> bool:
        """On the partner's play: to block an opponent, or to be rid of something small."""
        kind: i64 = self.kind
        stands: i64 = self.prices.stands[16 * kind + PLACES[self.top % 61]]
        if self.after == SIZES[kind] and stands < SURE:
            self._put(seat, hand, kind, highest(above), pair)
            return True
        habits = self.habits[seat]
        low: i64 = above & -above
        at: i64 = 16 * kind + PLACES[low % 61]
        gain: i64 = self.prices.costs[at]
        if gain < habits.small or stands > habits.weak:
            return False
        if pair:
            gain += self.prices.costs[16 * PAIR + PLACES[pair % 61]]
        if not self.after:
            stands = 100
        if self.worth * self.prices.stands[at] // 100 + gain <= self.worth * stands // 100:
            return False
        self._put(seat, hand, kind, low, pair)
        return True

    def _bomb(self, seat: i64, hand: Hand, top: i64) -> bool:
        """Plays the lowest bomb above `top`; False if there is none."""
        bombs: i64 = hand.bombs
        while bombs:
            if (bombs & 255) > top:
                self._put(seat, hand, BOMB, bombs & 255, 0)
                return True
            bombs >>= 8
        return False


def highest(mask: i64) -> i64:
    """The highest bit of a mask."""
    while mask & (mask - 1):
        mask &= mask - 1
    return mask


def _below(mask: i64) -> i64:
    """All bits of sixteen up to the highest of a mask."""
    mask |= mask >> 1
    mask |= mask >> 2
    mask |= mask >> 4
    return mask | mask >> 8
