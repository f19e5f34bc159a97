from __future__ import annotations

import random
from functools import partial

import pytest
from attrs import evolve

from guandan_engine.cards import Cards
from guandan_engine.machine import step
from guandan_engine.options import PRESETS
from guandan_engine.phases import Following, HandOver, Leading, MatchOver
from guandan_engine.seats import Seat
from guandan_engine.shuffle import commitment
from guandan_engine.state import new_match
from guandan_engine.views import Dealt, PhaseName, SeatView
from guandan_protocol import messages as m
from guandan_protocol.messages import Code, Control, Proposal, SeatKind, Settings, Stage
from guandan_server import deadlines
from guandan_server.deadlines import BotMoves
from guandan_server.items import Thought, Tick
from guandan_server.journal import commands_in, rebuild
from guandan_server.presence import Presence
from guandan_server.room import Room
from tests.server.driver import Driver, Sitter, any_choice


def stage(table: Driver) -> Stage:
    return table.state.stage


def over(table: Driver) -> bool:
    return stage(table) is Stage.MATCH_OVER


def unloaded(table: Driver) -> bool:
    return table.unloaded


def started(**how: object) -> Driver:
    table = Driver.create(**how)  # type: ignore[arg-type]  # passed on as they are
    assert isinstance(table.act(table.host, m.Start(n=1)), m.Done)
    return table


def play_own_turn(table: Driver, sitter: Sitter, n: int) -> m.Done | m.Refused:
    """Any legal action for a seat whose turn it is."""
    assert sitter.seat is not None
    view = table.last(sitter)
    assert view.private is not None
    choice = any_choice(
        SeatView(sitter.seat, view.public, view.private), table.state.match.rules, table.rng
    )
    if choice is None:
        return table.act(sitter, m.Pass(n))
    if isinstance(choice, int):
        paying = view.public.phase is PhaseName.PAYING
        return table.act(sitter, m.Pay(n, choice) if paying else m.GiveBack(n, choice))
    return table.act(sitter, m.Play(n, choice.cards, choice.reading))


@pytest.mark.parametrize("preset", PRESETS)
def test_bots_at_every_seat_play_matches_to_a_winner(preset: str) -> None:
    """Nine matches a preset: more than fifty in all."""
    for seed in range(9):
        table = Driver.create(preset=preset, seed=seed)
        table.check_round_trip = seed == 0
        table.act(table.host, m.Autopilot(n=1, on=True, pace_ms=300))
        table.act(table.host, m.Start(n=2))
        table.play_on(until=partial(over, table))
        assert table.state.session[-1].match_won
        assert isinstance(table.state.match.phase, MatchOver)


def test_the_creator_sits_at_seat_one_and_a_start_fills_the_seats() -> None:
    table = Driver.create()
    welcome = table.last(table.host)
    assert isinstance(welcome, m.Welcome)
    assert (welcome.seat, len(welcome.token)) == (1, m.TOKEN_BYTES)
    assert welcome.view.host == 1
    table.act(table.host, m.Start(n=1))
    kinds = [seat.kind for seat in table.last(table.host).view.seats]
    assert kinds == [SeatKind.PERSON, SeatKind.BOT, SeatKind.BOT, SeatKind.BOT]


def test_the_seed_was_committed_to_before_the_deal() -> None:
    table = Driver.create()
    published = table.last(table.host).view.commitment
    table.act(table.host, m.Start(n=1))
    assert commitment(table.state.match.deal.seed) == published
    dealt = [e for e in table.last(table.host).events if isinstance(e, Dealt)]  # type: ignore[union-attr]  # the last is an update
    assert [e.commitment for e in dealt] == [published]
    assert table.last(table.host).view.commitment not in (b"", published)


def test_a_nonce_goes_into_the_shuffle() -> None:
    hands = []
    for nonce in (b"", b"mine"):
        table = Driver.create(seed=5)
        table.act(table.host, m.Ready(n=1, nonce=nonce))
        table.act(table.host, m.Start(n=2))
        hands.append(table.state.match.hands)
    assert hands[0] != hands[1]


