"""Settings from a file in TOML: what stands on top is for every command, a table for its command.

name = "Li"                     # wherever a command has such an option
server = "wss://cards.example/ws"

[serve]
host = "0.0.0.0"
trusted-proxy = ["10.0.0.0/8"]
"""

from __future__ import annotations

import tomllib
from collections.abc import Container, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from attrs import frozen
from cyclopts import Token

from guandan_cli.exits import Exit, Failure, about, said, system_says

if TYPE_CHECKING:
    from cyclopts import App, ArgumentCollection

__all__ = ["CONFIG_VARIABLE", "Configured", "config_path", "taken_from"]

CONFIG_VARIABLE: Final = "GUANDAN_CONFIG"
OPTION: Final = "--config"


def config_path(environment: Mapping[str, str]) -> Path:
    """Where the file is that is read unasked; the XDG rule, which ignores a relative path."""
    named = environment.get("XDG_CONFIG_HOME", "")
    if named.startswith("/"):
        return Path(named) / "guandan/config.toml"
    home = environment.get("HOME", "")
    return (Path(home) if home.startswith("/") else Path.home()) / ".config/guandan/config.toml"


def taken_from(
    arguments: Sequence[str], environment: Mapping[str, str]
) -> tuple[list[str], Path | None]:
    """The arguments without `--config FILE`, and the file to read; None if there is none.

    A file that was named must be there, the one in its usual place need not.
    """
    rest, named = [], environment.get(CONFIG_VARIABLE, "")
    words = iter(arguments)
    for word in words:
        if word == "--":
            rest += [word, *words]
        elif word == OPTION:
            named = next(words, "")
            if not named:
                raise Failure(Exit.USAGE, about(OPTION, said("error.which_file")))
        elif word.startswith(OPTION + "="):
            named = word.removeprefix(OPTION + "=")
        else:
            rest.append(word)
    if named:
        return rest, Path(named)
    usual = config_path(environment)
    return rest, usual if usual.is_file() else None


@frozen
class Configured:
    """A file's settings as a layer below the environment."""

    file: Path
    settings: Mapping[str, Any]

    @classmethod
    def read(cls, file: Path, commands: Container[str]) -> Configured:
        """Failure if the file cannot be read, or has a table for no command."""
        try:
            settings = tomllib.loads(file.read_text(encoding="utf-8"))
        except FileNotFoundError as error:
            raise Failure(Exit.NOT_FOUND, about(file, said("error.no_file"))) from error
        except OSError as error:
            raise Failure(Exit.FAILURE, about(file, system_says(error))) from error
        except UnicodeDecodeError as error:
            raise Failure(
                Exit.FAILURE, about(file, said("error.no_settings", why=error))
            ) from error
        except tomllib.TOMLDecodeError as error:
            raise Failure(Exit.USAGE, about(file, said("error.no_settings", why=error))) from error
        for name, value in settings.items():
            if isinstance(value, dict) and name not in commands:
                raise Failure(Exit.USAGE, about(file, said("error.no_table", name=name)))
        return cls(file, settings)

    def __call__(self, app: App, commands: tuple[str, ...], arguments: ArgumentCollection) -> None:
        """Called by cyclopts once the command is known; fills in what nothing else has set."""
        del app
        general = {k: v for k, v in self.settings.items() if not isinstance(v, dict)}
        own = self.settings.get(commands[0], {}) if commands else {}
        options = {
            argument.name.lstrip("-"): argument
            for argument in arguments
            if argument.name.startswith("--")
        }
        for name, value in {**general, **own}.items():
            argument = options.get(name.replace("_", "-"))
            if argument is None:
                if name in own:
                    unknown = said("error.no_setting", command=commands[0], name=name)
                    raise Failure(Exit.USAGE, about(self.file, unknown))
                continue
            if argument.tokens:
                continue
            for i, one in enumerate(value if isinstance(value, list) else [value]):
                text = str(one).lower() if isinstance(one, bool) else str(one)
                argument.append(
                    Token(keyword=f"--{name}", value=text, source=str(self.file), index=i)
                )
