"""The page's files, read once into memory: a request looks a name up and touches no disk.

    Assets.read(tree)            everything below a folder
    assets.build                 a digest of all names and contents
    assets.at("/a/BUILD/x.js")   that file, to be kept for ever: another has another name
    assets.at("/icon.svg")       one of the few that browsers look for at the top
    assets.page("/r/K7QX2M")     `index.html`, as the screen of that address begins

In files at the top `{{build}}` stands for the build. `{{preload}}` in the page stands for links to
the styles of the screen that is asked for and to all modules that it imports: a browser then
fetches them side by side and not one after the other, and nothing of another screen.

Comments that have lines of their own stay here, and indentation: they are a fifth of what would
go over the wire.
"""

from __future__ import annotations

import gzip
import hashlib
import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from importlib.resources.abc import Traversable
from typing import Final

from attrs import field, frozen

__all__ = ["DRAFT", "NOTHING", "Asset", "Assets", "Shelf", "imports"]

DRAFT: Final = "dev"
"""The build of a tree that is being worked on: its names stay, so nobody may keep its files."""

_BUILD_DIGITS: Final = 12
_BELOW: Final = "/a/"
_ENTRY: Final = "main.js"
_PAGE: Final = "index.html"


@frozen
class _Screen:
    """What a screen begins with, beyond what `main.js` imports by itself."""

    module: str
    sheets: tuple[str, ...] = ()


_START: Final = _Screen("home.js", ("home",))
_TABLE: Final = _Screen("room.js", ("table", "seats", "hand"))
_RULES: Final = _Screen("rules.js", ("rules",))
_SCREENS: Final = {
    "": _START,
    "help": _RULES,
    "r": _TABLE,
    "replay": _Screen("replay.js", ("replay", "record")),
    "rules": _RULES,
    "watch": _TABLE,
}
"""By the first part of an address, as `main.js` has them."""

_AT_THE_TOP: Final = frozenset(
    """
    apple-touch-icon.png favicon.ico icon.svg manifest.webmanifest robots.txt sw.js
    """.split()
)
"""What is looked for there by its name."""

