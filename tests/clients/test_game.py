"""What is told, in which order, and how a session ends."""

import asyncio

import pytest
from attrs import evolve

from guandan_cli.exits import Exit, Failure
from guandan_engine.commands import StartHand
from guandan_engine.machine import step
from guandan_engine.options import Rules, rules
from guandan_engine.seats import Seat
from guandan_engine.state import new_match
from guandan_engine.views import Dealt, asked
from guandan_protocol import messages as m
from guandan_protocol.client import Lost, Notice
from guandan_protocol.messages import Control, Proposal, Stage
from tests.clients.parlour import WAIT_S, Evening, Parlour
from tests.clients.scenes import SEATS_TAKEN
from tests.engine.table import Table

HAND = "1: S9 H9 C9 SK DK X H2"


def leading() -> Parlour:
    return Parlour(Table.deal(HAND, "2: S4 …").match)


async def heard(parlour: Parlour) -> Exit:
    async with asyncio.timeout(WAIT_S):
        return await parlour.game().listen()


# Arriving


async def test_an_arrival_tells_the_table_and_what_is_wanted() -> None:
    async with Evening(leading()) as evening:
        said = evening.parlour.console.taken()
    assert said[0] == "seated at 1"
    assert said[1] == "Hand 2 · playing 2 (our level) · us 2, them 2"
    assert said[6].startswith("Still out: big jokers 2")
    assert said[7].startswith("Your hand (7)")
    assert said[-1] == "Your lead. Type cards; h gives hints."
    assert evening.parlour.console.prompts == 1


async def test_whoever_arrives_while_others_play_sees_the_table_and_their_hand() -> None:
    parlour = Parlour(Table.deal(HAND, "2: S4 …", leader=2).match)
    async with Evening(parlour):
        said = parlour.console.taken()
    assert said[1].startswith("Hand 2 · playing 2")
    assert any(line.startswith("Your hand (7)") for line in said)
    assert parlour.console.prompts == 0


async def test_a_lobby_asks_to_start() -> None:
    async with Evening(Parlour()) as evening:
        said = evening.parlour.console.taken()
    assert said[1] == "Room K7QM2X"
    assert said[-1].startswith("Type start to deal")


# What happens


async def test_a_deal_shows_the_hand_even_if_others_lead() -> None:
    parlour = Parlour(stage=Stage.PLAYING)
    parlour.others_act = False
    async with Evening(parlour) as evening:
        parlour.console.taken()
        drawn = rules("site", {"first_lead": "drawn_card"})
        seed = next(seed for seed in range(99) if _opener(seed, drawn) != 1)
        parlour.match = new_match(drawn)
        parlour.do(StartHand(seed.to_bytes(32, "big")))
        await evening.quiet()
        said = parlour.console.taken()
    assert said[0] == "── Hand 1: playing 2 ──"
    assert said[1].startswith("Turned up: ")
    assert said[2].startswith("Your hand (27)")
    assert parlour.console.prompts == 0


def _opener(seed: int, table: Rules) -> int:
    match, _ = step(new_match(table), StartHand(seed.to_bytes(32, "big")))
    (opener,) = asked(match)
    return opener


async def test_what_is_wanted_is_said_once_a_turn() -> None:
    async with Evening(leading()) as evening:
        parlour = evening.parlour
        parlour.console.taken()
        parlour.change(watchers=1)
        parlour.change(watchers=2)
        await evening.quiet()
        assert parlour.console.taken() == []
        said = await evening.type("9")
        assert sum("Your lead." in line for line in said) == 1


async def test_whoever_lets_a_bot_play_is_not_asked() -> None:
    async with Evening(leading()) as evening:
        said = await evening.type("o")
        assert said == ["you: on autopilot (1 s a move); o turns yours off"]
        said = await evening.type("9")
        assert not any("Your lead" in line for line in said)
        said = await evening.type("o")
        assert said[0] == "you: plays in person"
        assert any("Your lead" in line for line in said)


async def test_the_other_s_choice_does_not_ask_again() -> None:
    table = Table.deal(
        "1: Y Y S3 C3 …", "3: S5 C5 …", "2: SA …", "4: SK …", level="4", finish=[1, 3, 2, 4]
    )
    parlour = Parlour(table.match)
    parlour.others_act = False
    async with Evening(parlour) as evening:
        parlour.console.taken()
        parlour.do(Table(parlour.match).command(3, "return S5"))
        await evening.quiet()
        assert parlour.console.taken() == ["3 李明: has chosen a card"]