def test_an_action_sent_again_is_known() -> None:
    table = started()
    assert table.act(table.host, m.Start(n=1)) == m.Done(1, 1)
    assert table.room.seq == 1
    conflict = table.act(table.host, m.Leave(n=1))
    assert isinstance(conflict, m.Refused)
    assert conflict.code == Code.ACTION_CONFLICT
    table.act(table.host, m.SetPace(n=5, pace_ms=300))
    stale = table.act(table.host, m.SetPace(n=2, pace_ms=300))
    assert isinstance(stale, m.Refused)
    assert stale.code == Code.STALE_ACTION


def test_what_is_not_stored_has_not_happened() -> None:
    table = started()
    before = table.state
    heard = len(table.heard[table.host.conn])
    table.fail_next = Code.STORAGE_UNAVAILABLE
    answer = play_own_turn(table, table.host, 2)
    assert isinstance(answer, m.Refused)
    assert (answer.code, answer.retry_ms) == (Code.STORAGE_UNAVAILABLE, 1000)
    assert table.state is before
    assert len(table.heard[table.host.conn]) == heard + 1
    assert isinstance(play_own_turn(table, table.host, 2), m.Done)


def test_the_newest_connection_holds_the_seat_and_a_late_close_of_the_old_changes_nothing() -> None:
    table = started()
    again = table.resume(table.host)
    assert table.dropped == {table.host.conn: m.CLOSE_REPLACED}
    table.leave_off(table.host)
    assert table.last(again).view.seats[0].online
    assert isinstance(play_own_turn(table, again, 2), m.Done)


def test_any_wrong_token_gets_the_same_answer() -> None:
    table = started()
    for token in (b"", bytes(32), bytes([table.host.token[0] ^ 1]) + table.host.token[1:]):
        conn, answer = table.enter(m.Resume(m.VERSION, "TESTAB", token))
        assert answer == m.Refused(0, Code.BAD_TOKEN, "the token opens no seat here")
        assert table.dropped[conn] == m.CLOSE_BAD_TOKEN


def test_four_seats_and_no_fifth() -> None:
    table = Driver.create()
    seats = {table.join(name).seat for name in ("Bob", "Cid", "Dee")}
    assert seats == {2, 3, 4}
    _, answer = table.enter(m.Join(m.VERSION, "TESTAB", "Eve"))
    assert isinstance(answer, m.Refused)
    assert answer.code == Code.FULL


def test_the_match_starts_by_itself_when_four_people_are_ready() -> None:
    table = Driver.create()
    people = [table.host, *[table.join(name) for name in ("Bob", "Cid", "Dee")]]
    for person in people[:3]:
        table.act(person, m.Ready(n=1))
        assert stage(table) is Stage.LOBBY
    table.act(people[3], m.Ready(n=1))
    assert stage(table) is Stage.PLAYING


def test_lobby_commands_are_refused_while_a_match_is_on() -> None:
    table = started()
    actions: list[m.Action] = [
        m.AddBot(2, Seat(2), "basic"),
        m.RemoveBot(3, Seat(2)),
        m.Sit(4, Seat(3)),
        m.Kick(5, Seat(2)),
        m.Configure(6, "site", {}, Settings()),
        m.Start(7),
        m.Propose(8, Proposal.REMATCH),
    ]
    for action in actions:
        answer = table.act(table.host, action)
        assert isinstance(answer, m.Refused), action
        assert answer.code == Code.NOT_NOW


def test_only_the_host_does_the_hosts_part() -> None:
    table = Driver.create()
    bob = table.join("Bob")
    actions: list[m.Action] = [
        m.Start(1),
        m.AddBot(2, Seat(3), "basic"),
        m.Kick(3, Seat(1)),
        m.SetPace(4, 500),
    ]
    for action in actions:
        answer = table.act(bob, action)
        assert isinstance(answer, m.Refused)
        assert answer.code == Code.FORBIDDEN


