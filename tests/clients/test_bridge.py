"""`guandan bridge`: scripted programs of the dialect at a table of a real server."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from collections import Counter
from collections.abc import Awaitable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from guandan_bots.dialect.bridge import FRAME_BYTES_MAX, Bridge, Plan
from guandan_bots.dialect.chairs import UNANSWERED_MAX, UNASKED_MAX, WRONG_MAX, NotLetIn
from guandan_bots.dialect.visitor import Visitor
from guandan_bots.policy import policy
from guandan_engine.options import Rules
from guandan_engine.seats import SEATS, Seat, Team
from guandan_protocol.bounds import NAME_CHARS_MAX
from guandan_protocol.client import TableClient
from guandan_protocol.messages import (
    VERSION,
    Create,
    Join,
    Ready,
    SeatKind,
    Settings,
    Welcome,
)
from tests.bots.njupt import Guest, first
from tests.clients.commands import WAIT_S, Commands

MATCH_S = 240
"""A time-out: a match takes some seconds, on a busy machine more."""


def plan(address: str, **changes: Any) -> Plan:
    settings = Settings(pace_ms=300)
    create = Create(version=VERSION, name="guest", create_id=bytes(16), settings=settings)
    fixed: dict[str, Any] = {
        "server": address,
        "seats": SEATS,
        "levels": (),
        "bot_seats": (),
        "create": create,
        "port": 0,
        "seed": 1,
    }
    return Plan(**(fixed | changes))


def brain(level: str = "basic", seed: int = 1) -> Guest:
    return Visitor(policy(level), Random(seed), say=lambda _: None, rules=Rules()).hears


class Script:
    """One guest: what it heard, and what it answers."""

    def __init__(self, bridge: Bridge, name: str, mind: Guest = first) -> None:
        self.heard: list[Any] = []
        self.closed = 0
        self.reason = ""
        """Why it was closed, as the bridge says."""
        self._url = f"ws://127.0.0.1:{bridge.port}/game/{name}"
        self._mind = mind
        self._socket: ClientConnection | None = None

    async def comes(self) -> Script:
        self._socket = await connect(self._url)
        return self

    async def hears(self) -> Any:
        assert self._socket is not None
        message = json.loads(await self._socket.recv())
        self.heard.append(message)
        return message

    async def says(self, answer: Any) -> None:
        assert self._socket is not None
        await self._socket.send(answer if isinstance(answer, str) else json.dumps(answer))

    async def says_raw(self, frame: str | bytes) -> None:
        """As a frame of text, whatever it is."""
        assert self._socket is not None
        await self._socket.send(frame, text=True)

    async def until(self, stage: str) -> Any:
        """Play on until a message of that stage, without an answer to it."""
        while (message := await self.hears())["stage"] != stage:
            await self.answers(message)
        return message

    async def answers(self, message: Any) -> None:
        answer = self._mind(message)
        if answer is not None:
            await self.says(answer)

    async def plays(self) -> Script:
        """Until the bridge closes."""
        assert self._socket is not None
        try:
            while True:
                await self.answers(await self.hears())
        except ConnectionClosed:
            self.closed = self._socket.close_code or 0
            self.reason = self._socket.close_reason or ""
        return self

    async def leaves(self) -> None:
        assert self._socket is not None
        await self._socket.close()

    def stages(self, kind: str = "notify") -> list[str]:
        return [message["stage"] for message in self.heard if message["type"] == kind]

    def of(self, stage: str) -> list[Any]:
        return [m for m in self.heard if m["type"] == "notify" and m["stage"] == stage]


async def all_of(*tasks: Awaitable[Any]) -> None:
    async with asyncio.timeout(MATCH_S):
        await asyncio.gather(*tasks)


async def test_four_guests_play_matches_to_their_end(address: str) -> None:
    said: list[str] = []
    async with Bridge(plan(address, games=2), say=said.append) as bridge:
        minds = [brain(), first, brain(seed=3), first]  # the odd seats win quickly
        guests = [await Script(bridge, f"guest{n}", mind).comes() for n, mind in enumerate(minds)]
        await all_of(*[guest.plays() for guest in guests])
        assert await bridge.over() == [Team.ODD, Team.ODD]
    assert said[0] == f"the table is {bridge.room}"
    assert said[1:] == [f"guest{seat - 1} has seat {seat}" for seat in SEATS]
    for pos, guest in enumerate(guests):
        assert guest.closed == 1000
        stages = guest.stages()
        assert stages[0] == "beginning"
        assert stages[-3:] == ["episodeOver", "gameOver", "gameResult"]
        assert [one["curTimes"] for one in guest.of("gameOver")] == [1, 2]
        assert guest.of("gameResult")[0]["victoryNum"] == [2, 0, 2, 0]
        assert {one["myPos"] for one in guest.of("beginning")} == {pos}
        assert len(guest.of("beginning")) == len(guest.of("episodeOver")) >= 8
        # Each hand after the first of a match begins with tribute, or is resisted.
        moved = len(guest.of("tribute")) + len(guest.of("anti-tribute"))
        assert moved == len(guest.of("beginning")) - 2
        assert len(guest.of("back")) == len(guest.of("tribute"))
        assert "back" in guest.stages("act") or pos % 2 == 1
    # All four hear the same, but for their own cards and questions.
    public = [
        [m for m in guest.heard if m["type"] == "notify" and m["stage"] != "beginning"]
        for guest in guests
    ]
    assert public[0] == public[1] == public[2] == public[3]


async def test_a_guest_hears_no_card_that_is_not_its_own(address: str) -> None:
    async with Bridge(plan(address), say=lambda _: None) as bridge:
        guests = [await Script(bridge, f"guest{n}").comes() for n in range(4)]
        hands = [(await guest.until("beginning"))["handCards"] for guest in guests]
        assert sorted(len(hand) for hand in hands) == [27] * 4
        pack = Counter(card for hand in hands for card in hand)
        assert set(pack.values()) == {2}
        assert len(pack) == 54
        for guest in guests:
            await guest.leaves()


async def test_two_guests_and_two_bots_of_ours_who_pay_by_choice(address: str) -> None:
    create = Create(
        version=VERSION,
        name="guest",
        create_id=bytes(16),
        options={"tribute_pick": "payer"},
        settings=Settings(),
    )
    mixed = plan(
        address,
        seats=(Seat(2), Seat(4)),
        levels=("basic", "random"),
        bot_seats=(Seat(1), Seat(3)),
        create=create,
    )
    async with Bridge(mixed, say=lambda _: None) as bridge:
        one = await Script(bridge, "one").comes()
        two = await Script(bridge, "two", first).comes()
        await all_of(one.plays(), two.plays())
        winners = await bridge.over()
    assert len(winners) == 1
    assert one.of("beginning")[0]["myPos"] == 1
    assert two.of("beginning")[0]["myPos"] == 3
    assert "tribute" in one.stages("act") + two.stages("act")
    assert one.stages()[-1] == two.stages()[-1] == "gameResult"


def alone(address: str, **changes: Any) -> Plan:
    """One guest, at seat 1, with bots that take no time."""
    three = {"seats": SEATS[:1], "levels": ("random",) * 3, "bot_seats": SEATS[1:]}
    return plan(address, **(three | changes))


async def asked(guest: Script) -> Any:
    """Its first question to come."""
    while (message := await guest.hears())["type"] != "act":
        pass
    return message


@pytest.mark.parametrize(
    "wrong",
    [
        *("nonsense", '{"actIndex": -1}', '{"actIndex": 99999}', '{"actIndex": "0"}', "[]"),
        *('{"actIndex": 0.5}', '{"actIndex": NaN}', '{"actIndex": Infinity}', "null", "{}"),
        *('{"actIndex": true}', '{"actIndex": null}', '{"actIndex": 1e300}'),
    ],
)
async def test_a_wrong_action_is_reported_and_awaited_again(address: str, wrong: str) -> None:
    said: list[str] = []
    async with Bridge(plan(address), say=said.append) as bridge:
        guests = [await Script(bridge, f"guest{n}").comes() for n in range(4)]
        async with asyncio.timeout(WAIT_S):
            asked = await guests[0].until("play")
            assert asked["type"] == "act", "seat 1 begins the first hand"
            await guests[0].says(wrong)
            assert await guests[0].hears() == asked
            await guests[0].says({"actIndex": 2})
            told = await guests[0].hears()
        assert (told["stage"], told["curAction"]) == ("play", asked["actionList"][2])
        for guest in guests:
            await guest.leaves()
    (report,) = [text for text in said if "wrong action" in text]
    assert report.startswith("guest0 a wrong action: expected an actIndex from 0 to ")


@pytest.mark.parametrize("number", ["3", "3.0", "30e-1"])
async def test_a_whole_number_is_one_however_it_is_written(address: str, number: str) -> None:
    async with Bridge(alone(address), say=lambda _: None) as bridge:
        guest = await Script(bridge, "float").comes()
        async with asyncio.timeout(WAIT_S):
            question = await asked(guest)
            await guest.says(f'{{"actIndex": {number}}}')
            told = await guest.hears()
        assert (told["stage"], told["curPos"]) == ("play", 0)
        assert told["curAction"] == question["actionList"][3]
        await guest.leaves()


@pytest.mark.parametrize(
    ("frame", "code", "remark"),
    [
        ("x" * (FRAME_BYTES_MAX + 1), 1009, "sent more than 4,096 bytes in one message: cut off"),
        (b"\xff", 1007, "cut off: 1007 (invalid frame payload data) invalid start byte"),
    ],
)
async def test_both_hear_why_a_guest_is_cut_off(
    address: str, frame: str | bytes, code: int, remark: str
) -> None:
    said: list[str] = []
    async with Bridge(alone(address), say=said.append) as bridge:
        guest = await Script(bridge, "loud").comes()
        async with asyncio.timeout(WAIT_S):
            await asked(guest)
            await guest.says_raw(frame)
            await guest.plays()
            assert await bridge.over() == []
    assert guest.closed == code
    assert guest.reason
    assert said[-1].startswith(f"loud {remark}")


async def test_an_answer_may_have_as_many_bytes_as_the_limit_says(address: str) -> None:
    async with Bridge(alone(address), say=lambda _: None) as bridge:
        guest = await Script(bridge, "long").comes()
        async with asyncio.timeout(WAIT_S):
            await asked(guest)
            await guest.says('{"actIndex": 0}'.ljust(FRAME_BYTES_MAX))
            assert (await guest.hears())["curPos"] == 0
        await guest.leaves()


async def test_whoever_never_stops_talking_is_sent_away(address: str) -> None:
    said: list[str] = []
    calm = asyncio.Event()

    def say(text: str) -> None:
        said.append(text)
        if text == "calm has seat 1":
            calm.set()

    async with Bridge(plan(address), say=say) as bridge:  # a table that is not full
        guest = await Script(bridge, "flood").comes()
        async with asyncio.timeout(WAIT_S):
            for _ in range(UNASKED_MAX):
                await guest.says({"actIndex": 0})
            await guest.plays()
            # Whether or not it had its seat by then, others can come.
            other = await Script(bridge, "calm").comes()
            await calm.wait()
            await other.leaves()
    assert (guest.closed, guest.reason) == (
        1008,
        f"{UNASKED_MAX} messages that nothing was asked for",
    )
    assert [text for text in said if text.startswith("flood") and "seat" not in text] == [
        'flood said something unasked: {"actIndex": 0}',
        f"flood {UNASKED_MAX} messages that nothing was asked for: sent away",
        f"flood said something unasked {UNASKED_MAX} times in all",
    ]


async def test_whoever_is_always_wrong_is_sent_away_and_a_bot_plays_on(address: str) -> None:
    said: list[str] = []
    async with Bridge(plan(address), say=said.append) as bridge:
        minds: list[Guest] = [
            lambda m: "?" if m["type"] == "act" else None,
            brain(),
            brain(),
            first,
        ]
        guests = [await Script(bridge, f"guest{n}", mind).comes() for n, mind in enumerate(minds)]
        async with asyncio.timeout(MATCH_S):
            await guests[0].plays()
            assert guests[0].stages("act").count("play") == WRONG_MAX
            wrong = f"{WRONG_MAX} wrong actions in a row"
            assert (guests[0].closed, guests[0].reason) == (1008, wrong)
            playing = [asyncio.create_task(guest.until("episodeOver")) for guest in guests[1:]]
            await asyncio.gather(*playing)
        assert {one["curPos"] for one in guests[1].of("play")} == {0, 1, 2, 3}
        assert f"guest0 {WRONG_MAX} wrong actions in a row: sent away" in said
        for guest in guests[1:]:
            await guest.leaves()


async def test_of_a_guest_that_leaves_a_bot_plays_on_and_there_is_no_way_back(address: str) -> None:
    said: list[str] = []
    async with Bridge(plan(address), say=said.append) as bridge:
        guests = [await Script(bridge, f"guest{n}", brain()).comes() for n in range(4)]
        async with asyncio.timeout(MATCH_S):
            await guests[0].until("beginning")
            await guests[0].leaves()
            with pytest.raises(InvalidStatus):
                await Script(bridge, "guest0").comes()
            rest = guests[1:]
            await asyncio.gather(*[guest.plays() for guest in rest])
            assert len(await bridge.over()) == 1
    assert "guest0 has left" in said
    assert all(guest.stages()[-1] == "gameResult" for guest in rest)


async def test_when_all_have_left_it_is_over(address: str) -> None:
    async with Bridge(plan(address), say=lambda _: None) as bridge:
        guests = [await Script(bridge, f"guest{n}").comes() for n in range(4)]
        for guest in guests:
            await guest.until("beginning")
            await guest.leaves()
        async with asyncio.timeout(WAIT_S):
            assert await bridge.over() == []


async def test_before_the_match_a_seat_can_be_given_up_and_taken_again(address: str) -> None:
    remarks: asyncio.Queue[str] = asyncio.Queue()
    async with Bridge(plan(address), say=remarks.put_nowait) as bridge:
        early = await Script(bridge, "early").comes()
        assert await remarks.get() == f"the table is {bridge.room}"
        assert await remarks.get() == "early has seat 1"
        await early.leaves()
        assert await remarks.get() == "early has left"
        guests = [await Script(bridge, f"guest{n}").comes() for n in range(4)]
        async with asyncio.timeout(WAIT_S):
            heard = [await guest.until("beginning") for guest in guests]
        assert [one["myPos"] for one in heard] == [0, 1, 2, 3]
        for guest in guests:
            await guest.leaves()


async def test_at_a_table_of_others_guests_sit_down_and_play_along(address: str) -> None:
    hello = Create(version=VERSION, name="Ann", create_id=b"a" * 16)
    async with TableClient(address, hello) as host:
        async for notice in host:
            if isinstance(notice, Welcome):
                break
        invited = plan(address, room=host.room, seats=(Seat(3),))
        async with Bridge(invited, say=lambda _: None) as bridge:
            guest = await Script(bridge, "Li").comes()
            while host.view is None or host.view.seats[2].kind is not SeatKind.PERSON:
                await anext(host)
            assert host.view.seats[2].name == "Li"
            for name in ("Bo", "Cy"):
                client = TableClient(address, Join(version=VERSION, room=host.room, name=name))
                async with client:
                    await anext(client)
                    await client.act(Ready(n=0))
            await host.act(Ready(n=0))
            async with asyncio.timeout(WAIT_S):
                assert (await guest.until("beginning"))["myPos"] == 2
            await guest.leaves()


def at(client: TableClient) -> list[str]:
    assert client.view is not None
    return [seat.name for seat in client.view.seats]


async def test_a_seat_that_somebody_has_costs_one_guest_and_not_the_others(address: str) -> None:
    said: list[str] = []
    hello = Create(version=VERSION, name="Ann", create_id=b"b" * 16)
    async with TableClient(address, hello) as host:
        await anext(host)
        invited = plan(address, room=host.room, seats=(Seat(2), Seat(1)))
        async with Bridge(invited, say=said.append) as bridge, asyncio.timeout(WAIT_S):
            guest = await Script(bridge, "Li").comes()
            while at(host)[1] != "Li":
                await anext(host)
            late = await (await Script(bridge, "Bo").comes()).plays()
            assert (late.closed, late.reason) == (1011, "there is no seat: seat 1 is taken")
            await guest.leaves()
            assert await bridge.over() == []
    assert said == ["Li has seat 2", "Bo there is no seat: seat 1 is taken", "Li has left"]


async def test_a_seat_that_somebody_has_ends_it_where_nobody_else_plays(address: str) -> None:
    hello = Create(version=VERSION, name="Ann", create_id=b"e" * 16)
    async with TableClient(address, hello) as host:
        await anext(host)
        invited = plan(address, room=host.room, seats=(Seat(1),))
        async with Bridge(invited, say=lambda _: None) as bridge, asyncio.timeout(WAIT_S):
            guest = await (await Script(bridge, "Li").comes()).plays()
            assert (guest.closed, guest.reason) == (1011, "there is no seat: seat 1 is taken")
            with pytest.raises(NotLetIn):
                await bridge.over()


async def test_a_table_is_looked_at_before_guests_come(commands: Commands) -> None:
    hello = Create(version=VERSION, name="Ann", create_id=b"c" * 16)
    async with TableClient(commands.address, hello) as host:
        await anext(host)
        full = ["--level", "random"] * 3
        for arguments, why in (
            (["--seat", "1"], "somebody sits there"),
            ([*full, "--seat", "2"], "all four seats"),
            (full, "all four seats"),
        ):
            room = ["--port", "0", "--room", host.room]
            ended = await asyncio.to_thread(commands.spawn, "bridge", *room, *arguments)
            assert (ended.code, ended.out) == (4, [])
            assert ended.err[-1].startswith(f"guandan: there is no seat: {why}")


async def test_without_seats_named_guests_and_bots_sit_where_there_is_room(
    commands: Commands,
) -> None:
    hello = Create(version=VERSION, name="Ann", create_id=b"d" * 16)
    async with TableClient(commands.address, hello) as host:
        await anext(host)
        arguments = ["--port", "0", "--json", "--level", "random", "--room", host.room]
        with commands.start("bridge", *arguments) as bridge:
            (line,) = await asyncio.to_thread(bridge.until, "guests")
            async with connect(json.loads(line)["guests"].replace("NAME", "Li")):
                async with asyncio.timeout(WAIT_S):
                    while "Li" not in at(host):
                        await anext(host)
                assert sorted(at(host)) == ["", "Ann", "Li", "random 1"]


async def test_only_guests_come_in(address: str) -> None:
    async with Bridge(plan(address, seats=SEATS[:1], levels=("random",) * 3, bot_seats=SEATS[1:]),
                      say=lambda _: None) as bridge:  # fmt: skip
        base = f"ws://127.0.0.1:{bridge.port}"
        with pytest.raises(InvalidStatus) as refused:
            await connect(f"{base}/ws")
        assert refused.value.response.status_code == 404
        with pytest.raises(InvalidStatus) as refused:
            await connect(f"{base}/game/x", origin="http://elsewhere.example")  # type: ignore[arg-type]  # a NewType of text
        assert refused.value.response.status_code == 403
        async with connect(f"{base}/game/gd/x%20y", origin=f"http://127.0.0.1:{bridge.port}"):  # type: ignore[arg-type]  # a NewType of text
            with pytest.raises(InvalidStatus) as refused:
                await connect(f"{base}/game/second")
            assert refused.value.response.status_code == 503


@pytest.mark.parametrize(
    ("path", "name"), [("", "game"), ("x%20y/", "x y"), ("n" * 30, "n" * 24), ("%07", "guest")]
)
async def test_the_last_part_of_the_path_is_the_name(address: str, path: str, name: str) -> None:
    said: asyncio.Queue[str] = asyncio.Queue()
    async with Bridge(plan(address), say=said.put_nowait) as bridge:
        guest = await Script(bridge, path).comes()
        async with asyncio.timeout(WAIT_S):
            assert (await said.get()).startswith("the table is ")
            assert await said.get() == f"{name} has seat 1"
        await guest.leaves()


def test_the_page_names_the_limits() -> None:
    page = (Path(__file__).parents[2] / "docs" / "bridge.md").read_text(encoding="utf-8")
    for limit in (
        f"A message has {FRAME_BYTES_MAX:,} bytes\nat most",
        f"more than {FRAME_BYTES_MAX:,} bytes",
        f"cut at {NAME_CHARS_MAX} characters",
        f"Whoever says {UNASKED_MAX:,} such things in a row",
        f"{UNANSWERED_MAX} questions without an answer",
    ):
        assert limit in page


async def test_without_a_server_or_a_room_there_is_no_table(address: str) -> None:
    for changes, code in (
        ({"server": "ws://127.0.0.1:1"}, ""),
        ({"room": "ZZZZZZ"}, "no_such_room"),
    ):
        async with Bridge(plan(address, **changes), say=lambda _: None) as bridge:
            guest = await Script(bridge, "early").comes()
            with pytest.raises(NotLetIn) as refused:
                await bridge.over()
            assert refused.value.code == code
            await guest.plays()
            assert guest.closed == 1011
            assert guest.reason.startswith("there is no seat: ")


def test_a_bot_of_ours_visits_a_bridge_of_ours(commands: Commands) -> None:
    arguments = ["--port", "0", "--level", "random", "--level", "random", "--seat", "1"]
    with commands.start("bridge", *arguments, "--seat", "3", "--json") as bridge:
        url = json.loads(bridge.until("guests")[0])["guests"].removesuffix("NAME")
        visit = ["bot", "--dialect", "njupt", "--seed", "1", "--url"]
        with commands.start(*visit, url + "one") as one, commands.start(*visit, url + "two") as two:
            for bot in (one, two):
                code = bot.process.wait(timeout=MATCH_S)
                assert bot.process.stderr is not None
                assert (code, " 0 mismatches, 0 fallbacks" in bot.process.stderr.read()) == (
                    0,
                    True,
                )
            assert bridge.process.wait(timeout=WAIT_S) == 0
        (line,) = bridge.rest()
        assert json.loads(line) == {"games": 1, "won": {"13": 1, "24": 0}}


@pytest.mark.parametrize("manner", [[], ["--json"]])
async def test_without_a_finished_match_there_is_no_result(
    commands: Commands, manner: list[str]
) -> None:
    levels = ["--level", "random"] * 3
    with commands.start("bridge", "--port", "0", "--seat", "1", *levels, *manner) as bridge:
        (line,) = await asyncio.to_thread(bridge.until, "ws://")
        found = re.search(r"ws://[^\s\"]+", line)
        assert found is not None
        async with connect(found[0]) as wrong, asyncio.timeout(WAIT_S):
            with contextlib.suppress(ConnectionClosed):
                while True:
                    if json.loads(await wrong.recv())["type"] == "act":
                        await wrong.send("?")
        assert wrong.close_code == 1008
        assert await asyncio.to_thread(bridge.process.wait, WAIT_S) == 1
        rest = bridge.rest()
        assert bridge.process.stderr is not None
        told = bridge.process.stderr.read().splitlines()
    assert told[-2:] == [
        f"NAME {WRONG_MAX} wrong actions in a row: sent away",
        "guandan: all guests have left after 0 of 1 matches",
    ]
    if manner:
        assert [json.loads(line) for line in rest] == [{"games": 1, "won": {"13": 0, "24": 0}}]
    else:
        assert rest == []
