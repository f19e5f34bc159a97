"""People at a table: whose word counts, who is host, what becomes of those who go."""

from __future__ import annotations

import pytest
from attrs import evolve

from guandan_engine.phases import HandOver
from guandan_engine.record import Record, write
from guandan_engine.seats import Seat
from guandan_protocol import messages as m
from guandan_protocol.messages import Code, Control, Proposal, Settings, Stage
from guandan_server.frontdesk import plain_name
from guandan_server.items import Take, Tick
from tests.server.driver import Driver, Sitter
from tests.server.test_room import over, play_own_turn, stage, started

GRACE_MS = 61_000


def two(seed: int = 4, **how: object) -> tuple[Driver, Sitter]:
    """A match of two people and two bots; autopilots play for both."""
    table = Driver.create(seed=seed, **how)  # type: ignore[arg-type]  # passed on as they are
    bob = table.join("Bob")
    table.act(table.host, m.Start(1))
    for sitter in (table.host, bob):
        table.act(sitter, m.Autopilot(2, on=True, pace_ms=300))
    return table, bob


def test_a_match_is_not_thrown_away_behind_the_back_of_somebody_who_lost_the_link() -> None:
    table, bob = two()
    table.act(table.host, m.Propose(3, Proposal.NEW_GAME))
    table.leave_off(bob)
    table.wait(2 * GRACE_MS)
    assert table.state.match_no == 1
    table.act(table.resume(bob), m.Consent(3, agree=True))
    assert table.state.match_no == 2


def test_nobody_left_agrees_to_nothing() -> None:
    table, bob = two()
    table.act(table.host, m.Propose(3, Proposal.NEW_GAME))
    table.watch()
    for sitter in (table.host, bob):
        table.act(sitter, m.Leave(4))
    assert (table.state.match_no, stage(table)) == (1, Stage.PAUSED)


def test_a_rematch_does_not_wait_for_who_is_away() -> None:
    table, bob = two(seed=6)
    table.play_on(until=lambda: over(table))
    table.act(table.host, m.Propose(3, Proposal.REMATCH))
    table.leave_off(bob)
    assert table.state.match_no == 1
    table.wait(GRACE_MS)
    assert table.state.match_no == 2


def test_people_agree_and_not_chairs() -> None:
    table, bob = two(seed=6)
    table.play_on(until=lambda: over(table))
    table.act(table.host, m.Propose(3, Proposal.REMATCH))
    table.act(table.host, m.Sit(4, Seat(2)))
    table.act(bob, m.Sit(3, Seat(1)))
    assert (table.state.proposal, table.state.consents) == (None, ())


def test_who_agreed_to_one_table_did_not_agree_to_another() -> None:
    table, _ = two(seed=6)
    table.play_on(until=lambda: over(table))
    table.act(table.host, m.Propose(3, Proposal.REMATCH))
    table.act(table.host, m.Configure(4, "nanjing", {}, table.last(table.host).view.settings))
    assert table.state.proposal is None


def test_the_play_that_wins_is_told_whatever_is_proposed() -> None:
    for seed in range(12):
        table, bob = two(seed=seed)
        table.play_on(until=lambda t=table: len(t.state.session) >= 2)  # type: ignore[misc]  # bound at once
        table.act(table.host, m.Propose(3, Proposal.NEW_GAME))
        table.leave_off(bob)
        for _ in range(100_000):
            if stage(table) is Stage.MATCH_OVER:
                break
            table.tick()
        assert table.state.match_no == 1
        assert table.changes[-1].finished is not None


def test_turns_go_on_from_match_to_match() -> None:
    table, bob = two(seed=6)
    table.play_on(until=lambda: over(table))
    turn = table.state.match.turn
    table.act(table.host, m.Propose(3, Proposal.REMATCH))
    table.act(bob, m.Consent(3, agree=True))
    assert table.state.match.turn > turn
    stale = table.act(table.host, m.Pass(4, turn))
    assert isinstance(stale, m.Refused)


@pytest.mark.parametrize("started_", [True, False])
def test_an_absent_host_is_none(*, started_: bool) -> None:
    table = Driver.create(settings=Settings(grace_s=60))
    bob = table.join("Bob")
    if started_:
        table.act(table.host, m.Start(1))
    table.leave_off(table.host)
    table.wait(GRACE_MS)
    assert table.last(bob).view.host == 2
    table.resume(table.host)
    assert table.last(bob).view.host == 2


