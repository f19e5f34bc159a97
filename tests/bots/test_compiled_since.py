"""Whether compiled modules are made from the sources that lie beside them."""

from __future__ import annotations

from pathlib import Path

from guandan_bots.compiled import NOTED, changed_since, noted


def test_a_source_that_is_another_one_now_is_named(tmp_path: Path) -> None:
    (tmp_path / "club").mkdir()
    sources = [tmp_path / "club" / name for name in ("weighing.py", "table.py", "traits.py")]
    for path in sources:
        path.write_text(f"# {path.name}")
    assert changed_since(tmp_path) == ()  # nothing was compiled
    (tmp_path / NOTED).write_text(noted(sources, tmp_path))
    assert changed_since(tmp_path) == ()
    sources[0].write_text("# weighs in another way")
    sources[1].unlink()
    assert changed_since(tmp_path) == ("club/table.py", "club/weighing.py")
    sources[0].write_text("# weighing.py")
    assert changed_since(tmp_path) == ("club/table.py",)
    (tmp_path / NOTED).write_text("")  # compiling was broken off
    assert changed_since(tmp_path) == (NOTED,)
