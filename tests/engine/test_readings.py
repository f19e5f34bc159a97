"""What cards can be taken to be, and the judge, against the slow referee."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guandan_engine import readings as module
from guandan_engine.cards import CARDS, Card, Cards, Rank, wild_of
from guandan_engine.combos import Combo, Reading
from guandan_engine.errors import IllegalCommand, Reason
from guandan_engine.notation import (
    cards_text,
    level_of,
    parse_cards,
    parse_reading,
    rank_text,
    reading_text,
)
from guandan_engine.options import Rules
from guandan_engine.order import LEVELS
from guandan_engine.readings import beating, judge, readings, readings_that_beat
from tests.engine import brute, strategies
from tests.engine.strategies import close_hands, levels, multisets
from tests.engine.test_combos import to_brute

RULES = [
    Rules(full_house_joker_pair=pair, wild_run_plain=plain, ambiguous_play=ambiguous)
    for pair in (False, True)
    for plain in (True, False)
    for ambiguous in ("auto", "declare")
]
tables = st.sampled_from(RULES)


def told(found: tuple[Reading, ...]) -> list[brute.Reading]:
    return [to_brute(one) for one in found]


def agree(cards: Cards, level: Rank, rules: Rules) -> None:
    expected = brute.brute_readings(
        cards_text(cards).split(),
        rank_text(level),
        full_house_joker_pair=rules.full_house_joker_pair,
        wild_run_plain=rules.wild_run_plain,
    )
    assert told(readings(cards, level, rules)) == expected, cards_text(cards)


def agree_on_the_verdict(
    cards: Cards, declared: Reading | None, top: Reading | None, level: Rank, rules: Rules
) -> None:
    verdict = brute.brute_best(
        cards_text(cards).split(),
        to_brute(top) if top else None,
        rank_text(level),
        declare=to_brute(declared) if declared else None,
        ambiguous=rules.ambiguous_play,
        full_house_joker_pair=rules.full_house_joker_pair,
        wild_run_plain=rules.wild_run_plain,
    )
    assert told(readings_that_beat(cards, top, level, rules)) == verdict.beating
    try:
        taken, reason = to_brute(judge(cards, declared, top, level, rules)), None
    except IllegalCommand as refusal:
        taken, reason = None, refusal.reason.value
    assert (taken, reason) == (verdict.reading, verdict.reason)


@given(st.data(), levels, tables)
@settings(max_examples=250)
def test_sets_with_shapes_in_them(data: st.DataObject, level: Rank, rules: Rules) -> None:
    agree(data.draw(close_hands(level=level, least=0, most=7)), level, rules)


@given(multisets(most=6), levels, tables)
@settings(max_examples=200)
def test_any_set(drawn: list[Card], level: Rank, rules: Rules) -> None:
    agree(Cards.of(drawn), level, rules)


@pytest.mark.parametrize("wilds", [1, 2])
@given(st.data(), levels, tables)
def test_sets_full_of_wilds(wilds: int, data: st.DataObject, level: Rank, rules: Rules) -> None:
    naturals = data.draw(multisets(most=4).map(Cards.of))
    naturals -= Cards.of([wild_of(level)] * naturals.count(wild_of(level)))
    agree(naturals + Cards.of([wild_of(level)] * wilds), level, rules)


def test_up_to_two_cards_all_of_them() -> None:
    for level in (Rank.TWO, Rank.SEVEN, Rank.ACE):
        for i, one in enumerate(CARDS):
            for other in CARDS[i:]:
                for drawn in ([one], [one, other]):
                    agree(Cards.of(drawn), level, RULES[0])


@pytest.mark.parametrize("level", LEVELS)
def test_sets_of_one_rank_all_of_them(level: Rank) -> None:
    """Bombs up to ten; and what is left of them at their own level, up to eight."""
    for key in (Rank.TWO, Rank.SEVEN, Rank.ACE):
        for naturals in range(9):
            cards = [card for card in 2 * CARDS if card >> 2 == key and card != wild_of(level)]
            if naturals > len(cards):
                continue
            for wilds in range(3):
                drawn = [*cards[:naturals], *[wild_of(level)] * wilds]
                for rules in (RULES[0], RULES[-1]):
                    agree(Cards.of(drawn), level, rules)


@given(st.data(), levels, tables)
@settings(max_examples=150)
def test_sets_larger_than_shapes(data: st.DataObject, level: Rank, rules: Rules) -> None:
    agree(data.draw(close_hands(level=level, least=7, most=12)), level, rules)


@given(st.data(), levels, tables)
@settings(max_examples=200)
def test_the_judge_decides_as_the_slow_referee(
    data: st.DataObject, level: Rank, rules: Rules
) -> None:
    cards = data.draw(close_hands(level=level, least=1, most=6))
    own = readings(cards, level, rules)
    of_it = st.sampled_from(own) if own else strategies.readings
    top = data.draw(st.none() | strategies.readings | of_it)
    declared = data.draw(st.none() | of_it | strategies.readings)
    agree_on_the_verdict(cards, declared, top, level, rules)


@given(st.data(), levels, tables)
def test_at_most_six_readings(data: st.DataObject, level: Rank, rules: Rules) -> None:
    found = readings(data.draw(close_hands(level=level, least=0, most=10)), level, rules)
    assert len(found) <= 6
    assert len(set(found)) == len(found)
    assert beating(found, None, level) == found


# The table of rules 3.4, read aloud.

EXAMPLES = [
    ("2", "SK CK SQ DQ H2", "full_house-K full_house-Q"),
    ("7", "S7 C7 H7 SK CK", "full_house-7 full_house-K"),
    ("2", "SK CK S9 H2 H2", "full_house-K full_house-9"),
    ("2", "S9 C9 D9 H2 H2", "bomb-5-9 full_house-9"),
    ("9", "S9 C9 D9 H9 H9", "bomb-5-9 full_house-9"),
    ("2", "S9 C9 D9 D9 H2", "bomb-5-9"),
    ("5", "Y Y H5 C4 S4", ""),
    ("2", "S5 S6 S7 S9 H2", "straight_flush-9 straight-9"),
    ("6", "S2 S3 S4 S5 H6", "straight_flush-6 straight_flush-5 straight-6 straight-5"),
    ("7", "H4 H5 H6 H7 H8", "straight_flush-8 straight-8"),
    (
        "7",
        "H4 H5 H6 H7 H7",
        "straight_flush-8 straight_flush-7 straight_flush-6 straight-8 straight-7 straight-6",
    ),
    ("2", "S3 S4 S5 S6 S7", "straight_flush-7"),
    ("7", "S5 D6 S8 C9 H7", "straight-9"),
    ("A", "ST DJ CQ SK HA", "straight-A straight-K"),
    ("4", "H4 H4 C8 D8 S9 C9", "tube-T plate-9 tube-9"),
    ("7", "SA CA S2 C2 H7 H7", "tube-3 plate-2"),
    ("5", "SA CK HA CK H5 H5", "plate-A tube-A"),
    ("7", "H7 H7", "pair-7"),
    ("2", "SA H2", "pair-A"),
    ("7", "S7 D7 H7 H7", "bomb-4-7"),
    ("2", "S9 S9 H9 H9 C9 C9 D9 D9 H2 H2", "bomb-10-9"),
    ("2", "X X Y Y", "joker_bomb"),
    ("2", "H2 H2 X X", ""),
    ("2", "X Y", ""),
    ("2", "", ""),
]


@pytest.mark.parametrize(("level", "cards", "expected"), EXAMPLES)
def test_examples(level: str, cards: str, expected: str) -> None:
    found = readings(parse_cards(cards), level_of(level), Rules())
    assert " ".join(map(reading_text, found)) == expected


def test_options_change_readings() -> None:
    five, two = level_of("5"), level_of("2")
    jokers = readings(parse_cards("Y Y H5 C4 S4"), five, Rules(full_house_joker_pair=True))
    assert jokers == (parse_reading("full_house-4"),)
    flush = readings(parse_cards("S5 S6 S7 S9 H2"), two, Rules(wild_run_plain=False))
    assert flush == (parse_reading("straight_flush-9"),)


# The judge.


def refuse(cards: str, top: str, declared: str = "", rules: Rules | None = None) -> IllegalCommand:
    with pytest.raises(IllegalCommand) as refusal:
        judge(
            parse_cards(cards),
            parse_reading(declared) if declared else None,
            parse_reading(top) if top else None,
            Rank.TWO,
            rules or Rules(),
        )
    return refusal.value


def test_refusals_say_what_was_expected_and_what_came() -> None:
    beaten = refuse("S9 H9", "pair-J")
    assert beaten.reason is Reason.DOES_NOT_BEAT
    assert str(beaten) == "does_not_beat: expected more than pair-J, got pair-9"
    assert str(refuse("S9 HT", "")) == "not_a_combination: got S9 HT"
    assert str(refuse("S9 H9", "", "triple-9")) == "not_a_reading: expected pair-9, got triple-9"


def test_equal_never_beats() -> None:
    assert refuse("S9 H9", "pair-9").reason is Reason.DOES_NOT_BEAT
    assert refuse("S3 S4 S5 S6 S7", "straight_flush-7").reason is Reason.DOES_NOT_BEAT


def test_a_declaration_selects_and_asserts_nothing() -> None:
    cards = parse_cards("SK CK SQ DQ H2")
    weaker = parse_reading("full_house-Q")
    assert judge(cards, weaker, None, Rank.TWO, Rules()) is weaker
    assert refuse("SK CK SQ DQ H2", "full_house-Q", "full_house-Q").reason is Reason.DOES_NOT_BEAT
    assert refuse("SK CK SQ DQ H2", "", "full_house-A").reason is Reason.NOT_A_READING


def test_several_readings_want_a_declaration_where_the_table_does() -> None:
    declare = Rules(ambiguous_play="declare")
    assert refuse("SK CK SQ DQ H2", "", rules=declare).reason is Reason.AMBIGUOUS
    only = judge(
        parse_cards("SK CK SQ DQ H2"), None, parse_reading("full_house-Q"), Rank.TWO, declare
    )
    assert only is parse_reading("full_house-K")


def test_what_people_send_fills_no_table() -> None:
    def entries() -> int:
        known = module._known[Rank.TWO]  # noqa: SLF001 the promise is about it
        return sum(len(table) for tables in known for table in tables)

    before = entries()
    for one in CARDS[:40]:
        readings(Cards.of([one, Card(52), Card(56)]), Rank.TWO, Rules())
    assert entries() == before


def test_examples_meet_each_shape() -> None:
    met = {
        one.combo
        for level, cards, _ in EXAMPLES
        for one in readings(parse_cards(cards), level_of(level), Rules())
    }
    assert met >= set(Combo) - {Combo.SINGLE, Combo.TRIPLE}
