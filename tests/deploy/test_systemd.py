"""The unit: systemd accepts it where there is one, and its parts are what they have to be."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

from guandan_server.errors import DataDirBusy, StoreCrashed, StoreUnreachable, StoreWontStart
from guandan_server.node import DRAIN_S, EXIT_INTERRUPTED
from tests.deploy.shipped import DEPLOY, serve_options

UNIT = DEPLOY / "systemd/guandan.service"


def settings() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in UNIT.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith(("#", "[")):
            name, sign, value = line.partition("=")
            assert sign, line
            found.setdefault(name, []).append(value)
    return found


def one(name: str) -> str:
    (value,) = settings()[name]
    return value


def test_the_process_alone_is_told_to_stop_and_has_time() -> None:
    # Told together with it, the store would go first.
    assert one("KillMode") == "mixed"
    assert one("KillSignal") == "SIGTERM"
    assert int(one("TimeoutStopSec")) > DRAIN_S + 2


def test_it_is_started_again_where_that_helps() -> None:
    assert one("Restart") == "on-failure"
    final = {int(code) for code in one("RestartPreventExitStatus").split()}
    assert final == {DataDirBusy.exit_code, StoreWontStart.exit_code}
    assert not final & {StoreCrashed.exit_code, StoreUnreachable.exit_code}
    assert int(one("SuccessExitStatus")) == EXIT_INTERRUPTED
    assert one("StartLimitIntervalSec") == "0"


def test_its_data_is_where_it_may_write() -> None:
    assert one("DynamicUser") == "yes"
    assert f"GUANDAN_DATA_DIR=%S/{one('StateDirectory')}" in settings()["Environment"]
    assert one("StateDirectoryMode") == "0700"
    for line in settings()["Environment"]:
        name = line.partition("=")[0].removeprefix("GUANDAN_")
        assert f"--{name.lower().replace('_', '-')}" in serve_options()
    assert re.fullmatch(r"/opt/guandan/bin/guandan serve", one("ExecStart"))


def test_it_may_do_nothing_else() -> None:
    closed = {
        *(
            "NoNewPrivileges",
            "PrivateTmp",
            "PrivateDevices",
            "ProtectHome",
            "MemoryDenyWriteExecute",
        ),
        *("ProtectKernelTunables", "ProtectControlGroups", "RestrictNamespaces", "LockPersonality"),
    }
    assert {name: one(name) for name in closed} == dict.fromkeys(closed, "yes")
    assert one("ProtectSystem") == "strict"
    assert one("CapabilityBoundingSet") == ""
    assert one("SystemCallFilter") == "@system-service"


def test_systemd_accepts_it(tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    text = UNIT.read_text(encoding="utf-8")
    sections = re.findall(r"^\[(\w+)\]$", text, flags=re.MULTILINE)
    assert sections == ["Unit", "Service", "Install"]
    if program is None:  # macOS, most containers: the structure is all that can be looked at
        return
    unit = tmp_path / UNIT.name
    here = str(Path(sys.executable).with_name("guandan"))
    unit.write_text(text.replace("/opt/guandan/bin/guandan", here))
    said = subprocess.run(
        [program, "verify", "--man=no", unit], capture_output=True, text=True, check=False
    )
    assert (said.returncode, said.stdout + said.stderr) == (0, "")
