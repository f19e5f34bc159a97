"""What an operator can set. Bounds that are nobody's choice stand where they are used."""

from __future__ import annotations

import os
from pathlib import Path

from attrs import field, frozen

__all__ = ["Config", "default_data_dir", "default_thinkers"]


def default_data_dir() -> Path:
    """Where this user's programs keep their data (XDG), or below the working directory."""
    home = os.environ.get("XDG_DATA_HOME") or (
        f"{os.environ['HOME']}/.local/share" if os.environ.get("HOME") else "."
    )
    return Path(home) / "guandan"


def default_thinkers() -> int:
    """How many bots may think at a time: a core is left to the event loop, if there is one."""
    may_use = getattr(os, "sched_getaffinity", None)
    cores = len(may_use(0)) if may_use is not None else os.cpu_count() or 1
    return max(1, cores - 1)


@frozen
class Config:
    """The settings of one server process."""

    host: str = "127.0.0.1"
    """Where to listen; 0.0.0.0 lets other machines in."""
    port: int = 8765
    """0 takes any free one."""
    data_dir: Path = field(factory=default_data_dir)
    """Of the bundled store."""
    redis_url: str | None = None
    """A store of your own instead."""
    require_durable: bool = False
    """Refuse to start on a store that may lose what it acknowledged."""
    origins: tuple[str, ...] = ()
    """Web pages of other hosts that may connect."""
    trusted_proxies: tuple[str, ...] = ("127.0.0.1", "::1")
    """Addresses whose X-Forwarded-For is believed."""
    metrics_port: int | None = None
    """Where metrics are served, on a port of their own; None: nowhere."""
    metrics_host: str = "127.0.0.1"
    thinkers: int | None = None
    """Processes in which levels that take their time are decided; None: `default_thinkers`."""
    log_level: str = "info"
    log_format: str = "console"
    """`console` or `json`."""
    node: str = ""
    """This node's name among those on one store; empty: host name and port."""
    public_url: str = ""
    """The address to give to friends, where it is another than they see: https://…."""
    url: str = ""
    """Where clients reach this very node, sent there by others; empty: its address and path."""
    haste: float = 1.0
    """What bots take over a move, and for looking at a result, is divided by it."""
