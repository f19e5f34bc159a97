"""`python -m tests.soak`: see the package."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path

from guandan_server import logs
from tests.soak.course import Soak, soak

QUIET = 0.2
"""Of the time; what remains is trouble."""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--rooms", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args(arguments)
    seconds = chosen.minutes * 60
    plan = Soak(
        rooms=chosen.rooms,
        seed=chosen.seed,
        trouble_s=seconds * (1 - QUIET),
        quiet_s=seconds * QUIET,
    )
    logs.configure(level="error", style="console")
    began_s = time.monotonic()

    def say(line: str) -> None:
        sys.stdout.write(f"{time.monotonic() - began_s:7.1f} {line}\n")
        sys.stdout.flush()

    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        summary = asyncio.run(soak(plan, Path(folder), say=say))
    sys.stdout.write("\n".join([*summary.lines(), ""]))
    return 0 if summary.holds else 1


if __name__ == "__main__":
    sys.exit(main())
