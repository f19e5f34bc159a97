"""`guandan doctor`: is everything there to serve and to play, and if not, what is missing?"""

from __future__ import annotations

import json
import os
import platform
import shutil
import socket
import stat
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, Final

from attrs import frozen
from cyclopts import Parameter
from cyclopts.validators import Number

from guandan_bots import playout
from guandan_bots.compiled import changed_since
from guandan_cli import gauge
from guandan_cli.configfile import config_path
from guandan_cli.exits import Exit
from guandan_cli.kept import state_folder
from guandan_server.config import default_data_dir
from guandan_server.embedded import find_binary, server_version
from guandan_server.errors import StartError

__all__ = ["Finding", "Health", "doctor"]

PACKAGES: Final = ("guandan-table", "websockets", "redis", "textual", "cyclopts", "msgpack")
OLDEST_PYTHON: Final = (3, 11)
FREE_BYTES_MIN: Final = 256 * 1024 * 1024
FIRST_BYTES: Final = 64 * 1024
"""What a store writes before it serves, and a little more; without room for it `serve` refuses."""
COLUMNS_MIN: Final = 80
ROWS_MIN: Final = 24
SKEW_S_MAX: Final = 5.0
"""A store whose clock differs by more makes logs hard to compare; nothing else depends on it."""
STORE_S: Final = 5.0


class Health(StrEnum):
    OK = "ok"
    WARN = "warn"
    """Something works less well, or not for everything."""
    FAIL = "fail"


@frozen
class Finding:
    check: str
    health: Health
    text: str


async def doctor(
    *,
    host: Annotated[str, Parameter(help="Where `serve` would listen.")] = "127.0.0.1",
    port: Annotated[
        int, Parameter(help="On which port.", validator=Number(gte=0, lte=65535))
    ] = 8765,
    data_dir: Annotated[
        Path | None,
        Parameter(help=f"Where the data would be; without it {default_data_dir()}"),
    ] = None,
    redis: Annotated[
        str | None,
        Parameter(env_var="REDIS_URL", help="A Redis or Valkey server of yours, if you use one."),
    ] = None,
    json_lines: Annotated[
        bool, Parameter(name="--json", help="One object a line, for programs.")
    ] = False,
) -> int:
    """Check store, port, data folder, versions and terminal; says what to do about each fault.

    Ends with 1 if something is missing that serving or playing needs.

    For example:

        guandan doctor

        guandan doctor --port 9000 --redis redis://10.0.0.5:6379/0

        guandan doctor --json
    """
    folder = data_dir or default_data_dir()
    worst = Exit.OK
    async for finding in _findings(host=host, port=port, folder=folder, redis=redis):
        if finding.health is Health.FAIL:
            worst = Exit.FAILURE
        if json_lines:
            plain = {"check": finding.check, "health": finding.health, "text": finding.text}
            print(json.dumps(plain, ensure_ascii=False), flush=True)
        else:
            print(f"{finding.health:<5} {finding.check:<10} {finding.text}", flush=True)
    return worst


async def _findings(
    *, host: str, port: int, folder: Path, redis: str | None
) -> AsyncIterator[Finding]:
    yield _versions()
    yield await _store(redis)
    yield _port(host, port)
    yield _folder("data", folder)
    yield _folder("state", state_folder(os.environ))
    yield _clock()
    yield _playouts()
    yield _config(os.environ)
    for finding in _terminal(os.environ):
        yield finding


def _versions() -> Finding:
    names = [f"Python {platform.python_version()}"]
    missing = []
    for name in PACKAGES:
        try:
            names.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            missing.append(name)
    if sys.version_info < OLDEST_PYTHON:
        missing.append("Python {}.{}".format(*OLDEST_PYTHON))
    if missing:
        return Finding("versions", Health.FAIL, f"missing: {', '.join(missing)}")
    return Finding("versions", Health.OK, ", ".join(names))


async def _store(url: str | None) -> Finding:
    """The given server answers, or there is one to start."""
    if url:
        return await _reached(url)
    try:
        binary = find_binary()
        number = ".".join(map(str, server_version(binary)))
    except (StartError, OSError) as error:
        return Finding("store", Health.FAIL, " ".join(str(error).split()))
    return Finding("store", Health.OK, f"own store: version {number}, {binary}")


async def _reached(url: str) -> Finding:
    from redis.asyncio import Redis
    from redis.exceptions import RedisError

    try:
        client = Redis.from_url(url, socket_timeout=STORE_S, socket_connect_timeout=STORE_S)
    except ValueError as error:
        return Finding("store", Health.FAIL, f"--redis: {error}")
    try:
        seconds, micros = await client.time()
        about = await client.info("server")
    except (RedisError, OSError) as error:
        return Finding("store", Health.FAIL, f"does not answer: {error}")
    finally:
        await client.aclose()
    skew = abs(time.time() - (seconds + micros / 1_000_000))
    number = about.get("valkey_version") or about.get("redis_version")
    text = f"answers: version {number}"
    if skew > SKEW_S_MAX:
        return Finding("store", Health.WARN, f"{text}; its clock differs by {skew:.0f} s")
    return Finding("store", Health.OK, text)


