"""A match as text: there and back, replayed to the same states, and found out when it lies."""

from __future__ import annotations

import re
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from guandan_engine.commands import Pass, Pay, Play, StartHand, TimeOut
from guandan_engine.errors import IllegalCommand, NotationError
from guandan_engine.events import HandStarted
from guandan_engine.machine import step
from guandan_engine.notation import parse_cards, parse_reading
from guandan_engine.options import OPTIONS, PRESETS, rules
from guandan_engine.record import (
    VERSION,
    Record,
    normal,
    opening_of,
    read,
    replay,
    value_text,
    verify,
    write,
)
from guandan_engine.seats import Seat
from guandan_engine.state import new_match
from tests.engine.goldens import FOLDER
from tests.engine.table import SEED
from tests.engine.walks import Step, walk, walks


def record_of(taken: tuple[Step, ...], **given: Any) -> Record:
    commands = tuple(one.command for one in taken)
    return Record(rules=taken[0].before.rules, commands=commands, **given)


records = st.builds(
    lambda taken, end, names, preset: record_of(taken[:end], names=names, preset=preset),
    st.sampled_from(walks()),
    st.integers(1, 400),
    st.tuples(*[st.sampled_from(["", "Ann", "Bo B", "李雷", "# 3", "= pass"])] * 4),
    st.sampled_from(sorted(PRESETS)),
)

SHORT = record_of(tuple(walk(rules("nanjing", {"tribute_pick": "payer"}), 4, hands_max=3)))
TEXT = write(SHORT)


# There and back.


@given(records)
@settings(max_examples=30)
def test_a_record_to_text_and_back_to_the_same_states(record: Record) -> None:
    text = write(record)
    again = read(text)
    assert again == normal(record)
    assert write(again) == text
    assert list(replay(again)) == list(replay(record))
    assert verify(again) == []


@pytest.mark.parametrize("place", range(len(walks())))
def test_whole_walks(place: int) -> None:
    taken = walks()[place]
    record = read(write(record_of(taken)))
    for (match, events), one in zip(replay(record), taken, strict=True):
        assert (match, events) == (one.after, one.events)
    assert verify(record) == []


def test_readings_and_turns_are_filled_in() -> None:
    start = StartHand(SEED)
    match, _ = step(new_match(rules()), start)
    card = parse_cards("S2")
    assert card <= match.hands[0]
    said = Record(
        rules(), (start, Play(Seat(1), card, turn=1), TimeOut(Seat(2), 2), Pass(Seat(3), 3))
    )
    written = normal(said)
    assert written.commands == (
        start,
        Play(Seat(1), card, parse_reading("single-2")),
        TimeOut(Seat(2), 2),
        Pass(Seat(3)),
    )
    assert list(replay(written)) == list(replay(said))
    assert normal(written) == written


def test_what_was_published_stays_as_it_was() -> None:
    (match, events), *_ = replay(SHORT)
    (dealt,) = [event for event in events if isinstance(event, HandStarted)]
    published = evolve(opening_of(dealt), commitment=bytes(32))
    one_hand = Record(SHORT.rules, SHORT.commands[:1], openings=(published,))
    assert read(write(one_hand)).openings == (published,)
    assert match.deal.number == 1


def test_a_record_may_stop_at_any_moment() -> None:
    empty = Record(rules("house"), ())
    assert read(write(empty)) == empty
    assert verify(empty) == []
    assert list(replay(empty)) == []


# What it looks like.


def test_the_golden_record() -> None:
    text = (FOLDER / f"record-v{VERSION}.txt").read_text("utf-8")
    record = read(text)
    assert verify(record) == []
    assert record.names == ("Ann", "", "李雷 # 3", "Bo")
    body = "".join(line for line in text.splitlines(keepends=True)[3:])
    assert write(record) == body


def test_every_golden_record_is_read() -> None:
    for path in FOLDER.glob("record-v*.txt"):
        assert verify(read(path.read_text("utf-8"))) == []


def test_lines() -> None:
    for line in [
        f"guandan-record {VERSION}",
        "preset site",
        "option a_max_misses 2",
        "option full_house_joker_pair true",
        "hand 1 level 2",
    ]:
        assert line in TEXT.splitlines()
    for form in [
        r"seed [0-9a-f]{64}",
        r"commitment [0-9a-f]{64}",
        r"nonce [1-4] [0-9a-f]{32}",
        r"deal [1-4]( [SHCD2-9TJQKAXY]{1,2}){27}",
        r"pay [1-4] \w+",
        r"return [1-4] \w+",
        r"[1-4]( \w+)+ = [a-z_]+-\w+",
        r"[1-4] pass",
        r"clock [1-4]",
        r"# did: [1-4] pass",
        r"# trick to seat [1-4]",
        r"# places( [1-4]){4}: (13|24) gains [1-3]; 13 at \w, 24 at \w",
    ]:
        assert re.search(f"^{form}$", TEXT, re.MULTILINE), form