async def test_the_last_play_of_a_hand_is_told_at_its_own_level() -> None:
    # The view after it speaks of level 5 already, where the wild is another card.
    table = Table.deal("1: S9 H2", "2: S3 D3", "3: S4", "4: C4 H4 …", level="2", out=[3])
    async with Evening(Parlour(table.match)) as evening:
        said = await evening.type("9 w")
    assert said[0] == "you: pair of 9s · ♠9 ♥2=♥9"
    assert said[1] == "you: no cards left, 2nd"
    assert "1st and 2nd: us +3 (double up). Levels: us 5, them 2" in said


async def test_a_match_that_is_won_asks_for_a_rematch() -> None:
    table = Table.deal("1: S9", "2: S3 D3", "3: S4", "4: C4 H4 …", level="A", out=[3])
    parlour = Parlour(table.match)
    async with Evening(parlour) as evening:
        said = await evening.type("9")
        assert "══ Match won: us ══" in said
        parlour.change(stage=Stage.MATCH_OVER)
        await evening.quiet()
        assert parlour.console.taken()[-1].startswith("The match is over: rematch")


async def test_a_proposal_is_asked_in_the_middle_of_a_hand() -> None:
    parlour = Parlour(Table.deal(HAND, "2: S4 …", leader=2).match)
    parlour.others_act = False
    async with Evening(parlour) as evening:
        parlour.console.taken()
        parlour.change(proposal=Proposal.NEW_GAME, consents=(Seat(3),))
        await evening.quiet()
        said = parlour.console.taken()
    assert said[0] == "Proposed: a new game from level 2."
    assert said[1] == "Proposed is a new game from level 2: yes or no?"


# The deal is checked


async def hand_end(parlour: Parlour) -> list[str]:
    said = []
    async with Evening(parlour) as evening:
        said += await evening.type("start")
        while evening.game.scene.is_live:
            said += await evening.type("!" if evening.game.scene.is_asked else "table")
        said += await evening.type("next")
        while evening.game.scene.is_live:
            said += await evening.type("!" if evening.game.scene.is_asked else "table")
    return [line for line in said if "seed that was committed to" in line]


async def test_a_deal_is_checked_with_our_own_nonce_in_it() -> None:
    honest = "Deal checked: the cards came from the seed that was committed to."
    assert await hand_end(Parlour()) == [honest, honest]


class Cheat(Parlour):
    """Publishes a commitment to another seed."""

    def tell(self, notice: Notice | None) -> None:
        if isinstance(notice, m.Update):
            events = tuple(
                evolve(event, commitment=bytes(32)) if isinstance(event, Dealt) else event
                for event in notice.events
            )
            notice = evolve(notice, events=events)
        super().tell(notice)


async def test_a_false_deal_is_found_out() -> None:
    false = "WARNING: this hand was not dealt from the seed that was committed to."
    assert await hand_end(Cheat()) == [false, false]


class Deaf(Parlour):
    """Leaves our nonce out."""

    def _dealt(self, nonce: bytes) -> tuple[object, ...]:
        return super()._dealt(b"")


async def test_a_nonce_that_is_left_out_is_found_out() -> None:
    said = await hand_end(Deaf())
    assert [line.startswith("WARNING") for line in said] == [False, True]


# The connection


async def test_a_cut_is_said_once_and_so_is_the_return() -> None:
    async with Evening(leading()) as evening:
        parlour = evening.parlour
        parlour.console.taken()
        for _ in range(3):
            parlour.tell(Lost("closed with 1006", 500))
        await evening.quiet()
        assert parlour.console.taken() == ["Connection lost; trying again…"]
        parlour.welcome()
        await evening.quiet()
        assert parlour.console.taken() == ["Connected again.", "seated at 1"]


async def test_what_was_missed_is_shown() -> None:
    async with Evening(leading()) as evening:
        parlour = evening.parlour
        parlour.tell(Lost("closed with 1006", 500))
        parlour.match = Table.deal("1: S9 H9", level="K").match
        parlour.seq = 40
        parlour.welcome()
        await evening.quiet()
        said = parlour.console.taken()
        assert "Hand 2 · playing K (our level) · us K, them K" in said
        assert evening.game.scene.public.level == 11


