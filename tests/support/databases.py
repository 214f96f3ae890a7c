"""Fresh databases with the real schema, cloned from a template that the real migrations made once."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import psycopg
from psycopg import sql

from porchlight import migrations
from porchlight.local.postgres import SUPERUSER, LocalPostgres
from tenants import roles
from tests.support.ports import free_ports
from tests.support.sharing import Facts, Stop, locked

TEMPLATE = "porchlight_template"


@dataclass(frozen=True, slots=True)
class Database:
    """The addresses (libpq URLs) of one database, a role each."""

    name: str
    superuser_url: str
    owner_url: str
    app_url: str
    overseer_url: str


@dataclass(frozen=True, slots=True)
class Server:
    """The run's PostgreSQL server. `gate` serialises what changes the whole server (roles, templates)."""

    port: int
    passwords: dict[str, str]
    gate: Path

    def database(self, name: str) -> Database:
        """The addresses of the database `name`."""

        def url(role: str) -> str:
            return f"postgresql://{role}:{self.passwords[role]}@127.0.0.1:{self.port}/{name}"

        return Database(name, url(SUPERUSER), url(roles.OWNER), url(roles.APP), url(roles.OVERSEER))

    @property
    def superuser_url(self) -> str:
        """The maintenance database, as the superuser."""
        return self.database("postgres").superuser_url

    def provision(self, name: str) -> None:
        """Create the database when it is missing, and set its grants."""
        roles.provision(self.superuser_url, database=name, passwords=self.passwords)

    @contextlib.contextmanager
    def fresh(self, *, template: str = TEMPLATE) -> Iterator[Database]:
        """A database of its own, cloned from `template` and dropped afterwards."""
        name = f"test_{uuid.uuid4().hex[:12]}"
        # Grants on a database are not cloned with it, so it is provisioned like a new one.
        with locked(self.gate):
            self._execute("CREATE DATABASE {} TEMPLATE {} OWNER {}", name, template, roles.OWNER)
            self.provision(name)
        try:
            yield self.database(name)
        finally:
            self._execute("DROP DATABASE {} WITH (FORCE)", name)

    @contextlib.contextmanager
    def empty(self) -> Iterator[Database]:
        """A provisioned database without any table of ours."""
        name = f"test_{uuid.uuid4().hex[:12]}"
        with locked(self.gate):
            self.provision(name)
        try:
            yield self.database(name)
        finally:
            self._execute("DROP DATABASE {} WITH (FORCE)", name)

    def make_template(self) -> None:
        """Run the migrations into the template database, and close it to connections.

        Closed, it is finished: the lane that started the server may have left before the other one came to need it.
        """
        with psycopg.connect(self.superuser_url) as connection:
            found = connection.execute("SELECT datallowconn FROM pg_database WHERE datname = %s", [TEMPLATE]).fetchone()
        if found == (False,):
            return
        self._execute("DROP DATABASE IF EXISTS {} WITH (FORCE)", TEMPLATE)
        self.provision(TEMPLATE)
        migrations.upgrade(self.database(TEMPLATE).owner_url)
        self._execute("ALTER DATABASE {} ALLOW_CONNECTIONS false", TEMPLATE)

    def _execute(self, statement: str, *names: str) -> None:
        with psycopg.connect(self.superuser_url, autocommit=True) as connection:
            connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))


def start_server(folder: Path) -> tuple[Facts, Stop]:
    """Start the run's server in `folder` and make the template."""
    postgres = LocalPostgres(folder / "postgres", free_ports(), durable=False)
    postgres.start()
    try:
        server = Server(postgres.port, postgres.passwords, folder / "server.gate")
        server.make_template()
    except BaseException:
        postgres.stop()
        raise
    facts = asdict(server) | {"gate": str(server.gate)}
    return facts, postgres.stop


def server_from(facts: Facts) -> Server:
    """The server another worker started."""
    return Server(port=facts["port"], passwords=facts["passwords"], gate=Path(facts["gate"]))
