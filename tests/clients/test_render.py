"""What a scene looks like; the golden screens are written by `tests.clients.screens`."""

import pytest
from attrs import evolve
from rich.cells import cell_len

from guandan_cli import render
from guandan_engine.cards import NO_CARDS, Rank
from guandan_engine.notation import parse_cards
from guandan_engine.options import rules
from guandan_engine.seats import Seat
from guandan_engine.state import new_match
from guandan_protocol.messages import Control, Proposal, Stage
from tests.clients.scenes import ANN, EN, LI, SEATS_TAKEN, ZH, scene
from tests.clients.screens import FOLDER, LANGUAGES, scenes, written
from tests.engine.table import Table


@pytest.mark.parametrize("language", LANGUAGES)
def test_screens_are_as_they_were(language: str) -> None:
    golden = (FOLDER / f"screens-{language}.txt").read_text(encoding="utf-8")
    assert written(LANGUAGES[language]) == golden


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("title", [title for title, _ in scenes()])
def test_screens_fit_into_a_terminal(language: str, title: str) -> None:
    seen, words = dict(scenes())[title], LANGUAGES[language]
    # A question is a sentence, which a terminal wraps by itself; columns must not be wrapped.
    lines = [*render.table(seen, words), *render.hand(seen, words)]
    assert [line for line in lines if cell_len(line) > 80] == []


def test_columns_stand_from_high_to_low_under_the_keys_that_are_typed() -> None:
    cards = parse_cards("Y Y X H7 H7 S7 SA DA HT S2")
    assert render.columns(cards, Rank.SEVEN, EN) == [
        "  Y   X   W   7*  A   10  2",
        "  Y   X   ♥7  ♠7  ♠A  ♥10 ♠2",
        "  Y       ♥7      ♦A",
    ]


def test_a_level_that_is_ten_has_its_mark_too() -> None:
    cards = parse_cards("HT ST DT")
    assert render.columns(cards, Rank.TEN, EN)[0] == "  W   10*"


def test_a_hand_of_nothing_is_not_shown() -> None:
    empty = scene(Table.deal("1: ", "2: S3 …", "3: S4 …", "4: S5 …", out=[1], leader=2))
    assert render.hand(empty, EN) == []
    assert render.columns(NO_CARDS, Rank.TWO, EN) == [""]
    assert render.hand(scene(Table.deal(), seat=None), EN) == []


def test_the_legend_names_what_is_there() -> None:
    plain = scene(Table.deal("1: S3 S4", level="7"))
    assert render.hand(plain, EN)[0] == "Your hand (2)"
    rich = scene(Table.deal("1: H7 S7 X Y", level="7"))
    assert render.hand(rich, ZH)[0] == "手牌（4张） · W 逢人配♥7 · 7* 级牌 · Y 大王 · X 小王"


def test_at_ace_the_attempt_stands_beside_the_level() -> None:
    table = Table.deal(level="A", levels={"13": "A", "24": "K"}, misses={"13": 1, "24": 0},
                       a_max_misses=3)  # fmt: skip
    assert render.headline(scene(table), EN) == "Hand 2 · playing A (our level) · us A2/3, them K"


def test_before_the_first_hand_the_table_is_the_lobby() -> None:
    seen = scene(new_match(rules()), stage=Stage.LOBBY)
    assert render.table(seen, EN) == render.lobby(seen, EN)


def test_bots_say_their_level_in_the_lobby() -> None:
    seen = scene(new_match(rules()), stage=Stage.LOBBY)
    assert "  2 Orchid          [bot, basic]" in render.lobby(seen, EN)


def test_presence_and_readiness_stand_in_brackets() -> None:
    away = evolve(LI, online=False, later=True, control=Control.STAND_IN)
    over = Table.deal("1: SA", "2: S3 D3", "3: S4", "4: C4 H4 …", level="K")
    over.play(1, "SA").pass_(2).pass_(3).pass_(4).play(3, "S4")
    seats = (evolve(ANN, ready=True), SEATS_TAKEN[1], away, SEATS_TAKEN[3])
    lines = render.table(scene(over, seats=seats), EN)
    assert lines[2].endswith("[away, a bot stands in, plays on later]")
    assert lines[4].endswith("[ready]")


def test_wrong_settings_are_not_hidden() -> None:
    assert render.situation(scene(Table.deal()), EN) == (
        "rules: site · no clock · bots take 1 s · private"
    )


# What is wanted


def test_nobody_asks_a_watcher() -> None:
    assert render.ask(scene(new_match(rules()), seat=None, stage=Stage.LOBBY), EN) == []
    assert render.ask(scene(Table.deal(), seat=None), EN) == ["It is the turn of 1 Ann."]


def test_a_clock_is_told_in_whole_seconds() -> None:
    assert render.ask(scene(Table.deal(), clock_ms=1_600), EN)[0].endswith("[2 s]")
    assert render.ask(scene(Table.deal(), clock_ms=-30), EN)[0].endswith("[0 s]")


def test_whoever_is_ready_only_waits() -> None:
    over = Table.deal("1: SA", "2: S3 D3", "3: S4", "4: C4 H4 …", level="K")
    over.play(1, "SA").pass_(2).pass_(3).pass_(4).play(3, "S4")
    assert render.ask(scene(over), EN) == ["Type next for the next hand; record, later, help."]
    ready = (evolve(ANN, ready=True), *SEATS_TAKEN[1:])
    assert render.ask(scene(over, seats=ready), EN) == [
        "The next hand is dealt when all are ready."
    ]


def test_a_proposal_is_asked_of_whoever_has_not_answered() -> None:
    table = Table.deal("1: S3", leader=3)
    mine = scene(table, proposal=Proposal.NEW_GAME, consents=(Seat(3),))
    assert render.ask(mine, EN)[0] == "Proposed is a new game from level 2: yes or no?"
    theirs = scene(table, seat=3, proposal=Proposal.NEW_GAME, consents=(Seat(3),))
    assert render.ask(theirs, EN)[0].endswith("still to agree: 1 Ann.")


def test_between_tribute_and_lead_there_may_be_nothing_to_ask() -> None:
    assert render.ask(scene(new_match(rules()), stage=Stage.PLAYING), EN) == []
