"""What a seat can know of the others' cards, and what trying things out tells it."""

from __future__ import annotations

from random import Random

import pytest
from attrs import evolve

from guandan_bots import search
from guandan_bots.belief import Belief
from guandan_bots.policy import PASS, Choice
from guandan_bots.positions import kind_of
from guandan_bots.search import Budget, try_out
from guandan_engine.moves import legal_plays
from guandan_engine.notation import parse_card, parse_reading
from guandan_engine.phases import PASSED
from guandan_engine.seats import Seat
from guandan_engine.tribute import Gift
from guandan_engine.views import PhaseName, SeatView
from tests.bots.games import TABLES, decisions
from tests.bots.table import RULES, seat


def offers(view: SeatView, *readings: str) -> list[Choice]:
    """A play of each reading."""
    plays = legal_plays(view.private.hand, view.public.level, RULES, view.public.top)
    found: list[Choice] = []
    for text in readings:
        one = parse_reading(text)
        found.append(plays.offer(next(move for move in plays if move.reading is one)))
    return found


# What is known.


def test_every_card_that_nobody_has_shown_is_somewhere_else() -> None:
    for view in decisions(TABLES["national-2017"], "belief", hands=2):
        belief = Belief(view)
        if view.public.phase not in (PhaseName.LEADING, PhaseName.FOLLOWING):
            continue
        shown = sum(len(cards) for cards in view.public.played) + len(view.private.hand)
        assert len(belief.cards) == 108 - shown == sum(belief.room)
        assert belief.room[view.seat - 1] == 0
        assert all(seats and not seats >> (view.seat - 1) & 1 for seats in belief.seats)


def test_hidden_counts_add_up() -> None:
    view = seat("S3 D5", left={2: None, 3: 8, 4: None}, played={2: "S4 S5", 4: "C7"})
    assert Belief(view).room == [0, 25, 8, 26]


def holders(view: SeatView, card: str) -> list[int]:
    """For each unseen copy of a card the seats that may hold it."""
    belief, bit = Belief(view), 1 << parse_card(card)
    pairs = zip(belief.cards, belief.seats, strict=True)
    return sorted(seats for other, seats in pairs if other == bit)


def gave(view: SeatView, gift: str, back: str = "") -> SeatView:
    """Seat 2 has paid seat 4, who has returned a card."""
    gifts = (Gift(Seat(2), Seat(4), parse_card(gift)),)
    returns = (Gift(Seat(4), Seat(2), parse_card(back)),) if back else ()
    return evolve(view, public=evolve(view.public, gifts=gifts, returns=returns))


def test_a_gift_sits_in_its_recipients_hand_until_it_is_played() -> None:
    view = seat("S3 D5")
    assert holders(view, "SA") == [0b1110, 0b1110]
    assert holders(gave(view, "SA"), "SA") == [0b1000, 0b1110]
    assert holders(gave(view, "SA", "S9"), "S9") == [0b0010, 0b1110]
    played = seat("S3 D5", played={4: "SA"}, left={4: 26})
    assert holders(gave(played, "SA"), "SA") == [0b1110]


def test_who_paid_held_nothing_higher() -> None:
    view = gave(seat("S3 D5"), "SA")
    assert holders(view, "X") == holders(view, "S2") == [0b1100, 0b1100]
    assert holders(view, "H2") == [0b1110, 0b1110]
    assert holders(view, "DK") == [0b1110, 0b1110]


def test_who_resisted_holds_the_big_jokers() -> None:
    view = seat("S3 D5")
    alone = evolve(view, public=evolve(view.public, resisted=(Seat(2),)))
    both = evolve(view, public=evolve(view.public, resisted=(Seat(2), Seat(4))))
    assert holders(alone, "Y") == [0b0010, 0b0010]
    assert holders(both, "Y") == [0b0010, 0b1000]


def test_who_has_passed_is_known_for_the_open_trick() -> None:
    view = seat("S3 D5", over="single-4", by=3)
    public = evolve(view.public, shown=(None, PASSED, None, PASSED))
    assert Belief(evolve(view, public=public)).passed == (1, 3)


