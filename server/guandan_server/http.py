"""Plain HTTP on the port of the WebSocket: the page and its files, room links as QR, health.

/ /r/CODE /watch/CODE /replay/ID /rules /rules/… /help     the page
/a/BUILD/…                                                 its files, to be kept for ever
/build                                                     which build that is
/qr/CODE.svg                                               a picture of the link to a room
/healthz /readyz                                           for whoever looks after the server

What a browser asks for beside these is answered with the page, too, and 404.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Collection
from http import HTTPStatus
from ipaddress import ip_address
from typing import Final

import segno
from attrs import evolve, field, frozen
from websockets.asyncio.server import ServerConnection
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from guandan_server.assets import NOTHING, Asset, Shelf

__all__ = ["Site"]

WS_PATHS: Final = ("/ws", "/")
"""Where the WebSocket is; the bare address works too, so that `ws://host:port` is enough."""

_PAGES: Final = re.compile(
    r"/|/help|/(rules|replay)(/[\w.~-]{1,64})?|/(r|watch)/[0-9A-Za-z]{1,16}", re.ASCII
)
"""What answers with the page, which reads the rest from its own address."""
_QR: Final = re.compile(r"/qr/([0-9A-Za-z]{1,16})\.svg")
_HOST: Final = re.compile(r"[0-9A-Za-z._-]+(:\d{1,5})?|\[[0-9A-Fa-f:.]+\](:\d{1,5})?")
"""A Host that may be written into an answer: a name or an address, and a port."""

_NO_PAGE: Final = """A table of Guandan 掼蛋 is open here, without a web page. Play from a terminal:
牌桌已开。这里没有网页，请在终端里玩：

    guandan play --server ws://HOST:PORT
