"""`guandan serve`: who decides for bots, and how a start fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from guandan_bots.expert import ExpertStyle
from guandan_bots.policy import POLICIES, THINKING
from guandan_cli.brains import SEARCHED_MAX, Bots, SlowBots
from guandan_engine.commands import Pass, Pay, Play, Return
from guandan_engine.machine import step
from guandan_engine.moves import Offer
from guandan_engine.options import rules
from guandan_engine.phases import Paying
from guandan_engine.seats import Seat
from guandan_engine.state import Match
from guandan_engine.views import asked, seat_view
from guandan_server.brains import SlowLevel
from guandan_server.items import Choice
from tests.clients.commands import WAIT_S, Commands
from tests.engine.table import Table
from tests.engine.walks import walk

SEED = bytes(range(32))


def done(match: Match, seat: Seat, choice: Choice) -> None:
    """The choice is a legal one."""
    if isinstance(choice, Offer):
        step(match, Play(seat, choice.cards, choice.reading))
    elif choice is None:
        step(match, Pass(seat))
    elif isinstance(match.phase, Paying):
        step(match, Pay(seat, choice))
    else:
        step(match, Return(seat, choice))


@pytest.mark.parametrize("level", Bots().levels())
def test_bots_of_every_level_choose_what_is_legal_in_every_phase(level: str) -> None:
    table = rules("site", {"tribute_pick": "payer"})
    bots, phases = Bots(), set()
    for moment in walk(table, 7, hands_max=3):
        for seat in asked(moment.before):
            view = seat_view(moment.before, seat)
            choice = bots.choose(level, view, table, SEED)
            done(moment.before, seat, choice)
            assert choice == bots.choose(level, view, table, SEED)
            phases.add(view.public.phase)
    assert len(phases) == 4


@pytest.mark.parametrize("level", SlowBots().slow_levels(), ids=lambda level: level.name)
def test_bots_that_think_choose_what_is_legal_in_every_phase(level: SlowLevel) -> None:
    table = rules("site", {"tribute_pick": "payer"})
    bots, phases, searched = SlowBots(), set(), 0
    for moment in walk(table, 7, hands_max=3):
        for seat in asked(moment.before):
            view = seat_view(moment.before, seat)
            found = bots.consider(level.name, view, table, SEED, seconds=0.001)
            done(moment.before, seat, found.choice)
            phases.add(view.public.phase)
            if found.searched:
                searched += 1
                hurried = bots.consider(level.name, view, table, SEED, seconds=0.0)
                done(moment.before, seat, hurried.choice)
                assert not hurried.searched
    assert len(phases) == 4
    assert (searched > 0) == level.searches


def test_the_levels_are_those_of_the_bots() -> None:
    slow = SlowBots().slow_levels()
    assert [*Bots().levels(), *[level.name for level in slow]] == list(POLICIES)
    assert {level.name for level in slow} == set(THINKING)
    assert [(level.name, level.lighter) for level in slow] == [
        ("club", "basic"),
        ("expert", "club"),
    ]


def test_hints_are_plays_passes_and_cards_to_give() -> None:
    table = Table.deal("1: SK DK S3 …", "2: S4 C4 H3 …", leader=2).play(2, "S4 C4").pass_(3, 4)
    hints, best = Bots().hints(seat_view(table.match, Seat(1)), table.match.rules)
    assert 0 <= best < len(hints)
    for hint in hints:
        done(table.match, Seat(1), Offer(hint.cards, hint.reading) if hint.reading else None)
        assert bool(hint.cards) == (hint.reading is not None)
    returning = Table.deal("1: S3 D8 …", "4: SA …", level="4", finish=[1, 2, 3, 4])
    hints, best = Bots().hints(seat_view(returning.match, Seat(1)), returning.match.rules)
    for hint in hints:
        (card,) = hint.cards
        assert hint.reading is None
        done(returning.match, Seat(1), card)
    nobody, none = Bots().hints(seat_view(returning.match, Seat(2)), returning.match.rules)
    assert (nobody, none) == ((), -1)


# Starting


def test_a_start_says_where_and_a_stop_is_orderly(commands: Commands, tmp_path: Path) -> None:
    with commands.start("serve", "--port", "0", "--data-dir", str(tmp_path / "data")) as server:
        (line,) = server.until("Serving at http://127.0.0.1:")
        assert int(line.rpartition(":")[2]) > 0
        server.process.terminate()
        assert server.process.wait(timeout=WAIT_S) == 0


def test_one_server_per_data_directory_and_per_port(commands: Commands, tmp_path: Path) -> None:
    data = str(tmp_path / "data")
    with commands.start("serve", "--port", "0", "--data-dir", data) as server:
        port = server.until("Serving at ")[0].rpartition(":")[2]
        second = commands.spawn("serve", "--port", "0", "--data-dir", data)
        assert (second.code, second.out) == (73, [])
        assert second.err[-1].startswith(f"guandan: {data}")
        assert str(server.process.pid) in second.err[-1]
        other = commands.spawn("serve", "--port", port, "--data-dir", str(tmp_path / "other"))
        assert (other.code, other.out) == (73, [])
        assert port in other.err[-1]


def test_a_store_that_does_not_answer(commands: Commands) -> None:
    ended = commands.spawn("serve", "--port", "0", REDIS_URL="redis://127.0.0.1:1/0")
    assert (ended.code, ended.out) == (69, [])
    assert ended.err[-1].startswith("guandan: ")
    assert not any("Traceback" in line for line in ended.err)


def test_a_data_directory_that_cannot_be_written(commands: Commands, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ended = commands.spawn("serve", "--port", "0", "--data-dir", str(tmp_path / "file"))
    assert (ended.code, ended.out) == (73, [])
    assert ended.err[-1].startswith("guandan: ")
    assert not any("Traceback" in line for line in ended.err)


def test_what_is_too_large_to_be_searched_is_known_without_asking() -> None:
    assert ExpertStyle().late == SEARCHED_MAX
