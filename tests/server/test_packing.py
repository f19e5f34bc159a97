"""What is packed once for several is what each would have been packed by itself."""

from __future__ import annotations

import pytest
from attrs import evolve

from guandan_engine.views import PhaseName
from guandan_protocol import messages as m
from guandan_protocol.codec import encode
from guandan_server import packing
from guandan_server.packing import Packer
from tests.protocol import samples
from tests.server.driver import Driver


def played(hands: int, **options: object) -> Driver:
    """A table at which some hands were played, two people and a watcher there all the time."""
    table = Driver.create(options=options)
    table.watch()
    table.act(table.join("Bob"), m.Autopilot(1, on=True))
    table.act(table.host, m.Autopilot(1, on=True))
    table.act(table.host, m.Start(2))
    table.play_on(until=lambda: len(table.state.session) == hands)
    return table


def updates(table: Driver) -> list[m.Update]:
    """All that were told, those of one moment next to each other as they were sent."""
    told = [one for heard in table.heard.values() for one in heard if isinstance(one, m.Update)]
    return sorted(told, key=lambda one: one.seq)


def test_everybody_gets_the_bytes_of_their_own_message() -> None:
    packer = Packer()
    told = updates(played(4, tribute_pick="payer"))
    phases = "paying returning leading following hand_over".split()
    assert {one.public.phase for one in told} >= {PhaseName(phase) for phase in phases}
    for one in told:
        assert packer.pack(one) == encode(one)


def test_a_view_that_did_not_change_is_the_same_object() -> None:
    table = played(1)
    heard = table.heard[table.host.conn]
    plays = [
        one
        for one in heard
        if isinstance(one, m.Update) and one.public.phase is PhaseName.FOLLOWING
    ]
    assert len(plays) > 20
    assert len({id(one.view) for one in plays}) == 1
    table.leave_off(table.host)
    last = updates(table)[-1].view
    assert last is not plays[-1].view
    assert not last.seats[0].online


def test_another_room_is_another_story() -> None:
    packer = Packer()
    update = samples.UPDATE
    other = evolve(update, seq=update.seq + 1, view=evolve(update.view, watchers=7))
    for one in (update, other, update, evolve(update, private=None, seat=None), samples.WELCOME):
        assert packer.pack(one) == encode(one)


def test_views_are_kept_for_the_rooms_that_were_last_active(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(packing, "VIEWS_MAX", 4)
    packer = Packer()
    told = [
        evolve(samples.UPDATE, view=evolve(samples.UPDATE.view, watchers=n), seq=n)
        for n in range(20)
    ]
    for one in [*told, *told]:
        assert packer.pack(one) == encode(one)
    assert len(packer) == 4
