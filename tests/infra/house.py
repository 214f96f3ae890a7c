"""A whole house for tests: the real API on a database of its own, with a real Caddy in front, each to be stopped."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from porchlight.local.parts import ADMIN_SOCKET, ROOT, SniConnection
from tests.support.databases import Database
from tests.support.ports import free_ports
from tests.support.product import eventually, run_program

BASE = "porchlight.localhost"
BIN = Path(sys.executable).parent
CADDYFILE = ROOT / "infra" / "Caddyfile"


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP answer; names of headers in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode()


def trusting(authority: Path) -> ssl.SSLContext:
    """Trusts this authority and no other."""
    return ssl.create_default_context(cafile=str(authority))


def ask(
    connection: http.client.HTTPConnection,
    target: str,
    *,
    host: str,
    method: str = "GET",
    headers: Mapping[str, str] | None = None,
    body: bytes | None = None,
) -> Answer:
    """One request, its target and headers sent exactly as given."""
    connection.putrequest(method, target, skip_host=True, skip_accept_encoding=True)
    for name, value in {"Host": host, **(headers or {})}.items():
        connection.putheader(name, value)
    if body is not None:
        connection.putheader("Content-Length", str(len(body)))
    connection.endheaders(body)
    got = connection.getresponse()
    return Answer(got.status, {name.lower(): value for name, value in got.getheaders()}, got.read())


@dataclass
class Caddy:
    """Caddy with the house's Caddyfile, its storage and log in `folder`."""

    folder: Path
    api_port: int
    published: Path
    extra: Mapping[str, str] = field(default_factory=dict)
    trusted: Path | None = None
    process: subprocess.Popen[bytes] | None = None

    def __post_init__(self) -> None:
        self.https_port = free_ports(3)
        self.http_port = self.https_port + 1
        self.ask_port = self.https_port + 2
        self.folder.mkdir(parents=True, exist_ok=True)

    @property
    def env(self) -> dict[str, str]:
        """The environment of the Caddyfile, as `porchlight demo --tls-port` gives it."""
        return {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(self.folder),
            "XDG_DATA_HOME": str(self.folder),
            "XDG_CONFIG_HOME": str(self.folder),
            "CADDY_ADMIN": f"unix/{ADMIN_SOCKET}",
            "PORCHLIGHT_BIND": "127.0.0.1",
            "PORCHLIGHT_BASE_HOST": BASE,
            "PORCHLIGHT_API": f"127.0.0.1:{self.api_port}",
            "PORCHLIGHT_HTTPS_PORT": str(self.https_port),
            "PORCHLIGHT_HTTPS_SUFFIX": f":{self.https_port}",
            "PORCHLIGHT_HTTP_PORT": str(self.http_port),
            "PORCHLIGHT_ASK_PORT": str(self.ask_port),
            "PORCHLIGHT_PROTOCOLS": "h1 h2",
            "PORCHLIGHT_TLS": "internal",
            "PORCHLIGHT_MAIN_WEB": str(ROOT / "main-web" / "dist"),
            "PORCHLIGHT_GURU_WEB": str(ROOT / "guru-web" / "out"),
            "PORCHLIGHT_PUBLISHED_DIR": str(self.published),
            **self.extra,
        }

    @property
    def authority(self) -> Path:
        """The root certificate its visitors trust: its internal authority's, unless another is given."""
        return self.trusted or self.folder / "caddy" / "pki" / "authorities" / "local" / "root.crt"

    @property
    def log(self) -> Path:
        """What it logs."""
        return self.folder / "caddy.log"

    def start(self) -> None:
        """Start and wait until it listens."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [BIN / "caddy", "run", "--config", CADDYFILE, "--adapter", "caddyfile"],
                cwd=self.folder,
                env=self.env,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        eventually("Caddy listens", self._listens)

    def _listens(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, self.log.read_text()[-2000:]
        return accepts(self.https_port) and self.authority.exists()

    def stop(self) -> None:
        """Stop it."""
        if self.process is not None:
            self.process.send_signal(signal.SIGTERM)
            assert self.process.wait(60) == 0
            self.process = None

    def reload(self) -> None:
        """Load the Caddyfile anew, as an operator does."""
        subprocess.run(
            [BIN / "caddy", "reload", "--force", "--config", CADDYFILE, "--adapter", "caddyfile"],
            cwd=self.folder,
            env=self.env,
            check=True,
            capture_output=True,
            timeout=120,
        )

    def certificates(self) -> set[str]:
        """The names it holds certificates for."""
        return {path.stem for path in (self.folder / "caddy" / "certificates").rglob("*.crt")}

    @contextlib.contextmanager
    def connected(self, name: str) -> Iterator[http.client.HTTPConnection]:
        """A TLS connection that asks for `name` and trusts our authority only."""
        with contextlib.closing(SniConnection(name, self.https_port, trusting(self.authority))) as connection:
            connection.timeout = 60
            connection.connect()
            yield connection

    def gives_certificate(self, name: str) -> bool:
        """Whether a handshake for `name` succeeds, with a certificate that is for it."""
        try:
            with self.connected(name):
                return True
        except ssl.SSLError as fault:
            if "ALERT_INTERNAL_ERROR" not in str(fault):  # the only way in which Caddy says that it has none
                raise
            return False

    def get(self, name: str, target: str = "/", **more: Any) -> Answer:
        """Ask the host `name`; a guru's label stands for its subdomain."""
        name = name if "." in name else f"{name}.{BASE}"
        with self.connected(name) as connection:
            more.setdefault("host", f"{name}:{self.https_port}")
            return ask(connection, target, **more)

    def access(self) -> list[dict[str, Any]]:
        """The access log."""
        return [line for line in self.logged() if line.get("logger") == "http.log.access"]

    def logged(self) -> list[dict[str, Any]]:
        """What it logged; not of a line that it is just writing."""
        whole = self.log.read_text().rpartition("\n")[0]
        return [json.loads(line) for line in whole.splitlines() if line.startswith("{")]


