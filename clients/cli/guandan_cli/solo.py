"""A server for one: `guandan play --solo` starts it, and it goes when its player goes.

    python -m guandan_cli.solo FOLDER        what is started; ends when its standard input does

It is an ordinary server with a store of its own, on this machine only and on any free port. Its
input is a pipe that nobody writes to: when the player's process is gone, however it went, the pipe
closes and the server ends in order.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import BinaryIO, Final

from guandan_cli.exits import Exit, Failure, about, said, system_says
from guandan_cli.main import CONFIG_VARIABLE, main

__all__ = ["ADDRESS", "folder_in", "private_server"]

ADDRESS: Final = "solo"
"""Stands for the server in what is kept: the port is another one each time."""
START_S: Final = 30.0
STOP_S: Final = 10.0
KEPT_VARIABLES: Final = frozenset({"GUANDAN_HASTE", "GUANDAN_TRACEBACK"})
"""Of ours that reach the server; the others are the player's."""
LOG: Final = "server.log"


def folder_in(state: Path) -> Path:
    """Where solo matches live."""
    return state / "solo"


def _environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Without the settings of a server that is meant for others."""
    kept = {
        name: value
        for name, value in environment.items()
        if name != "REDIS_URL" and (not name.startswith("GUANDAN_") or name in KEPT_VARIABLES)
    }
    return kept | {CONFIG_VARIABLE: os.devnull}


@asynccontextmanager
async def private_server(folder: Path) -> AsyncIterator[str]:
    """The address of a server that runs inside the `with`; Failure if it does not start."""
    with _log(folder) as log:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "guandan_cli.solo",
            str(folder / "data"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
            env=_environment(os.environ),
            # Ctrl-C at the terminal is for the player; the server hears of it through the pipe.
            start_new_session=True,
        )
        try:
            yield await _address(process, folder)
        finally:
            assert process.stdin is not None
            process.stdin.close()
            try:
                async with asyncio.timeout(STOP_S):
                    await process.wait()
            except TimeoutError:
                process.kill()
                await process.wait()


def _log(folder: Path) -> BinaryIO:
    """Where the server's own messages go: not onto the table. Whose it is keeps others out."""
    try:
        for one in (folder.parent, folder):  # `parents` would ignore the mode
            one.mkdir(mode=0o700, parents=True, exist_ok=True)
        log = (folder / LOG).open("ab")
    except OSError as error:
        raise Failure(Exit.FAILURE, about(folder, system_says(error))) from error
    try:
        # The server has it from us, so it is locked until both are gone.
        fcntl.flock(log, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        log.close()
        raise Failure(Exit.REFUSED, said("error.solo_again")) from error
    log.truncate(0)
    return log


async def _address(process: asyncio.subprocess.Process, folder: Path) -> str:
    """Where it listens, as it says in its first line."""
    assert process.stdout is not None
    line = b""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(START_S):
            line = await process.stdout.readline()
    text = line.decode(errors="replace").strip()
    if "http://" not in text:
        lines = (folder / LOG).read_text(encoding="utf-8", errors="replace").strip().splitlines()
        why = lines[-1].removeprefix("guandan: ") if lines else said("error.silent")
        raise Failure(Exit.FAILURE, said("error.solo_start", why=why))
    return text.split()[-1].replace("http://", "ws://")


def _serve(folder: str) -> int:
    """The server itself, until its input ends."""

    def watch() -> None:
        while os.read(0, 1024):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    threading.Thread(target=watch, name="player", daemon=True).start()
    return main(["serve", "--host", "127.0.0.1", "--port", "0", "--data-dir", folder])


if __name__ == "__main__":
    sys.exit(_serve(sys.argv[1]))
