"""Whose turn, the end of a trick, jiefeng and going out, against the slow referee."""

from __future__ import annotations

import random

import pytest

from guandan_engine.cards import Cards
from guandan_engine.errors import IllegalCommand, Reason
from guandan_engine.events import TrickClosed
from guandan_engine.moves import Offer
from guandan_engine.notation import cards_text, parse_cards, parse_reading, reading_text
from guandan_engine.phases import PASSED, Following, Leading
from guandan_engine.play import check_turn, give_up, lay
from guandan_engine.scoring import hand_is_over
from guandan_engine.seats import SEATS, Seat, partner_of
from tests.engine.brute_table import brute_turn, settings

SINGLES = [f"S{rank}" for rank in "3456789TJQKA"]


def single(card: str) -> Offer:
    return Offer(parse_cards(card), parse_reading(f"single-{card[-1]}"))


def reported(phase: Leading | Following, closed: TrickClosed | None) -> dict[str, object]:
    """The table as a case of kind `turn` tells it."""
    over = hand_is_over(phase.out)
    following = isinstance(phase, Following) and not over
    top = None
    if isinstance(phase, Following) and not over:
        combo, key = reading_text(phase.top).split("-")
        top = {"type": combo, "key": key, "len": 1}
    return {
        "phase": "hand_over" if over else "follow" if following else "lead",
        "turn": None if over else phase.turn,
        "out": list(phase.out),
        "table": top,
        "trick_winner": closed.winner if closed else None,
        "jiefeng": closed.jiefeng if closed else False,
    }


@pytest.mark.parametrize("seed", range(8))
def test_turns_go_as_the_slow_referee_says(seed: int) -> None:
    """Hands of singles, rising within a trick; anybody may go out with any play."""
    rng = random.Random(seed)
    winds = 0
    for _ in range(60):
        leader = rng.choice(SEATS)
        out = tuple(rng.sample([s for s in SEATS if s != leader], rng.choice([0, 0, 1])))
        phase: Leading | Following = Leading(turn=leader, out=out)
        actions: list[list[object]] = []
        closed: TrickClosed | None = None
        height = 0
        while not hand_is_over(phase.out) and len(actions) < 60:
            seat = phase.turn
            if isinstance(phase, Following) and (height == len(SINGLES) or rng.random() < 0.6):
                actions.append([seat, "pass"])
                phase, trick = give_up(phase)
                if trick:
                    (closed,) = trick
                    winds += closed.jiefeng
            else:
                height = height if isinstance(phase, Following) else 0
                card, height = SINGLES[height], height + 1
                emptied = rng.random() < 0.12
                actions.append([seat, "play", card, *(["out"] if emptied else [])])
                phase = lay(phase, single(card), emptied=emptied)
            case = {"leader": leader, "out": list(out), "actions": actions}
        assert reported(phase, closed) == brute_turn(case, "2", settings())
    assert winds  # the wind has blown, and to a partner with cards


def test_everybody_with_cards_may_answer_a_last_card() -> None:
    phase = lay(Leading(turn=Seat(1), out=()), single("S9"), emptied=True)
    assert (phase.out, phase.waiting) == ((1,), (2, 3, 4))


def test_a_trick_closes_when_all_others_have_passed_since_the_play() -> None:
    phase: Leading | Following = lay(Leading(turn=Seat(1), out=()), single("S5"), emptied=False)
    for seat in (2, 3):
        assert phase.turn == seat
        assert isinstance(phase, Following)
        phase, closed = give_up(phase)
        assert closed == ()
    phase = lay(phase, single("S6"), emptied=False)
    assert phase.waiting == (1, 2, 3)  # whoever passed may play again
    assert [shown if shown is PASSED else type(shown) for shown in phase.shown] == [
        Offer,
        PASSED,
        PASSED,
        Offer,
    ]


@pytest.mark.parametrize("seat", SEATS)
def test_the_wind_blows_to_the_partner(seat: Seat) -> None:
    phase: Leading | Following = lay(Leading(turn=seat, out=()), single("SA"), emptied=True)
    closed: tuple[TrickClosed, ...] = ()
    while isinstance(phase, Following):
        phase, closed = give_up(phase)
    assert closed == (TrickClosed(winner=seat, leader=partner_of(seat)),)
    assert closed[0].jiefeng
    assert phase == Leading(turn=partner_of(seat), out=(seat,))


def test_no_wind_without_a_last_card() -> None:
    phase: Leading | Following = lay(
        Leading(turn=Seat(2), out=(Seat(1),)), single("SA"), emptied=False
    )
    while isinstance(phase, Following):
        phase, closed = give_up(phase)
    assert closed == (TrickClosed(Seat(2), Seat(2)),)
    assert not closed[0].jiefeng


def test_seats_that_are_out_are_skipped() -> None:
    phase = lay(Leading(turn=Seat(2), out=(Seat(3),)), single("S5"), emptied=False)
    assert phase.waiting == (4, 1)


def test_whose_turn_it_is() -> None:
    leading = Leading(turn=Seat(3), out=())
    check_turn(leading, Seat(3))
    with pytest.raises(IllegalCommand) as refusal:
        check_turn(leading, Seat(1))
    assert refusal.value.reason is Reason.NOT_YOUR_TURN
    assert str(refusal.value) == "not_your_turn: expected seat 3, got seat 1"


def test_what_lies_before_a_seat_stays_until_the_trick_closes() -> None:
    phase = lay(Leading(turn=Seat(1), out=()), single("S5"), emptied=False)
    phase = lay(phase, single("S6"), emptied=False)
    texts = [cards_text(one.cards) if isinstance(one, Offer) else None for one in phase.shown]
    assert texts == ["S5", "S6", None, None]
    assert phase.top is parse_reading("single-6")
    assert phase.by == 2
    assert Cards.of(parse_cards("S6")) == single("S6").cards