def accepts(port: int) -> bool:
    """Whether somebody listens on 127.0.0.1:`port`."""
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


class House:
    """The API on `database`, and Caddy in front of it."""

    def __init__(self, folder: Path, database: Database) -> None:
        self.database = database
        self.folder = folder
        self.published = folder / "published"
        self.api_port = free_ports()
        self.caddy = Caddy(folder / "caddy", self.api_port, self.published)
        self._api: subprocess.Popen[bytes] | None = None

    @property
    def env(self) -> dict[str, str]:
        """The environment of the API and of the command line."""
        return {
            "DATABASE_URL": self.database.app_url,
            "PORCHLIGHT_OVERSEER_DATABASE_URL": self.database.overseer_url,
            "PORCHLIGHT_BASE_HOST": BASE,
            "PORCHLIGHT_ENV": "development",
            "PORCHLIGHT_TRUSTED_PROXIES": "127.0.0.1",
            "PORCHLIGHT_PUBLISHED_DIR": str(self.published),
            "PORCHLIGHT_HTTPS_PORT": str(self.caddy.https_port),
        }

    def launch_api(self) -> None:
        """Start the API without waiting."""
        with (self.folder / "api.log").open("ab") as log:
            self._api = subprocess.Popen(
                [BIN / "porchlight", "serve", "--port", str(self.api_port), "--workers", "2"],
                cwd=ROOT,
                env=os.environ | self.env,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def start_api(self) -> None:
        """Start the API, unless it runs, and wait until it is ready."""
        if self._api is None:
            self.launch_api()
        eventually("the API is ready", self._ready)

    def _ready(self) -> bool:
        with contextlib.suppress(OSError):
            return self.direct("/readyz", host=BASE).status == 200
        return False

    def stop_api(self) -> None:
        """Stop the API with all its workers."""
        if self._api is not None:
            self._api.send_signal(signal.SIGTERM)
            self._api.wait(60)
            self._api = None
            eventually("nobody listens for the API", lambda: not accepts(self.api_port))

    def direct(self, target: str, *, host: str, **more: Any) -> Answer:
        """Ask the API itself, past Caddy."""
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.api_port, timeout=60)) as connection:
            return ask(connection, target, host=host, **more)

    def run(self, *words: str) -> None:
        """`porchlight <words>`; it must succeed."""
        code, said = run_program(*words, env=self.env)
        assert code == 0, said

    def execute(self, statement: str, *parameters: object) -> None:
        """Change something in the database past all fences."""
        with psycopg.connect(self.database.superuser_url) as connection:
            connection.execute(statement, parameters)

    def new_guru(self, label: str) -> str:
        """A guru of this name with the default services."""
        self.run("guru", "create", label, "--character", f"{label} the Guru", "--email", f"{label}@example.org")
        return label

    def copy_of(self, site: str, path: str = "/") -> Path:
        """Where the published copy of a page lies."""
        return self.published / site / path.strip("/") / "index.html"

    def publish(self, site: str, path: str = "/") -> bytes:
        """Visit a page and wait for its copy; what the visitor saw."""
        seen = self.caddy.get(site, path)
        assert seen.status == 200
        eventually("the page is kept", self.copy_of(site, path).exists)
        return seen.body
