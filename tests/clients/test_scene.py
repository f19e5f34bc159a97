"""What a scene tells of itself."""

from attrs import evolve

from guandan_cli.scene import Role
from guandan_engine.options import rules
from guandan_engine.seats import SEATS, Seat, Team
from guandan_engine.state import new_match
from guandan_protocol.messages import Control, Stage
from tests.clients.scenes import SEATS_TAKEN, scene
from tests.engine.table import Table


def test_roles_go_round_the_table() -> None:
    assert [scene(Table.deal(), seat=2).role(seat) for seat in SEATS] == [
        Role.PREVIOUS,
        Role.YOU,
        Role.NEXT,
        Role.PARTNER,
    ]
    assert {scene(Table.deal(), seat=None).role(seat) for seat in SEATS} == {Role.STRANGER}


def test_who_is_asked() -> None:
    table = Table.deal(leader=3)
    assert scene(table, seat=3).is_asked
    assert not scene(table, seat=1).is_asked
    assert not scene(table, seat=None).is_asked
    # Nobody is asked while the table is paused, whoever's turn it is.
    assert not scene(table, seat=3, stage=Stage.PAUSED).is_asked


def test_what_is_live() -> None:
    assert scene(Table.deal()).is_live
    assert not scene(new_match(rules()), stage=Stage.PLAYING).is_live
    assert not scene(Table.deal(), stage=Stage.MATCH_OVER).is_live


def test_host_team_and_person() -> None:
    assert scene(Table.deal(), seat=1).is_host
    assert not scene(Table.deal(), seat=3).is_host
    assert not scene(Table.deal(), seat=None, host=None).is_host
    assert scene(Table.deal(), seat=4).team is Team.EVEN
    assert scene(Table.deal(), seat=None).team is None
    away = (evolve(SEATS_TAKEN[0], control=Control.STAND_IN), *SEATS_TAKEN[1:])
    assert scene(Table.deal()).plays_in_person
    assert not scene(Table.deal(), seats=away).plays_in_person
    assert not scene(Table.deal(), seat=None).plays_in_person


def test_rules_are_those_of_the_room() -> None:
    table = Table.deal(a_max_misses=2)
    assert scene(table).rules == rules("site", {"a_max_misses": 2})
    assert scene(table).info(Seat(3)) == SEATS_TAKEN[2]
