"""The page's modules hold what their types promise, and read the frames that the server writes."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from guandan_server.assets import Assets
from guandan_web import static
from tests.web.npm import ROOT, STATIC, installed, need_node, run

CONFIG = ROOT / "tools/web/jsconfig.json"
FRAMES = ROOT / "tests/protocol/golden/index.json"

READ_FRAMES = """
import { readFileSync } from "node:fs";
import { decode } from %(module)s;
const plain = (value) => {
  if (value instanceof Uint8Array) return { hex: Buffer.from(value).toString("hex") };
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plain(part)]));
};
const frames = JSON.parse(readFileSync(%(frames)s));
console.log(JSON.stringify(frames.map(({ frame }) => plain(decode(Buffer.from(frame, "hex"))))));
"""


def checked(folder: Path, tmp_path: Path, *more: str) -> list[str]:
    """What the checker complains about in the page, and in more files."""
    config = {
        "extends": str(CONFIG),
        "compilerOptions": {"paths": {"*": [f"{folder}/node_modules/*"]}},
        "include": [f"{STATIC}/**/*.js", f"{STATIC}/**/*.d.ts", *more],
        "exclude": [f"{STATIC}/vendor/*.js"],
    }
    project = tmp_path / "jsconfig.json"
    project.write_text(json.dumps(config), encoding="utf-8")
    try:
        run(folder / "node_modules/.bin/tsc", "--project", project, "--pretty", "false")
    except subprocess.CalledProcessError as error:
        return str(error.stdout).splitlines()
    return []


def test_types_hold(tmp_path: Path) -> None:
    complaints = checked(installed(), tmp_path)
    if complaints:
        pytest.fail("\n".join(complaints), pytrace=False)


def test_a_broken_type_is_seen(tmp_path: Path) -> None:
    broken = tmp_path / "broken.js"
    broken.write_text(
        f"/** @type {{import({json.dumps(str(STATIC / 'types.js'))}).Seat}} */\n"
        "export const seat = 5;\n",
        encoding="utf-8",
    )
    complaints = checked(installed(), tmp_path, str(broken))
    assert any("broken.js(2," in complaint and "'5'" in complaint for complaint in complaints)


def test_modules_mean_the_same_without_their_comments(tmp_path: Path) -> None:
    """The server leaves them out by lines; what was none would be missed."""
    folder = installed()
    for name, body in sources().items():
        for kind, text in (("written", (STATIC / name).read_bytes()), ("sent", body)):
            path = tmp_path / kind / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text)
    esbuild = folder / "node_modules/.bin/esbuild"
    for kind in ("written", "sent"):
        files = [str(tmp_path / kind / name) for name in sources()]
        out = f"--outdir={tmp_path / kind / 'out'}"
        run(esbuild, *files, "--minify", "--legal-comments=none", out)
    for name in sources():
        written, sent = [(tmp_path / kind / "out" / name) for kind in ("written", "sent")]
        assert unindented(written) == unindented(sent), name


def unindented(path: Path) -> str:
    """What is left of indents after minifying: those within markup, where they mean nothing."""
    return re.sub(r"\n\s*", "\n", path.read_text(encoding="utf-8"))


def sources() -> dict[str, bytes]:
    """Every module and sheet of styles as it is sent."""
    assets = Assets.read(static())
    names = [path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*.[jc]s*")]
    found = {name: assets.at(f"/a/{assets.build}/{name}") for name in sorted(names)}
    return {name: asset.body for name, asset in found.items() if asset is not None}


def test_the_page_reads_every_golden_frame() -> None:
    need_node()
    places = {
        "module": json.dumps((STATIC / "vendor/msgpack.js").as_uri()),
        "frames": json.dumps(str(FRAMES)),
    }
    told = json.loads(run("node", "--input-type=module", "--eval", READ_FRAMES % places))
    expected = json.loads(FRAMES.read_text(encoding="utf-8"))
    assert len(told) == len(expected) > 40
    for read, one in zip(told, expected, strict=True):
        assert read == one["message"], one["name"]
