"""Plain HTTP on the port of the WebSocket: health, and a page that says where one has come."""

from __future__ import annotations

from collections.abc import Callable, Collection
from http import HTTPStatus
from typing import Final

from websockets.asyncio.server import ServerConnection
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

__all__ = ["Site"]

WS_PATHS: Final = ("/ws", "/")
"""Where the WebSocket is; the bare address works too, so that `ws://host:port` is enough."""

_PAGE: Final = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Guandan 掼蛋</title>
<h1>Guandan 掼蛋</h1>
<p>A table is open here. Play from a terminal: <code>guandan play --server {url}</code></p>
<p>牌桌已开。在终端里玩：<code>guandan play --server {url}</code></p>
"""


class Site:
    """Answers requests that are no WebSocket handshakes."""

    def __init__(self, *, node: str = "", origins: Collection[str] = ()) -> None:
        self.ready: Callable[[], bool] = lambda: False
        self._paths = {*WS_PATHS, f"/n/{node}/ws"}
        self._origins = frozenset(origins)

    def answer(self, connection: ServerConnection, request: Request) -> Response | None:
        """The answer, or None to go on with the handshake."""
        del connection
        path = request.path.partition("?")[0]
        if request.headers.get("Upgrade", "").lower() == "websocket":
            if path not in self._paths:
                return _text(HTTPStatus.NOT_FOUND, "no such place\n")
            if not self._welcome(request):
                return _text(HTTPStatus.FORBIDDEN, "pages of that origin may not connect\n")
            return None
        if request.method not in ("GET", "HEAD"):
            response = _text(HTTPStatus.METHOD_NOT_ALLOWED, "GET or HEAD\n")
            response.headers["Allow"] = "GET, HEAD"
            return response
        response = self._page(path, request)
        if request.method == "HEAD":
            response.body = b""
        return response

    def _welcome(self, request: Request) -> bool:
        """May a page of that origin connect? Ours and listed ones; and clients that are no page."""
        origin = request.headers.get("Origin")
        if origin is None or origin in self._origins:
            return True
        return origin.partition("://")[2] == request.headers.get("Host")

    def _page(self, path: str, request: Request) -> Response:
        if path == "/healthz":
            return _text(HTTPStatus.OK, "ok\n")
        if path == "/readyz":
            if self.ready():
                return _text(HTTPStatus.OK, "ready\n")
            return _text(HTTPStatus.SERVICE_UNAVAILABLE, "not ready\n")
        if path == "/ws":
            response = _text(HTTPStatus.UPGRADE_REQUIRED, "a WebSocket is here\n")
            response.headers["Upgrade"] = "websocket"
            return response
        if path == "/" or path.startswith("/r/"):
            host = request.headers.get("Host", "")
            plain = all(letter.isalnum() or letter in ".-:[]" for letter in host)
            page = _PAGE.format(url=f"ws://{host}" if plain and host else "ws://…")
            return _response(HTTPStatus.OK, page, "text/html; charset=utf-8")
        return _text(HTTPStatus.NOT_FOUND, "no such page\n")


def _text(status: HTTPStatus, text: str) -> Response:
    return _response(status, text, "text/plain; charset=utf-8")


def _response(status: HTTPStatus, text: str, kind: str) -> Response:
    body = text.encode()
    headers = Headers(
        {
            "Content-Type": kind,
            "Content-Length": str(len(body)),
            "Cache-Control": "no-cache",
            "Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none'",
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Connection": "close",
        }
    )
    return Response(status.value, status.phrase, headers, body)
