"""Play-outs keep to the referee's rules, step by step, and compiled ones are the plain ones."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from attrs import evolve

from guandan_bots import playout
from guandan_bots.arena import compare
from guandan_bots.basic import BasicPolicy
from guandan_bots.club.grouping import Grouper
from guandan_bots.club.outlook import Outlook
from guandan_bots.club.policy import STYLE
from guandan_bots.playout import Game, Hand, Part, Prices, Worlds, arrange
from guandan_bots.policy import policy
from guandan_bots.positions import (
    arranged,
    kind_of,
    pairs_under,
    planned,
    prices_of,
    reading_of,
    top_of,
)
from guandan_engine import commands
from guandan_engine.cards import CARDS, HALF, LOW, Card, Cards, Rank, rank_of, suit_of, wild_of
from guandan_engine.combos import READINGS
from guandan_engine.machine import step
from guandan_engine.moves import Offer, legal_plays
from guandan_engine.notation import parse_cards
from guandan_engine.options import Rules
from guandan_engine.order import LEVELS, height
from guandan_engine.phases import Following, HandOver, Leading, MatchOver
from guandan_engine.scoring import Standing
from guandan_engine.seats import Seat, Team
from guandan_engine.state import Match, new_match

ROOT = Path(__file__).resolve().parents[2]
HANDS = 120


def outlook(level: Rank) -> Outlook:
    unseen = sum([n << 4 * rank for rank, n in enumerate([6] * 13 + [2, 2])])
    return Outlook(int(level), unseen, 27, 27, STYLE)


def opening(level: Rank) -> Prices:
    """Prices where nobody has shown a card."""
    return prices_of(outlook(level), level)


def dealt(seed: str, rules: Rules, level: Rank) -> Match:
    standing = evolve(Standing.start(), levels=dict.fromkeys(Team, level), active=level)
    match = evolve(new_match(rules), standing=standing)
    return step(match, commands.StartHand(Random(seed).randbytes(32)))[0]


def order(game: Game) -> list[int]:
    """Plays on to the end; the seats as they went out."""
    ended = game.play()
    return [ended >> 2 * place & 3 for place in range(4)]


class Pool:
    """A hand's cards by the groups that it was arranged in: what each play of a story takes."""

    def __init__(self, hand: Cards, parts: list[Part], level: Rank) -> None:
        self._left = list(hand)
        self._level = level
        self._groups: list[tuple[int, int, list[Card]]] = []
        # Straight flushes have their cards; straights must not all be of a suit.
        for part in sorted(parts, key=lambda p: (p[4] < 0, p[0] != playout.STRAIGHT)):
            self._groups.append((part[0], part[1], self._cards_of(part)))
        assert not self._left

    def _cards_of(self, part: Part) -> list[Card]:
        kind, _, needs, wilds, suit = part
        wild = wild_of(self._level)
        found = [wild] * wilds
        for _ in range(wilds):
            self._left.remove(wild)
        for rank in Rank:
            able = [c for c in self._left if rank_of(c) == rank and c != wild]
            able = [c for c in able if suit < 0 or suit_of(c) == suit]
            for card in able[: needs >> 4 * rank & 15]:
                self._left.remove(card)
                found.append(card)
        if kind == playout.STRAIGHT and len({suit_of(card) for card in found}) == 1:
            card, other = next(
                (card, other)
                for card in found
                for other in self._left
                if rank_of(other) == rank_of(card) and suit_of(other) != suit_of(card)
            )
            found[found.index(card)] = other
            self._left[self._left.index(other)] = card
        return found

    def take(self, kind: int, bit: int, second: int) -> Cards:
        if kind == playout.FULL_HOUSE:
            cards = self._take(playout.TRIPLE, bit) + self._take(playout.PAIR, second)
        elif kind <= playout.PAIR:
            cards = self._split(kind, bit)
        else:
            cards = self._take(kind, bit)
        return Cards.of(cards)

    def _take(self, kind: int, bit: int) -> list[Card]:
        group = next(group for group in self._groups if group[:2] == (kind, bit))
        self._groups.remove(group)
        return group[2]

    def _split(self, size: int, bit: int) -> list[Card]:
        """From a group of that size, else from the next larger one of the rank."""
        for kind in range(size, playout.TRIPLE + 1):
            for group in self._groups:
                if group[:2] == (kind, bit):
                    self._groups.remove(group)
                    if kind > size:
                        self._groups.append((kind - size, bit, group[2][size:]))
                    return group[2][:size]
        raise AssertionError("there is no such group")


