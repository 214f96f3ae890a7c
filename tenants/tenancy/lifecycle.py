"""The lifecycle of a guru: create, suspend, restore, rename, export, delete. It runs in the service role."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, LiteralString
from uuid import UUID

import psycopg
from psycopg import sql
from psycopg.rows import dict_row

from tenants.db.jobs import use_jobs_schema
from tenants.db.rows import Connection, fetch_value, fetch_values
from tenants.kit.errors import Conflict, GuruNotFound, ValidationFailed
from tenants.kit.ids import new_id
from tenants.tenancy import domains
from tenants.tenancy.domains import parse_domain
from tenants.tenancy.hosts import label_error

# With a token, the guru could confirm addresses in the place of their owners.
_NOT_EXPORTED = {"lead_addresses": ("token",)}


@dataclass(frozen=True, slots=True)
class NewGuru:
    """The initial data of a guru."""

    label: str
    character: str
    category: str = "general"
    contact_email: str = ""
    tenant_id: UUID | None = None


def find_tenant(conn: Connection, label: str, *, lock: bool = False) -> UUID:
    """Return the id of the guru with this label. Raises GuruNotFound."""
    # The lock blocks writes of the guru's rows until the transaction ends: their foreign key waits for it.
    query: LiteralString = "SELECT id FROM gurus WHERE label = %s"
    tenant_id = fetch_value(conn, UUID, query + " FOR UPDATE" if lock else query, [label.lower()])
    if tenant_id is None:
        raise GuruNotFound(f"There is no guru “{label}”.")
    return tenant_id


def _lock_labels(conn: Connection, *labels: str) -> None:
    # Serializes creation and renaming: no constraint prevents the same label in `gurus` and `retired_labels`.
    for label in sorted(labels):
        conn.execute("SELECT pg_advisory_xact_lock(hashtextextended('label ' || %s, 0))", [label])


def create_guru(conn: Connection, guru: NewGuru) -> UUID:
    """Create a guru; the site is online at once. Raise ValidationFailed for the label, Conflict if it is taken."""
    _lock_labels(conn, guru.label)
    _check_label(conn, guru.label)
    tenant_id = guru.tenant_id or new_id()
    try:
        conn.execute(
            "INSERT INTO gurus (id, label, character, category, contact_email) VALUES (%s, %s, %s, %s, %s)",
            [tenant_id, guru.label, guru.character, guru.category, guru.contact_email],
        )
    except psycopg.errors.UniqueViolation as error:
        raise Conflict(f"“{guru.label}” is already taken. Please choose another site address.") from error
    return tenant_id


def _check_label(conn: Connection, label: str) -> None:
    error = label_error(label)
    if error:
        raise ValidationFailed(error, fields={"label": error})
    if conn.execute("SELECT 1 FROM retired_labels WHERE label = %s", [label]).fetchone():
        raise Conflict(f"“{label}” is reserved for the guru who used it before. Please choose another site address.")


def suspend_guru(conn: Connection, label: str, reason: str = "") -> None:
    """Suspend a site: within a second every worker responds with 410, and it gets no certificate.

    The guru reads the reason in the console.
    """
    _set_status(conn, label, "suspended", reason)


def restore_guru(conn: Connection, label: str) -> None:
    """Restore a suspended site."""
    _set_status(conn, label, "active")


def _set_status(conn: Connection, label: str, status: str, reason: str = "") -> None:
    query = "UPDATE gurus SET status = %s, suspension_reason = %s WHERE id = %s"
    conn.execute(query, [status, reason, find_tenant(conn, label)])


def rename_guru(conn: Connection, label: str, new_label: str) -> None:
    """Change a guru's label. The old one redirects (308) and stays reserved; the guru can return to it."""
    label = label.lower()
    if label == new_label:
        raise ValidationFailed(f"The guru is called “{label}” already.")
    _lock_labels(conn, label, new_label)
    tenant_id = find_tenant(conn, label, lock=True)
    conn.execute("DELETE FROM retired_labels WHERE label = %s AND tenant_id = %s", [new_label, tenant_id])
    _check_label(conn, new_label)
    try:
        conn.execute("UPDATE gurus SET label = %s WHERE id = %s", [new_label, tenant_id])
    except psycopg.errors.UniqueViolation as error:
        raise Conflict(f"“{new_label}” is already taken. Please choose another site address.") from error
    conn.execute("INSERT INTO retired_labels (tenant_id, label) VALUES (%s, %s)", [tenant_id, label])


