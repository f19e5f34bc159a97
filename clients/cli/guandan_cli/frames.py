"""A finished match as steps that can be looked at in any order."""

from __future__ import annotations

from attrs import frozen

from guandan_cli.scene import Scene
from guandan_engine.cards import Cards

__all__ = ["Frame"]


@frozen
class Frame:
    """How things stood after one step."""

    scene: Scene
    """As a watcher sees it."""
    hands: tuple[Cards, Cards, Cards, Cards]
    lines: tuple[str, ...]
    """What happened in this step, in words."""
    opens_hand: bool
    opens_trick: bool
    """A new trick may be led now."""
