"""The app refuses to serve with a role that could step around the fences."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import psycopg
import pytest
from psycopg import sql

from tenants.roles import APP, OVERSEER, OWNER, OverPrivilegedRole, refuse_privilege
from tests.platform_.world import BASE
from tests.support.databases import Database
from tests.support.ports import free_ports
from tests.support.product import run_program

# What a role is given on top of nothing, and the word that the refusal must contain.
TOO_MUCH = {
    "superuser": ("SUPERUSER", None, "superuser"),
    "bypass": ("BYPASSRLS", None, "BYPASSRLS"),
    "maker of roles": ("CREATEROLE", None, "CREATEROLE"),
    "replica": ("REPLICATION", None, "REPLICATION"),
    "member of the owner": ("", OWNER, "owns"),
    "member of the owner who must ask": ("NOINHERIT", OWNER, "owns"),
    "member of the overseer": ("", OVERSEER, OVERSEER),
    "member of a superuser": ("NOINHERIT", "postgres", "superuser"),
}


@pytest.fixture
def role(database: Database) -> Iterator[Callable[[str, str | None], str]]:
    """Makes a login role with attributes and a membership; answers its URL."""
    name = f"odd_{database.name}"
    with psycopg.connect(database.superuser_url, autocommit=True) as conn:

        def make(attributes: str, member_of: str | None) -> str:
            conn.execute(f"CREATE ROLE {name} LOGIN PASSWORD 'odd' {attributes}".encode())
            conn.execute(f"GRANT CONNECT ON DATABASE {database.name} TO {name}".encode())
            if member_of:
                conn.execute(f"GRANT {member_of} TO {name}".encode())
            return database.app_url.replace(database.app_url.split("//")[1].split("@")[0], f"{name}:odd")

        yield make
        conn.execute(sql.SQL("DROP OWNED BY {n}; DROP ROLE {n}").format(n=sql.Identifier(name)))


@pytest.mark.parametrize("what", TOO_MUCH)
def test_a_role_with_too_much_is_refused(role: Callable[[str, str | None], str], what: str) -> None:
    attributes, member_of, word = TOO_MUCH[what]
    with pytest.raises(OverPrivilegedRole, match=word):
        refuse_privilege(role(attributes, member_of))


def test_a_role_that_may_truncate_is_refused(database: Database, role: Callable[[str, str | None], str]) -> None:
    url = role("", APP)
    refuse_privilege(url)
    with psycopg.connect(database.superuser_url, autocommit=True) as conn:
        conn.execute(f"GRANT TRUNCATE ON leads TO odd_{database.name}".encode())
    with pytest.raises(OverPrivilegedRole, match="TRUNCATE"):
        refuse_privilege(url)


@pytest.mark.parametrize("who", ["superuser_url", "owner_url", "overseer_url"])
def test_serve_ends_with_one_sentence(database: Database, who: str) -> None:
    code, said = run_program(
        "serve",
        "--port",
        str(free_ports()),
        env={"DATABASE_URL": getattr(database, who), "PORCHLIGHT_BASE_HOST": BASE, "COLUMNS": "1000"},
    )
    assert code == 1
    assert len(said.strip().splitlines()) == 1, said
    assert "Porchlight refuses to serve" in said
    assert "Traceback" not in said


def test_the_worker_process_itself_refuses_too(database: Database) -> None:
    """A worker started past the command line (`uvicorn porchlight.app:create`) checks for itself."""
    from porchlight.app import create

    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("DATABASE_URL", database.overseer_url)
        with pytest.raises(OverPrivilegedRole):
            create()


def test_the_app_role_is_let_in(database: Database) -> None:
    refuse_privilege(database.app_url)
