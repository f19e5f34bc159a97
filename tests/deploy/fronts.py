"""The real nginx, with the configuration that is shipped, on ports of a test."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

from attrs import field, frozen

from tests.deploy.shipped import DEPLOY
from tests.e2e.serving import START_S, free_port
from tests.server.waiting import until

SHIPPED = DEPLOY / "nginx"


def nginx() -> str | None:
    """Where the program is; Debian keeps it where only root's PATH leads."""
    places = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"])
    return shutil.which("nginx", path=places)


def replaced(text: str, replacements: Mapping[str, str]) -> str:
    """With every one of them done; AssertionError if the shipped file has no such place."""
    for old, new in replacements.items():
        assert old in text, f"not in the shipped file: {old}"
        text = text.replace(old, new)
    return text


# Around the shipped file: what Debian's own nginx.conf says, but nothing outside of one folder.
_MAIN = """\
daemon off;
{user}
pid {prefix}/nginx.pid;
error_log stderr warn;
worker_processes 1;
events {{ worker_connections 256; }}
http {{
    access_log off;
    client_body_temp_path {prefix}/body;
    proxy_temp_path {prefix}/proxy;
    fastcgi_temp_path {prefix}/fastcgi;
    uwsgi_temp_path {prefix}/uwsgi;
    scgi_temp_path {prefix}/scgi;
    include {prefix}/site.conf;
}}
"""


@frozen
class Front:
    """What to run: nodes `a` and `b` by their ports, and TLS if there is a certificate."""

    prefix: Path
    node_ports: tuple[int, int]
    certificate: tuple[Path, Path] | None = None
    """Certificate and key."""
    plain_port: int = field(factory=free_port)
    tls_port: int = field(factory=free_port)

    @property
    def place(self) -> str:
        """Host and port as a browser's address line has them."""
        return f"localhost:{self.tls_port}" if self.certificate else f"127.0.0.1:{self.plain_port}"

    @property
    def scheme(self) -> str:
        return "wss" if self.certificate else "ws"

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.place}/ws"

    def url_of(self, node: str) -> str:
        return f"{self.scheme}://{self.place}/n/{node}/ws"

    def render(self, site: str | None) -> Path:
        """Write the site, or the shipped files with this test's ports; the main file comes back."""
        if site is None:
            self._render_shipped()
        else:
            self.prefix.mkdir(parents=True)
            (self.prefix / "site.conf").write_text(site)
        main = self.prefix / "nginx.conf"
        user = "user root;" if os.geteuid() == 0 else ""  # or it could not read the test's folder
        main.write_text(_MAIN.format(prefix=self.prefix, user=user))
        return main

    def _render_shipped(self) -> None:
        own = self.prefix / "guandan"
        own.mkdir(parents=True)
        one, two = self.node_ports
        shared = {"/etc/nginx/guandan/": f"{own}/", "listen 80;": self._listen(self.plain_port)}
        nodes = {"node-a:8765": f"127.0.0.1:{one}", "node-b:8765": f"127.0.0.1:{two}"}
        self._write("guandan/nodes.conf", nodes)
        self._write("guandan/places.conf", {})
        if self.certificate is None:
            self._write("guandan.conf", shared, into="site.conf")
        else:
            certificate, key = self.certificate
            tls = {
                "listen 443 ssl;": self._listen(self.tls_port, " ssl"),
                "/etc/nginx/tls/fullchain.pem": str(certificate),
                "/etc/nginx/tls/privkey.pem": str(key),
                # As envsubst does it.
                "https://${GUANDAN_DOMAIN}$": f"https://{self.place}$",
                "${GUANDAN_DOMAIN}": "localhost",
            }
            self._write("guandan-tls.conf.template", {**shared, **tls}, into="site.conf")

    def _listen(self, port: int, kind: str = "") -> str:
        return f"listen 127.0.0.1:{port}{kind};"

    def _write(self, name: str, replacements: Mapping[str, str], *, into: str = "") -> None:
        text = (SHIPPED / name).read_text(encoding="utf-8")
        (self.prefix / (into or name)).write_text(replaced(text, replacements))


@contextlib.asynccontextmanager
async def running(front: Front, site: str | None = None) -> AsyncIterator[Front]:
    """nginx for the length of a test, with a site of its own or with what is shipped."""
    program = nginx()
    assert program is not None, "there is no nginx here: tools/test-tools.sh installs it"
    main = front.render(site)
    log = front.prefix / "error.log"
    with log.open("wb") as errors:
        process = await asyncio.create_subprocess_exec(
            program,
            *("-c", str(main), "-p", str(front.prefix), "-e", "stderr"),
            stdout=errors,
            stderr=errors,
        )
    try:
        await until(lambda: _is_up(front, process), timeout_s=START_S)
        if process.returncode is not None:
            raise AssertionError(log.read_text())
        yield front
    finally:
        if process.returncode is None:
            process.terminate()
            await process.wait()


async def _is_up(front: Front, process: asyncio.subprocess.Process) -> bool:
    if process.returncode is not None:
        return True  # it will not come
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", front.plain_port)
    except OSError:
        return False
    writer.close()
    return True


async def self_signed(folder: Path) -> tuple[Path, Path]:
    """A certificate for localhost, and its key."""
    certificate, key = folder / "fullchain.pem", folder / "privkey.pem"
    process = await asyncio.create_subprocess_exec(
        *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
        *("-nodes", "-days", "2", "-subj", "/CN=localhost"),
        *("-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(certificate)),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert await process.wait() == 0
    return certificate, key
