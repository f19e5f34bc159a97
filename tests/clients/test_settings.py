"""Rules and settings as typed."""

from typing import Any

import pytest
from attrs import evolve

from guandan_cli.settings import SettingError, changed, option_value, options_of_words, pace_ms
from guandan_engine.options import OPTIONS
from guandan_protocol.messages import PACES_MS, Settings


@pytest.mark.parametrize("name", OPTIONS)
def test_every_value_of_every_option_can_be_typed(name: str) -> None:
    for value in OPTIONS[name]:
        typed = option_value("none" if value is None else str(value).lower())
        assert (type(typed), typed) == (type(value), value)


def test_options_are_names_and_values() -> None:
    words = ["a_max_misses=3", "tribute=off", "advance-double=4", "a_win_on=own"]
    assert options_of_words(words) == {
        "a_max_misses": 3,
        "tribute": False,
        "advance_double": 4,
        "a_win_on": "own",
    }


@pytest.mark.parametrize("word", ["tribute", "=3", "a=", "=", ""])
def test_a_word_that_is_no_option(word: str) -> None:
    with pytest.raises(SettingError):
        options_of_words([word])


@pytest.mark.parametrize("text", ["²", "9999", "-1", "own"])
def test_anything_else_stays_text(text: str) -> None:
    assert option_value(text) == text


def test_paces_are_typed_in_seconds() -> None:
    assert [pace_ms(text) for text in ("0.3", "0.5", "1", "2", "3", "4", "5")] == list(PACES_MS)
    assert pace_ms("1.0") == 1000
    for text in ("0", "6", "fast", "0.4", "-1", ""):
        with pytest.raises(SettingError) as error:
            pace_ms(text)
        assert error.value.key == "pace.how"


@pytest.mark.parametrize(("text", "seconds"), [("500", "0.5"), ("300ms", "0.3"), ("1000", "1")])
def test_milliseconds_are_refused_with_the_seconds_that_they_are(text: str, seconds: str) -> None:
    for typed in (lambda: pace_ms(text), lambda: changed(Settings(), ("pace", text))):
        with pytest.raises(SettingError) as error:
            typed()
        assert error.value.key == "pace.ms"
        assert (error.value.fields["s"], error.value.fields["got"]) == (seconds, text)


@pytest.mark.parametrize(
    ("words", "change"),
    [
        ("clock 30", {"clock_s": 30}),
        ("clock off", {"clock_s": None}),
        ("grace 5", {"grace_s": 5}),
        ("pace 0.5", {"pace_ms": 500}),
        ("hints off", {"hints": False}),
        ("counter on", {"counter": True}),
    ],
)
def test_settings_change_one_at_a_time(words: str, change: dict[str, Any]) -> None:
    before = Settings(clock_s=20, grace_s=90, hints=True, counter=False)
    assert changed(before, words.split()) == evolve(before, **change)


@pytest.mark.parametrize(
    ("words", "key"),
    [
        ("", "set.how"),
        ("clock", "set.how"),
        ("hints maybe", "set.how"),
        ("clock 4", "set.seconds"),
        ("clock 301", "set.seconds"),
        ("clock x", "set.seconds"),
        ("grace 601", "set.seconds"),
        ("grace ²", "set.seconds"),
        ("pace 9", "pace.how"),
        ("speed 9", "set.how"),
    ],
)
def test_settings_that_cannot_be(words: str, key: str) -> None:
    with pytest.raises(SettingError) as error:
        changed(Settings(), words.split())
    assert error.value.key == key