def _port(host: str, port: int) -> Finding:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except (OSError, OverflowError) as error:
            why = getattr(error, "strerror", None) or str(error)
            text = f"{host}:{port}: {why}; is a server running? --port takes another"
            return Finding("port", Health.WARN, text)
    return Finding("port", Health.OK, f"{host}:{port} is free")


def _folder(check: str, folder: Path) -> Finding:
    """It, or the nearest folder above it that exists, can be written to and has room."""
    there = folder
    while not there.exists() and there != there.parent:
        there = there.parent
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        return Finding(check, Health.FAIL, f"{folder}: {there} cannot be written to")
    try:
        _write_a_little(there)
    except OSError as error:
        why = error.strerror or str(error)
        return Finding(check, Health.FAIL, f"{folder}: nothing can be written there: {why}")
    if there == folder and stat.S_IMODE(folder.stat().st_mode) & 0o077:
        text = f"{folder}: others can look in; chmod 700 keeps it to you"
        return Finding(check, Health.WARN, text)
    free = shutil.disk_usage(there).free
    if free < FREE_BYTES_MIN:
        text = f"{folder}: only {free // 2**20} MiB are free"
        return Finding(check, Health.WARN, text)
    return Finding(check, Health.OK, f"{folder}" + ("" if there == folder else " (to be made)"))


def _write_a_little(folder: Path) -> None:
    """OSError if that fails, as it does on a full disk; nothing is left."""
    with tempfile.TemporaryFile(dir=folder) as file:
        file.write(bytes(FIRST_BYTES))
        file.flush()
        os.fsync(file.fileno())


def _clock() -> Finding:
    """Nothing at the table hangs on the time of day, but logs and certificates do."""
    now = time.time()
    text = time.strftime("%Y-%m-%d %H:%M:%S %z", time.localtime(now))
    newest = max(path.stat().st_mtime for path in Path(__file__).parent.glob("*.py"))
    if now < newest - 24 * 3600:
        return Finding("clock", Health.WARN, f"{text} is before this program was installed")
    return Finding("clock", Health.OK, text)


def _playouts() -> Finding:
    """What the levels that search play hands to their end with."""
    if playout.kind() == "compiled":
        changed = changed_since()
        if changed:
            text = f"compiled, but {', '.join(changed)} changed since: make fast, or make fast-off"
            return Finding("play-outs", Health.WARN, text)
        return Finding("play-outs", Health.OK, "compiled")
    text = "plain, so bots that search see less far; make fast compiles them"
    return Finding("play-outs", Health.WARN, text)


def _config(environment: Mapping[str, str]) -> Finding:
    path = config_path(environment)
    if not path.is_file():
        return Finding("config", Health.OK, f"{path} is not there; it need not be")
    return Finding("config", Health.OK, f"{path}")


def _terminal(environment: Mapping[str, str]) -> Iterator[Finding]:
    kind = environment.get("TERM", "")
    if sys.stdout is None or not sys.stdout.isatty():
        yield Finding("terminal", Health.WARN, "standard output is none: play is in plain lines")
        return
    columns, rows = shutil.get_terminal_size()
    text = f"{columns} x {rows}, TERM={kind or 'not set'}"
    if kind in ("", "dumb"):
        yield Finding("terminal", Health.WARN, f"{text}: play is in plain lines")
    elif columns < COLUMNS_MIN or rows < ROWS_MIN:
        text += f"; the table is made for {COLUMNS_MIN} x {ROWS_MIN} and more"
        yield Finding("terminal", Health.WARN, text)
    else:
        yield Finding("terminal", Health.OK, text)
    yield _colours(environment)
    encoding = sys.stdout.encoding or "none"
    if encoding.lower().replace("-", "") != "utf8":
        text = f"{encoding}: suits are shown as letters; a locale with UTF-8 shows them"
        yield Finding("locale", Health.WARN, text)
        return
    yield Finding("locale", Health.OK, encoding)
    yield from _widths()


def _colours(environment: Mapping[str, str]) -> Finding:
    if environment.get("NO_COLOR"):
        return Finding("colours", Health.OK, "none, as NO_COLOR asks")
    if environment.get("COLORTERM", "").lower() in ("truecolor", "24bit"):
        return Finding("colours", Health.OK, "all")
    if "256" in environment.get("TERM", ""):
        return Finding("colours", Health.OK, "256")
    return Finding("colours", Health.OK, "16")


def _widths() -> Iterator[Finding]:
    """Asked of the terminal itself, for it alone knows."""
    found = {char: gauge.width(char) for char in ("中", "♠")}
    if None in found.values():
        yield Finding("widths", Health.WARN, "the terminal does not say how wide it draws")
    elif found["中"] != 2:
        yield Finding("widths", Health.WARN, "Chinese characters are not two columns wide here")
    elif found["♠"] != 1:
        text = "suits are two columns wide here: switch off wide ambiguous characters"
        yield Finding("widths", Health.WARN, text)
    else:
        yield Finding("widths", Health.OK, "Chinese characters two columns, suits one")
