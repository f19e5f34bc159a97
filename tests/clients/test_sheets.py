"""What is looked up."""

from typing import Any

import pytest
from rich.cells import cell_len

from guandan_cli import sheets
from guandan_engine.cards import Rank
from guandan_engine.notation import parse_card, parse_cards, parse_reading
from guandan_engine.options import OPTIONS, PRESETS, options_of
from guandan_engine.seats import Seat, Team
from guandan_engine.views import HandSummary
from guandan_protocol.messages import Hint, Hints, Previewed, ReadingInfo, Settings
from tests.clients.scenes import EN, ZH, scene
from tests.engine.table import Table, gifts

ONE, TWO, THREE, FOUR = map(Seat, (1, 2, 3, 4))


def hand(number: int, **changes: Any) -> HandSummary:
    fields: dict[str, Any] = {
        "number": number,
        "level": Rank.TWO,
        "owner": None,
        "finish": (ONE, THREE, TWO, FOUR),
        "gain": 3,
        "levels": {Team.ODD: Rank.FIVE, Team.EVEN: Rank.TWO},
        "resisted": (),
        "gifts": (),
        "returns": (),
        "match_won": False,
    }
    return HandSummary(**(fields | changes))


RECORD = [
    hand(1),
    hand(
        2,
        level=Rank.FIVE,
        owner=Team.ODD,
        finish=(TWO, ONE, FOUR, THREE),
        gain=2,
        levels={Team.ODD: Rank.FIVE, Team.EVEN: Rank.FOUR},
        gifts=gifts("2→1 X,4→3 SA"),
        returns=gifts("1→2 S3,3→4 DT"),
    ),
    hand(
        3,
        level=Rank.ACE,
        owner=Team.EVEN,
        finish=(TWO, FOUR, ONE, THREE),
        levels={Team.ODD: Rank.FIVE, Team.EVEN: Rank.ACE},
        resisted=(THREE,),
        match_won=True,
    ),
]


def test_the_record() -> None:
    exchange = "2→you small joker, 4→3 ♠A, you→2 ♠3, 3→4 ♦10"
    assert sheets.record(scene(Table.deal(), record=RECORD), EN) == [
        "  Hand  Level     1st  2nd  3rd  last  Gain            us  them  Tribute",
        "  1     2         you  3    2    4     us +3           5   2",
        "  2     5 (us)    2    you  4    3     them +2         5   4     " + exchange,
        "  3     A (them)  2    4    you  3     them +3, match  5   A     resisted by 3 李明",
    ]


def test_the_record_in_chinese_is_in_columns_too() -> None:
    lines = sheets.record(scene(Table.deal(), record=RECORD[:1]), ZH)
    assert lines == [
        "  局  打  头游  二游  三游  末游  升级     我方  对方  贡牌",
        "  1   2   你    3     2     4     我方 +3  5     2",
    ]
    before = [line[: line.index(cell)] for line, cell in zip(lines, ("升级", "我方"), strict=True)]
    assert len({cell_len(text) for text in before}) == 1


def test_every_match_of_a_session_has_its_heading() -> None:
    lines = sheets.record(scene(Table.deal(), record=[*RECORD, hand(1), hand(1), hand(2)]), EN)
    assert [line.split()[0] for line in lines] == [
        "Hand", "Match", "1", "2", "3", "Match", "1", "Match", "1", "2",
    ]  # fmt: skip
    assert [line for line in lines if "Match" in line] == ["Match 1", "Match 2", "Match 3"]


def test_an_empty_record() -> None:
    assert sheets.record(scene(Table.deal()), EN) == ["No hand has been finished yet."]


def test_a_watcher_s_record_names_the_teams_by_seats() -> None:
    lines = sheets.record(scene(Table.deal(), seat=None, record=RECORD[:1]), EN)
    assert lines[1].split() == ["1", "2", "1", "3", "2", "4", "1+3", "+3", "5", "2"]


