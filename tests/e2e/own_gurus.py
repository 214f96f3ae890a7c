"""Gurus of one test module, so that it changes no site that another module reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import psycopg
from psycopg import sql

from sites.hours.proposal import add_proposed_hours
from sites.services.defaults import add_default_services
from tenants.kit.ids import new_id
from tenants.tenancy.lifecycle import NewGuru, create_guru, find_tenant
from tests.fixtures.identity import PASSWORD, Emulator

# What makes a guru bookable. Their rows keep their ids, which are unique within a tenant.
_COPIED_TABLES = ("services", "calendars", "weekly_hours", "booking_settings", "appointments", "guru_waiver_texts")
_COPIED_COLUMNS = "category, city, tagline, about_markdown, about_html"

Connection = psycopg.Connection[Any]


@dataclass(frozen=True, slots=True)
class OwnGuru:
    """A guru of one test module, and how its owner signs in."""

    id: UUID
    label: str
    email: str = ""
    password: str = PASSWORD


def new_guru(product: Mapping[str, Any], name: str, *, like: str = "") -> OwnGuru:
    """Create a guru without an owner. Its label starts with `name`.

    It has the services and hours of the demo guru `like`, or those that `porchlight guru create` gives.
    """
    with psycopg.connect(product["overseer_url"]) as conn:
        return _create(conn, name, like)


def new_owned_guru(product: Mapping[str, Any], emulator: Emulator, name: str, *, like: str = "") -> OwnGuru:
    """Create a guru as `new_guru` does, with an owner whose address is verified."""
    email, uid, _ = emulator.sign_up(verified=True)
    with psycopg.connect(product["overseer_url"]) as conn:
        guru, user_id = _create(conn, name, like), new_id()
        conn.execute(
            "INSERT INTO users (user_id, firebase_uid, email, email_verified) VALUES (%s, %s, %s, true)",
            [user_id, uid, email],
        )
        conn.execute(
            "INSERT INTO profiles (user_id, handle, display_name) VALUES (%s, %s, %s)",
            [user_id, f"owner-of-{guru.label}", f"Owner of {guru.label}"],
        )
        conn.execute("INSERT INTO memberships (tenant_id, user_id) VALUES (%s, %s)", [guru.id, user_id])
        conn.execute("UPDATE gurus SET contact_email = %s WHERE id = %s", [email, guru.id])
    return OwnGuru(guru.id, guru.label, email)


def _create(conn: Connection, name: str, like: str) -> OwnGuru:
    row = conn.execute("SELECT count(*) FROM gurus WHERE label LIKE %s", [f"{name}-%"]).fetchone()
    assert row is not None
    label = f"{name}-{row[0] + 1}"
    tenant = create_guru(conn, NewGuru(label, f"{label.capitalize()} Guru"))
    # The home page shows the newest gurus.
    conn.execute("UPDATE gurus SET created_at = app.now() - interval '1 year' WHERE id = %s", [tenant])
    if like:
        _copy(conn, find_tenant(conn, like), tenant)
    else:
        add_default_services(conn, tenant)
        add_proposed_hours(conn, tenant)
    return OwnGuru(tenant, label)


def _copy(conn: Connection, source: UUID, tenant: UUID) -> None:
    """Copy the services and hours of a demo guru, without its bookings."""
    conn.execute(
        f"UPDATE gurus g SET ({_COPIED_COLUMNS}) = (SELECT {_COPIED_COLUMNS} FROM gurus WHERE id = %s) WHERE g.id = %s",
        [source, tenant],
    )
    for table in _COPIED_TABLES:
        rows = conn.execute(
            "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped"
            " AND attgenerated = '' AND attname <> 'tenant_id'",
            [table],
        ).fetchall()
        columns = sql.SQL(", ").join(sql.Identifier(row[0]) for row in rows)
        kept = sql.SQL(" AND fixed" if table == "appointments" else "")
        conn.execute(
            sql.SQL("INSERT INTO {t} (tenant_id, {c}) SELECT %s, {c} FROM {t} WHERE tenant_id = %s{k}").format(
                t=sql.Identifier(table), c=columns, k=kept
            ),
            [tenant, source],
        )
    conn.execute("UPDATE appointments SET taken = 0, waiting = 0 WHERE tenant_id = %s", [tenant])
