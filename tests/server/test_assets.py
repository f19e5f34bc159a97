"""The page's files: read once, named by their build, and sent as browsers like it."""

from __future__ import annotations

import gzip
import re
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import pytest

from guandan_server.assets import DRAFT, NOTHING, Assets, imports
from guandan_server.config import Config
from guandan_server.node import Node, open_node
from tests.server.test_actor import AnyBrains
from tests.server.test_gate import http

LONG = "words(); words(); words();\n" * 20
FILES = {
    "index.html": '<html data-build="{{build}}">\n{{preload}}\n</html>',
    "main.js": 'import "./words.js";\nimport("./home.js"); import("./room.js");',
    "home.js": 'import "./words.js"; import("./late.js");',
    "room.js": 'import { a } from "./table/hand.js";\nimport("./late.js");',
    "words.js": LONG,
    "late.js": "export {};",
    "table/hand.js": 'export * from "../vendor/ui.js";import {\n  a,\n} from "./card.js";',
    "table/card.js": 'export { a } from "./hand.js"; // in a ring',
    "vendor/ui.js": "export const a = 1;",
    "vendor/ui.d.ts": "export const a: number;",
    "vendor/LICENSE": "a text",
    "style/base.css": "body { margin: 0 }",
    "style/home.css": "main { margin: 0 }",
    "style/hand.css": "hr { margin: 0 }",
    "style/table.css": "p { margin: 0 }",
    "manifest.webmanifest": '{"start_url": "/?{{build}}"}',
    "icon.svg": "<svg/>",
    ".hidden.js": "no",
    "__pycache__/x.js": "no",
}
PNG = bytes(range(256)) * 4


def tree(folder: Path, files: Mapping[str, str] = FILES) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (folder / "logo.png").write_bytes(PNG)
    return folder


@pytest.fixture
def assets(tmp_path: Path) -> Assets:
    return Assets.read(tree(tmp_path))


def body(assets: Assets, name: str) -> str:
    found = assets.at(f"/a/{assets.build}/{name}")
    assert found is not None
    return found.body.decode()


# Reading


def test_the_build_is_of_all_names_and_contents(tmp_path: Path) -> None:
    first = Assets.read(tree(tmp_path / "one")).build
    assert len(first) == 12
    assert Assets.read(tree(tmp_path / "two")).build == first
    changed = {**FILES, "table/card.js": "export {};"}
    renamed = {("words2.js" if name == "words.js" else name): text for name, text in FILES.items()}
    others = {
        Assets.read(tree(tmp_path / f"{i}", files)).build
        for i, files in enumerate((changed, renamed))
    }
    assert len(others | {first}) == 3


def test_what_is_no_part_of_the_page_does_not_count(tmp_path: Path) -> None:
    first = Assets.read(tree(tmp_path / "one")).build
    noted = tree(tmp_path / "two", {**FILES, "notes.md": "x", "main.js~": "x", "types.d.ts": "x"})
    assert Assets.read(noted).build == first


def test_every_file_is_found_under_its_build_only(assets: Assets) -> None:
    assert body(assets, "words.js") == LONG
    assert body(assets, "table/card.js").startswith("export")
    for path in (
        "/a/000000000000/words.js",
        f"/a/{assets.build}",
        f"/a/{assets.build}/",
        f"/a/{assets.build}/table",
        f"/a/{assets.build}/table/../words.js",
        f"/a/{assets.build}//words.js",
        f"/a/{assets.build}/vendor/LICENSE",
        f"/a/{assets.build}/vendor/ui.d.ts",
        f"/a/{assets.build}/.hidden.js",
        f"/a/{assets.build}/__pycache__/x.js",
        "/words.js",
        "/index.html",
        "/a/",
        "",
    ):
        assert assets.at(path) is None, path


def test_some_files_are_at_the_top_too(assets: Assets) -> None:
    for name in ("icon.svg", "manifest.webmanifest"):
        assert assets.at(f"/{name}") is assets.at(f"/a/{assets.build}/{name}")
    assert body(assets, "manifest.webmanifest") == f'{{"start_url": "/?{assets.build}"}}'


