"""The transition function: what may come when, what it does, and that refusals do nothing."""

from __future__ import annotations

import random
from itertools import permutations, product

import pytest
from attrs import evolve

from guandan_engine import shuffle
from guandan_engine.cards import CARDS, NO_CARDS, Cards
from guandan_engine.commands import Command, Pass, Pay, Play, Return, StartHand, TimeOut
from guandan_engine.errors import IllegalCommand, Reason
from guandan_engine.events import (
    CardsReturned,
    GiftChosen,
    HandEnded,
    HandStarted,
    OpenerDrawn,
    Passed,
    Played,
    ReturnChosen,
    TimedOut,
    TributePaid,
    TributeResisted,
    TrickClosed,
    WentOut,
)
from guandan_engine.machine import TRANSITIONS, allowed_returns, step
from guandan_engine.notation import card_text, cards_text, level_of, parse_reading, rank_text
from guandan_engine.options import options_of, rules
from guandan_engine.order import LEVELS
from guandan_engine.phases import (
    Following,
    HandOver,
    Leading,
    MatchOver,
    Paying,
    Returning,
    Waiting,
)
from guandan_engine.scoring import settle
from guandan_engine.seats import SEATS, Seat, Team
from guandan_engine.state import Match, new_match
from tests.engine.brute_table import brute_tribute
from tests.engine.table import SEED, Table, gifts
from tests.engine.test_scoring import standing
from tests.engine.walks import moments, walk

PHASES = (Waiting, Paying, Returning, Leading, Following, HandOver, MatchOver)
COMMANDS: dict[type[Command], Command] = {
    StartHand: StartHand(SEED),
    Play: Play(Seat(1), Cards.of(CARDS[:1])),
    Pass: Pass(Seat(1)),
    Pay: Pay(Seat(1), CARDS[0]),
    Return: Return(Seat(1), CARDS[0]),
    TimeOut: TimeOut(Seat(1), turn=0),
}


def match_in(phase: type) -> Match:
    if phase is MatchOver:
        return list(walk(rules("site"), 100))[-1].after
    return moments()[phase][0].before


# The table of transitions.


@pytest.mark.parametrize(
    ("phase", "command"),
    [pair for pair in product(PHASES, COMMANDS) if pair not in TRANSITIONS],
    ids=lambda kind: kind.__name__,
)
def test_a_pair_that_is_not_in_the_table_is_refused(phase: type, command: type[Command]) -> None:
    match = match_in(phase)
    assert type(match.phase) is phase
    unchanged = evolve(match)
    with pytest.raises(IllegalCommand) as refusal:
        step(match, COMMANDS[command])
    over = phase in (HandOver, MatchOver) and command in (Play, Pass)
    assert refusal.value.reason is (Reason.HAND_OVER if over else Reason.WRONG_PHASE)
    assert match == unchanged


def test_every_pair_in_the_table_is_walked() -> None:
    """But for the pass of a leader, which is there to be refused for a reason of its own."""
    walked = {(phase, type(one.command)) for phase, steps in moments().items() for one in steps}
    assert walked == set(TRANSITIONS) - {(Leading, Pass)}
    assert {phase for phase, _ in TRANSITIONS} == set(PHASES) - {MatchOver}


# The deal.


def test_the_first_hand_is_dealt_from_its_seed_and_nonces() -> None:
    nonces = (b"a", b"", b"ccc", b"d")
    match, events = step(new_match(rules()), StartHand(SEED, nonces))
    hands = shuffle.deal(shuffle.hand_key(SEED, nonces))
    assert match.hands == match.deal.hands == hands
    assert events == (HandStarted(1, level_of("2"), None, shuffle.commitment(SEED), hands),)
    assert match.phase == Leading(turn=Seat(1), out=())
    assert (match.turn, match.deal.number) == (1, 1)


def test_who_opens_the_match() -> None:
    def opener(first_lead: str, seed: bytes) -> int:
        match, _ = step(new_match(rules("site", {"first_lead": first_lead})), StartHand(seed))
        assert isinstance(match.phase, Leading)
        return match.phase.turn

    seeds = [bytes([i]) * 32 for i in range(40)]
    assert {opener("seat1", seed) for seed in seeds} == {1}
    for lead in ("random", "drawn_card"):
        assert {opener(lead, seed) for seed in seeds} == set(SEATS)
        assert [opener(lead, seed) for seed in seeds] == [opener(lead, seed) for seed in seeds]


