"""What a guest is told and asked, message by message."""

from __future__ import annotations

import json
from typing import Any

import pytest

from guandan_bots.dialect.telling import Teller, ask, game_over, game_result
from guandan_bots.policy import PASS, Give
from guandan_engine.moves import Offer
from guandan_engine.notation import parse_card
from guandan_engine.seats import SEATS, Seat, Team
from guandan_engine.views import redact, seat_view
from tests.bots.games import TABLES
from tests.bots.njupt import Platform, first, last
from tests.engine.table import Table

NOTHING = [None, None, None]
A_PASS = ["PASS", "PASS", "PASS"]


def told(table: Table, seat: int, teller: Teller | None = None) -> list[Any]:
    """The notices of the last command."""
    events = [redact(event, Seat(seat)) for event in table.events]
    return (teller or Teller()).told(events, Seat(seat))


def asked(table: Table, seat: int) -> Any:
    return ask(seat_view(table.match, Seat(seat)), table.match.rules).message


def test_a_hand_begins_with_ones_own_cards_and_no_others() -> None:
    platform = Platform([first] * 4, TABLES["site"], seed="1")
    platform.plays(hands=1)
    for seat in SEATS:
        message = json.loads(platform.said[seat][0])
        assert message["stage"] == "beginning"
        assert (message["type"], message["myPos"], len(message["handCards"])) == (
            "notify",
            seat - 1,
            27,
        )
        assert set(message) == {"type", "stage", "handCards", "myPos"}


def test_a_play_is_told_with_the_one_to_beat() -> None:
    table, teller = Table.deal("1: S5 …", "2: S4 S6 …", "3: …"), Teller()
    single = ["Single", "5", ["S5"]]
    assert told(table.play(1, "S5"), 4, teller) == [
        {
            "type": "notify",
            "stage": "play",
            "curPos": 0,
            "curAction": single,
            "greaterPos": 0,
            "greaterAction": single,
        }
    ]
    (message,) = told(table.pass_(2), 4, teller)
    assert (message["curPos"], message["curAction"]) == (1, A_PASS)
    assert (message["greaterPos"], message["greaterAction"]) == (0, single)


def test_following_one_is_asked_with_all_that_lies_there() -> None:
    table = Table.deal("1: S5 …", "2: S4 …", "3: S6 S7 D6", "4: …").play(1, "S5").pass_(2)
    message = asked(table, 3)
    assert message == {
        "type": "act",
        "stage": "play",
        "handCards": ["S6", "D6", "S7"],
        "publicInfo": [
            {"rest": 26, "playArea": ["Single", "5", ["S5"]]},
            {"rest": 27, "playArea": A_PASS},
            {"rest": 3, "playArea": None},
            {"rest": 27, "playArea": None},
        ],
        "selfRank": "2",
        "oppoRank": "2",
        "curRank": "2",
        "curPos": 1,
        "curAction": A_PASS,
        "greaterPos": 0,
        "greaterAction": ["Single", "5", ["S5"]],
        "actionList": [
            A_PASS,
            ["Single", "6", ["S6"]],
            ["Single", "6", ["D6"]],
            ["Single", "7", ["S7"]],
        ],
        "indexRange": 3,
    }


def test_leading_there_is_nothing_to_beat_and_no_pass() -> None:
    table = Table.deal("1: S5 D5", levels={"13": "2", "24": "9"})
    message = asked(table, 1)
    assert (message["curPos"], message["curAction"]) == (-1, NOTHING)
    assert (message["greaterPos"], message["greaterAction"]) == (-1, NOTHING)
    assert message["actionList"] == [
        ["Single", "5", ["S5"]],
        ["Single", "5", ["D5"]],
        ["Pair", "5", ["S5", "D5"]],
    ]
    assert (message["selfRank"], message["oppoRank"]) == ("2", "9")


def test_after_jiefeng_there_is_nothing_to_beat_either() -> None:
    table = Table.deal("1: SA", "2: …", "3: S5", "4: …").play(1, "SA").pass_(2, 3, 4)
    message = asked(table, 3)
    assert (message["curPos"], message["greaterPos"], message["greaterAction"]) == (-1, -1, NOTHING)
    assert message["publicInfo"][0] == {"rest": 0, "playArea": None}


def test_who_acted_last_is_the_one_before_even_when_the_owner_of_the_play_is_out() -> None:
    table = Table.deal("1: S9", "2: …", "3: ST D3", "4: …").play(1, "S9").pass_(2)
    message = asked(table, 3)
    assert (message["curPos"], message["greaterPos"]) == (1, 0)
    table.play(3, "ST")
    assert (asked(table, 4)["curPos"], asked(table, 4)["greaterPos"]) == (2, 2)
    table.pass_(4)
    message = asked(table, 2)  # seat 1 is out, and what it played is older than the pass of 4
    assert (message["curPos"], message["curAction"]) == (3, A_PASS)


