"""Links to a server for those who are elsewhere, and the pictures phones read them from."""

from __future__ import annotations

import io
import socket
from ipaddress import ip_address

import segno

__all__ = ["link", "links", "qr"]

_ANY = ("0.0.0.0", "::")  # noqa: S104  compared with, not listened on
# Addresses of documentation (RFC 5737, 3849): asking for the way there sends nothing.
_FAR = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))


def link(host: str, port: int) -> str:
    """The address of a server.

    >>> link("::1", 8765)
    'http://[::1]:8765'
    """
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def links(host: str, port: int) -> list[str]:
    """The addresses under which other machines reach a server that listens on `host`."""
    if host not in _ANY:
        return [] if _is_loopback(host) else [link(host, port)]
    return [link(address, port) for address in _own_addresses(host)]


def _own_addresses(host: str) -> list[str]:
    """Our addresses on the networks that we are in, as the way to the world would use them."""
    found = []
    for family, far in _FAR:
        if family == socket.AF_INET6 and host == "0.0.0.0":  # noqa: S104  compared with
            continue
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((far, 9))
            except OSError:  # no network of that kind
                continue
            found.append(str(probe.getsockname()[0]))
    return [address for address in found if not _is_loopback(address)]


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def qr(url: str) -> str:
    """A picture of the link in block characters."""
    out = io.StringIO()
    segno.make(url, error="l", micro=False).terminal(out, compact=True, border=2)
    return out.getvalue().rstrip("\n")
