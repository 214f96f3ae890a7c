"""The app does not serve requests in a role that could bypass tenant isolation."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import psycopg
import pytest
from psycopg import sql

from tenants.db.roles import APP_ROLE, OWNER_ROLE, SERVICE_ROLE, OverPrivilegedRole, require_least_privilege
from tests.fixtures.databases import Database
from tests.fixtures.ports import free_ports
from tests.fixtures.product import run_program
from tests.porchlight.app_client import BASE_HOST

# (attributes, membership, expected word of the error)
EXCESS_PRIVILEGES = {
    "superuser": ("SUPERUSER", None, "superuser"),
    "bypass": ("BYPASSRLS", None, "BYPASSRLS"),
    "creates roles": ("CREATEROLE", None, "CREATEROLE"),
    "replica": ("REPLICATION", None, "REPLICATION"),
    "member of the owner": ("", OWNER_ROLE, "owns"),
    "member of the owner without inheritance": ("NOINHERIT", OWNER_ROLE, "owns"),
    "member of the service role": ("", SERVICE_ROLE, SERVICE_ROLE),
    "member of a superuser": ("NOINHERIT", "postgres", "superuser"),
}


@pytest.fixture
def role(database: Database) -> Iterator[Callable[[str, str | None], str]]:
    """Return a function that creates a login role with attributes and a membership, and returns its URL."""
    name = f"test_role_{database.name}"
    with psycopg.connect(database.superuser_url, autocommit=True) as conn:

        def create_role(attributes: str, member_of: str | None) -> str:
            conn.execute(f"CREATE ROLE {name} LOGIN PASSWORD 'test' {attributes}".encode())
            conn.execute(f"GRANT CONNECT ON DATABASE {database.name} TO {name}".encode())
            if member_of:
                conn.execute(f"GRANT {member_of} TO {name}".encode())
            return database.app_url.replace(database.app_url.split("//")[1].split("@")[0], f"{name}:test")

        yield create_role
        conn.execute(sql.SQL("DROP OWNED BY {n}; DROP ROLE {n}").format(n=sql.Identifier(name)))


@pytest.mark.parametrize("case", EXCESS_PRIVILEGES)
def test_role_with_excess_privilege_is_rejected(role: Callable[[str, str | None], str], case: str) -> None:
    attributes, member_of, word = EXCESS_PRIVILEGES[case]
    with pytest.raises(OverPrivilegedRole, match=word):
        require_least_privilege(role(attributes, member_of))


def test_role_with_truncate_is_rejected(database: Database, role: Callable[[str, str | None], str]) -> None:
    url = role("", APP_ROLE)
    require_least_privilege(url)
    with psycopg.connect(database.superuser_url, autocommit=True) as conn:
        conn.execute(f"GRANT TRUNCATE ON leads TO test_role_{database.name}".encode())
    with pytest.raises(OverPrivilegedRole, match="TRUNCATE"):
        require_least_privilege(url)


@pytest.mark.parametrize("role_url", ["superuser_url", "owner_url", "service_url"])
def test_serve_with_wrong_role_exits_with_one_sentence(database: Database, role_url: str) -> None:
    code, output = run_program(
        "serve",
        "--port",
        str(free_ports()),
        env={"DATABASE_URL": getattr(database, role_url), "PORCHLIGHT_BASE_HOST": BASE_HOST, "COLUMNS": "1000"},
    )
    assert code == 1
    assert len(output.strip().splitlines()) == 1, output
    assert "Porchlight does not serve requests" in output
    assert "Traceback" not in output


def test_worker_with_service_role_does_not_start(database: Database) -> None:
    """A worker that is started without the command line (`uvicorn porchlight.app:create`) checks its role itself."""
    from porchlight.app import create

    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("DATABASE_URL", database.service_url)
        with pytest.raises(OverPrivilegedRole):
            create()


def test_app_role_is_accepted(database: Database) -> None:
    require_least_privilege(database.app_url)
