"""A deployment for tests: the API on its own database behind Caddy. Both can be stopped."""

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

from porchlight_dev.environment import ROOT
from porchlight_dev.probes import SniConnection
from porchlight_dev.services.caddy import ADMIN_SOCKET
from sites.hours.proposal import add_proposed_hours
from sites.services.defaults import add_default_services
from tenants.kit.clock import OFFSET_VARIABLE
from tenants.tenancy.lifecycle import NewGuru, add_domain, create_guru, restore_guru
from tests.fixtures.clock import offset_seconds
from tests.fixtures.databases import Database
from tests.fixtures.ports import free_ports
from tests.fixtures.product import eventually, run_program

BASE = "porchlight.localhost"
BIN = Path(sys.executable).parent
CADDYFILE = ROOT / "infra" / "Caddyfile"
X509_V_FLAG_NO_CHECK_TIME = 0x200000  # of OpenSSL; Python has no name for it


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """An HTTP response. Header names are lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode()


def trust_only(authority: Path) -> ssl.SSLContext:
    """Return a TLS context that trusts only this certificate authority and ignores the dates of certificates.

    Caddy dates a certificate to the moment of its issue, and the clock that OpenSSL reads may be a tick behind.
    """
    context = ssl.create_default_context(cafile=str(authority))
    context.verify_flags |= X509_V_FLAG_NO_CHECK_TIME
    return context


def send_request(
    connection: http.client.HTTPConnection,
    target: str,
    *,
    host: str,
    method: str = "GET",
    headers: Mapping[str, str] | None = None,
    body: bytes | None = None,
) -> HttpResponse:
    """Send one request with exactly this target and these headers."""
    connection.putrequest(method, target, skip_host=True, skip_accept_encoding=True)
    for name, value in {"Host": host, **(headers or {})}.items():
        connection.putheader(name, value)
    if body is not None:
        connection.putheader("Content-Length", str(len(body)))
    connection.endheaders(body)
    response = connection.getresponse()
    return HttpResponse(
        response.status, {name.lower(): value for name, value in response.getheaders()}, response.read()
    )


@dataclass
class Caddy:
    """Caddy with the repository's Caddyfile. Its storage and log are in `folder`."""

    folder: Path
    api_port: int
    snapshots_dir: Path
    extra: Mapping[str, str] = field(default_factory=dict)
    authority_path: Path | None = None
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
            "PORCHLIGHT_PUBLISHED_DIR": str(self.snapshots_dir),
            **self.extra,
        }

    @property
    def authority(self) -> Path:
        """The root certificate to trust: that of the internal authority by default."""
        return self.authority_path or self.folder / "caddy" / "pki" / "authorities" / "local" / "root.crt"

    @property
    def log(self) -> Path:
        """The path of the log."""
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
        eventually("Caddy listens", self._is_listening)

    def _is_listening(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, self.log.read_text()[-2000:]
        return is_listening(self.https_port) and self.authority.exists() and self._has_wildcard()

    def _has_wildcard(self) -> bool:
        # Caddy listens before it has made its own certificate for all subdomains.
        return self.env["PORCHLIGHT_TLS"] != "internal" or f"wildcard_.{BASE}" in self.certificates()

    def stop(self) -> None:
        """Stop it."""
        if self.process is not None:
            self.process.send_signal(signal.SIGTERM)
            assert self.process.wait(60) == 0
            self.process = None

    def reload(self) -> None:
        """Reload the Caddyfile, as an operator does."""
        subprocess.run(
            [BIN / "caddy", "reload", "--force", "--config", CADDYFILE, "--adapter", "caddyfile"],
            cwd=self.folder,
            env=self.env,
            check=True,
            capture_output=True,
            timeout=120,
        )

    def certificates(self) -> set[str]:
        """Return the names of all stored certificates."""
        return {path.stem for path in (self.folder / "caddy" / "certificates").rglob("*.crt")}

    @contextlib.contextmanager
    def connected(self, name: str) -> Iterator[http.client.HTTPConnection]:
        """Yield a TLS connection to `name` that trusts only this deployment's authority."""
        with contextlib.closing(SniConnection(name, self.https_port, trust_only(self.authority))) as connection:
            connection.timeout = 60
            connection.connect()
            yield connection

    def has_certificate_for(self, name: str) -> bool:
        """Return whether a handshake for `name` succeeds with a matching certificate."""
        try:
            with self.connected(name):
                return True
        except ssl.SSLError as error:
            if "ALERT_INTERNAL_ERROR" not in str(error):  # Caddy's alert for a missing certificate
                raise
            return False

    def get(self, name: str, target: str = "/", **options: Any) -> HttpResponse:
        """Send a request to the host `name`. A guru's label means its subdomain."""
        name = name if "." in name else f"{name}.{BASE}"
        with self.connected(name) as connection:
            options.setdefault("host", f"{name}:{self.https_port}")
            return send_request(connection, target, **options)

    def access_log(self) -> list[dict[str, Any]]:
        """Return the entries of the access log."""
        return [line for line in self.log_entries() if line.get("logger") == "http.log.access"]

    def log_entries(self) -> list[dict[str, Any]]:
        """Return all complete log entries."""
        complete_lines = self.log.read_text().rpartition("\n")[0]
        return [json.loads(line) for line in complete_lines.splitlines() if line.startswith("{")]


def is_listening(port: int) -> bool:
    """Return whether a process listens on 127.0.0.1:`port`."""
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


class Deployment:
    """The API on `database`, and Caddy in front of it."""

    def __init__(self, folder: Path, database: Database) -> None:
        self.database = database
        self.folder = folder
        self.snapshots_dir = folder / "published"
        self.api_port = free_ports()
        self.caddy = Caddy(folder / "caddy", self.api_port, self.snapshots_dir)
        self._api: subprocess.Popen[bytes] | None = None
        self.clock_offset_seconds = offset_seconds()  # also when a later module starts the API again

    @property
    def env(self) -> dict[str, str]:
        """The environment of the API and of the command line."""
        return {
            "DATABASE_URL": self.database.app_url,
            "PORCHLIGHT_OVERSEER_DATABASE_URL": self.database.service_url,
            "PORCHLIGHT_BASE_HOST": BASE,
            "PORCHLIGHT_ENV": "development",
            "PORCHLIGHT_TRUSTED_PROXIES": "127.0.0.1",
            "PORCHLIGHT_PUBLISHED_DIR": str(self.snapshots_dir),
            "PORCHLIGHT_HTTPS_PORT": str(self.caddy.https_port),
            OFFSET_VARIABLE: str(self.clock_offset_seconds),
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
        eventually("the API is ready", self._is_ready)

    def _is_ready(self) -> bool:
        # Each request may reach another worker. One that has no database connection yet answers 503, also when Caddy
        # asks it about a certificate.
        with contextlib.suppress(OSError):
            return all(self.direct("/readyz", host=BASE).status == 200 for _ in range(20))
        return False

    def stop_api(self) -> None:
        """Stop the API with all its workers."""
        if self._api is not None:
            self._api.send_signal(signal.SIGTERM)
            self._api.wait(60)
            self._api = None
            eventually("the API's port is free", lambda: not is_listening(self.api_port))

    def direct(self, target: str, *, host: str, **options: Any) -> HttpResponse:
        """Send a request to the API directly, without Caddy."""
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.api_port, timeout=60)) as connection:
            return send_request(connection, target, host=host, **options)

    def run(self, *arguments: str) -> None:
        """Run `porchlight <arguments>`, which must succeed."""
        code, output = run_program(*arguments, env=self.env)
        assert code == 0, output

    def execute(self, statement: str, *parameters: object) -> None:
        """Execute a statement as the superuser, without RLS."""
        with psycopg.connect(self.database.superuser_url) as connection:
            connection.execute(statement, parameters)

    def new_guru(self, label: str) -> str:
        """Create a guru with the default services, as `porchlight guru create` does. Return the label."""
        guru = NewGuru(label, f"{label} the Guru", "general", f"{label}@example.org")
        with psycopg.connect(self.database.service_url) as connection:
            tenant_id = create_guru(connection, guru)
            add_default_services(connection, tenant_id)
            add_proposed_hours(connection, tenant_id)
        return label

    def add_domain(self, label: str, domain: str) -> None:
        """Add a verified custom domain, as `porchlight domain add --verified` does."""
        with psycopg.connect(self.database.service_url) as connection:
            add_domain(connection, label, domain, verified=True)

    def restore_guru(self, label: str) -> None:
        """Restore a suspended site, as `porchlight guru restore` does."""
        with psycopg.connect(self.database.service_url) as connection:
            restore_guru(connection, label)

    def snapshot_path(self, site: str, path: str = "/") -> Path:
        """Return the path of a page's snapshot."""
        return self.snapshots_dir / site / path.strip("/") / "index.html"

    def publish(self, site: str, path: str = "/") -> bytes:
        """Request a page until its snapshot is written, and return the body.

        A page whose site changes while it is rendered is written at its next request. This can happen to a new site,
        because the API is notified a moment after the site was created.
        """
        bodies: list[bytes] = []

        def is_written() -> bool:
            response = self.caddy.get(site, path)
            assert response.status == 200
            bodies.append(response.body)
            return self.snapshot_path(site, path).exists()

        eventually(f"the snapshot of {site}{path} is written", is_written)
        return bodies[-1]
