"""A look back at our own play from the plain table."""

from __future__ import annotations

import pytest

from guandan_cli.words import Words
from guandan_protocol import messages as m
from guandan_protocol.messages import Code, Stage
from tests.clients.judgements import Answer, decision, hands, no, reviewed
from tests.clients.parlour import Evening, Parlour
from tests.clients.scenes import EN, ZH
from tests.clients.tui.screens import over, pair_of_nines

HOUR_MS = 3_600_000


def won(*answers: Answer, seat: int | None = 1, is_person: bool = True) -> Parlour:
    """A match of three hands that is over."""
    parlour = Parlour(over("A").match, stage=Stage.MATCH_OVER)
    parlour.seat = parlour.seat if seat else None
    parlour.reviews = list(answers)
    parlour.record = hands("2", "5", "A")
    parlour.console.is_person = is_person
    return parlour


def asked(evening: Evening) -> list[int]:
    return [one.hand for one in evening.parlour.asked if isinstance(one, m.AskReview)]


@pytest.mark.parametrize(
    ("words", "line", "first", "second", "third"),
    [
        (
            *(EN, "review", "Going through hand 1 of 3 …"),
            "2 decisions in 3 hands looked at, 0% as expert, who surely does better in 1.",
            "1.    hand 1, 14 left, on pair of 8s, your pair of 9s · ♠9 ♥9: expert passes; ",
        ),
        (
            *(ZH, "点评", "正在看第1局，共3局……"),
            "看了3局里的2次选择，0%与高手相同；有1次高手确实打得更好。",
            "1.    第1局，剩14张，面对对8，你出对9 · ♠9 ♥9：高手不出；",
        ),
    ],
)
async def test_it_says_the_same_as_the_full_screen(
    words: Words, line: str, first: str, second: str, third: str
) -> None:
    answers = [reviewed(decision(300), decision(900, sure=False)), reviewed(), reviewed()]
    async with Evening(won(*answers), words) as evening:
        said = await evening.type(line)
        assert [said[0], said[1], said[2]] == [first, second, ""]
        assert said[3].startswith(third)
        assert asked(evening) == [1, 2, 3]
        assert evening.parlour.console.prompts > 1


async def test_a_person_can_do_other_things_while_it_is_worked_out() -> None:
    async with Evening(won(reviewed(), no(Code.BUSY, HOUR_MS))) as evening:
        said = await evening.type("v")
        assert said == [
            "Going through hand 1 of 3 …",
            "The server has other things to do; hand 2 of 3 is next.",
        ]
        await evening.type("rematch")
        assert isinstance(evening.action, m.Propose)
        assert await evening.type("v") == [
            "The server has other things to do; hand 2 of 3 is next."
        ]


async def test_a_script_goes_on_when_it_is_there() -> None:
    async with Evening(won(*[reviewed()] * 3, is_person=False)) as evening:
        await evening.player.obey("review")
        assert evening.parlour.console.printed[-1] == (
            "3 hands looked at; there was nothing to choose in them."
        )


async def test_what_was_found_can_be_read_in_the_next_match() -> None:
    parlour = won(reviewed(decision(300)), no(Code.NOT_NOW))
    parlour.others_act = False
    async with Evening(parlour) as evening:
        assert "A match can only be reviewed until the next one begins." in (
            await evening.type("review")
        )
        parlour.match = pair_of_nines().match
        parlour.change(stage=Stage.PLAYING, match=2)
        await evening.quiet()
        said = await evening.type("review")
        assert any(line.startswith("1.    hand 1, 14 left") for line in said)
        assert asked(evening) == [1, 2]


async def test_there_is_none_before_a_match_is_over_and_none_for_watchers() -> None:
    async with Evening(Parlour(pair_of_nines().match)) as evening:
        assert await evening.type("review") == [
            "A match can only be reviewed until the next one begins."
        ]
    async with Evening(won(seat=None)) as evening:
        assert await evening.type("review") == [
            "Only who has a seat at the table can ask for a review."
        ]
        assert asked(evening) == []