def test_each_number_means_what_stands_there() -> None:
    table = Table.deal("1: S5 …", "2: S6 D6 S7", "3: …").play(1, "S5")
    question = ask(seat_view(table.match, Seat(2)), table.match.rules)
    assert question.choices[0] is PASS
    assert len(question.choices) == len(question.message["actionList"])
    assert [len(c.cards) for c in question.choices[1:] if isinstance(c, Offer)] == [1, 1, 1]


def test_tribute_is_asked_for_told_and_returned() -> None:
    table = Table.deal(
        "4: SK CK D3 …", "1: S3 D8 …", level="K", finish=[1, 2, 3, 4], tribute_pick="payer"
    )
    message = asked(table, 4)
    assert (message["stage"], message["indexRange"]) == ("tribute", 1)
    assert message["actionList"] == [
        ["tribute", "tribute", ["SK"]],
        ["tribute", "tribute", ["CK"]],
    ]
    assert (message["curPos"], message["greaterPos"]) == (-1, -1)
    assert told(table.pay(4, "CK"), 2) == [
        {"type": "notify", "stage": "tribute", "result": [[3, 0, "CK"]]}
    ]
    message = asked(table, 1)
    assert message["stage"] == "back"
    assert ["back", "back", ["D8"]] in message["actionList"]
    assert [one["rest"] for one in message["publicInfo"]] == [28, 27, 27, 26]
    question = ask(seat_view(table.match, Seat(1)), table.match.rules)
    assert Give(parse_card("D8")) in question.choices
    assert told(table.give_back(1, "D8"), 2) == [
        {"type": "notify", "stage": "back", "result": [[0, 3, "D8"]]}
    ]


def test_resistance_is_told_with_those_who_hold_the_jokers() -> None:
    table = Table.deal("2: Y …", "4: Y …", finish=[1, 3, 2, 4])
    assert told(table, 1) == [
        {"type": "notify", "stage": "anti-tribute", "antiNums": 2, "antiPos": [1, 3]}
    ]


def test_the_end_of_a_hand_is_told_with_its_places_and_what_was_left() -> None:
    table = Table.deal("1: SA", "2: D3", "3: SK D4", "4: S3 S4", level="8")
    teller = Teller()
    teller.sees(seat_view(table.match, Seat(2)))
    table.play(1, "SA").pass_(2).play(3, "pass").pass_(4)
    table.play(3, "SK").pass_(4).play(2, "pass").play(3, "D4")
    play, over = told(table, 2, teller)
    assert (play["stage"], play["curAction"]) == ("play", ["Single", "4", ["D4"]])
    assert over == {
        "type": "notify",
        "stage": "episodeOver",
        "order": [0, 2, 3, 1],
        "curRank": "8",
        "restCards": [[3, ["S3", "S4"]], [1, ["D3"]]],
    }


def test_the_end_of_a_match_and_of_all_of_them() -> None:
    assert game_over(1, 3) == {
        "type": "notify",
        "stage": "gameOver",
        "curTimes": 1,
        "settingTimes": 3,
    }
    assert game_result([Team.ODD, Team.EVEN, Team.ODD]) == {
        "type": "notify",
        "stage": "gameResult",
        "victoryNum": [2, 1, 2, 1],
        "draws": [0, 0, 0, 0],
    }


def test_who_comes_into_a_hand_is_told_its_cards_and_knows_what_to_beat() -> None:
    table, teller = Table.deal("1: S5 …", "2: S6 …", "3: S7 …").play(1, "S5"), Teller()
    (message,) = teller.sees(seat_view(table.match, Seat(3)))
    assert (message["stage"], message["myPos"]) == ("beginning", 2)
    (message,) = told(table.pass_(2), 3, teller)
    assert message["greaterAction"] == ["Single", "5", ["S5"]]
    assert teller.sees(seat_view(table.match, Seat(3))) == [], "the same hand begins once"


def test_hidden_counts_are_added_up() -> None:
    table = Table.deal("1: S5 …", "2: S6 …", show_counts="le10").play(1, "S5")
    assert [one["rest"] for one in asked(table, 2)["publicInfo"]] == [26, 27, 27, 27]


def test_whoever_is_not_asked_gets_no_question() -> None:
    with pytest.raises(ValueError, match="nothing is asked of seat 2"):
        asked(Table.deal("1: S5 …"), 2)


def test_a_whole_match_has_every_message_and_every_one_is_plain_json() -> None:
    rules = TABLES["free"]
    platform = Platform([first, last, first, last], rules, seed="3")
    platform.plays()
    stages = {
        (message["type"], message["stage"])
        for said in platform.said.values()
        for message in map(json.loads, said)
    }
    assert stages >= {
        *[("act", stage) for stage in ("play", "tribute", "back")],
        *[("notify", stage) for stage in ("beginning", "play", "tribute", "back")],
        *[("notify", stage) for stage in ("episodeOver", "gameOver", "gameResult")],
    }
    for said in platform.said.values():
        for message in map(json.loads, said):
            if message["type"] == "act":
                following = message["greaterPos"] >= 0
                assert message["indexRange"] == len(message["actionList"]) - 1
                assert message["actionList"].count(A_PASS) == following
                assert not following or message["actionList"][0] == A_PASS
