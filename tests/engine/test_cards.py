"""A multiset of faces against `collections.Counter`, which is what it says it is."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guandan_engine.cards import (
    CARDS,
    FULL_PACK,
    NO_CARDS,
    Card,
    Cards,
    Rank,
    Suit,
    card_of,
    minus,
    rank_of,
    suit_of,
    wild_of,
)
from tests.engine.strategies import faces, levels, multisets


def fits(counter: Counter[Card]) -> bool:
    return all(n <= 2 for n in counter.values())


@given(multisets())
def test_a_multiset_counts_as_a_counter_does(drawn: list[Card]) -> None:
    cards, counter = Cards.of(drawn), Counter(drawn)
    assert list(cards) == sorted(counter.elements())
    assert list(cards.faces()) == sorted(counter)
    assert len(cards) == counter.total()
    for face in CARDS:
        assert cards.count(face) == counter[face]
        assert (face in cards) == (face in counter)


@given(multisets(most=40), multisets(most=40))
def test_two_multisets(one: list[Card], other: list[Card]) -> None:
    a, b = Cards.of(one), Cards.of(other)
    of_a, of_b = Counter(one), Counter(other)
    assert (a <= b) == (of_a <= of_b)
    assert (a == b) == (of_a == of_b)
    assert a != b or hash(a) == hash(b)
    if fits(of_a + of_b):
        assert a + b == Cards.of((of_a + of_b).elements())
    else:
        with pytest.raises(ValueError, match="third copy"):
            a + b


@given(multisets(most=60), st.data())
def test_taking_away_undoes_adding(drawn: list[Card], data: st.DataObject) -> None:
    taken = data.draw(st.lists(st.sampled_from(drawn), unique=True) if drawn else st.just([]))
    all_of_it, part = Cards.of(drawn), Cards.of(taken)
    left = all_of_it - part
    assert part <= all_of_it
    assert left == Cards.of((Counter(drawn) - Counter(taken)).elements())
    assert left + part == all_of_it
    assert minus(all_of_it.bits, part.bits) == left.bits


@given(multisets(), multisets())
def test_a_multiset_has_one_int(one: list[Card], other: list[Card]) -> None:
    a, b = Cards.of(one), Cards.of(reversed(one))
    assert a.bits == b.bits
    assert (Cards.of(other).bits == a.bits) == (Counter(one) == Counter(other))
    assert not (a.bits >> 60) & ~a.bits  # no second copy without a first one


@given(faces)
def test_a_face_has_a_rank_and_a_suit(face: Card) -> None:
    assert card_of(rank_of(face), suit_of(face)) == face


def test_all_faces_in_their_order() -> None:
    ordinary = [card_of(rank, suit) for rank in list(Rank)[:13] for suit in Suit]
    assert list(CARDS) == [*ordinary, card_of(Rank.SMALL_JOKER), card_of(Rank.BIG_JOKER)]
    assert len(set(CARDS)) == 54
    assert list(FULL_PACK) == sorted(2 * CARDS)
    assert not len(NO_CARDS)


@given(levels)
def test_the_wild_is_the_heart_of_the_level(level: Rank) -> None:
    assert (rank_of(wild_of(level)), suit_of(wild_of(level))) == (level, Suit.HEART)


@given(faces)
def test_a_third_copy_is_refused(face: Card) -> None:
    with pytest.raises(ValueError, match="third copy"):
        Cards.of([face] * 3)


@pytest.mark.parametrize("face", [-1, 53, 54, 55, 57, 60, 1 << 70])
def test_a_face_that_is_none_is_refused(face: int) -> None:
    with pytest.raises(ValueError, match="no such face"):
        Cards.of([Card(face)])
    assert face not in FULL_PACK


def test_a_joker_has_no_suit() -> None:
    assert card_of(Rank.SMALL_JOKER, Suit.CLUB) == card_of(Rank.SMALL_JOKER)


def test_other_things_are_no_cards() -> None:
    assert Cards() != 0
    assert "S5" not in FULL_PACK


@given(multisets(least=1))
def test_a_hand_does_not_print_itself(drawn: list[Card]) -> None:
    assert repr(Cards.of(drawn)) == f"<Cards {len(drawn)}>"
