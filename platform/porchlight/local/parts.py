"""The parts of the product on one machine, in the order they start.

A part is added by adding its factory to BEFORE_MIGRATIONS or PRODUCT. A factory may put what the others need to know
into `world.env`, and what people and tests need to know into `world.facts`.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime as dt
import http.client
import os
import shutil
import signal
import ssl
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from porchlight.local.errors import LocalError
from porchlight.local.identity import identity_part
from porchlight.local.postgres import DATABASE, SUPERUSER, LocalPostgres
from porchlight.local.processes import refuse_taken_port
from porchlight.local.state import StateFolder
from porchlight.local.stripe.part import payments_part
from porchlight.local.supervisor import Part

BASE_HOST = "porchlight.localhost"
ADMIN_SOCKET = "admin.sock"
ROOT = Path(__file__).resolve().parents[3]
BIN = Path(sys.executable).parent


@dataclass(slots=True)
class World:
    """What the parts know of each other. Ports follow from `port` (DESIGN 9)."""

    port: int
    tls_port: int | None
    state: StateFolder
    postgres: LocalPostgres
    env: dict[str, str] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def auth_port(self) -> int:
        """The identity emulator's."""
        return self.port + 1

    @property
    def stripe_port(self) -> int:
        """The local payments'."""
        return self.port + 2

    @property
    def ask_port(self) -> int:
        """Where Caddy asks itself who may have a certificate."""
        return self.port + 4

    @property
    def redirect_port(self) -> int:
        """Plain HTTP of Caddy, which leads to https."""
        return self.port + 5

    @property
    def base_url(self) -> str:
        """The main platform without TLS."""
        return f"http://{BASE_HOST}:{self.port}"

    @property
    def tls_url(self) -> str | None:
        """The main platform behind Caddy."""
        return f"https://{BASE_HOST}:{self.tls_port}" if self.tls_port else None

    @property
    def superuser_url(self) -> str:
        """Our own database as the superuser: for looking, never for the product."""
        return self.postgres.url(SUPERUSER, DATABASE)


@dataclass(frozen=True, slots=True)
class Stage:
    """A step of the start: a title for people, and the part behind it (None: not wanted this time)."""

    title: str
    factory: Callable[[World], Part | None]


def program(name: str) -> str:
    """A program of the virtual environment we run in."""
    path = BIN / name
    if not path.exists():
        raise LocalError(f"{path} is missing: run `make setup`.")
    return str(path)


def answers_http(
    port: int, path: str, *, host: str = BASE_HOST, tls: bool = False, wanted: Sequence[int] = (200,)
) -> Callable[[], Awaitable[bool]]:
    """A probe: whether `path` on 127.0.0.1:`port` answers with a wanted status."""

    def ask() -> bool:
        connection: http.client.HTTPConnection
        if tls:
            # Whether it answers is the question here, not who signed its certificate.
            context = ssl.create_default_context()
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
            connection = SniConnection(host, port, context)
        else:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=3)
        with contextlib.closing(connection):
            try:
                connection.request("GET", path, headers={"Host": f"{host}:{port}"})
                return connection.getresponse().status in wanted
            except (OSError, http.client.HTTPException):
                return False

    return lambda: asyncio.to_thread(ask)


class SniConnection(http.client.HTTPSConnection):
    """A TLS connection to 127.0.0.1 that asks for another name: Python does not resolve `*.localhost`."""

    def __init__(self, name: str, port: int, context: ssl.SSLContext) -> None:
        super().__init__("127.0.0.1", port, timeout=3, context=context)
        self._name = name
        self._ssl = context

    def connect(self) -> None:
        """Connect, naming the host we mean."""
        http.client.HTTPConnection.connect(self)
        self.sock = self._ssl.wrap_socket(self.sock, server_hostname=self._name)


def postgres_part(world: World) -> Part:
    """The database; brought back with its rows whenever it dies."""
    postgres = world.postgres
    return Part(
        name="postgres",
        argv=postgres.argv,
        env=postgres.env(),
        prepare=lambda: asyncio.to_thread(postgres.prepare),
        ready=lambda: asyncio.to_thread(postgres.answers),
        after_ready=lambda: asyncio.to_thread(postgres.provision),
        # A fast shutdown: clients are cut off, nothing is lost.
        stop_signal=signal.SIGINT,
        death_signal=signal.SIGINT,
        account=lambda: postgres.account,
        ready_seconds=120,
        stop_seconds=30,
    )