def test_the_opener_holds_the_card_that_was_turned_up() -> None:
    for i in range(40):
        match, events = step(new_match(rules("national-2017")), StartHand(bytes([i]) * 32))
        _, drawn = events
        assert isinstance(drawn, OpenerDrawn)
        *before, (card, seat) = drawn.drawn
        assert match.phase == Leading(turn=seat, out=())
        assert match.deal.drawn == drawn.drawn
        assert all(c in match.hands[s - 1] for c, s in drawn.drawn)
        assert card_text(card) not in ("X", "Y", "H2")
        assert all(card_text(c) in ("X", "Y", "H2") for c, _ in before)


def ended(finish: tuple[Seat, Seat, Seat, Seat], levels: str, **options: object) -> Match:
    """A match between hands; all that its next hand depends on is the places and the levels."""
    table = rules("site", {"tribute_pick": "payer", **options})
    owner = Team.ODD if finish[0] in Team.ODD.seats else Team.EVEN
    before = standing(levels, owner.value)
    outcome = settle(before, finish, table)
    match = moments()[HandOver][0].before
    return evolve(match, rules=table, standing=outcome.after, phase=HandOver(outcome))


def test_tribute_after_a_deal_is_what_the_slow_referee_says() -> None:
    rng = random.Random(1)
    kinds = set()
    for one, two, three, four in permutations(SEATS):
        finish = (one, two, three, four)
        for _ in range(12):
            tie = rng.choice(["next", "prev"])
            tribute = rng.random() < 0.95
            level = rank_text(rng.choice(LEVELS[:8]))
            match = ended(finish, f"{level} {level}", double_tribute_tie=tie, tribute=tribute)
            match, events = step(match, StartHand(rng.randbytes(32)))
            hands = {str(s): cards_text(match.hands[s - 1]).split() for s in SEATS}
            expected = brute_tribute(
                {"finish": list(finish), "hands": hands},
                rank_text(match.standing.active),
                options_of(match.rules),
            )
            kinds.add(expected["kind"])
            if expected["kind"] in ("none", "resisted"):
                assert match.phase == Leading(turn=Seat(expected["leader"]), out=())
                assert set(match.deal.resisted) == {
                    s for s in SEATS if expected["kind"] == "resisted" and "Y" in hands[str(s)]
                }
                assert any(isinstance(e, TributeResisted) for e in events) == bool(
                    match.deal.resisted
                )
                continue
            assert isinstance(match.phase, Paying)
            told = [
                (d.donor, d.recipient, sorted(map(card_text, d.eligible)))
                for d in match.phase.debts
            ]
            assert told == [(g["from"], g["to"], sorted(g["eligible"])) for g in expected["gifts"]]
    assert kinds == {"none", "resisted", "single", "double"}


# Tribute and return.

# Seats 2 and 4 pay aces at level 5; what is higher lies with 1 and 3.
DOUBLE = (
    "1: S3 D8 X X Y Y S5 S5 C5 C5 D5 D5 …",
    "2: SA CA …",
    "3: S4 D9 SA CA DA HA …",
    "4: DA HA …",
)


def test_a_single_tribute() -> None:
    t = Table.deal("1: S3 D8 CJ …", "4: SA CA …", level="K", finish=(1, 2, 3, 4))
    assert t.event(TributePaid).gifts == gifts("4→1 SA")
    assert [len(hand) for hand in t.match.hands] == [28, 27, 27, 26]
    t.give_back(1, "S3")
    assert t.event(CardsReturned).returns == gifts("1→4 S3")
    assert t.phase == Leading(turn=Seat(4), out=())
    assert [len(hand) for hand in t.match.hands] == [27, 27, 27, 27]


def test_the_payer_chooses_among_equals() -> None:
    t = Table.deal("4: SA DA …", finish=(1, 2, 3, 4), tribute_pick="payer", level="K")
    t.refused(4, "pay HQ", Reason.CARDS_NOT_HELD)
    t.pay(4, "DA")
    assert t.event(TributePaid).gifts == gifts("4→1 DA")


def test_choices_of_two_payers_are_held_back_and_paid_at_once() -> None:
    t = Table.deal(*DOUBLE, finish=(1, 3, 2, 4), tribute_pick="payer", level="5")
    before = t.match.hands
    t.pay(4, "DA")
    assert t.events == (GiftChosen(Seat(4), t.event(GiftChosen).card),)
    assert t.match.hands == before
    t.refused(4, "pay HA", Reason.NOT_YOUR_TURN).refused(1, "pay S3", Reason.NOT_YOUR_TURN)
    t.pay(2, "CA")
    assert t.event(TributePaid).gifts == gifts("2→1 CA,4→3 DA")
    assert [len(hand) for hand in t.match.hands] == [28, 26, 28, 26]


