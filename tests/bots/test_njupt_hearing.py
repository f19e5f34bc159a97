"""A platform's messages, as the view that our policies decide by."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from attrs import evolve

from guandan_bots.dialect.hearing import Listener
from guandan_bots.dialect.telling import Teller, ask
from guandan_bots.dialect.words import DialectError, gift_of, is_pass, offer_of
from guandan_bots.policy import PASS, Give, policy
from guandan_engine.cards import NO_CARDS, Rank
from guandan_engine.notation import parse_card, parse_cards, parse_reading
from guandan_engine.seats import SEATS, Seat, Team
from guandan_engine.views import PhaseName, SeatView, redact, seat_view
from tests.bots.games import TABLES
from tests.bots.njupt import Guest, Platform
from tests.bots.table import RULES
from tests.engine.table import Table


def brain(level: str, seed: int, rules: Any) -> tuple[Listener, Guest]:
    """A guest that decides by what it has heard, and what it has heard."""
    listener, mind, rng = Listener(), policy(level), Random(seed)

    def guest(message: Any) -> Any:
        if message["type"] == "notify":
            listener.hears(message)
            return None
        choice = mind.choose(listener.asked(message), rules, rng)
        means = offered if message["stage"] == "play" else lambda action: Give(gift_of(action))
        return {"actIndex": [means(action) for action in message["actionList"]].index(choice)}

    return listener, guest


def offered(action: Any) -> Any:
    return PASS if is_pass(action) else offer_of(action)


@pytest.mark.parametrize("name", sorted(TABLES))
def test_what_was_told_is_heard_as_the_view_that_it_was_made_of(name: str) -> None:
    rules = TABLES[name]
    heard = [
        brain(level, seed, rules)
        for seed, level in enumerate(["basic", "random", "random", "basic"])
    ]
    platform = Platform([guest for _, guest in heard], rules, seed=f"hearing {name}")
    views = 0

    def compare(view: SeatView, question: str) -> None:
        nonlocal views
        views += 1
        got = heard[view.seat - 1][0].asked(json.loads(question))
        assert got.private == view.private
        public = view.public
        if rules.show_counts != "always":
            public = evolve(public, counts=got.public.counts)  # which add up, see below
        # What the dialect has no word for: our turn numbers, cards turned up, who gets a tribute.
        # Who else is asked at the same time, neither.
        unsaid: Any = {"turn": got.public.turn, "drawn": (), "owing": ()}
        assert view.seat in got.public.asked
        unsaid["asked"] = got.public.asked
        assert got.public == evolve(public, **unsaid)
        held = [len(hand) for hand in platform.match.hands]
        assert list(got.public.counts) == held

    platform.heard = compare
    platform.plays(hands=3)
    assert views > 150


def test_the_same_view_gives_the_same_choice_here_and_there() -> None:
    mind = policy("basic")
    listener, guest = brain("basic", 1, RULES)
    platform = Platform([guest] + [brain("basic", n, RULES)[1] for n in (2, 3, 4)], RULES, seed="5")
    agreed = 0

    def compare(view: SeatView, question: str) -> None:
        nonlocal agreed
        if view.seat == 1:
            got = mind.choose(listener.asked(json.loads(question)), RULES, Random(1))
            assert got == mind.choose(view, RULES, Random(1))
            agreed += 1

    platform.heard = compare
    platform.plays(hands=3)
    assert agreed > 30


def question(table: Table, seat: int) -> Any:
    return ask(seat_view(table.match, Seat(seat)), table.match.rules).message


def notices(table: Table, seat: int) -> list[Any]:
    return Teller().told([redact(event, Seat(seat)) for event in table.events], Seat(seat))


def test_whoever_comes_late_decides_by_the_question_alone() -> None:
    table = Table.deal("1: S5 …", "2: S6 D6 S7", "3: …", level="9").play(1, "S5")
    view = Listener().asked(question(table, 2))
    assert view.seat == 2, "the one whose hand has that many cards"
    assert view.private.hand == parse_cards("S6 D6 S7")
    public = view.public
    assert (public.phase, public.level) == (PhaseName.FOLLOWING, Rank.NINE)
    assert (public.top, public.by) == (parse_reading("single-5"), 1)
    assert public.counts == (26, 3, 27, 27)
    assert public.shown[0] is not None


@pytest.mark.parametrize("nothing", [None, [None, None, None], -1, [], "nothing"])
def test_nothing_to_beat_is_said_in_many_ways(nothing: Any) -> None:
    asked = question(Table.deal("1: S5 D5"), 1) | {"greaterPos": -1, "greaterAction": nothing}
    assert Listener().asked(asked).public.phase is PhaseName.LEADING
    asked = question(Table.deal("1: S5 D5"), 1) | {"greaterPos": None, "greaterAction": nothing}
    assert Listener().asked(asked).public.phase is PhaseName.LEADING


def test_ones_own_play_that_came_round_is_a_lead() -> None:
    asked = question(Table.deal("1: S5 D5"), 1)
    asked |= {"myPos": 0, "greaterPos": 0, "greaterAction": ["Single", "3", ["S3"]]}
    assert Listener().asked(asked).public.top is None


def test_plays_that_cannot_be_are_forgotten_rather_than_believed() -> None:
    listener = Listener()
    table = Table.deal("1: S5 S5 D5 …", "2: S6 …").play(1, "D5")
    asked = question(table, 2)
    listener.hears({"stage": "beginning", "handCards": asked["handCards"], "myPos": 1})
    impossible = {"stage": "play", "curPos": 0, "curAction": ["Pair", "6", ["S6", "S6"]]}
    listener.hears(impossible)
    assert listener.asked(asked).public.played == (NO_CARDS,) * 4


def test_ones_own_plays_are_known_although_nobody_told_them() -> None:
    listener = Listener()
    listener.hears({"stage": "beginning", "handCards": ["S5", "S6", "S7"], "myPos": 0})
    asked = question(Table.deal("1: S6 S7"), 1)
    assert listener.asked(asked).public.played[0] == parse_cards("S5")


def test_tribute_changes_what_a_hand_began_with() -> None:
    listener = Listener()
    table = Table.deal("4: SK CK D3 …", "1: S3 D8 …", level="K", finish=[1, 2, 3, 4])
    before = Table.deal("4: SK CK D3 …", "1: S3 D8 …", level="K")
    hand = Teller().sees(seat_view(before.match, Seat(4)))
    for message in [*hand, *notices(table, 4)]:
        listener.hears(message)
    for message in notices(table.give_back(1, "D8"), 4):
        listener.hears(message)
    view = listener.asked(question(table, 4))
    assert [gift.card for gift in view.public.returns] == [parse_card("D8")]
    assert view.public.played == (NO_CARDS,) * 4
    assert view.private.hand == table.hand(4)


def test_the_owner_of_a_level_follows_from_the_levels_or_from_who_won() -> None:
    asked = question(Table.deal("1: S5", levels={"13": "2", "24": "9"}), 1)
    assert Listener().asked(asked).public.owner is Team.ODD
    listener = Listener()
    asked = question(Table.deal("1: S5"), 1)
    assert listener.asked(asked).public.owner is None
    listener.hears({"stage": "episodeOver", "order": [1, 0, 3, 2], "curRank": "2"})
    assert listener.asked(asked).public.owner is Team.EVEN


def test_whoever_went_out_in_another_hand_is_not_out_in_this_one() -> None:
    listener = Listener()
    few = question(Table.deal("1: S5 D5"), 1) | {"myPos": 0}
    assert listener.asked(few | rests(2, 3, 0, 4)).public.out == (3,)
    # The notice of a new hand was missed.
    assert listener.asked(few | rests(2, 27, 27, 27)).public.out == ()


def rests(*counts: Any) -> dict[str, Any]:
    return {"publicInfo": [{"rest": count} for count in counts]}


def test_whoever_has_no_cards_is_out() -> None:
    asked = question(Table.deal("1: S5 D5"), 1) | rests(2, 0, 5.0, 7)
    public = Listener().asked(asked).public
    assert (public.counts, public.out) == ((2, 0, 5, 7), (2,))


@pytest.mark.parametrize(
    "said",
    [
        pytest.param((2, 0, 5, 0), id="a team that is out has ended the hand"),
        pytest.param((2, -1, 5, 6), id="less than none"),
        pytest.param((2, 29, 5, 6), id="more than a hand"),
        pytest.param((2, True, 5, 6), id="no number"),
        pytest.param((2, 0.5, 5, 6), id="half a card"),
    ],
)
def test_counts_that_cannot_be_are_not_believed(said: tuple[Any, ...]) -> None:
    asked = question(Table.deal("1: S5 D5"), 1) | rests(*said) | {"myPos": 0}
    assert Listener().asked(asked).public.counts == (2, 27, 27, 27)


def test_a_memory_that_leaves_too_few_cards_unseen_is_given_up() -> None:
    listener = Listener()
    for place, suit in enumerate("SHCD"):  # ones that were told twice, say
        for rank in "3456789TJQKA":
            play = ["Pair", rank, [suit + rank, suit + rank]]
            listener.hears({"stage": "play", "curPos": place, "curAction": play})
    asked = question(Table.deal("1: S2 D2"), 1) | rests(2, 3, 4, 4)
    assert listener.asked(asked).public.played == (NO_CARDS,) * 4
    asked |= rests(2, 3, 3, 4)
    assert len(listener.asked(asked).public.played[1]) == 24


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param([("tribute", [[0, 2, "HR"], [1, 2, "HR"]])], id="a card that is held here"),
        pytest.param([("tribute", [[0, 2, "S9"]] * 3)], id="three of a card"),
        pytest.param([("anti-tribute", [1, 2, 3])], id="three resist with two big jokers"),
        pytest.param([("anti-tribute", [1, 1])], id="one resists twice"),
        pytest.param(
            [("anti-tribute", [1, 2]), ("tribute", [[0, 3, "HR"]])], id="a third big joker"
        ),
    ],
)
def test_an_exchange_that_cannot_be_is_forgotten(wrong: list[tuple[str, Any]]) -> None:
    listener = Listener()
    asked = question(Table.deal("1: Y S5 …"), 1) | {"myPos": 0}
    believed = listener.asked(asked).public
    for stage, what in wrong:
        name = "antiPos" if stage == "anti-tribute" else "result"
        listener.hears({"stage": stage, name: what})
    public = listener.asked(asked).public
    assert (public.gifts, public.returns, public.resisted) == ((), (), ())
    assert evolve(public, turn=believed.turn, counts=believed.counts) == believed


def test_a_return_for_a_tribute_that_nobody_told_goes_to_an_opponent() -> None:
    table = Table.deal("4: SK CK D3 …", "1: S3 D8 …", level="K", finish=[1, 2, 3, 4])
    asked = question(table, 1)
    assert asked["stage"] == "back"
    view = Listener().asked(asked | {"myPos": 0})
    (gift,) = view.public.gifts
    assert (gift.donor, gift.recipient) == (2, 1)
    assert gift.card in view.private.hand
    for level in ("random", "basic", "club", "expert"):
        assert isinstance(policy(level).choose(view, RULES, Random(1)), Give)


@pytest.mark.parametrize(
    "notice",
    [
        {"stage": "beginning"},
        {"stage": "beginning", "handCards": ["S2"], "myPos": 9},
        {"stage": "play", "curPos": 0, "curAction": ["Single", "?", ["S2"]]},
        {"stage": "play"},
        {"stage": "tribute", "result": [[0, 3]]},
        {"stage": "back", "result": None},
        {"stage": "anti-tribute", "antiPos": [7]},
        {"stage": "episodeOver", "order": None},
    ],
)
def test_a_notice_that_makes_no_sense_changes_nothing(notice: Any) -> None:
    asked = question(Table.deal("1: S5 …"), 1)
    listener = Listener()
    before = listener.asked(asked)
    with pytest.raises(DialectError):
        listener.hears(notice)
    assert listener.asked(asked) == before


@pytest.mark.parametrize(
    "wrong",
    [
        {"stage": "sing"},
        {"stage": ["play"]},
        {"handCards": None},
        {"handCards": []},
        {"handCards": [suit + rank for suit in "SHCD" for rank in "23456789"]},
        {"curRank": 99},
        {"stage": "back", "actionList": []},
        {"stage": "tribute", "actionList": [["tribute", "tribute", ["HR"]]]},
    ],
)
def test_a_question_that_makes_no_sense_is_refused(wrong: Any) -> None:
    with pytest.raises(DialectError):
        Listener().asked(question(Table.deal("1: S5"), 1) | wrong)


def test_counts_that_are_not_said_are_counted() -> None:
    listener = Listener()
    for seat in SEATS[1:]:
        card = f"S{seat + 2}"
        listener.hears(
            {"stage": "play", "curPos": seat - 1, "curAction": ["Single", card[1], [card]]}
        )
    asked = question(Table.deal("1: S9 D9"), 1) | {"publicInfo": None, "myPos": 0}
    assert listener.asked(asked).public.counts == (2, 26, 26, 26)
