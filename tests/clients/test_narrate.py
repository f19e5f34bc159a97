"""Events and changes in words."""

from typing import Any

import pytest
from attrs import evolve

from guandan_cli import narrate
from guandan_engine.cards import NO_CARDS, Rank
from guandan_engine.notation import parse_card, parse_cards, parse_reading
from guandan_engine.options import rules
from guandan_engine.scoring import Standing, settle
from guandan_engine.seats import Seat, Team
from guandan_engine.views import (
    CardsReturned,
    Chosen,
    Dealt,
    HandEnded,
    OpenerDrawn,
    Passed,
    Played,
    SeatEvent,
    TimedOut,
    TributePaid,
    TributeResisted,
    TrickClosed,
    WentOut,
)
from guandan_protocol.messages import Control, Proposal, SeatKind, Settings, Stage
from tests.clients.scenes import ANN, EN, FREE, LI, SEATS_TAKEN, ZH, bot, scene
from tests.engine.table import Table, gift, gifts

ONE, TWO, THREE, FOUR = map(Seat, (1, 2, 3, 4))

EVENTS: list[tuple[SeatEvent, str, str]] = [
    (Dealt(1, Rank.TWO, None, b"", None), "── Hand 1: playing 2 ──", "── 第1局：打2 ──"),
    (
        Dealt(3, Rank.TEN, Team.EVEN, b"", None),
        "── Hand 3: playing 10 (their level) ──",
        "── 第3局：打10（对方的级） ──",
    ),
    (
        OpenerDrawn(((parse_card("Y"), TWO), (parse_card("S9"), THREE))),
        "Turned up: big joker ♠9. 3 李明 leads.",
        "翻牌：大王 ♠9，3号李明首出。",
    ),
    (
        TributeResisted((TWO, FOUR)),
        "Tribute resisted: 2 Orchid and 4 Plum with both big jokers.",
        "抗贡：2号阿兰、4号阿梅有两张大王。",
    ),
    (Chosen(THREE, None), "3 李明: has chosen a card", "3号李明：已选好牌"),
    (
        Chosen(ONE, parse_card("S3")),
        "you: chose ♠3; it moves when the other has chosen",
        "你：选了♠3，等另一家选好一起亮出",
    ),
    (TributePaid((gift("4→1 SA"),)), "Tribute: 4 Plum to you, ♠A", "进贡：4号阿梅给你，♠A"),
    (CardsReturned((gift("1→4 D3"),)), "Return: you to 4 Plum, ♦3", "还贡：你给4号阿梅，♦3"),
    (TimedOut(TWO), "2 Orchid: out of time", "2号阿兰：超时"),
    (
        Played(TWO, parse_cards("S9 H9"), parse_reading("pair-9")),
        "2 Orchid: pair of 9s · ♠9 ♥9 (27 left)",
        "2号阿兰：对9 · ♠9 ♥9（剩27张）",
    ),
    (
        Played(TWO, parse_cards("S9"), parse_reading("single-9")),
        "2 Orchid: ♠9 (27 left)",
        "2号阿兰：♠9（剩27张）",
    ),
    (Passed(THREE), "3 李明: pass", "3号李明：不出"),
    (WentOut(ONE, 1), "you: no cards left, 1st", "你：牌出完了，头游"),
    (TrickClosed(TWO, TWO), "Trick to 2 Orchid.", "这一圈归2号阿兰。"),
    (
        TrickClosed(TWO, FOUR),
        "Trick to 2 Orchid, whose cards are gone: the partner leads, 4 Plum (jiefeng).",
        "这一圈归2号阿兰，牌已出完：4号阿梅接风。",
    ),
]


@pytest.mark.parametrize(("event", "english", "chinese"), EVENTS)
def test_events(event: SeatEvent, english: str, chinese: str) -> None:
    seen = scene(Table.deal())
    assert narrate.event(event, seen, EN, level=Rank.TWO) == [english]
    assert narrate.event(event, seen, ZH, level=Rank.TWO) == [chinese]


def test_a_double_tribute_is_two_lines() -> None:
    event = TributePaid(gifts("2→1 Y,4→3 SA"))
    lines = narrate.event(event, scene(Table.deal()), EN, level=Rank.TWO)
    assert lines == ["Tribute: 2 Orchid to you, big joker", "Tribute: 4 Plum to 3 李明, ♠A"]


