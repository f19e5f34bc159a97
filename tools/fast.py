"""Compile what the bots think with: twenty times the play-outs a second, and the same games.

What `club` weighs with takes a quarter of its time then, and the judge of `expert` half.

    make fast                             in place, beside their sources (ignored by git)
    GUANDAN_FAST=1 pip wheel .            into a wheel of this platform
    python tools/fast.py FOLDER [LEVEL]   into a copy of the packages in a folder: for tests, which
                                          do without the optimiser (level 0)

Needs a C compiler, Python's headers, mypy and setuptools. Nothing else needs any of this: without
the compiled modules the plain ones are used. Python looks for compiled modules before sources, so
compile again, or `make fast-off`, after a change there; `guandan doctor` and the arena say if you
should have.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
SOURCE: Final = ROOT / "bots"
ENGINE: Final = ROOT / "engine" / "guandan_engine"
"""Not compiled, but its types are looked at."""
PACKAGE: Final = Path("guandan_bots")
MODULES: Final = {
    "playout": ("figures", "hands", "arranging", "dealing", "games"),
    "club": ("table", "outlook", "grouping", "listing", "endgame", "traits", "weighing"),
    "judge": ("network", "inputs"),
}
"""By package, what is compiled: each package by itself, as if the others were not."""
SWITCH: Final = "GUANDAN_FAST"

SETUP: Final = """
from mypyc.build import mypycify
from setuptools import setup

setup(
    name="fast",
    packages=[],
    ext_modules=[
        module
        for group, modules in {groups!r}.items()
        for module in mypycify(
            ["--ignore-missing-imports", "--follow-imports=silent", *modules],
            opt_level={level!r},
            group_name=group,
        )
    ],
)
"""


def compiled(folder: Path, level: str = "3") -> list[Path]:
    """Copies the sources into a folder and compiles them there; the new files."""
    for source in (SOURCE / PACKAGE, ENGINE):
        shutil.copytree(source, folder / source.name, ignore=_no_python)
    groups = {
        f"{PACKAGE}.{package}.compiled": [
            (PACKAGE / package / f"{name}.py").as_posix() for name in names
        ]
        for package, names in MODULES.items()
    }
    (folder / "setup.py").write_text(SETUP.format(groups=groups, level=level), encoding="utf-8")
    subprocess.run(
        [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"],
        cwd=folder,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    shutil.rmtree(folder / "build")
    return _libraries(folder)


def _no_python(folder: str, names: list[str]) -> list[str]:
    """What is not to be copied."""
    return [
        name
        for name in names
        if not (name.endswith((".py", ".weights")) or (Path(folder) / name).is_dir())
        or name == "__pycache__"
    ]


def _libraries(folder: Path) -> list[Path]:
    return sorted(
        path
        for package in MODULES
        for pattern in ("*.so", "*.pyd")
        for path in (folder / PACKAGE / package).glob(pattern)
    )


def in_place() -> None:
    """Puts the compiled modules beside their sources, and notes what they were made from."""
    from guandan_bots.compiled import NOTED, noted  # not there where a wheel is built

    with tempfile.TemporaryDirectory() as folder:
        made = compiled(Path(folder))
        # Noted is what was compiled, whatever lies there by now; and not before all is in place.
        copy = Path(folder) / PACKAGE
        note = noted(
            [copy / part / f"{name}.py" for part, names in MODULES.items() for name in names], copy
        )
        (SOURCE / PACKAGE / NOTED).write_text("", encoding="utf-8")
        for path in made:
            # By renaming: a process that has the old one mapped keeps it.
            place = SOURCE / path.relative_to(folder)
            fresh = place.with_name(f"{path.name}.new")
            shutil.copy(path, fresh)
            fresh.replace(place)
        (SOURCE / PACKAGE / NOTED).write_text(note, encoding="utf-8")


def remove() -> None:
    from guandan_bots.compiled import NOTED  # likewise

    for path in (*_libraries(SOURCE), SOURCE / PACKAGE / NOTED):
        path.unlink(missing_ok=True)


def main(arguments: list[str]) -> int:
    if arguments == ["--remove"]:
        remove()
        return 0
    try:
        if arguments:
            compiled(Path(arguments[0]), *arguments[1:2])
        else:
            in_place()
    except subprocess.CalledProcessError:
        print(
            "compiling failed, the lines above say why; it takes a C compiler and Python's headers "
            "(Debian and Ubuntu: apt-get install gcc python3-dev) and setuptools. "
            "Without it the plain modules are used.",
            file=sys.stderr,
        )
        return 1
    return 0


try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # nobody builds a wheel
    pass
else:

    class FastHook(BuildHookInterface):  # type: ignore[type-arg]  # the stub leaves its config open
        """Puts the compiled modules into a wheel if the environment asks for it."""

        def dependencies(self) -> list[str]:
            return ["mypy>=2.4", "setuptools>=65"] if os.environ.get(SWITCH) == "1" else []

        def initialize(self, version: str, build_data: dict[str, Any]) -> None:
            if os.environ.get(SWITCH) != "1" or version == "editable":
                return
            self._folder = tempfile.TemporaryDirectory()
            for path in compiled(Path(self._folder.name)):
                place = path.relative_to(self._folder.name).as_posix()
                build_data["force_include"][str(path)] = place
            build_data["pure_python"] = False
            build_data["infer_tag"] = True

        def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
            del version, build_data, artifact_path
            if hasattr(self, "_folder"):
                self._folder.cleanup()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
