"""`python -m tests.sim`: worlds from the command line, see the package."""

from __future__ import annotations

import argparse
import sys
import time

from tests.sim.course import run
from tests.sim.story import Broken


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.sim", description=__doc__)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--seed", type=int, help="one world")
    what.add_argument("--seeds", metavar="A..B", help="all worlds from A up to B")
    parser.add_argument("--verbose", action="store_true", help="tell the story")
    chosen = parser.parse_args(arguments)
    if chosen.seed is not None:
        seeds = range(chosen.seed, chosen.seed + 1)
    else:
        first, _, last = chosen.seeds.partition("..")
        seeds = range(int(first), int(last) + 1)
    tell = _say if chosen.verbose else None
    failed = []
    began = time.monotonic()
    for seed in seeds:
        try:
            outcome = run(seed, tell=tell)
        except Broken as broken:
            failed.append(seed)
            _say(str(broken))
        else:
            if len(seeds) == 1:
                _say(str(outcome))
    took = time.monotonic() - began
    _say(f"{len(seeds)} worlds in {took:.1f} s, {len(failed)} broken: {failed}")
    return 1 if failed else 0


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
