"""How a player likes the table is kept from one run to the next."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from attrs import asdict

from guandan_cli import flags
from guandan_cli.preferences import PreferenceFile, Preferences
from guandan_cli.texts import Lang
from guandan_cli.tui.columns import Sort

OTHERS = {
    "sort": Sort.COMBO,
    "two_colours": True,
    "lang": Lang.ZH,
    "pace_ms": 300,
    "auto_pass": True,
    "bell": True,
    "dim": False,
}
"""Something else than the default, of each."""


@pytest.fixture
def file(tmp_path: Path) -> PreferenceFile:
    return PreferenceFile(tmp_path / "guandan/preferences.json")


def test_whoever_has_chosen_nothing_finds_the_defaults(file: PreferenceFile) -> None:
    assert file.read() == Preferences()


def test_every_preference_is_kept(file: PreferenceFile) -> None:
    assert set(OTHERS) == set(asdict(Preferences()))
    for name, value in OTHERS.items():
        file.keep({name: value})
    assert file.read() == Preferences(**OTHERS)  # type: ignore[arg-type]  # fields by name


def test_two_tables_do_not_undo_each_other(tmp_path: Path) -> None:
    one, other = [PreferenceFile(tmp_path / "preferences.json") for _ in range(2)]
    one.keep({"bell": True})
    other.keep({"sort": Sort.SUIT})
    assert one.read() == Preferences(bell=True, sort=Sort.SUIT)


@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", "{", "null", '"bell"', "[" * 4000),
        '{"bell": 1, "sort": "colour", "pace_ms": 299, "lang": "fr", "dim": null, "pace": 300}',
        '{"pace_ms": [300], "sort": {}, "two_colours": "yes", "pace_ms": true}',
    ],
)
def test_what_makes_no_sense_is_the_default(tmp_path: Path, text: str) -> None:
    path = tmp_path / "preferences.json"
    path.write_text(text)
    assert PreferenceFile(path).read() == Preferences()


def test_what_a_newer_table_has_kept_stays(tmp_path: Path) -> None:
    path = tmp_path / "preferences.json"
    path.write_text('{"felt": "green", "dim": false}')
    file = PreferenceFile(path)
    file.keep({"bell": True})
    assert json.loads(path.read_text()) == {"felt": "green", "dim": False, "bell": True}
    assert file.read() == Preferences(bell=True, dim=False)


def test_a_place_that_cannot_be_written_to_is_said(tmp_path: Path) -> None:
    (tmp_path / "guandan").write_text("a file in the place of the folder")
    with pytest.raises(OSError, match="File exists"):
        PreferenceFile(tmp_path / "guandan/preferences.json").keep({"bell": True})


def test_it_stands_beside_the_configuration(tmp_path: Path) -> None:
    PreferenceFile.of({"XDG_CONFIG_HOME": str(tmp_path)}).keep({"bell": True})
    assert [path.name for path in (tmp_path / "guandan").iterdir()] == ["preferences.json"]


def test_the_language_chosen_at_a_table_comes_before_the_locale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    assert flags.spoken(None).lang is Lang.EN
    PreferenceFile.of({"XDG_CONFIG_HOME": str(tmp_path)}).keep({"lang": Lang.ZH})
    assert flags.spoken(None).lang is Lang.ZH
    assert flags.spoken(Lang.EN).lang is Lang.EN
