"""What an operator does to rooms, past the server that has them: `python -m guandan_server --help`.

    python -m guandan_server end ABCDEF --data-dir /var/lib/guandan
    python -m guandan_server end ABCDEF --redis redis://10.0.0.5:6379/0

It needs what only an operator has, the data directory or the store's address: there is no door for
it on any port. A room is removed from the store under the fence it has there; whoever has it awake
finds that out with the next thing that happens at its table, tells everybody that the room is gone,
and does not bring it back. Records of finished matches stay for their time.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from pathlib import Path
from typing import Final
from urllib.parse import quote

from guandan_server.config import default_data_dir
from guandan_server.embedded import socket_of
from guandan_server.errors import SnapshotCorrupt, StartError, StoreError
from guandan_server.store import Deleted, NoRoom, Store
from guandan_server.store_redis import RedisStore

__all__ = ["end_room", "main"]

EXIT_NO_ROOM: Final = 1
EXIT_NO_STORE: Final = 69
ATTEMPTS: Final = 10
"""A room may be claimed between a look and the deletion; hardly more than once."""


async def end_room(store: Store, code: str) -> bool:
    """Remove a room, a damaged one, too; False if there is none."""
    for _ in range(ATTEMPTS):
        try:
            loaded = await store.load(code)
        except SnapshotCorrupt as damage:
            fence = damage.fence
        else:
            if isinstance(loaded, NoRoom):
                return False
            fence = loaded.fence
        match await store.delete(code, fence=fence):
            case Deleted():
                return True
            case NoRoom():
                return False
            case _:
                pass  # claimed meanwhile
    raise RuntimeError(f"{code} is claimed again and again")


async def _end(url: str, code: str) -> bool:
    async with RedisStore(url) as store:
        return await end_room(store, code)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m guandan_server", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    end = parser.add_subparsers(required=True).add_parser("end", help="remove a room for good")
    end.add_argument("code", type=str.upper)
    where = end.add_mutually_exclusive_group()
    where.add_argument("--redis", default=os.environ.get("REDIS_URL"), metavar="URL")
    where.add_argument("--data-dir", type=Path, help="of the server that runs on it")
    own = Path(os.environ.get("GUANDAN_DATA_DIR") or default_data_dir())
    chosen = parser.parse_args(arguments)
    url: str | None = chosen.redis
    if chosen.data_dir is not None or not url:
        data_dir: Path = chosen.data_dir or own
        socket = socket_of(data_dir / "store")
        if not socket.exists():
            return _said(EXIT_NO_STORE, f"no server runs on {data_dir}")
        url = f"unix://{quote(str(socket))}"
    try:
        is_gone = asyncio.run(_end(url, chosen.code))
    except (StoreError, StartError) as error:
        return _said(EXIT_NO_STORE, str(error))
    except ValueError as error:
        return _said(EXIT_NO_ROOM, str(error))
    if not is_gone:
        return _said(EXIT_NO_ROOM, f"there is no room {chosen.code}")
    return _said(0, f"{chosen.code} is gone")


def _said(status: int, line: str) -> int:
    (sys.stderr if status else sys.stdout).write(f"{line}\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
