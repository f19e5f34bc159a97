"""A policy at a platform: legal answers whatever is said, and a count of what went wrong."""

from __future__ import annotations

import json
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guandan_bots.dialect.matching import Fit
from guandan_bots.dialect.telling import ask
from guandan_bots.dialect.visitor import SAID_MAX, Visitor
from guandan_bots.policy import PASS, Choice, policy
from guandan_engine.options import Rules
from guandan_engine.phases import MatchOver
from guandan_engine.seats import Seat
from guandan_engine.views import SeatView, seat_view
from tests.bots.games import TABLES
from tests.bots.njupt import Platform, first
from tests.bots.table import RULES
from tests.engine.table import Table


class Stubborn:
    """Always chooses the same, or fails."""

    name = "stubborn"

    def __init__(self, choice: Choice | Exception) -> None:
        self._choice = choice

    def choose(self, view: SeatView, rules: Rules, rng: Random) -> Choice:
        if isinstance(self._choice, Exception):
            raise self._choice
        return self._choice


def visitor(mind: Any = None, *, said: list[str] | None = None, seed: int = 1) -> Visitor:
    remarks = [] if said is None else said
    return Visitor(mind or policy("basic"), Random(seed), say=remarks.append, rules=RULES)


def question(*hands: str, over: str = "") -> Any:
    table = Table.deal(*hands)
    if over:
        table.play(1, over)
    return ask(seat_view(table.match, Seat(2 if over else 1)), table.match.rules).message


FOLLOWING = question("1: S5 …", "2: S6 D6 S7 C9 D9 H4", "3: …", over="S5")
LEADING = question("1: S6 D6 S7 C9 D9 H4")


@pytest.mark.parametrize("name", ["site", "free", "huaian"])
def test_a_whole_match_is_played_exactly_as_chosen(name: str) -> None:
    said: list[str] = []
    guests = [visitor(policy(level), said=said) for level in ("basic", "random", "basic", "random")]
    platform = Platform([guest.hears for guest in guests], TABLES[name], seed=f"visit {name}")
    platform.plays()
    assert isinstance(platform.match.phase, MatchOver)
    assert said == []
    for guest in guests:
        assert guest.is_over
        assert (guest.mismatches, guest.fallbacks) == (0, 0)
        assert guest.answers == guest.fits[Fit.EXACT] > 20
        assert guest.summary() == f"{guest.answers} answers, 0 mismatches, 0 fallbacks"


def test_what_a_platform_gives_stays_as_it_is() -> None:
    guest = visitor()
    for message in (FOLLOWING, LEADING, {"type": "notify", "stage": "tribute", "result": []}):
        before = deepcopy(message)
        guest.hears(message)
        assert message == before


def test_what_is_not_known_is_said_once_and_passed_over() -> None:
    said: list[str] = []
    guest = visitor(said=said)
    for _ in range(2):
        assert guest.hears({"type": "notify", "stage": "fireworks"}) is None
        assert guest.hears({"type": "dance"}) is None
        assert guest.hears("hello") is None
        assert guest.hears({"type": "notify", "stage": "play", "curPos": 9}) is None
    assert said == [
        'a stage that is not known: "fireworks"',
        'no message of this dialect: "dance"',
        'no message: "hello"',
        "play: expected a seat, 0 to 3, got 9",
    ]


@pytest.mark.parametrize(
    ("message", "remark"),
    [
        (None, "no message: null"),
        ([True, 1.5], "no message: [true, 1.5]"),
        ({}, "no message of this dialect: null"),
        ({"type": "notify"}, "a stage that is not known: null"),
        (FOLLOWING | {"stage": None}, "a question that is not known: null"),
        (FOLLOWING | {"actionList": False}, "a list of actions was expected, got false"),
        (FOLLOWING | {"handCards": {"a": None}}, 'play: expected a list of cards, got {"a": null}'),
    ],
)
def test_what_came_is_shown_in_words_of_json(message: Any, remark: str) -> None:
    said: list[str] = []
    visitor(said=said).hears(message)
    assert said == [remark]