def api_part(world: World) -> Part:
    """The API with both webs."""
    # Its workers share their counters here; those of an earlier start count for nothing.
    metrics = world.state.path / "metrics"

    async def prepare() -> None:
        refuse_taken_port(world.port, "the product")
        shutil.rmtree(metrics, ignore_errors=True)
        metrics.mkdir()

    argv = [program("porchlight"), "serve", "--host", "127.0.0.1", "--port", str(world.port), "--workers", "2"]
    return Part(
        name="api",
        argv=lambda: argv,
        env=world.env | {"PROMETHEUS_MULTIPROC_DIR": str(metrics)},
        prepare=prepare,
        ready=answers_http(world.port, "/readyz"),
        cwd=ROOT,
    )


def worker_part(world: World) -> Part:
    """The worker; ready when its heartbeat is in the database."""
    began = dt.datetime.now(dt.UTC)

    async def prepare() -> None:
        nonlocal began
        began = dt.datetime.now(dt.UTC)

    def heartbeat() -> bool:
        with psycopg.connect(world.superuser_url, connect_timeout=3) as connection:
            query = "SELECT EXISTS (SELECT FROM jobs.procrastinate_workers WHERE last_heartbeat >= %s)"
            row = connection.execute(query, [began]).fetchone()
        return bool(row and row[0])

    async def ready() -> bool:
        try:
            return await asyncio.to_thread(heartbeat)
        except psycopg.Error:
            return False

    argv = [program("porchlight"), "worker"]
    return Part(
        name="worker",
        argv=lambda: argv,
        env=world.env,
        prepare=prepare,
        ready=ready,
        # In good order it says goodbye in the database, which dies with the same supervisor: it would wait in vain.
        death_signal=signal.SIGKILL,
        cwd=ROOT,
    )


def caddy_part(world: World) -> Part | None:
    """Caddy with its internal authority, in front of the API."""
    if world.tls_port is None:
        return None
    tls_port = world.tls_port
    folder = world.state.path / "caddy"

    async def prepare() -> None:
        folder.mkdir(exist_ok=True)
        # Left by a start that was killed.
        (folder / ADMIN_SOCKET).unlink(missing_ok=True)
        refuse_taken_port(tls_port, "https")
        refuse_taken_port(world.ask_port, "Caddy's questions")
        refuse_taken_port(world.redirect_port, "plain HTTP")

    argv = [program("caddy"), "run", "--config", str(ROOT / "infra" / "Caddyfile"), "--adapter", "caddyfile"]
    world.facts["tls_url"] = world.tls_url
    world.facts["tls_ca"] = str(folder / "caddy" / "pki" / "authorities" / "local" / "root.crt")
    return Part(
        name="caddy",
        argv=lambda: argv,
        env={
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(folder),
            "XDG_DATA_HOME": str(folder),
            "XDG_CONFIG_HOME": str(folder),
            # Relative to the folder it runs in: the names of sockets may not be long.
            "CADDY_ADMIN": f"unix/{ADMIN_SOCKET}",
            "PORCHLIGHT_BIND": "127.0.0.1",
            "PORCHLIGHT_BASE_HOST": BASE_HOST,
            "PORCHLIGHT_API": f"127.0.0.1:{world.port}",
            "PORCHLIGHT_HTTPS_PORT": str(tls_port),
            "PORCHLIGHT_HTTPS_SUFFIX": f":{tls_port}",
            "PORCHLIGHT_HTTP_PORT": str(world.redirect_port),
            "PORCHLIGHT_ASK_PORT": str(world.ask_port),
            "PORCHLIGHT_PROTOCOLS": "h1 h2",
            "PORCHLIGHT_TLS": "internal",
            # The same names answer without TLS beside it: browsers must not be told otherwise for a year.
            "PORCHLIGHT_HSTS": "max-age=0",
            "PORCHLIGHT_MAIN_WEB": str(ROOT / "main-web" / "dist"),
            "PORCHLIGHT_GURU_WEB": str(ROOT / "guru-web" / "out"),
            "PORCHLIGHT_PUBLISHED_DIR": str(world.state.path / "published"),
        },
        prepare=prepare,
        ready=answers_http(tls_port, "/", tls=True),
        cwd=folder,
    )


# What must run before the schema is brought to the present release.
BEFORE_MIGRATIONS = (Stage("Database", postgres_part),)
# What runs on the finished schema; the stages of one group start beside each other.
PRODUCT: tuple[tuple[Stage, ...], ...] = (
    (
        Stage("API", api_part),
        Stage("Worker", worker_part),
        Stage("Sign-in", identity_part),
        Stage("Payments", payments_part),
    ),
    (Stage("TLS", caddy_part),),
)
