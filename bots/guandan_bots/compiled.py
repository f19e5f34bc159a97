"""Are the compiled modules made from the sources that lie beside them?

`make fast` notes what it compiled, a line each with its SHA-256. Python takes a compiled module
before its source without a word, so whoever measures a change asks here first.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Final

__all__ = ["NOTED", "changed_since", "noted"]

PACKAGE: Final = Path(__file__).resolve().parent
NOTED: Final = "compiled.sha256"
"""In the package's folder; not there if nothing was compiled in place."""


def noted(sources: list[Path], package: Path = PACKAGE) -> str:
    """The lines for some sources of a package."""
    return "".join(
        f"{_sum(path)}  {path.relative_to(package).as_posix()}\n" for path in sorted(sources)
    )


def changed_since(package: Path = PACKAGE) -> tuple[str, ...]:
    """Sources, from the package's folder, that are not what was compiled.

    The note itself, if compiling was broken off and nobody knows.
    """
    try:
        lines = (package / NOTED).read_text(encoding="utf-8").splitlines()
    except OSError:
        return ()
    found = [] if lines else [NOTED]
    for line in lines:
        known, _, name = line.partition("  ")
        path = package / name
        if not path.is_file() or _sum(path) != known:
            found.append(name)
    return tuple(found)


def _sum(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()