async def test_a_rewound_table_is_said_to_be_one() -> None:
    async with Evening(leading()) as evening:
        parlour = evening.parlour
        parlour.tell(Lost("closed with 1006", 500))
        parlour.epoch = 2
        parlour.welcome()
        await evening.quiet()
        assert "The server had to go back a little; this is how the table stands." in (
            parlour.console.taken()
        )


async def test_moving_to_another_seat() -> None:
    async with Evening(Parlour()) as evening:
        parlour = evening.parlour
        parlour.console.taken()
        parlour.seat = Seat(3)
        parlour.change(host=Seat(3))
        await evening.quiet()
        assert parlour.console.taken() == ["The host is now you.", "seated at 3"]
        assert evening.game.scene.seat == 3


async def test_another_seat_is_a_new_view_of_the_table() -> None:
    async with Evening(Parlour()) as evening:
        parlour = evening.parlour
        parlour.console.taken()
        parlour.seat = Seat(3)
        parlour.welcome()
        await evening.quiet()
        said = parlour.console.taken()
        assert said[:2] == ["seated at 3", "Room K7QM2X"]
        assert evening.game.scene.seat == 3


# The end


@pytest.mark.parametrize(
    ("code", "text", "end", "says"),
    [
        ("no_such_room", "", Exit.NOT_FOUND, "there is no such room"),
        ("full", "", Exit.REFUSED, "all four seats are taken; you can watch"),
        ("replaced", "", Exit.REFUSED, "another connection has taken this seat"),
        ("left", "", Exit.REFUSED, "the seat was given up or taken away"),
        ("http_404", "not\x1b found", Exit.NO_CONNECTION,
         "No connection to ws://nowhere: not? found"),
    ],
)  # fmt: skip
async def test_a_session_that_ends_badly(code: str, text: str, end: Exit, says: str) -> None:
    parlour = Parlour()
    parlour.end(code, text)
    with pytest.raises(Failure) as failure:
        await heard(parlour)
    assert (failure.value.exit, failure.value.message) == (end, says)


@pytest.mark.parametrize(
    ("why", "end"),
    [
        ("[Errno 111] refused", Exit.NO_CONNECTION),
        ("busy: too many rooms", Exit.REFUSED),
    ],
)
async def test_no_first_welcome_is_no_game(why: str, end: Exit) -> None:
    parlour = Parlour()
    parlour.tell(Lost(why, 500))
    with pytest.raises(Failure) as failure:
        await heard(parlour)
    assert failure.value.exit is end


async def test_leaving_on_purpose_is_a_good_end() -> None:
    parlour = Parlour()
    game = parlour.game()
    game.is_leaving = True
    parlour.end("left")
    async with asyncio.timeout(WAIT_S):
        assert await game.listen() is Exit.OK
    assert game.over


async def test_after_the_end_nothing_waits() -> None:
    parlour = Parlour()
    game = parlour.game()
    parlour.end("room_gone")
    with pytest.raises(Failure):
        await game.listen()
    async with asyncio.timeout(WAIT_S):
        await game.opened()
        await game.until(lambda: False)
        assert not await game.act(m.Start(0))


async def test_a_seat_that_is_out_will_not_be_asked() -> None:
    table = Table.deal("1: SA", "2: S3 D3", "3: S4 D4 …", "4: C4 H4 …", level="2").play(1, "SA")
    parlour = Parlour(table.match)
    parlour.others_act = False
    async with Evening(parlour) as evening:
        assert not evening.game.will_be_asked
    ready = (evolve(SEATS_TAKEN[0], ready=True), *SEATS_TAKEN[1:])
    async with Evening(Parlour(seats=ready)) as evening:
        assert evening.game.will_be_asked
    async with Evening(Parlour(table.match, stage=Stage.PAUSED)) as evening:
        assert not evening.game.will_be_asked
    away = (evolve(SEATS_TAKEN[0], control=Control.STAND_IN), *SEATS_TAKEN[1:])
    async with Evening(Parlour(Table.deal(HAND).match, seats=away)) as evening:
        assert evening.game.scene.is_asked
        assert not evening.game.scene.plays_in_person