def test_a_clock_that_an_autopilot_puts_away_goes_on_where_it_was() -> None:
    table = Driver.create(settings=Settings(clock_s=30))
    table.join("Bob")
    table.act(table.host, m.Start(1))
    table.wait(20_000)
    table.act(table.host, m.Autopilot(2, on=True, pace_ms=5000))
    table.act(table.host, m.Autopilot(3, on=False))
    clock_ms = table.last(table.host).view.clock_ms
    assert clock_ms is not None
    assert clock_ms <= 10_000


def test_no_clock_is_a_choice() -> None:
    table = Driver.create()
    table.join("Bob")
    shown = table.last(table.host).view.settings
    assert shown.clock_s == 30
    table.act(table.host, m.Configure(1, "site", {}, shown))
    assert table.state.auto_clock  # what was shown came back: nothing was chosen
    table.act(table.host, m.Configure(2, "site", {}, evolve(shown, clock_s=None)))
    assert table.last(table.host).view.settings.clock_s is None


def test_the_next_hand_does_not_wait_long_for_who_is_played_for() -> None:
    table, bob = two(seed=3, settings=Settings(grace_s=5))
    table.play_on(until=lambda: table.state.match.phase.__class__.__name__ == "HandOver")
    table.act(table.host, m.Autopilot(3, on=False))
    table.leave_off(bob)
    table.wait(6_000)
    assert table.state.seat(Seat(2)).control is Control.STAND_IN
    table.act(table.host, m.Ready(4))
    table.wait(3_000)
    assert table.state.match.deal.number == 2


def test_who_takes_a_seat_back_at_the_end_of_a_hand_has_time_to_look_at_it() -> None:
    table, bob = two(seed=3)
    table.play_on(until=lambda: isinstance(table.state.match.phase, HandOver))
    deal_ms = table.last(bob).view.deal_ms
    assert deal_ms is not None
    assert deal_ms <= 3_000
    table.act(table.host, m.Autopilot(3, on=False))
    table.act(bob, m.Autopilot(3, on=False))
    deal_ms = table.last(bob).view.deal_ms
    assert deal_ms is not None
    assert 25_000 < deal_ms <= 30_000
    table.wait(20_000)
    assert table.state.match.deal.number == 1
    table.act(table.host, m.Ready(4))
    table.act(bob, m.Autopilot(4, on=True, pace_ms=300))  # nobody is asked any more
    table.wait(3_000)
    assert table.state.match.deal.number == 2


def test_asking_nobody_again_and_again_puts_the_next_hand_off_no_further() -> None:
    table, bob = two(seed=3)
    table.play_on(until=lambda: isinstance(table.state.match.phase, HandOver))
    for i in range(15):
        table.act(bob, m.Autopilot(3 + i, on=i % 2 == 1, pace_ms=300))
        table.wait(2_000)
    assert table.state.match.deal.number == 2


def test_making_a_room_again_opens_no_seat_that_was_given_up() -> None:
    table = Driver.create()
    token = table.host.token
    bob = table.join("Bob")
    table.act(table.host, m.Leave(1))
    eve = table.join("Eve")
    assert eve.seat == 1
    conn = table.conn()
    table.give(Take(conn, Seat(1), token))
    refused = table.heard[conn][0]
    assert isinstance(refused, m.Refused)
    assert refused.code == Code.BAD_TOKEN
    assert table.last(eve).seat == 1
    assert table.last(bob).view.seats[0].name == "Eve"


@pytest.mark.parametrize(
    "name", ["Ann  B", "阿\u3000明", "👨\u200d👩\u200d👧", "\u200d", "\u2066x"]
)
def test_every_name_can_be_shown_and_recorded(name: str) -> None:
    table = Driver.create(name=name)
    shown = table.last(table.host).view.seats[0].name
    assert shown == plain_name(name) != ""
    assert write(Record(rules=table.state.match.rules, commands=(), names=(shown, "", "", "")))


def test_what_is_kept_of_people_goes_with_them() -> None:
    table = started()
    for n in range(30):
        bob = table.join("Bob", Seat(2))
        table.act(bob, m.SetPace(1, 300))
        assert isinstance(table.act(bob, m.Leave(n + 2)), m.Done)
    assert len(table.room._marks) <= 4  # noqa: SLF001  nothing else tells
    assert isinstance(play_own_turn(table, table.host, 2), m.Done)
    table.give(Tick())
