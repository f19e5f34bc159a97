"""`guandan serve`: the server, its store, and the bots that sit in empty seats."""

from __future__ import annotations

import re
import sys
from ipaddress import ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

from guandan_cli.brains import Bots, SlowBots
from guandan_cli.exits import Exit, Failure, Said, about, said, system_says
from guandan_cli.links import link, links, qr
from guandan_server import logs
from guandan_server.assets import Assets
from guandan_server.config import Config, default_data_dir, default_thinkers
from guandan_server.errors import (
    CannotListen,
    DataDirBusy,
    DataDirUnusable,
    NoStoreBinary,
    StartError,
    StoreUnreachable,
)
from guandan_server.node import run
from guandan_web import static

if TYPE_CHECKING:
    from guandan_server.node import Node

__all__ = ["Bots", "serve"]


async def serve(
    *,
    host: Annotated[
        str, Parameter(help="Where to listen; 0.0.0.0 lets other machines in.")
    ] = "127.0.0.1",
    port: Annotated[
        int, Parameter(help="0 takes any free one.", validator=Number(gte=0, lte=65535))
    ] = 8765,
    data_dir: Annotated[
        Path | None,
        Parameter(
            help=f"Where the store of its own keeps its data; without it {default_data_dir()}"
        ),
    ] = None,
    redis: Annotated[
        str | None,
        Parameter(
            env_var="REDIS_URL",
            help="A Redis or Valkey server of yours instead, as redis://host:port/0.",
        ),
    ] = None,
    require_durable: Annotated[
        bool, Parameter(help="Refuse a store of yours that may lose what it acknowledged.")
    ] = False,
    origin: Annotated[
        tuple[str, ...],
        Parameter(
            help="A web page of another host that may connect; may be repeated.",
            show_default=False,
        ),
    ] = (),
    node: Annotated[
        str, Parameter(help="This server's name among several on one store; host and port if not.")
    ] = "",
    node_url: Annotated[
        str,
        Parameter(help="Where clients reach this very server when another one sends them here."),
    ] = "",
    public_url: Annotated[
        str, Parameter(help="The address to give to friends, if it is another: https://….")
    ] = "",
    trusted_proxy: Annotated[
        tuple[str, ...],
        Parameter(
            help="A proxy, or network of them, whose X-Forwarded-For is believed; may be repeated."
        ),
    ] = ("127.0.0.1", "::1"),
    thinkers: Annotated[
        int | None,
        Parameter(
            help="Processes for the bots that think: club and expert. 0: none, and no such bots;"
            f" without it {default_thinkers()} here, one less than there are cores.",
            validator=Number(gte=0, lte=256),
        ),
    ] = None,
    metrics_port: Annotated[
        int | None,
        Parameter(
            help="Serve metrics for Prometheus on this port.", validator=Number(gte=0, lte=65535)
        ),
    ] = None,
    metrics_host: Annotated[str, Parameter(help="Where that port listens.")] = "127.0.0.1",
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"], Parameter(help="What to log.")
    ] = "info",
    log_format: Annotated[
        Literal["console", "json"], Parameter(help="Lines for people, or JSON.")
    ] = "console",
    web_dev: Annotated[
        bool, Parameter(show=False)  # for whoever writes the page: read from disk each time
    ] = False,
    haste: Annotated[
        float, Parameter(show=False, validator=Number(gt=0))  # for tests of whole matches
    ] = 1.0,
) -> int:
    """Serve tables until interrupted.

    Without a store of yours it runs one of its own. All that was acknowledged is there again after
    the next start. The address that is served goes to standard output, the log to standard error.

    For example:

        guandan serve

        guandan serve --host 0.0.0.0 --port 9000

        REDIS_URL=redis://10.0.0.5:6379/0 guandan serve --require-durable --log-format json
    """
    _checked(
        node=node,
        node_url=node_url,
        public_url=public_url,
        origins=origin,
        proxies=trusted_proxy,
    )
    config = Config(
        host=host,
        port=port,
        data_dir=data_dir or default_data_dir(),
        redis_url=redis or None,
        require_durable=require_durable,
        origins=origin,
        node=node,
        public_url=public_url,
        url=node_url,
        trusted_proxies=trusted_proxy,
        thinkers=thinkers,
        metrics_port=metrics_port,
        metrics_host=metrics_host,
        log_level=log_level,
        log_format=log_format,
        haste=haste,
    )
    logs.configure(level=log_level, style=log_format)

    def ready(node: Node) -> None:
        print(f"Serving at {link(host, node.port)}", flush=True)
        others = [public_url] if public_url else links(host, node.port)
        node.is_near(others[0] if others else "")
        for url in others:
            print(f"For the others: {url}", flush=True)
            picture = qr(url)
            if _can_show(picture):
                print(picture, flush=True)
        if sys.stdout is not None and sys.stdout.isatty():
            print("Play in another terminal: guandan play", flush=True)

    page = Assets.read(static())
    shelf = (lambda: Assets.read(static(), is_draft=True)) if web_dev else (lambda: page)
    try:
        await run(config, Bots(), slow=SlowBots(), shelf=shelf, on_ready=ready)
    except StartError as error:
        first, *rest = str(error).splitlines()
        for line in rest:
            print(line, file=sys.stderr)
        raise Failure(error.exit_code, _why(error) or first) from error
    return Exit.OK


def _why(error: StartError) -> Said | None:
    """The commonest reasons in both languages; None for one that has the server's words."""
    match error:
        case NoStoreBinary(too_old=found):
            old = said("error.too_old", found=", ".join(found)) if found else ""
            return said("error.no_store", passed_over=old)
        case DataDirBusy(data_dir=folder, pid=pid):
            holder = said("error.process", pid=pid) if pid else said("error.other_process")
            return said("error.dir_busy", folder=folder, holder=holder)
        case DataDirUnusable(data_dir=folder, reason=why):
            return said("error.dir_unusable", folder=folder, why=why)
        case CannotListen(host=host, port=port, reason=reason):
            cause = error.__cause__
            says = system_says(cause) if isinstance(cause, OSError) else reason
            return said("error.cannot_listen", host=host, port=port, why=says)
        case StoreUnreachable(why=why):
            return said("error.store_silent", why=why)
        case _:
            return None


def _can_show(text: str) -> bool:
    """Has standard output the letters for it?"""
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _checked(
    *, node: str, node_url: str, public_url: str, origins: tuple[str, ...], proxies: tuple[str, ...]
) -> None:
    """Failure for a setting that would only show later that it is none."""
    if not re.fullmatch(r"[A-Za-z0-9._-]{0,64}", node):
        raise Failure(Exit.USAGE, about("--node", said("error.node", got=repr(node))))
    if node_url and not node_url.startswith(("ws://", "wss://")):
        raise Failure(Exit.USAGE, about("--node-url", said("error.node_url", got=repr(node_url))))
    if public_url and not public_url.startswith(("http://", "https://")):
        raise Failure(
            Exit.USAGE, about("--public-url", said("error.public_url", got=repr(public_url)))
        )
    for origin in origins:
        if "://" not in origin:
            raise Failure(Exit.USAGE, about("--origin", said("error.origin", got=repr(origin))))
    for proxy in proxies:
        try:
            ip_network(proxy, strict=False)
        except ValueError as error:
            wrong = said("error.proxy", got=repr(proxy))
            raise Failure(Exit.USAGE, about("--trusted-proxy", wrong)) from error
