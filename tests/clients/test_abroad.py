"""`guandan bot --dialect`: a bot of ours where a platform of the dialect is, or should be."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from guandan_bots.dialect.visitor import Visitor
from guandan_bots.policy import policy
from guandan_engine.options import Rules
from tests.bots.njupt import Guest, Platform, first
from tests.clients.commands import GUANDAN, WAIT_S, Commands, Program


def brain(level: str = "basic", seed: int = 1) -> Guest:
    return Visitor(policy(level), Random(seed), say=lambda _: None, rules=Rules()).hears


@pytest.mark.parametrize(
    "arguments",
    [
        ["--dialect", "njupt"],
        ["--dialect", "njupt", "--stdio", "--url", "ws://127.0.0.1:1/game/x"],
        ["--dialect", "njupt", "--stdio", "--join", "ABCDEF"],
        ["--stdio"],
        ["--url", "ws://127.0.0.1:1/game/x"],
        ["--dialect", "njupt", "--stdio", "--count", "3"],
    ],
)
def test_a_bot_is_at_one_place(commands: Commands, arguments: list[str]) -> None:
    ended = commands.run("bot", *arguments)
    assert ended.code == 2
    assert "--dialect" in ended.err[-1]


def test_a_platform_that_is_not_there(commands: Commands) -> None:
    ended = commands.run("bot", "--dialect", "njupt", "--url", "ws://127.0.0.1:1/game/x")
    assert ended.code == 5
    (line,) = ended.err  # and nothing of what it came to
    assert line.startswith("guandan: --url: no connection to ws://127.0.0.1:1/game/x")


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/", "nowhere", "ws://[::1/game/x"])
def test_what_is_no_address_of_a_platform_is_wrong_usage(commands: Commands, url: str) -> None:
    ended = commands.run("bot", "--dialect", "njupt", "--url", url)
    assert ended.code == 2
    assert ended.err == [f"guandan: --url: a ws:// or wss:// address, not {url}"]


def test_what_a_bot_shows_of_a_table_is_not_to_be_had_at_a_platform(commands: Commands) -> None:
    ended = commands.run("bot", "--dialect", "njupt", "--stdio", "--json")
    assert (ended.code, ended.out) == (2, [])
    assert ended.err[-1].startswith("guandan: --json means nothing here")


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
