"""What tables play differently: names, values, presets, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from attrs import asdict
from hypothesis import given
from hypothesis import strategies as st

from guandan_engine.errors import OptionRefused
from guandan_engine.options import OPTIONS, PRESETS, RESERVED, Rules, options_of, rules
from guandan_engine.record import value_text
from tests.engine.brute_table import PRESETS as BRUTE_PRESETS
from tests.engine.brute_table import VALUES, settings
from tests.engine.strategies import options, presets, rules_drawn


def test_names_values_and_defaults_are_those_of_the_slow_referee() -> None:
    assert {name: list(values) for name, values in OPTIONS.items()} == VALUES
    assert options_of(rules()) == options_of(Rules()) == settings()


@pytest.mark.parametrize("preset", BRUTE_PRESETS)
def test_presets_are_those_of_the_slow_referee(preset: str) -> None:
    assert options_of(rules(preset)) == settings(preset)
    assert rules(preset) == PRESETS[preset]


def test_there_are_six_presets() -> None:
    assert list(PRESETS) == list(BRUTE_PRESETS)


@given(presets, options)
def test_options_change_a_preset_and_nothing_else(preset: str, chosen: dict[str, Any]) -> None:
    assert options_of(rules(preset, chosen)) == settings(preset, chosen)


@given(rules_drawn)
def test_options_and_back(table: Rules) -> None:
    assert rules("site", options_of(table)) == table
    assert options_of(table) == asdict(table)


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("value", ["", "bogus", 0, 1, -1, 1.0, 3.0, b"own", [], {}, ("own",)])
def test_other_values_are_refused(option: str, value: object) -> None:
    with pytest.raises(OptionRefused) as refusal:
        rules("site", {option: value})
    assert refusal.value.option == option
    assert option in str(refusal.value)


def test_a_value_of_another_type_is_another_value() -> None:
    """To Python `1 == True` and `3.0 == 3`."""
    for option, value in [("tribute", 1), ("advance_double", 3.0), ("a_max_misses", False)]:
        with pytest.raises(OptionRefused, match="no such value"):
            rules("site", {option: value})


@pytest.mark.parametrize("option", ["", "colour", "Tribute", "rules", "__class__"])
def test_unknown_options_are_refused(option: str) -> None:
    with pytest.raises(OptionRefused, match="no such option; there are first_lead, "):
        rules("site", {option: True})


@pytest.mark.parametrize("option", RESERVED)
@pytest.mark.parametrize("value", [True, False, None, "K"])
def test_reserved_options_are_refused_by_name(option: str, value: object) -> None:
    with pytest.raises(OptionRefused) as refusal:
        rules("site", {option: value})
    assert "reserved" in str(refusal.value)
    assert RESERVED[option] in str(refusal.value)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("double_tribute_tie", "lot"),
        ("double_tribute_tie", "first_choice"),
        ("double_tribute_tie", "last_to_first"),
        ("a_win_on", "overshoot"),
        ("a_miss_scope", "consecutive"),
    ],
)
def test_reserved_values_are_refused_by_name(option: str, value: str) -> None:
    with pytest.raises(OptionRefused, match="reserved, not played here"):
        rules("site", {option: value})


@given(st.text(max_size=20).filter(lambda name: name not in PRESETS))
def test_unknown_presets_are_refused(preset: str) -> None:
    with pytest.raises(OptionRefused, match="there are site, tournament, house, "):
        rules(preset)


def test_presets_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        PRESETS["site"] = Rules()  # type: ignore[index]  # that is the point


# The page for players says the same as the code.

PAGE = (Path(__file__).parents[2] / "docs" / "rules.md").read_text("utf-8")


def rows(heading: str) -> list[list[list[str]]]:
    """The table of a section: by row and cell, what stands there as `code`."""
    _, _, section = PAGE.partition(f"\n## {heading}\n")
    lines = section.partition("\n## ")[0].splitlines()
    table = [line.strip("|").split("|") for line in lines if line.startswith("| ")]
    return [[re.findall(r"`([^`]+)`", cell) for cell in line] for line in table]


def test_the_page_lists_every_option_with_its_values() -> None:
    _, *listed = rows("Options")
    told = {name[0]: values for name, values, *_ in listed}
    assert told == {name: list(map(value_text, values)) for name, values in OPTIONS.items()}


def test_the_page_lists_every_preset() -> None:
    (_, *names), *lines = rows("Presets")
    assert [name for (name,) in names] == list(PRESETS)
    for (option,), *values in lines:
        shown = [value for (value,) in values]
        assert shown == [value_text(options_of(table)[option]) for table in PRESETS.values()]
    assert [line[0][0] for line in lines] == list(OPTIONS)


def test_the_page_lists_what_is_reserved() -> None:
    _, *listed = rows("Variants that are not played")
    assert [name[0] for name, _ in listed] == list(RESERVED)
