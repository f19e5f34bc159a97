"""Shared options, and what they come to."""

import getpass
from typing import Any

import pytest

from guandan_cli import flags
from guandan_cli.address import Place
from guandan_cli.exits import Exit, Failure
from guandan_cli.texts import Lang
from guandan_protocol.messages import Create, Settings, Visibility


@pytest.mark.parametrize(
    ("text", "server", "place"),
    [
        (None, None, Place(None, None)),
        ("k7qm2x", None, Place("K7QM2X", None)),
        ("k7qm2x", "127.0.0.1:9000", Place("K7QM2X", "ws://127.0.0.1:9000")),
        (None, "https://cards.example", Place(None, "wss://cards.example/ws")),
        # A link says where its room is.
        ("https://a.example/r/K7QM2X", "ws://b.example", Place("K7QM2X", "wss://a.example/ws")),
    ],
)
def test_where_a_command_leads(text: str | None, server: str | None, place: Place) -> None:
    assert flags.found_place(text, server) == place


@pytest.mark.parametrize(("text", "server"), [("no place", None), (None, "ftp://x"), ("", None)])
def test_where_it_cannot_lead(text: str | None, server: str | None) -> None:
    with pytest.raises(Failure) as failure:
        flags.found_place(text, server)
    assert failure.value.exit is Exit.USAGE


def test_a_name_is_the_login_s_or_given(monkeypatch: pytest.MonkeyPatch) -> None:
    assert flags.named("  李明 ") == "李明"
    monkeypatch.setattr(getpass, "getuser", lambda: "u" * 40)
    assert flags.named(None) == "u" * 24

    def nobody() -> str:
        raise KeyError("uid not found")

    monkeypatch.setattr(getpass, "getuser", nobody)
    assert flags.named(None) == "player"


@pytest.mark.parametrize("name", ["", "  ", "x" * 25, "a\x1bb", "a\nb"])
def test_a_name_that_cannot_stand_beside_a_seat(name: str) -> None:
    with pytest.raises(Failure) as failure:
        flags.named(name)
    assert failure.value.exit is Exit.USAGE


def creation(**changes: Any) -> Create:
    usual: dict[str, Any] = {
        "name": "Ann",
        "preset": "site",
        "options": (),
        "public": False,
        "clock_s": None,
        "pace": None,
    }
    return flags.creation(**(usual | changes))


def test_a_new_table_leaves_its_settings_to_the_server() -> None:
    hello = creation(options=["a_max_misses=3", "tribute=false"])
    assert hello.settings is None
    assert hello.options == {"a_max_misses": 3, "tribute": False}
    assert hello.create_id != creation().create_id


def test_a_new_table_with_settings() -> None:
    hello = creation(public=True, clock_s=30, pace="0.5")
    assert hello.settings == Settings(visibility=Visibility.PUBLIC, clock_s=30, pace_ms=500)
    assert creation(clock_s=30).settings == Settings(clock_s=30)


@pytest.mark.parametrize(
    "options", [["moon"], ["moon=1"], ["tribute=maybe"], ["must_play=2"], ["tribute="]]
)
def test_rules_that_do_not_exist(options: list[str]) -> None:
    with pytest.raises(Failure) as failure:
        creation(options=options)
    assert failure.value.exit is Exit.USAGE
    assert str(failure.value).startswith("--option: ")


def test_the_language_is_asked_for_or_the_locale_s(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert flags.spoken(None).lang is Lang.ZH
    assert flags.spoken(Lang.EN).lang is Lang.EN
