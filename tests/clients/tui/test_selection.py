"""What a key takes, and what is left of it."""

from guandan_cli.tui.selection import Selection
from guandan_engine.cards import Cards, Rank
from guandan_engine.notation import cards_text, parse_card, parse_cards

SEVEN = Rank.SEVEN
HAND = parse_cards("S9 H9 D9 H7 H7 C7 X Y S5 S6 S8 H8 D4 S4")


def taken(selection: Selection, hand: Cards = HAND) -> str:
    return cards_text(selection.cards(hand, SEVEN))


def pressed(*ranks: Rank, hand: Cards = HAND) -> Selection:
    selection = Selection()
    for rank in ranks:
        selection = selection.press(rank, hand, SEVEN)
    return selection


def test_a_key_takes_one_card_more() -> None:
    assert len(pressed(Rank.NINE).cards(HAND, SEVEN)) == 1
    assert len(pressed(Rank.NINE, Rank.NINE).cards(HAND, SEVEN)) == 2


def test_one_press_past_a_full_column_clears_it_and_no_other() -> None:
    full = pressed(Rank.SIX, Rank.NINE, Rank.NINE, Rank.NINE)
    assert taken(full) == "S6 S9 H9 D9"
    assert taken(full.press(Rank.NINE, HAND, SEVEN)) == "S6"


def test_the_key_of_the_level_never_takes_the_wild() -> None:
    assert taken(pressed(SEVEN)) == "C7"
    assert taken(pressed(SEVEN, SEVEN)) == ""


def test_wilds_have_their_own_key() -> None:
    one = Selection().press_wild(HAND, SEVEN)
    two = one.press_wild(HAND, SEVEN)
    assert (taken(one), taken(two)) == ("H7", "H7 H7")
    assert taken(two.press_wild(HAND, SEVEN)) == ""
    assert taken(pressed(Rank.NINE).press_wild(HAND, SEVEN)) == "H7 S9"


def test_jokers_are_columns_like_others() -> None:
    assert taken(pressed(Rank.SMALL_JOKER)) == "X"
    assert taken(pressed(Rank.SMALL_JOKER, Rank.SMALL_JOKER)) == ""
    assert taken(pressed(Rank.BIG_JOKER)) == "Y"


def test_a_key_of_a_rank_that_is_not_held_takes_nothing() -> None:
    assert taken(pressed(Rank.KING)) == ""


def test_the_cards_that_the_hand_misses_least_go_first() -> None:
    # S5 S6 S7 S8 S9 of one suit stay together as long as another 8 will do.
    hand = parse_cards("S5 S6 S7 S8 S9 H8 CQ")
    assert taken(pressed(Rank.EIGHT, hand=hand), hand) == "H8"


def test_five_ranks_in_a_row_are_no_straight_flush_by_accident() -> None:
    hand = parse_cards("S4 S5 S6 C7 S8 H8 D4")
    run = pressed(Rank.FOUR, Rank.FIVE, Rank.SIX, SEVEN, Rank.EIGHT, hand=hand)
    assert len({card & 3 for card in run.cards(hand, Rank.TWO)}) > 1


def test_a_click_takes_that_very_card_and_a_second_one_puts_it_back() -> None:
    card = parse_card("D9")
    one = Selection().toggle(card, 0, HAND, SEVEN)
    assert taken(one) == "D9"
    assert taken(one.toggle(card, 0, HAND, SEVEN)) == ""
    assert taken(pressed(Rank.SIX).toggle(card, 0, HAND, SEVEN)) == "S6 D9"


def test_two_equal_cards_are_told_apart_by_their_places() -> None:
    hand = parse_cards("S9 S9 H9")
    card = parse_card("S9")
    both = Selection().toggle(card, 1, hand, SEVEN).toggle(card, 1, hand, SEVEN)
    assert taken(both, hand) == "S9 S9"
    assert taken(both.toggle(card, 1, hand, SEVEN), hand) == "S9"


def test_a_heading_takes_a_whole_group_and_puts_it_back() -> None:
    group = list(parse_cards("S5 S6 S8"))
    one = pressed(Rank.SIX).fill(group, HAND, SEVEN)
    assert taken(one) == "S5 S6 S8"
    assert taken(one.fill(group, HAND, SEVEN)) == ""


def test_after_a_play_what_the_hand_still_holds_stays_taken() -> None:
    selection = pressed(Rank.NINE, Rank.NINE, Rank.SIX).press_wild(HAND, SEVEN)
    left = HAND - parse_cards("S9 H9 H7 H7")
    assert taken(selection.kept(left, SEVEN), left) == "S6 D9"
