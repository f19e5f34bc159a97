"""The commands; see the package."""

from __future__ import annotations

import sys
from pathlib import Path

from cyclopts import App

from tools.judge.collect import collect

app = App(name="judge", help="Teach the judge of the bots.")


@app.command(name="collect")
def collect_rows(folder: Path, *, seed: str, seconds: float = 600.0) -> None:
    """Play hands to learn from.

    Parameters
    ----------
    folder
        Where the rows go.
    seed
        Of the hands; another for each process, or they play the same ones.
    seconds
        For how long.

    """
    print(f"{collect(folder, seed=seed, seconds=seconds)} hands", file=sys.stderr)


@app.command
def learn(folder: Path, into: Path) -> None:
    """Learn from all rows of a folder.

    Parameters
    ----------
    folder
        Where the rows are.
    into
        Where the networks go.

    """
    # With numpy, which collecting can do without.
    from tools.judge.learn import learn as learned

    learned(folder, into)


if __name__ == "__main__":
    app()
