"""Checks of an installation, one sentence per finding."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg

from porchlight.db.migrations import head
from porchlight.emails.sender import SmtpMailer
from porchlight.settings.environment import Settings
from tenants.db.rls import rls_catalog_errors
from tenants.db.roles import role_facts
from tenants.kit import timeouts

# True: fine. False: a fault. None: a warning.
Finding = tuple[bool | None, str]


def findings(settings: Settings) -> Iterator[Finding]:
    """Run all checks."""
    problems = settings.problems()
    for problem in problems:
        yield False, problem
    if not problems:
        yield True, "The settings are valid."
    yield from _identity(settings)
    yield from _email(settings)
    if settings.database_url:
        yield from _database(settings)
    for name, folder in (
        ("main-web", settings.main_web_dir / "index.html"),
        ("guru-web", settings.guru_web_dir / "out" / "index.html"),
    ):
        yield folder.is_file(), f"{name} is built." if folder.is_file() else f"{name} is not built: run `make setup`."


def _identity(settings: Settings) -> Iterator[Finding]:
    """Check that the identity provider's account API can be used (ARCHITECTURE 7)."""
    if not settings.production or not settings.firebase_project_id:
        return
    credentials = settings.firebase_credentials
    if not credentials:
        yield (
            None,
            "GOOGLE_APPLICATION_CREDENTIALS is not set: users stay signed in when Firebase disables or revokes their "
            "account, and deleted accounts stay in Firebase. Set it to a service account file.",
        )
    else:
        there = Path(credentials).is_file()
        result = "exists." if there else "does not exist: the account API cannot be used."
        yield there, f"The file of GOOGLE_APPLICATION_CREDENTIALS {result}"


def _email(settings: Settings) -> Iterator[Finding]:
    """Check that the mail server takes email: it answers, its encryption can be trusted, and it accepts the login."""
    if not settings.smtp_url:
        if settings.production:
            yield None, "PORCHLIGHT_SMTP_URL is not set: email is stored in the database, and none is sent."
        return
    try:
        mailer = SmtpMailer(settings.smtp_url, settings.sender)
    except ValueError as error:
        yield False, f"{error}."
        return
    problem = mailer.problem()
    yield not problem, problem or "The mail server accepts email."


def _database(settings: Settings) -> Iterator[Finding]:
    try:
        facts = role_facts(settings.database_url)
        with psycopg.connect(settings.database_url, connect_timeout=timeouts.current.command_connect_seconds) as conn:
            row = conn.execute("SELECT app.schema_version()").fetchone()
    except psycopg.errors.UndefinedFunction:
        yield False, "The database is empty: run `porchlight migrate`."
        return
    except psycopg.OperationalError as error:
        yield False, f"The database does not respond: {str(error).splitlines()[0]}"
        return
    yield (
        facts.problem is None,
        facts.problem or f"Requests run as {facts.name}, restricted by row-level security.",
    )
    schema = row[0] if row else None
    yield schema == head(), f"The schema version is {schema}; this release needs {head()}."
    rls_errors = rls_catalog_errors(settings.database_url)
    for problem in rls_errors:
        yield False, problem
    if not rls_errors:
        yield True, "Every tenant table has row-level security."