def test_two_people_change_places_when_both_ask() -> None:
    table = Driver.create()
    bob = table.join("Bob", Seat(3))
    assert isinstance(table.act(table.host, m.Sit(1, Seat(3))), m.Done)
    assert table.last(bob).view.swaps == ((1, 3),)
    table.act(bob, m.Sit(1, Seat(1)))
    assert [s.name for s in table.last(bob).view.seats] == ["Bob", "", "Ann", ""]
    assert table.last(bob).view.host == 3
    # Each connection has moved along: its actions count for the new seat.
    table.act(table.host, m.Ready(2))
    assert table.last(bob).view.seats[2].ready


def test_a_wish_to_change_places_can_be_declined() -> None:
    table = Driver.create()
    bob = table.join("Bob", Seat(3))
    table.act(table.host, m.Sit(1, Seat(3)))
    stranger = table.act(bob, m.Decline(1, Seat(2)))
    assert isinstance(stranger, m.Refused)
    assert stranger.code == Code.NOT_NOW
    assert isinstance(table.act(bob, m.Decline(1, Seat(1))), m.Done)
    assert table.last(bob).view.swaps == ()


def test_sent_away_means_that_the_token_opens_nothing() -> None:
    table = Driver.create()
    bob = table.join("Bob")
    table.act(table.host, m.Kick(1, Seat(2)))
    assert table.dropped == {bob.conn: m.CLOSE_LEFT}
    _, answer = table.enter(m.Resume(m.VERSION, "TESTAB", bob.token))
    assert isinstance(answer, m.Refused)
    assert answer.code == Code.BAD_TOKEN


def test_who_leaves_is_played_for_and_the_host_is_another() -> None:
    table = Driver.create()
    bob = table.join("Bob")
    table.act(table.host, m.Start(1))
    table.act(table.host, m.Leave(2))
    view = table.last(bob).view
    assert view.seats[0].kind is SeatKind.BOT
    assert view.host == 2
    assert stage(table) is Stage.PLAYING


def test_a_newcomer_takes_a_bots_seat_in_the_middle_of_a_match() -> None:
    table = started()
    table.wait(5_000)
    bob = table.join("Bob", Seat(3))
    assert table.last(bob).private is not None
    assert table.state.seat(Seat(3)).name == "Bob"


def test_watchers_see_no_hand_and_do_not_act() -> None:
    table = started()
    eve = table.watch()
    assert table.last(eve).private is None
    answer = table.act(eve, m.Pass(1))
    assert isinstance(answer, m.Refused)
    assert answer.code == Code.NOT_SEATED
    before = table.last(table.host).view
    table.leave_off(eve)
    after = table.last(table.host).view
    assert (before.watchers, after.watchers) == (1, 0)
    assert evolve(after, watchers=1) == before


def test_one_person_has_no_clock_and_two_have_one() -> None:
    alone = started()
    assert alone.last(alone.host).view.clock_ms is None
    table = Driver.create()
    table.join("Bob")
    table.act(table.host, m.Start(1))
    assert table.last(table.host).view.clock_ms == 30_000


def test_who_comes_back_to_an_empty_table_is_told_of_the_clock_that_starts_with_it() -> None:
    table = Driver.create(settings=Settings(clock_s=20))
    table.act(table.host, m.Start(1))
    assert table.last(table.host).view.clock_ms == 20_000
    table.leave_off(table.host)
    table.wait(5_000)
    back = table.resume(table.host)
    assert table.last(back).view.clock_ms is not None
    welcome = table.enter(m.Resume(m.VERSION, table.room.code, back.token))[1]
    assert isinstance(welcome, m.Welcome)
    assert welcome.view.clock_ms == 20_000


def test_two_clocks_in_a_row_and_a_bot_plays_until_its_person_acts() -> None:
    table = Driver.create()
    bob = table.join("Bob")
    table.act(table.host, m.Start(1))
    table.play_on(until=lambda: table.state.seat(Seat(1)).control is Control.STAND_IN)
    assert table.state.seat(Seat(1)).timeouts == 2
    table.act(table.host, m.Autopilot(2, on=False))
    assert table.state.seat(Seat(1)).control is Control.SELF
    assert table.last(bob).view.seats[0].control is Control.SELF


