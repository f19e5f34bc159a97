"""Text for cards, levels and readings: there and back, and nothing else gets in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guandan_engine.cards import CARDS, Card, Cards, Rank
from guandan_engine.combos import READINGS, Reading
from guandan_engine.errors import NotationError
from guandan_engine.notation import (
    card_text,
    cards_text,
    level_of,
    parse_card,
    parse_cards,
    parse_reading,
    rank_text,
    reading_text,
)
from guandan_engine.order import LEVELS
from tests.engine.brute import FACES, brute_readings
from tests.engine.strategies import faces, multisets, readings
from tests.engine.test_combos import to_brute


@given(faces)
def test_a_card_and_back(face: Card) -> None:
    assert parse_card(card_text(face)) == face


@given(multisets())
def test_cards_and_back(drawn: list[Card]) -> None:
    cards = Cards.of(drawn)
    assert parse_cards(cards_text(cards)) == cards
    assert parse_cards(cards_text(drawn)) == cards  # in whatever order they are written


@given(readings)
def test_a_reading_and_back(one: Reading) -> None:
    assert parse_reading(reading_text(one)) is one


@given(st.sampled_from(LEVELS))
def test_a_level_and_back(level: Rank) -> None:
    assert level_of(rank_text(level)) is level


def test_the_letters_are_those_of_the_slow_referee() -> None:
    assert {card_text(card) for card in CARDS} == FACES
    assert len({reading_text(one) for one in READINGS}) == len(READINGS)
    assert to_brute(parse_reading("full_house-9")) in brute_readings("S9 C9 D9 S3 C3".split(), "2")


@given(st.text(max_size=6))
def test_other_text_is_no_card(text: str) -> None:
    if text in FACES:
        return
    with pytest.raises(NotationError) as error:
        parse_card(text)
    assert error.value.text == text


@given(
    st.text(max_size=12)
    | st.sampled_from(READINGS)
    .map(reading_text)
    .flatmap(
        lambda text: st.builds(
            lambda i, c: text[:i] + c + text[i:], st.integers(0, 9), st.characters()
        )
    )
)
def test_other_text_is_no_reading(text: str) -> None:
    try:
        one = parse_reading(text)
    except NotationError:
        return
    assert reading_text(one) == text


@pytest.mark.parametrize(
    "text",
    [
        *("", "pair", "pair-1", "pair-X-2", "bomb-K", "bomb-3-K", "bomb-04-K", "bomb-٤-K"),
        *("joker_bomb-2", "Pair-9", " pair-9", "straight-4", "tube-2", "triple-X"),
    ],
)
def test_a_reading_has_one_spelling(text: str) -> None:
    with pytest.raises(NotationError, match="expected a reading"):
        parse_reading(text)


@pytest.mark.parametrize("text", ["", "1", "X", "Y", "10", "t", "TT"])
def test_not_every_letter_is_a_level(text: str) -> None:
    with pytest.raises(NotationError, match="a level"):
        level_of(text)


def test_a_third_copy() -> None:
    with pytest.raises(NotationError, match="at most two of each face"):
        parse_cards("S5 S5 S5")
    with pytest.raises(NotationError, match="expected a card such as S5"):
        parse_cards("S5 5S")


def test_a_reading_says_its_shape() -> None:
    assert reading_text(parse_reading("bomb-6-K")) == "bomb-6-K"
    assert reading_text(parse_reading("joker_bomb")) == "joker_bomb"
    assert cards_text(parse_cards("Y X HA S5 S5")) == "S5 S5 HA X Y"
    assert cards_text(parse_cards("")) == ""
