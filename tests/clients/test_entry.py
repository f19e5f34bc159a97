"""What is typed against what is held."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guandan_cli.entry import EntryError, Typed, Wanted, choose, declared, parse, single
from guandan_engine.cards import Cards, Rank, Suit, wild_of
from guandan_engine.combos import Combo
from guandan_engine.notation import cards_text, parse_card, parse_cards, parse_reading
from guandan_engine.options import Rules
from guandan_engine.readings import readings
from tests.engine.strategies import close_hands, levels, multisets

HAND = parse_cards("Y X H7 S7 C7 SA HA DA SK DK ST HT CT S9 S8 H8 D8 S6 D6 D6 S5 S4 H4 S3 C3 S2")


def typed(line: str) -> Typed:
    found = parse(line)
    assert found is not None, line
    return found


@pytest.mark.parametrize(
    ("line", "cards"),
    [
        # ranks: the copies that the hand misses least
        ("9", "S9"),
        ("8 8", "H8 D8"),
        ("8 8 8", "S8 H8 D8"),
        ("888", "S8 H8 D8"),
        ("aak k", "HA DA SK DK"),
        ("6 6", "D6 D6"),
        # ten, four ways; letters of any size; commas
        ("10 10", "HT CT"),
        ("0t", "HT CT"),
        ("T,10", "HT CT"),
        ("101010", "ST HT CT"),
        ("A a A", "SA HA DA"),
        # jokers and the wild
        ("x y", "X Y"),
        ("xz", "X Y"),
        ("w", "H7"),
        ("8 8 w", "H8 D8 H7"),
        # suits
        ("s8", "S8"),
        ("s8 h8", "S8 H8"),
        ("s8h8", "S8 H8"),
        ("♠8 ♥8", "S8 H8"),
        ("h7", "H7"),
        ("d6d6", "D6 D6"),
        ("s10 ct", "ST CT"),
        ("s8 8 8", "S8 H8 D8"),
        # the level's rank alone is never the wild
        ("7", "C7"),
        ("7 7", "S7 C7"),
        ("7 7 w", "S7 C7 H7"),
        # five ranks in a row are no flush if that can be helped; with suits they are
        ("2 3 4 5 6", "S2 C3 H4 S5 D6"),
        ("s2 s3 s4 s5 s6", "S2 S3 S4 S5 S6"),
        ("a 2 3 4 5", "HA S2 C3 H4 S5"),
        ("6 w 8 9 10", "D6 H7 H8 S9 HT"),
    ],
)
def test_what_is_typed_is_found_in_the_hand(line: str, cards: str) -> None:
    found = choose(typed(line).cards, HAND, Rank.SEVEN)
    assert cards_text(found) == cards_text(parse_cards(cards))


@pytest.mark.parametrize(
    ("line", "key", "held"),
    [
        ("9 9", "entry.too_few_wild", 1),
        ("9 9 w", "entry.too_few", 1),
        ("2 2 2", "entry.too_few_wild", 1),
        ("7 7 7", "entry.too_few_wild", 2),
        ("j", "entry.too_few_wild", 0),
        ("d2", "entry.no_card", 0),
        ("s9 s9", "entry.no_card", 1),
        ("x x", "entry.no_card", 1),
        ("w w", "entry.no_wild", 1),
        ("h7 w", "entry.no_wild", 1),
        ("s8 8 8 8", "entry.too_few_wild", 2),
    ],
)
def test_what_is_not_held_is_said(line: str, key: str, held: int) -> None:
    with pytest.raises(EntryError) as error:
        choose(typed(line).cards, HAND, Rank.SEVEN)
    assert (error.value.key, error.value.held) == (key, held)


@pytest.mark.parametrize(
    "line", ["", "help", "1", "9 b", "pass", "s", "11", "s1", "h x1", "=pair-9", "10 1", "九"]
)
def test_other_words_are_no_cards(line: str) -> None:
    assert parse(line) is None


def test_nobody_types_more_than_a_hand() -> None:
    assert parse("2" * 27) is not None
    assert parse("2" * 28) is None


@pytest.mark.parametrize(
    ("line", "reading"),
    [("9 9=pair-9", "pair-9"), ("9 9 = 2", "2"), ("99", ""), ("w9 =Straight", "Straight")],
)
def test_a_reading_may_stand_behind(line: str, reading: str) -> None:
    assert typed(line).reading == reading


ABLE = [
    parse_reading(text) for text in ("straight_flush-9", "straight-9", "straight-8", "bomb-4-T")
]


@pytest.mark.parametrize(
    ("text", "index"),
    [
        ("1", 0),
        ("3", 2),
        ("straight-8", 2),
        ("STRAIGHT-8", 2),
        ("straight", 1),
        ("straight_flush", 0),
        ("bomb-4-t", 3),
        ("bomb-4-10", 3),
        ("straight - 8", 2),
    ],
)
def test_a_reading_is_named_whole_or_by_its_type_or_number(text: str, index: int) -> None:
    assert declared(text, ABLE) is ABLE[index]


@pytest.mark.parametrize("text", ["0", "5", "999", "pair-9", "straight-7", "flush", "-", "²"])
def test_a_reading_that_there_is_not_is_refused(text: str) -> None:
    with pytest.raises(EntryError):
        declared(text, ABLE)


GIVE = [parse_card(card) for card in ("S3", "C3", "D8", "HT")]


@pytest.mark.parametrize(
    ("line", "card"), [("3", "S3"), ("c3", "C3"), ("8", "D8"), ("10", "HT"), ("ht", "HT")]
)
def test_one_card_among_those_that_may_be_given(line: str, card: str) -> None:
    assert single(typed(line).cards, GIVE, Rank.SEVEN) == parse_card(card)


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("3 3", "entry.one_card"),
        ("9", "entry.not_eligible_rank"),
        ("d3", "entry.not_eligible"),
        ("w", "entry.not_eligible"),
        ("x", "entry.not_eligible"),
    ],
)
def test_a_card_that_may_not_be_given_is_refused(line: str, key: str) -> None:
    with pytest.raises(EntryError) as error:
        single(typed(line).cards, GIVE, Rank.SEVEN)
    assert error.value.key == key


def test_a_rank_gives_the_wild_only_where_there_is_nothing_else() -> None:
    wild, plain = parse_card("H7"), parse_card("S7")
    assert single([Wanted(Rank.SEVEN)], [wild, plain], Rank.SEVEN) == plain
    assert single([Wanted(Rank.SEVEN)], [wild], Rank.SEVEN) == wild


@given(multisets(most=27).map(Cards.of), levels, st.data())
def test_ranks_take_what_is_held_and_no_wild(hand: Cards, level: Rank, data: st.DataObject) -> None:
    naturals = [card for card in hand if card != wild_of(level)]
    picked = data.draw(st.lists(st.sampled_from(naturals), unique=True)) if naturals else []
    wanted = [Wanted(Rank(card >> 2)) for card in picked]
    chosen = choose(wanted, hand, level)
    assert chosen <= hand
    assert wild_of(level) not in chosen
    assert sorted(card >> 2 for card in chosen) == sorted(card >> 2 for card in picked)


@given(close_hands(level=Rank.TWO, least=5, most=27), st.integers(0, 9))
def test_five_ranks_in_a_row_are_plain_where_two_suits_are_there(hand: Cards, start: int) -> None:
    ranks = [Rank.ACE, *list(Rank)[:13]][start : start + 5]
    naturals = [card for card in hand if card != wild_of(Rank.TWO)]
    suits = {Suit(card & 3) for card in naturals if card >> 2 in ranks}
    if not all(any(card >> 2 == rank for card in naturals) for rank in ranks) or len(suits) < 2:
        return
    chosen = choose([Wanted(rank) for rank in ranks], hand, Rank.TWO)
    (found, *_) = readings(chosen, Rank.TWO, Rules())
    assert found.combo is Combo.STRAIGHT