def test_a_player_who_stays_away_is_played_for_and_takes_the_hand_back() -> None:
    table = Driver.create(settings=Settings(grace_s=20))
    bob = table.join("Bob")
    table.act(table.host, m.Start(1))
    table.leave_off(table.host)
    table.wait(19_000)
    assert table.state.seat(Seat(1)).control is Control.SELF
    table.wait(2_000)
    assert table.state.seat(Seat(1)).control is Control.STAND_IN
    assert not table.last(bob).view.seats[0].online
    back = table.resume(table.host)
    assert table.state.seat(Seat(1)).control is Control.SELF
    private = table.last(back).private
    assert private is not None
    assert private.hand == table.state.match.hands[0]


def test_when_nobody_is_left_the_room_pauses_and_goes_on_when_one_returns() -> None:
    table = started()
    hand = table.state.match.hands
    table.leave_off(table.host)
    table.wait(61_000)
    assert stage(table) is Stage.PAUSED
    paused = table.state.match
    table.wait(3_600_000)
    assert table.state.match is paused
    assert table.unloaded
    back = table.resume(table.host)
    assert stage(table) is Stage.PLAYING
    view = table.last(back)
    assert view.private is not None
    assert view.private.hand == hand[0]


def test_a_room_is_paused_when_all_play_later() -> None:
    table = Driver.create()
    bob = table.join("Bob")
    table.act(table.host, m.Start(1))
    table.act(table.host, m.Later(2))
    assert stage(table) is Stage.PLAYING
    table.act(bob, m.Later(1))
    assert stage(table) is Stage.PAUSED
    assert table.room.deadline() is None
    table.act(bob, m.Later(2, later=False))
    assert stage(table) is Stage.PLAYING


def test_the_next_hand_waits_for_everybody_and_no_longer() -> None:
    table = started(seed=3)
    table.act(table.host, m.Autopilot(2, on=True, pace_ms=300))
    table.play_on(until=lambda: isinstance(table.state.match.phase, HandOver))
    table.act(table.host, m.Autopilot(3, on=False))
    table.wait(600_000)
    assert isinstance(table.state.match.phase, HandOver)
    table.act(table.host, m.Ready(4))
    assert not isinstance(table.state.match.phase, HandOver)
    assert len(table.last(table.host).view.seats) == 4


def test_a_new_game_needs_everybody_and_keeps_the_record() -> None:
    table = Driver.create(seed=4)
    bob = table.join("Bob")
    table.act(table.host, m.Start(1))
    for sitter in (table.host, bob):
        table.act(sitter, m.Autopilot(2, on=True, pace_ms=300))
    table.play_on(until=lambda: len(table.state.session) == 2)
    table.act(table.host, m.Propose(3, Proposal.NEW_GAME))
    assert table.state.match_no == 1
    assert table.last(bob).view.proposal is Proposal.NEW_GAME
    table.act(bob, m.Consent(3, agree=False))
    assert table.state.proposal is None
    table.act(table.host, m.Propose(4, Proposal.NEW_GAME))
    table.act(bob, m.Consent(4, agree=True))
    assert (table.state.match_no, len(table.state.session)) == (2, 2)
    assert table.state.match.deal.number == 1


def test_a_rematch_after_a_won_match() -> None:
    table = started(seed=6)
    table.act(table.host, m.Autopilot(2, on=True, pace_ms=300))
    table.play_on(until=lambda: over(table))
    hands = len(table.state.session)
    assert isinstance(table.act(table.host, m.Propose(3, Proposal.REMATCH)), m.Done)
    assert stage(table) is Stage.PLAYING
    assert (table.state.match_no, len(table.state.session)) == (2, hands)


def test_the_log_holds_the_match() -> None:
    table = started(seed=8)
    table.act(table.host, m.Autopilot(2, on=True, pace_ms=300))
    table.play_on(until=lambda: over(table))
    match = new_match(table.state.match.rules)
    for entry in table.entries:
        for command in commands_in(entry):
            match, _ = step(match, command)
    assert match == table.state.match


