"""docs/operations.md says what the code does: options, limits, codes, and what is checked."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from guandan_cli import serve as serve_module
from guandan_cli.exits import Exit
from guandan_server import errors
from guandan_server.node import EXIT_INTERRUPTED
from tests.deploy.shipped import DOCS, ROOT, rows, serve_options

TEXT = (DOCS / "operations.md").read_text(encoding="utf-8")
HIDDEN = {"--haste", "--web-dev"}
"""For tests of whole matches, and for whoever writes the page; not in the help either."""


def test_every_option_is_there_with_its_variable_and_its_default() -> None:
    told = {
        option.strip("`"): (name, default) for option, name, default, _ in rows(TEXT, "### Options")
    }
    assert told.keys() == serve_options() - HIDDEN
    parameters = inspect.signature(serve_module.serve).parameters
    for option, (name, default) in told.items():
        variable = f"GUANDAN_{option[2:].upper().replace('-', '_')}"
        assert name == ("`REDIS_URL`" if option == "--redis" else f"`{variable}`")
        real = parameters[option[2:].replace("-", "_")].default
        match real:
            case bool():
                assert default == ("on" if real else "off")
            case tuple():
                assert default == (", ".join([f"`{one}`" for one in real]) or "none")
            case str() | int() if real:
                assert default == f"`{real}`"
            case _:
                # What is worked out when it starts is put in words.
                worked_out = ("--data-dir", "--node", "--node-url", "--thinkers")
                assert default == "none" or option in worked_out


def test_every_limit_is_there_and_is_what_it_is() -> None:
    for name, value, _ in rows(TEXT, "## Limits"):
        module, _, constant = name.strip("`").rpartition(".")
        assert getattr(importlib.import_module(module), constant) == int(value.replace(",", ""))


def test_the_limits_of_connections_and_addresses_are_all_there() -> None:
    told = {name.strip("`") for name, *_ in rows(TEXT, "## Limits")}
    for module in ("guandan_server.limits", "guandan_server.peers"):
        names = [name for name in vars(importlib.import_module(module)) if name.isupper()]
        assert names
        assert {f"{module}.{name}" for name in names} <= told


def test_every_exit_code_is_there() -> None:
    told = [int(code) for code, _ in rows(TEXT, "## Exit codes")]
    starts = {
        one.exit_code
        for one in vars(errors).values()
        if inspect.isclass(one)
        and issubclass(one, errors.StartError)
        and one is not errors.StartError
    }
    assert told == sorted({Exit.OK, Exit.USAGE, EXIT_INTERRUPTED} | starts)


@cache
def names_in(path: Path) -> frozenset[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return frozenset(
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
    )


def shown() -> Iterator[tuple[str, str]]:
    """Number, and what shows it."""
    for number, *_, by in rows(TEXT, "### What must hold"):
        yield number, by
    for number, *_, by in rows(TEXT, "### Reported elsewhere"):
        yield number, by


def test_every_check_has_its_row() -> None:
    wanted = [str(number) for number in range(1, 75)] + [f"P{number}" for number in range(1, 67)]
    assert [number for number, _ in shown()] == wanted


@pytest.mark.parametrize(("number", "by"), [*shown()], ids=[number for number, _ in shown()])
def test_what_shows_it_exists(number: str, by: str) -> None:
    named = re.findall(r"`([\w/]+\.py)::(\w+)`", by)
    assert by.count("`") == 2 * len(named), "not file::test in every pair of backticks"
    assert named or "open" in by, f"{number} says neither a test nor that it is open"
    for file, name in named:
        path = ROOT / "tests" / file
        assert path.is_file(), file
        assert name in names_in(path), f"{file} has no {name}"


def test_links_lead_somewhere() -> None:
    for document in (DOCS / "operations.md", DOCS / "play-with-friends.md"):
        text = document.read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)]+)\)", text):
            if "://" in target:
                continue
            path, _, anchor = target.partition("#")
            there = (document.parent / path).resolve() if path else document
            assert there.exists(), f"{document.name}: {target}"
            if anchor:
                found = re.findall(r"^#+ (.+)$", there.read_text(encoding="utf-8"), re.MULTILINE)
                anchors = {re.sub(r"[^\w -]", "", one.lower()).replace(" ", "-") for one in found}
                assert anchor in anchors, f"{document.name}: {target}"
