"""How a player likes the table: kept from one run to the next, beside the configuration.

    $XDG_CONFIG_HOME/guandan/preferences.json      written by the table, not the file for people

What stands in `config.toml`, in the environment or on the command line comes first.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from attrs import fields_dict, frozen

from guandan_cli.configfile import config_path
from guandan_cli.texts import Lang
from guandan_cli.tui.columns import Sort
from guandan_protocol.messages import PACES_MS

__all__ = ["PreferenceFile", "Preferences"]

FILE_BYTES_MAX: Final = 4096
"""Seven short entries; a longer file is none of ours."""


@frozen
class Preferences:
    """What a player likes; the defaults are what a new one finds."""

    sort: Sort = Sort.RANK
    two_colours: bool = False
    """Red and white suits, as on paper, instead of a colour for each."""
    lang: Lang | None = None
    """Chosen at the table; None: the language that it was opened in."""
    pace_ms: int = 1000
    """Of the autopilot, when it was last switched on."""
    auto_pass: bool = False
    """Pass by itself where nothing beats the table."""
    bell: bool = False
    """Ring when it is our turn."""
    dim: bool = True
    """Dim what cannot be played now."""


_READ: Final[Mapping[str, Callable[[Any], Any]]] = {
    "sort": Sort,
    "lang": Lang,
    "pace_ms": lambda value: PACES_MS[PACES_MS.index(value)],
}
"""What makes a value of what stands in the file, ValueError if it cannot be; all others are yes
or no."""


class PreferenceFile:
    """Reads and writes the file. OSError says why something could not be kept."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> PreferenceFile:
        """This user's."""
        return cls(config_path(environment).with_name("preferences.json"))

    def read(self) -> Preferences:
        """What is kept; defaults stand for what is not there, or makes no sense."""
        found: dict[str, Any] = {}
        for name, value in self._plain().items():
            if name not in fields_dict(Preferences):
                continue
            try:
                found[name] = _READ[name](value) if name in _READ else _switch(value)
            except (ValueError, TypeError):
                continue
        return Preferences(**found)

    def keep(self, changes: Mapping[str, object]) -> None:
        """Write these over what is there: another table may have kept something else meanwhile.

        The file is written whole or not at all.
        """
        plain = {**self._plain(), **changes}
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=self._path.parent, prefix=".", suffix=".part")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(plain, file, indent=1)
                file.write("\n")
            Path(name).replace(self._path)
        except OSError:
            Path(name).unlink(missing_ok=True)
            raise

    def _plain(self) -> dict[str, Any]:
        try:
            with self._path.open(encoding="utf-8") as file:
                plain = json.loads(file.read(FILE_BYTES_MAX))
        except (OSError, ValueError, RecursionError):
            return {}
        return plain if isinstance(plain, dict) else {}


def _switch(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError(value)
    return value