def test_hidden_counts_are_not_told() -> None:
    seen = scene(Table.deal(show_counts="le10"))
    event = Played(TWO, parse_cards("S9"), parse_reading("single-9"))
    assert narrate.event(event, seen, EN, level=Rank.TWO) == ["2 Orchid: ♠9"]


def ended(
    finish: tuple[int, int, int, int],
    *,
    levels: tuple[str, str] = ("5", "7"),
    active: str = "5",
    owner: Team = Team.ODD,
    misses: tuple[int, int] = (0, 0),
    **options: Any,
) -> tuple[HandEnded, Any]:
    ranks = [Rank("23456789TJQKA".index(level)) for level in levels]
    before = Standing(
        levels=dict(zip(Team, ranks, strict=True)),
        active=Rank("23456789TJQKA".index(active)),
        owner=owner,
        misses=dict(zip(Team, misses, strict=True)),
    )
    one, two, three, four = map(Seat, finish)
    outcome = settle(before, (one, two, three, four), rules("site", options))
    left = (NO_CARDS, parse_cards("S3 HA"), NO_CARDS, parse_cards("Y"))
    event = HandEnded(outcome, left, bytes(32), (b"", b"", b"", b""))
    return event, Table.deal(**options)


@pytest.mark.parametrize(
    ("finish", "line"),
    [
        ((1, 3, 2, 4), "1st and 2nd: us +3 (double up). Levels: us 8, them 7"),
        ((1, 2, 3, 4), "1st and 3rd: us +2. Levels: us 7, them 7"),
        ((1, 2, 4, 3), "1st and last: us +1. Levels: us 6, them 7"),
        ((2, 4, 1, 3), "1st and 2nd: them +3 (double up). Levels: us 5, them 10"),
    ],
)
def test_the_end_of_a_hand(finish: tuple[int, int, int, int], line: str) -> None:
    event, table = ended(finish)
    lines = narrate.event(event, scene(table), EN, level=Rank.FIVE)
    assert lines[0].startswith("── Hand over: 1st ")
    assert line in lines


def test_places_and_what_was_left() -> None:
    event, table = ended((1, 3, 2, 4))
    assert narrate.event(event, scene(table), ZH, level=Rank.FIVE) == [
        "── 本局结束：头游你，二游3号李明，三游2号阿兰，末游4号阿梅 ──",
        "2号阿兰剩下：♥A ♠3",
        "4号阿梅剩下：大王",
        "双上：我方升3级。级数：我方 8，对方 7",
    ]


def test_a_won_match_says_who_won() -> None:
    event, table = ended((1, 3, 2, 4), levels=("A", "7"), active="A")
    lines = narrate.event(event, scene(table), EN, level=Rank.ACE)
    assert lines[-1] == "══ Match won: us ══"


def test_an_attempt_at_ace_that_failed() -> None:
    event, table = ended((1, 2, 4, 3), levels=("A", "7"), active="A", a_max_misses=3)
    lines = narrate.event(event, scene(table), EN, level=Rank.ACE)
    assert lines[-2:] == [
        "1st and last: us +1. Levels: us A2/3, them 7",
        "An attempt at A has failed: us, 1 by now.",
    ]


def test_the_last_attempt_at_ace() -> None:
    event, table = ended((1, 2, 4, 3), levels=("A", "7"), active="A", misses=(2, 0), a_max_misses=3)
    lines = narrate.event(event, scene(table), EN, level=Rank.ACE)
    assert lines[-2:] == [
        "1st and last: us +1. Levels: us 2, them 7",
        "The attempts at A are used up: us back to 2.",
    ]


def test_events_of_an_update_know_the_level_they_happened_at() -> None:
    happened: list[SeatEvent] = [
        Played(TWO, parse_cards("S9 H2"), parse_reading("pair-9")),
        Dealt(3, Rank.KING, Team.ODD, b"", None),
        Played(TWO, parse_cards("S9 HK"), parse_reading("pair-9")),
    ]
    lines = narrate.events(happened, scene(Table.deal()), EN, level=Rank.TWO)
    assert [lines[0], lines[2]] == [
        "2 Orchid: pair of 9s · ♠9 ♥2=♥9 (27 left)",
        "2 Orchid: pair of 9s · ♠9 ♥K=♥9 (27 left)",
    ]


# Around the match


