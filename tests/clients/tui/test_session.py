"""What the full screen knows: of the link, of time, of what was missed."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve

from guandan_cli.exits import Exit, Failure
from guandan_cli.passing import AUTO_PASS_S
from guandan_cli.preferences import Preferences
from guandan_cli.texts import Lang
from guandan_cli.tui.columns import Sort
from guandan_protocol import messages as m
from guandan_protocol.client import Lost
from guandan_protocol.messages import Control, Settings
from tests.clients.parlour import Parlour
from tests.clients.scenes import SEATS_TAKEN
from tests.clients.tui.lounge import seated
from tests.clients.tui.screens import pair_of_nines
from tests.engine.table import Table


async def test_the_clock_runs_and_stands_still_while_the_link_is_lost() -> None:
    async with seated(Parlour(pair_of_nines().match, clock_ms=17_400)) as lounge:
        assert "18 s" in lounge.text()
        await lounge.pass_time(10)
        assert "8 s" in lounge.text()
        lounge.parlour.tell(Lost("gone", 4000))
        await lounge.quiet()
        await lounge.pass_time(3)
        text = lounge.text()
        assert "Connection lost; trying again in 1 s. Enter: now" in text
        assert " 8 s" in text
        assert lounge.app.has_class("lost")


async def test_enter_does_not_wait_for_the_next_attempt() -> None:
    async with seated(Parlour(pair_of_nines().match)) as lounge:
        hurried = []
        lounge.parlour.hurry = lambda: hurried.append(1)  # type: ignore[attr-defined]  # as a client has it
        lounge.parlour.tell(Lost("gone", 15_000))
        await lounge.quiet()
        await lounge.press("enter")
        await lounge.click("#news", 3)
        assert hurried == [1, 1]
        assert lounge.parlour.acted == []


async def test_after_the_link_is_back_the_table_is_as_it_is() -> None:
    async with seated(Parlour(pair_of_nines().match)) as lounge:
        await lounge.press("k", "k")
        lounge.parlour.tell(Lost("gone", 1000))
        lounge.parlour.welcome()
        await lounge.quiet()
        text = lounge.text()
        assert "Connection lost; trying again in" not in text
        assert "Connected again." in text
        assert len(lounge.seen.taken) == 2, "what was taken stays taken"


async def test_a_history_that_was_rewound_is_said() -> None:
    async with seated(Parlour(pair_of_nines().match)) as lounge:
        lounge.parlour.tell(Lost("gone", 1000))
        lounge.parlour.welcome(epoch=2)
        await lounge.quiet()
        assert any("had to go back a little" in line for line in lounge.seen.log)


async def test_the_end_of_a_session_is_the_end_of_the_screen() -> None:
    async with seated(Parlour(pair_of_nines().match)) as lounge:
        lounge.parlour.end("replaced")
        await lounge.quiet()
        ended = lounge.app.return_value
        assert isinstance(ended, Failure)
        assert (ended.exit, ended.message) == (
            Exit.REFUSED,
            "another connection has taken this seat",
        )


async def test_a_seat_that_is_given_up_ends_it_well() -> None:
    async with seated(Parlour()) as lounge:
        await lounge.press("m", "v")
        assert lounge.action == m.Leave(0)
        assert lounge.app.has_left
        assert lounge.app.return_value is Exit.OK


async def test_an_answer_that_comes_late_is_not_shown() -> None:
    async with seated(Parlour(pair_of_nines().match)) as lounge:
        session = lounge.app.session
        session.select(
            lounge.seen.selection.press_wild(lounge.seen.hand, lounge.seen.scene.public.level)
        )
        first = session._preview(session._asked)  # noqa: SLF001 an answer still on its way
        session.select(type(lounge.seen.selection)())
        session._asked += 1  # noqa: SLF001 the next question is asked
        await first
        assert session.seen.previewed is None


async def test_whoever_takes_the_seat_back_gets_hints_at_once() -> None:
    away = (evolve(SEATS_TAKEN[0], control=Control.STAND_IN), *SEATS_TAKEN[1:])
    parlour = Parlour(pair_of_nines().match, seats=away)
    parlour.others_act = False
    async with seated(parlour) as lounge:
        assert "A bot stands in for you." in lounge.text()
        assert lounge.seen.hints is None
        lounge.parlour.change(seats=SEATS_TAKEN)
        await lounge.quiet()
        assert lounge.seen.hints is not None


async def test_the_deal_is_checked_at_the_end_of_the_hand() -> None:
    async with seated(Parlour()) as lounge:
        await lounge.press("enter")
        for _ in range(60):
            if not lounge.seen.scene.is_live:
                break
            await lounge.press("h", "enter")
        assert any(line.startswith("Deal checked") for line in lounge.seen.log)


async def test_a_play_takes_what_was_taken_when_enter_was_pressed() -> None:
    async with seated(Parlour(pair_of_nines().match)) as lounge:
        for key in ("k", "k", "enter", "a"):
            lounge.app.press(key)
        await lounge.quiet()
        assert isinstance(lounge.action, m.Play)
        assert len(lounge.action.cards) == 2
        assert len(lounge.seen.taken) == 1, "the ace was taken for later"


async def test_enter_twice_plays_once() -> None:
    table = Table.deal("1: S5 H5 S9 …", "2: S4 …", level="2")
    async with seated(Parlour(table.match)) as lounge:
        for key in ("5", "5", "enter", "enter"):
            lounge.app.press(key)
        await lounge.quiet()
        assert len(lounge.parlour.acted) == 1


# Passing by ourselves


def cannot_follow() -> Parlour:
    """Seat 2 has played a king; we hold nothing above it."""
    table = Table.deal("1: S3 H4 C5", "2: SK …", "3: X …", "4: Y …", level="2", leader=2)
    parlour = Parlour(table.play(2, "SK").pass_(3, 4).match)
    parlour.others_act = False
    return parlour


async def test_nobody_passes_by_themselves_who_has_not_asked_for_it() -> None:
    async with seated(cannot_follow()) as lounge:
        assert "Nothing of yours beats that: pass with p." in lounge.text()
        await lounge.pass_time(60)
        assert lounge.parlour.acted == []


async def test_where_nothing_beats_the_table_we_pass_after_a_moment() -> None:
    async with seated(cannot_follow(), preferences=Preferences(auto_pass=True)) as lounge:
        assert "Nothing of yours beats that; passing by itself." in lounge.text()
        await lounge.pass_time(AUTO_PASS_S[0] - 0.1)
        assert lounge.parlour.acted == [], "at once would tell what the hand holds"
        await lounge.pass_time(AUTO_PASS_S[1])
        assert lounge.parlour.acted == [m.Pass(0, lounge.parlour.acted[0].turn)]  # type: ignore[union-attr]  # a pass has one


async def test_it_is_switched_on_in_the_menu_in_the_middle_of_a_turn() -> None:
    async with seated(cannot_follow()) as lounge:
        await lounge.press("m", "p")
        await lounge.pass_time(3)
        assert isinstance(lounge.action, m.Pass)


async def test_whoever_takes_a_card_is_left_to_think() -> None:
    async with seated(cannot_follow(), preferences=Preferences(auto_pass=True)) as lounge:
        await lounge.press("3")
        await lounge.pass_time(60)
        assert lounge.parlour.acted == []


async def test_whoever_can_follow_is_not_passed_for() -> None:
    match = pair_of_nines().match
    async with seated(Parlour(match), preferences=Preferences(auto_pass=True)) as lounge:
        await lounge.pass_time(60)
        assert lounge.parlour.acted == []


async def test_it_needs_no_hints() -> None:
    parlour = cannot_follow()
    parlour.view = evolve(parlour.view, settings=Settings(hints=False))
    async with seated(parlour, preferences=Preferences(auto_pass=True)) as lounge:
        await lounge.pass_time(3)
        assert isinstance(lounge.action, m.Pass)


# What is liked


async def test_what_a_key_changes_is_kept() -> None:
    kept: list[Mapping[str, object]] = []
    async with seated(Parlour(pair_of_nines().match), keep=kept.append) as lounge:
        await lounge.press("s", "f", "o", "2", "m", "p", "m", "g", "m", "d", "m", "t", "m", "f")
    assert kept == [
        {"sort": Sort.SUIT},
        {"two_colours": True},
        {"pace_ms": 500},
        {"auto_pass": True},
        {"bell": True},
        {"dim": False},
        {"lang": Lang.ZH},
        {"two_colours": False},
    ]


async def test_the_table_begins_as_it_was_liked() -> None:
    liked = Preferences(sort=Sort.COMBO, two_colours=True, lang=Lang.ZH, pace_ms=300)
    async with seated(Parlour(pair_of_nines().match), preferences=liked) as lounge:
        text = lounge.text()
        assert "理牌：牌型" in text
        await lounge.press("o")
        assert "0.3秒一手 *" in lounge.text()


async def test_what_cannot_be_kept_is_said_and_holds_for_now() -> None:
    def fail(_: object) -> None:
        raise OSError(28, "No space left on device")

    async with seated(Parlour(pair_of_nines().match), keep=fail) as lounge:
        await lounge.press("s")
        text = lounge.text()
        assert "could not be kept for the next time: No space left on device" in text
        assert "Sort: suit" in text