"""
_PLAIN: Final = "text/plain; charset=utf-8"
_CLOSED_POLICY: Final = "default-src 'none'; base-uri 'none'; form-action 'none'"
_PAGE_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src {connect}; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
_FOREVER: Final = "public, max-age=31536000, immutable"


@frozen
class _Answer:
    status: HTTPStatus
    kind: str = _PLAIN
    body: bytes = field(default=b"", repr=False)
    policy: str = _CLOSED_POLICY
    keep: str = "no-cache"
    more: tuple[tuple[str, str], ...] = ()

    @classmethod
    def text(cls, status: HTTPStatus, text: str, *more: tuple[str, str]) -> _Answer:
        return cls(status, body=text.encode(), more=more)


_NO_SUCH_PAGE: Final = _Answer.text(HTTPStatus.NOT_FOUND, "no such page\n")


class Site:
    """Answers requests that are no WebSocket handshakes."""

    def __init__(
        self,
        *,
        node: str = "",
        origins: Collection[str] = (),
        shelf: Shelf = lambda: NOTHING,
        public_url: str = "",
    ) -> None:
        self.ready: Callable[[], bool] = lambda: False
        self.nearby = ""
        """Our address for others on the network, for whoever sits at this machine."""
        self._paths = {*WS_PATHS, f"/n/{node}/ws"}
        self._origins = frozenset(origins)
        self._shelf = shelf
        self._public_url = public_url.rstrip("/")

    def answer(self, connection: ServerConnection, request: Request) -> Response | None:
        """The answer, or None to go on with the handshake."""
        path = request.path.partition("?")[0]
        if request.headers.get("Upgrade", "").lower() == "websocket":
            if path not in self._paths:
                return _sent(_Answer.text(HTTPStatus.NOT_FOUND, "no such place\n"))
            if not self._welcome(request):
                says = "pages of that origin may not connect\n"
                return _sent(_Answer.text(HTTPStatus.FORBIDDEN, says))
            return None
        if request.method not in ("GET", "HEAD"):
            allow = ("Allow", "GET, HEAD")
            return _sent(_Answer.text(HTTPStatus.METHOD_NOT_ALLOWED, "GET or HEAD\n", allow))
        remote = connection.remote_address
        response = _sent(self._answer(path, request, remote[0] if remote else ""))
        if request.method == "HEAD":
            response.body = b""
        return response

    def _welcome(self, request: Request) -> bool:
        """May a page of that origin connect? Ours and listed ones; and clients that are no page."""
        origin = request.headers.get("Origin")
        if origin is None or origin in self._origins:
            return True
        return origin.partition("://")[2] == request.headers.get("Host")

    def _answer(self, path: str, request: Request, peer: str) -> _Answer:
        if path == "/healthz":
            return _Answer.text(HTTPStatus.OK, "ok\n")
        if path == "/readyz":
            if self.ready():
                return _Answer.text(HTTPStatus.OK, "ready\n")
            return _Answer.text(HTTPStatus.SERVICE_UNAVAILABLE, "not ready\n")
        if path == "/ws":
            upgrade = ("Upgrade", "websocket")
            return _Answer.text(HTTPStatus.UPGRADE_REQUIRED, "a WebSocket is here\n", upgrade)
        qr = _QR.fullmatch(path)
        if qr is not None:
            return self._picture(qr[1].upper(), request, peer)
        assets = self._shelf()
        if path == "/build":
            return _Answer.text(HTTPStatus.OK, assets.build)
        if _PAGES.fullmatch(path):
            page = assets.page(path)
            if page is None:
                return _Answer.text(HTTPStatus.OK, _NO_PAGE)
            return _page(page, request)
        found = assets.at(path)
        if found is None:
            # A browser gets the page, which says so in its own style and in both languages.
            page = assets.page("/") if _reads_html(request) else None
            return _NO_SUCH_PAGE if page is None else _page(page, request, HTTPStatus.NOT_FOUND)
        keep = _FOREVER if assets.lasts(path) else "no-cache"
        return _file(found, request, policy=_CLOSED_POLICY, keep=keep)

    def _picture(self, code: str, request: Request, peer: str) -> _Answer:
        link = self._link(code, request, peer)
        if link is None:
            return _NO_SUCH_PAGE
        out = io.BytesIO()
        # The title is for screen readers, and tells the page which link it is.
        segno.make(link, error="l", micro=False).save(
            out, kind="svg", title=link, border=2, scale=4, light="#fff", omitsize=True
        )
        return _Answer(HTTPStatus.OK, "image/svg+xml; charset=utf-8", out.getvalue())

    def _link(self, code: str, request: Request, peer: str) -> str | None:
        """Where others find a room; None if there is no telling."""
        host = _host(request)
        if self._public_url:
            base = self._public_url
        elif self.nearby and _is_loopback(host) and _sits_here(request, peer):
            base = self.nearby
        elif host:
            secure = request.headers.get("X-Forwarded-Proto", "") == "https"
            base = f"{'https' if secure else 'http'}://{host}"
        else:
            return None
        return f"{base}/r/{code}"


def _host(request: Request) -> str:
    """What the browser calls us; empty if that could not stand in an answer."""
    hosts = request.headers.get_all("Host")
    return hosts[0] if len(hosts) == 1 and _HOST.fullmatch(hosts[0]) else ""


def _is_loopback(host: str) -> bool:
    name = host.partition("]")[0].strip("[") if host.startswith("[") else host.partition(":")[0]
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"


def _sits_here(request: Request, peer: str) -> bool:
    """Does whoever asks sit at this very machine, and not behind a proxy on it?"""
    return "X-Forwarded-For" not in request.headers and _is_loopback(f"[{peer}]")


def _connect_sources(host: str) -> str:
    """Where the page may connect to: back here. To older Safaris 'self' is no WebSocket."""
    return f"'self' ws://{host} wss://{host}" if host else "'self'"


def _reads_html(request: Request) -> bool:
    return any(part.startswith("text/html") for part in _listed(request, "Accept"))


def _page(page: Asset, request: Request, status: HTTPStatus = HTTPStatus.OK) -> _Answer:
    policy = _PAGE_POLICY.format(connect=_connect_sources(_host(request)))
    answer = _file(page, request, policy=policy, keep="no-cache")
    return answer if status is HTTPStatus.OK else evolve(answer, status=status)


def _file(asset: Asset, request: Request, *, policy: str, keep: str) -> _Answer:
    zipped = asset.zipped if _takes_gzip(request) else None
    tag = f'"{asset.tag}"' if zipped is None else f'"{asset.tag}-gz"'
    more = [("ETag", tag), ("Vary", "Accept-Encoding")]
    if _has(tag, request):
        status = HTTPStatus.NOT_MODIFIED
        return _Answer(status, asset.kind, policy=policy, keep=keep, more=tuple(more))
    if zipped is not None:
        more.append(("Content-Encoding", "gzip"))
    body = asset.body if zipped is None else zipped
    return _Answer(HTTPStatus.OK, asset.kind, body, policy=policy, keep=keep, more=tuple(more))


def _listed(request: Request, header: str) -> list[str]:
    """The parts of a header that is a list, which may come in several lines."""
    return [part.strip() for line in request.headers.get_all(header) for part in line.split(",")]


def _takes_gzip(request: Request) -> bool:
    for part in _listed(request, "Accept-Encoding"):
        coding, _, weight = part.partition(";")
        if coding.strip().lower() in ("gzip", "*"):
            return re.fullmatch(r"q=0(\.0*)?", weight.strip().lower()) is None
    return False


def _has(tag: str, request: Request) -> bool:
    """Has the browser got it? A proxy that compresses makes the tag a weak one, which will do."""
    tags = [one.removeprefix("W/") for one in _listed(request, "If-None-Match")]
    return tag in tags or "*" in tags


def _sent(answer: _Answer) -> Response:
    headers = Headers(
        {
            "Content-Type": answer.kind,
            "Cache-Control": answer.keep,
            "Content-Security-Policy": answer.policy,
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Connection": "close",
        }
    )
    for name, value in answer.more:
        headers[name] = value
    if answer.status is not HTTPStatus.NOT_MODIFIED:  # its length is that of what it stands for
        headers["Content-Length"] = str(len(answer.body))
    return Response(answer.status.value, answer.status.phrase, headers, answer.body)
