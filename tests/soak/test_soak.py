"""A soak in small, and that it would tell."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from tests.soak.course import MIB, Soak, Summary, Use, soak

PLAN = Soak(rooms=12, seed=5, trouble_s=8, quiet_s=3, every_s=2, pauses_s=(0.0, 1.0))


def test_a_few_seconds_of_kills_lose_nothing(tmp_path: Path) -> None:
    summary = asyncio.run(soak(PLAN, tmp_path))
    assert sum(summary.troubles.values()) > 0
    assert summary.actions > 5 * PLAN.rooms
    assert summary.reconnects > 0
    assert summary.holds, "\n".join(summary.lines())


def summed(**otherwise: object) -> Summary:
    whole: dict[str, object] = {
        "plan": PLAN,
        "troubles": Counter({"node killed": 2}),
        "actions": 1_000,
        "hands": 3,
        "matches": 0,
        "reconnects": 48,
        "lost": 0,
        "errors": {},
        "stuck": 0,
        "wrong": (),
        "uses": (Use("a", (80 * MIB,) * 9, (60,) * 9),),
    }
    return Summary(**{**whole, **otherwise})  # type: ignore[arg-type]  # as the fields are


@pytest.mark.parametrize(
    "otherwise",
    [
        {"lost": 1},
        {"stuck": 1},
        {"errors": {"room_gone": 1}},
        {"wrong": ("ABCDEF: its log has gaps",)},
        {"uses": (Use("a", tuple([(80 + n) * MIB for n in range(30)]), (60,) * 30),)},
        {"uses": (Use("a", (80 * MIB,) * 9, tuple(range(60, 69))),)},
    ],
)
def test_whatever_falls_short_is_told(otherwise: dict[str, object]) -> None:
    assert summed().holds
    assert summed().lines()[-1] == "holds"
    assert not summed(**otherwise).holds
    assert summed(**otherwise).lines()[-1] == "FALLS SHORT"
