"""Checks of an installation, one sentence per finding."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import psycopg

from porchlight.db.migrations import head
from porchlight.emails.sender import SmtpMailer
from porchlight.settings.environment import Settings
from tenants.db.rls import rls_catalog_errors
from tenants.db.roles import role_facts
from tenants.db.rows import fetch_value
from tenants.kit import clock, timeouts
from tenants.kit.zones import offered_zones, rules_version

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
    """Check that the identity provider's account API can be used (docs/sign-in.md)."""
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


_OFFSETS = """
SELECT z.name, t.at, extract(epoch FROM (t.at AT TIME ZONE z.name) - (t.at AT TIME ZONE 'UTC'))::integer
  FROM unnest(%s::text[]) AS z (name) JOIN pg_timezone_names p ON p.name = z.name
 CROSS JOIN unnest(%s::timestamptz[]) AS t (at)"""
_WEEKS = 53
_MAX_SHOWN = 5


def _zones(database_url: str) -> Finding:
    """Compare PostgreSQL's offsets of all zones with those of our rules, each week of the coming year."""
    times = [clock.now() + timedelta(weeks=week) for week in range(_WEEKS)]
    with psycopg.connect(database_url, connect_timeout=timeouts.current.command_connect_seconds) as conn:
        rows = conn.execute(_OFFSETS, [sorted(offered_zones()), times]).fetchall()
    differing = sorted({name for name, at, offset in rows if offset != _offset(name, at)})
    if not differing:
        return True, f"The time zones follow version {rules_version()}, and PostgreSQL's agree."
    more = f" and {len(differing) - _MAX_SHOWN} more" if len(differing) > _MAX_SHOWN else ""
    return (
        None,
        f"PostgreSQL has other rules than version {rules_version()} for {', '.join(differing[:_MAX_SHOWN])}{more}. "
        "Porchlight follows its own; only your own SQL with AT TIME ZONE is off. Update PostgreSQL's time zones.",
    )


def _offset(name: str, at: datetime) -> float | None:
    offset = at.astimezone(ZoneInfo(name)).utcoffset()
    return None if offset is None else offset.total_seconds()


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
            schema = fetch_value(conn, str, "SELECT app.schema_version()")
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
    yield schema == head(), f"The schema version is {schema}; this release needs {head()}."
    yield _zones(settings.database_url)
    rls_errors = rls_catalog_errors(settings.database_url)
    for problem in rls_errors:
        yield False, problem
    if not rls_errors:
        yield True, "Every tenant table has row-level security."
