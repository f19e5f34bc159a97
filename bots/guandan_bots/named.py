"""Players by what people type: a level, a level with other figures, or a class in somebody's file.

    club
    club:memory=0,danger=2
    mine.py:MyPolicy

A file is run where it lies; so this is for the commands of those who have it, and never for what
comes over a connection.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, Final, cast

from attrs import evolve, fields_dict

from guandan_bots.policy import Policy, policy
from guandan_bots.steady import in_words

__all__ = ["FigureError", "FileError", "named_policy"]

SOURCE: Final = ".py"


class FigureError(ValueError):
    """A level has no such figure to change, or it cannot be that."""


class FileError(ValueError):
    """A file has no such policy."""


def named_policy(name: str) -> Policy:
    """UnknownLevel, FigureError or FileError, each for what it cannot find."""
    level, colon, rest = name.partition(":")
    if level.endswith(SOURCE):
        return _of_file(Path(level), rest)
    plain = policy(level)
    if not colon:
        return plain
    style = getattr(plain, "style", None)
    if style is None:
        raise FigureError(f"{level} has no figures to change")
    figures: dict[str, int | float] = {}
    known = fields_dict(type(style))
    for change in rest.split(","):
        figure, _, value = change.partition("=")
        if figure not in known:
            raise FigureError(f"{level} has no figure {figure!r}; there are {', '.join(known)}")
        if figure in figures:
            raise FigureError(f"{figure} is given twice")
        figures[figure] = _figure(figure, value, type(getattr(style, figure)))
    make = cast("Callable[[object], Policy]", type(plain))
    return make(evolve(style, **figures))


def _figure(figure: str, value: str, kind: type[int] | type[float]) -> int | float:
    wanted = "a whole number" if kind is int else "a number"
    try:
        found = kind(value)
        is_number = math.isfinite(found)
    except (ValueError, OverflowError):
        raise FigureError(f"{figure}={value}: not {wanted}") from None
    if not is_number:
        raise FigureError(f"{figure}={value}: not {wanted}")
    if kind is int and found < 0:
        raise FigureError(f"{figure}={value}: less than nothing")
    return found


def _of_file(path: Path, attribute: str) -> Policy:
    """Run anew each time: who changes the file gets what is in it.

    What it imports of its own has to be where Python looks.
    """
    if not attribute:
        raise FileError(f"{path}: which class of it? {path}:MyPolicy")
    module = ModuleType(f"guandan_bots.named.{path.stem}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module  # dataclasses look themselves up there
    try:
        # Not as an import: that takes what it has compiled before for a file of the same second.
        exec(compile(path.read_bytes(), path, "exec"), module.__dict__)  # noqa: S102 they asked for it
    except (Exception, SystemExit) as error:
        raise FileError(f"{path}: {in_words(error)}") from error
    make: Any = getattr(module, attribute, None)
    if make is None:
        raise FileError(f"{path} has no {attribute}")
    try:
        made: Policy = make()
    except (Exception, SystemExit) as error:
        raise FileError(f"{path}: {attribute}: {in_words(error)}") from error
    is_policy = callable(getattr(made, "choose", None)) and hasattr(made, "name")
    if not is_policy:
        raise FileError(f"{path}: {attribute} is no policy: it needs a name and choose(…)")
    return made
