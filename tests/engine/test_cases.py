"""The referee of single questions: the shared cases, and whatever else people may send."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guandan_engine.cases import CaseError, agrees, decide
from tests.engine.test_brute import CASES, answer, without_card_order

Json = dict[str, Any]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_the_shared_cases(case: Json) -> None:
    assert agrees(case["expect"], decide(case)) == []


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_the_slow_referee_answers_alike(case: Json) -> None:
    """More than a case may ask for: the whole answer of both is compared."""
    ours, theirs = decide(case), answer(case)
    if case["kind"] == "tribute":
        ours, theirs = without_card_order(ours), without_card_order(theirs)
    if case["kind"] == "beats":
        ours.setdefault("reason", None)
    if case["kind"] == "turn":
        assert ours.get("rejected") == theirs.get("rejected")
    assert ours == theirs


def test_all_of_them() -> None:
    assert len(CASES) == 227


# A difference is told.


def of_kind(kind: str, **given: object) -> Json:
    return {"kind": kind, "level": "2", "input": given}


def test_a_difference_names_its_place() -> None:
    case = of_kind("classify", cards=["S5", "H5"])
    expect = {"readings": [{"type": "pair", "key": "6", "len": 2}]}
    assert agrees(expect, decide(case)) == ["readings[0].key: expected '6', got '5'"]
    assert agrees({"readings": []}, decide(case)) == [
        "readings: expected [], got [{'type': 'pair', 'key': '5', 'len': 2}]"
    ]
    assert agrees({"reading": []}, decide(case)) == ["reading: expected [], got nothing"]


def test_types_count() -> None:
    assert agrees({"a": 1}, {"a": True}) == ["a: expected 1, got True"]
    assert agrees({"a": [1]}, {"a": [1.0]}) == ["a[0]: expected 1, got 1.0"]
    assert agrees([], {}) == [": expected [], got {}"]


def test_a_refusal_that_was_not_expected_is_a_difference() -> None:
    case = of_kind("turn", leader=1, actions=[[1, "pass"]])
    result = decide(case)
    expect = {key: value for key, value in result.items() if key != "rejected"}
    assert agrees(expect, result) == ["rejected: not expected"]
    assert agrees(result, result) == []


def test_a_recipient_that_was_not_expected_is_a_difference() -> None:
    case = of_kind("tribute", finish=[1, 2, 3, 4], hands={"4": ["SA", "DK"], "1": ["S3", "D8"]})
    result = decide(case)
    assert agrees({"returns": {}}, result) == ["returns.1: not expected"]
    assert agrees({"returns": {"1": ["D8", "S3"]}}, result) == []  # sets: order is free
    assert agrees({"returns": {"1": ["D8"]}}, result) != []
    assert agrees({"returns": {"1": [3, "S3"]}}, result) != []


# What is malformed is a CaseError that says where.


@pytest.mark.parametrize(
    ("case", "says"),
    [
        (None, "a case is an object"),
        ([], "a case is an object"),
        ({}, "kind: expected text"),
        ({"kind": ["classify"]}, "kind: expected text"),
        ({"kind": "guess"}, "kind: expected one of classify"),
        (of_kind("classify"), "'cards' is missing"),
        (of_kind("classify", cards="S5"), "cards: expected a list"),
        (of_kind("classify", cards=["S1"]), "expected a card"),
        (of_kind("classify", cards=["S5 H5"]), "single cards"),
        (of_kind("classify", cards=["S5"] * 3), "at most two"),
        (of_kind("classify", cards=[5]), "cards: expected text"),
        (of_kind("classify", cards=[]) | {"level": "X"}, "expected a level"),
        (of_kind("classify", cards=[]) | {"level": 2}, "level: expected text"),
        (of_kind("classify", cards=[]) | {"preset": "home"}, "preset"),
        (of_kind("classify", cards=[]) | {"preset": ["site"]}, "unhashable"),
        (of_kind("classify", cards=[]) | {"options": {"colour": 1}}, "no such option"),
        (of_kind("classify", cards=[]) | {"options": []}, "options: expected an object"),
        (of_kind("classify", cards=[]) | {"input": None}, "input: expected an object"),
        (of_kind("beats", cards=["S5"], table={"type": "pair"}), "table: no such reading"),
        (of_kind("beats", cards=["S5"], table={"type": "pair", "key": "1"}), "a level"),
        (of_kind("beats", cards=["S5"], table={"key": "5"}), "table: no such reading"),
        (of_kind("beats", cards=["S5"], declare=[]), "declare: expected an object"),
        (of_kind("tribute", finish=[1, 2, 3], hands={}), "finish: expected all four seats"),
        (of_kind("tribute", finish=[1, 1, 2, 3], hands={}), "a seat stands twice"),
        (of_kind("tribute", finish=[1, 2, 3, 4], hands={}), "seat 4 pays and has no hand"),
        (of_kind("tribute", finish=[1, 2, 3, 4], hands={"4": ["H2"]}), "nothing but wilds"),
        (of_kind("tribute", finish=[1, 2, 3, 4], hands={"5": []}), "expected a seat"),
        (
            of_kind("tribute", finish=[1, 2, 3, 4], hands={"4": ["C9"], "1": []}),
            "nothing to return",
        ),
        (of_kind("tribute", finish=[1, 2, 3, True], hands={}), "expected a seat"),
        (of_kind("turn", leader=1, actions=[[1]]), "not enough values"),
        (of_kind("turn", leader=1, actions=[[1, "sing"]]), "expected play or pass"),
        (of_kind("turn", leader=1, out=[1], actions=[]), "leader: that seat is out"),
        (of_kind("turn", leader=1, actions=7), "actions: expected a list"),
        (
            of_kind("advance", levels={"13": "2"}, active={"rank": "2"}, finish=[1, 2, 3, 4]),
            "missing or unknown",
        ),
        (
            of_kind(
                "advance",
                levels={"13": "2", "24": "2"},
                active={"rank": "2"},
                finish=[1, 2, 3, 4],
                misses={"13": -1, "24": 0},
            ),
            "misses: expected a count",
        ),
    ],
)
def test_malformed(case: object, says: str) -> None:
    with pytest.raises(CaseError) as error:
        decide(case)
    assert says in str(error.value)


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(
        ["", "S5", "H2", "X", "5", "A", "13", "pair", "play", "pass", "out", "1", "¹", "site"]
    ),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["cards", "type", "key", "len", "1", "13", "rank", "owner", "x"]), inner
        )
    ),
    max_leaves=6,
)


def places(value: object, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    return [path, *(p for key, item in inner for p in places(item, (*path, key)))]


@given(st.sampled_from(CASES), st.data())
@settings(max_examples=400)
def test_a_damaged_case_is_answered_or_refused(case: Json, data: st.DataObject) -> None:
    """Something in a good case is replaced, or taken out: an answer or a CaseError, never else."""
    damaged = copy.deepcopy(case)
    path = data.draw(st.sampled_from(places(damaged)[1:]))
    at: Any = damaged
    for key in path[:-1]:
        at = at[key]
    if data.draw(st.booleans()):
        at[path[-1]] = data.draw(json_values)
    else:
        del at[path[-1]]
    try:
        result = decide(damaged)
    except CaseError as error:
        assert str(error)  # noqa: PT017  an answer is as good
    else:
        json.dumps(result)
        assert isinstance(agrees(damaged.get("expect"), result), list)


@given(json_values)
def test_anything_at_all(value: object) -> None:
    with pytest.raises(CaseError):
        decide(value)
    assert isinstance(agrees(value, decide(CASES[0])), list)


def test_an_opener_that_only_a_seed_could_tell() -> None:
    case = {**of_kind("tribute", finish=None, hands={}), "options": {"first_lead": "random"}}
    assert decide(case) == {"kind": "none", "gifts": [], "returns": {}, "leader": None}
    drawn = {**of_kind("tribute", finish=None, hands={}, drawn=[]), "preset": "national-2017"}
    assert decide(drawn)["leader"] is None


# The page about them.

PAGE = (Path(__file__).parents[2] / "docs" / "judge.md").read_text("utf-8")
EXAMPLES = [
    json.loads(line)
    for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    for line in block.splitlines()
]


@pytest.mark.parametrize("place", range(len(EXAMPLES)))
def test_examples_of_the_page_are_right(place: int) -> None:
    case = EXAMPLES[place]
    assert agrees(case["expect"], decide(case)) == []
    assert decide(case).keys() == case["expect"].keys()


def test_the_page_shows_each_kind() -> None:
    assert {case["kind"] for case in EXAMPLES} == {case["kind"] for case in CASES}


def test_a_reading_on_the_table_may_leave_out_its_size() -> None:
    asked = of_kind("beats", cards=["S9", "H9"], table={"type": "pair", "key": "8"})
    assert decide(asked)["allowed"]
    with pytest.raises(CaseError, match="no such reading"):  # a bomb has several
        decide(of_kind("beats", cards=["S9"], table={"type": "bomb", "key": "8"}))
