"""The image's recipe: linted, and its context holds all that the program is made of."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import zipfile
from fnmatch import fnmatch
from pathlib import Path

import pytest

from tests.deploy.shipped import DEPLOY, ROOT, serve_options

RECIPE = DEPLOY / "Dockerfile"


def instructions() -> list[tuple[str, str]]:
    """Keyword and arguments of each, with continued lines joined."""
    text = re.sub(r"^#.*\n", "", RECIPE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    lines = [line for line in re.sub(r"\\\n\s*", "", text).splitlines() if line.strip()]
    return [(line.partition(" ")[0], line.partition(" ")[2].strip()) for line in lines]


def last_stage() -> list[tuple[str, str]]:
    all_of_them = instructions()
    start = max(i for i, (keyword, _) in enumerate(all_of_them) if keyword == "FROM")
    return all_of_them[start:]


def is_ignored(path: str) -> bool:
    """As .dockerignore is read: the last pattern that matches decides."""
    ignored = False
    for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        pattern = line.removeprefix("!").rstrip("/")
        parts = path.split("/")
        above = ["/".join(parts[:i]) for i in range(1, len(parts) + 1)]
        if pattern.startswith("**/"):
            hit = any(fnmatch(part, pattern[3:]) for part in parts)
        else:
            hit = any(
                fnmatch(one, pattern) and one.count("/") == pattern.count("/") for one in above
            )
        if hit:
            ignored = not line.startswith("!")
    return ignored


def copied(folder: Path) -> None:
    """What the recipe copies out of the context, and nothing else."""
    for keyword, arguments in instructions():
        if keyword != "COPY" or arguments.startswith("--from"):
            continue
        *sources, target = arguments.split()
        for source in sources:
            found = [path for path in ROOT.glob(source.rstrip("/")) if not path.name.endswith("~")]
            assert found or source.endswith("*"), f"{source} is not there"
            for path in found:
                name = path.relative_to(ROOT).as_posix()
                into = folder / target / path.name if path.is_file() else folder / target
                for one in [path] if path.is_file() else sorted(path.rglob("*")):
                    inner = one.relative_to(ROOT).as_posix()
                    if one.is_file() and not is_ignored(inner):
                        place = into if one == path else into / one.relative_to(path)
                        place.parent.mkdir(parents=True, exist_ok=True)
                        shutil.copyfile(one, place)
                assert into.exists(), f"{name} is left out by .dockerignore"


def test_the_linter_has_nothing_to_say() -> None:
    said = subprocess.run(
        [Path(sys.executable).with_name("hadolint"), "--no-color", RECIPE],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (said.returncode, said.stdout, said.stderr) == (0, "", "")


def test_the_program_is_built_from_what_the_context_holds(tmp_path: Path) -> None:
    source = tmp_path / "src"
    copied(source)
    subprocess.run(
        [
            *(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"),
            *("--no-index", "--wheel-dir", tmp_path, source),
        ],
        check=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    held = set(zipfile.ZipFile(wheel).namelist())
    wanted = {
        path.relative_to(ROOT / folder).as_posix()
        for folder in ("engine", "protocol", "server", "bots", "clients/cli", "clients/web")
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and not is_ignored(path.relative_to(ROOT).as_posix())
    }
    assert wanted - held == set()
    assert not [name for name in held if name.startswith("tests/")]


@pytest.mark.parametrize(
    ("path", "ignored"),
    [
        ("engine/guandan_engine/cards.py", False),
        ("requirements/runtime.txt", False),
        ("pyproject.toml", False),
        ("engine/guandan_engine/__pycache__/cards.cpython-313.pyc", True),
        ("requirements/fast.txt", False),
        ("requirements/dev.txt", True),
        ("bots/guandan_bots/playout/games.cpython-311-x86_64-linux-gnu.so", True),
        ("tests/conftest.py", True),
        (".git/config", True),
        ("deploy/tls/privkey.pem", True),
        ("deploy/.env", True),
    ],
)
def test_what_the_context_holds(path: str, *, ignored: bool) -> None:
    assert is_ignored(path) is ignored


def test_what_runs_is_slim_and_nobody() -> None:
    stage = dict(last_stage())
    (base,) = [value for keyword, value in instructions() if keyword == "ARG"]
    assert re.fullmatch(r"PYTHON_IMAGE=python:3\.\d+-slim-\w+", base)
    user, _, group = stage["USER"].partition(":")
    assert int(user) >= 10_000 <= int(group)
    assert stage["STOPSIGNAL"] == "SIGTERM"
    assert "/healthz" in stage["HEALTHCHECK"]
    # Nothing that builds: no compiler, no pip, and only the finished environment from the first.
    everything = " ".join(value for _, value in last_stage())
    assert "apt-get" not in everything
    assert "pip uninstall --yes pip" in everything
    assert [value for key, value in last_stage() if key == "COPY"] == [
        "--from=build /opt/guandan /opt/guandan"
    ]


def test_everything_is_installed_by_hash() -> None:
    for keyword, value in instructions():
        if keyword == "RUN":
            for command in value.split("&&"):
                if " install " in command and "-m pip" in command:
                    assert "--require-hashes" in command or "--no-index" in command, command


def test_it_serves_other_machines_by_an_argument() -> None:
    stage = dict(last_stage())
    assert json.loads(stage["ENTRYPOINT"]) == ["guandan"]
    command = json.loads(stage["CMD"])
    assert command == ["serve", "--host", "0.0.0.0"]
    names = re.findall(r"GUANDAN_(\w+)=", stage["ENV"])
    assert {f"--{name.lower().replace('_', '-')}" for name in names} <= serve_options()
