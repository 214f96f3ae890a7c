"""The life of a guru: create, suspend, restore, rename, export, delete. As the overseer, across all fences."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import dataclass
from typing import Any, LiteralString
from uuid import UUID

import psycopg
from psycopg import sql
from psycopg.rows import dict_row

from tenants.host import is_domain, label_refusal
from tenants.kit.errors import Conflict, GuruNotFound, ValidationFailed
from tenants.kit.ids import new_id
from tenants.kit.jobs import see_queue

Connection = psycopg.Connection[Any]


@dataclass(frozen=True, slots=True)
class NewGuru:
    """What a guru begins with."""

    label: str
    character: str
    category: str = "general"
    contact_email: str = ""
    tenant_id: UUID | None = None


def _id_of(conn: Connection, label: str, *, hold: bool = False) -> UUID:
    # Held, nobody writes anything of this guru until the transaction ends: a foreign key to them waits for it.
    query: LiteralString = "SELECT id FROM gurus WHERE label = %s"
    row = conn.execute(query + " FOR UPDATE" if hold else query, [label.lower()]).fetchone()
    if row is None:
        raise GuruNotFound(f"There is no guru “{label}”.")
    found: UUID = row[0]
    return found


def _take_turns(conn: Connection, *labels: str) -> None:
    # Whoever creates or renames waits for whoever is about to: between two tables no constraint sees one label twice.
    for label in sorted(labels):
        conn.execute("SELECT pg_advisory_xact_lock(hashtextextended('label ' || %s, 0))", [label])


def create(conn: Connection, guru: NewGuru) -> UUID:
    """Make a guru; their site answers at once. Raises ValidationFailed for the label, Conflict when it is taken."""
    _take_turns(conn, guru.label)
    _refuse_label(conn, guru.label)
    tenant_id = guru.tenant_id or new_id()
    try:
        conn.execute(
            "INSERT INTO gurus (id, label, character, category, contact_email) VALUES (%s, %s, %s, %s, %s)",
            [tenant_id, guru.label, guru.character, guru.category, guru.contact_email],
        )
    except psycopg.errors.UniqueViolation as taken:
        raise Conflict(f"“{guru.label}” is already taken. Please choose another site address.") from taken
    return tenant_id


def _refuse_label(conn: Connection, label: str) -> None:
    refusal = label_refusal(label)
    if refusal:
        raise ValidationFailed(refusal, fields={"label": refusal})
    if conn.execute("SELECT 1 FROM retired_labels WHERE label = %s", [label]).fetchone():
        raise Conflict(f"“{label}” is kept back for the guru who had it. Please choose another site address.")


def suspend(conn: Connection, label: str) -> None:
    """Take a site down: it answers 410 in every worker within a second, and gets no certificate."""
    _set_status(conn, label, "suspended")


def restore(conn: Connection, label: str) -> None:
    """Bring a suspended site back."""
    _set_status(conn, label, "active")


def _set_status(conn: Connection, label: str, status: str) -> None:
    conn.execute("UPDATE gurus SET status = %s WHERE id = %s", [status, _id_of(conn, label)])


def rename(conn: Connection, label: str, new_label: str) -> None:
    """Give a guru another label. The old one redirects (308) and is kept back; a former one of theirs may return."""
    label = label.lower()
    if label == new_label:
        raise ValidationFailed(f"The guru is called “{label}” already.")
    _take_turns(conn, label, new_label)
    tenant_id = _id_of(conn, label, hold=True)
    conn.execute("DELETE FROM retired_labels WHERE label = %s AND tenant_id = %s", [new_label, tenant_id])
    _refuse_label(conn, new_label)
    try:
        conn.execute("UPDATE gurus SET label = %s WHERE id = %s", [new_label, tenant_id])
    except psycopg.errors.UniqueViolation as taken:
        raise Conflict(f"“{new_label}” is already taken. Please choose another site address.") from taken
    conn.execute("INSERT INTO retired_labels (tenant_id, label) VALUES (%s, %s)", [tenant_id, label])


def add_domain(conn: Connection, label: str, domain: str, *, verified: bool) -> None:
    """Give a guru a custom domain. It answers, and may have a certificate, once it is verified."""
    domain = domain.lower().removesuffix(".")
    if not is_domain(domain):
        raise ValidationFailed(f"“{domain}” is no domain name.")
    try:
        conn.execute(
            "INSERT INTO domains (tenant_id, domain, verified_at) VALUES (%s, %s, CASE WHEN %s THEN now() END)"
            " ON CONFLICT (tenant_id, domain)"
            " DO UPDATE SET verified_at = coalesce(domains.verified_at, excluded.verified_at)",
            [_id_of(conn, label), domain, verified],
        )
    except psycopg.errors.UniqueViolation as taken:
        raise Conflict(f"“{domain}” belongs to another guru.") from taken


def tenant_tables(conn: Connection) -> list[str]:
    """Every table that holds rows of tenants, by its tenant_id."""
    rows = conn.execute(
        "SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid"
        " WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')"
        " AND a.attname = 'tenant_id' AND NOT a.attisdropped ORDER BY 1"
    ).fetchall()
    return [row[0] for row in rows]


def export(conn: Connection, label: str) -> bytes:
    """Everything of a guru as one ZIP archive: a JSON file per table; posts as Markdown and pictures besides."""
    tenant_id = _id_of(conn, label)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as files, conn.cursor(row_factory=dict_row) as cursor:
        guru = cursor.execute("SELECT * FROM gurus WHERE id = %s", [tenant_id]).fetchall()
        files.writestr("guru.json", _json(guru))
        files.writestr("about.md", guru[0]["about_markdown"])
        for table in tenant_tables(conn):
            query = sql.SQL("SELECT * FROM {} WHERE tenant_id = %s").format(sql.Identifier(table))
            rows = cursor.execute(query, [tenant_id]).fetchall()
            if table == "site_images":
                for row in rows:
                    files.writestr(f"images/{row['id']}.webp", row.pop("data"))
            files.writestr(f"{table}.json", _json(rows))
            if table == "posts":
                for row in rows:
                    files.writestr(f"posts/{row['slug']}.md", f"# {row['title']}\n\n{row['content_markdown']}")
    return archive.getvalue()


def _json(rows: list[dict[str, Any]]) -> str:
    def plain(value: Any) -> str:
        return value.hex() if isinstance(value, bytes) else str(value)

    return json.dumps(rows, default=plain, ensure_ascii=False, indent=2)


def delete(conn: Connection, label: str) -> None:
    """Erase a guru and everything of theirs, jobs and mail included. Their labels are free again."""
    tenant_id = _id_of(conn, label, hold=True)
    see_queue(conn)
    conn.execute(
        "DELETE FROM jobs.procrastinate_events e USING jobs.procrastinate_jobs j"
        " WHERE j.id = e.job_id AND j.args ->> 'tenant_id' = %s",
        [str(tenant_id)],
    )
    conn.execute("DELETE FROM jobs.procrastinate_jobs WHERE args ->> 'tenant_id' = %s", [str(tenant_id)])
    conn.execute("DELETE FROM mailbox WHERE tenant_id = %s", [tenant_id])
    conn.execute("DELETE FROM gurus WHERE id = %s", [tenant_id])