# Trying out.


TRAP = seat("S3 D3 DK", left={2: 1, 3: 12, 4: 14})
"""Seat 2 goes out on a low single, and not on a pair."""
LOW, HIGH = offers(TRAP, "single-3", "pair-3")


def test_an_opponents_last_card_is_not_let_through() -> None:
    trial = try_out(TRAP, RULES, [LOW, HIGH], Budget(400), Random(1))
    assert trial.choice == HIGH
    assert trial.gains[1] > 0.3


def test_the_same_chance_is_the_same_trial() -> None:
    view = seat("S3 D4 C7 DK", left={2: 5, 3: 6, 4: 7})
    choices = offers(view, "single-3", "single-7", "single-K")
    one, other = (try_out(view, RULES, choices, Budget(200), Random(3)) for _ in range(2))
    assert one == other
    assert try_out(view, RULES, choices, Budget(200), Random(4)) != one


def test_the_budget_is_kept_and_goes_to_the_best() -> None:
    view = seat("S3 H3 C4 D5 S6 S7 DK CA", left={2: 5, 3: 6, 4: 7})
    choices = offers(view, "single-3", "single-4", "single-5", "single-6", "single-K", "single-A")
    trial = try_out(view, RULES, choices, Budget(600), Random(3))
    assert sum(trial.worlds) <= 600
    assert trial.worlds[0] == max(trial.worlds)
    assert trial.worlds[trial.best] == max(trial.worlds)
    assert min(trial.worlds) < max(trial.worlds)


def test_no_time_is_no_search() -> None:
    trial = try_out(TRAP, RULES, [LOW, HIGH], Budget(10_000, seconds=0.0), Random(1))
    assert trial.worlds == (0, 0)
    assert trial.choice == LOW


def test_a_handicap_has_to_be_made_up_for() -> None:
    free = try_out(TRAP, RULES, [LOW, HIGH], Budget(200), Random(1))
    held = try_out(TRAP, RULES, [LOW, HIGH], Budget(200), Random(1), (0.0, free.gains[1]))
    assert free.overrides
    assert not held.overrides


def test_what_goes_out_first_may_end_the_hand() -> None:
    # The partner is out: with the last card the hand is won, and both are first.
    view = seat("SA", left={2: 3, 3: 0, 4: 5}, over="single-3", played={3: "S4"})
    trial = try_out(view, RULES, [PASS, *offers(view, "single-A")], Budget(100), Random(1))
    assert trial.overrides


def test_a_play_of_four_is_worth_more_where_the_table_says_so() -> None:
    values = search._values(0, 4)  # noqa: SLF001  the table's figure, seen nowhere else
    assert max(values) == 4 + search.WIN
    assert min(values) == -max(values)
    assert max(search._values(1, 3)) == 3 + search.WIN  # noqa: SLF001  the same figure


@pytest.mark.parametrize("shape", ["single", "pair", "straight"])
def test_whoever_passed_hardly_had_an_easy_answer(shape: str) -> None:
    """Worlds with one are passed over, and come up less often than without that knowledge."""
    top = {"single": "single-4", "pair": "pair-4", "straight": "straight-7"}[shape]
    view = seat("SA HA CA DA SK", over=top, by=3, left={2: 20, 3: 20, 4: 20})
    knowing = evolve(view, public=evolve(view.public, shown=(None, None, None, PASSED)))
    kind = kind_of(parse_reading(top))
    shares = []
    for one in (view, knowing):
        position = search._Position(one, RULES, 7)  # noqa: SLF001  worlds have no other door
        stands = position.prices.stands
        easy = 0
        for _ in range(150):
            groups = position.game.groups(position.next_world()[3], kind)
            above = int(groups & -(2 * position.top))
            low = above & -above
            easy += bool(low) and stands[16 * kind + low.bit_length() - 1] <= search.EASY_STANDS
        shares.append(easy)
    assert shares[1] < shares[0]
