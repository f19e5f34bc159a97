"""A look back at our own play: who is asked for what, and what is told of it."""

from __future__ import annotations

from typing import Any

import pytest

from guandan_cli.words import Words
from guandan_protocol import messages as m
from guandan_protocol.messages import Code, Proposal, Stage
from tests.clients.judgements import Answer, costly_lead, decision, hands, hint, no, reviewed
from tests.clients.parlour import Parlour
from tests.clients.scenes import EN, ZH
from tests.clients.tui.lounge import NARROW, Lounge, seated
from tests.clients.tui.screens import over, pair_of_nines

HOUR_MS = 3_600_000


def won(*answers: Answer, **room: Any) -> Parlour:
    """A match of three hands that is over."""
    parlour = Parlour(over("A").match, stage=Stage.MATCH_OVER, **room)
    parlour.reviews = list(answers)
    parlour.record = hands("2", "5", "A")
    return parlour


def asked(lounge: Lounge) -> list[int]:
    return [one.hand for one in lounge.parlour.asked if isinstance(one, m.AskReview)]


def told(lounge: Lounge) -> str:
    """What stands in the frame, without its folds."""
    rows = [row[row.find("|") + 1 : row.rfind("|")] for row in lounge.screen() if "|" in row]
    return " ".join(" ".join(rows).split())


async def test_what_cost_most_comes_first_and_what_is_not_sure_not_at_all() -> None:
    first = reviewed(decision(300), decision(900, sure=False))
    second = reviewed(costly_lead(1240), decision(-500), left_out=2)
    async with seated(won(first, second, reviewed())) as lounge:
        assert "[v] Review my play" in lounge.text()
        await lounge.press("v")
        assert asked(lounge) == [1, 2, 3]
        text = told(lounge)
        assert (
            "4 decisions in 3 hands looked at, 0% as expert, who surely does better in 2." in text
        )
        assert "Decisions there was no time for: 2." in text
        best = text.index("1. hand 2, 2 left, leading, your pair of 9s, ♠9 ♥9: expert plays ♥5;")
        next_ = text.index("2. hand 1, 14 left, on pair of 8s, your pair of 9s, ♠9 ♥9: expert pass")
        assert best < next_
        assert "worth about 1.2 +/- 0.2 levels (350 worlds); these are your last cards" in text
        assert "0.9" not in text
        assert "All decisions together gave away 1.9 +/- 0.4 levels." in text


async def test_a_wild_is_one_at_the_level_of_its_hand() -> None:
    spade = decision(800, best=costly_lead(1).best, played=costly_lead(1).best)
    parlour = won(reviewed(spade), reviewed(), reviewed())
    parlour.record = hands("5", "A", "A")
    async with seated(parlour) as lounge:
        await lounge.press("v")
        assert "expert plays ♥5" in told(lounge)


async def test_it_tells_how_far_it_is_and_goes_on_where_it_stopped() -> None:
    async with seated(won(reviewed(decision(300)), no(Code.BUSY, HOUR_MS))) as lounge:
        await lounge.press("v")
        assert asked(lounge) == [1, 2]
        text = told(lounge)
        assert text.startswith("The server has other things to do; hand 2 of 3 is next.")
        assert "To tell of so far: 1" in text
        await lounge.press("escape")
        assert "The server has other things" not in lounge.text()
        assert asked(lounge) == [1, 2]
        lounge.parlour.reviews = [reviewed(), reviewed()]
        await lounge.press("v")  # and does not wait out the hour
        assert asked(lounge) == [1, 2, 2, 3]
        assert "who surely does better in 1." in told(lounge)
        await lounge.press("escape", "v")
        assert asked(lounge) == [1, 2, 2, 3]


async def test_a_busy_server_is_asked_again_when_it_says() -> None:
    answers = [no(Code.BUSY, 1), no(Code.STORAGE_UNAVAILABLE, 0), *[reviewed()] * 3]
    async with seated(won(*answers)) as lounge:
        await lounge.press("v")
        await lounge.until(lambda: asked(lounge) == [1, 1, 1, 2, 3])
        await lounge.quiet()
        assert told(lounge) == "3 hands looked at; there was nothing to choose in them."


async def test_a_hand_is_asked_for_once_however_often_it_is_opened() -> None:
    async with seated(won()) as lounge:
        await lounge.press("v", "escape", "v", "escape", "v")
        assert asked(lounge) == [1]
        assert told(lounge) == "Going through hand 1 of 3 ..."


async def test_who_played_well_is_told_so() -> None:
    quiet = reviewed(decision(700, sure=False), decision(-900))
    async with seated(won(quiet, quiet, quiet)) as lounge:
        await lounge.press("v")
        assert "who surely does better in none of them: well played." in told(lounge)
        assert "gave away" not in told(lounge)


