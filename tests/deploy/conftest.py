"""The tests behind nginx need an nginx. Where there is none, it is said aloud."""

from __future__ import annotations

import os

import pytest

from tests.deploy.fronts import nginx

NEEDS_NGINX = "tests/deploy/test_nginx.py"
_left_out: list[str] = []


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what cannot run here, unless this is the build machine: there it fails."""
    if nginx() is not None or os.environ.get("CI"):
        return
    out = [item for item in items if item.nodeid.startswith(NEEDS_NGINX)]
    if out:
        _left_out.extend(item.nodeid for item in out)
        config.hook.pytest_deselected(items=out)
        items[:] = [item for item in items if item not in out]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if _left_out:
        terminalreporter.write_line(
            f"NOT TESTED: {NEEDS_NGINX} ({len(_left_out)} tests): there is no nginx here, and "
            "tools/test-tools.sh could not install one",
            red=True,
            bold=True,
        )
