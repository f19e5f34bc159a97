"""Cards, passes, tribute and hints as they are typed."""

from typing import Any

import pytest

from guandan_engine.cards import Cards
from guandan_engine.notation import (
    cards_text,
    parse_card,
    parse_cards,
    parse_reading,
    reading_text,
)
from guandan_protocol import messages as m
from tests.clients.parlour import Evening, Parlour
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


# Cards


async def test_ranks_are_played() -> None:
    async with Evening(leading()) as evening:
        turn = evening.parlour.match.turn
        said = await evening.type("9 9")
        # not the nine of the straight flush
        assert evening.action == m.Play(0, parse_cards("H9 C9"), parse_reading("pair-9"), turn)
        assert said[0] == "you: pair of 9s · ♥9 ♣9 (10 left)"
        assert "2 Orchid: pass" in said


async def test_suits_are_played() -> None:
    async with Evening(leading()) as evening:
        await evening.type("h9c9")
        assert played(evening.action) == ("H9 C9", "pair-9")


@pytest.mark.parametrize(
    ("line", "cards", "reading"),
    [
        ("5 6 7 8 9", "S5 S6 S7 S8 H9", "straight-9"),
        ("s5 s6 s7 s8 s9", "S5 S6 S7 S8 S9", "straight_flush-9"),
        ("9 9 9 k k", "S9 H9 C9 SK DK", "full_house-9"),
        ("9 9 w k k", "H9 C9 H2 SK DK", "full_house-K"),
        ("w", "H2", "single-2"),
        ("9 9 9 w", "S9 H9 C9 H2", "bomb-4-9"),
        ("x", "X", "single-X"),
    ],
)
async def test_the_strongest_reading_is_taken(line: str, cards: str, reading: str) -> None:
    async with Evening(leading()) as evening:
        await evening.type(line)
        found, taken = played(evening.action)
        assert parse_cards(found) == parse_cards(cards)
        assert taken == reading


async def test_other_readings_are_named_afterwards() -> None:
    async with Evening(leading()) as evening:
        said = await evening.type("9 9 w k k")
        assert "Could also have been: full_house-9. Add it after =, or type readings on." in said


@pytest.mark.parametrize(
    ("line", "reading"),
    [
        ("9 9 w k k =full_house-9", "full_house-9"),
        ("9 9 w k k =2", "full_house-9"),
        ("s5 s6 s7 s8 w =straight", "straight-9"),
        ("s5 s6 s7 s8 w =straight-8", "straight-8"),
    ],
)
async def test_a_reading_can_be_chosen(line: str, reading: str) -> None:
    async with Evening(leading()) as evening:
        said = await evening.type(line)
        assert played(evening.action)[1] == reading
        assert not any("Could also" in line for line in said)


async def test_a_reading_that_there_is_not_is_refused() -> None:
    async with Evening(leading()) as evening:
        said = await evening.type("9 9 =triple-9")
        assert said == ["“triple-9” is none of the things that these cards can be played as."]
        assert evening.parlour.acted == []


async def test_whoever_wants_is_asked_as_what() -> None:
    async with Evening(leading()) as evening:
        await evening.type("readings on")
        said = await evening.type("9 9 w k k")
        assert said == [
            "As what? Type a number, 1 to 2.",
            "  1. full house of Ks, the wild as ♥K",
            "  2. full house of 9s, the wild as ♥9",
        ]
        assert evening.parlour.acted == []
        await evening.type("2")
        assert played(evening.action)[1] == "full_house-9"


async def test_a_table_that_wants_it_declared_always_asks() -> None:
    async with Evening(leading(ambiguous_play="declare")) as evening:
        assert (await evening.type("9 9 w k k"))[0] == "As what? Type a number, 1 to 2."
        await evening.type("1")
        assert played(evening.action)[1] == "full_house-K"


async def test_a_question_can_be_left() -> None:
    async with Evening(leading()) as evening:
        await evening.type("readings on")
        await evening.type("9 9 w k k")
        assert await evening.type("") == ["Never mind, then."]
        await evening.type("9 9 w k k")
        await evening.type("3")  # no number of an answer: a three
        assert played(evening.action) == ("D3", "single-3")


async def test_what_does_not_beat_is_said_and_not_sent() -> None:
    async with Evening(following()) as evening:
        said = await evening.type("3")
        assert said == ["♦3: single 3. That does not beat the table."]
        assert evening.parlour.acted == []


async def test_what_is_no_combination_is_said() -> None:
    async with Evening(leading()) as evening:
        assert await evening.type("9 k") == ["♠K ♥9: no combination."]


async def test_cards_can_be_named_before_their_turn() -> None:
    parlour = Parlour(Table.deal(HAND, "2: S4 …", leader=2).match)
    parlour.others_act = False
    async with Evening(parlour) as evening:
        assert await evening.type("9 9") == ["♥9 ♣9: pair of 9s. It is not your turn."]
        assert parlour.acted == []


async def test_cards_that_are_not_there_are_not_sent() -> None:
    async with Evening(leading()) as evening:
        assert await evening.type("k k k") == ["You hold 2 of K, not 3; w adds your wild."]
        assert await evening.type("y") == ["You hold 0 of big joker."]
        assert await evening.type("w w") == ["You hold 1 of ♥2, the wild."]
        assert evening.parlour.acted == []
        assert evening.parlour.asked == []


