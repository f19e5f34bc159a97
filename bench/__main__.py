"""`python -m bench`: what this machine's figures are, beside what they should be.

    python -m bench [--json]             the engine's, and the play-outs'
    python -m bench --server [--quick]   the server's; see `bench.server`
    python -m bench --thinking           what bots that think cost a node; see `bench.thinking`
    python -m bench --web                the page's, in a browser; see `bench.web`

Rates are per second of processor time, in this process alone. Absolute figures move with the
machine and with what else it does; the ratios to the plain listing in `bench.reference`, taken in
the same run, move much less.
"""

from __future__ import annotations

import json
import platform
import sys

from attrs import asdict

from bench import engine, playouts, server
from bench.figures import table


def main(arguments: list[str]) -> int:
    if "--server" in arguments:
        return server.main([one for one in arguments if one != "--server"])
    if "--thinking" in arguments:
        from bench import thinking

        return thinking.main([one for one in arguments if one != "--thinking"])
    if "--web" in arguments:
        from bench import web

        return web.main([one for one in arguments if one != "--web"])
    if arguments not in ([], ["--json"]):
        which = "[--json | --server … | --thinking … | --web]"
        print(f"usage: python -m bench {which}", file=sys.stderr)
        return 64
    measured = [*engine.figures(), *playouts.figures()]
    if arguments:
        print(json.dumps([asdict(one) for one in measured], indent=1))
    else:
        print(f"Python {platform.python_version()} on {platform.machine()}, one process\n")
        print(table(measured))
        print("\nTargets are for one idle core; elsewhere the ratios count.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