def test_a_payer_without_a_choice_is_asked_all_the_same() -> None:
    """Whether it was would tell how many such cards it holds."""
    t = Table.deal("4: Y …", "3: Y …", finish=(1, 2, 3, 4), tribute_pick="payer", level="4")
    assert isinstance(t.phase, Paying)
    assert [debt.eligible for debt in t.phase.debts] == [(CARDS[-1],)]


def test_returns_of_two_are_held_back_and_shown_at_once() -> None:
    t = Table.deal(*DOUBLE, finish=(1, 3, 2, 4), level="5")
    assert t.event(TributePaid).gifts == gifts("2→1 SA,4→3 HA")
    t.give_back(3, "S4")
    assert t.events == (ReturnChosen(Seat(3), t.event(ReturnChosen).card),)
    assert [len(hand) for hand in t.match.hands] == [28, 26, 28, 26]
    t.refused(3, "return D9", Reason.NOT_YOUR_TURN).refused(2, "S5", Reason.WRONG_PHASE)
    t.give_back(1, "D8")
    assert t.event(CardsReturned).returns == gifts("1→2 D8,3→4 S4")
    assert t.match.deal.returns == t.event(CardsReturned).returns
    assert t.phase == Leading(turn=Seat(2), out=())  # whose card went to first place


def test_what_may_not_be_paid_or_returned() -> None:
    payer = Table.deal(*DOUBLE, finish=(1, 3, 2, 4), tribute_pick="payer", level="5")
    held = next(card for card in payer.hand(2) if card_text(card) not in ("SA", "CA"))
    payer.refused(2, f"pay {card_text(held)}", Reason.NOT_ELIGIBLE)
    threes = "S3 S3 C3 C3 D3 D3"
    t = Table.deal(f"1: CJ {threes} …", "4: ST DT …", level="3", finish=(1, 2, 3, 4))
    t.refused(1, "return CJ", Reason.NOT_ELIGIBLE)
    t.refused(1, "return S3", Reason.NOT_ELIGIBLE)  # the level's own rank
    t.refused(1, "return ST", Reason.NOT_ELIGIBLE)  # the gift
    t.refused(1, "return X", Reason.CARDS_NOT_HELD)
    t.refused(4, "return S3", Reason.NOT_YOUR_TURN)
    assert isinstance(t.match.phase, Returning)
    assert allowed_returns(t.match, t.match.phase, Seat(4)) == ()


def test_resistance_and_no_tribute() -> None:
    t = Table.deal("2: Y …", "4: Y …", finish=(1, 3, 2, 4), level="5")
    assert t.event(TributeResisted).holders == (2, 4)
    assert t.phase == Leading(turn=Seat(1), out=())
    t = Table.deal(finish=(3, 2, 1, 4), tribute=False)
    assert (t.phase, t.events) == (Leading(turn=Seat(3), out=()), ())


# Play.


def test_a_trick() -> None:
    t = Table.deal("1: S5 H5 S3 …", "2: S4 C4 D6 C6 …", "3: S9 …", "4: SJ …")
    t.play(1, "S5 H5")
    t.refused(2, "S4 C4", Reason.DOES_NOT_BEAT).refused(3, "pass", Reason.NOT_YOUR_TURN)
    t.play(2, "D6 C6")
    assert t.event(Played).reading is parse_reading("pair-6")
    t.pass_(3, 4)
    assert not t.happened(TrickClosed)
    t.pass_(1)
    assert t.event(TrickClosed) == TrickClosed(Seat(2), Seat(2))
    assert t.turn == 2
    t.refused(2, "pass", Reason.LEADER_MUST_PLAY)


def test_refusals_of_a_play() -> None:
    t = Table.deal("1: S5 H5 S6 S7 S8 H2 …", "2: S9 S9 …")
    t.refused(1, "S5 S6", Reason.NOT_A_COMBINATION)
    t.refused(1, "S5 H5 = pair-6", Reason.NOT_A_READING)
    t.refused(1, "S9", Reason.CARDS_NOT_HELD)
    t.refused(2, "S9", Reason.NOT_YOUR_TURN)
    t.refused(1, "", Reason.NOT_A_COMBINATION)
    t.refused(1, "S5", Reason.STALE, turn=3)
    t.refused(1, "pay S5", Reason.WRONG_PHASE)
    t.play(1, "S5 S6 S7 S8 H2")
    assert t.event(Played).reading is parse_reading("straight_flush-9")


