"""The page's files, read once into memory: a request looks a name up and touches no disk.

    Assets.read(tree)            everything below a folder
    assets.build                 a digest of all names and contents
    assets.at("/a/BUILD/x.js")   that file, to be kept for ever: another has another name
    assets.at("/icon.svg")       one of the few that browsers look for at the top
    assets.page                  `index.html`, which every address of the page answers with

In files at the top `{{build}}` stands for the build, and `{{preload}}` for links to all modules
that `main.js` imports: a browser then fetches them side by side and not one after the other.

Comments that have lines of their own stay here: they are a sixth of what would go over the wire.
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
    page: Asset | None
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
        fills = {b"{{build}}": build.encode(), b"{{preload}}": _preload(found, build).encode()}
        at_the_top = {name for name in found if name in _AT_THE_TOP or name == _PAGE}
        top = {name: _asset(name, _filled(found[name], fills)) for name in at_the_top}
        files = {name: top.get(name) or _asset(name, body) for name, body in found.items()}
        return cls(build=build, page=top.pop(_PAGE), files=files, top=top)

    def at(self, path: str) -> Asset | None:
        """What is at an address; None if nothing is, or not in this build."""
        if not path.startswith(_BELOW):
            return self._top.get(path.removeprefix("/"))
        build, _, name = path.removeprefix(_BELOW).partition("/")
        return self._files.get(name) if build == self.build else None

    def lasts(self, path: str) -> bool:
        """May what is at an address be kept for ever?"""
        return path.startswith(_BELOW) and self.build != DRAFT


NOTHING: Final = Assets(build="", page=None, files={}, top={})

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


def _uncommented(name: str, body: bytes) -> bytes:
    """The text without comments that begin a line, and with as many lines.

    A line inside of a string that looks like one would go, too: a test holds the page to having
    none.
    """
    pattern = _OWN_LINES.get(posixpath.splitext(name)[1])
    if pattern is None:
        return body
    return pattern.sub(lambda found: b"\n" * found[0].count(b"\n"), body)


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


def _preload(files: Mapping[str, bytes], build: str) -> str:
    """A link for each module that the first one needs, itself first."""
    wanted = [_ENTRY]
    for name in wanted:  # grows while it is walked
        text = files.get(name, b"").decode(errors="replace")
        wanted += [one for one in dict.fromkeys(imports(name, text)) if one not in wanted]
    return "\n".join(
        [
            f'<link rel="modulepreload" href="{_BELOW}{build}/{name}">'
            for name in wanted
            if name in files
        ]
    )
