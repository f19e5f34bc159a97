"""Passing by ourselves at the plain table."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from guandan_cli.passing import AUTO_PASS_S, moment
from guandan_protocol import messages as m
from guandan_protocol.messages import Control
from tests.clients.parlour import Evening, Parlour
from tests.clients.scenes import SEATS_TAKEN, ZH
from tests.engine.table import Table

ALONE = "Nothing of yours beats that; passing by itself."
BY_HAND = "Nothing of yours beats that: pass with p."


def follows(card: str, **view: Any) -> Parlour:
    """Seat 2 has led a king; ours is one card and a three."""
    table = Table.deal(f"1: {card} S3", "2: SK H3 …", "3: S4 D4 …", "4: C4 H4 …", leader=2)
    parlour = Parlour(table.play(2, "SK").pass_(3, 4).match, **view)
    parlour.others_act = False
    return parlour


async def test_where_nothing_beats_the_table_we_pass_after_a_moment() -> None:
    async with Evening(follows("S9")) as evening:
        await evening.quiet()
        assert evening.parlour.console.printed[-1] == BY_HAND
        assert evening.parlour.acted == []
        said = await evening.type("autopass on")
        assert said[0] == "Pass by itself when nothing beats: on"
        assert evening.parlour.acted == [m.Pass(0, evening.parlour.acted[0].turn)]  # type: ignore[union-attr]  # a pass has one
        assert "you: pass" in said
        assert evening.kept == [{"auto_pass": True}]


async def test_what_could_beat_it_is_left_to_us() -> None:
    async with Evening(follows("SA")) as evening:
        await evening.type("autopass on")
        assert evening.parlour.acted == []


async def test_whoever_has_begun_a_line_is_left_to_think() -> None:
    parlour = follows("S9")
    parlour.console.is_typing = True
    async with Evening(parlour) as evening:
        await evening.type("autopass on")
        parlour.console.is_typing = False
        await evening.game.stir()
        await evening.quiet()
        assert parlour.acted == []


async def test_whoever_has_typed_a_line_in_this_turn_is_left_to_think() -> None:
    parlour = follows("S9")
    async with Evening(parlour) as evening:
        await evening.type("hand")
        evening.game.passes_itself = True
        await evening.game.stir()
        await evening.quiet()
        assert parlour.acted == []


async def test_a_turn_in_which_we_pass_by_ourselves_is_told_as_one() -> None:
    evening = Evening(follows("S9"))
    evening.game.passes_itself = True
    async with evening:
        await evening.quiet()
        printed = evening.parlour.console.printed
        assert printed.index(ALONE) < printed.index("you: pass")


async def test_a_bot_that_plays_for_us_decides_itself() -> None:
    stood_in = (evolve(SEATS_TAKEN[0], control=Control.AUTOPILOT), *SEATS_TAKEN[1:])
    async with Evening(follows("S9", seats=stood_in)) as evening:
        await evening.type("autopass on")
        assert evening.parlour.acted == []


async def test_it_is_switched_in_chinese_too_and_off_again() -> None:
    async with Evening(Parlour(), ZH) as evening:
        assert await evening.type("自动不出") == ["没牌管得上时自动不出：开"]
        assert await evening.type("autopass off") == ["没牌管得上时自动不出：关"]
        assert evening.kept == [{"auto_pass": True}, {"auto_pass": False}]


async def test_a_switch_that_cannot_be_kept_is_one_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with Evening(Parlour()) as evening:

        def fail(_: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(evening.auto_pass, "_keep", fail)
        assert await evening.type("autopass on") == [
            "That could not be kept for the next time: No space left on device",
            "Pass by itself when nothing beats: on",
        ]
        assert evening.game.passes_itself


def test_a_moment_is_never_the_same() -> None:
    low, high = AUTO_PASS_S
    moments = {moment() for _ in range(20)}
    assert all(low <= one <= high for one in moments)
    assert len(moments) > 1
