"""What the page lists is what the sources list."""

from __future__ import annotations

import pytest

from tools import web_catalogue
from tools.web_catalogue import FILE, render


def test_the_catalogue_is_up_to_date() -> None:
    stale = "run `python -m tools.web_catalogue --write`"
    assert FILE.read_text(encoding="utf-8") == render(), stale


def test_the_tool_fails_on_a_stale_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["web_catalogue"])
    assert web_catalogue.main() == 0
    monkeypatch.setattr(web_catalogue, "render", lambda: "// other")
    assert web_catalogue.main() == 1
    assert "out of date" in capsys.readouterr().err
