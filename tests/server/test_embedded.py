"""The bundled server under our own supervisor: one per directory, none without us."""

import asyncio
import hashlib
import json
import os
import signal
import stat
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from guandan_server import embedded as embedded_module
from guandan_server.embedded import (
    AOF_DIR,
    SOCKET_PATH_BYTES_MAX,
    EmbeddedStore,
    Tether,
    bundled_binary,
    find_binary,
)
from guandan_server.errors import (
    DataDirBusy,
    DataDirUnusable,
    NoStoreBinary,
    StoreCrashed,
    StoreWontStart,
)
from guandan_server.store import Loaded, Ok
from guandan_server.store_redis import RedisStore
from tests.server.store_contract import ROOM, Owner, create, play
from tests.server.waiting import until

# What `guandan serve` is to its store: a process that holds it, and may be killed at any moment.
SERVE = """
import asyncio, json, sys
from pathlib import Path
from guandan_server.embedded import EmbeddedStore

async def serve(data_dir, tether):
    async with EmbeddedStore(Path(data_dir), tether=tether) as embedded:
        print(json.dumps({"pid": embedded.pid, "url": embedded.url}), flush=True)
        await embedded.watch()

asyncio.run(serve(*sys.argv[1:]))
"""

TETHERS: tuple[Tether, ...] = ("exec", "watch")