def test_comments_blanks_and_line_ends_do_not_matter() -> None:
    lines = TEXT.splitlines()
    loose = "\r\n".join(["", "# mine", *(f"  {line}  # said" for line in lines), "#", ""])
    assert read(loose) == read(TEXT)
    bare = "\n".join(line for line in lines if line and not line.startswith("#"))
    assert read(bare) == read(TEXT)


def test_a_name_may_hold_anything_in_one_line() -> None:
    names = ("# one", "two = 2", "name 3", "")
    assert read(write(evolve(SHORT, names=names))).names == names
    for name in ("two\nlines", " blank", "blank ", "two  blanks", "\x1b[2J", "a\u2028b"):
        with pytest.raises(NotationError, match="a name in one line"):
            write(evolve(SHORT, names=("", name, "", "")))


def test_a_preset_that_does_not_exist() -> None:
    with pytest.raises(NotationError, match="a preset: site, "):
        write(evolve(SHORT, preset="home"))


def test_what_the_rules_forbid_is_not_written() -> None:
    with pytest.raises(IllegalCommand):
        write(Record(rules(), (StartHand(SEED), Pass(Seat(1)))))


def test_options_are_words() -> None:
    for values in OPTIONS.values():
        words = [value_text(value) for value in values]
        assert len(set(words)) == len(words)
        assert all(len(word.split()) == 1 for word in words)
    assert [value_text(v) for v in (None, True, False, 3, "own")] == [
        "none",
        "true",
        "false",
        "3",
        "own",
    ]


# What is no record.


def place(line: str) -> int:
    """The number of the first line that begins like this, from 1."""
    return next(i for i, text in enumerate(TEXT.splitlines(), 1) if text.startswith(line))


def with_line(old: str, new: str) -> str:
    lines = TEXT.splitlines()
    lines[place(old) - 1] = new
    return "\n".join(lines)


FIRST_PLAY = next(line for line in TEXT.splitlines() if re.match(r"\d .* = ", line))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("guandan-record", "guandan-record 2", "expected guandan-record 1, got 'guandan-record 2'"),
        ("guandan-record", "", "expected guandan-record 1, got 'preset site'"),
        ("preset", "preset home", "expected a preset: site, tournament"),
        (
            "option advance_double",
            "option advance_double 5",
            "expected advance_double: 3, 4, got '5'",
        ),
        ("option advance_double", "option colour red", "expected option advance_double VALUE"),
        ("option advance_double", "", "expected option advance_double VALUE"),
        ("hand 1", "hand 2 level 2", "expected hand 1 level LEVEL"),
        ("hand 1", "hand 1 level X", "expected a level"),
        ("hand 1", "", "expected hand 1 level LEVEL, got 'seed "),
        ("seed", "seed 00", "expected 32 bytes in hex, got '00'"),
        ("seed", "seed " + "zz" * 32, "expected 32 bytes in hex"),
        ("commitment", "commitment", "expected commitment HEX"),
        ("nonce", "nonce 5 00", "expected deal 1 CARDS"),
        ("nonce", "nonce 1 " + "00" * 33, "1 to 32 bytes in hex"),
        ("deal 2", "deal 2", "expected deal 2 CARDS"),
        ("deal 2", "deal 2 S5 S5 S5", "at most two of each face"),
        ("deal 2", "deal 3 S5", "expected deal 2 CARDS"),
        ("pay", "pay 5 SA", "expected a seat, 1..4, got '5'"),
        ("pay", "pay 4 SA SK", "expected pay SEAT CARD"),
        ("pay", "pay 4 S1", "expected a card"),
        ("return", "return 4", "expected return SEAT CARD"),
        ("clock", "clock 0", "expected a seat"),
        (FIRST_PLAY, "1 pass now", "expected SEAT pass"),
        (FIRST_PLAY, "5 pass", "expected a seat"),
        (FIRST_PLAY, "1 S5", "expected SEAT CARDS = READING"),
        (FIRST_PLAY, "1 = single-5", "expected SEAT CARDS = READING"),
        (FIRST_PLAY, "1 S5 = ", "expected SEAT CARDS = READING"),
        (FIRST_PLAY, "1 S5 = single-5 = single-5", "expected a card"),
        (FIRST_PLAY, "1 S5 = single", "expected a reading"),
        (FIRST_PLAY, "sing", "expected SEAT CARDS = READING"),
        ("end", "", "expected end, after the last command"),
        ("end", "end\nend", "expected nothing after the end, got 'end'"),
    ],
)
def test_what_is_no_record_names_its_line(old: str, new: str, says: str) -> None:
    with pytest.raises(NotationError) as error:
        read(with_line(old, new))
    assert says in str(error.value)
    assert str(error.value).startswith(f"line {error.value.line}: ")
    at = place(old)
    assert error.value.line is not None
    assert (
        error.value.line == at or (not new.strip() and error.value.line >= at - 1) or old == "end"
    )