def test_the_log_alone_makes_the_room_again() -> None:
    table = Driver.create(seed=8)
    bob = table.join("Bob")
    table.act(table.host, m.Start(1))
    for n in range(2, 200):
        for sitter in (table.host, bob):
            if sitter.seat in table.last(sitter).public.asked:
                play_own_turn(table, sitter, n)
            elif n % 10 == 0:
                table.act(sitter, m.SetPace(n, 500))
        table.wait(1_300)
        assert rebuild(table.entries) == table.state
    assert len(table.state.session) > 0


def test_a_preview_names_the_selection_and_says_why_not() -> None:
    table = started(seed=9)
    view = table.last(table.host)
    assert view.private is not None
    first = next(iter(view.private.hand))
    one = table.ask(table.host, m.Preview(7, Cards.of([first])))
    assert isinstance(one, m.Previewed)
    assert (one.id, one.code, len(one.readings)) == (7, "", 1)
    absent = next(card for card in range(53) if card not in view.private.hand)
    other = table.ask(table.host, m.Preview(8, Cards(1 << absent)))
    assert other == m.Previewed(8, (), "cards_not_held")


def test_a_failing_policy_costs_its_seat_the_clocks_move() -> None:
    table = started(seed=10)
    play_own_turn(table, table.host, 2)
    phase = table.state.match.phase
    assert isinstance(phase, Following | Leading)
    seat = phase.turn
    table.give(Thought(seat, table.state.match.turn, failed=True))
    assert table.changes[-1].what == "timeout"


def test_options_are_checked_and_kept() -> None:
    table = Driver.create()
    refused = table.act(table.host, m.Configure(1, "site", {"a_win_on": "never"}, Settings()))
    assert isinstance(refused, m.Refused)
    assert refused.code == Code.BAD_OPTION
    table.act(table.host, m.Configure(2, "huaian", {"tribute_pick": "payer"}, Settings(clock_s=15)))
    view = table.last(table.host).view
    assert (view.preset, view.options, view.settings.clock_s) == (
        "huaian",
        {"tribute_pick": "payer"},
        15,
    )


def test_all_absent_for_every_seed_the_room_comes_to_rest() -> None:
    """No room waits for ever: whatever people do not do, it ends paused, over, or unloaded."""
    for seed in range(5):
        rng = random.Random(seed)
        table = Driver.create(seed=seed, settings=Settings(clock_s=10, grace_s=5))
        people = [table.host, *[table.join(n) for n in ("Bob", "Cid")]]
        table.act(table.host, m.Start(1))
        for _ in range(200):
            if over(table) or table.room.deadline() is None:
                break
            if people and rng.random() < 0.02:
                table.leave_off(people.pop(rng.randrange(len(people))))
            table.tick()
        for person in people:
            table.leave_off(person)
        table.play_on(until=partial(unloaded, table))
        assert table.state.stage in (Stage.PAUSED, Stage.MATCH_OVER)


def test_a_join_whose_answer_was_lost_is_the_same_join() -> None:
    table = Driver.create()
    hello = m.Join(m.VERSION, "TESTAB", "Bob", join_id=bytes(15) + b"x")
    first, welcome = table.enter(hello)
    again, second = table.enter(hello)
    assert isinstance(welcome, m.Welcome)
    assert isinstance(second, m.Welcome)
    assert (welcome.seat, second.seat) == (2, 2)
    assert table.dropped == {first: m.CLOSE_REPLACED}
    assert [seat.kind for seat in table.state.seats].count(SeatKind.PERSON) == 2
    table.leave_off(Sitter(again, second.seat))
    assert table.resume(Sitter(again, second.seat, second.token)).seat == 2


def test_who_moves_is_told_the_new_seat() -> None:
    table = Driver.create()
    table.act(table.host, m.Sit(1, Seat(3)))
    update = table.last(table.host)
    assert update.seat == 3
    assert update.view.host == 3


