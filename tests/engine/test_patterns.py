"""Patterns and moves exist once each, and a move's naturals fit its pattern."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from guandan_engine.cards import Rank, Suit
from guandan_engine.combos import READINGS, Combo, Reading, reading
from guandan_engine.order import LEVELS, height
from guandan_engine.patterns import (
    ALIKE,
    FULL_HOUSE,
    FULL_HOUSE_SPLITS,
    JOKER_BOMB,
    JOKER_PAIRS,
    JOKER_SINGLES,
    NATURALS_MAX,
    NONE_ALIKE,
    PLATES,
    ROWS_MAX,
    STRAIGHT_FLUSHES,
    STRAIGHTS,
    TUBES,
    WILD_PAIR,
    WILD_SINGLE,
    Alike,
    Move,
    Pattern,
    Row,
    full_house_moves,
    move_of,
    pattern_of,
    plate_moves,
    same_rank_move,
    straight_flush_moves,
    straight_moves,
    tube_moves,
)
from tests.engine.test_packed import nibbles, packed_of

OF_A_RANK = {Combo.SINGLE, Combo.PAIR, Combo.TRIPLE, Combo.BOMB}
RUN_ORDER = [Rank.ACE, *list(Rank)[:13]]


def readings_of(combo: Combo) -> st.SearchStrategy[Reading]:
    return st.sampled_from([one for one in READINGS if one.combo is combo])


def patterns(combo: Combo) -> st.SearchStrategy[Pattern]:
    return st.builds(pattern_of, readings_of(combo), st.integers(0, 2))


def naturals(move: Move) -> list[Rank]:
    return [rank for rank, n in zip(Rank, nibbles(move.needs), strict=True) for _ in range(n)]


def once(moves: tuple[Move, ...]) -> None:
    assert len(set(moves)) == len(moves)
    for move in moves:
        assert move_of(move.pattern, move.needs, move.suit) is move
        assert len(naturals(move)) + move.wilds == move.reading.size


@given(st.sampled_from(READINGS), st.integers(0, 2))
def test_patterns_are_interned(one: Reading, wilds: int) -> None:
    pattern = pattern_of(one, wilds)
    assert pattern_of(one, wilds) is pattern
    assert (pattern.reading, pattern.wilds) == (one, wilds)


@given(st.integers(0, (1 << 15) - 1), st.integers(0, 3))
def test_a_row_is_its_items_by_bit(chosen: int, bit: int) -> None:
    row = Row(range(15), bit=bit)
    mask = packed_of([(chosen >> i & 1) << bit for i in range(15)])
    assert row[mask] == tuple(i for i in range(15) if chosen >> i & 1)
    assert row[mask] is row[mask]


def ranks_in(ranks: list[Rank]) -> int:
    return sum(8 << 4 * rank for rank in ranks)


rank_sets = st.lists(st.sampled_from(LEVELS), unique=True)


@given(st.sampled_from(LEVELS), st.integers(1, 8), rank_sets)
def test_what_ranks_with_so_many_naturals_give(
    level: Rank, naturals: int, ranks: list[Rank]
) -> None:
    group = ALIKE[level][naturals][ranks_in(ranks)]
    order = sorted(ranks, key=lambda rank: height(rank, level))
    for wilds in range(3):
        size = naturals + wilds
        expected = [one for one in READINGS if one.size == size and one.combo in OF_A_RANK]
        by_rank = {one.key: one for one in expected}
        assert [p.reading for p in group[wilds]] == [by_rank[r] for r in order if r in by_rank]
        assert {p.wilds for p in group[wilds]} <= {wilds}
    houses = order if naturals <= 3 else []
    assert [p.reading for p in group[FULL_HOUSE]] == [
        reading(Combo.FULL_HOUSE, rank) for rank in houses
    ]
    assert {p.wilds for p in group[FULL_HOUSE]} <= {3 - naturals}


def test_a_table_forgets_rather_than_grow() -> None:
    table = Alike(Rank.TWO, 1)
    for chosen in range(ROWS_MAX + 10):
        ranks = [rank for rank in LEVELS if chosen >> rank & 1]
        assert len(table[ranks_in(ranks)][0]) == len(ranks)
        assert len(table) <= ROWS_MAX


def test_nothing_alike() -> None:
    assert ALIKE[Rank.TWO][4][0] == NONE_ALIKE
    assert ALIKE[Rank.TWO][0][ranks_in(list(LEVELS))] == NONE_ALIKE  # wilds alone are the level's


def test_tables_hold_every_reading_by_wilds() -> None:
    every = ranks_in(list(LEVELS))
    alike = [ALIKE[Rank.NINE][n][every] for n in range(NATURALS_MAX + 1)]
    found = {pattern for group in alike for row in group for pattern in row}
    jokers = packed_of([0] * 13 + [8, 8])
    found |= {*JOKER_SINGLES[jokers], *JOKER_PAIRS[jokers], JOKER_BOMB, *WILD_SINGLE, *WILD_PAIR}
    for rows, size in ((STRAIGHTS, 10), (STRAIGHT_FLUSHES, 10), (TUBES, 12), (PLATES, 13)):
        for wilds, row in enumerate(rows):
            items = {item for bit in range(4) for item in row[packed_of([1 << bit] * size)]}
            assert {pattern.wilds for pattern in items} == {wilds}
            found |= items
    assert {pattern.reading for pattern in found} == set(READINGS)


@given(st.one_of(*[patterns(c) for c in (Combo.SINGLE, Combo.PAIR, Combo.TRIPLE, Combo.BOMB)]))
def test_moves_of_one_rank(pattern: Pattern) -> None:
    wilds = min(pattern.wilds, pattern.reading.size)
    move = same_rank_move(pattern_of(pattern.reading, wilds))
    once((move,))
    assert set(naturals(move)) <= {pattern.reading.key}


def test_the_joker_bomb_is_the_four_jokers() -> None:
    assert naturals(same_rank_move(JOKER_BOMB)) == [Rank.SMALL_JOKER] * 2 + [Rank.BIG_JOKER] * 2


@given(patterns(Combo.FULL_HOUSE), st.integers(0, (1 << 15) - 1))
def test_moves_of_a_full_house(pattern: Pattern, ranks: int) -> None:
    key = pattern.reading.key
    assert key is not None
    ranks &= ~(1 << key)
    able = [rank for rank in Rank if ranks >> rank & 1]
    for triple, pair in FULL_HOUSE_SPLITS[pattern.wilds]:
        assert triple + pair + pattern.wilds == 5
        moves = full_house_moves(
            pattern, triple, pair, packed_of([8 * (ranks >> r & 1) for r in Rank])
        )
        once(moves)
        expected = [sorted([key] * triple + [other] * pair) for other in able]
        assert list(map(naturals, moves)) == (expected if pair else [[key] * triple])


def expected_run(pattern: Pattern, held: list[int], each: int) -> list[list[Rank]]:
    """Ways to fill a run from what is held, by brute force."""
    top = pattern.reading.key
    assert top is not None
    span = len(held)
    window = RUN_ORDER[top - span + 2 : top + 2]
    return sorted(
        sorted(rank for rank, n in zip(window, use, strict=True) for _ in range(n))
        for use in product(*[range(min(each, have) + 1) for have in held])
        if sum(use) == span * each - pattern.wilds
    )


def held_in(span: int, most: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, most), min_size=span, max_size=span)


@given(patterns(Combo.STRAIGHT), held_in(5, 1))
def test_moves_of_a_straight(pattern: Pattern, held: list[int]) -> None:
    moves = straight_moves(pattern, packed_of(held))
    once(moves)
    assert sorted(map(naturals, moves)) == expected_run(pattern, held, each=1)


@given(patterns(Combo.STRAIGHT_FLUSH), held_in(5, 1), st.sampled_from(Suit))
def test_moves_of_a_straight_flush(pattern: Pattern, held: list[int], suit: Suit) -> None:
    moves = straight_flush_moves(pattern, packed_of(held), suit)
    once(moves)
    assert {move.suit for move in moves} <= {suit}
    assert sorted(map(naturals, moves)) == expected_run(pattern, held, each=1)


@given(patterns(Combo.TUBE), held_in(3, 2))
def test_moves_of_a_tube(pattern: Pattern, held: list[int]) -> None:
    moves = tube_moves(pattern, packed_of(held))
    once(moves)
    assert sorted(map(naturals, moves)) == expected_run(pattern, held, each=2)


@given(patterns(Combo.PLATE), held_in(2, 3))
def test_moves_of_a_plate(pattern: Pattern, held: list[int]) -> None:
    moves = plate_moves(pattern, packed_of(held))
    once(moves)
    assert sorted(map(naturals, moves)) == expected_run(pattern, held, each=3)


def test_wilds_fill_the_lowest_holes_first() -> None:
    run = pattern_of(reading(Combo.STRAIGHT, Rank.NINE), 1)
    first, *_, last = straight_moves(run, packed_of([1] * 5))
    assert naturals(first) == [Rank.SIX, Rank.SEVEN, Rank.EIGHT, Rank.NINE]
    assert naturals(last) == [Rank.FIVE, Rank.SIX, Rank.SEVEN, Rank.EIGHT]


def test_the_repr_names_pattern_and_suit() -> None:
    flush = pattern_of(reading(Combo.STRAIGHT_FLUSH, Rank.FIVE), 0)
    (move,) = straight_flush_moves(flush, packed_of([1] * 5), Suit.CLUB)
    assert repr(flush) == "<<straight_flush-5 FIVE> with 0 wild>"
    assert "in CLUB" in repr(move)