def changes(*, seats: Any = SEATS_TAKEN, then: Any = None, **room: Any) -> list[str]:
    """What is said when the seats become `then`, and the room what `room` says."""
    before = scene(Table.deal(), seats=seats)
    after = scene(Table.deal(), seats=then or seats, **room)
    return narrate.changes(before, after, EN)


def test_nothing_is_said_of_nothing() -> None:
    assert changes() == []


AWAY = evolve(LI, online=False)


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        (FREE, LI, "3 李明: sits down at seat 3"),
        (bot("Bamboo"), LI, "3 李明: sits down at seat 3"),
        (LI, FREE, "Seat 3 is free."),
        (LI, bot("Bamboo"), "3 Bamboo: a bot at seat 3, basic"),
        (bot("Bamboo"), bot("Bamboo", "random"), "3 Bamboo: a bot at seat 3, random"),
        (LI, AWAY, "3 李明: connection lost"),
        (AWAY, LI, "3 李明: here"),
        (LI, evolve(LI, control=Control.STAND_IN), "3 李明: a bot stands in"),
        (
            LI,
            evolve(LI, control=Control.AUTOPILOT, pace_ms=500),
            "3 李明: on autopilot (0.5 s a move); o turns yours off",
        ),
        (evolve(LI, control=Control.STAND_IN), LI, "3 李明: plays in person"),
        (LI, evolve(LI, later=True), "3 李明: would play on later"),
    ],
)
def test_a_seat_changes(old: Any, new: Any, line: str) -> None:
    seats, then = list(SEATS_TAKEN), list(SEATS_TAKEN)
    seats[2], then[2] = old, new
    assert changes(seats=tuple(seats), then=tuple(then)) == [line]


def test_who_is_ready_is_said_between_hands_only() -> None:
    ready = (ANN, *SEATS_TAKEN[1:2], evolve(LI, ready=True), SEATS_TAKEN[3])
    assert changes(then=ready) == []
    before = scene(Table.deal(), stage=Stage.LOBBY)
    after = scene(Table.deal(), stage=Stage.LOBBY, seats=ready)
    assert narrate.changes(before, after, EN) == ["3 李明: ready"]
    assert narrate.changes(after, before, EN) == ["3 李明: not ready after all"]


def test_with_a_new_hand_nobody_takes_anything_back() -> None:
    ready = tuple([evolve(one, ready=True) for one in SEATS_TAKEN])
    before = scene(Table.deal(), stage=Stage.LOBBY, seats=ready)
    assert narrate.changes(before, scene(Table.deal(), stage=Stage.PLAYING), EN) == []


def test_one_s_own_connection_is_no_news() -> None:
    assert changes(then=(evolve(ANN, online=False), *SEATS_TAKEN[1:])) == []


@pytest.mark.parametrize(
    ("room", "lines"),
    [
        ({"host": THREE}, ["The host is now 3 李明."]),
        ({"host": None}, []),
        ({"stage": Stage.PAUSED}, ["The table is paused: nothing runs, and all is kept."]),
        ({"stage": Stage.LOBBY}, ["Back in the lobby."]),
        ({"preset": "house"}, ["The host has changed rules or settings; rules shows them."]),
        (
            {"settings": Settings(pace_ms=500)},
            ["The host has changed rules or settings; rules shows them."],
        ),
        (
            {"swaps": ((THREE, ONE),)},
            ["3 李明 would change places with you, who agrees by: sit 3, or says no by: decline 3"],
        ),
        ({"proposal": Proposal.REMATCH}, ["Proposed: a rematch."]),
        ({"match": 2}, ["══ Match 2 ══"]),
        ({"watchers": 5}, []),
    ],
)
def test_the_room_changes(room: dict[str, Any], lines: list[str]) -> None:
    assert changes(**room) == lines


def test_a_proposal_ends_by_a_no_or_by_a_new_match() -> None:
    before = scene(Table.deal(), proposal=Proposal.NEW_GAME)
    assert narrate.changes(before, scene(Table.deal()), EN) == ["The proposal is off."]
    assert narrate.changes(before, scene(Table.deal(), match=2), EN) == ["══ Match 2 ══"]


def test_a_paused_table_goes_on() -> None:
    before = scene(Table.deal(), stage=Stage.PAUSED)
    assert narrate.changes(before, scene(Table.deal()), EN) == ["The table goes on."]


def test_every_kind_of_seat_is_in_these_tests() -> None:
    assert {info.kind for info in (*SEATS_TAKEN, FREE)} == set(SeatKind)