def test_a_clock_and_a_play_in_the_same_moment_are_one_or_the_other() -> None:
    for clock_first in (True, False):
        table = Driver.create(seed=11)
        table.join("Bob")
        table.act(table.host, m.Start(1))
        due = table.room.deadline()
        assert due is not None
        table.now = due
        turn = table.state.match.turn
        if clock_first:
            table.give(Tick())
            answer = table.act(table.host, m.Pass(2, turn))
            assert isinstance(answer, m.Refused)
            assert answer.code == "stale"
        else:
            assert isinstance(play_own_turn(table, table.host, 2), m.Done)
            table.give(Tick())
        assert table.state.match.turn == turn + 1
        assert table.state.seat(Seat(1)).timeouts == (1 if clock_first else 0)


def test_what_a_bot_takes_does_not_depend_on_its_cards() -> None:
    """The same draws give the same delays, whether it has a choice or none."""
    rng = random.Random(1)
    draws = [rng.randbytes(32) for _ in range(200)]
    delays = []
    for seed in (1, 2, 3):
        table = started(seed=seed)
        play_own_turn(table, table.host, 2)
        state = table.state
        assert isinstance(state.match.phase, Following)
        seat = state.match.phase.turn
        turn = state.match.turn
        present = Presence()
        present.place(table.host.conn, Seat(1))
        delays.append(
            [deadlines.wanted(state, present, (), draw)[BotMoves(seat, turn)] for draw in draws]
        )
    assert delays[0] == delays[1] == delays[2]
    assert len(set(delays[0])) > 50
    assert min(delays[0]) >= 750
    assert max(delays[0]) <= 1250


def test_each_hand_begins_with_fresh_clocks() -> None:
    table = Driver.create(seed=3, settings=Settings(clock_s=20))
    bob = table.join("Bob")
    table.act(table.host, m.Start(1))
    table.play_on(until=lambda: table.state.match.deal.number == 2)
    for sitter in (table.host, bob):  # bots have played for both; they are back
        table.act(sitter, m.Autopilot(2, on=False))
    table.play_on(until=lambda: table.last(table.host).view.clock_ms is not None)
    assert table.last(table.host).view.clock_ms == 20_000


def test_a_stranger_to_the_room_costs_nobody_anything() -> None:
    """A hundred wrong tokens on a held seat: the right one still works, and grace still ends."""
    table = Driver.create(settings=Settings(grace_s=20))
    table.join("Bob")
    table.act(table.host, m.Start(1))
    table.leave_off(table.host)
    before = table.room.deadline()
    for n in range(100):
        table.enter(m.Resume(m.VERSION, "TESTAB", n.to_bytes(32, "big")))
    assert table.room.deadline() == before
    table.wait(21_000)
    assert table.state.seat(Seat(1)).control is Control.STAND_IN
    assert table.resume(table.host).seat == 1


def test_no_id_that_anybody_sees_opens_a_seat() -> None:
    table = started()
    seen = [
        table.state.seat(Seat(1)).key.encode(),
        table.state.seat(Seat(1)).digest,
        table.room.code.encode(),
        table.last(table.host).view.commitment,
        b"Ann",
    ]
    for guess in seen:
        _, answer = table.enter(m.Resume(m.VERSION, "TESTAB", guess))
        assert isinstance(answer, m.Refused)
        assert answer.code == Code.BAD_TOKEN


def test_twenty_drops_in_one_hand() -> None:
    table = started()
    sitter = table.host
    for _ in range(20):
        table.leave_off(sitter)
        sitter = table.resume(sitter)
        table.wait(500)
    assert table.last(sitter).private is not None
    assert table.state.seat(Seat(1)).control is Control.SELF


def test_history_that_was_lost_is_noticed_by_who_has_seen_it() -> None:
    table = started()
    resume = m.Resume(m.VERSION, "TESTAB", table.host.token, seq=table.room.seq + 1, epoch=1)
    assert not table.room.is_behind(resume)  # it was here all along, and knows better
    room = Room("TESTAB", table.state, seq=table.room.seq, woken=True)
    table.room = room
    assert table.room.is_behind(resume)
    assert not table.room.is_behind(evolve(resume, seq=table.room.seq))
    assert not table.room.is_behind(evolve(resume, epoch=9))
    assert not table.room.is_behind(evolve(resume, token=bytes(32)))
    room.rewound(2)
    assert not room.is_behind(evolve(resume, epoch=2))
