"""The players that a command names: levels, levels with other figures, classes in files."""

from __future__ import annotations

from typing import Final

from guandan_bots.named import FigureError, FileError, named_policy
from guandan_bots.policy import POLICIES, Policy, UnknownLevel
from guandan_cli import flags
from guandan_cli.exits import Exit, Failure, about, said

__all__ = ["OWN", "named"]

OWN: Final = "FILE.py:CLASS is a policy of your own"
"""For the help of whatever takes a level of this machine."""


def named(level: str, flag: str = "") -> Policy:
    """What it names; Failure for wrong usage of the flag, if it comes with one."""
    try:
        return named_policy(level)
    except UnknownLevel as error:
        why = flags.no_level(error.name, POLICIES)
        raise Failure(Exit.USAGE, about(flag, why) if flag else why) from error
    except (FigureError, FileError) as error:
        why = said("error.no_figure", why=error)
        raise Failure(Exit.USAGE, about(flag, why) if flag else why) from error