def test_text_is_sent_zipped_where_that_is_less(assets: Assets) -> None:
    def of(name: str) -> tuple[str, bool]:
        found = assets.at(f"/a/{assets.build}/{name}")
        assert found is not None
        if found.zipped is not None:
            assert gzip.decompress(found.zipped) == found.body
        return found.kind, found.zipped is not None

    assert of("words.js") == ("text/javascript; charset=utf-8", True)
    assert of("style/base.css") == ("text/css; charset=utf-8", False)
    assert of("icon.svg") == ("image/svg+xml; charset=utf-8", False)
    assert of("logo.png") == ("image/png", False)


def test_two_readings_are_the_same_to_the_byte(tmp_path: Path) -> None:
    tree(tmp_path)
    assert Assets.read(tmp_path) == Assets.read(tmp_path)


def linked(assets: Assets, path: str) -> list[tuple[str, str]]:
    """What the page at an address links to, each with its relation."""
    page = assets.page(path)
    assert page is not None
    assert f'data-build="{assets.build}"' in page.body.decode()
    links = re.findall(r'<link rel="(\w+)" href="/a/(\w+)/([^"]+)">', page.body.decode())
    assert {build for _, build, _ in links} == {assets.build}
    return [(rel, name) for rel, _, name in links]


@pytest.mark.parametrize("path", ["/r/K7QX2M", "/watch/K7QX2M"])
def test_the_page_of_a_table_links_to_what_a_table_needs(assets: Assets, path: str) -> None:
    assert linked(assets, path) == [
        ("stylesheet", "style/table.css"),
        ("stylesheet", "style/hand.css"),
        ("modulepreload", "main.js"),
        ("modulepreload", "room.js"),
        ("modulepreload", "words.js"),
        ("modulepreload", "table/hand.js"),
        ("modulepreload", "vendor/ui.js"),
        ("modulepreload", "table/card.js"),
    ]


def test_the_page_of_the_start_has_nothing_of_a_table(assets: Assets) -> None:
    for path in ("/", "", "/no/such/screen"):
        assert linked(assets, path) == [
            ("stylesheet", "style/home.css"),
            ("modulepreload", "main.js"),
            ("modulepreload", "home.js"),
            ("modulepreload", "words.js"),
        ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('import x from "./a.js"', ["a.js"]),
        ("import * as x from './a.js'", ["a.js"]),
        ('import{a as b}from"./a.js";import"./b.js";export*from"./c.js"', ["a.js", "b.js", "c.js"]),
        ('import {\n  one,\n  two,\n} from "./a.js";', ["a.js"]),
        ('const late = () => import("./a.js");', []),
        ('export const text = "./a.js";', []),
        ('import { h } from "preact"', []),
        ('/** @import { Seat } from "./types.js" */', []),
        ('/** @type {import("./types.js").Seat} */', []),
        ('const important = from("./a.js")', []),
    ],
)
def test_imports_are_read(text: str, found: list[str]) -> None:
    assert imports("main.js", text) == found


def test_comments_stay_here_and_lines_keep_their_numbers(tmp_path: Path) -> None:
    text = """// about it
/*! a licence */
/**
 * @param {number} a
 */
export const f = (a) => a; // beside
  /** @type {string} */ const b = "// in a text";
  g(/** @type {(a: number) => void} */ (f), /** @note */ b);
"""
    files = {**FILES, "f.js": text, "g.css": "/* x\n*/ a { b: c }\n/*! y */"}
    assets = Assets.read(tree(tmp_path, files))
    assert body(assets, "f.js") == (
        "\n/*! a licence */\n\n\n\nexport const f = (a) => a; // beside\n"
        'const b = "// in a text";\ng((f), /** @note */ b);\n'
    )
    assert body(assets, "g.css") == "\na { b: c }\n/*! y */"
    assert body(Assets.read(tmp_path, is_draft=True), "f.js") == text


def test_a_draft_may_not_be_kept(tmp_path: Path) -> None:
    draft = Assets.read(tree(tmp_path), is_draft=True)
    assert draft.build == DRAFT
    assert body(draft, "words.js") == LONG
    assert not draft.lasts("/a/dev/words.js")
    assert Assets.read(tmp_path).lasts("/a/dev/words.js")
    assert not Assets.read(tmp_path).lasts("/icon.svg")


def test_a_folder_without_a_page_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there is no index"):
        Assets.read(tmp_path)


# Serving


@pytest.fixture
async def node(tmp_path: Path, assets: Assets) -> AsyncIterator[Node]:
    config = Config(port=0, data_dir=tmp_path / "data")
    async with open_node(config, AnyBrains(), shelf=lambda: assets) as node:
        yield node