def replay(seed: int, rules: Rules, level: Rank) -> int:
    """Plays a hand out, and everything again through the machine; how many decisions it took."""
    match = dealt(f"playout/{seed}", rules, level)
    prices = opening(level)
    hands: list[Hand] = []
    pools: list[Pool] = []
    for cards in match.hands:
        parts: list[Part] = []
        hands.append(arranged(cards.bits, level, prices, parts))
        pools.append(Pool(cards, parts, level))
        assert (hands[-1].cards, hands[-1].groups) == (27, len(parts))
    assert isinstance(match.phase, Leading)
    game = Game(prices)
    game.pairs = pairs_under(jokers=rules.full_house_joker_pair)
    game.story = []
    game.begin(hands, match.phase.turn - 1, playout.NOTHING, 0, 0, [], seed)
    ended = order(game)
    for told in game.story:
        seat = Seat((told & 3) + 1)
        kind, bit, second = told >> 2 & 15, told >> 6 & 0x3FFFF, told >> 24
        assert isinstance(match.phase, Leading | Following)
        assert match.phase.turn == seat
        if kind == playout.NOTHING:
            match = step(match, commands.Pass(seat))[0]
            continue
        top = match.phase.top if isinstance(match.phase, Following) else None
        one = reading_of(kind, bit, level)
        plays = legal_plays(match.hands[seat - 1], level, rules, top)
        assert any(pattern.reading is one for pattern in plays.patterns())
        offer = Offer(pools[seat - 1].take(kind, bit, second), one)
        assert offer in plays
        match = step(match, commands.Play(seat, offer.cards, one))[0]
    assert isinstance(match.phase, HandOver | MatchOver)
    assert match.phase.outcome.finish == tuple(seat + 1 for seat in ended)
    return len(game.story)


def test_every_step_is_legal_and_the_machine_ends_the_same_way() -> None:
    decisions = 0
    for seed in range(HANDS):
        rules = Rules(first_lead="random", full_house_joker_pair=bool(seed & 1))
        decisions += replay(seed, rules, LEVELS[seed % len(LEVELS)])
    assert 60 < decisions / HANDS < 120


def test_a_seed_is_a_game() -> None:
    prices = opening(Rank.TWO)
    hands = [arranged(c.bits, Rank.TWO, prices) for c in dealt("s", Rules(), Rank.TWO).hands]
    game = Game(prices)
    ends = []
    for seed in (1, 1, *range(2, 40)):
        game.begin(hands, 0, playout.NOTHING, 0, 0, [], seed)
        ends.append(game.play())
    assert ends[0] == ends[1]
    assert len(set(ends)) > 1


def test_a_hand_that_is_over_is_not_played_on() -> None:
    game = Game(opening(Rank.TWO))
    left = arranged(parse_cards("S3 D4").bits, Rank.TWO, game.prices)
    game.begin([Hand(), left, Hand(), left], 1, playout.SINGLE, 1, 2, [0, 2], 1)
    assert order(game) == [0, 2, 3, 1]
    assert order(game) == [0, 2, 3, 1]


def test_the_partner_leads_when_nobody_answers_a_last_play() -> None:
    game = Game(opening(Rank.TWO))
    low, pairs = (
        arranged(parse_cards(text).bits, Rank.TWO, game.prices) for text in ("S3 D5", "S4 D4")
    )
    # Seat 0 has gone out on an ace; seats 1 and 3 cannot beat it, and seat 2 goes out with a lead.
    ace = top_of(reading_of(playout.SINGLE, 1 << height(Rank.ACE, Rank.TWO), Rank.TWO), Rank.TWO)
    game.begin([Hand(), low, pairs, low], 1, playout.SINGLE, ace, 0, [0], 1)
    assert order(game)[:2] == [0, 2]