def test_remarks_end_at_some_point() -> None:
    said: list[str] = []
    guest = visitor(said=said)
    for number in range(SAID_MAX + 10):
        guest.hears({"type": number})
    assert len(said) == SAID_MAX


def test_a_policy_that_fails_costs_a_move_and_is_counted() -> None:
    said: list[str] = []
    guest = visitor(Stubborn(RuntimeError("no idea")), said=said)
    assert guest.hears(FOLLOWING) == {"actIndex": 0}
    assert FOLLOWING["actionList"][0][0] == "PASS"
    assert guest.hears(LEADING) == {"actIndex": 0}
    assert (guest.answers, guest.fallbacks) == (2, 2)
    assert said == ["stubborn failed: RuntimeError: no idea"]


def test_an_unknown_question_gets_a_legal_answer() -> None:
    said: list[str] = []
    guest = visitor(said=said)
    assert guest.hears(FOLLOWING | {"stage": "sing"}) == {"actIndex": 0}
    moved = FOLLOWING["actionList"][1:] + FOLLOWING["actionList"][:1]
    assert guest.hears(FOLLOWING | {"stage": ["play"], "actionList": moved}) == {
        "actIndex": FOLLOWING["indexRange"]
    }
    assert guest.hears({"type": "act"}) == {"actIndex": 0}
    assert guest.fallbacks == 3
    assert len(said) == 4, "each stage, the missing list and the missing stage"


def test_a_choice_that_the_platform_does_not_offer_is_a_counted_mismatch() -> None:
    guest = visitor(Stubborn(PASS))
    answer = guest.hears(LEADING)
    assert answer == {"actIndex": 0}
    assert guest.mismatches == 1
    assert guest.summary() == "1 answers, 1 mismatches (none 1), 0 fallbacks"


def test_the_same_play_with_other_suits_will_do() -> None:
    exact = visitor()
    chosen = FOLLOWING["actionList"][exact.hears(FOLLOWING)["actIndex"]]  # type: ignore[index]  # a question has an answer
    assert chosen[:2] == ["Single", "7"]
    others = [["PASS", "PASS", "PASS"], ["Single", "9", ["C9"]], ["Single", "7", ["D7"]]]
    guest = visitor()
    assert guest.hears(FOLLOWING | {"actionList": others}) == {"actIndex": 2}
    assert guest.fits == {Fit.SUITS: 1}


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)
WORDS = st.sampled_from(
    [
        *("act", "notify", "play", "tribute", "back", "beginning", "episodeOver", "anti-tribute"),
        *("S2", "HR", "PASS", "Single", "2", 0, 1, None, ["S2"], ["Single", "2", ["S2"]]),
        *([["PASS", "PASS", "PASS"]], [[0, 1, "S2"]], {"rest": 3}),
    ]
)


@given(st.lists(st.tuples(st.sampled_from([FOLLOWING, LEADING]), st.dictionaries(
    st.sampled_from([*FOLLOWING, "result", "order", "myPos", "antiPos", "curPos"]), plain | WORDS
)), max_size=3))  # fmt: skip
@settings(max_examples=100, deadline=None)
def test_nothing_that_is_said_brings_it_down(spoilt: list[tuple[Any, dict[str, Any]]]) -> None:
    guest = visitor()
    for message, changes in spoilt:
        changed = json.loads(json.dumps(message | changes))
        answer = guest.hears(changed)
        if changed["type"] == "act":
            actions = changed["actionList"]
            assert answer is not None
            limit = len(actions) if isinstance(actions, list) else 0
            assert 0 <= answer["actIndex"] < max(limit, 1)
        else:
            assert answer is None
    assert guest.hears(deepcopy(FOLLOWING)) is not None


def test_an_opponent_of_ours_can_be_any_program() -> None:
    guests = [visitor().hears, first, visitor().hears, first]
    platform = Platform(guests, TABLES["site"], seed="any")
    platform.plays()
    assert isinstance(platform.match.phase, MatchOver)
    assert platform.match.phase.outcome.winner == "13"
