"""What happens when something is typed."""

import asyncio
from collections import deque
from typing import Any

import pytest
from attrs import evolve

from guandan_cli.obey import Next
from guandan_engine.commands import Pass as Passing
from guandan_engine.notation import (
    cards_text,
    reading_text,
)
from guandan_engine.seats import Seat
from guandan_protocol import messages as m
from guandan_protocol.messages import Control, Proposal, Settings, Stage
from tests.clients.parlour import Evening, Parlour
from tests.clients.scenes import SEATS_TAKEN, ZH
from tests.engine.table import Table

HAND = "1: S9 H9 C9 SK DK X H2 S5 S6 S7 S8 D3"


def leading(**options: Any) -> Parlour:
    return Parlour(Table.deal(HAND, "2: S4 …", "3: S3 …", "4: C4 …", **options).match)


def following() -> Parlour:
    table = Table.deal(HAND, "2: S4 C4 H3 …", "3: S3 …", "4: H4 D4 …", leader=2)
    return Parlour(table.play(2, "S4 C4").pass_(3, 4).match)


def played(action: m.Action) -> tuple[str, str]:
    assert isinstance(action, m.Play)
    assert action.reading is not None
    return cards_text(action.cards), reading_text(action.reading)


# To look at


@pytest.mark.parametrize(
    ("line", "first"),
    [
        ("table", "Hand 2 · playing 2 (our level) · us 2, them 2"),
        ("hand", "Your hand (12) · W wild ♥2 · X small joker"),
        ("record", "No hand has been finished yet."),
        ("counter", "Still out, your own cards not counted:"),
        ("c", "Still out, your own cards not counted:"),
        ("help", "CARDS    9 9      a pair of nines, any suits, never the wild"),
        ("?", "CARDS    9 9      a pair of nines, any suits, never the wild"),
        ("resume", "guandan play K7QM2X --resume"),
        ("readings", "You will be asked when cards can be played as several things."),
        (
            "readings off",
            "The strongest reading is taken unless you add one, as in 9 9 w =triple-9.",
        ),
        ("readings maybe", "Add on or off."),
        ("hello\x1b[2J", "“hello?[2J” is neither a command nor cards; help shows both."),
    ],
)
async def test_looking_changes_nothing(line: str, first: str) -> None:
    async with Evening(leading()) as evening:
        assert (await evening.type(line))[0] == first
        assert evening.parlour.acted == []


async def test_rules_show_what_differs() -> None:
    async with Evening(leading(advance_double=4)) as evening:
        said = await evening.type("rules")
        assert said[0].startswith("Rules: site (presets: site, tournament, ")
        assert any(line.startswith("  advance_double=4 *") for line in said)
        assert said[-1].startswith("Settings: no clock, bots take 1 s, ")
        assert len(said) == 18


async def test_everything_can_be_said_in_chinese() -> None:
    async with Evening(following(), ZH) as evening:
        assert (await evening.type("提示"))[0] == "  1. 不出 —— 管得上的牌留着更值"
        assert (await evening.type("9 9"))[0] == "你：对9 · ♥9 ♣9（剩10张）"
        assert (await evening.type("战绩")) == ["还没有打完的局。"]


# The match


async def test_the_next_hand() -> None:
    table = Table.deal("1: SA", "2: S3 D3", "3: S4", "4: C4 H4 …", level="K")
    table.play(1, "SA").pass_(2).pass_(3).pass_(4).play(3, "S4")
    async with Evening(Parlour(table.match)) as evening:
        said = await evening.type("next")
        assert isinstance(evening.action, m.Ready)
        assert len(evening.action.nonce) == 16
        assert any(line.startswith("── Hand 3: playing A") for line in said)


