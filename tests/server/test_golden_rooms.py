"""Rooms as versions so far have stored them: each opens, plays on, and is written as it was."""

from __future__ import annotations

import json
from pathlib import Path

import msgpack
import pytest
from attrs import evolve

from guandan_engine.phases import Following
from guandan_engine.seats import SEATS
from guandan_protocol import messages as m
from guandan_protocol.messages import Code, Stage
from guandan_server import roomstate
from guandan_server.items import Enter
from guandan_server.journal import commands_in, rebuild
from guandan_server.refusals import Refusal
from guandan_server.roomstate import RoomState
from guandan_server.store import checksum
from tests.engine.goldens import from_json
from tests.server.goldens import FOLDER, VERSION, Stored, read
from tests.server.test_actor import House
from tests.server.waiting import until

ROOM = "GXDN23"
FILES = sorted(FOLDER.glob("room-v*.json"))
MOMENTS = (
    *("lobby", "following", "hand_over", "paying", "returning"),
    *("proposed", "paused", "match_over"),
)
each = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


def known(state: RoomState) -> RoomState:
    """The room without what form 1 did not keep: who led the trick."""
    phase = state.match.phase
    if not isinstance(phase, Following):
        return state
    return evolve(state, match=evolve(state.match, phase=evolve(phase, leader=phase.by)))


async def shelved(stored: Stored) -> House:
    """A node that finds the room in its store."""
    house = House()
    await house.store.create(ROOM, node="", snapshot=b"", public=False, ttl_s=3_600)
    room = house.shelf.rooms[ROOM]
    room.seq, room.snapshot = stored.seq, stored.snapshot
    room.sum = checksum(stored.seq, stored.snapshot)
    first = stored.seq - len(stored.log) + 1
    room.log = dict(enumerate(stored.log, first))
    return house


def test_there_is_one_of_each_moment() -> None:
    assert {path.stem for path in FILES} >= {f"room-{VERSION}-{one}" for one in MOMENTS}
    for path in FILES:
        assert {"source", "rules", "seed"} <= json.loads(path.read_text("utf-8")).keys()


@each
def test_they_are_read_and_their_logs_fold_to_them(path: Path) -> None:
    stored = read(path)
    state = roomstate.load(stored.snapshot)
    moved = [command for entry in stored.log for command in commands_in(entry)]
    if state.stage is Stage.LOBBY:
        assert not moved
    elif stored.log:
        assert moved
        assert known(rebuild(stored.log)) == known(state)


@pytest.mark.parametrize(
    "path", [path for path in FILES if f"-{VERSION}-" in path.stem], ids=lambda path: path.stem
)
def test_those_of_this_version_are_written_alike(path: Path) -> None:
    golden = from_json(json.loads(path.read_text("utf-8")))
    state = roomstate.load(read(path).snapshot)
    assert msgpack.unpackb(roomstate.dump(state)) == golden["snapshot"], (
        "the form has changed: raise the version, then run `python -m tests.server.goldens`"
    )


@each
async def test_they_open_and_play_on(path: Path) -> None:
    stored = read(path)
    house = await shelved(stored)
    actor = await house.rooms.find(ROOM)
    conns = []
    for seat, token in zip(SEATS, stored.tokens, strict=False):
        conn = house.conn()
        actor.put(Enter(conn, m.Resume(m.VERSION, ROOM, token, seq=stored.seq, epoch=1)))
        await until(lambda: house.wires.heard.get(conn))  # noqa: B023  awaited at once
        welcome = house.wires.heard[conn][0]
        assert isinstance(welcome, m.Welcome)
        assert (welcome.seat, welcome.epoch) == (seat, 1)
        conns.append(conn)
    stage = actor.room.state.stage
    assert stage is not Stage.PAUSED  # its people are back
    n = 100
    for conn in conns:
        n += 1
        auto = m.Autopilot(n, on=True, pace_ms=300)
        assert isinstance(await house.act(actor, conn, auto), m.Done)
    if stage is Stage.LOBBY:
        assert isinstance(await house.act(actor, conns[0], m.Start(n + 1)), m.Done)
    if stage is Stage.MATCH_OVER:
        propose, consent = m.Propose(n + 1, m.Proposal.REMATCH), m.Consent(n + 1, agree=True)
        assert isinstance(await house.act(actor, conns[0], propose), m.Done)
        assert isinstance(await house.act(actor, conns[1], consent), m.Done)
    turn = actor.room.state.match.turn
    await until(lambda: actor.room.state.match.turn > turn + 20, timeout_s=20)
    assert await house.stored(ROOM) == actor.room.state
    await house.rooms.stop()


@pytest.mark.parametrize(
    "path",
    # A lobby's log has no beginning of a match, and that of a whole match is not kept here.
    [path for path in FILES if not path.stem.endswith(("lobby", "match_over"))],
    ids=lambda path: path.stem,
)
async def test_a_damaged_snapshot_is_made_again_from_their_log(path: Path) -> None:
    stored = read(path)
    house = await shelved(stored)
    house.shelf.corrupt(ROOM)
    actor = await house.rooms.find(ROOM)
    assert known(actor.room.state) == known(roomstate.load(stored.snapshot))
    await house.rooms.stop()


async def test_a_log_of_a_newer_version_is_refused_and_left_untouched() -> None:
    stored = read(FOLDER / f"room-{VERSION}-following.json")
    house = await shelved(stored)
    last = {**msgpack.unpackb(stored.log[-1]), "v": 99}
    kept = house.shelf.rooms[ROOM]
    kept.log[stored.seq] = msgpack.packb(last)
    house.shelf.corrupt(ROOM)
    log, snapshot, fence = dict(kept.log), kept.snapshot, kept.fence
    with pytest.raises(Refusal) as refusal:
        await house.rooms.find(ROOM)
    assert refusal.value.code == Code.ROOM_GONE
    assert (kept.log, kept.snapshot, kept.fence) == (log, snapshot, fence)


async def test_a_room_of_a_newer_version_is_refused_by_its_number_and_left_untouched() -> None:
    stored = read(FOLDER / f"room-{VERSION}-paying.json")
    house = await shelved(stored)
    kept = house.shelf.rooms[ROOM]
    kept.snapshot = msgpack.packb({**msgpack.unpackb(stored.snapshot), "v": 99})
    kept.sum = checksum(stored.seq, kept.snapshot)
    log, snapshot, fence = dict(kept.log), kept.snapshot, kept.fence
    with pytest.raises(Refusal, match="version 99 was written by a newer version"):
        await house.rooms.find(ROOM)
    assert (kept.log, kept.snapshot, kept.fence) == (log, snapshot, fence)