@pytest.mark.parametrize("level", [Rank.TWO, Rank.NINE, Rank.ACE])
def test_readings_come_back_from_figures(level: Rank) -> None:
    for one in READINGS:
        assert reading_of(kind_of(one), top_of(one, level), level) is one


def test_an_arranged_hand_keeps_its_best_groups() -> None:
    parts: list[Part] = []
    hand = arranged(
        parse_cards("S3 S4 S5 S6 S7 H9 S9 C9 H2 X X Y Y DK").bits,
        Rank.TWO,
        opening(Rank.TWO),
        parts,
    )
    found = {reading_of(part[0], part[1], Rank.TWO).combo.value for part in parts}
    assert found == {"straight_flush", "bomb", "joker_bomb", "single"}
    assert (hand.cards, hand.groups, hand.bombs) == (14, 4, 0x90_35_17)


def test_a_plan_is_kept_whole() -> None:
    chance = Random(4)
    for number in range(150):
        level = LEVELS[number % len(LEVELS)]
        prices = opening(level)
        cards = Cards.of(chance.sample(2 * CARDS, chance.randint(1, 27)))
        plan = Grouper(outlook(level), STYLE).plan(cards.bits & LOW, cards.bits >> HALF)
        hand = planned(plan, level, prices)
        assert hand.cards == len(cards)
        game = Game(prices)
        low = arranged(parse_cards("S3 D5").bits, level, prices)
        game.begin([hand, low, low, low], 0, playout.NOTHING, 0, 0, [], number)
        assert sorted(order(game)) == [0, 1, 2, 3]


def worlds_of(pull: int) -> Worlds:
    """Forty cards for three seats, of whom only one may hold the first, and one a king."""
    cards = Random(2).sample(2 * CARDS, 40)
    seats = [0b0010, *[0b1010 if rank_of(card) == Rank.KING else 0b1110 for card in cards[1:]]]
    bits = [1 << card for card in cards]
    return Worlds(bits, seats, [0, 14, 14, 12], [*[pull] * 4, 0], 0, opening(Rank.TWO), 5)


def test_a_world_deals_each_card_to_somebody_who_may_hold_it() -> None:
    worlds = worlds_of(20)
    worlds.deal()
    for _ in range(20):
        worlds.stir(24)
        assert [hand.cards for hand in worlds.hands] == [0, 14, 14, 12, 0]
        whole = Cards()
        for low, high, hand in zip(worlds.lows, worlds.highs, worlds.hands[:4], strict=True):
            cards = Cards(low | high << HALF)
            assert len(cards) == hand.cards
            whole += cards
        assert sorted(1 << card for card in whole) == sorted(worlds.cards)
        assert worlds.lows[1] & worlds.cards[0]
        assert not any(rank_of(card) == Rank.KING for card in Cards(worlds.lows[2]))


def test_stirring_finds_the_hands_that_people_keep() -> None:
    costs = []
    for pull in (0, 20):
        worlds = worlds_of(pull)
        total = 0
        for _ in range(30):
            worlds.deal()
            worlds.stir(150)
            total += sum(hand.cost for hand in worlds.hands)
        costs.append(total / 30)
    assert costs[1] < costs[0] - 100


def test_the_policy_of_play_outs_plays_sensibly() -> None:
    found = compare(BasicPolicy(), policy("random"), Rules(), deals=4, seed="basic")
    assert found.net_levels > 2
    assert found.hands_won > 0.8


def test_it_says_which_one_is_at_work() -> None:
    assert playout.kind() in {"plain", "compiled"}
    assert arrange(0, 0, 0, opening(Rank.TWO)).cards == 0
    assert LOW.bit_length() == HALF