async def test_a_nonce_is_new_every_time_and_none_for_a_no() -> None:
    async with Evening(Parlour()) as evening:
        nonces = set()
        for line in ("ready", "ready", "next", "ready off"):
            await evening.type(line)
            assert isinstance(evening.action, m.Ready)
            assert evening.action.ready is (line != "ready off")
            nonces.add(evening.action.nonce)
        assert len(nonces) == 4
        assert b"" in nonces


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("start", m.Start(0)),
        ("later", m.Later(0, later=True)),
        ("later off", m.Later(0, later=False)),
        ("rematch", m.Propose(0, Proposal.REMATCH)),
        ("new", m.Propose(0, Proposal.NEW_GAME)),
        ("yes", m.Consent(0, agree=True)),
        ("no", m.Consent(0, agree=False)),
        ("同意", m.Consent(0, agree=True)),
        ("o", m.Autopilot(0, on=True, pace_ms=1000)),
        ("o on", m.Autopilot(0, on=True, pace_ms=1000)),
        ("o 0.5", m.Autopilot(0, on=True, pace_ms=500)),
        ("o on 3", m.Autopilot(0, on=True, pace_ms=3000)),
        ("o off", m.Autopilot(0, on=False, pace_ms=1000)),
        ("sit 3", m.Sit(0, Seat(3))),
        ("decline 3", m.Decline(0, Seat(3))),
        ("bot 2", m.AddBot(0, Seat(2), "club")),
        ("bot 2 random", m.AddBot(0, Seat(2), "random")),
        ("nobot 4", m.RemoveBot(0, Seat(4))),
        ("kick 3", m.Kick(0, Seat(3))),
        ("pace 0.3", m.SetPace(0, 300)),
    ],
)
async def test_commands_become_actions(line: str, action: m.Action) -> None:
    async with Evening(Parlour()) as evening:
        await evening.type(line)
        assert evening.action == action


async def test_levels_have_names_and_wrong_ones_are_told_what_there_is() -> None:
    async with Evening(Parlour(), words=ZH) as evening:
        evening.parlour.welcome(levels=("random", "basic", "expert"))
        await evening.quiet()
        await evening.type("bot 2 高手")
        assert evening.action == m.AddBot(0, Seat(2), "expert")
        await evening.type("bot 3")
        assert evening.action == m.AddBot(0, Seat(3), "expert"), "without club the strongest"
        (line,) = await evening.type("bot 4 foo")
        assert line.endswith("有：随机, 普通, 高手。")


async def test_autopilot_is_a_switch() -> None:
    seats = (evolve(SEATS_TAKEN[0], control=Control.AUTOPILOT), *SEATS_TAKEN[1:])
    async with Evening(Parlour(seats=seats)) as evening:
        await evening.type("o")
        assert evening.action == m.Autopilot(0, on=False, pace_ms=1000)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("sit", "Which seat, 1 to 4? For example: sit 3"),
        ("sit 5", "Which seat, 1 to 4? For example: sit 3"),
        ("kick me", "Which seat, 1 to 4? For example: kick 3"),
        ("o 9", "The pace is one of 0.3, 0.5, 1, 2, 3, 4, 5 seconds."),
        ("pace", "The pace is one of 0.3, 0.5, 1, 2, 3, 4, 5 seconds."),
        (
            "set pace 500",
            "The pace is in seconds, 0.5 rather than 500; one of 0.3, 0.5, 1, 2, 3, 4, 5.",
        ),
        (
            "pace 300ms",
            "The pace is in seconds, 0.3 rather than 300ms; one of 0.3, 0.5, 1, 2, 3, 4, 5.",
        ),
        ("set", "set clock S|off, grace S, pace S, hints on|off, counter on|off, phrases on|off."),
        ("set clock 1", "From 5 to 300 seconds."),
        ("rules moon", "“moon” is no rule option; write name=value, as in a_max_misses=3."),
        ("wait for it", "wait, wait hand, or wait match."),
        ("later never", "Add on or off."),
    ],
)
async def test_a_wrong_argument_is_explained(line: str, says: str) -> None:
    async with Evening(Parlour()) as evening:
        assert await evening.type(line) == [says]
        assert evening.parlour.acted == []


async def test_rules_are_set_whole() -> None:
    async with Evening(Parlour()) as evening:
        await evening.type("rules house a_max_misses=2 tribute=off")
        action = evening.action
        assert isinstance(action, m.Configure)
        assert action.preset == "house"
        assert action.options == {"a_max_misses": 2, "tribute": False}
        await evening.type("rules tribute=on")
        action = evening.action
        assert isinstance(action, m.Configure)
        assert action.options == {"a_max_misses": 2, "tribute": True}


async def test_rules_that_do_not_exist_are_not_sent() -> None:
    async with Evening(Parlour()) as evening:
        for line in ("rules tribute=maybe", "rules must_play=2", "rules nonsense=1"):
            (said,) = await evening.type(line)
            assert said.startswith("Not possible: ")
        assert evening.parlour.acted == []


async def test_settings_are_set_one_at_a_time() -> None:
    async with Evening(Parlour()) as evening:
        await evening.type("set clock 30")
        await evening.type("set hints off")
        action = evening.action
        assert isinstance(action, m.Configure)
        assert action.settings == Settings(clock_s=30, hints=False)


# The way out