async def get(
    node: Node, path: str, *, host: str = "table.example:8765", method: str = "GET", **more: str
) -> tuple[int, dict[str, str], bytes]:
    headers = {"Host": host} | {name.replace("_", "-"): value for name, value in more.items()}
    lines = "".join([f"{name}: {value}\r\n" for name, value in headers.items()])
    return await http(node, f"{method} {path} HTTP/1.1\r\n{lines}\r\n")


async def test_every_address_of_the_page_answers_with_it(node: Node, assets: Assets) -> None:
    for path in """
        / /?x=1 /r/K7QX2M /r/k7qx2m /watch/K7QX2M /replay/K7QX2M-1 /rules /rules/national-2017 /help
        """.split():
        status, headers, page = await get(node, path)
        assert (path, status) == (path, 200)
        assert headers["content-type"] == "text/html; charset=utf-8"
        assert headers["cache-control"] == "no-cache"
        expected = assets.page(path.partition("?")[0])
        assert expected is not None
        assert page == expected.body


async def test_anything_else_is_not_there(node: Node) -> None:
    for path in r"""
        /r/ /r/K7/QX /r/<script> /r /watch /rules/ /rules/a/b /replay/../x /index.html /a /a/ //
        /qr/.svg /qr/K7QX2M /qr/K7QX2M.png /favicon.ico /ws/ /main.js%00 /%ff%fe /a/\..\x
        /%2e%2e/etc/passwd /a/%2e%2e/main.js /../etc/passwd
        """.split():
        status, headers, _ = await get(node, path)
        assert (path, status) == (path, 404)
        assert headers["cache-control"] == "no-cache"


async def test_a_browser_that_asks_for_what_is_not_there_gets_the_page_which_says_so(
    node: Node, assets: Assets
) -> None:
    start = assets.page("/")
    assert start is not None
    accept = "text/html,application/xhtml+xml,*/*;q=0.8"
    for path in ("/nonsense", "/rules/a/b", "/a/0123456789ab/words.js"):
        status, headers, page = await get(node, path, Accept=accept)
        assert (path, status, page) == (path, 404, start.body)
        assert headers["content-type"] == "text/html; charset=utf-8"
        assert "script-src 'self'" in headers["content-security-policy"]
        # Modules, pictures and programs are told in a word.
        for other in ("*/*", "image/avif,image/webp,*/*;q=0.8"):
            status, _, text = await get(node, path, Accept=other)
            assert (path, status, text) == (path, 404, b"no such page\n")


async def test_the_page_has_a_strict_policy(node: Node) -> None:
    _, headers, _ = await get(node, "/")
    policy = dict(
        part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";")
    )
    assert policy == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self' data:",
        "font-src": "'self'",
        "connect-src": "'self' ws://table.example:8765 wss://table.example:8765",
        "manifest-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


async def test_a_host_cannot_write_into_the_policy(node: Node) -> None:
    for host in ("a b", "x;script-src *", "é", "a:b", "[::1", "*", ""):
        _, headers, _ = await get(node, "/", host=host)
        assert "connect-src 'self';" in headers["content-security-policy"]
        status, _, _ = await get(node, "/qr/K7QX2M.svg", host=host)
        assert status == 404


async def test_files_are_kept_for_ever_and_the_page_is_asked_for_again(
    node: Node, assets: Assets
) -> None:
    path = f"/a/{assets.build}/words.js"
    status, headers, text = await get(node, path)
    assert (status, text) == (200, LONG.encode())
    assert headers["cache-control"] == "public, max-age=31536000, immutable"
    assert headers["vary"] == "accept-encoding"
    status, headers, text = await get(node, "/icon.svg")
    assert (status, headers["cache-control"], text) == (200, "no-cache", b"<svg/>")


async def test_an_old_build_is_gone(node: Node, assets: Assets) -> None:
    status, headers, _ = await get(node, "/a/0123456789ab/words.js")
    assert (status, headers["cache-control"]) == (404, "no-cache")
    status, headers, build = await get(node, "/build")
    assert (status, headers["cache-control"]) == (200, "no-cache")
    assert build.decode() == assets.build


