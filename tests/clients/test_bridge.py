"""`guandan bridge`: scripted programs of the dialect at a table of a real server."""

from __future__ import annotations

import asyncio
import json
import socket
from collections import Counter
from collections.abc import Awaitable
from random import Random
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from guandan_bots.dialect.bridge import Bridge, Plan
from guandan_bots.dialect.chairs import WRONG_MAX, NotLetIn
from guandan_bots.dialect.visitor import Visitor
from guandan_bots.policy import policy
from guandan_engine.options import Rules
from guandan_engine.seats import SEATS, Seat, Team
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
from tests.bots.njupt import Guest, Platform, first
from tests.clients.commands import GUANDAN, WAIT_S, Commands, Program

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


@pytest.mark.parametrize(
    "wrong", ["nonsense", '{"actIndex": -1}', '{"actIndex": 99999}', '{"actIndex": "0"}', "[]"]
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


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--level", "basic", "--seat", "1"], "1 guests and 1 bots are not four"),
        (["--level", "genius", "--seat", "1", "--seat", "2", "--seat", "4"], "genius"),
        (["--seat", "1", "--seat", "1"], "--seat"),
        (["--level", "basic"] * 4, "--level"),
        (["--room", "ws://127.0.0.1:1"], "--room"),
        (["--games", "0"], "--games"),
        (["--option", "nonsense=1"], "--option"),
    ],
)
def test_wrong_usage_of_a_bridge(commands: Commands, arguments: list[str], says: str) -> None:
    ended = commands.run("bridge", "--port", "0", *arguments)
    assert (ended.code, ended.out) == (2, [])
    assert says in ended.err[-1]


def test_a_bridge_needs_a_server_and_a_port(commands: Commands) -> None:
    ended = commands.run("bridge", "--port", "0", "--server", "ws://127.0.0.1:1")
    assert ended.code == 5
    assert ended.err[0].startswith("guandan: no connection to ws://127.0.0.1:1")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        ended = commands.run("bridge", "--port", str(taken.getsockname()[1]))
    assert ended.code == 1
    assert "--port: cannot listen at 127.0.0.1:" in ended.err[-1]


@pytest.mark.parametrize(
    "arguments",
    [
        ["--dialect", "njupt"],
        ["--dialect", "njupt", "--stdio", "--url", "ws://127.0.0.1:1/game/x"],
        ["--dialect", "njupt", "--stdio", "--join", "ABCDEF"],
        ["--stdio"],
        ["--url", "ws://127.0.0.1:1/game/x"],
    ],
)
def test_a_bot_is_at_one_place(commands: Commands, arguments: list[str]) -> None:
    ended = commands.run("bot", *arguments)
    assert ended.code == 2
    assert "--dialect" in ended.err[-1]


def test_a_platform_that_is_not_there(commands: Commands) -> None:
    ended = commands.run("bot", "--dialect", "njupt", "--url", "ws://127.0.0.1:1/game/x")
    assert ended.code == 5
    assert ended.err[-1].startswith("guandan: --url: no connection to ws://127.0.0.1:1/game/x")


def test_a_bot_plays_a_whole_hand_over_standard_input_and_output(commands: Commands) -> None:
    arguments = ["bot", "--level", "basic", "--dialect", "njupt", "--stdio", "--seed", "1"]
    environment = commands.environment
    with Program([GUANDAN, *arguments], environment) as bot:
        lines: list[str] = []

        def over_the_pipe(message: Any) -> Any:
            bot.type(json.dumps(message))
            if message["type"] == "notify":
                return None
            lines.extend(bot.until("actIndex"))
            return json.loads(lines[-1])

        platform = Platform([over_the_pipe, first, brain(), first], Rules(), seed="stdio")
        platform.plays(hands=2)
        assert bot.process.stdin is not None
        bot.process.stdin.close()
        assert bot.process.wait(timeout=WAIT_S) == 0
        assert bot.rest() == []
        assert bot.process.stderr is not None
        told = bot.process.stderr.read()
    mine = [choice for view, _, choice in platform.asked if view.seat == 1]
    assert told == f"{len(mine)} answers, 0 mismatches, 0 fallbacks\n"
    assert len(lines) == len(mine) > 5, "a line for each question, and no other"
