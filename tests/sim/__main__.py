"""`python -m tests.sim`: worlds from the command line, see the package."""

from __future__ import annotations

import argparse
import sys
import time

from tests.sim.world import Broken, run


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.sim", description=__doc__)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--seed", type=int, help="one world")
    what.add_argument("--seeds", metavar="A..B", help="all worlds from A up to B")
    parser.add_argument("--verbose", action="store_true", help="tell the story")
    chosen = parser.parse_args()
    if chosen.seed is not None:
        seeds = range(chosen.seed, chosen.seed + 1)
    else:
        first, _, last = chosen.seeds.partition("..")
        seeds = range(int(first), int(last) + 1)
    tell = print if chosen.verbose else None
    failed = []
    began = time.monotonic()
    for seed in seeds:
        try:
            outcome = run(seed, tell=tell)
        except Broken as broken:
            failed.append(seed)
            print(broken, flush=True)
        else:
            if len(seeds) == 1:
                print(outcome)
    took = time.monotonic() - began
    print(f"{len(seeds)} worlds in {took:.1f} s, {len(failed)} broken: {failed}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