def add_domain(conn: Connection, label: str, domain: str, *, verified: bool) -> None:
    """Add a custom domain to a guru. It is served, and can get a certificate, once it is verified."""
    domain = parse_domain(domain, (), allow_localhost=True)
    domains.add_domain(conn, find_tenant(conn, label), domain, verified=verified)


def tenant_tables(conn: Connection) -> list[str]:
    """Return the names of all tables with a tenant_id."""
    return fetch_values(
        conn,
        str,
        "SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid"
        " WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')"
        " AND a.attname = 'tenant_id' AND NOT a.attisdropped ORDER BY 1",
    )


def export_guru(conn: Connection, label: str, *, without: Collection[str] = ()) -> bytes:
    """Export a guru's data as a ZIP archive: a JSON file per table, posts as Markdown, images as files.

    `without`: tables that the reader may not see.
    """
    tenant_id = find_tenant(conn, label)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as files, conn.cursor(row_factory=dict_row) as cursor:
        guru = cursor.execute("SELECT * FROM gurus WHERE id = %s", [tenant_id]).fetchall()
        files.writestr("guru.json", _to_json(guru))
        files.writestr("about.md", guru[0]["about_markdown"])
        for table in tenant_tables(conn):
            if table in without:
                continue
            query = sql.SQL("SELECT * FROM {} WHERE tenant_id = %s").format(sql.Identifier(table))
            rows = cursor.execute(query, [tenant_id]).fetchall()
            if table == "site_images":
                for row in rows:
                    files.writestr(f"images/{row['id']}.webp", row.pop("data"))
            for row in rows:
                for column in _NOT_EXPORTED.get(table, ()):
                    del row[column]
            files.writestr(f"{table}.json", _to_json(rows))
            if table == "posts":
                for row in rows:
                    files.writestr(f"posts/{row['slug']}.md", f"# {row['title']}\n\n{row['content_markdown']}")
    return archive.getvalue()


def _to_json(rows: list[dict[str, Any]]) -> str:
    def to_text(value: Any) -> str:
        return value.hex() if isinstance(value, bytes) else str(value)

    return json.dumps(rows, default=to_text, ensure_ascii=False, indent=2)


def delete_guru(conn: Connection, label: str) -> None:
    """Delete a guru and all their data, jobs and emails included. Their labels become available."""
    delete_guru_data(conn, find_tenant(conn, label, lock=True))


_DELETE_EVENTS = """
DELETE FROM jobs.procrastinate_events e USING jobs.procrastinate_jobs j
 WHERE j.id = e.job_id AND j.args ->> 'tenant_id' = %(tenant)s AND j.id IS DISTINCT FROM %(running)s::bigint"""
_DELETE_JOBS = """
DELETE FROM jobs.procrastinate_jobs j
 WHERE j.args ->> 'tenant_id' = %(tenant)s AND j.id IS DISTINCT FROM %(running)s::bigint"""


def delete_guru_data(conn: Connection, tenant_id: UUID, *, running_job_id: int | None = None) -> None:
    """Delete a guru and all their data, jobs and emails included; nothing if the guru does not exist.

    The job that runs this stays in the queue, so that the worker can mark it as done.
    """
    # The lock blocks writes of the guru's rows until the transaction ends: their foreign key waits for it.
    if fetch_value(conn, UUID, "SELECT id FROM gurus WHERE id = %s FOR UPDATE", [tenant_id]) is None:
        return
    use_jobs_schema(conn)
    values = {"tenant": str(tenant_id), "running": running_job_id}
    conn.execute(_DELETE_EVENTS, values)
    conn.execute(_DELETE_JOBS, values)
    conn.execute("DELETE FROM dev_mailbox WHERE tenant_id = %s", [tenant_id])
    conn.execute("DELETE FROM gurus WHERE id = %s", [tenant_id])
