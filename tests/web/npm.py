"""What checks the page's modules: exact versions from `tools/web`, installed once per lock file."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

__all__ = ["ROOT", "STATIC", "installed", "need_node", "run"]

ROOT: Final = Path(__file__).resolve().parent.parent.parent
STATIC: Final = ROOT / "clients/web/guandan_web/static"
_TOOLS: Final = ROOT / "tools/web"
_INSTALL_S: Final = 240


def need_node() -> None:
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("there is no node here: the page's modules are not checked")


def installed() -> Path:
    """The folder of `node_modules`, in our virtual environment; skips the test if there is none."""
    need_node()
    digest = hashlib.sha256((_TOOLS / "package-lock.json").read_bytes()).hexdigest()
    folder = Path(sys.prefix) / f"web-{digest[:12]}"
    if (folder / "done").exists():
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name in ("package.json", "package-lock.json"):
        shutil.copy(_TOOLS / name, folder)
    try:
        run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", cwd=folder)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        pytest.skip(f"npm cannot install its packages here: {str(error.stderr).strip()[-200:]}")
    (folder / "done").touch()
    return folder


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    """A program's output; CalledProcessError with what it said if it fails."""
    done = subprocess.run(
        command, cwd=cwd, capture_output=True, text=True, timeout=_INSTALL_S, check=True
    )
    return done.stdout
