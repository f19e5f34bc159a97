"""Rules and settings from what people type, on the command line or at the table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from attrs import evolve

from guandan_protocol.messages import PACES_MS, Settings

__all__ = ["PACES_TEXT", "SettingError", "changed", "option_value", "options_of_words", "pace_ms"]

PACES_TEXT: Final = ", ".join([f"{pace / 1000:g}" for pace in PACES_MS])
CLOCK_S: Final = range(5, 301)
GRACE_S: Final = range(5, 601)
_SWITCHES: Final = {"on": True, "off": False}
_VALUES: Final[dict[str, object]] = {
    "none": None,
    "null": None,
    "true": True,
    "on": True,
    "yes": True,
    "false": False,
    "off": False,
    "no": False,
}


class SettingError(Exception):
    """A value that cannot be; `key` and `fields` make the text of it."""

    def __init__(self, key: str, **fields: object) -> None:
        super().__init__(key, fields)
        self.key = key
        self.fields = fields


def option_value(text: str) -> object:
    """A rule option's value as typed.

    >>> [option_value(text) for text in ("none", "true", "3", "own")]
    [None, True, 3, 'own']
    """
    if text in _VALUES:
        return _VALUES[text]
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else text


def options_of_words(words: Iterable[str]) -> dict[str, object]:
    """Options from `name=value` words; SettingError for a word that is not so."""
    options: dict[str, object] = {}
    for word in words:
        name, sign, value = word.partition("=")
        if not (name and sign and value):
            raise SettingError("options.how", word=word[:40])
        options[name.replace("-", "_")] = option_value(value)
    return options


def pace_ms(text: str) -> int:
    """Seconds as typed, one of the paces; SettingError for any other.

    >>> pace_ms("0.5"), pace_ms("2")
    (500, 2000)
    """
    for pace in PACES_MS:
        seconds = f"{pace / 1000:g}"
        if text in (seconds, f"{pace / 1000}"):
            return pace
        if text.removesuffix("ms") == str(pace):
            raise SettingError("pace.ms", s=seconds, got=text, paces=PACES_TEXT)
    raise SettingError("pace.how", paces=PACES_TEXT)


def changed(settings: Settings, words: Sequence[str]) -> Settings:
    """The settings after `set NAME VALUE`; SettingError says what can be set."""
    match words:
        case ("clock", "off" | "none"):
            return evolve(settings, clock_s=None)
        case ("clock", seconds):
            return evolve(settings, clock_s=_seconds(seconds, CLOCK_S))
        case ("grace", seconds):
            return evolve(settings, grace_s=_seconds(seconds, GRACE_S))
        case ("pace", seconds):
            return evolve(settings, pace_ms=pace_ms(seconds))
        case ("hints", ("on" | "off") as switch):
            return evolve(settings, hints=_SWITCHES[switch])
        case ("counter", ("on" | "off") as switch):
            return evolve(settings, counter=_SWITCHES[switch])
        case ("phrases", ("on" | "off") as switch):
            return evolve(settings, phrases=_SWITCHES[switch])
        case _:
            raise SettingError("set.how")


def _seconds(text: str, allowed: range) -> int:
    if not (text.isascii() and text.isdecimal()) or len(text) > 4 or int(text) not in allowed:
        raise SettingError("set.seconds", low=allowed.start, high=allowed.stop - 1)
    return int(text)