async def test_a_phrase_is_said_and_heard() -> None:
    async with Evening(Parlour()) as evening:
        assert await evening.type("/good-luck") == ["you: “Good luck to you all!”"]
        assert evening.parlour.asked == [m.Say(0, m.Phrase.GOOD_LUCK)]
        evening.parlour.tell(m.Said(Seat(2), "not_known_here\x1b"))
        assert await evening.type("") == ["2 Orchid: “not_known_here?”"]
        evening.parlour.refusal = m.Refused(0, "too_fast", "", 4000)
        (line,) = await evening.type("say hello")
        assert "too fast" in line


async def test_phrases_are_listed_where_none_is_named() -> None:
    async with Evening(Parlour(), words=ZH) as evening:
        for line in ("/", "phrase", "say hi", "说 什么", "/nothing"):
            how, *phrases = await evening.type(line)
            assert how == "用 / 加下面的词来说话："
            assert [phrase.split()[0] for phrase in phrases] == [f"/{one}" for one in m.Phrase]
        assert evening.parlour.asked == []


async def test_quitting_keeps_the_seat() -> None:
    async with Evening(leading()) as evening:
        await evening.type("quit")
        assert evening.next is Next.QUIT
        assert evening.parlour.acted == []


async def test_leaving_a_lobby_is_simple() -> None:
    async with Evening(Parlour()) as evening:
        await evening.type("leave")
        assert evening.next is Next.LEFT
        assert evening.action == m.Leave(0)


async def test_leaving_a_match_is_asked_about() -> None:
    async with Evening(leading()) as evening:
        assert (await evening.type("leave"))[0].startswith("Give up your seat?")
        await evening.type("hand")
        await evening.type("yes")  # too late: this agrees to a proposal, if there is one
        assert evening.action == m.Consent(0, agree=True)
        await evening.type("leave")
        await evening.type("yes")
        assert evening.next is Next.LEFT


# A watcher


async def test_a_watcher_may_look_and_leave() -> None:
    parlour = Parlour(Table.deal(HAND).match, seat=None)
    async with Evening(parlour) as evening:
        assert (await evening.type("9 9"))[0].startswith("You are watching")
        assert (await evening.type("o"))[0].startswith("You are watching")
        assert (await evening.type("hand")) == ["You hold no cards."]
        assert (await evening.type("table"))[0].startswith("Hand 2 · playing 2 (level of 1+3)")
        await evening.type("leave")
        assert evening.next is Next.QUIT
        assert parlour.acted == []


# Scripts


async def test_a_script_waits_for_its_turn() -> None:
    parlour = Parlour(Table.deal(HAND, "2: S4 …", leader=2).match)
    parlour.console.is_person = False
    parlour.others_act = False
    async with Evening(parlour) as evening:
        task = asyncio.create_task(evening.type("9"))
        await evening.quiet()
        assert parlour.acted == []
        parlour.do(Table(parlour.match).command(2, "S4"))
        parlour.do(Passing(Seat(3)))
        assert parlour.acted == []
        parlour.do(Passing(Seat(4)))
        await task
        assert played(evening.action) == ("H9", "single-9")


async def test_a_script_plays_a_whole_hand() -> None:
    parlour = Parlour()
    parlour.console.is_person = False
    parlour.console.typed = deque(["start", *["!"] * 60, "next", "!", "record", "quit", "never"])
    async with Evening(parlour) as evening:
        assert await evening.player.obey_all() is Next.QUIT
        said = parlour.console.taken()
    assert parlour.console.typed == deque(["never"])
    assert any(line.startswith("── Hand over: ") for line in said)
    assert any(line.startswith("── Hand 2: ") for line in said)
    assert any(line.startswith("  1     2") for line in said)


async def test_a_script_can_wait_for_the_end() -> None:
    parlour = Parlour()
    parlour.console.is_person = False
    parlour.console.typed = deque(["start", "wait", *["!"] * 40, "wait hand", "record"])
    async with Evening(parlour) as evening:
        assert await evening.player.obey_all() is Next.INPUT_ENDED
        assert evening.game.scene.record


async def test_nothing_waits_where_nothing_will_come() -> None:
    parlour = Parlour(stage=Stage.LOBBY)
    parlour.console.is_person = False
    async with Evening(parlour) as evening:
        assert await evening.type("!") == ["Hints are there when it is your turn."]


async def test_an_input_may_end() -> None:
    async with Evening(Parlour()) as evening:
        evening.parlour.console.typed = deque(["table"])
        assert await evening.player.obey_all() is Next.INPUT_ENDED
        assert evening.parlour.console.prompts > 0