_TEXT: Final = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".webmanifest": "application/manifest+json",
}
_BINARY: Final = {
    ".ico": "image/x-icon",
    ".jpg": "image/jpeg",
    ".png": "image/png",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
"""A file of another kind is none of the page's: notes beside it, types, what editors leave."""


@frozen
class Asset:
    """A file as it is sent."""

    kind: str
    """Its content type."""
    body: bytes = field(repr=False)
    zipped: bytes | None = field(repr=False)
    """The same with gzip, where that is less."""
    tag: str
    """Of its content, for an ETag."""

    @classmethod
    def of(cls, kind: str, body: bytes, *, is_text: bool) -> Asset:
        # No time in it, so that every node of one build sends the same bytes.
        zipped = gzip.compress(body, 9, mtime=0) if is_text else body
        return cls(
            kind=f"{kind}; charset=utf-8" if is_text else kind,
            body=body,
            zipped=zipped if len(zipped) < len(body) else None,
            tag=hashlib.sha256(body).hexdigest()[:20],
        )


@frozen
class Assets:
    """All files of a page. `NOTHING` stands for a server without one."""

    build: str
    """Empty: there is no page."""
    _pages: Mapping[str, Asset] = field(repr=False)
    """By screen."""
    _files: Mapping[str, Asset] = field(repr=False)
    _top: Mapping[str, Asset] = field(repr=False)

    @classmethod
    def read(cls, tree: Traversable, *, is_draft: bool = False) -> Assets:
        """Everything below a folder; ValueError without an `index.html` there."""
        found = dict(sorted(_walk(tree, "")))
        if _PAGE not in found:
            raise ValueError(f"there is no {_PAGE} in {tree}")
        build = DRAFT if is_draft else _digest(found)
        if not is_draft:
            found = {name: _uncommented(name, body) for name, body in found.items()}
        built = {b"{{build}}": build.encode()}
        top = {
            name: _asset(name, _filled(found[name], built)) for name in found.keys() & _AT_THE_TOP
        }
        files = {name: top.get(name) or _asset(name, body) for name, body in found.items()}
        pages = {
            name: _asset(
                _PAGE,
                _filled(found[_PAGE], {b"{{preload}}": _preload(found, screen)} | built),
            )
            for name, screen in _SCREENS.items()
        }
        files[_PAGE] = pages[""]
        return cls(build=build, pages=pages, files=files, top=top)

    def page(self, path: str) -> Asset | None:
        """What an address of the page is answered with; None if there is no page."""
        screen = path.removeprefix("/").partition("/")[0]
        return self._pages.get(screen) or self._pages.get("")

    def at(self, path: str) -> Asset | None:
        """What is at an address; None if nothing is, or not in this build."""
        if not path.startswith(_BELOW):
            return self._top.get(path.removeprefix("/"))
        build, _, name = path.removeprefix(_BELOW).partition("/")
        return self._files.get(name) if build == self.build else None

    def lasts(self, path: str) -> bool:
        """May what is at an address be kept for ever?"""
        return path.startswith(_BELOW) and self.build != DRAFT


NOTHING: Final = Assets(build="", pages={}, files={}, top={})

Shelf = Callable[[], Assets]
"""Gives the assets of the moment: always the same ones, or a draft that is read anew."""


def _walk(folder: Traversable, above: str) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        name = above + entry.name
        if entry.name.startswith((".", "_")):
            continue
        if entry.is_dir():
            yield from _walk(entry, f"{name}/")
        elif posixpath.splitext(name)[1] in _TEXT.keys() | _BINARY.keys():
            yield name, entry.read_bytes()


def _digest(files: Mapping[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name, body in files.items():
        digest.update(f"{name}\0{len(body)}\0".encode() + body)
    return digest.hexdigest()[:_BUILD_DIGITS]


def _asset(name: str, body: bytes) -> Asset:
    suffix = posixpath.splitext(name)[1]
    return Asset.of(_TEXT.get(suffix) or _BINARY[suffix], body, is_text=suffix in _TEXT)


def _filled(body: bytes, fills: Mapping[bytes, bytes]) -> bytes:
    for name, text in fills.items():
        body = body.replace(name, text)
    return body


# Comments

_OWN_LINES: Final = {
    ".js": re.compile(rb"^[ \t]*(?://.*$|/\*(?!!)(?s:.*?)\*/)", re.MULTILINE),
    ".css": re.compile(rb"^[ \t]*/\*(?!!)(?s:.*?)\*/", re.MULTILINE),
}
"""Comments that begin a line; not those that begin with `/*!`, which are licences."""

# `/** @type {Seat} */`, `/** @param {string} a */` inside of a line; types hold no asterisk.
_TYPES: Final = re.compile(rb"/\*\* @(?:param|type)\b[^*\n]*\*/ ?")
_INDENTS: Final = re.compile(rb"^[ \t]+", re.MULTILINE)


def _uncommented(name: str, body: bytes) -> bytes:
    """The text without comments that begin a line, types and indents, and with as many lines.

    A line inside of a string that looks like one would go, too, and so would indents in a text of
    several lines: a test holds the page to having neither, but for markup, where they mean nothing.
    """
    suffix = posixpath.splitext(name)[1]
    pattern = _OWN_LINES.get(suffix)
    if pattern is None:
        return body
    body = pattern.sub(lambda found: b"\n" * found[0].count(b"\n"), body)
    if suffix == ".js":
        body = _TYPES.sub(b"", body)
    return _INDENTS.sub(b"", body)


# Modules

# `import {a, b} from "./x.js"`, `import "./x.js"`, `export * from "./x.js"`, at the start of a line
# or behind a semicolon. `import("./x.js")` is not meant: what is fetched later is not for now.
_STATEMENT: Final = re.compile(
    r"""
    (?: ^ | ; ) [ \t]*
    (?: import \s* (?: [^"'();]*? \b from \s* )?
      | export \b [^"'();=]*? \b from \s* )
    ["'] ([^"']+) ["']
    """,
    re.MULTILINE | re.VERBOSE,
)


def imports(name: str, text: str) -> list[str]:
    """The files that a module imports statically, by their names in the tree.

    >>> imports("table/hand.js", 'import {h} from "../vendor/ui.js"; import "./card.js";')
    ['vendor/ui.js', 'table/card.js']
    """
    folder = posixpath.dirname(name)
    found = [one for one in _STATEMENT.findall(text) if one.startswith(("./", "../"))]
    return [posixpath.normpath(posixpath.join(folder, one)) for one in found]


def _preload(files: Mapping[str, bytes], screen: _Screen) -> bytes:
    """A link for each style of a screen, and for each module it needs, the first one first."""
    wanted = [_ENTRY, screen.module]
    for name in wanted:  # grows while it is walked
        text = files.get(name, b"").decode(errors="replace")
        wanted += [one for one in dict.fromkeys(imports(name, text)) if one not in wanted]
    sheets = [f"style/{name}.css" for name in screen.sheets]
    links = [("stylesheet", sheet) for sheet in sheets] + [("modulepreload", one) for one in wanted]
    return "\n".join(
        [
            f'<link rel="{rel}" href="{_BELOW}{{{{build}}}}/{name}">'
            for rel, name in links
            if name in files
        ]
    ).encode()
