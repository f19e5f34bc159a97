"""What goes wrong with a command, in one line and in the language of whoever called it."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from enum import Enum
from itertools import zip_longest
from typing import Any, Final, Literal, get_args, get_origin

from cyclopts import (
    CoercionError,
    CycloptsError,
    MissingArgumentError,
    RepeatArgumentError,
    UnknownCommandError,
    UnknownOptionError,
    UnusedCliTokensError,
    ValidationError,
)

from guandan_cli.exits import Said, about, said
from guandan_cli.texts import Lang, Texts, lang_of, texts

__all__ = ["language", "usage", "worded"]

LANG_OPTION: Final = "--lang"
LANG_VARIABLE: Final = "GUANDAN_LANG"
_CONNECT: Final = re.compile(r"\[Errno (\d+)\] (?:Connect call failed \([^)]*\)|[A-Z][a-z ]+)")
_BOUND: Final = re.compile(r"Must be ([<>]=?) (\S+?)\.?")
_KINDS: Final[Mapping[type, str]] = {int: "kind.whole", float: "kind.number", bool: "kind.switch"}


def language(
    arguments: Sequence[str], environment: Mapping[str, str], settings: Mapping[str, Any]
) -> Texts:
    """The texts for an error: as a command finds them, where none came so far as to do it.

    `settings` are those of the file.
    """
    own = settings.get(arguments[0], {}) if arguments else {}
    for name in (
        _given(arguments),
        environment.get(LANG_VARIABLE),
        own.get("lang") if isinstance(own, dict) else None,
        settings.get("lang"),
        _kept(environment),
    ):
        if isinstance(name, str) and name in set(Lang):
            return texts(str(name))
    return texts(lang_of(environment))


def _given(arguments: Sequence[str]) -> str | None:
    for one, next_ in zip_longest(arguments, arguments[1:], fillvalue=""):
        name, sign, value = one.partition("=")
        if name == LANG_OPTION:
            return value if sign else next_
    return None


def _kept(environment: Mapping[str, str]) -> str | None:
    """The one chosen at the table."""
    from guandan_cli.preferences import PreferenceFile

    return PreferenceFile.of(environment).read().lang


def worded(message: str, words: Texts) -> str:
    """One line, and what the system calls by a number in words."""

    def reason(found: re.Match[str]) -> str:
        number = int(found[1])
        key = f"errno.{errno.errorcode.get(number, '')}"
        return words.table.get(key, os.strerror(number))

    return _CONNECT.sub(reason, " ".join(message.split()))


def usage(error: CycloptsError, commands: Iterable[str]) -> Said | str:
    """What is wrong with a command line; the library's own words where we have none."""
    match error:
        case CycloptsError(msg=str(text)) if type(error) is CycloptsError:
            return text
        case UnknownOptionError():
            option = error.token.keyword or error.token.value
            known = [name for one in error.argument_collection if one.parse for name in one.names]
            return _meant(said("error.no_option", option=option), option, known)
        case UnknownCommandError(unused_tokens=[str(name), *_]):
            names = tuple(commands)
            unknown = said("error.no_command", name=name, names=", ".join(names))
            return _meant(unknown, name, names)
        case MissingArgumentError(argument=argument) if argument is not None:
            name = error.keyword or _name(argument)
            if name.startswith("-"):
                return about(name, said("error.valueless"))
            return said("error.missing", name=name)
        case RepeatArgumentError(token=token):
            return about(token.keyword, said("error.twice"))
        case UnusedCliTokensError(unused_tokens=tokens) if tokens:
            return said("error.surplus", words=" ".join(tokens))
        case ValidationError() | CoercionError():
            return _value(error)
        case _:
            return str(error)


def _meant(wrong: Said, typed: str, known: Sequence[str]) -> Said:
    close = get_close_matches(typed, known, n=1)
    return said("error.meant", why=wrong, meant=close[0]) if close else wrong


def _value(error: ValidationError | CoercionError) -> Said | str:
    """An option has a value that it cannot have."""
    argument = error.argument
    token = error.token if isinstance(error, CoercionError) else None
    if token is None and argument is not None and argument.tokens:
        token = argument.tokens[0]
    if argument is None or token is None:
        return str(error)
    what = token.keyword or _name(argument)
    if token.source not in ("", "cli"):
        what = f"{what} ({token.source})"
    if isinstance(error, ValidationError):
        bound = _BOUND.fullmatch(error.exception_message)
        if bound is None:
            return str(error)
        why = said("error.bound", bound=f"{bound[1]} {bound[2]}", got=token.value)
    elif error.msg is not None:
        return str(error)
    elif choices := _choices(error.target_type):
        why = said("error.choose", choices=", ".join(choices), got=token.value)
    elif error.target_type is not None and error.target_type in _KINDS:
        why = said("error.kind", got=token.value, kind=said(_KINDS[error.target_type]))
    else:
        return str(error)
    return about(what, why)


def _choices(kind: Any) -> list[str]:
    if get_origin(kind) is Literal:
        return [str(one) for one in get_args(kind)]
    if isinstance(kind, type) and issubclass(kind, Enum):
        return [str(one.value) for one in kind]
    return []


def _name(argument: Any) -> str:
    name: str = argument.name
    return name