async def test_a_refusal_is_put_in_words() -> None:
    async with Evening(leading()) as evening:
        evening.parlour.refusal = m.Refused(1, "stale", "turn 3, got 2")
        assert await evening.type("9 9") == ["Not possible: that turn has passed."]
        evening.parlour.refusal = m.Refused(1, "brand_new", "a reason\x1b[2J of the server's")
        assert await evening.type("9 9") == ["Not possible: a reason?[2J of the server's."]


@pytest.mark.parametrize("line", ["p", "pass", "不出", "过"])
async def test_passing(line: str) -> None:
    async with Evening(following()) as evening:
        turn = evening.parlour.match.turn
        assert "you: pass" in await evening.type(line)
        assert evening.action == m.Pass(0, turn)


async def test_whoever_leads_cannot_pass() -> None:
    async with Evening(leading()) as evening:
        assert await evening.type("p") == ["Not possible: whoever leads must play."]


# Tribute


async def test_tribute_is_paid_by_typing_the_card() -> None:
    parlour = Parlour(Table.deal("1: S7 C7 …", level="7", finish=[2, 3, 4, 1],
                                 tribute_pick="payer").match)  # fmt: skip
    async with Evening(parlour) as evening:
        assert "You owe a tribute. Give one of: ♠7 ♣7" in parlour.console.taken()
        assert await evening.type("a") == ["No A may be given."]
        assert await evening.type("7 7") == ["One card is asked for."]
        said = await evening.type("c7")
        assert isinstance(evening.action, m.Pay)
        assert evening.action.card == parse_card("C7")
        assert "Tribute: you to 2 Orchid, ♣7" in said


async def test_a_return_is_given_by_typing_the_card() -> None:
    parlour = Parlour(Table.deal("1: S3 D8 CJ …", "4: SA …", level="4", finish=[1, 2, 3, 4]).match)
    async with Evening(parlour) as evening:
        assert await evening.type("cj") == ["♣J may not be given."]
        said = await evening.type("8")
        assert isinstance(evening.action, m.GiveBack)
        assert evening.action.card == parse_card("D8")
        assert "Return: you to 4 Plum, ♦8" in said


async def test_a_hint_for_a_return_can_be_followed() -> None:
    parlour = Parlour(Table.deal("1: S3 D8 CJ …", "4: SA …", level="4", finish=[1, 2, 3, 4]).match)
    async with Evening(parlour) as evening:
        said = await evening.type("h")
        assert said[0] == "   1. ♠2 — a card that your hand does not need"
        await evening.type("!1")
        assert evening.action == m.GiveBack(0, parse_card("S2"), 7)


# Hints


async def test_hints_are_listed_with_their_reasons() -> None:
    async with Evening(following()) as evening:
        said = await evening.type("h")
        assert said[0] == "  1. pass — what beats this is worth more later"
        assert said[1].startswith("  2. pair of 9s · ♥9 ♣9 — beats the table")
        assert said[-2].startswith("* 4. ")
        assert said[-1].startswith("! does the one marked *")


async def test_a_hint_is_selected_and_played() -> None:
    async with Evening(following()) as evening:
        said = await evening.type("h 2")
        assert said[0].startswith("pair of 9s · ♥9 ♣9 — ")
        assert evening.parlour.acted == []
        await evening.type("play")
        assert played(evening.action) == ("H9 C9", "pair-9")


async def test_the_best_one_is_played_at_once() -> None:
    async with Evening(following()) as evening:
        evening.parlour.hints = [
            m.Hint(Cards(), None, "saves_control"),
            m.Hint(parse_cards("SK DK"), parse_reading("pair-K"), "takes_lead"),
        ]
        await evening.type("!")
        assert played(evening.action) == ("SK DK", "pair-K")


async def test_any_of_them_is_played_at_once() -> None:
    async with Evening(following()) as evening:
        await evening.type("!1")
        assert isinstance(evening.action, m.Pass)


async def test_a_suggestion_selects_and_does_nothing() -> None:
    async with Evening(following()) as evening:
        said = await evening.type("g")
        assert said[0].endswith("Type play to do it.")
        assert evening.parlour.acted == []


async def test_an_old_selection_is_not_played() -> None:
    async with Evening(following()) as evening:
        assert await evening.type("play") == ["Nothing is selected in this turn; h N or g selects."]
        await evening.type("h 2")
        await evening.type("p")
        assert await evening.type("play") == ["Nothing is selected in this turn; h N or g selects."]


@pytest.mark.parametrize("line", ["h 9", "h x", "!9", "h 0"])
async def test_a_hint_that_there_is_not(line: str) -> None:
    async with Evening(following()) as evening:
        assert await evening.type(line) == ["There are 4 hints."]


async def test_there_may_be_nothing_to_suggest() -> None:
    async with Evening(following()) as evening:
        evening.parlour.hints = []
        for line in ("h", "g", "!"):
            assert await evening.type(line) == ["There is nothing to suggest."]


async def test_hints_wait_for_the_turn() -> None:
    parlour = Parlour(Table.deal(HAND, "2: S4 …", leader=2).match)
    parlour.others_act = False
    async with Evening(parlour) as evening:
        assert await evening.type("h") == ["Hints are there when it is your turn."]
        assert parlour.asked == []
