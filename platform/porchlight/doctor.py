"""What is wrong with this installation, a sentence each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg

from porchlight.migrations import head
from porchlight.settings import Settings
from tenants.rls import catalogue_faults
from tenants.roles import role_facts

# Fine, a fault, or (None) a warning: it serves, but not as well as it could.
Finding = tuple[bool | None, str]


def findings(settings: Settings) -> Iterator[Finding]:
    """Each check with its sentence."""
    for fault in settings.faults():
        yield False, fault
    if not settings.faults():
        yield True, "The settings are in order."
    yield from _identity(settings)
    if settings.database_url:
        yield from _database(settings)
    for name, folder in (
        ("main-web", settings.main_web_dir / "index.html"),
        ("guru-web", settings.guru_web_dir / "out" / "index.html"),
    ):
        yield folder.is_file(), f"{name} is built." if folder.is_file() else f"{name} is not built: run `make setup`."


def _identity(settings: Settings) -> Iterator[Finding]:
    """Whether the identity service can be asked how accounts stand (DESIGN 7)."""
    if not settings.production or not settings.firebase_project_id:
        return
    credentials = settings.firebase_credentials
    if not credentials:
        yield (
            None,
            "GOOGLE_APPLICATION_CREDENTIALS is not set: nobody is signed out when Firebase disables or revokes an "
            "account, and erased accounts stay there. Name a service account's file.",
        )
    else:
        there = Path(credentials).is_file()
        words = "is there." if there else "is not there: the identity service cannot be asked about accounts."
        yield there, f"The file that GOOGLE_APPLICATION_CREDENTIALS names {words}"


def _database(settings: Settings) -> Iterator[Finding]:
    try:
        facts = role_facts(settings.database_url)
        with psycopg.connect(settings.database_url, connect_timeout=5) as conn:
            row = conn.execute("SELECT app.schema_version()").fetchone()
    except psycopg.errors.UndefinedFunction:
        yield False, "The database is empty: run `porchlight migrate`."
        return
    except psycopg.OperationalError as fault:
        yield False, f"The database does not answer: {str(fault).splitlines()[0]}"
        return
    yield facts.complaint is None, facts.complaint or f"Requests run as {facts.name}, which cannot pass the fences."
    schema = row[0] if row else None
    yield schema == head(), f"The schema is at {schema}; this release wants {head()}."
    faults = catalogue_faults(settings.database_url)
    for gap in faults:
        yield False, gap
    if not faults:
        yield True, "Every table of tenants is fenced."