# What is still out


def test_tallies_leave_out_what_is_played_and_what_is_ours() -> None:
    table = Table.deal("1: X H7 S7 S3 …", "2: Y …", level="7", leader=2).play(2, "Y")
    assert sheets.tallies(scene(table), EN) == [
        "Still out: big jokers 1, small jokers 1, wilds 1, level cards 5"
    ]
    assert sheets.tallies(scene(table, seat=None), EN) == [
        "Still out: big jokers 1, small jokers 2, wilds 2, level cards 6"
    ]


def test_a_table_without_counter_tells_nothing() -> None:
    seen = scene(Table.deal(), settings=Settings(counter=False))
    assert sheets.tallies(seen, EN) == []
    assert sheets.counter(seen, EN) == ["This table plays without a card counter."]


def test_the_counter_counts_every_rank() -> None:
    # Seat 1's other 23 cards count as played.
    table = Table.deal("1: X H7 S7 S3", level="7")
    lines = sheets.counter(scene(table, seat=None), EN)
    assert lines[1] == "  Y   X   W   7   A   K   Q   J   10  9   8   6   5   4   3   2"
    counts = list(map(int, lines[2].split()))
    assert sum(counts) == 108 - 23
    own = list(map(int, sheets.counter(scene(table), EN)[2].split()))
    assert [a - b for a, b in zip(counts, own, strict=True)] == [
        0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0,
    ]  # fmt: skip


# Rules


@pytest.mark.parametrize("preset", PRESETS)
def test_rules_name_every_option_and_mark_none_of_the_preset(preset: str) -> None:
    options = options_of(PRESETS[preset])
    lines = sheets.rules(scene(Table.deal(), preset=preset, options=options), EN)
    assert len(lines) == 1 + len(OPTIONS) + 1
    assert lines[-1].startswith("Settings: no clock, ")
    assert not any(" * " in line for line in lines[1:])
    assert all(len(line.split(maxsplit=1)) == 2 for line in lines[1:])


def test_rules_mark_what_differs() -> None:
    options = {**options_of(PRESETS["house"]), "a_max_misses": None}
    lines = sheets.rules(scene(Table.deal(), preset="house", options=options), EN)
    assert [line.split()[0] for line in lines[1:] if " * " in line] == ["a_max_misses=none"]


# Answers


def test_readings_are_numbered_and_say_what_the_wild_is() -> None:
    infos = (
        ReadingInfo(parse_reading("full_house-K"), beats=True, shown_as=(parse_card("HK"),)),
        ReadingInfo(parse_reading("full_house-9"), beats=False, shown_as=(parse_card("H9"),)),
        ReadingInfo(parse_reading("pair-A"), beats=True, shown_as=()),
    )
    assert sheets.readings(Previewed(1, infos, ""), EN) == [
        "  1. full house of Ks, the wild as ♥K",
        "  2. pair of As",
    ]


def test_hints_are_numbered_and_the_best_is_marked() -> None:
    hints = tuple(
        [Hint(parse_cards(""), None, "nothing_beats")]
        + [Hint(parse_cards("S9 D9"), parse_reading("pair-9"), "keeps_groups")] * 9
        + [Hint(parse_cards("S3"), None, "brand_new_reason")]
    )
    lines = sheets.hints(Hints(1, 7, hints, best=1), scene(Table.deal()), EN)
    assert lines[0] == "   1. pass — none of your cards beat the table"
    assert lines[1] == (
        "*  2. pair of 9s · ♠9 ♦9 — beats the table and breaks none of your combinations"
    )
    assert lines[10] == "  11. ♠3 — brand_new_reason"


def test_no_hints() -> None:
    assert sheets.hints(Hints(1, 7, (), best=-1), scene(Table.deal()), EN) == [
        "There is nothing to suggest."
    ]
    assert sheets.hint(Hint(parse_cards("S3"), None, ""), scene(Table.deal()), EN) == "♠3"