def test_an_ambiguous_play_is_declared_where_the_table_wants_it() -> None:
    t = Table.deal("1: SK CK SQ DQ H2 …", ambiguous_play="declare")
    t.refused(1, "SK CK SQ DQ H2", Reason.AMBIGUOUS)
    t.play(1, "SK CK SQ DQ H2 = full_house-Q")
    assert t.event(Played).reading is parse_reading("full_house-Q")


def test_a_command_may_quote_its_turn() -> None:
    t = Table.deal("1: S5 …", "2: S6 …")
    seen = t.match.turn
    t.do(t.command(1, "S5", turn=seen))
    assert t.match.turn == seen + 1
    t.refused(2, "S6", Reason.STALE, turn=seen)
    t.refused(2, "pass", Reason.STALE, turn=seen)
    t.refused(1, "clock", Reason.STALE, turn=seen)
    t.do(t.command(2, "pass", turn=seen + 1))


def test_staleness_is_told_before_whose_turn_it_is() -> None:
    t = Table.deal("1: S5 …")
    t.refused(3, "S5", Reason.STALE, turn=t.match.turn + 1)
    t.refused(3, "S5", Reason.NOT_YOUR_TURN, turn=t.match.turn)


def test_the_wind_blows_to_the_partner() -> None:
    t = Table.deal("1: SA", "2: S9 …", "3: S3 …", "4: SJ …")
    t.play(1, "SA")
    assert t.event(WentOut) == WentOut(Seat(1), 1)
    assert t.turn == 2
    t.pass_(2, 3, 4)
    assert t.event(TrickClosed).jiefeng
    assert t.turn == 3
    t.refused(1, "SA", Reason.NOT_YOUR_TURN)


def test_any_finisher_wakes_the_wind() -> None:
    t = Table.deal("1:", "2: SA", "3: S3 …", "4: SJ …", leader=2, out=[1])
    t.play(2, "SA")
    assert t.event(WentOut).place == 2
    t.pass_(3, 4)
    assert t.event(TrickClosed) == TrickClosed(winner=Seat(2), leader=Seat(4))


def test_a_hand_ends_in_the_middle_of_a_trick() -> None:
    t = Table.deal("1: S5", "2: SA …", "3: S4", "4: SJ …", level="3", leader=3)
    t.play(3, "S4").pass_(4).play(1, "S5")
    assert t.event(WentOut).place == 2
    assert not t.happened(TrickClosed)
    outcome = t.event(HandEnded).outcome
    assert outcome.finish == (3, 1, 2, 4)  # the losers in turn order after the last to go out
    assert outcome.gain == 3
    assert t.event(HandEnded).left == (NO_CARDS, t.hand(2), NO_CARDS, t.hand(4))
    assert t.event(HandEnded).seed == SEED
    assert isinstance(t.phase, HandOver)
    t.refused(2, "SA", Reason.HAND_OVER).refused(2, "pass", Reason.HAND_OVER)
    t.refused(2, "clock", Reason.WRONG_PHASE)


def test_the_third_to_go_out_ends_a_hand() -> None:
    t = Table.deal("1:", "2:", "3: S4", "4: SJ …", level="3", leader=3, out=[1, 2])
    t.play(3, "S4")
    assert t.event(HandEnded).outcome.finish == (1, 2, 3, 4)
    assert t.match.standing == t.event(HandEnded).outcome.after
    assert t.match.standing.levels[Team.ODD] == level_of("5")
    t.start(bytes(32))
    assert t.event(HandStarted).number == 3
    assert t.event(HandStarted).owner is Team.ODD


# The clock.


def test_the_clock_passes_for_a_follower() -> None:
    t = Table.deal("1: S5 …", "2: S6 …").play(1, "S5").clock(2)
    assert t.events == (TimedOut(Seat(2)), Passed(Seat(2)))
    t.clock(3).clock(4)
    assert t.happened(TrickClosed)


def test_the_clock_leads_the_lowest_single_and_a_wild_last_of_all() -> None:
    t = Table.deal("1: SK S9 H3 S3 X", level="3").clock(1)
    assert t.event(TimedOut).seat == 1
    assert cards_text(t.event(Played).cards) == "S9"
    t = Table.deal("1: X H3 S3", level="3").clock(1)
    assert cards_text(t.event(Played).cards) == "S3"
    t = Table.deal("1: X H3", level="3").clock(1)
    assert cards_text(t.event(Played).cards) == "X"
    t = Table.deal("1: H3 H3", level="3").clock(1)
    assert cards_text(t.event(Played).cards) == "H3"


