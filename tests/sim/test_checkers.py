"""The checkers can fail: each of these servers, stores and networks is wrong in one way."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from typing import Any

import pytest
from attrs import evolve

from guandan_engine import views
from guandan_engine.cards import NO_CARDS
from guandan_engine.events import Event, HandStarted
from guandan_engine.seats import SEATS, Seat
from guandan_engine.views import Dealt, Private, SeatEvent
from guandan_protocol import messages as m
from guandan_protocol.codec import decode_server, encode
from guandan_server import store_memory
from guandan_server.actor import Actor
from guandan_server.gate import Gate
from guandan_server.house import House
from guandan_server.room import Room
from guandan_server.store import Ok
from guandan_server.store_memory import MemoryStore
from guandan_server.thoughts import Thoughts
from tests.sim.course import run
from tests.sim.network import End, Line
from tests.sim.storage import StoreServer
from tests.sim.story import Broken

SEEDS = range(100)


def broken() -> Broken:
    """The first world that the checkers object to."""
    for seed in SEEDS:
        try:
            run(seed)
        except Broken as found:
            return found
    raise AssertionError("nobody objects")


def complaint() -> str:
    return broken().complaints[0]


# A store that is not to be trusted


def test_a_store_that_acknowledges_and_drops(monkeypatch: pytest.MonkeyPatch) -> None:
    carry_out = StoreServer._carry_out  # noqa: SLF001 what is put to the test
    commits = 0

    def dropping(self: StoreServer, call: Any) -> Any:
        nonlocal commits
        if call.method == "commit":
            commits += 1
            if commits % 10 == 0:
                head = self.shelf.rooms[call.room].seq
                return Ok(head + 1)
        return carry_out(self, call)

    monkeypatch.setattr(StoreServer, "_carry_out", dropping)
    found = complaint()
    assert "never stored" in found or "and it is not" in found


def test_a_history_that_is_rewound_without_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    claim = MemoryStore.claim

    async def forgets(self: Actor, head: int) -> bool:
        return head < 0

    async def silently(self: MemoryStore, room: str, **given: Any) -> Any:
        return await claim(self, room, **{**given, "rewound": False})

    monkeypatch.setattr(Actor, "_put_back", forgets)
    monkeypatch.setattr(MemoryStore, "claim", silently)
    found = complaint()
    assert "has seen" in found or "was told otherwise" in found or "taken back" in found


def test_a_store_that_lets_two_own_a_room(monkeypatch: pytest.MonkeyPatch) -> None:
    claim = MemoryStore.claim

    async def unfenced(self: MemoryStore, room: str, **given: Any) -> Any:
        answer = await claim(self, room, **given)
        found = self._shelf.rooms.get(room)
        if found is not None:
            found.fence = given["expect_fence"]
        return evolve(answer, fence=given["expect_fence"])

    monkeypatch.setattr(MemoryStore, "claim", unfenced)
    assert "fence" in complaint()


def test_an_action_that_is_done_again(monkeypatch: pytest.MonkeyPatch) -> None:
    judge = store_memory._judge  # noqa: SLF001 what is put to the test

    def forgetful(room: Any, fence: int, seq: int, new_sum: str, action: Any) -> Any:
        del action
        return judge(room, fence, seq, new_sum, None)

    monkeypatch.setattr(store_memory, "_judge", forgetful)
    monkeypatch.setattr(Room, "_known", lambda *_: None)
    assert "was done twice" in complaint()


# A server that says what is not so, or what nobody may know


def tampering(
    monkeypatch: pytest.MonkeyPatch, change: Callable[[m.ServerMessage], m.ServerMessage | None]
) -> None:
    """Let every frame of a server be another one; None: it is not sent at all."""
    send = Line.send

    def tampered(self: Line, end: End, data: bytes) -> None:
        if end is self.server:
            changed = change(decode_server(data))
            if changed is None:
                return
            data = encode(changed)
        send(self, end, data)

    monkeypatch.setattr(Line, "send", tampered)


def test_a_hand_for_watchers(monkeypatch: pytest.MonkeyPatch) -> None:
    def leak(message: m.ServerMessage) -> m.ServerMessage:
        if isinstance(message, m.Update) and message.private is None:
            return evolve(message, private=Private(hand=NO_CARDS))
        return message

    tampering(monkeypatch, leak)
    assert "another hand" in complaint()


def test_an_update_that_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def swallow(message: m.ServerMessage) -> m.ServerMessage | None:
        is_pass = isinstance(message, m.Update) and "Passed" in repr(message.events)
        return None if is_pass else message

    tampering(monkeypatch, swallow)
    found = complaint()
    assert "misses what came between" in found or "other events" in found


def test_events_that_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def mute(message: m.ServerMessage) -> m.ServerMessage:
        return evolve(message, events=()) if isinstance(message, m.Update) else message

    tampering(monkeypatch, mute)
    assert "other events" in complaint()


def test_a_play_that_is_acknowledged_and_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def agree(message: m.ServerMessage) -> m.ServerMessage:
        if isinstance(message, m.Refused) and 0 < message.ref < 2**32:
            return m.Done(message.ref, seq=10**6)
        return message

    tampering(monkeypatch, agree)
    assert "is done as 1000000, and it is not" in complaint()


def test_a_play_that_is_refused_and_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(message: m.ServerMessage) -> m.ServerMessage:
        if isinstance(message, m.Done) and message.seq % 7 == 0:
            return m.Refused(message.n, "not_now", "")
        return message

    tampering(monkeypatch, refuse)
    assert "was refused, and is entry" in complaint()


def test_somebodys_token(monkeypatch: pytest.MonkeyPatch) -> None:
    tokens = []

    def leak(message: m.ServerMessage) -> m.ServerMessage:
        if isinstance(message, m.Welcome) and message.token:
            tokens.append(message.token)
        if isinstance(message, m.Update) and tokens:
            return evolve(message, view=evolve(message.view, commitment=tokens[0]))
        return message

    tampering(monkeypatch, leak)
    assert any("somebody's token" in one for one in broken().complaints)


def test_a_redaction_that_leaks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The witness asks the same redaction what is right, so the bare bytes must give it away."""
    redact = views.redact

    def leaky(event: Event, seat: Seat | None) -> SeatEvent:
        if isinstance(event, HandStarted) and seat is not None:
            partner = SEATS[(seat + 1) % 4]
            dealt = redact(event, seat)
            assert isinstance(dealt, Dealt)
            return evolve(dealt, own=event.hands[partner - 1])
        return redact(event, seat)

    for module in list(sys.modules.values()):
        if getattr(module, "redact", None) is redact:
            monkeypatch.setattr(module, "redact", leaky)
    assert " is told of " in complaint()


# A server that does not look after its rooms


def test_nodes_that_do_not_look_after_the_dead(monkeypatch: pytest.MonkeyPatch) -> None:
    async def idle(self: House, wake: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(House, "sweep", idle)
    assert "does not come to rest" in complaint()


def test_rooms_that_do_not_know_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Actor, "_set_alarm", lambda self: None)
    found = complaint()
    assert "does not go on" in found or "does not come to rest" in found


def test_a_task_that_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    serve = Gate.serve
    left = []

    async def careless(self: Gate, socket: Any) -> None:
        left.append(asyncio.create_task(asyncio.Event().wait()))
        await serve(self, socket)

    monkeypatch.setattr(Gate, "serve", careless)
    assert "does not stop" in complaint()


def test_a_fault_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(self: Thoughts, *_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Thoughts, "decide", fails)
    assert "room failed" in complaint()
