"""Options that several commands share, and what they come to."""

from __future__ import annotations

import getpass
import os
import secrets
from collections.abc import Sequence
from typing import Annotated, Literal, get_args

from cyclopts import Parameter, Token
from cyclopts.validators import Number

from guandan_cli.address import DEFAULT_SERVER, AddressError, Place, place_of, server_of
from guandan_cli.exits import Exit, Failure
from guandan_cli.preferences import PreferenceFile
from guandan_cli.settings import PACES_TEXT, SettingError, options_of_words, pace_ms
from guandan_cli.texts import Lang, Texts, lang_of, texts
from guandan_engine.errors import OptionRefused
from guandan_engine.options import PRESETS, rules
from guandan_protocol.bounds import NAME_CHARS_MAX
from guandan_protocol.messages import CREATE_ID_BYTES, VERSION, Create, Settings, Visibility

__all__ = [
    "Clock",
    "Language",
    "Name",
    "Options",
    "Pace",
    "PlaceText",
    "Preset",
    "Public",
    "Server",
    "creation",
    "found_place",
    "named",
    "spoken",
]

PresetName = Literal["site", "tournament", "house", "national-2017", "huaian", "nanjing"]
assert get_args(PresetName) == tuple(PRESETS), "the command line offers what the engine plays"

PlaceText = Annotated[
    str | None,
    Parameter(
        name="CODE|URL",
        help="The table's code, or the link that you were sent.",
        show_env_var=False,
    ),
]
Server = Annotated[
    str | None,
    Parameter(help=f"The server's address; without it {DEFAULT_SERVER}, or that of the link."),
]
Language = Annotated[
    Lang | None,
    Parameter(
        help="The language; without it the one chosen at the table, or that of the locale.",
        show_choices=True,
    ),
]
Name = Annotated[str | None, Parameter(help="What the others see; without it your login name.")]
Preset = Annotated[PresetName, Parameter(help="The rules of a new table.")]
Options = Annotated[
    tuple[str, ...],
    Parameter(
        name="--option",
        help="A rule of a new table, NAME=VALUE; may be repeated.",
        show_default=False,
    ),
]
Public = Annotated[bool, Parameter(help="Let the new table stand in the list of `guandan rooms`.")]
Clock = Annotated[
    int | None,
    Parameter(
        help="Seconds for a move at the new table, 5 to 300.", validator=Number(gte=5, lte=300)
    ),
]


def _pace_ms(_: object, tokens: Sequence[Token]) -> int:
    """Seconds on the command line, as at the table; milliseconds inside."""
    try:
        return pace_ms(tokens[0].value)
    except SettingError as error:
        raise ValueError(f"one of {PACES_TEXT}, please") from error


Pace = Annotated[
    int | None,
    Parameter(
        converter=_pace_ms,
        help=f"What bots take over a move at the new table, in seconds: {PACES_TEXT}.",
    ),
]


def spoken(language: Lang | None) -> Texts:
    """The texts of the language asked for, else of the one chosen at a table, or of the locale."""
    chosen = language or PreferenceFile.of(os.environ).read().lang
    return texts(chosen or lang_of(os.environ))


def named(name: str | None) -> str:
    """The name to play under; Failure if it is too long to stand beside a seat."""
    if name is None:
        try:
            name = getpass.getuser()
        except (OSError, KeyError, ImportError):  # a user without a name, as in some containers
            name = "player"
        return name[:NAME_CHARS_MAX]
    if not 0 < len(name.strip()) <= NAME_CHARS_MAX or not name.isprintable():
        raise Failure(
            Exit.USAGE, f"--name: 1 to {NAME_CHARS_MAX} characters that can be shown, please"
        )
    return name.strip()


def found_place(text: str | None, server: str | None) -> Place:
    """Where a command leads, the link's server before the option's; Failure if it is no place."""
    try:
        place = Place(room=None, server=None) if text is None else place_of(text)
        given = None if server is None else server_of(server)
    except AddressError as error:
        raise Failure(Exit.USAGE, str(error)) from error
    return Place(room=place.room, server=place.server or given)


def creation(
    *,
    name: str,
    preset: str,
    options: Sequence[str],
    public: bool,
    clock_s: int | None,
    pace_ms: int | None,
) -> Create:
    """The hello that opens a table; Failure for rules that do not exist."""
    try:
        chosen = options_of_words(options)
        rules(preset, chosen)
    except SettingError as error:
        raise Failure(Exit.USAGE, "--option: " + texts("en")(error.key, **error.fields)) from error
    except OptionRefused as error:
        raise Failure(Exit.USAGE, f"--option: {error}") from error
    settings = None
    if public or clock_s is not None or pace_ms is not None:
        settings = Settings(
            visibility=Visibility.PUBLIC if public else Visibility.PRIVATE,
            clock_s=clock_s,
            pace_ms=pace_ms or Settings().pace_ms,
        )
    return Create(
        version=VERSION,
        name=name,
        create_id=secrets.token_bytes(CREATE_ID_BYTES),
        preset=preset,
        options=chosen,
        settings=settings,
    )
