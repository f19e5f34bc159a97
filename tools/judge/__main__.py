"""The commands; see the package."""

from __future__ import annotations

import sys
from pathlib import Path

from cyclopts import App

from guandan_bots.judge import Judge
from tools.judge.collect import collect

app = App(name="judge", help="Teach the judge of the bots.")


@app.command(name="collect")
def collect_rows(folder: Path, *, seed: str, seconds: float = 600.0, tricks: int = 0) -> None:
    """Play hands to learn from.

    Parameters
    ----------
    folder
        Where the rows go.
    seed
        Of the hands; another for each process, or they play the same ones.
    seconds
        For how long.
    tricks
        Tricks to be played before a choice is valued, besides its own: slower and noisier, but what
        the network of deals gets wrong tells less.

    """
    played = collect(folder, seed=seed, seconds=seconds, tricks=tricks)
    print(f"{played} hands", file=sys.stderr)


@app.command
def learn(folder: Path, into: Path, *, begin: Path | None = None) -> None:
    """Learn from all rows of a folder.

    Parameters
    ----------
    folder
        Where the rows are.
    into
        Where the networks go.
    begin
        Where networks are that have learned already, to go on from those.

    """
    # With numpy, which collecting can do without.
    from tools.judge import learn as lessons

    if begin is None:
        lessons.learn(folder, into)
    else:
        lessons.learn(folder, into, Judge.read(begin), choices=lessons.MORE)


if __name__ == "__main__":
    app()
