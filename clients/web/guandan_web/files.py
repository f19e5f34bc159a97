"""Where the page is."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable

__all__ = ["static"]


def static() -> Traversable:
    """The folder of the page: what a browser gets, and nothing else."""
    return files(__package__) / "static"
