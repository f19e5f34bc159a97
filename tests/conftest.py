"""What the whole suite knows: how much of it to run."""

from __future__ import annotations

import signal

import pytest

pytest.register_assert_rewrite("tests.server.store_contract")


def pytest_configure() -> None:
    # A shell that starts us in the background has us ignore Ctrl-C, and our children with us.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", action="store_true", help="run the big ones at their full size")


@pytest.fixture
def soak(request: pytest.FixtureRequest) -> bool:
    """Is there time for a test at its full size? (`make soak`)."""
    return bool(request.config.getoption("--soak"))
