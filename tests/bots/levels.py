"""Each level as tests can afford it: `expert` tries little before it decides."""

from __future__ import annotations

from guandan_bots.expert import ExpertPolicy, ExpertStyle
from guandan_bots.policy import Policy, policy

__all__ = ["quick"]

PLAYOUTS = 60


def quick(name: str) -> Policy:
    """The policy of a level."""
    return ExpertPolicy(ExpertStyle(playouts=PLAYOUTS)) if name == "expert" else policy(name)