async def test_gzip_is_for_those_who_take_it(node: Node, assets: Assets) -> None:
    path = f"/a/{assets.build}/words.js"
    takes = dict.fromkeys(["gzip", "br, GZIP;q=0.5", "*"], True)
    for accepted, zipped in {**takes, "br": False, "gzip;q=0": False, "gzip; q=0.0": False}.items():
        _, headers, text = await get(node, path, Accept_Encoding=accepted)
        assert headers.get("content-encoding") == ("gzip" if zipped else None), accepted
        assert (gzip.decompress(text) if zipped else text) == LONG.encode()
        assert int(headers["content-length"]) == len(text)


async def test_what_a_browser_has_is_not_sent_again(node: Node, assets: Assets) -> None:
    for path in ("/", f"/a/{assets.build}/words.js"):
        tags = set()
        for accepted in ("gzip", "br"):
            _, headers, _ = await get(node, path, Accept_Encoding=accepted)
            tag = headers["etag"]
            tags.add(tag)
            for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
                status, again, nothing = await get(
                    node, path, Accept_Encoding=accepted, If_None_Match=known
                )
                assert (status, nothing, again["etag"]) == (304, b"", tag)
                assert again["cache-control"] == headers["cache-control"]
            status, _, _ = await get(node, path, Accept_Encoding=accepted, If_None_Match='"other"')
            assert status == 200
        assert len(tags) == (2 if path != "/" else len(tags))


async def test_head_is_get_without_a_body(node: Node, assets: Assets) -> None:
    for path in ("/", f"/a/{assets.build}/words.js", "/build", "/nothing", "/qr/K7QX2M.svg"):
        status, headers, _ = await get(node, path)
        head_status, head, nothing = await get(node, path, method="HEAD")
        assert (head_status, head, nothing) == (status, headers, b"")


async def test_a_long_address_is_told_so(node: Node) -> None:
    status, _, _ = await get(node, "/" + "a" * 9_000)
    assert status == 414


async def test_the_link_of_a_room_as_a_picture(node: Node) -> None:
    status, headers, picture = await get(node, "/qr/k7qx2m.svg")
    assert (status, headers["content-type"]) == (200, "image/svg+xml; charset=utf-8")
    assert b"<title>http://table.example:8765/r/K7QX2M</title>" in picture
    _, _, picture = await get(node, "/qr/K7QX2M.svg", X_Forwarded_Proto="https")
    assert b"<title>https://table.example:8765/r/K7QX2M</title>" in picture


async def test_on_this_machine_the_picture_is_for_the_others(node: Node) -> None:
    node.is_near("http://192.168.1.5:8765")
    for host in ("127.0.0.1:8765", "localhost:8765", "[::1]:8765"):
        _, _, picture = await get(node, "/qr/K7QX2M.svg", host=host)
        assert b"<title>http://192.168.1.5:8765/r/K7QX2M</title>" in picture
    # Whoever comes through a proxy does not sit here, and need not know our network.
    _, _, picture = await get(node, "/qr/X.svg", host="localhost", X_Forwarded_For="203.0.113.7")
    assert b"<title>http://localhost/r/X</title>" in picture


async def test_the_public_address_wins(tmp_path: Path) -> None:
    config = Config(port=0, data_dir=tmp_path, public_url="https://cards.example/")
    async with open_node(config, AnyBrains()) as node:
        for host in ("localhost", "192.168.1.5:8765", "a b"):
            _, _, picture = await get(node, "/qr/K7QX2M.svg", host=host)
            assert b"<title>https://cards.example/r/K7QX2M</title>" in picture


async def test_a_server_without_a_page_says_how_to_play(tmp_path: Path) -> None:
    async with open_node(Config(port=0, data_dir=tmp_path), AnyBrains()) as node:
        status, headers, text = await get(node, "/r/K7QX2M")
        assert (status, headers["content-type"]) == (200, "text/plain; charset=utf-8")
        assert b"guandan play" in text
        assert await get(node, "/icon.svg") == await get(node, "/nothing")
    assert NOTHING.at("/icon.svg") is None


async def test_a_draft_is_read_anew(tmp_path: Path) -> None:
    folder = tree(tmp_path / "page")
    config = Config(port=0, data_dir=tmp_path / "data")
    shelf = lambda: Assets.read(folder, is_draft=True)  # noqa: E731  as `serve` has it
    async with open_node(config, AnyBrains(), shelf=shelf) as node:
        (folder / "words.js").write_text("export const word = 2;", encoding="utf-8")
        status, headers, text = await get(node, "/a/dev/words.js")
        assert (status, headers["cache-control"]) == (200, "no-cache")
        assert text == b"export const word = 2;"