with_the_bundle = pytest.mark.skipif(bundled_binary() is None, reason="no bundled server here")
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def running(pid: int) -> bool:
    """Whether it runs; one that is dead but not yet waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def serving(data_dir: Path) -> set[int]:
    """Every process that works in this directory."""
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                here = (entry / "cwd").readlink() == data_dir
            except OSError:
                continue
            if here and running(int(entry.name)):
                found.add(int(entry.name))
    return found


@asynccontextmanager
async def serve(
    data_dir: Path, tether: Tether
) -> AsyncIterator[tuple[asyncio.subprocess.Process, int]]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", SERVE, str(data_dir), tether),
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    try:
        assert process.stdout
        while not (line := await process.stdout.readline()).startswith(b"{"):
            assert line, "it ended before it was up"
        yield process, json.loads(line)["pid"]
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def fingerprint(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


# -- One life ---------------------------------------------------------------------------------


@pytest.mark.parametrize("tether", TETHERS)
async def test_what_was_stored_is_there_after_a_restart(tmp_path: Path, tether: Tether) -> None:
    async with (
        EmbeddedStore(tmp_path, tether=tether) as embedded,
        RedisStore(embedded.url) as store,
    ):
        owner = await create(store)
        assert await owner.commit(1, action=play(1)) == Ok(1)
    async with (
        EmbeddedStore(tmp_path, tether=tether) as embedded,
        RedisStore(embedded.url) as store,
    ):
        loaded = await store.load(ROOM)
        assert isinstance(loaded, Loaded)
        assert (loaded.seq, loaded.snapshot) == (1, b"state 1")


async def test_the_directory_and_what_is_in_it_is_for_our_eyes_only(tmp_path: Path) -> None:
    data_dir = tmp_path / "made" / "on the way"
    async with EmbeddedStore(data_dir) as embedded, RedisStore(embedded.url) as store:
        await create(store)
        assert mode(data_dir) == 0o700
        assert mode(data_dir / "store.sock") == 0o700


@on_linux
async def test_it_is_gone_when_we_leave(tmp_path: Path) -> None:
    async with EmbeddedStore(tmp_path):
        assert len(serving(tmp_path)) == 1
    assert serving(tmp_path) == set()


async def test_a_stuck_server_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded_module, "STOP_S", 0.05)
    async with EmbeddedStore(tmp_path) as embedded:
        os.kill(embedded.pid, signal.SIGSTOP)
    assert not running(embedded.pid)


async def test_a_path_too_long_for_a_socket_gets_a_short_one(tmp_path: Path) -> None:
    data_dir = tmp_path / ("long" * 20) / ("longer" * 20)
    assert len(os.fsencode(data_dir)) > SOCKET_PATH_BYTES_MAX
    async with EmbeddedStore(data_dir) as embedded, RedisStore(embedded.url) as store:
        await create(store)
        socket = Path(embedded.url.removeprefix("unix://"))
        assert len(os.fsencode(socket)) <= SOCKET_PATH_BYTES_MAX
        assert mode(socket.parent) == 0o700
    assert not socket.parent.exists()


async def test_a_path_with_any_sign_in_it(tmp_path: Path) -> None:
    data_dir = tmp_path / 'a "b" ?c=%20#d 掼蛋'
    async with EmbeddedStore(data_dir) as embedded, RedisStore(embedded.url) as store:
        await create(store)


async def test_only_from_the_main_thread(tmp_path: Path) -> None:
    async def enter() -> None:
        async with EmbeddedStore(tmp_path):
            pass

    with pytest.raises(RuntimeError, match="main thread"):
        await asyncio.to_thread(asyncio.run, enter())


# -- One server per directory -----------------------------------------------------------------


async def test_a_second_one_is_told_who_holds_it(tmp_path: Path) -> None:
    async with EmbeddedStore(tmp_path) as first, RedisStore(first.url) as store:
        with pytest.raises(DataDirBusy) as caught:
            async with EmbeddedStore(tmp_path):
                pass
        assert caught.value.pid == os.getpid()
        assert caught.value.exit_code == 73
        assert f"in use by process {os.getpid()}" in str(caught.value)
        await create(store)
    async with EmbeddedStore(tmp_path):
        pass


async def test_an_orphan_of_a_dead_holder_keeps_the_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded_module, "ORPHAN_EXIT_S", 0.05)
    async with EmbeddedStore(tmp_path) as first:
        # As if whoever started it had died and, against all odds, left it behind.
        (tmp_path / "lock").write_text(f"serve {2**22 + 1}\nstore {first.pid}\n")
        with pytest.raises(DataDirBusy) as caught:
            async with EmbeddedStore(tmp_path):
                pass
        assert caught.value.pid == first.pid


async def test_a_lock_file_full_of_nonsense_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "lock").write_text("serve me\nsocket_dir /\n\n")
    async with EmbeddedStore(tmp_path):
        pass


# -- No server without us ---------------------------------------------------------------------


@on_linux
@pytest.mark.parametrize("tether", TETHERS)
async def test_kill_9_of_serve_leaves_nothing_and_the_next_start_works(
    tmp_path: Path, tether: Tether
) -> None:
    for _ in range(3):
        async with serve(tmp_path, tether) as (process, store_pid):
            assert running(store_pid)
            process.kill()
            await until(lambda: not serving(tmp_path), timeout_s=2)
    async with EmbeddedStore(tmp_path):
        pass


@on_linux
async def test_a_restart_right_after_kill_9_waits_for_the_last_breath(tmp_path: Path) -> None:
    async with serve(tmp_path, "exec") as (process, _):
        process.kill()
        await process.wait()
        async with EmbeddedStore(tmp_path) as embedded:
            assert serving(tmp_path) == {embedded.pid}


@on_linux
async def test_ctrl_c_does_not_reach_the_store(tmp_path: Path) -> None:
    async with EmbeddedStore(tmp_path) as embedded:
        assert os.getsid(embedded.pid) == embedded.pid != os.getsid(0)


async def test_the_short_socket_of_a_killed_serve_is_swept(tmp_path: Path) -> None:
    data_dir = tmp_path / ("long" * 20) / ("longer" * 20)
    async with serve(data_dir, "exec") as (process, _):
        process.kill()
    left = dict(line.split(" ", 1) for line in (data_dir / "lock").read_text().splitlines())
    socket_dir = Path(left["socket_dir"])
    assert names(socket_dir) == ["store.sock"]
    async with EmbeddedStore(data_dir):
        assert socket_dir.name not in names(socket_dir.parent)


# -- A crash is mended ------------------------------------------------------------------------


@on_linux
@pytest.mark.parametrize("tether", TETHERS)
async def test_after_kill_9_of_the_store_it_is_up_again(tmp_path: Path, tether: Tether) -> None:
    async with (
        EmbeddedStore(tmp_path, tether=tether) as embedded,
        RedisStore(embedded.url) as store,
    ):
        owner = await create(store)
        assert await owner.commit(1, action=play(1)) == Ok(1)
        first = embedded.pid
        (server,) = serving(tmp_path) - ({first} if tether == "watch" else set())
        os.kill(server, signal.SIGKILL)
        assert await owner.commit(2, action=play(2)) == Ok(2)
        assert embedded.pid != first
        assert [entry.seq for entry in await store.log(ROOM)] == [1, 2]
    assert serving(tmp_path) == set()


@on_linux
async def test_a_server_whose_launcher_was_killed_is_replaced(tmp_path: Path) -> None:
    async with EmbeddedStore(tmp_path, tether="watch") as embedded:
        before = serving(tmp_path)
        os.kill(embedded.pid, signal.SIGKILL)
        await until(lambda: embedded.pid not in before)
        assert not any(map(running, before))
    assert serving(tmp_path) == set()


async def test_three_crashes_in_a_minute_are_enough(tmp_path: Path) -> None:
    async with EmbeddedStore(tmp_path) as embedded:
        watching = asyncio.create_task(embedded.watch())
        killed: set[int] = set()
        while not watching.done():
            if embedded.pid not in killed and embedded.pid in serving(tmp_path):
                killed.add(embedded.pid)
                os.kill(embedded.pid, signal.SIGKILL)
            await asyncio.sleep(0.005)
        with pytest.raises(StoreCrashed) as caught:
            await watching
    assert len(killed) == 3
    assert caught.value.exit_code == 75
    assert "died 3 times in 60 s" in str(caught.value)


async def test_leaving_while_it_starts_again_leaves_nothing(tmp_path: Path) -> None:
    async with EmbeddedStore(tmp_path) as embedded:
        first = embedded.pid
        os.kill(first, signal.SIGKILL)
        await until(lambda: embedded.pid != first)
    assert serving(tmp_path) == set()


# -- Data it cannot, or must not, open --------------------------------------------------------


async def test_a_log_cut_in_mid_entry_opens_at_the_last_whole_one(tmp_path: Path) -> None:
    async with EmbeddedStore(tmp_path) as embedded, RedisStore(embedded.url) as store:
        owner = await create(store)
        for seq in range(1, 21):
            assert await owner.commit(seq, action=play(seq)) == Ok(seq)
    (written,) = (tmp_path / AOF_DIR).glob("*.incr.aof")
    os.truncate(written, written.stat().st_size - 7)

    async with EmbeddedStore(tmp_path) as embedded, RedisStore(embedded.url) as store:
        loaded = await store.load(ROOM)
        assert isinstance(loaded, Loaded)
        assert (loaded.seq, loaded.snapshot) == (19, b"state 19")
        assert [entry.seq for entry in await store.log(ROOM)] == list(range(1, 20))
        owner = Owner(store, loaded.fence)
        assert await owner.commit(20, action=play(20)) == Ok(20)


@with_the_bundle
@pytest.mark.parametrize(
    ("magic", "complaint"),
    [
        (b"REDIS0012", "Can't handle RDB format version 12"),  # as Redis 8 writes it
        (b"VALKEY099", "Can't handle RDB format version 99"),  # as some Valkey to come may
    ],
)
async def test_data_of_another_kind_is_refused_and_left_as_it_was(
    tmp_path: Path, magic: bytes, complaint: str
) -> None:
    aof = tmp_path / AOF_DIR
    aof.mkdir()
    (aof / "appendonly.aof.manifest").write_text(
        "file appendonly.aof.1.base.rdb seq 1 type b\nfile appendonly.aof.1.incr.aof seq 1 type i\n"
    )
    (aof / "appendonly.aof.1.base.rdb").write_bytes(magic + b"\xfa\x09redis-ver\x0699.9.9\xff")
    (aof / "appendonly.aof.1.incr.aof").write_bytes(b"")
    before = fingerprint(aof)
    with pytest.raises(StoreWontStart) as caught:
        async with EmbeddedStore(tmp_path):
            pass
    assert caught.value.exit_code == 78
    assert complaint in str(caught.value)
    assert fingerprint(aof) == before


async def test_a_damaged_log_is_refused_and_left_as_it_was(tmp_path: Path) -> None:
    async with EmbeddedStore(tmp_path) as embedded, RedisStore(embedded.url) as store:
        owner = await create(store)
        assert await owner.commit(1) == Ok(1)
    (written,) = (tmp_path / AOF_DIR).glob("*.incr.aof")
    body = bytearray(written.read_bytes())
    body[: len(body) // 2] = b"?" * (len(body) // 2)
    written.write_bytes(body)
    before = fingerprint(tmp_path / AOF_DIR)
    with pytest.raises(StoreWontStart, match="Bad file format"):
        async with EmbeddedStore(tmp_path):
            pass
    assert fingerprint(tmp_path / AOF_DIR) == before


async def test_another_servers_dump_is_not_passed_over(tmp_path: Path) -> None:
    (tmp_path / "dump.rdb").write_bytes(b"REDIS0011")
    with pytest.raises(DataDirUnusable, match=r"dump\.rdb"):
        async with EmbeddedStore(tmp_path):
            pass
    assert names(tmp_path) == ["dump.rdb"]


async def test_somebodys_home_is_not_taken_over(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o755)
    (home / "letters").mkdir()
    with pytest.raises(DataDirUnusable, match="not a store"):
        async with EmbeddedStore(home):
            pass
    assert mode(home) == 0o755
    assert names(home) == ["letters"]


@pytest.mark.parametrize("below", ["file", "file/deeper"])
async def test_a_file_in_place_of_the_directory(tmp_path: Path, below: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DataDirUnusable) as caught:
        async with EmbeddedStore(tmp_path / below):
            pass
    assert caught.value.exit_code == 73
    assert str(tmp_path / below) in str(caught.value)
    assert "\n" not in str(caught.value)


async def test_a_long_log_file_is_set_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded_module, "LOG_BYTES_MAX", 10)
    for _ in range(2):
        async with EmbeddedStore(tmp_path):
            pass
    assert (tmp_path / "store.log.1").exists()


# -- Finding a server, and servers that are none ----------------------------------------------


def fake(folder: Path, name: str, script: str) -> Path:
    folder.mkdir(exist_ok=True)
    binary = folder / name
    binary.write_text(f"#!/bin/sh\n{script}\n")
    binary.chmod(0o755)
    return binary


@with_the_bundle
async def test_the_bundled_one_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake(tmp_path / "bin", "valkey-server", "echo 'Valkey server v=9.9.9'")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert find_binary() == bundled_binary()


async def test_then_one_on_the_path_that_is_new_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded_module, "bundled_binary", lambda: None)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    fake(tmp_path / "bin", "valkey-server", "echo 'who knows'")
    found = fake(tmp_path / "bin", "redis-server", "echo 'Redis server v=7.0.15 sha=0:0'")
    assert find_binary() == found


async def test_else_one_line_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded_module, "bundled_binary", lambda: None)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    old = fake(tmp_path / "bin", "redis-server", "echo 'Redis server v=6.2.14 sha=0:0'")
    with pytest.raises(NoStoreBinary) as caught:
        async with EmbeddedStore(tmp_path / "data"):
            pass
    assert caught.value.exit_code == 69
    assert f"too old: {old} (6.2.14)" in str(caught.value)
    assert "REDIS_URL" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "data").exists()


async def test_one_that_ends_at_once_has_the_last_word(tmp_path: Path) -> None:
    binary = fake(tmp_path / "bin", "broken", "echo 'Illegal instruction, alas'; exit 3")
    with pytest.raises(StoreWontStart, match="status 3") as caught:
        async with EmbeddedStore(tmp_path / "data", binary=binary):
            pass
    assert caught.value.log_tail == "Illegal instruction, alas"


@on_linux
async def test_one_that_says_nothing_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded_module, "START_SILENCE_S", 0.1)
    binary = fake(tmp_path / "bin", "mute", "exec sleep 60")
    with pytest.raises(StoreWontStart, match="no sign of life"):
        async with EmbeddedStore(tmp_path / "data", binary=binary):
            pass
    assert serving(tmp_path / "data") == set()


LOADS_FOR_A_WHILE = """
import socket, sys
listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[sys.argv.index("--unixsocket") + 1])
listener.listen()
for answer in [b"-LOADING patience\\r\\n"] * 20 + [b"+PONG\\r\\n"]:
    peer, _ = listener.accept()
    peer.recv(100)
    peer.sendall(answer)
"""


async def test_one_that_is_loading_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Twenty times LOADING take longer than the silence it is allowed.
    monkeypatch.setattr(embedded_module, "START_SILENCE_S", 0.5)
    monkeypatch.setattr(embedded_module, "PING_EVERY_S", 0.03)
    script = tmp_path / "loads.py"
    script.write_text(LOADS_FOR_A_WHILE)
    binary = fake(tmp_path / "bin", "slow", f'exec {sys.executable} -I -S {script} "$@"')
    async with EmbeddedStore(tmp_path / "data", binary=binary):
        pass
