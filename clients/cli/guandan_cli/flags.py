"""Options that several commands share, and what they come to."""

from __future__ import annotations

import getpass
import os
import secrets
from collections.abc import Iterable, Sequence
from typing import Annotated, Literal, get_args

from cyclopts import Parameter, Token
from cyclopts.validators import Number

from guandan_cli.address import DEFAULT_SERVER, AddressError, Place, place_of, server_of
from guandan_cli.exits import Exit, Failure, Said, about, said
from guandan_cli.preferences import PreferenceFile
from guandan_cli.settings import PACES_TEXT, SettingError, options_of_words, pace_ms
from guandan_cli.texts import Lang, Texts, lang_of, texts
from guandan_engine.errors import OptionRefused
from guandan_engine.options import OPTIONS, PRESETS, rules
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


class Typed(str):
    """Said on this very command line, rather than set for all commands somewhere."""

    __slots__ = ()


def _typed(_: object, tokens: Sequence[Token]) -> str:
    value = tokens[0].value
    return Typed(value) if tokens[0].source == "cli" else value


Server = Annotated[
    str | None,
    Parameter(
        converter=_typed,
        help=f"The server's address; without it {DEFAULT_SERVER}, or that of the link.",
    ),
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


PaceSeconds = Literal["0.3", "0.5", "1", "2", "3", "4", "5"]
assert ", ".join(get_args(PaceSeconds)) == PACES_TEXT, "the command line offers what a room takes"


def _pace(_: object, tokens: Sequence[Token]) -> str:
    """As it stands in the list, however it was written; Failure if it is none of them."""
    try:
        return f"{pace_ms(tokens[0].value) / 1000:g}"
    except SettingError as error:
        raise Failure(Exit.USAGE, about("--pace", Said(error.key, error.fields))) from error


Pace = Annotated[
    PaceSeconds | None,
    Parameter(converter=_pace, help="Seconds that bots take over a move at the new table."),
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
        raise Failure(Exit.USAGE, about("--name", said("error.name", most=NAME_CHARS_MAX)))
    return name.strip()


def found_place(text: str | None, server: str | None) -> Place:
    """Where a command leads, the link's server before the option's; Failure if it is no place."""
    try:
        place = Place(room=None, server=None) if text is None else place_of(text)
        given = None if server is None else server_of(server)
    except AddressError as error:
        raise Failure(Exit.USAGE, error.why) from error
    if place.server is not None and place.server != given:
        refuse_server(server, said("error.server_of_link", server=place.server))
    return Place(room=place.room, server=place.server or given)


def refuse_server(server: str | None, why: Said) -> None:
    """Failure if a server was named on this command line, where it means nothing."""
    if isinstance(server, Typed):
        raise Failure(Exit.USAGE, said("error.not_here", option="--server", why=why))


def no_level(name: str, levels: Iterable[str]) -> Said:
    """There is no such level of bots here."""
    return said("error.no_level", name=repr(name), levels=", ".join(levels))


def coded(code: str, text: str) -> Said | str:
    """A refusal of a server's: ours for a code that we know, else its own words."""
    key = f"code.{code}"
    return Said(key, {}) if key in texts("en").table else text


def creation(
    *,
    name: str,
    preset: str,
    options: Sequence[str],
    public: bool,
    clock_s: int | None,
    pace: PaceSeconds | None,
) -> Create:
    """The hello that opens a table; Failure for rules that do not exist."""
    try:
        chosen = options_of_words(options)
        rules(preset, chosen)
    except SettingError as error:
        raise Failure(Exit.USAGE, about("--option", Said(error.key, error.fields))) from error
    except OptionRefused as error:
        raise Failure(Exit.USAGE, about("--option", _refused(error))) from error
    settings = None
    if public or clock_s is not None or pace is not None:
        settings = Settings(
            visibility=Visibility.PUBLIC if public else Visibility.PRIVATE,
            clock_s=clock_s,
            pace_ms=Settings().pace_ms if pace is None else pace_ms(pace),
        )
    return Create(
        version=VERSION,
        name=name,
        create_id=secrets.token_bytes(CREATE_ID_BYTES),
        preset=preset,
        options=chosen,
        settings=settings,
    )


def _refused(error: OptionRefused) -> Said:
    """Why there is no such rule, or no such value of it."""
    name = error.option
    if name in OPTIONS and error.why.startswith("no such value"):
        values = ", ".join(["none" if one is None else str(one).lower() for one in OPTIONS[name]])
        return said("error.no_value", name=name, got=error.got, values=values)
    if name in OPTIONS or error.why.startswith("reserved"):
        return said("error.reserved", name=name)
    return said("error.no_rule", name=name, names=", ".join(OPTIONS))
