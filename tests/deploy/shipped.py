"""The files of deploy/ and docs/ as the tests read them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from guandan_cli import serve as serve_module

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
DOCS = ROOT / "docs"


def documents(path: Path) -> list[Any]:
    """All documents of a YAML file."""
    return [one for one in yaml.safe_load_all(path.read_text(encoding="utf-8")) if one is not None]


def document(path: Path) -> Any:
    (only,) = documents(path)
    return only


def serve_options() -> set[str]:
    """The options of `guandan serve`, as they are typed."""
    names = inspect.signature(serve_module.serve).parameters
    return {f"--{name.replace('_', '-')}" for name in names}


def rows(markdown: str, heading: str) -> Iterator[tuple[str, ...]]:
    """The cells of the first table below a heading, without its own two lines."""
    _, found, after = markdown.partition(f"\n{heading}\n")
    assert found, f"there is no heading {heading!r}"
    table: list[str] = []
    for line in after.splitlines():
        if line.startswith("|"):
            table.append(line)
        elif table or re.match(r"#+ ", line):
            break
    assert len(table) > 2, f"there is no table below {heading!r}"
    for line in table[2:]:
        yield tuple([cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))])