def test_the_clock_pays_the_first_eligible_card_and_returns_the_lowest() -> None:
    t = Table.deal(*DOUBLE, finish=(1, 3, 2, 4), tribute_pick="payer", level="5")
    t.clock(4).clock(2)
    assert t.event(TributePaid).gifts == gifts("2→1 SA,4→3 HA")
    t.clock(1)
    lowest = t.event(ReturnChosen).card
    assert isinstance(t.phase, Returning)
    t.clock(3)
    assert t.event(CardsReturned).returns[0].card == lowest
    assert card_text(lowest)[1] == "2"


def test_the_clock_of_a_seat_that_is_not_asked() -> None:
    t = Table.deal(*DOUBLE, finish=(1, 3, 2, 4), tribute_pick="payer", level="5")
    t.refused(1, "clock", Reason.NOT_YOUR_TURN)
    t.clock(4).refused(4, "clock", Reason.NOT_YOUR_TURN).clock(2)
    t.refused(2, "clock", Reason.NOT_YOUR_TURN)
    t = Table.deal("1: S5 …").refused(2, "clock", Reason.NOT_YOUR_TURN)
    t.play(1, "S5").refused(3, "clock", Reason.NOT_YOUR_TURN)


# A, from hand to hand.


def last_trick(**given: object) -> Table:
    """Seat 1 is out, seat 3 plays its last card: a first and second place for 13."""
    t = Table.deal("1:", "2: SA …", "3: S4", "4: SJ …", leader=3, out=[1], **given)  # type: ignore[arg-type]  # options of `deal`
    return t.play(3, "S4")


def test_a_match_is_won_on_its_own_ace() -> None:
    t = last_trick(level="A", levels={"13": "A", "24": "9"}, preset="tournament")
    assert isinstance(t.phase, MatchOver)
    assert t.event(HandEnded).outcome.match_won
    t.refused(2, "SA", Reason.HAND_OVER)
    with pytest.raises(IllegalCommand) as refusal:
        t.start()
    assert refusal.value.reason is Reason.WRONG_PHASE


def test_reaching_ace_does_not_win() -> None:
    t = last_trick(level="Q", levels={"13": "Q", "24": "9"})
    assert isinstance(t.phase, HandOver)
    assert t.match.standing.levels[Team.ODD] == level_of("A")


def test_a_first_and_last_place_at_ace_is_a_miss() -> None:
    """And the third miss throws back to two, where that is played."""
    for misses, level in ((0, "A"), (1, "A"), (2, "2")):
        t = Table.deal(
            "1:",
            "2: S9",
            "3: S3 …",
            "4:",
            leader=2,
            out=[1, 4],
            level="A",
            levels={"13": "A", "24": "9"},
            misses={"13": misses},
            preset="house",
        )
        # The level is 13's own: it won the last hand.
        t.match = evolve(t.match, standing=evolve(t.match.standing, owner=Team.ODD))
        t.play(2, "S9")
        outcome = t.event(HandEnded).outcome
        assert (outcome.finish, outcome.missed) == ((1, 4, 2, 3), (Team.ODD,))
        assert t.match.standing.levels[Team.ODD] == level_of(level)
        assert t.match.standing.active == level_of(level)
        assert t.match.standing.misses[Team.ODD] == (0 if level == "2" else misses + 1)


# All reasons.


def test_every_reason_can_be_given() -> None:
    given: set[Reason] = set()

    class Noting(Table):
        def refused(
            self, seat: int, text: str, reason: Reason, *, turn: int | None = None
        ) -> Table:
            given.add(reason)
            return super().refused(seat, text, reason, turn=turn)

    t = Noting.deal("1: S5 H5 SK CK SQ DQ H2 …", "2: S4 S4 C4 C4 …", ambiguous_play="declare")
    t.refused(1, "pass", Reason.LEADER_MUST_PLAY)
    t.refused(1, "S5 SK", Reason.NOT_A_COMBINATION)
    t.refused(1, "S5 = single-6", Reason.NOT_A_READING)
    t.refused(1, "SK CK SQ DQ H2", Reason.AMBIGUOUS)
    t.refused(1, "S4 C4", Reason.CARDS_NOT_HELD)
    t.refused(2, "S4", Reason.NOT_YOUR_TURN)
    t.refused(1, "S5", Reason.STALE, turn=1)
    t.refused(1, "return S5", Reason.WRONG_PHASE)
    t.play(1, "S5 H5").refused(2, "S4 C4", Reason.DOES_NOT_BEAT)
    returning = Noting.deal("1: SA …", "4: SQ …", finish=(1, 2, 3, 4), level="A")
    returning.refused(1, "return SA", Reason.NOT_ELIGIBLE)
    over = Noting(last_trick(level="5").match)
    over.refused(2, "pass", Reason.HAND_OVER)
    assert given == set(Reason)
