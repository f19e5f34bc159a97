"""Logs of a platform, garbled: whatever was missed or came twice, a policy can decide."""

from __future__ import annotations

import json
from functools import cache
from random import Random
from typing import Any

import pytest

from guandan_bots.dialect.visitor import Visitor
from guandan_bots.policy import Choice, Policy, policy
from guandan_engine.options import Rules
from guandan_engine.views import SeatView
from tests.bots.games import TABLES
from tests.bots.njupt import Guest, Platform, first
from tests.bots.table import RULES

HANDS = 2
PARTS = [
    *("stage", "handCards", "actionList", "publicInfo", "curRank", "selfRank", "oppoRank"),
    *("greaterPos", "greaterAction"),
]
"""Of a question, what a view is made of."""


def brain(level: str, seed: int) -> Guest:
    return Visitor(policy(level), Random(seed), say=lambda _: None, rules=RULES).hears


@cache
def logs() -> list[list[str]]:
    """What each seat of three tables was told and asked."""
    told: list[list[str]] = []
    for name in ("site", "free", "huaian"):
        guests = [brain("basic", 1), first, brain("random", 2), brain("basic", 3)]
        platform = Platform(guests, TABLES[name], seed=f"garbled {name}")
        platform.plays(HANDS)
        told += platform.said.values()
    return told


def garbled(seed: int, length: int) -> list[Any]:
    """A stretch of a log in which much is wrong."""
    chance = Random(seed)
    log, other = list(chance.choice(logs())), chance.choice(logs())
    share = chance.random() / 2
    match seed % 6:
        case 0:
            chance.shuffle(log)
        case 1:
            log = [one for one in log if chance.random() > share]
        case 2:
            log = [one for one in log for _ in range(1 + (chance.random() < share))]
        case 3:
            keys = [place + 6 * chance.random() for place in range(len(log))]
            log = [log[place] for place in sorted(range(len(log)), key=keys.__getitem__)]
        case 4:
            log = [chance.choice(pair) for pair in zip(log, other, strict=False)]
        case _:
            log = _patched(log, other, chance)
    begin = chance.randrange(max(len(log) - length, 1))
    return [json.loads(text) for text in log[begin : begin + length]]


def _patched(log: list[str], other: list[str], chance: Random) -> list[str]:
    """Questions with parts of others in them."""
    asked = [one for one in map(json.loads, other) if one["type"] == "act"]
    asked += 4 * [one for one in asked if one["stage"] != "play"]  # which are rare
    patched = []
    for text in log:
        part, source = chance.choice(PARTS), chance.choice(asked)
        is_patched = '"act"' in text and chance.random() < 0.5
        patched.append(json.dumps(json.loads(text) | {part: source[part]}) if is_patched else text)
    return patched


class Watched:
    """A policy, and the faults that cost it an answer."""

    def __init__(self, inner: Policy) -> None:
        self.name = inner.name
        self.faults: list[str] = []
        self._inner = inner

    def choose(self, view: SeatView, rules: Rules, rng: Random) -> Choice:
        try:
            return self._inner.choose(view, rules, rng)
        except Exception as error:
            self.faults.append(f"{type(error).__name__}: {error}")
            raise


@pytest.mark.parametrize(
    ("level", "count", "length"),
    [("random", 48, 60), ("basic", 48, 60), ("club", 24, 36), ("expert", 12, 18)],
)
def test_no_policy_fails_over_a_garbled_log(level: str, count: int, length: int) -> None:
    failed: dict[int, list[str]] = {}
    questions = 0
    for seed in range(count):
        mind = Watched(policy(level))
        guest = Visitor(mind, Random(1), say=lambda _: None, rules=RULES)
        for message in garbled(seed, length):
            answer = guest.hears(message)
            if message["type"] == "act":
                questions += 1
                assert answer is not None
                assert 0 <= answer["actIndex"] < len(message["actionList"])
        if mind.faults:
            failed[seed] = mind.faults
    assert failed == {}
    assert questions > 2 * count
