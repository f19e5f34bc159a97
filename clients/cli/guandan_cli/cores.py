"""The processors of this machine."""

from __future__ import annotations

import os
import sys

__all__ = ["processors"]


def processors() -> int:
    """Those that this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