@given(st.data())
@settings(max_examples=200)
def test_damage_is_refused_found_or_harmless(data: st.DataObject) -> None:
    """A character is changed: no record, or one that is verified to lie, or the same match."""
    at = data.draw(st.integers(0, len(TEXT) - 1))
    damaged = (
        TEXT[:at] + data.draw(st.sampled_from("0123456789SHCDXYTJQKA=# \nabpe")) + TEXT[at + 1 :]
    )
    try:
        record = read(damaged)
    except NotationError as error:
        assert error.line is not None  # noqa: PT017  it may also still be a record
        return
    if not verify(record):
        # What play does not depend on may differ: rules of other moments, nobody's name.
        assert [type(command) for command in record.commands] == [
            type(command) for command in normal(SHORT).commands
        ]


@given(st.text(max_size=200))
def test_any_text(text: str) -> None:
    with pytest.raises(NotationError):
        read(text)


# Verifying.


def flipped(text: str, line: str, bit: int) -> str:
    """The text with one bit of the hex number on the first line that begins so turned over."""

    def turn(match: re.Match[str]) -> str:
        size = len(match[2])
        return f"{match[1]}{int(match[2], 16) ^ 1 << bit:0{size}x}"

    return re.sub(rf"^({line} )([0-9a-f]+)$", turn, text, count=1, flags=re.MULTILINE)


@given(st.integers(0, 255))
@settings(max_examples=20)
def test_a_flipped_bit_of_the_seed_is_found(bit: int) -> None:
    problems = verify(read(flipped(TEXT, "seed", bit)))
    assert "hand 1: the seed is not the one that was committed to" in problems
    assert "hand 1: the deal does not follow from seed and nonces" in problems


def test_a_flipped_bit_of_the_commitment_is_found() -> None:
    problems = verify(read(flipped(TEXT, "commitment", 3)))
    assert problems == ["hand 1: the seed is not the one that was committed to"]


def test_a_changed_nonce_is_found() -> None:
    problems = verify(read(flipped(TEXT, "nonce [1-4]", 0)))
    assert problems[-1] == "hand 1: the deal does not follow from seed and nonces"
    assert "hand 1: the seed is not the one that was committed to" not in problems


def test_cards_dealt_otherwise_are_found() -> None:
    lines = TEXT.splitlines()
    one, two = place("deal 1") - 1, place("deal 2") - 1
    lines[one], lines[two] = (
        lines[two].replace("deal 2", "deal 1"),
        lines[one].replace("deal 1", "deal 2"),
    )
    assert verify(read("\n".join(lines))) == [
        "hand 1: the deal does not follow from seed and nonces"
    ]


def test_another_level_is_found() -> None:
    (level,) = re.findall(r"^hand 2 level (.)$", TEXT, re.MULTILINE)
    assert verify(read(with_line("hand 2", "hand 2 level A"))) == [
        f"hand 2: played at level {level}, said to be A"
    ]


def test_a_command_that_is_not_legal_is_found_and_later_hands_are_still_checked() -> None:
    lines = TEXT.splitlines()
    at = next(i for i, line in enumerate(lines) if re.match(r"\d pass", line))
    del lines[at]
    text = flipped("\n".join(lines[::-1]), "commitment", 0).splitlines()[::-1]
    illegal, *others = verify(read("\n".join(text)))
    assert re.fullmatch(r"hand 1: command \d+, \w+ of seat \d: not_your_turn: .*", illegal)
    assert others == ["hand 3: the seed is not the one that was committed to"]


def test_a_hand_without_an_opening_is_a_problem() -> None:
    assert verify(SHORT) == ["3 hands, but openings of 0"]
    assert verify(normal(SHORT)) == []


def test_seeds_of_another_length_are_a_problem() -> None:
    opening = normal(SHORT).openings[0]
    wrong = Record(rules(), (StartHand(b"short"),), openings=(opening,))
    assert verify(wrong) == [
        "hand 0: command 1, StartHand: a seed has 32 bytes, got 5",
        "hand 1: the seed is not the one that was committed to",
        "hand 1: a seed has 32 bytes, got 5",
    ]


def test_an_unfair_tribute_is_found() -> None:
    at = next(i for i, c in enumerate(SHORT.commands) if isinstance(c, Pay))
    pay = SHORT.commands[at]
    assert isinstance(pay, Pay)
    commands = [*normal(SHORT).commands]
    two = next(iter(parse_cards("S2")))
    commands[at] = Pay(pay.seat, two)
    problems = verify(evolve(normal(SHORT), commands=tuple(commands)))
    assert len(problems) == 1
    assert re.match(rf"hand [23]: command {at + 1}, Pay of seat {pay.seat}: ", problems[0])
