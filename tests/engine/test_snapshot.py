"""A match to plain data and back, at every moment; and nothing else comes back."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guandan_engine.errors import SnapshotError
from guandan_engine.machine import step
from guandan_engine.options import rules
from guandan_engine.phases import HandOver, MatchOver, Paying, Returning
from guandan_engine.snapshot import VERSION, dump, load
from guandan_engine.state import Match, check, new_match
from tests.engine.goldens import FOLDER, from_json
from tests.engine.strategies import steps
from tests.engine.table import Table
from tests.engine.test_cases import places
from tests.engine.walks import last_states, moments, some_command, walks

Plain = Any


def packed(match: Match) -> bytes:
    return msgpack.packb(dump(match))


def unpacked(data: bytes) -> Plain:
    return msgpack.unpackb(data, strict_map_key=True)


# There and back.


@given(steps())
@settings(max_examples=200)
def test_load_undoes_dump(one: Any) -> None:
    for match in (one.before, one.after):
        plain = dump(match)
        assert load(plain) == match
        assert load(unpacked(packed(match))) == match
        assert dump(load(plain)) == plain


def test_at_every_step_of_some_matches() -> None:
    for taken in walks()[::4]:
        for one in taken:
            again = load(dump(one.after))
            assert again == one.after
            assert type(again.phase) is type(one.after.phase)


@pytest.mark.parametrize("match", [new_match(rules()), *last_states()])
def test_the_ends_as_well(match: Match) -> None:
    assert load(dump(match)) == match


@given(steps())
def test_a_match_goes_on_as_if_it_had_not_been_stored(one: Any) -> None:
    assert step(load(dump(one.before)), one.command) == (one.after, one.events)


def plain_only(value: object) -> bool:
    """Is it all dicts with text keys, lists, text, bytes, small ints, bools and None?"""
    match value:
        case dict():
            return all(type(key) is str and plain_only(item) for key, item in value.items())
        case list():
            return all(map(plain_only, value))
        case bool() | None:
            return True
        case int():
            return type(value) is int and abs(value) < 1 << 63
        case _:
            return type(value) in (str, bytes)


@given(steps())
def test_it_is_plain_data(one: Any) -> None:
    assert plain_only(dump(one.after))


def test_it_is_small() -> None:
    assert max(len(packed(one.after)) for taken in walks() for one in taken) < 900


def test_dumps_share_nothing_with_the_match_or_each_other() -> None:
    match = new_match(rules())
    dump(match)["rules"]["tribute"] = None
    dump(match)["standing"]["levels"]["13"] = "A"
    assert load(dump(match)) == match


# Golden files: what this version and every later one must read. See `goldens`.


def golden_files() -> list[Path]:
    return sorted(FOLDER.glob("snapshot-v*.json"))


@pytest.mark.parametrize("path", golden_files(), ids=lambda path: path.stem)
def test_golden_snapshots_are_read(path: Path) -> None:
    golden = json.loads(path.read_text("utf-8"))
    match = load(from_json(golden["snapshot"]))
    check(match)
    assert type(match.phase).__name__ == golden["phase"]
    assert {"rules", "seed", "source"} <= golden.keys()
    # And play goes on from there.
    for _ in range(3):
        command = some_command(match, random.Random(0))
        if command is None:
            break
        match, _events = step(match, command)
        check(match)


@pytest.mark.parametrize(
    "path", [p for p in golden_files() if f"-v{VERSION}-" in p.stem], ids=lambda path: path.stem
)
def test_golden_snapshots_of_this_version_are_written_alike(path: Path) -> None:
    plain = from_json(json.loads(path.read_text("utf-8"))["snapshot"])
    assert dump(load(plain)) == plain


def test_there_is_a_golden_snapshot_of_each_phase() -> None:
    names = {path.stem for path in golden_files()}
    phases = ["waiting", "paying", "returning", "leading", "following", "hand_over", "match_over"]
    assert {f"snapshot-v{VERSION}-{phase}" for phase in phases} <= names


# What is refused.


def refused(plain: Plain, says: str) -> None:
    with pytest.raises(SnapshotError, match=says):
        load(plain)


@pytest.mark.parametrize(
    "plain", [None, [], "", b"", 1, {}, {"v": "1"}, {"v": True}, {"v": None}], ids=repr
)
def test_what_is_no_snapshot(plain: Plain) -> None:
    refused(plain, "expected an object with the version of its form in v")


def test_other_versions() -> None:
    plain = dump(new_match(rules()))
    refused(plain | {"v": VERSION + 1}, r"written by a newer version: form 3, this reads 1\.\.2")
    refused(plain | {"v": 0}, "there is no form 0")
    refused(plain | {"v": -1}, "there is no form -1")


def test_form_1_tells_who_led_while_the_first_round_lasts() -> None:
    table = Table.deal("1: S5 H5 …", "2: S6 …", "3: S7 …", "4: S8 …", level="5")

    def of_form_1() -> Plain:
        plain = dump(table.match)
        del plain["phase"]["leader"]
        return plain | {"v": 1}

    table.play(1, "S5")
    assert load(of_form_1()) == table.match
    table.pass_(2).pass_(3)
    assert load(of_form_1()) == table.match
    refused({**of_form_1(), "phase": {**of_form_1()["phase"], "shown": [None]}}, "phase.shown")


def test_form_1_does_not_name_the_leader() -> None:
    table = Table.deal("1: S5 H5 …", "2: S6 …", "3: S7 …", "4: S8 …", level="5").play(1, "S5")
    refused(dump(table.match) | {"v": 1}, "phase: expected no leader in form 1")


def changed(match: Match, *path: str | int, to: object) -> Plain:
    plain = copy.deepcopy(dump(match))
    at: Any = plain
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = to
    return plain


PLAYED = Table.deal("1: S5 H5 …", "2: S6 H6 …", "3: S7", level="5").play(1, "S5 H5").match


def _at(plain: Plain, path: tuple[Any, ...]) -> Any:
    for key in path:
        plain = plain[key]
    return plain


@pytest.mark.parametrize("phase", [*moments(), MatchOver])
def test_every_field_is_needed_and_no_other_is_known(phase: type) -> None:
    match = last_states()[0] if phase is MatchOver else moments()[phase][-1].before
    plain = dump(match)
    objects = [path for path in places(plain) if isinstance(_at(plain, path), dict)]
    assert len(objects) >= 7
    for path in objects:
        for name in [*_at(plain, path), None]:
            damaged = copy.deepcopy(plain)
            if name is None:
                _at(damaged, path)["colour"] = 1
            else:
                del _at(damaged, path)[name]
            with pytest.raises(SnapshotError):
                load(damaged)


@pytest.mark.parametrize(
    ("path", "to", "says"),
    [
        (("rules", "tribute"), "yes", "rules: tribute = 'yes': no such value"),
        (("rules", "a_max_misses"), False, "no such value"),
        (("standing", "levels", "13"), "X", "standing.levels.13: expected a level"),
        (("standing", "active"), "7", "standing.active: expected its owner's level"),
        (("standing", "owner"), None, "an owner of the level"),
        (("standing", "owner"), "12", "a team"),
        (("standing", "misses", "24"), -1, "a count"),
        (("deal", "number"), 0, "nothing dealt before the first hand"),
        (("deal", "number"), 1 << 63, "a count"),
        (("deal", "seed"), bytes(31), "deal.seed: expected 32 bytes"),
        (("deal", "seed"), "0" * 32, "deal.seed: expected 32 bytes"),
        (("deal", "nonces", 0), bytes(33), "deal.nonces: expected 0 to 32 bytes"),
        (("deal", "nonces"), [b""] * 3, "a list of 4"),
        (("deal", "hands", 2), bytes(15), "27 cards a seat"),
        (("deal", "drawn"), [["S5", 5]], "a seat"),
        (("deal", "resisted"), [1, 1], "each seat once"),
        (("deal", "gifts"), [[1, 1, "S5"]], "each seat to give or to receive once"),
        (("deal", "gifts"), [[1, 2, "S5"], [3, 2, "S6"]], "each seat to give or to receive once"),
        (("deal", "returns"), [[1, 2, "S5"]], "one for each gift, the other way"),
        (("hands", 0), b"\xff" * 15, "faces of the pack"),
        (("hands", 0), "S5", "15 bytes"),
        (("hands", 2), bytes(15), "phase.out: expected the seats without cards"),
        (("phase", "name"), "following ", "the name of a phase"),
        (("phase", "name"), "waiting", "waiting before the first hand, and only then"),
        (("phase", "name"), "leading", "turn is missing"),
        (("phase", "name"), "paying", "owing is missing"),
        (("phase", "name"), "hand_over", "finish is missing"),
        (("phase", "by"), 2, "the seat whose play is to be beaten"),
        (("phase", "waiting"), [], "have not answered"),
        (("phase", "waiting"), [3, 2, 4], "have not answered"),
        (("phase", "waiting"), [2, 3], "have not answered"),
        (("phase", "waiting"), [1, 2, 3, 4], "have not answered"),
        (("phase", "out"), [3], "the seats without cards"),
        (("phase", "shown", 1), "passed", "pass, or cards and their reading"),
        (("phase", "shown", 0, 1), "pair-X-9", "expected a reading"),
        (("phase", "shown", 0, 1), "triple-5", "as many cards as their reading has"),
        (("turn",), -1, "turn: expected a count"),
        (("turn",), 7.0, "turn: expected a count"),
    ],
)
def test_impossible_values(path: tuple[str | int, ...], to: object, says: str) -> None:
    refused(changed(PLAYED, *path, to=to), says)


def test_a_pack_that_is_not_whole() -> None:
    plain = dump(PLAYED)
    one, two, three, four = plain["deal"]["hands"]
    refused(changed(PLAYED, "deal", "hands", to=[one, one, three, four]), "the cards of one pack")
    refused(changed(PLAYED, "hands", to=[two, one, three, four]), "cards that each seat was dealt")


def test_misses_that_would_have_thrown_a_team_back() -> None:
    match = Table.deal("1: S5 …", preset="house").match
    refused(
        changed(match, "standing", "misses", "13", to=3), "standing.misses: expected fewer than 3"
    )


def test_a_hand_that_should_be_over() -> None:
    match = Table.deal("1:", "2: S5", "3: S6", leader=2, out=[1]).match
    plain = changed(match, "hands", 2, to=bytes(15))
    plain["phase"]["out"] = [1, 3]
    refused(plain, "while the hand goes on")
    refused(changed(match, "phase", "turn", to=1), "phase.turn: expected a seat with cards")


def first(phase: type, wanted: Callable[[Match], bool]) -> Match:
    return next(one.before for one in moments()[phase] if wanted(one.before))


def test_tribute_that_cannot_be() -> None:
    match = first(Paying, lambda m: len(m.phase.debts) == 2 and not m.phase.chosen)  # type: ignore[union-attr]  # all of them are paying
    donor, recipient = dump(match)["phase"]["owing"][0]
    refused(changed(match, "phase", "owing", to=[]), "one or two pairs of seats")
    refused(changed(match, "phase", "owing", to=[[1, 2, 3]]), "one or two pairs")
    refused(changed(match, "phase", "owing", to=[[1, 2], [2, 3]]), "one or two pairs")
    two_cards = [[donor, recipient, "S2"]]
    refused(changed(match, "phase", "chosen", to=two_cards), "each of them allowed")
    hands = dump(match)["hands"]
    refused(changed(match, "hands", to=[bytes(15), *hands[1:]]), "whole hands, and nothing paid")


def test_returns_that_cannot_be() -> None:
    match = first(Returning, lambda m: len(m.deal.gifts) == 2)
    (donor, recipient, gift), _ = dump(match)["deal"]["gifts"]
    refused(
        changed(match, "phase", "chosen", to=[[recipient, donor, gift]]), "each of them allowed"
    )
    refused(
        changed(match, "phase", "chosen", to=[[donor, recipient, gift]]), "each of them allowed"
    )
    hands = dump(match)["hands"]
    refused(changed(match, "hands", to=[bytes(15), *hands[1:]]), "whole hands, and gifts")


@pytest.mark.parametrize(
    ("field", "to", "says"),
    [
        ("finish", [1, 2, 3], "all four seats, those without cards first"),
        ("missed", ["13", "13"], "each team once"),
        ("fallen", ["24"], "each team once"),
        ("missed", ["12"], "a team"),
    ],
)
def test_ends_that_cannot_be(field: str, to: object, says: str) -> None:
    match = moments()[HandOver][0].before
    refused(changed(match, "phase", field, to=to), says)


def test_places_that_do_not_follow_from_the_hands() -> None:
    for one in moments()[HandOver]:
        finish = dump(one.before)["phase"]["finish"]
        refused(changed(one.before, "phase", "finish", to=finish[::-1]), "phase.finish")
    won = last_states()[0]
    assert isinstance(won.phase, MatchOver)
    winner = won.phase.outcome.winner.value
    refused(changed(won, "phase", "missed", to=[winner]), "each team once")


@given(steps(), st.data())
@settings(max_examples=250)
def test_damage_is_refused_or_makes_another_whole_match(one: Any, data: st.DataObject) -> None:
    plain = copy.deepcopy(dump(one.before))
    path = data.draw(st.sampled_from(places(plain)[1:]))
    other: object = data.draw(
        st.none()
        | st.booleans()
        | st.integers(-1, 9)
        | st.binary(max_size=15)
        | st.text(max_size=3)
        | st.lists(st.integers(0, 5), max_size=4)
        | st.just({})
    )
    _at(plain, path[:-1])[path[-1]] = other
    try:
        match = load(plain)
    except SnapshotError as error:
        assert str(error)  # noqa: PT017  a whole match is as good
    else:
        check(match)
        # An older form can be what is left: it is written again in today's.
        assert dump(match) == {**plain, "v": VERSION}


@given(steps(), st.data())
@settings(max_examples=200)
def test_flipped_bits_never_crash(one: Any, data: st.DataObject) -> None:
    raw = bytearray(packed(one.before))
    raw[data.draw(st.integers(0, len(raw) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    try:
        plain = msgpack.unpackb(bytes(raw))
    except (ValueError, msgpack.UnpackException):
        return
    try:
        check(load(plain))
    except SnapshotError as error:
        assert str(error)  # noqa: PT017  an untouched part may have been hit