async def test_it_begins_with_the_share_of_decisions_that_were_as_expert_plays() -> None:
    nines = hint("S9 H9", "pair-9")
    same = decision(0, sure=False, best=nines)
    suits = decision(100, sure=False, best=hint("C9 D9", "pair-9"))
    flush = decision(400, best=hint("C9 D9", "pair-9"))
    passed = decision(0, sure=False, played=hint(), best=hint())
    async with seated(won(reviewed(same, suits), reviewed(flush, passed), reviewed())) as lounge:
        await lounge.press("v")
        text = told(lounge)
        assert text.startswith("4 decisions in 3 hands looked at, 75% as expert, who surely does ")


async def test_a_hand_that_cannot_be_reviewed_is_named_and_the_others_are_shown() -> None:
    answers = [reviewed(decision(800)), no(Code.INTERNAL), reviewed(decision(400))]
    async with seated(won(*answers)) as lounge:
        await lounge.press("v")
        assert "Not reviewed, because of a fault of the server: hand 2." in told(lounge)
        assert "in 2 hands looked at, 0% as expert, who surely does better in 2." in told(lounge)


@pytest.mark.parametrize("words", [EN, ZH], ids=["en", "zh"])
async def test_every_refusal_is_a_sentence(words: Words) -> None:
    said = set()
    codes = [Code.BUSY, Code.FORBIDDEN, Code.NOT_SEATED, Code.NOT_NOW, Code.NO_SUCH_RECORD]
    for code in codes:
        async with seated(won(reviewed(decision(800)), no(code)), words=words) as lounge:
            await lounge.press("v")
            text = told(lounge)
            assert code.value not in text
            assert (
                "Not reviewed: hands 2 to 3." if words is EN else "没有点评：第2到第3局。"
            ) in text
            assert "♠9 ♥9" in text
            first = text.split("Not reviewed" if words is EN else "没有点评")[0].strip()
            assert first.endswith("." if words is EN else "。")
            said.add(first)
    assert len(said) == len(codes)


async def test_a_code_of_a_newer_server_stands_with_its_words() -> None:
    async with seated(won(no("tired"))) as lounge:
        await lounge.press("v")
        assert told(lounge) == "in the server's words"


async def test_a_proposal_is_answered_without_closing_it() -> None:
    async with seated(won(reviewed(), proposal=Proposal.REMATCH)) as lounge:
        await lounge.press("v")
        assert "Proposed: a rematch. + agrees, - refuses" in told(lounge)
        await lounge.press("+")
        assert lounge.action == m.Consent(0, agree=True)
        await lounge.press("-")
        assert lounge.action == m.Consent(0, agree=False)
        assert "Going through hand 2 of 3" in told(lounge)


async def test_the_next_match_closes_it_and_what_was_found_can_still_be_read() -> None:
    parlour = won(reviewed(decision(300)))
    parlour.others_act = False
    async with seated(parlour) as lounge:
        await lounge.press("v")
        assert "Going through hand 2 of 3" in told(lounge)
        parlour.match = pair_of_nines().match
        parlour.change(stage=Stage.PLAYING, match=2)
        await lounge.quiet()
        assert "Going through" not in lounge.text()
        assert "YOUR TURN" in lounge.text()
        await lounge.press("m", "y")
        text = told(lounge)
        assert "A match can only be reviewed until the next one begins." in text
        assert "on pair of 8s" in text
        assert asked(lounge) == [1, 2]


async def test_there_is_none_before_a_match_is_over_and_none_for_watchers() -> None:
    async with seated(Parlour(pair_of_nines().match)) as lounge:
        await lounge.press("v")
        await lounge.press("m")
        assert "Review" not in lounge.text()
        assert asked(lounge) == []
    watching = Parlour(over("A").match, seat=None, stage=Stage.MATCH_OVER)
    async with seated(watching) as lounge:
        await lounge.press("v")
        assert "Review" not in lounge.text()
        assert asked(lounge) == []


async def test_a_long_list_is_scrolled() -> None:
    many = reviewed(*[decision(1000 - i, command=i) for i in range(9)])
    async with seated(won(many, reviewed(), reviewed()), size=NARROW) as lounge:
        await lounge.press("v")
        assert "up and down: more" in lounge.text()
        assert "9. hand 1" not in told(lounge)
        await lounge.press(*["pagedown"] * 6)
        assert "9. hand 1" in told(lounge)
        assert "after +/- the standard error." in told(lounge)
        await lounge.press("escape")
        assert "Match won: us" in lounge.text()
